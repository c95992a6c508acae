// The opening: guesses that the player fixes for the advice. The second of them is the second guess, and so on,
// whatever the answers are, until one candidate is left; one that would tell nothing is left out.
import { knownValues } from "../engine/carry.js";
import { MoveReader } from "../engine/reading.js";
import { tellsSomething } from "../engine/values.js";
import { ask } from "./ask.js";
import { find, targetOf } from "./elements.js";
import { play, setOpening, showPlay } from "./play.js";
import { dropAdvised } from "./row.js";
import { isRuled, showSuggestion } from "./suggestion.js";

/** @import { Game, Members } from "../engine/game.js" */

// The guesses of a text, one or several with commas or blanks between them, and why they can't be fixed, or an empty text.
/** @type {(game: Game, text: string, rule: string) => { fixed: number[], why: string }} */
function openingOf(game, text, rule) {
  const reader = new MoveReader(game);
  const isWhole = text.trim() === "" || reader.guess(text) !== undefined;
  const between = text.includes(",") ? "," : /\s+/;
  const parts = (isWhole ? [text] : text.split(between)).filter((part) => part.trim() !== "");
  const fixed = parts.map((part) => reader.guess(part));
  const why = whyNotFixed(game, parts, fixed, rule);
  const guesses = fixed.flatMap((guess) => (guess === undefined ? [] : [guess]));
  return { fixed: why === "" ? guesses : [], why };
}

/** @type {(game: Game, parts: string[], fixed: (number | undefined)[], rule: string) => string} */
function whyNotFixed(game, parts, fixed, rule) {
  const wrong = fixed.indexOf(undefined);
  if (wrong >= 0) return `'${parts[wrong].trim().slice(0, 40)}' is not a guess of ${game.title}.`;
  const isRule = rule === "candidates" || (rule === "wordle" && game.family === "marks");
  if (isRule && fixed.length > 1) {
    return "Several fixed guesses are played whatever the answers are, and the rule of guesses depends on them: fix one.";
  }
  const cannotBe = fixed.find((guess) => rule === "candidates" && guess !== undefined && !game.isSecret(guess));
  if (cannotBe !== undefined) {
    return `${
      game.guesses[cannotBe]
    } can't be the secret, and only guesses that could be are allowed: fix another one.`;
  }
  return "";
}

// The fixed guesses from the next one on, if it is played; otherwise none.
/** @type {(members: Members) => number[]} */
export function fixedFrom(members) {
  const { game, opening, state, position } = play;
  const { fixed } = openingOf(game, opening, state.rule);
  const later = fixed.slice(position.moves.length);
  const isPlayed = later.length > 0 && (position.moves.length === 0 || tellsSomething(game, later[0], members));
  return isPlayed ? later : [];
}

// Whether the player fixes an opening.
/** @type {() => boolean} */
export const isFixing = () =>
  play.game.isListed && openingOf(play.game, play.opening, play.state.rule).fixed.length > 0;

// Advises the first of some fixed guesses, whose guesses to go take a while.
/** @type {(members: Members, fixed: number[]) => Promise<void>} */
export async function adviseFixed(members, fixed) {
  const { game, position } = play;
  const [guess, ...later] = fixed;
  const told = { words: "Your opening: ", isFixed: true };
  showSuggestion(guess, null, told);
  const known = knownValues(game, position.moves);
  const worth = await ask("opening", game, { members, guess, later, planned: null, known, isRuled: isRuled() });
  if (worth !== null) showSuggestion(guess, worth.mean, { ...told, about: worth.isExact ? "" : "About " });
}

/** @type {() => void} */
export function showOpening() {
  const { game, opening, state } = play;
  find("help-opening").hidden = !game.isListed;
  if (find("play-opening") !== document.activeElement) find("play-opening").value = opening;
  find("opening-refused").textContent = game.isListed ? openingOf(game, opening, state.rule).why : "";
}

find("play-opening").addEventListener("change", (event) => {
  setOpening(targetOf(event).value.trim());
  dropAdvised();
  showPlay();
});
