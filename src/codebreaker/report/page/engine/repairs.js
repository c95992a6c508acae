// Contradictions: which answers may be wrong, and which words may be missing.
import { Game, symbolsOf } from "./game.js";
import { several } from "./words.js";

/** @import { Members, Move } from "./game.js" */
/** @import { AnyGame } from "./unlisted.js" */

/**
 * Another answer to a move, which leaves `n` candidates, and how many pegs or marks are misread then.
 * @typedef {{ number: number, answer: number, n: number, misread: number }} Repair
 */

// How many pegs or marks must be misread to take one answer for the other: a peg as black, as white or as none.
/** @type {(game: AnyGame, id: number, other: number) => number} */
function misread(game, id, other) {
  const labels = [game.feedback[id], game.feedback[other]];
  if (game.family === "marks") return [...labels[0]].filter((mark, i) => mark !== labels[1][i]).length;
  const [[black, white = 0], [otherBlack, otherWhite = 0]] = labels.map((label) =>
    (label.match(/\d+/g) ?? []).map(Number)
  );
  const moreBlack = otherBlack - black;
  const moreWhite = otherWhite - white;
  if (game.family === "black" || game.family === "matches") return Math.abs(moreBlack);
  return (Math.abs(moreBlack) + Math.abs(moreWhite) + Math.abs(moreBlack + moreWhite)) / 2;
}

// The other answers to a move that leave candidates, with their numbers. Nobody misreads that they have won, nor goes on
// after it; but the last guess may have won, with another answer recorded by mistake.
/**
 * @type {(
 *   game: AnyGame,
 *   moves: { id: number }[],
 *   number: number,
 *   counts: Int32Array | Float64Array,
 * ) => Repair[]}
 */
export function repairsOfMove(game, moves, number, counts) {
  const repairs = /** @type {Repair[]} */ ([]);
  const { id } = moves[number];
  const isLast = number === moves.length - 1;
  counts.forEach((n, answer) => {
    const isOther = answer !== id && id !== game.solved && (isLast || answer !== game.solved);
    if (n > 0 && isOther) repairs.push({ number, answer, n, misread: misread(game, id, answer) });
  });
  return repairs;
}

// Repairs in order: the fewest pegs or marks misread, then the most candidates, then later moves.
/** @type {(repairs: Repair[]) => Repair[]} */
export const likeliest = (repairs) =>
  repairs.sort((a, b) => a.misread - b.misread || b.n - a.n || b.number - a.number || a.answer - b.answer);

// The answers that leave candidates if one of them is changed, the likeliest first.
/** @type {(game: Game, moves: Move[]) => Repair[]} */
export function repairsOf(game, moves) {
  const repairs = /** @type {Repair[]} */ ([]);
  moves.forEach((move, number) => {
    const counts = game.countCells(
      move.guess,
      membersWithout(game, moves, number),
      new Int32Array(game.feedback.length),
    );
    repairs.push(...repairsOfMove(game, moves, number, counts));
  });
  return likeliest(repairs);
}

// The candidates if one move had not been made.
/** @type {(game: Game, moves: Move[], number: number) => Members} */
export function membersWithout(game, moves, number) {
  const others = moves.filter((_, i) => i !== number);
  let members = /** @type {Members} */ (game.allSecrets);
  for (const { guess, id } of others) members = game.keep(members, guess, id);
  return members;
}

// Why no word whatever gives a guess these marks, or an empty text. Letters that occur twice are marked from left to
// right: one that the secret has is marked before one that it lacks, except that those in place come first.
/** @type {(game: AnyGame, guess: number, marks: ArrayLike<string>) => string} */
export function impossibleMarks(game, guess, marks) {
  if (game.family !== "marks") return "";
  const absent = new Map();
  for (const [i, letter] of symbolsOf(game.guesses[guess]).entries()) {
    if (marks[i] === "y" && absent.has(letter)) {
      return (
        `No word has these marks: ${letter} can't be absent at letter ${absent.get(letter)} and ` +
        `elsewhere in the word at letter ${i + 1}.`
      );
    }
    if (marks[i] === "b" && !absent.has(letter)) absent.set(letter, i + 1);
  }
  return "";
}

// The words of the page's list: the player may have added others.
/** @type {(game: Game) => number[]} */
const wordsOfList = (game) => [...(game.base ?? game).guesses.keys()];

// The guesses that fit all answers; in a contradiction none of them may be the secret.
/** @type {(game: Game, moves: Move[]) => number[]} */
export const fittingWords = (game, moves) =>
  wordsOfList(game).filter((word) => moves.every(({ guess, id }) => game.compute(guess, word) === id));

// Whether the last guess won, though the list doesn't have it as a secret: a secret elsewhere may be of another list.
/** @type {(game: AnyGame, moves: Move[]) => boolean} */
export function isWonOutsideList(game, moves) {
  const last = moves.at(-1);
  if (!(game instanceof Game) || game.family !== "marks" || last?.id !== game.solved) return false;
  return !game.isSecret(last.guess) && moves.every(({ guess, id }) => game.compute(guess, last.guess) === id);
}

const SHOWN_WORDS = 3;

// The words that fit most answers, with their numbers of answers.
/** @type {(game: Game, moves: Move[]) => { word: number, n: number }[]} */
function closestWords(game, moves) {
  /** @type {(word: number) => number} */
  const fits = (word) => moves.filter(({ guess, id }) => game.compute(guess, word) === id).length;
  const words = wordsOfList(game).map((word) => ({ word, n: fits(word) }));
  return words.sort((a, b) => b.n - a.n || a.word - b.word).slice(0, SHOWN_WORDS);
}

// What may be wrong besides an answer: the list of words.
/** @type {(game: Game, moves: Move[]) => string} */
export function listWords(game, moves) {
  const fitting = fittingWords(game, moves);
  const labels = fitting.slice(0, SHOWN_WORDS).map((word) => game.guesses[word]);
  const others = fitting.length > SHOWN_WORDS ? ` and ${several(fitting.length - SHOWN_WORDS, "other")}` : "";
  if (fitting.length > 0) {
    return `The secret may be a word that this list only allows as a guess: ${labels.join(", ")}${others}.`;
  }
  const closest = closestWords(game, moves).map(({ word, n }) => `${game.guesses[word]} (${n} of ${moves.length})`);
  return `The secret may not be in this page's list. These words fit most answers: ${closest.join(", ")}.`;
}
