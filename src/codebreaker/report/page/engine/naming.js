// What games, answers and the parts of codes are called.

/** @import { AnyGame } from "./unlisted.js" */

/** @type {Record<string, string>} */
export const MARKS = { g: "in place", y: "elsewhere", b: "not there" };

// Black and white pegs in a feedback label such as 2B-1C, or null for other labels.
/** @type {(label: string) => { black: number, white: number | null } | null} */
export function pegsOf(label) {
  const match = /^(\d+)B(?:-(\d+)C)?$/.exec(label);
  return match && { black: Number(match[1]), white: match[2] === undefined ? null : Number(match[2]) };
}

// The same of a game in which all answers have both; none is none.
/** @type {(label: string) => { black: number, white: number }} */
export function blackAndWhite(label) {
  const pegs = pegsOf(label);
  return { black: pegs?.black ?? 0, white: pegs?.white ?? 0 };
}

/** @type {(game: AnyGame, id: number) => string} */
export function feedbackWords(game, id) {
  const label = game.feedback[id];
  const pegs = pegsOf(label);
  if (pegs) return pegs.white === null ? `${pegs.black} black` : `${pegs.black} black, ${pegs.white} white`;
  if (game.family === "matches") return `${label} in place`;
  return [...label].map((mark, i) => `letter ${i + 1} ${MARKS[mark]}`).join(", ");
}

// What a code of the game is called: a word has letters only.
/** @type {(game: AnyGame) => string} */
export function nounOf(game) {
  if (!game.spelled || game.symbols.every((symbol) => /^\d$/.test(symbol))) return "code";
  return game.family === "pegs" ? "text" : "word";
}

// What the places of a code are called, and what is in them.
/** @type {(game: AnyGame) => string} */
export function partOf(game) {
  if (nounOf(game) !== "code") return "letter";
  return game.family === "bc" ? "symbol" : "peg";
}

/** @type {(game: AnyGame) => string} */
export const contentOf = (game) => (partOf(game) === "peg" ? "colour" : partOf(game));
/** @type {(game: AnyGame) => string} */
export const separatorOf = (game) => (game.guesses[0].includes(".") ? "." : "");

// Letters without a single capital, such as ß, are shown as they are.
/** @type {(letter: string) => boolean} */
export const hasNoCapital = (letter) => [...letter.toUpperCase()].length !== [...letter].length;

/** @type {(letter: string) => string} */
export const capitalOf = (letter) => (hasNoCapital(letter) ? letter : letter.toUpperCase());
