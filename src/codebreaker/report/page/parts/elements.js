// The page's elements and its embedded data.

/**
 * An element of the page. Fields, buttons, lists, dialogs and tables have the further properties of their tags.
 * @typedef {HTMLElement & OfTags} PageElement
 *
 * @typedef {object} OfTags
 * @property {string} value
 * @property {boolean} disabled
 * @property {boolean} checked
 * @property {boolean} open
 * @property {HTMLOptionsCollection} options
 * @property {() => void} select
 * @property {() => void} close
 * @property {() => void} showModal
 */

/** @type {(id: string) => PageElement} */
export const find = (id) => /** @type {PageElement} */ (document.getElementById(id));

// The first element within another one that fits a selector; it is there.
/** @type {(root: ParentNode, selector: string) => PageElement} */
export const within = (root, selector) => /** @type {PageElement} */ (root.querySelector(selector));

// The elements that fit a selector.
/** @type {(root: ParentNode, selector: string) => PageElement[]} */
export const allWithin = (
  root,
  selector,
) => [.../** @type {NodeListOf<PageElement>} */ (root.querySelectorAll(selector))];

// The element of an event.
/** @type {(event: Event) => PageElement} */
export const targetOf = (event) => /** @type {PageElement} */ (event.target);

// Reads compressed JSON from an element's text.
/** @type {(id: string) => Promise<any>} */
export function unpack(id) {
  const letters = atob(find(id).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Creates an element with properties (attributes, text, on... handlers) and children.
/** @type {(tag: string, properties?: Record<string, any>, ...children: (Node | string)[]) => any} */
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

// Saves a text as a file.
/** @type {(name: string, text: string) => void} */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  make("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

// Fills a definition list with pairs of a term and its description.
/** @type {(list: HTMLElement, pairs: [string, string | Node][]) => void} */
export function define(list, pairs) {
  list.replaceChildren(
    ...pairs.map(([term, description]) => make("div", {}, make("dt", { text: term }), make("dd", {}, description))),
  );
}
