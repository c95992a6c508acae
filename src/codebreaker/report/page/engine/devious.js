// The devious codemaker.
import { Values } from "./values.js";

/** @import { Game, Members } from "./game.js" */

// The answer that delays the player most: by minimum means if all parts are small, otherwise by size.
const LARGEST_COMPARED = 12;

/** @type {(game: Game, guess: number, members: Members) => number} */
export function deviousAnswer(game, guess, members) {
  const cells = game.cellsOf(guess, members);
  if (cells.length === 0) return game.solved;
  const values = new Values(game);
  const isSmall = cells.every(([, cell]) => cell.length <= LARGEST_COMPARED);
  const totals = isSmall ? cells.map(([, cell]) => values.of(cell)) : [];
  const isExact = isSmall && totals.every((value) => value?.exact);
  const means = cells.map(([, cell], i) => (isExact ? Number(totals[i]?.total) / cell.length : 0));
  const order = [...cells.keys()].sort(
    (a, b) => means[b] - means[a] || cells[b][1].length - cells[a][1].length || cells[a][0] - cells[b][0],
  );
  return cells[order[0]][0];
}
