// The moves of a game against the best ones.
import { Values } from "./values.js";
import { canCompare, guessesToCompare, LOOKUPS_PER_RANKING, worthOf } from "./worth.js";

/** @import { Game, Members, Move } from "./game.js" */
/** @import { Known, Value } from "./values.js" */
/** @import { Worth } from "./worth.js" */

/**
 * A move of a review. `mine` is its guess and `better` a better one, if there is one; `regret` and `luck` are in
 * guesses, null if they can't be computed. `totals` are those of the best guess and of the move.
 * @typedef {object} Reviewed
 * @property {number} before
 * @property {number} after
 * @property {Worth} mine
 * @property {Worth | null} better
 * @property {boolean} exact
 * @property {boolean} isMinimumExact
 * @property {number | null} minimum
 * @property {number | null} regret
 * @property {number | null} luck
 * @property {number} luckBits
 * @property {[number, number] | null} totals
 */

const RANKED = 5; // guesses of the ranking that a position is compared by, as the page shows them

// Each move against the best, with new values for each review: it depends on the game and its moves alone. A game's
// guesses are the value of all secrets, plus the regrets, less the luck.
/** @type {(game: Game, known: Known, moves: Move[], tell?: (done: number) => void) => Reviewed[]} */
export function review(game, known, moves, tell) {
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  for (const { guess, id } of moves) sets.push(game.keep(sets[sets.length - 1], guess, id));
  // 1. All secrets have one value, whatever the moves: it is computed from what is known of them, and first.
  const start = game.allSecrets.join();
  const valuesOfStart = new Values(game, known.filter(([key]) => key === start));
  const ofStart = bestKnown(game, valuesOfStart, game.allSecrets, []);
  // 2. The other sets follow from the last to the first, as the value of a set needs those of its parts.
  const values = new Values(game, known);
  values.known.set(start, ofStart && { ...ofStart, isTried: true });
  const rows = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    const played = moves.slice(0, i).map(({ guess }) => guess);
    rows.unshift(reviewMove(game, values, played, sets[i], sets[i + 1], moves[i]));
    tell?.(moves.length - i);
  }
  return rows;
}

// The lowest total of a set that the page knows: the minimum or an estimate, and the totals of the guesses that its
// ranking compares, which are searched as far as for advice.
/** @type {(game: Game, values: Values, members: Members, played: number[]) => Value | null} */
function bestKnown(game, values, members, played) {
  const value = values.of(members);
  if (value === null || value.exact || !canCompare(game, members)) return value;
  const only = game.advised && [...new Set([...members, ...game.advised])];
  const { worths } = guessesToCompare(game, members, { played, only, count: RANKED, first: [value.best] });
  const ranking = new Values(game, [...values.known], LOOKUPS_PER_RANKING);
  let best = value;
  for (const { guess } of worths) {
    const ofGuess = ranking.after(guess, members);
    if (ofGuess !== null && ofGuess.total < best.total) best = { ...ofGuess, exact: false };
  }
  return best;
}

/**
 * @type {(
 *   game: Game,
 *   values: Values,
 *   played: number[],
 *   members: Members,
 *   left: Members,
 *   move: Move,
 * ) => Reviewed}
 */
function reviewMove(game, values, played, members, left, { guess, id }) {
  const n = members.length;
  const mine = worthOf(game, guess, members);
  const isSolved = id === game.solved;
  const after = isSolved ? 0 : left.length;
  const luckBits = Math.log2(n / left.length) - mine.bits;
  let ofGuess = values.after(guess, members);
  const isStart = n === game.numberOfSecrets;
  let value = isStart ? values.of(members) : bestKnown(game, values, members, played);
  const ofLeft = values.of(left);
  if (value === null || ofGuess === null || ofLeft === null) {
    return {
      before: n,
      after,
      mine,
      better: null,
      exact: false,
      isMinimumExact: false,
      minimum: null,
      regret: null,
      luck: null,
      luckBits,
      totals: null,
    };
  }
  // A guess may be better than an estimate. Then the estimate is the guess's, except that of all secrets, which no move
  // changes: there the guess counts as good as it.
  if (ofGuess.total < value.total && isStart) ofGuess = { ...ofGuess, total: value.total };
  else if (ofGuess.total < value.total) value = { ...ofGuess, exact: value.exact };
  if (!isStart && n > 2) values.known.set(members.join(), { ...value, isTried: true });
  const regret = (ofGuess.total - value.total) / n;
  const minimum = value.total / n;
  const toGo = isSolved ? 0 : ofLeft.total / left.length;
  return {
    before: n,
    after,
    mine,
    better: ofGuess.total > value.total ? worthOf(game, value.best, members) : null,
    exact: value.exact && ofGuess.exact,
    isMinimumExact: value.exact,
    minimum,
    regret,
    luck: minimum + regret - 1 - toGo,
    luckBits,
    totals: [value.total, ofGuess.total],
  };
}
