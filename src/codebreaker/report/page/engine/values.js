// Values of candidate sets: minimum totals or, where the search takes too long, entropy's.
import { choose, ENTROPY } from "./choice.js";
import { Solver } from "./solver.js";

/** @import { Game, Members } from "./game.js" */

/**
 * The total of a candidate set with a guess that attains it, and whether it is the minimum. `isTried`: the exact search
 * has been tried.
 * @typedef {{ total: number, best: number, exact: boolean, isTried?: boolean }} Value
 *
 * What is known of sets, by their members as a text.
 * @typedef {[string, Value | null][]} Known
 */

const LOOKUPS_PER_SET = 3e7;
const LOOKUPS_PER_GAME = 1e8; // of a review
const LARGEST_SOLVED = 120;
export const ALL_GUESSES_UP_TO = 5000;
const MAX_PAIRS = 2e8;

// Minimum totals of candidate sets or, where the search takes too long, entropy's totals.
export class Values {
  // `known`: sets' keys, each with total, guess and exactness. `lookups`: how many the searches may make.
  /**
   * @param {Game} game
   * @param {Known} known
   * @param {number} lookups
   */
  constructor(game, known = [], lookups = LOOKUPS_PER_GAME) {
    this.game = game;
    this.known = new Map(known);
    this.solver = new Solver(game);
    this.lookups = lookups;
    this.pairs = 0; // of guesses and candidates that estimates have compared
  }

  // The total, a guess and whether the total is minimal; null if even an estimate takes too long.
  /** @type {(members: Members) => Value | null} */
  of(members) {
    const n = members.length;
    if (n < 3) return { total: 2 * n - 1, best: members[0], exact: true };
    const key = members.join();
    let value = this.known.get(key);
    if (value === undefined || (value !== null && !value.exact && !value.isTried)) {
      value = this.exact(members) ?? value ?? this.estimate(members);
      this.known.set(key, value && { ...value, isTried: true });
    }
    return value;
  }

  /** @type {(members: Members) => Value | null} */
  exact(members) {
    const lookups = Math.min(LOOKUPS_PER_SET, this.lookups);
    if (members.length > LARGEST_SOLVED || members.length * this.game.guesses.length > lookups / 8) return null;
    const result = this.solver.solve(members, lookups);
    this.lookups -= lookups - this.solver.left;
    return result && { ...result, exact: true };
  }

  // Entropy over all codes or, in large games, over the candidates; its small sets are played optimally.
  /** @type {(members: Members) => Value | null} */
  estimate(members) {
    const { game } = this;
    const all = game.guesses.length <= ALL_GUESSES_UP_TO;
    this.pairs += members.length * (all ? game.guesses.length : members.length);
    if (this.pairs > MAX_PAIRS) return null;
    const rule = { ...ENTROPY, consistentOnly: !all };
    const guess = choose(game, rule, members, 2, -1);
    const result = this.after(guess, members, (cell) => all && cell.length <= 12 ? this.of(cell) : this.rough(cell));
    return result && { ...result, exact: false };
  }

  /** @type {(members: Members) => Value | null} */
  rough(members) {
    const n = members.length;
    if (n < 3) return { total: 2 * n - 1, best: members[0], exact: true };
    return this.known.get(members.join()) ?? this.estimate(members);
  }

  // The total if a guess is played now; its cells have the values that `valueOf` gives. The minima of the first turn
  // come with some games.
  /** @type {(guess: number, members: Members, valueOf?: (cell: Members) => Value | null) => Value | null} */
  after(guess, members, valueOf = (/** @type {Members} */ cell) => this.of(cell)) {
    const isFirst = members.length === this.game.numberOfSecrets;
    const minimum = isFirst ? minimumAfterOpening(this.game, guess) : null;
    if (minimum !== null) return { total: minimum, best: guess, exact: true };
    return this.sumAfter(guess, members, valueOf);
  }

  // The same if guesses are fixed after this one, too, whatever the answers are.
  /** @type {(guess: number, members: Members, fixed: number[]) => Value | null} */
  afterFixed(guess, members, fixed) {
    if (fixed.length === 0) return this.after(guess, members);
    const [next, ...later] = fixed;
    return this.sumAfter(guess, members, (cell) => this.ofFixed(next, cell, later));
  }

  // The total of a set whose next guess is fixed. One that would tell nothing is left out: the best guess of free play
  // is played instead, which need not be the best before the later ones.
  /** @type {(guess: number, members: Members, later: number[]) => Value | null} */
  ofFixed(guess, members, later) {
    if (members.length > 1 && tellsSomething(this.game, guess, members)) return this.afterFixed(guess, members, later);
    const value = this.of(members);
    if (value === null || members.length < 3 || later.length === 0) return value;
    const result = this.afterFixed(value.best, members, later);
    return result && { ...result, exact: false };
  }

  // The total if a guess is played now, as the sum over its cells.
  /** @type {(guess: number, members: Members, valueOf: (cell: Members) => Value | null) => Value | null} */
  sumAfter(guess, members, valueOf) {
    let total = members.length;
    let exact = true;
    for (const [, cell] of this.game.cellsOf(guess, members)) {
      const value = valueOf(cell);
      if (value === null) return null;
      total += value.total;
      exact &&= value.exact;
    }
    return { total, best: guess, exact };
  }
}

// Whether a guess gets different answers.
/** @type {(game: Game, guess: number, members: Members) => boolean} */
export function tellsSomething(game, guess, members) {
  const first = game.feedbackOf(guess, members[0]);
  return members.some((member) => game.feedbackOf(guess, member) !== first);
}

// The minimum total after a first guess, or null where it is not known. Codes are alike if positions and symbols can be
// exchanged: then symbols come as often in one as in the other.
/** @type {(game: Game, guess: number) => number | null} */
export function minimumAfterOpening(game, guess) {
  if (!game.openings) return null;
  const shape = shapeOf(game, guess);
  const opening = game.openings.find((one) => shapeOf(game, one.guess) === shape);
  return opening ? opening.total : null;
}

// How often the symbols of a code come in it, such as `2 1 1`.
/** @type {(game: Game, guess: number) => string} */
function shapeOf(game, guess) {
  const times = new Map();
  for (const symbol of game.codeOf(guess)) times.set(symbol, (times.get(symbol) ?? 0) + 1);
  return [...times.values()].sort((a, b) => b - a).join(" ");
}
