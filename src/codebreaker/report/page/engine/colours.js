// Symbols in words and letters, with their colours.
import { symbolsOf } from "./game.js";
import { COLOURS } from "./palette.js";

/** @import { AnyGame } from "./unlisted.js" */

export const LETTERED = COLOURS.filter((colour) => colour.letter).length;

// Colours repeat if there are more symbols: then with a ring.
/** @type {(number: number) => boolean} */
export const isRinged = (number) => number >= COLOURS.length;

// A symbol in words, with its colour where the page gives it one.
/** @type {(game: AnyGame, symbol: string) => string} */
export function symbolWords(game, symbol) {
  if (game.spelled) return symbol;
  const number = game.symbols.indexOf(symbol);
  const { name } = COLOURS[number % COLOURS.length];
  return `${symbol} (${isRinged(number) ? "ringed " : ""}${name})`;
}

// The symbol that a typed letter stands for: itself, or a colour.
/** @type {(game: AnyGame, letter: string) => string} */
export function symbolOf(game, letter) {
  if (game.spelled || game.family === "bc" || game.symbols.includes(letter)) return letter;
  return game.symbols[COLOURS.findIndex((colour) => colour.letter === letter)] ?? letter;
}

/** @type {(game: AnyGame, label: string) => string} */
export const codeWords = (game, label) =>
  symbolsOf(label)
    .map((symbol) => symbolWords(game, symbol))
    .join(" ");
