// A tree from an opening of the player's: it plays sets optimally as far as the search affords it, otherwise by entropy.
import { Values } from "./values.js";

/** @import { Game, Members } from "./game.js" */
/** @import { Known } from "./values.js" */

const LOOKUPS_PER_TREE = 1e9; // of all its searches together

// The guesses of the tree at sets of several candidates, as `Tree` reads them: level by level, and below a node in the
// order of the answers. Null if a set takes too long.
/** @type {(game: Game, opening: number, known: Known) => number[] | null} */
export function choicesFrom(game, opening, known) {
  const values = new Values(game, known, LOOKUPS_PER_TREE);
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  const choices = [];
  for (let node = 0; node < sets.length; node++) {
    const members = sets[node];
    if (members.length === 1) continue;
    const guess = node === 0 ? opening : values.of(members)?.best;
    if (guess === undefined) return null;
    choices.push(guess);
    for (const [, cell] of game.cellsOf(guess, members).sort((a, b) => a[0] - b[0])) sets.push(cell);
  }
  return choices;
}
