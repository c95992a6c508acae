// The moves of a game against the best ones.
import { Values } from "./values.js";
import { worthOf } from "./worth.js";

// Each move against the best, with new values for each review: it depends on the game and its moves alone. A game's
// guesses are the value of all secrets, plus the regrets, less the luck.
export function review(game, known, moves, tell) {
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
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

function reviewMove(game, values, members, left, { guess, id }) {
  const n = members.length;
  const mine = worthOf(game, guess, members);
  const solved = id === game.solved;
  const row = {
    before: n,
    after: solved ? 0 : left.length,
    mine,
    better: null,
    exact: false,
    minimum: null,
    regret: null,
    luck: null,
    luckBits: Math.log2(n / left.length) - mine.bits,
  };
  const with_ = values.after(guess, members);
  const value = values.of(members);
  if (value === null || with_ === null) return row;
  // A guess may be better than an estimate: then it loses nothing, and the estimate stays what it is.
  const regret = Math.max(0, with_.total - value.total) / n;
  const afterwards = solved ? 0 : values.of(left).total / left.length;
  Object.assign(row, {
    exact: value.exact && with_.exact,
    isMinimumExact: value.exact,
    minimum: value.total / n,
    regret,
    luck: value.total / n + regret - 1 - afterwards,
  });
  row.totals = [value.total, with_.total];
  if (with_.total > value.total && value.best !== null && value.best !== undefined)
    row.better = worthOf(game, value.best, members);
  return row;
}
