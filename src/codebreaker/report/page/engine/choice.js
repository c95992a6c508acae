// A strategy's guess for a candidate set, with the same exact integers as in Python.
import { CELLS } from "./terms.js";

/** @import { Game, Members } from "./game.js" */

/**
 * How a strategy scores guesses: `report/explorer.py` writes it.
 * @typedef {object} Rule
 * @property {string} cell
 * @property {boolean} takesMin
 * @property {boolean} perLogParts
 * @property {number[][]} termScales
 * @property {number} weightScale
 * @property {string} ties
 * @property {any[] | null} weights
 * @property {boolean} byContext
 * @property {boolean} consistentOnly
 * @property {boolean} prefersConsistent
 * @property {boolean} reverses
 * @property {boolean} reversesOthers
 *
 * When a guess is chosen: the turn, the id of the last answer or −1, and the guesses so far.
 * @typedef {{ turn: number, previous: number, played?: number[] }} Moment
 */

const TIE_TOLERANCE_BITS = 1e-6;
const TIE_TOLERANCE_FLOAT = 2 ** -40;

// Entropy, for games and moves that no strategy of the study covers.
/** @type {Rule} */
export const ENTROPY = {
  cell: "entropy",
  takesMin: false,
  perLogParts: false,
  termScales: [[1, 2 ** 20]],
  weightScale: 1,
  ties: "bits",
  weights: null,
  byContext: false,
  consistentOnly: false,
  prefersConsistent: true,
  reverses: false,
  reversesOthers: false,
};

// The scale of terms in sets of a size: pairs of the smallest size that has a scale, and this scale.
/** @type {(rule: Rule, n: number) => number} */
function termScaleOf(rule, n) {
  return rule.termScales.findLast(([size]) => size <= n)?.[1] ?? 1;
}

/** @type {(rule: Rule, n: number) => Float64Array} */
function termsOf(rule, n) {
  const scale = termScaleOf(rule, n);
  const terms = new Float64Array(n + 1);
  terms[0] = rule.takesMin ? Infinity : 0;
  for (let count = 1; count <= n; count++) {
    const term = scale * CELLS[rule.cell](count, n);
    terms[count] = rule.ties === "float" ? term : Math.round(term);
  }
  if (n > 1) terms[n] = -Infinity;
  return terms;
}

/** @type {(rule: Rule, turn: number, previous: number, n: number) => Float64Array} */
function weightsAt(rule, turn, previous, n) {
  if (!rule.weights) return new Float64Array(n).fill(1);
  const rows = rule.weights[Math.min(turn, rule.weights.length) - 1];
  return Float64Array.from(rule.byContext ? rows[Math.max(previous, 0)] : rows);
}

// The score of each guess of the pool (null: all guesses). `at` has turn, previous feedback and guesses so far.
// Of guesses that differ in symbols not yet played, one is scored.
/**
 * @type {(
 *   game: Game,
 *   rule: Rule,
 *   members: Members,
 *   moment: Moment,
 *   pool?: number[] | Members | null,
 * ) => Float64Array}
 */
export function scoresOf(game, rule, members, { turn, previous, played }, pool = null) {
  const size = game.feedback.length;
  const n = pool ? pool.length : game.guesses.length;
  const scores = new Float64Array(n);
  const terms = termsOf(rule, members.length);
  const weights = weightsAt(rule, turn, previous, size);
  const counts = new Int32Array(size);
  const first = played && members.length > 2 ? game.representatives(played) : null;
  const places = new Map(); // of the first guess of each class
  for (let k = 0; k < n; k++) {
    const guess = pool ? pool[k] : k;
    if (first && places.has(first[guess])) {
      scores[k] = scores[places.get(first[guess])];
      continue;
    }
    if (first) places.set(first[guess], k);
    game.countCells(guess, members, counts.fill(0));
    let score = rule.takesMin ? Infinity : 0;
    let parts = 0;
    for (let f = 0; f < size; f++) {
      if (counts[f] === 0) continue;
      parts++;
      const value = weights[f] * terms[counts[f]];
      score = rule.takesMin ? Math.min(score, value) : score + value;
    }
    scores[k] = rule.perLogParts ? score / Math.log2(Math.max(parts, 2)) : score;
  }
  return scores;
}

// How far below the best score a guess still ties, in a set of n candidates.
/** @type {(rule: Rule, n: number, size: number, best: number) => number} */
function toleranceOf(rule, n, size, best) {
  if (rule.ties === "bits") return Math.floor(TIE_TOLERANCE_BITS * n * termScaleOf(rule, n)) * rule.weightScale;
  if (rule.ties === "rounding") return size * rule.weightScale;
  return rule.ties === "float" ? TIE_TOLERANCE_FLOAT * Math.abs(best) : 0;
}

/**
 * @type {(
 *   game: Game,
 *   rule: Rule,
 *   members: Members,
 *   pool: number[] | Members | null,
 *   scores: Float64Array,
 * ) => number | null}
 */
export function pickGuess(game, rule, members, pool, scores) {
  let best = -Infinity;
  for (const score of scores) if (score > best) best = score;
  if (best === -Infinity) return null;
  const lowest = best - toleranceOf(rule, members.length, game.feedback.length, best);
  /** @type {(guesses: ArrayLike<number>, isReversed: boolean, scoreAt: (at: number) => number) => number | null} */
  const firstOf = (guesses, isReversed, scoreAt) => {
    for (let k = 0; k < guesses.length; k++) {
      const at = isReversed ? guesses.length - 1 - k : k;
      if (scoreAt(at) >= lowest) return guesses[at];
    }
    return null;
  };
  if (pool) return firstOf(pool, rule.reverses, (k) => scores[k]);
  const member = rule.prefersConsistent ? firstOf(members, rule.reverses, (k) => scores[members[k]]) : null;
  return member ?? firstOf([...scores.keys()], rule.reversesOthers, (k) => scores[k]);
}

/** @type {(game: Game, rule: Rule, members: Members, turn: number, previous: number, played?: number[]) => number} */
export function choose(game, rule, members, turn, previous, played) {
  if (members.length === 1) return members[0];
  const pool = rule.consistentOnly ? members : null;
  const scores = scoresOf(game, rule, members, { turn, previous, played }, pool);
  // With several candidates some guess has different answers.
  return /** @type {number} */ (pickGuess(game, rule, members, pool, scores));
}

// A strategy's total for a candidate set, starting at a turn.
/** @type {(game: Game, rule: Rule, members: Members, turn: number, previous: number) => number} */
export function totalOf(game, rule, members, turn, previous) {
  if (members.length < 3) return 2 * members.length - 1;
  const guess = choose(game, rule, members, turn, previous);
  let total = members.length;
  for (const [id, cell] of game.cellsOf(guess, members)) total += totalOf(game, rule, cell, turn + 1, id);
  return total;
}
