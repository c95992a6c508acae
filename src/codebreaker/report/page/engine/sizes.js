// Mastermind of many sizes, and Bulls and Cows.
import { Game } from "./game.js";
import { ruled, SAMPLING } from "./strategies.js";
import { UnlistedGame } from "./unlisted.js";
import { several } from "./words.js";

/** @import { Strategy } from "./tree.js" */
/** @import { AnyGame } from "./unlisted.js" */

const MOST_LISTED_CODES = 100000; // larger games are played by samples
const MOST_PEGS = 12;
const MOST_COLOURS = 20;

// Where symbols may repeat, with the name of the game of a size.
/** @type {Record<string, (pegs: number, colours: number) => string>} */
export const REPEATS = {
  anywhere: (pegs, colours) => `mm-${pegs}-${colours}`,
  guesses: (pegs, colours) => `mm-${pegs}-${colours}-distinct`,
  nowhere: (pegs, colours) => `bc-${pegs}-${colours}`,
};

// Mastermind, also without repeated colours in the secret, or Bulls and Cows; throws a RangeError outside the limits.
// Up to `mostListed` codes are listed.
/** @type {(pegs: number, colours: number, repeats?: string, best?: Strategy | null, mostListed?: number) => AnyGame} */
export function makeCodes(pegs, colours, repeats = "anywhere", best = null, mostListed = MOST_LISTED_CODES) {
  const isBulls = repeats === "nowhere";
  const content = isBulls ? "symbol" : "colour";
  checkSize(pegs, colours, repeats, content);
  const symbols = [...(isBulls ? "0123456789abcdefghij" : "123456789abcdefghijk")].slice(0, colours);
  const feedback = answersOf(pegs, isBulls ? Math.max(0, 2 * pegs - colours) : 0);
  const rules = {
    name: REPEATS[repeats](pegs, colours),
    title: titleOf(pegs, colours, repeats, content),
    family: isBulls ? "bc" : "mm",
    feedback,
    solved: feedback.length - 1,
  };
  if (numberOfCodes(pegs, colours, repeats) > mostListed) {
    return new UnlistedGame({
      ...rules,
      pegs,
      symbols,
      secretsRepeat: repeats === "anywhere",
      guessesRepeat: !isBulls,
      strategies: [SAMPLING],
    });
  }
  const guesses = codesOf(symbols, pegs, !isBulls);
  /** @type {(label: string) => boolean} */
  const isSecret = (label) => new Set(label).size === pegs;
  const secrets = repeats === "guesses" ? [...guesses.keys()].filter((i) => isSecret(guesses[i])) : null;
  return new Game({ ...rules, guesses, secrets, strategies: ruled(best) });
}

/** @type {(pegs: number, colours: number, repeats: string, content: string) => string} */
function titleOf(pegs, colours, repeats, content) {
  const family = repeats === "nowhere" ? "Bulls and Cows" : "Mastermind";
  const without = repeats === "guesses" ? ", none twice in the secret" : "";
  return `${family}, ${several(pegs, "peg")} and ${several(colours, content)}${without}`;
}

// The number of codes that may be guessed.
/** @type {(pegs: number, colours: number, repeats: string) => number} */
function numberOfCodes(pegs, colours, repeats) {
  const factors = Array.from({ length: pegs }, (_, i) => (repeats === "nowhere" ? colours - i : colours));
  return factors.reduce((product, factor) => product * factor, 1);
}

/** @type {(pegs: number, colours: number, repeats: string, content: string) => void} */
function checkSize(pegs, colours, repeats, content) {
  const size = `${several(pegs, "peg")} and ${several(colours, content)}`;
  const isSize = pegs >= 1 && pegs <= MOST_PEGS && colours >= 2 && colours <= MOST_COLOURS;
  if (!isSize) {
    const most = `up to ${MOST_PEGS} pegs, and 2 to ${MOST_COLOURS} ${content}s`;
    throw new RangeError(`${size} are outside this page's limits: ${most}.`);
  }
  if (repeats !== "anywhere" && colours < pegs) {
    throw new RangeError(`${size} are too few if no ${content} comes twice: at least ${pegs} are needed.`);
  }
}

// All codes in lexicographic order.
/** @type {(symbols: string[], pegs: number, mayRepeat: boolean) => string[]} */
function codesOf(symbols, pegs, mayRepeat) {
  let codes = [""];
  for (let peg = 0; peg < pegs; peg++) {
    codes = codes.flatMap((code) => {
      const next = mayRepeat ? symbols : symbols.filter((symbol) => !code.includes(symbol));
      return next.map((symbol) => code + symbol);
    });
  }
  return codes;
}

// The possible answers in the order of the papers; `fewest` is the least number of black and white pegs together.
/** @type {(pegs: number, fewest: number) => string[]} */
function answersOf(pegs, fewest) {
  const answers = [];
  for (let black = 0; black <= pegs; black++) {
    for (let white = 0; black + white <= pegs; white++) {
      const isImpossible = black === pegs - 1 && white === 1;
      if (!isImpossible && black + white >= fewest) answers.push(`${black}B-${white}C`);
    }
  }
  return answers;
}
