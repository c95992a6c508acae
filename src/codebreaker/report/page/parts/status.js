// The line below the board, and the notes beside its moves.
import { isExact } from "../engine/candidates.js";
import { codeWords } from "../engine/colours.js";
import { feedbackWords, nounOf } from "../engine/naming.js";
import { impossibleMarks, isWonOutsideList, listWords, repairsOf } from "../engine/repairs.js";
import { grouped, several, whole } from "../engine/words.js";
import { find } from "./elements.js";
import { boardName, repairs } from "./estimates.js";
import { helps } from "./hints.js";
import { play } from "./play.js";
import { candidatesLeft, isEmpty, isSingle, shortLeft, UNDECIDED } from "./position.js";
import { entry, heldWords } from "./row.js";

/** @import { Play } from "./play.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { Candidates } from "../engine/candidates.js" */
/** @import { Game } from "../engine/game.js" */
/** @import { Position } from "./position.js" */
/** @import { State } from "../records/events.js" */

/** @type {() => void} */
export function showStatus() {
  find("play-status").textContent = `${statusOf(play)}${heldWords()}`;
  find("play-said").textContent = `${lastAnswer(play)}${find("play-status").textContent}`;
}

/** @type {(board: Play) => string} */
export function statusOf({ game, record, state, position }) {
  const { moves, asked, candidates } = position;
  if (entry.correcting !== null) return `Which answer did ${game.guesses[moves[entry.correcting].guess]} get?`;
  if (position.isContradictory) return contradictionOf(game, position);
  const takenBack = state.takenBack > 0 ? `, ${state.takenBack} of them taken back` : "";
  const guesses = `${several(asked.length, "guess", "guesses")}${takenBack}`;
  if (state.puzzle && position.isOver) return "";
  if (position.isSolved) return `Solved in ${guesses}: ${game.guesses[moves[moves.length - 1].guess]}.`;
  if (state.hasGivenUp) return `You gave up after ${guesses}: the secret was ${game.guesses[Number(position.hidden)]}.`;
  const ofBoard = state.takenBack > 0 ? " by the answers on the board" : "";
  const left = helps("count") ? `: ${candidatesLeft(candidates)}${ofBoard}` : "";
  const isTakenBack = record.events.at(-1)?.kind === "undo" && state.takenBack > 0;
  const next = isTakenBack ? takenBackWords(state) : nextStepOf(game, state, candidates);
  return `Guess ${asked.length + 1}${left}.${next}`;
}

/** @type {(state: State) => string} */
function takenBackWords({ takenBack }) {
  if (takenBack === 1) {
    return " A guess was taken back: it counts, as you know its answer. Hints do without that answer.";
  }
  return ` ${takenBack} guesses were taken back: they count, as you know their answers. Hints do without those answers.`;
}

const GUESSES_OF_WORDLE = 6;

// What to do next, if that isn't obvious.
/** @type {(game: AnyGame, state: State, candidates: Candidates | null) => string} */
function nextStepOf(game, state, candidates) {
  const isAsInWordle = game.family === "marks" && game.pegs === 5 && nounOf(game) === "word";
  if (isAsInWordle && state.mode === "hidden" && state.asked.length === GUESSES_OF_WORDLE) {
    return " Wordle itself would end here, after six; you may go on.";
  }
  if (state.mode !== "mine" || entry.isEditing) return "";
  if (candidates === null) return "";
  if (candidates.number === null) return ` ${UNDECIDED}`;
  if (isSingle(candidates)) return " This is the secret.";
  if (game.family !== "marks") return " Play this, then tap the answer.";
  const noun = nounOf(game);
  return ` Play this ${noun}, then tap its ${noun === "word" ? "letters" : "symbols"} to mark them.`;
}

// The last answer in words, for screen readers.
/** @type {(board: Play) => string} */
function lastAnswer({ game, state, position }) {
  const move = position.moves.at(-1);
  const isNews = move && entry.correcting === null && !state.hasGivenUp;
  return isNews ? `${codeWords(game, game.guesses[move.guess])}: ${feedbackWords(game, move.id)}. ` : "";
}

/** @type {(game: Game, position: Position) => string} */
function contradictionOf(game, { sets, moves }) {
  if (isWonOutsideList(game, moves)) {
    const won = game.guesses[Number(moves.at(-1)?.guess)];
    const guesses = several(moves.length, "guess", "guesses");
    return `Solved in ${guesses}: ${won}. This page’s list doesn’t have it as a secret, so there is no review.`;
  }
  const number = sets.findIndex(isEmpty);
  const before = sets[number - 1];
  const { guess, id } = moves[number - 1];
  if (!game.isListed) return sampledContradiction(number, before);
  const left = several(Number(before?.members.length), "candidate was", "candidates were");
  const marks = game.family === "marks" ? "these marks" : `the answer ${feedbackWords(game, id)}`;
  const answer = `${game.guesses[guess]} ${marks}`;
  const canRepair = repairsOf(game, moves).length > 0;
  const impossible = impossibleMarks(game, guess, game.feedback[id]);
  const isOfWords = game.family === "marks" && nounOf(game) === "word";
  const about = impossible || (isOfWords ? listWords(game, moves) : "");
  return [
    `Contradiction at move ${number}: ${left} left, and none of them gives ${answer}.`,
    ...(about ? [about] : []),
    canRepair
      ? "If a single answer is wrong, tap the right one:"
      : "More than one answer is wrong: tap the answers on the board to change them.",
  ].join(" ");
}

/** @type {(number: number, before: Candidates | null) => string} */
function sampledContradiction(number, before) {
  const { game, position } = play;
  const { guess, id } = position.moves[number - 1];
  const known = repairs.get(boardName(game, position.moves));
  const nothing = "No single answer was found that resolves it: tap the answers on the board to change them.";
  const found = known && known.length > 0 ? "If a single answer is wrong, tap the right one:" : nothing;
  const next = known ? found : "Looking for a single answer that may be wrong…";
  if (!before?.number) return `Contradiction: no code gives all these answers. ${next}`;
  const { number: left } = before;
  const candidates = isExact(left)
    ? several(left.value, "candidate was", "candidates were")
    : `about ${whole(left.value)} candidates were`;
  const answer = `${game.guesses[guess]} the answer ${feedbackWords(game, id)}`;
  return `Contradiction at move ${number}: ${candidates} left, and none of them gives ${answer}. ${next}`;
}

// Whether a move is the first one that contradicts those before it.
/** @type {(i: number) => boolean} */
export function isWrongMove(i) {
  const { moves, sets } = play.position;
  if (isWonOutsideList(play.game, moves)) return false;
  return isEmpty(sets[i + 1]) && sets[i] !== null && !isEmpty(sets[i]);
}

// Whether a move at the end of the game was taken back before.
/** @type {(i: number) => boolean} */
const isTakenBack = (i) => play.state.isOver && !play.state.moves.includes(play.state.asked[i]);

// What is said of a move beside its answer.
/** @type {(i: number) => string} */
export function noteOf(i) {
  const { game, position } = play;
  if (isWrongMove(i)) return "contradicts";
  const after = position.sets[i + 1];
  const isCounted = (helps("count") || position.isOver) && position.moves[i].id !== game.solved;
  if (!isCounted || after === null || after.number === null || isEmpty(after)) return "";
  const left = isExact(after.number) ? `${grouped(after.number.value)} left` : shortLeft(after.number);
  return `${left}${isTakenBack(i) ? ", taken back" : ""}`;
}
