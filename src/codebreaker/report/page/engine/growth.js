// A tree from an opening of the player's: it plays sets optimally as far as the search affords it, otherwise by entropy.
import { Values } from "./values.js";

/** @import { Game, Members } from "./game.js" */
/** @import { Known } from "./values.js" */

const LOOKUPS_PER_TREE = 1e9; // of all its searches together

// The guesses of the tree at sets of several candidates, as `Tree` reads them: level by level, and below a node in the
// order of the answers; and whether each was found by an exact search, so that no tree from the opening needs fewer. Null
// if a set takes too long.
/** @type {(game: Game, opening: number, known: Known) => { choices: number[], isOptimal: boolean } | null} */
export function choicesFrom(game, opening, known) {
  const values = new Values(game, known, LOOKUPS_PER_TREE);
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  const choices = [];
  let isOptimal = true;
  for (let node = 0; node < sets.length; node++) {
    const members = sets[node];
    if (members.length === 1) continue;
    const value = node === 0 ? { best: opening, exact: true } : values.of(members);
    if (value === null) return null;
    const { best: guess, exact } = value;
    isOptimal &&= exact;
    choices.push(guess);
    for (const [, cell] of game.cellsOf(guess, members).sort((a, b) => a[0] - b[0])) sets.push(cell);
  }
  return { choices, isOptimal };
}
