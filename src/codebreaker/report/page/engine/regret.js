// The moves of a game against the best ones.
import { Values } from "./values.js";
import { worthOf } from "./worth.js";

/** @import { Game, Members, Move } from "./game.js" */
/** @import { Known } from "./values.js" */
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

// Each move against the best, with new values for each review: it depends on the game and its moves alone. A game's
// guesses are the value of all secrets, plus the regrets, less the luck.
/** @type {(game: Game, known: Known, moves: Move[], tell?: (done: number) => void) => Reviewed[]} */
export function review(game, known, moves, tell) {
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  for (const { guess, id } of moves) sets.push(game.keep(sets[sets.length - 1], guess, id));
  // 1. All secrets have one value, whatever the moves: it is computed from what is known of them, and first.
  const start = game.allSecrets.join();
  const ofStart = new Values(game, known.filter(([key]) => key === start)).of(game.allSecrets);
  // 2. The other sets follow from the last to the first, as the value of a set needs those of its parts.
  const values = new Values(game, known);
  values.known.set(start, ofStart && { ...ofStart, isTried: true });
  const rows = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    rows.unshift(reviewMove(game, values, sets[i], sets[i + 1], moves[i]));
    tell?.(moves.length - i);
  }
  return rows;
}

/** @type {(game: Game, values: Values, members: Members, left: Members, move: Move) => Reviewed} */
function reviewMove(game, values, members, left, { guess, id }) {
  const n = members.length;
  const mine = worthOf(game, guess, members);
  const isSolved = id === game.solved;
  const after = isSolved ? 0 : left.length;
  const luckBits = Math.log2(n / left.length) - mine.bits;
  const ofGuess = values.after(guess, members);
  const value = values.of(members);
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
  // A guess may be better than an estimate: then it loses nothing, and the estimate stays what it is.
  const regret = Math.max(0, ofGuess.total - value.total) / n;
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
