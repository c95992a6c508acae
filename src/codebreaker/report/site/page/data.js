// What the page holds, and how its elements are made.
const settings = JSON.parse(document.getElementById("settings").textContent);

const find = (id) => document.getElementById(id);

// Compressed JSON, as text in an element.
async function unpack(id) {
  const bytes = Uint8Array.from(atob(find(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// An element with properties (class, text, data and aria attributes, handlers) and children.
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

const several = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// Definitions: pairs of a term and what is said of it.
function define(list, pairs) {
  list.replaceChildren(
    ...pairs.map(([term, what]) => make("div", {}, make("dt", { text: term }), make("dd", {}, what))),
  );
}
