// The page's elements and its embedded data.

export const find = (id) => document.getElementById(id);

// Reads compressed JSON from an element's text.
export async function unpack(id) {
  const letters = atob(find(id).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Creates an element with properties (attributes, text, on... handlers) and children.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Fills a definition list with pairs of a term and its description.
export function define(list, pairs) {
  list.replaceChildren(
    ...pairs.map(([term, description]) =>
      make("div", {}, make("dt", { text: term }), make("dd", {}, description)),
    ),
  );
}
