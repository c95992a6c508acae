// What a guess is worth: how it splits the candidates, and the total afterwards.
import { ENTROPY, scoresOf } from "./choice.js";
import { symbolsOf } from "./game.js";
import { ALL_GUESSES_UP_TO } from "./values.js";

/** @import { Game, Members } from "./game.js" */
/** @import { Value, Values } from "./values.js" */

/**
 * What a guess is worth. `parts` are the sizes of its cells by the id of the answer, `expected` and `largest` the
 * candidates left, `ends` the probability that it is the secret. `mean` are the guesses to go; null if they are not
 * computed.
 * @typedef {object} Worth
 * @property {number} guess
 * @property {number[]} parts
 * @property {number} expected
 * @property {number} largest
 * @property {number} cells
 * @property {number} bits
 * @property {number} ends
 * @property {boolean} isCandidate
 * @property {number | null} mean
 * @property {boolean} isExact
 *
 * A guess of a tree, with its guesses to go.
 * @typedef {{ guess: number, mean: number }} Planned
 *
 * A ranking of guesses. `isSampled`: not all were scored. `isOptimal`: no guess is better than the first one.
 * @typedef {{ worths: Worth[], isSampled: boolean, isOptimal: boolean }} Ranked
 *
 * @typedef {object} Question
 * @property {number[]} played
 * @property {Planned | null} planned
 * @property {number} count
 * @property {number[] | null} only
 * @property {boolean} [isRuled]
 */

export const LOOKUPS_PER_RANKING = 2e7;

// `parts` are the sizes of the cells by feedback id; `ends` is the probability that the guess is the secret.
/** @type {(game: Game, guess: number, members: Members) => Worth} */
export function worthOf(game, guess, members) {
  const parts = game.countCells(guess, members, new Int32Array(game.feedback.length));
  const n = members.length;
  let squares = 0;
  let bits = 0;
  let largest = 0;
  let cells = 0;
  for (const count of parts) {
    if (count === 0) continue;
    squares += count * count;
    bits += (count / n) * Math.log2(n / count);
    largest = Math.max(largest, count);
    cells++;
  }
  return {
    guess,
    parts: [...parts],
    expected: squares / n,
    largest,
    cells,
    bits,
    ends: parts[game.solved] / n,
    isCandidate: parts[game.solved] > 0,
    mean: null,
    isExact: false,
  };
}

export const FEW_MEMBERS = 200; // of a set for which more guesses are compared than are shown
const COMPARED = 3; // guesses compared for each that is shown
const MOST_COMPARISONS = 4e6; // of guesses with candidates, for which guesses to go are computed
const MOST_SCORED = 7e7; // feedbacks counted to score guesses: about half a second
const MOST_MARKED = 3.5e7; // the same of marks, which take longer
const OVERHEAD_OF_GUESS = 500; // what a guess takes besides its feedbacks, in feedbacks

// The best guesses: those that ask for most information, the best known and the planned one, by guesses to go.
// `only` are the guesses allowed, null for all; `planned` is the guess of a tree with its guesses to go, or null.
// `isRuled`: a rule limits later guesses, too, and guesses to go are those of free play, which needs no more.
// `isSampled`: guesses were too many to score all of them. `isOptimal`: no guess is better than the first one.
/**
 * @type {(
 *   game: Game,
 *   values: Values,
 *   members: Members,
 *   question: Question,
 *   tell: (part: Ranked) => void,
 * ) => Ranked}
 */
