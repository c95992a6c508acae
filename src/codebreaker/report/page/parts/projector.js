// The view for a projector: large, and a game is played before anything is explained. Then its guesses are explained one by
// one. The address has the view and the guess that is explained, so that each position has a link.
import { allWithin, find, targetOf, within } from "./elements.js";
import { closeMenu } from "./messages.js";
import { play } from "./play.js";

/** @import { Link } from "../records/links.js" */

const PROJECTOR = "projector";

// `step` is the number of the guess that is explained, from 0 on; `game` is the record that it belongs to.
const projector = { step: 0, game: "" };

// Who is told of each step.
let onView = () => {};

/** @type {(listener: () => void) => void} */
export function watchProjector(listener) {
  onView = listener;
}

const isOn = () => document.documentElement.dataset.view === PROJECTOR;

// What a link says of the view; nothing in the usual one.
/** @type {() => Link} */
export const projectorState = () => (isOn() ? { view: PROJECTOR, step: String(projector.step + 1) } : {});

// Shows the view of a link, which is of the game on the board.
/** @type {(link: Link) => void} */
export function openView({ view = "", step = "1" }) {
  setView(view === PROJECTOR);
  projector.step = Math.max(0, Math.floor(Number(step) || 1) - 1);
  projector.game = play.record.id;
  showExplained();
}

/** @type {(isProjector: boolean) => void} */
function setView(isProjector) {
  if (isProjector) document.documentElement.dataset.view = PROJECTOR;
  else delete document.documentElement.dataset.view;
  find("projector-on").hidden = isProjector;
  find("projector-off").hidden = !isProjector;
}

// Shows one guess of the review, with its reasons, or all of them in the usual view.
/** @type {() => void} */
export function showExplained() {
  if (projector.game !== play.record.id) Object.assign(projector, { step: 0, game: play.record.id });
  const moves = allWithin(find("review-moves"), ".review > li");
  const isStepping = isOn() && moves.length > 0 && !find("play-review").hidden;
  const last = Math.max(0, moves.length - 1);
  if (moves.length > 0) projector.step = Math.min(projector.step, last);
  find("projector-steps").hidden = !isStepping;
  // The summary of a game comes with its last guess.
  find("play-review").classList.toggle("early", isStepping && projector.step < last);
  moves.forEach((move, i) => {
    move.hidden = isStepping && i !== projector.step;
    const reasons = move.querySelector("details");
    if (isStepping && i === projector.step && reasons) reasons.open = true;
  });
  const board = find("play-moves");
  const rows = allWithin(board, ":scope > li");
  rows.forEach((row, i) => row.classList.toggle("explained", isStepping && i === projector.step));
  if (!isStepping) return;
  board.scrollTop = rows[projector.step].offsetTop - rows[0].offsetTop;
  find("projector-told").textContent = `Guess ${projector.step + 1} of ${moves.length}`;
  find("projector-back").disabled = projector.step === 0;
  find("projector-next").disabled = projector.step === last;
}

/** @type {(by: number) => void} */
function stepBy(by) {
  projector.step += by;
  showExplained();
  onView();
  within(find("projector-steps"), "button:not(:disabled)").focus({ preventScroll: true });
}

for (
  const [id, isProjector] of /** @type {[string, boolean][]} */ ([["projector-on", true], ["projector-off", false]])
) {
  find(id).addEventListener("click", () => {
    closeMenu();
    setView(isProjector);
    showExplained();
    onView();
  });
}
// Escape leaves the view, unless something that it closes is open or a field has it.
addEventListener("keydown", (event) => {
  const isElsewhere = find("play-menu").open || find("sure").open ||
    targetOf(event).closest?.("input, select, textarea");
  if (event.key === "Escape" && isOn() && !isElsewhere) find("projector-off").click();
}, { capture: true });

find("projector-back").addEventListener("click", () => stepBy(-1));
find("projector-next").addEventListener("click", () => stepBy(1));
