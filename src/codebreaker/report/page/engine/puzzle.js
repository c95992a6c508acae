// Puzzles: positions in which one guess is better than all others.
import { Values } from "./values.js";
import { compareGuess } from "./worth.js";

/** @import { Game, Members, Move } from "./game.js" */
/** @import { Worth } from "./worth.js" */

/**
 * The best guess of a position and its guesses to go, and those of the second best: they are equal if several are best.
 * @typedef {{ guess: number, mean: number, second: number }} Best
 *
 * Why a guess is the best: its worth, that of the player's guess, and the guesses to go of the second best.
 * @typedef {{ best: Worth, mine: Worth | null, second: number }} Reason
 */

// The candidates after moves.
/** @type {(game: Game, moves: Move[]) => Members} */
export function membersAfter(game, moves) {
  let members = /** @type {Members} */ (game.allSecrets);
  for (const { guess, id } of moves) members = game.keep(members, guess, id);
  return members;
}

// The best guess for a few candidates, by the minimum totals after each guess; null if one takes too long.
/** @type {(game: Game, members: Members) => Best | null} */
export function bestOfAll(game, members) {
  const values = new Values(game);
  let best = { guess: -1, total: Infinity };
  let second = Infinity;
  for (let guess = 0; guess < game.guesses.length; guess++) {
    const cells = game.cellsOf(guess, members);
    if (cells.length === 1 && cells[0][1].length === members.length) continue; // it tells nothing
    const value = values.after(guess, members);
    if (value === null || !value.exact) return null;
    if (value.total < best.total) {
      second = best.total;
      best = { guess, total: value.total };
    } else second = Math.min(second, value.total);
  }
  return { guess: best.guess, mean: best.total / members.length, second: second / members.length };
}

// The first of some positions in which one guess is best, with this guess; null if there is none.
/** @type {(game: Game, positions: Move[][]) => { moves: Move[], best: number } | null} */
export function firstPuzzle(game, positions) {
  for (const moves of positions) {
    const best = bestOfAll(game, membersAfter(game, moves));
    if (best !== null && best.mean < best.second) return { moves, best: best.guess };
  }
  return null;
}

// Why a guess is the best after moves, against the player's.
/** @type {(game: Game, moves: Move[], mine: number | null) => Reason | null} */
export function reasonOfPuzzle(game, moves, mine) {
  const members = membersAfter(game, moves);
  const best = bestOfAll(game, members);
  if (best === null) return null;
  const values = new Values(game);
  /** @type {(guess: number) => Worth} */
  const worthFor = (guess) => compareGuess(game, values, members, { guess, planned: null });
  return { best: worthFor(best.guess), mine: mine === null ? null : worthFor(mine), second: best.second };
}
