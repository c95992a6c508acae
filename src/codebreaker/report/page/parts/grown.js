// Trees that the page grows itself, from an opening of the player's. They are no strategies of their game: no advice and no
// review depends on them.
import { knownValues } from "../engine/carry.js";
import { Tree } from "../engine/tree.js";
import { ask } from "./ask.js";

/** @import { Game } from "../engine/game.js" */
/** @import { Strategy } from "../engine/tree.js" */

const FROM = "from-"; // and the opening: the name of such a tree in links

// The strategy that a tree from an opening stands for; null if it takes too long, or was given up.
/** @type {(game: Game, opening: number) => Promise<Strategy | null>} */
export async function grownFrom(game, opening) {
  const choices = await ask("grow", game, { opening, known: knownValues(game, []) });
  if (choices === null) return null;
  const label = game.guesses[opening];
  const strategy = {
    tree: `${FROM}${label}`,
    label: `From ${label}`,
    group: "From an opening of mine",
    rule: null,
    choices,
    regrets: null,
  };
  const tree = new Tree(game, { ...strategy, line: "", total: Infinity });
  const line = `${tree.mean(0).toFixed(4)} guesses on average, at most ${
    tree.deepest[0]
  }: grown by this page, optimal as far as it can search`;
  return { ...strategy, line, total: tree.totals[0] };
}

/** @type {(strategy: Strategy) => boolean} */
export const isGrown = ({ tree }) => tree.startsWith(FROM);

// The opening of a tree's name in a link; undefined for other names, and for what is no guess.
/** @type {(game: Game, tree: string) => number | undefined} */
export const openingOfName = (game, tree) =>
  tree.startsWith(FROM) ? game.indexOf.get(tree.slice(FROM.length)) : undefined;
