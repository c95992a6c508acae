// Pegs can be dragged: from the palette into the open row, and from one place of the row to another.
const DRAG_FROM = 8; // pixels that the pointer moves before a tap becomes a drag

// The symbol that is dragged, its place in the row (null: from the palette), where it began, and the peg that is shown.
let drag = null;

function beginDrag({ target, clientX, clientY, isPrimary }) {
  if (!isPrimary || !isEntering()) return;
  const slot = target.closest("#play-slots .slot");
  const from = slot ? [...slot.parentElement.children].indexOf(slot) : null;
  const peg = slot ?? target.closest("#play-palette .peg");
  const symbol = slot ? entry.slots[from] : peg?.textContent;
  if (symbol) drag = { symbol, from, peg, x: clientX, y: clientY, view: null };
}

function moveDrag({ clientX, clientY }) {
  if (!drag) return;
  const { peg, x, y } = drag;
  if (!drag.view && Math.hypot(clientX - x, clientY - y) < DRAG_FROM) return;
  drag.view ??= dragView(peg);
  drag.view.style.left = `${clientX}px`;
  drag.view.style.top = `${clientY}px`;
}

function dragView(peg) {
  const view = make("span", { class: "peg dragged", "aria-hidden": "true", text: peg.textContent });
  view.style.background = peg.style.background;
  view.style.color = peg.style.color;
  document.body.append(view);
  return view;
}

// Puts the peg into the place under the pointer; what was there goes to the place that the peg came from.
function endDrag({ clientX, clientY }) {
  const ended = drag;
  cancelDrag();
  if (!ended?.view) return;
  addEventListener("click", stopClick, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stopClick, { capture: true }));
  const slot = document.elementFromPoint(clientX, clientY)?.closest("#play-slots .slot");
  if (!slot) return;
  const to = [...slot.parentElement.children].indexOf(slot);
  if (ended.from !== null) entry.slots[ended.from] = entry.slots[to];
  entry.at = to;
  putSymbol(ended.symbol);
}

function cancelDrag() {
  drag?.view?.remove();
  drag = null;
}

// The click that follows a drag is no tap.
const stopClick = (event) => event.stopPropagation();

find("assistant").addEventListener("pointerdown", beginDrag);
addEventListener("pointermove", moveDrag);
addEventListener("pointerup", endDrag);
addEventListener("pointercancel", cancelDrag);
