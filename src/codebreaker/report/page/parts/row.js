// The guess in the board's open row, by typing, taps or advice. It is no event: it lasts until the board changes.
// `isEditing`: another guess than the advised one is composed. `correcting`: the number of the move whose answer is
// changed, or null. `held`: the places whose symbols stay in the row for the next guess. Only this file changes it;
// what shows it is given by `watchRow`.
import { symbolsOf } from "../engine/game.js";
import { nounOf, separatorOf } from "../engine/naming.js";
import { find } from "./elements.js";
import { play } from "./play.js";
import { isSingle } from "./position.js";

/** @import { AnyGame } from "../engine/unlisted.js" */

/**
 * The symbols of the row, and the place of the cursor. `madeFor` is the board and `gameOf` the game that it belongs to.
 * @typedef {object} Entry
 * @property {(string | null)[]} slots
 * @property {number} at
 * @property {boolean} isEditing
 * @property {number | null} correcting
 * @property {Set<number>} held
 * @property {string} madeFor
 * @property {string} gameOf
 */

/** @type {Entry} */
export const entry = { slots: [], at: 0, isEditing: false, correcting: null, held: new Set(), madeFor: "", gameOf: "" };

// The answer to this guess, as far as it is typed or marked.
/** @type {{ typed: string, marks: string[] }} */
export const answering = { typed: "", marks: [] };

// What shows the row, and the line below the board, which names the symbols that are held.
let rowViews = { showEntry: () => {}, showStatus: () => {} };

/** @type {(watching: { showEntry: () => void, showStatus: () => void }) => void} */
export function watchRow(watching) {
  rowViews = watching;
}

/** @type {() => void} */
export const showEntry = () => rowViews.showEntry();

// Clears the row after a change of the board, but for the symbols that are held.
/** @type {() => void} */
export function keepDraft() {
  const { record, state } = play;
  const board = `${record.id} ${state.changes}`;
  if (entry.madeFor === board) return;
  if (entry.gameOf !== record.id) entry.held.clear();
  const heldSymbols = entry.slots.map((symbol, i) => (entry.held.has(i) ? symbol : null));
  Object.assign(entry, { madeFor: board, gameOf: record.id, isEditing: false, correcting: null });
  fillSlots(state.chosen ?? "");
  if (entry.held.size > 0) fillHeld(heldSymbols);
}

/** @type {(symbols: (string | null)[]) => void} */
function fillHeld(symbols) {
  entry.slots = symbols;
  entry.at = placeAfter(-1);
}

// Where the cursor goes from a place: to the next empty one; in a full row, to the next one that is not held.
/** @type {(place: number) => number} */
function placeAfter(place) {
  const { slots, held } = entry;
  const places = [...slots.keys()].map((i) => (place + 1 + i) % slots.length);
  const later = [...slots.keys()].filter((i) => i > place && !held.has(i));
  return places.find((i) => slots[i] === null) ?? later[0] ?? slots.length;
}

// Whether symbols can be held for the next guess: not where the page advises, or where a field has the text.
/** @type {() => boolean} */
export const mayHold = () => isEntering() && play.state.mode !== "mine" && !hasText(play.game);

/** @type {() => string} */
export function heldWords() {
  if (!mayHold() || entry.held.size === 0) return "";
  const places = [...entry.held].sort((a, b) => a - b).map((place) => place + 1);
  return ` Held for the next guess: ${places.join(", ")}.`;
}

/** @type {() => string} */
export const typedGuess = () => entry.slots.filter((symbol) => symbol !== null).join(separatorOf(play.game));
const isFull = () => !entry.slots.includes(null);

// The guess as an index, or undefined while it is not one of the game's.
/** @type {() => number | undefined} */
export const guessEntered = () => (isFull() ? play.game.indexOf.get(typedGuess()) : undefined);

/** @type {(game: AnyGame) => boolean} */
export const hasKeyboard = (game) => game.spelled && game.symbols.every((symbol) => /^[a-z]$/.test(symbol));
// Words in other letters are typed into a field. Codes of digits have a palette, also where they are spelled.
/** @type {(game: AnyGame) => boolean} */
export const hasText = (game) => game.spelled && !hasKeyboard(game) && nounOf(game) !== "code";

