// Pegs of the open row and the palette can be dragged into the row, within it and off it. Holding a peg of the row
// without moving it, or a right-click, keeps it for the next guess.
import { find, make, targetOf } from "./elements.js";
import { dropAt, entry, isEntering, mayHold, placeOf, takeOff, toggleHold } from "./row.js";

/** @import { PageElement } from "./elements.js" */

const DRAG_FROM = 8; // pixels that the pointer moves before a tap becomes a drag
const HOLD_AFTER_MS = 500;

/**
 * @typedef {object} Drag
 * @property {string} symbol
 * @property {number | null} from
 * @property {PageElement} peg
 * @property {number} x
 * @property {number} y
 * @property {HTMLElement | null} view
 * @property {number | undefined} timer
 * @property {boolean} isHeld
 */

// The symbol that is pressed, its place in the row (null: from the palette), where it began, the peg that is shown
// while it is dragged, and whether it was held so long that it is kept.
/** @type {Drag | null} */
let drag = null;

// Whether the click that may follow belongs to a drag or a hold, and is no tap.
let isClickSpent = false;

/** @type {(event: PointerEvent) => void} */
function beginDrag(event) {
  const { clientX, clientY, isPrimary, button } = event;
  const target = targetOf(event);
  isClickSpent = false;
  if (!isPrimary || button !== 0 || !isEntering()) return;
  const slot = target.closest("#play-slots .slot");
  const from = slot ? placeOf(slot) : null;
  const peg = /** @type {PageElement | null} */ (slot ?? target.closest("#play-palette :is(.peg, .key)"));
  const symbol = from === null ? peg?.textContent : entry.slots[from];
  if (!peg || !symbol) return;
  const timer = slot ? setTimeout(holdPressed, HOLD_AFTER_MS) : undefined;
  drag = { symbol, from, peg, x: clientX, y: clientY, view: null, timer, isHeld: false };
}

function holdPressed() {
  if (drag === null || drag.from === null) return;
  drag.isHeld = true;
  toggleHold(drag.from);
}

// A peg that moves is dragged: it was not held.
/** @type {(event: PointerEvent) => void} */
function moveDrag({ clientX, clientY }) {
  if (!drag) return;
  const { peg, x, y, from, timer, isHeld } = drag;
  if (!drag.view && Math.hypot(clientX - x, clientY - y) < DRAG_FROM) return;
  clearTimeout(timer);
  if (isHeld && from !== null) toggleHold(from);
  drag.isHeld = false;
  drag.view ??= dragView(peg);
  drag.view.style.left = `${clientX}px`;
  drag.view.style.top = `${clientY}px`;
}

/** @type {(peg: HTMLElement) => HTMLElement} */
function dragView(peg) {
  const view = make("span", { class: "peg dragged", "aria-hidden": "true", text: peg.textContent });
  view.style.background = peg.style.background;
  view.style.color = peg.style.color;
  document.body.append(view);
  return view;
}

/** @type {(event: PointerEvent) => void} */
function endDrag({ clientX, clientY }) {
  const ended = drag;
  cancelDrag();
  if (!ended) return;
  isClickSpent = ended.view !== null || ended.isHeld;
  if (!ended.view) return;
  const target = document.elementFromPoint(clientX, clientY);
  const slot = target?.closest("#play-slots .slot");
  if (slot) dropAt(placeOf(slot), ended);
  else if (ended.from !== null && !target?.closest("#play-slots")) takeOff(ended.from);
}

function cancelDrag() {
  clearTimeout(drag?.timer);
  drag?.view?.remove();
  drag = null;
}

find("assistant").addEventListener("pointerdown", beginDrag);
addEventListener("pointermove", moveDrag);
addEventListener("pointerup", endDrag);
addEventListener("pointercancel", cancelDrag);

addEventListener(
  "click",
  (event) => {
    if (isClickSpent && event.detail > 0) event.stopPropagation();
    isClickSpent = false;
  },
  { capture: true },
);

// A right-click. Some phones tell of a long press in this way, before or after its time is up.
find("play-moves").addEventListener("contextmenu", (event) => {
  const slot = targetOf(event).closest("#play-slots .slot");
  if (!slot || !mayHold()) return;
  event.preventDefault();
  if (!drag) return toggleHold(placeOf(slot));
  clearTimeout(drag.timer);
  if (!drag.isHeld) holdPressed();
});
