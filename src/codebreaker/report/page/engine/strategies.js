// Strategies of games that are not the study's.
import { ENTROPY } from "./choice.js";

/** @import { Strategy } from "./tree.js" */

const COUNTING = { ...ENTROPY, termScales: [[1, 1]], ties: "equal" };

const RULES = [
  {
    name: "entropy",
    label: "Entropy",
    line: "plays the guess whose answer tells most",
    rule: ENTROPY,
  },
  {
    name: "parts",
    label: "Most parts",
    line: "allows as many different answers as it can",
    rule: { ...COUNTING, cell: "most-parts" },
  },
  {
    name: "size",
    label: "Expected size",
    line: "leaves the fewest candidates on average",
    rule: { ...COUNTING, cell: "expected-size" },
  },
  {
    name: "knuth",
    label: "Worst case",
    line: "leaves few candidates after the worst answer",
    rule: { ...COUNTING, cell: "worst-case", takesMin: true },
  },
  {
    name: "first",
    label: "First candidate",
    line: "plays the first code that could be the secret",
    rule: { ...COUNTING, cell: "first-consistent", consistentOnly: true },
  },
];

// The first strategy of a game without a tree: it has no rule, and the page compares guesses by guesses to go.
const COMPARING = {
  tree: "compared",
  label: "Best on average",
  line: "compares good guesses by guesses to go, as far as they can be computed",
  rule: null,
  choices: null,
  total: Infinity,
  place: 1,
  group: "Best on average",
};

// The strategy of games whose codes are not listed.
/** @type {Strategy} */
export const SAMPLING = {
  tree: "sampled",
  label: "Sampled",
  line: "plays the guess that tells most over a sample of the candidates",
  rule: null,
  choices: null,
  total: Infinity,
  place: 1,
  group: "Sampled",
};

// Strategies of a game that is not the study's: the best known tree, if the page has it, and rules.
/** @type {(best?: Strategy | null) => Strategy[]} */
export function ruled(best = null) {
  const rules = RULES.map(({ name, label, line, rule }, i) => ({
    tree: name,
    label,
    line,
    rule,
    choices: null,
    total: Infinity,
    place: i + 2,
    group: "One step ahead",
  }));
  if (best === null) return [COMPARING, ...rules];
  const known = { tree: "best-known", label: "Best known", regrets: null, rule: null, place: 1, group: "Best known" };
  return [{ ...known, ...best }, ...rules];
}