export function bestGuesses(game, values, members, { played, planned, count, only, isRuled }, tell) {
  const isCheap = canCompare(game, members);
  const value = isCheap ? values.of(members) : null;
  const first = [value?.best, planned?.guess].flatMap((guess) =>
    guess !== undefined && (only === null || only.includes(guess)) ? [guess] : []
  );
  const { worths, isSampled } = guessesToCompare(game, members, { played, only, count, first });
  /** @type {(shown: Worth[], isOptimal: boolean) => Ranked} */
  const answerOf = (shown, isOptimal) => ({ worths: shown.slice(0, count), isSampled, isOptimal });
  // Without guesses to go, the order is that of the bits, also of the guess that is advised.
  const byBits = answerOf(worths, false);
  byBits.worths.sort((a, b) => b.bits - a.bits);
  if (!isCheap) return byBits;
  tell(byBits);
  const compared = worths.map((worth) => ({
    ...worth,
    ...meanOf(values, members, worth.guess, { value, planned, isRuled }),
  }));
  if (compared.some((worth) => worth.mean === null)) return answerOf(compared, false);
  /** @type {(worth: Worth) => number} */
  const isPlanned = (worth) => Number(worth.guess === planned?.guess);
  compared.sort(
    (a, b) =>
      Number(a.mean) - Number(b.mean) ||
      isPlanned(b) - isPlanned(a) ||
      Number(b.isCandidate) - Number(a.isCandidate) ||
      b.bits - a.bits,
  );
  return answerOf(compared, only === null && value?.exact === true);
}

// Whether guesses to go can be computed in time for several guesses.
/** @type {(game: Game, members: Members) => boolean} */
export const canCompare = (game, members) =>
  members.length * Math.min(game.guesses.length, ALL_GUESSES_UP_TO) <= MOST_COMPARISONS;

// The guesses that a ranking of `count` guesses compares: the `first` ones, and those that ask for most information.
/**
 * @type {(
 *   game: Game,
 *   members: Members,
 *   about: { played: number[], only: number[] | null, count: number, first: number[] },
 * ) => { worths: Worth[], isSampled: boolean }}
 */
export function guessesToCompare(game, members, { played, only, count, first }) {
  const { pool, isSampled } = poolOf(game, members, played, only);
  const ranked = rankedByEntropy(game, members, played, pool);
  const most = members.length <= FEW_MEMBERS ? COMPARED * count : count + first.length;
  const few = members.length <= count ? members : []; // they are all compared
  return { worths: distinctGuesses(game, [...first, ...few, ...ranked], members, most, count), isSampled };
}

// What one guess is worth, computed as for the best guesses. Guesses may be fixed for the `later` turns.
/**
 * @type {(
 *   game: Game,
 *   values: Values,
 *   members: Members,
 *   question: { guess: number, planned: Planned | null, isRuled?: boolean, later?: number[] },
 * ) => Worth}
 */
export function compareGuess(game, values, members, { guess, planned, isRuled, later = [] }) {
  const worth = worthOf(game, guess, members);
  if (!canCompare(game, members)) return worth;
  if (later.length > 0) {
    const after = values.afterFixed(guess, members, later);
    if (after === null) return worth;
    return { ...worth, mean: after.total / members.length, isExact: after.exact };
  }
  return { ...worth, ...meanOf(values, members, guess, { value: values.of(members), planned, isRuled }) };
}

// The guesses to score: those in `only` (null: all), or some of them, evenly spaced, if they are too many to score in
// time; half of these are candidates. Of guesses that differ in symbols not yet played one is enough.
/**
 * @type {(
 *   game: Game,
 *   members: Members,
 *   played: number[],
 *   only: number[] | Members | null,
 * ) => { pool: number[] | Members | null, isSampled: boolean }}
 */
export function poolOf(game, members, played, only) {
  const scored = game.family === "marks" ? MOST_MARKED : MOST_SCORED;
  const most = Math.floor(scored / (members.length + OVERHEAD_OF_GUESS));
  if (only !== null) {
    const isSampled = only.length > most;
    return { pool: isSampled ? spaced(only, most) : only, isSampled };
  }
  const first = game.representatives(played);
  const guesses = first ? [...new Set(first)] : [...game.guesses.keys()];
  if (guesses.length <= most) return { pool: null, isSampled: false };
  const pool = [...new Set([...spaced(members, most / 2), ...spaced(guesses, most / 2)])];
  return { pool, isSampled: true };
}

