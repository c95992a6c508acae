// The page's embedded data, and helpers that build its elements.
const settings = JSON.parse(document.getElementById("settings").textContent);

const find = (id) => document.getElementById(id);

// Reads compressed JSON from an element's text.
async function unpack(id) {
  const letters = atob(find(id).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Creates an element with properties (attributes, text, on... handlers) and children.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// A whole number with commas between thousands. (`toLocaleString` takes 17 ms the first time.)
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const several = (n, one, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

// A probability in words.
function percent(share) {
  if (share === 0 || share === 1) return share === 0 ? "never" : "certain";
  return share < 0.0005 ? "< 0.1%" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Fills a definition list with pairs of a term and its description.
function define(list, pairs) {
  list.replaceChildren(
    ...pairs.map(([term, description]) =>
      make("div", {}, make("dt", { text: term }), make("dd", {}, description)),
    ),
  );
}
