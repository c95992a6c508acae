// An ordinary player, with whom a game is compared.
import { Generator } from "./random.js";

/** @import { Game, Members } from "./game.js" */

const MOST_ORDINARY_GAMES = 1000;
const FEWEST_ORDINARY_GAMES = 100;
const ORDINARY_CANDIDATES = 1e7; // secrets of all these games together, which bound the feedbacks computed
const ORDINARY_SEED = 1;

// The mean guesses of a player who always guesses some code that fits all answers, over games with drawn secrets.
/** @type {(game: Game) => number} */
export function meanOfOrdinary(game) {
  const generator = new Generator(ORDINARY_SEED);
  const { allSecrets } = game;
  const affordable = Math.floor(ORDINARY_CANDIDATES / allSecrets.length);
  const games = Math.max(FEWEST_ORDINARY_GAMES, Math.min(MOST_ORDINARY_GAMES, affordable));
  let guesses = 0;
  for (let number = 0; number < games; number++) {
    const secret = allSecrets[generator.below(allSecrets.length)];
    let members = /** @type {Members} */ (allSecrets);
    let guess = null;
    while (guess !== secret) {
      guess = members[generator.below(members.length)];
      guesses++;
      if (guess !== secret) members = game.keep(members, guess, game.feedbackOf(guess, secret));
    }
  }
  return guesses / games;
}