// So many elements of a list, evenly spaced; all of them if there are fewer.
/** @type {(list: ArrayLike<number>, most: number) => number[]} */
function spaced(list, most) {
  const n = Math.min(list.length, Math.ceil(most));
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * list.length) / n)]);
}

// The guesses to go with a guess: the value of the set for its best guess, otherwise by the values of its parts.
/**
 * @type {(
 *   values: Values,
 *   members: Members,
 *   guess: number,
 *   about: { value: Value | null, planned: Planned | null, isRuled?: boolean },
 * ) => { mean: number | null, isExact: boolean }}
 */
function meanOf(values, members, guess, { value, planned, isRuled }) {
  const isFree = !isRuled || members.length < 3;
  if (guess === value?.best) return { mean: value.total / members.length, isExact: value.exact && isFree };
  const after = values.after(guess, members);
  if (after === null) return { mean: null, isExact: false };
  const mean = after.total / members.length;
  const isPlanned = guess === planned?.guess && planned.mean < mean;
  return { mean: isPlanned ? planned.mean : mean, isExact: after.exact && isFree };
}

// The guesses of the pool (null: all) that split the candidates, those with the most information first; of equivalent
// guesses one. A list without rearrangements needs no more than the first few hundred.
/** @type {(game: Game, members: Members, played: number[], pool: number[] | Members | null) => number[]} */
function rankedByEntropy(game, members, played, pool) {
  if (members.length < 3) return [...members]; // no other guess is as good
  const scores = scoresOf(game, ENTROPY, members, { turn: 1, previous: -1, played }, pool);
  const first = game.representatives(played);
  const candidates = new Set(members);
  const scoreOfGuess = new Map();
  const seen = new Set();
  for (let k = 0; k < scores.length; k++) {
    const guess = pool === null ? k : pool[k];
    const representative = first ? first[guess] : guess;
    if (seen.has(representative) || scores[k] === -Infinity) continue;
    seen.add(representative);
    scoreOfGuess.set(guess, scores[k]);
  }
  const sorted = Float64Array.from(scoreOfGuess.values()).sort();
  const lowest = sorted.at(-MOST_TRIED) ?? -Infinity;
  /** @type {(a: number, b: number) => number} */
  const byScore = (a, b) =>
    scoreOfGuess.get(b) - scoreOfGuess.get(a) || Number(candidates.has(b)) - Number(candidates.has(a)) || a - b;
  return [...scoreOfGuess.keys()].filter((guess) => scoreOfGuess.get(guess) >= lowest).sort(byScore);
}

// What the first guesses of a list are worth, without rearrangements: of guesses with the same symbols, or with parts
// of the same sizes, the first one counts; of few candidates all do. Others follow if there are fewer than `fewest`.
/** @type {(game: Game, guesses: number[], members: Members, count: number, fewest: number) => Worth[]} */
function distinctGuesses(game, guesses, members, count, fewest) {
  const seen = new Set();
  const distinct = /** @type {Worth[]} */ ([]);
  const others = /** @type {Worth[]} */ ([]);
  for (const guess of new Set(guesses)) {
    if (distinct.length === count || distinct.length + others.length === MOST_TRIED) break;
    const worth = worthOf(game, guess, members);
    const names = [symbolsOf(game.guesses[guess]).sort().join(), worth.parts.join()];
    const isOfFew = worth.isCandidate && members.length <= fewest;
    const isNew = isOfFew || !names.some((name) => seen.has(name));
    names.forEach((name) => seen.add(name));
    (isNew ? distinct : others).push(worth);
  }
  return [...distinct, ...others.slice(0, Math.max(0, fewest - distinct.length))];
}

const MOST_TRIED = 300; // guesses for a list without rearrangements