// Whether a code is the only candidate left: its answer can only be that it is the secret.
/** @type {(label: string) => boolean} */
function isLastCandidate(label) {
  const { game, position } = play;
  return game.isListed && isSingle(position.candidates) && position.candidates.members[0] === game.indexOf.get(label);
}

// Fills the slots with a guess's label; an empty label clears them.
/** @type {(label: string) => void} */
export function fillSlots(label) {
  const symbols = label === "" ? [] : symbolsOf(label);
  entry.slots = Array.from({ length: play.game.pegs }, (_, i) => symbols[i] ?? null);
  entry.at = symbols.length;
  answering.marks = entry.slots.map(() => (isLastCandidate(label) ? "g" : "b"));
  answering.typed = "";
}

/** @type {(label: string) => void} */
export function setGuess(label) {
  fillSlots(label);
  showEntry();
}

/** @type {(symbol: string) => void} */
export function putSymbol(symbol) {
  const { slots } = entry;
  if (entry.at >= slots.length) return;
  slots[entry.at] = symbol;
  entry.at = placeAfter(entry.at);
  showEntry();
}

// Empties the place of the cursor or, if it is empty, the one before. Held symbols before it stay.
/** @type {() => void} */
export function eraseSymbol() {
  const { slots, held } = entry;
  if ((slots[entry.at] ?? null) === null) {
    const before = [...slots.keys()].findLast((i) => i < entry.at && !held.has(i));
    if (before === undefined) return;
    entry.at = before;
  }
  slots[entry.at] = null;
  const wasHeld = held.delete(entry.at);
  showEntry();
  if (wasHeld) rowViews.showStatus();
}

// Clears an advised guess, which another strategy or rule may not advise.
/** @type {() => void} */
export function dropAdvised() {
  if (isAdvising() && entry.correcting === null && play.state.chosen === null) fillSlots("");
}

/** @type {() => boolean} */
export const isAdvising = () =>
  entry.correcting !== null || (play.position.isOpen && play.state.mode === "mine" && !entry.isEditing);

/** @type {() => boolean} */
export const isEntering = () => play.position.isOpen && !isAdvising();

// Holds the symbol of a place for the next guess, or lets it go.
/** @type {(place: number) => void} */
export function toggleHold(place) {
  if (!mayHold() || (entry.slots[place] ?? null) === null) return;
  if (!entry.held.delete(place)) entry.held.add(place);
  showEntry();
  rowViews.showStatus();
  find("play-said").textContent = heldWords().trim() || "Nothing is held for the next guess.";
}

// Keys go to the board from now on.
/** @type {() => void} */
export const focusBoard = () => find("play-slots")?.focus({ preventScroll: true });

// A peg that is dropped outside the row leaves it.
/** @type {(place: number) => void} */
export function takeOff(place) {
  entry.at = place;
  eraseSymbol();
}

// Puts the peg into a place; what was there goes to the place that the peg came from.
/** @type {(to: number, dragged: { symbol: string, from: number | null }) => void} */
export function dropAt(to, { symbol, from }) {
  const { slots, held } = entry;
  if (from !== null && from !== to) {
    const places = [from, to];
    const swapped = places.filter((_, i) => held.has(places[1 - i]));
    places.forEach((place) => held.delete(place));
    swapped.forEach((place) => held.add(place));
    slots[from] = slots[to];
  }
  entry.at = to;
  putSymbol(symbol);
  rowViews.showStatus();
}

/** @type {(slot: Element) => number} */
export const placeOf = (slot) => [...(slot.parentElement?.children ?? [])].indexOf(slot);

/** @type {(place: number) => void} */
export function moveTo(place) {
  entry.at = place;
}

// Begins or ends to compose another guess than the advised one.
/** @type {(isEditing: boolean) => void} */
export function setEditing(isEditing) {
  entry.isEditing = isEditing;
}

// Shows a move in the row, whose answer is changed, or none any more.
/** @type {(number: number | null) => void} */
export function setCorrecting(number) {
  entry.correcting = number;
}

// Fills the slots with symbols as they are typed; null for those that are missing.
/** @type {(symbols: string[]) => void} */
export function setSymbols(symbols) {
  entry.slots = entry.slots.map((_, i) => symbols[i] ?? null);
  entry.at = Math.min(symbols.length, entry.slots.length);
  showEntry();
}

/** @type {(typed: string, marks?: string[]) => void} */
export function setAnswer(typed, marks = answering.marks) {
  Object.assign(answering, { typed, marks });
}
