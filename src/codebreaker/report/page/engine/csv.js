// What the answers to guesses tell, as comma-separated values for a spreadsheet.
/** @import { Game, Move } from "./game.js" */
/** @import { Worth } from "./worth.js" */

const HEAD = [
  "game",
  "moves",
  "candidates",
  "bits missing",
  "guess",
  "bits asked",
  "answer",
  "candidates left",
  "share",
  "bits told",
];
const DIGITS = 6;

// A line for each answer that each guess may get after its moves, those that leave most first. N candidates lack log2(N)
// bits; a guess asks for the mean of what its answers tell.
/** @type {(game: Game, guesses: { moves: Move[], worth: Worth }[]) => string} */
export function answersAsCsv(game, guesses) {
  const rows = guesses.flatMap(({ moves, worth }) => rowsOf(game, moves, worth));
  return [HEAD, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
}

/** @type {(game: Game, moves: Move[], worth: Worth) => string[][]} */
function rowsOf(game, moves, { guess, parts, bits }) {
  const n = parts.reduce((sum, left) => sum + left, 0);
  const ids = [...parts.keys()].filter((id) => parts[id] > 0);
  ids.sort((a, b) => parts[b] - parts[a] || b - a);
  /** @type {(number: number) => string} */
  const digits = (number) => number.toFixed(DIGITS);
  const ofGuess = [
    game.name,
    moves.map((move) => `${game.guesses[move.guess]} ${game.feedback[move.id]}`).join(" "),
    String(n),
    digits(Math.log2(n)),
    game.guesses[guess],
    digits(bits),
  ];
  return ids.map((id) => {
    const left = parts[id];
    return [...ofGuess, game.feedback[id], String(left), digits(left / n), digits(Math.log2(n / left))];
  });
}

// A field in quotes, if it has signs that part fields.
/** @type {(field: string) => string} */
const quoted = (field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
