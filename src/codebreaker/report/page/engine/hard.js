// Wordle's hard mode.
import { symbolsOf } from "./game.js";
import { capitalOf } from "./naming.js";

/** @import { Game, Move } from "./game.js" */

// Wordle's hard mode: green letters stay where they are, and yellow ones are used again.
/** @type {(game: Game, moves: Move[], label: string) => string} */
export function whyNotHard(game, moves, label) {
  const letters = symbolsOf(label);
  for (const { guess, id } of game.family === "marks" ? moves : []) {
    const marks = game.feedback[id];
    const earlier = symbolsOf(game.guesses[guess]);
    const moved = earlier.findIndex((letter, i) => marks[i] === "g" && letters[i] !== letter);
    if (moved >= 0) return `Hard mode: letter ${moved + 1} must be ${capitalOf(earlier[moved])}.`;
    /** @type {(all: string[], letter: string) => number} */
    const count = (all, letter) => all.filter((other) => other === letter).length;
    const shown = earlier.filter((_, i) => marks[i] !== "b");
    const missing = shown.find((letter) => count(letters, letter) < count(shown, letter));
    if (missing) return `Hard mode: the guess must contain ${capitalOf(missing)}.`;
  }
  return "";
}
