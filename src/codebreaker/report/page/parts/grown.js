// Trees that the page grows itself, from an opening of the player's. They are no strategies of their game: no advice and no
// review depends on them.
import { knownValues } from "../engine/carry.js";
import { Tree } from "../engine/tree.js";
import { ALL_GUESSES_UP_TO, minimumAfterOpening } from "../engine/values.js";
import { ask } from "./ask.js";

/** @import { Game } from "../engine/game.js" */
/** @import { Strategy } from "../engine/tree.js" */

const FROM = "from-"; // and the opening: the name of such a tree in links

// The strategy that a tree from an opening stands for; null if it takes too long, or was given up.
/** @type {(game: Game, opening: number) => Promise<Strategy | null>} */
export async function grownFrom(game, opening) {
  const grown = await ask("grow", game, { opening, known: knownValues(game, []) });
  if (grown === null) return null;
  const { choices, isOptimal } = grown;
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
  const line = `${tree.mean(0).toFixed(4)} guesses on average, at most ${tree.deepest[0]}: grown by this page. ${
    grownWords(game, opening, tree.totals[0], isOptimal)
  }`;
  return { ...strategy, line, total: tree.totals[0] };
}

// How good the tree is: against the minimum after its opening where that is known.
/** @type {(game: Game, opening: number, total: number, isOptimal: boolean) => string} */
function grownWords(game, opening, total, isOptimal) {
  const minimum = minimumAfterOpening(game, opening);
  if (isOptimal || minimum === total) return "No tree from this opening needs fewer";
  const pool = game.guesses.length > ALL_GUESSES_UP_TO ? " among the candidates" : "";
  const how = `It plays small sets optimally, and larger ones by entropy${pool}`;
  if (minimum === null) return `${how}: better trees from this opening may exist`;
  const best = (minimum / game.numberOfSecrets).toFixed(4);
  return `${how}. The minimum from this opening is ${best}; a tree that attains it takes longer to find`;
}

/** @type {(strategy: Strategy) => boolean} */
export const isGrown = ({ tree }) => tree.startsWith(FROM);

// The opening of a tree's name in a link; undefined for other names, and for what is no guess.
/** @type {(game: Game, tree: string) => number | undefined} */
export const openingOfName = (game, tree) =>
  tree.startsWith(FROM) ? game.indexOf.get(tree.slice(FROM.length)) : undefined;
