// The guess that is advised, and the ranking in which it is marked.
import { whyNotHard } from "../engine/hard.js";
import { writeMoves } from "../records/links.js";
import { find, make } from "./elements.js";
import { codeView } from "./pegs.js";
import { append, listOf, play } from "./play.js";
import { isSingle, mayBeSecret } from "./position.js";
import { entry, focusBoard, isAdvising, setEditing, setGuess, typedGuess } from "./row.js";

/** @import { Members } from "../engine/game.js" */

/** @type {number | null} */
export let suggested = null; // the advised guess, while it is shown
let isOfOpening = false; // whether the player has fixed it
/** @type {number[]} */
export let ranked = []; // the guesses of the ranking, while it is shown

// Begins another board, which has no advice yet.
/** @type {() => void} */
export function clearAdvice() {
  ranked = [];
  showAdvised();
  suggested = null;
}

/** @type {(guesses: number[]) => void} */
export function setRanked(guesses) {
  ranked = guesses;
  showAdvised();
}

// Shows the advised guess with the guesses to go (null: unknown), and `words` on how it was found. `isFixed`: it is of
// the player's opening.
/** @type {(guess: number, mean: number | null, how?: { words?: string, about?: string, isFixed?: boolean }) => void} */
export function showSuggestion(guess, mean, { words = "", about = "", isFixed = false } = {}) {
  const { game } = play;
  const isNew = suggested !== guess;
  const isOldEntered = suggested !== null && typedGuess() === game.guesses[suggested];
  suggested = guess;
  isOfOpening = isFixed;
  find("play-take").disabled = false;
  find("help-suggestion").replaceChildren(
    ...(words ? [make("span", { class: "fallback", text: words }), make("br")] : []),
    make(
      "span",
      { id: "play-suggestion", "data-guess": game.guesses[guess] },
      codeView(game, game.guesses[guess]),
    ),
    likelihoodWords(guess),
    mean === null || isSingle(play.position.candidates)
      ? ""
      : `${about}${mean.toFixed(about ? 2 : 4)} more guesses on average${
        isRuled() ? ", if later guesses are free" : ""
      }.`,
  );
  showAdvised();
  const isFree = entry.slots.every((symbol) => symbol === null) || isOldEntered;
  if (isNew && isAdvising() && isFree) setGuess(game.guesses[guess]);
}

/** @type {(guess: number) => string} */
function likelihoodWords(guess) {
  const { game, position } = play;
  if (!mayBeSecret(game, position, guess)) return " can’t be the secret, but separates the candidates. ";
  return isSingle(position.candidates) ? " is the secret." : " could be the secret. ";
}

// Marks the advised guess in the ranking, and says why it is not the first one there: a rule has its own order.
function showAdvised() {
  const { game, strategy } = play;
  const rows = [...find("help-table").querySelectorAll("tbody tr")];
  rows.forEach((row, i) => row.classList.toggle("advised", ranked[i] === suggested));
  const isOther = suggested !== null && ranked.length > 0 && ranked[0] !== suggested;
  find("help-differs").hidden = !isOther;
  if (suggested === null || !isOther) return;
  const where = ranked.includes(suggested) ? "the marked guess" : "which is not in this list";
  const label = game.guesses[suggested];
  const why = isOfOpening
    ? `Your opening has ${label}, ${where}.`
    : `‘${strategy.label}’ advises ${label}, ${where}: it plays by its own rule.`;
  find("help-differs").textContent = `${why} The list shows the guesses that the page finds best.`;
}

// Puts a guess on the board, where Enter plays it.
/** @type {(guess: number) => void} */
export function takeGuess(guess) {
  const label = play.game.guesses[guess];
  setGuess(label);
  if (play.state.mode === "mine") {
    setEditing(false);
    append({ kind: "choose", guess: label });
  }
  focusBoard();
}

// The name of what is ranked: the same board with the same rule and strategy has the same ranking.
/** @type {() => string} */
export function boardRanked() {
  const { game, strategy, state } = play;
  return [game.name, listOf(game), writeMoves(state.moves), state.rule, strategy.tree].join(" ");
}

// Whether a rule limits later guesses, too.
/** @type {() => boolean} */
export function isRuled() {
  const { game, state } = play;
  return state.rule === "candidates" || (state.rule === "wordle" && game.family === "marks");
}

// The guesses that may be advised, by the rule of the game and its list; null means all.
/** @type {(members: Members) => number[] | null} */
export function allowed(members) {
  const { game } = play;
  const { rule } = play.state;
  const { moves } = play.position;
  if (rule === "candidates") return [...members];
  const isHard = rule === "wordle" && game.family === "marks";
  if (!isHard && !game.advised) return null;
  const candidates = new Set(members);
  const others = [...(game.advised ?? game.guesses.keys())].filter((guess) => !candidates.has(guess));
  return [...members, ...others.filter((guess) => !isHard || !whyNotHard(game, moves, game.guesses[guess]))];
}

export const SAMPLED = "Chosen among some of the guesses, as there are too many to compare all: ";
find("play-take").addEventListener("click", () => {
  if (suggested !== null) takeGuess(suggested);
});
