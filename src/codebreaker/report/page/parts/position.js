// How a game stands, and in words.
import { Game } from "../engine/game.js";
import { asUnlisted } from "../engine/unlisted.js";
import { exactly, isExact, movesFor } from "../engine/candidates.js";
import { fitsMoves } from "../engine/sampled.js";
import { grouped, several, whole } from "../engine/words.js";
import { unveil } from "../records/links.js";
import { estimatesAlong } from "./estimates.js";

/** @import { Candidates, Interval } from "../engine/candidates.js" */
/** @import { Members, Move } from "../engine/game.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { State, TextMove } from "../records/events.js" */

/**
 * Candidates of a listed game, with all members, or of another one.
 * @typedef {Candidates & { members: Members }} SetOfCandidates
 *
 * How a game stands: candidates before each move and after the last one; they are null until they are known.
 * @typedef {object} Position
 * @property {number | null} hidden
 * @property {Move[]} asked
 * @property {Move[]} moves
 * @property {(SetOfCandidates | null)[]} sets
 * @property {SetOfCandidates} candidates
 * @property {boolean} isContradictory
 * @property {boolean} isSolved
 * @property {boolean} isOver
 * @property {boolean} isOpen
 */

// Candidate sets before each move and after the last one, and how the game stands; moves as indices.
// Throws a RangeError if the moves are not moves of the game, or do not fit the secret.
/** @type {(game: AnyGame, state: State) => Position} */
export function positionOf(game, state) {
  const hidden = state.key ? unveil(game, state.key) : null;
  const asked = state.asked.map((move) => indexed(game, move));
  // At the end all guesses are shown, also those taken back: their answers were known.
  const moves = state.isOver ? asked : state.moves.map((move) => indexed(game, move));
  const wrong = hidden === null ? -1 : asked.findIndex(({ guess, id }) => game.feedbackOf(guess, hidden) !== id);
  if (wrong >= 0) throw new RangeError(`the answer to move ${wrong + 1} doesn't fit the secret.`);
  const sets = game instanceof Game ? setsAlong(game, moves) : estimatesAlong(asUnlisted(game), moves);
  // One more set than moves: there is a last one. Until the worker has found it, it is null.
  const candidates = /** @type {SetOfCandidates} */ (sets[sets.length - 1]);
  const isContradictory = isEmpty(candidates);
  const isSolved = !isContradictory && moves.at(-1)?.id === game.solved;
  const isOver = isSolved || state.isOver;
  return {
    hidden,
    asked,
    moves,
    sets: /** @type {(SetOfCandidates | null)[]} */ (sets),
    candidates,
    isContradictory,
    isSolved,
    isOver,
    isOpen: !isOver && !isContradictory,
  };
}

// Candidates are objects: `number` is how many there are, with its interval. Those of a listed game have all `members`;
// others have `codes`, which are a sample unless `isAll`. They are null as long as the worker has not found them.
/** @type {(game: Game, moves: Move[]) => SetOfCandidates[]} */
function setsAlong(game, moves) {
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  for (const { guess, id } of moves) sets.push(game.keep(sets[sets.length - 1], guess, id));
  return sets.map((members) => ({ members, codes: [], heldOut: [], isAll: true, number: exactly(members.length) }));
}

/** @type {(candidates: Candidates | null) => boolean} */
export const isEmpty = (candidates) => candidates !== null && candidates.isAll && candidates.number?.value === 0;
/** @type {(candidates: Candidates | null) => boolean} */
export const isSingle = (candidates) => candidates !== null && candidates.isAll && candidates.number?.value === 1;

// What a guess that contradicts an answer is still good for.
export const NO_CANDIDATE = "can’t be the secret, but may still separate the candidates";

export const UNDECIDED = "No code was found that gives all these answers, and whether there is one is undecided. " +
  "Check the answers on the board.";

// Whether a guess could be the secret.
/** @type {(game: AnyGame, position: Position, guess: number) => boolean} */
export function mayBeSecret(game, position, guess) {
  if (game.isListed) return position.candidates.members.includes(guess);
  return fitsMoves(asUnlisted(game), movesFor(game, position.moves), asUnlisted(game).codeOf(guess));
}

/** @type {(game: AnyGame, move: TextMove) => Move} */
function indexed(game, { guess: label, answer }) {
  const guess = game.indexOf.get(label);
  const id = game.idOf.get(answer);
  if (guess === undefined || id === undefined) {
    throw new RangeError(`'${label.slice(0, 40)}' with '${answer.slice(0, 40)}' is no move of ${game.title}.`);
  }
  return { guess, id };
}

// The number of candidates with its interval, as a heading of them.
/** @type {(candidates: Candidates | null) => string} */
export function candidatesWords(candidates) {
  if (candidates === null) return "Counting the candidates…";
  const { number } = candidates;
  if (number === null) return "No candidate found";
  if (isExact(number)) return several(number.value, "candidate");
  const [value, low, high] = [number.value, number.low, number.high].map(whole);
  return `About ${value} candidates (95%: ${low} to ${high})`;
}

// The same within a sentence.
/** @type {(candidates: Candidates | null) => string} */
export function candidatesLeft(candidates) {
  if (candidates === null) return "counting the candidates…";
  const { number } = candidates;
  if (number === null) return "no candidate found";
  if (isExact(number)) return `${several(number.value, "candidate")} left`;
  return `about ${whole(number.value)} candidates left`;
}

// The same where there is little room.
/** @type {(candidates: Candidates | null) => string} */
export function numberWords(candidates) {
  if (candidates === null) return "…";
  const { number } = candidates;
  if (number === null) return "none found";
  return isExact(number) ? grouped(number.value) : `≈\u00a0${whole(number.value)}`;
}

/** @type {(interval: Interval) => string} */
export const shortLeft = ({ value }) => `≈\u00a0${whole(value)}${value < 1e6 ? " left" : ""}`;
