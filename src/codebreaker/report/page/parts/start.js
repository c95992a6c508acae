// How to play: an example of an answer, and the average to beat.
import { contentOf, nounOf, pegsOf } from "../engine/naming.js";
import { hashOf } from "../engine/random.js";
import { bestTreeOf, fewestAtMost } from "../engine/tree.js";
import { several } from "../engine/words.js";
import { find, make } from "./elements.js";
import { closeMenu } from "./messages.js";
import { codeView, moveView } from "./pegs.js";
import { play } from "./play.js";

/** @import { AnyGame } from "../engine/unlisted.js" */

/**
 * A secret, a guess, and the id of its answer.
 * @typedef {{ secret: number, guess: number, id: number }} Example
 */

const EXAMPLE_CODES = 500; // pairs of codes tried for an example

// Shown until the first guess or hint, and when asked for.
/** @type {() => void} */
export function showStart() {
  const { position, state } = play;
  delete find("play-start").dataset.asked;
  find("play-start").hidden = position.asked.length > 0 || state.hints > 0 || state.mode === "mine";
  if (!find("play-start").hidden) fillStart();
}

function fillStart() {
  const { game, state } = play;
  const example = exampleOf(game);
  find("start-example").replaceChildren(...(example ? exampleView(game, example) : []));
  find("start-goal").replaceChildren(...(state.mode === "devious" ? worstGoalView(game) : goalView(game)));
  find("start-puzzle").hidden = bestTreeOf(game) === undefined;
}

// A secret and a guess whose answer has black and white pegs, or marks of each kind; null if none is met soon.
/** @type {(game: AnyGame) => Example | null} */
function exampleOf(game) {
  /** @type {(id: number) => boolean} */
  const isTelling = (id) => {
    const pegs = pegsOf(game.feedback[id]);
    if (pegs) return pegs.black === 1 && (pegs.white === null || pegs.white === 2 || game.pegs < 4);
    return game.family === "matches"
      ? game.feedback[id] === "1"
      : ["g", "y", "b"].every((mark) => game.feedback[id].includes(mark));
  };
  for (let i = 1; i <= EXAMPLE_CODES; i++) {
    const secret = game.secretBy(hashOf(`secret ${i}`));
    const guess = game.secretBy(hashOf(`guess ${i}`));
    const id = game.feedbackOf(guess, secret);
    if (isTelling(id)) return { secret, guess, id };
  }
  return null;
}

/** @type {(game: AnyGame, example: Example) => HTMLElement[]} */
function exampleView(game, { secret, guess, id }) {
  const noun = nounOf(game);
  const row = moveView(game, guess, id, "");
  const board = make("ol", { class: "board", "aria-label": "Example" }, row);
  return [
    make(
      "p",
      {},
      play.state.mode === "devious" ? `No ${noun} is hidden. If it were ` : `Say the hidden ${noun} is `,
      codeView(game, game.guesses[secret]),
      ". A guess, and its answer:",
    ),
    board,
    make("p", { text: exampleWords(game, id) }),
  ];
}

/** @type {(game: AnyGame, id: number) => string} */
function exampleWords(game, id) {
  const pegs = pegsOf(game.feedback[id]);
  const symbol = contentOf(game);
  if (!pegs && game.family === "matches") return `One ${symbol} is the right one in the right place.`;
  if (!pegs) {
    return [
      `Green: the ${symbol} is in the right place.`,
      `Amber and round: it is elsewhere in the ${nounOf(game)}.`,
      "Grey: it is not there.",
    ].join(" ");
  }
  const blackWords = pegs.black === 1 ? `one ${symbol} is` : `${pegs.black} ${symbol}s are`;
  const black = `${several(pegs.black, "black pin")}: ${blackWords} right and in the right place.`;
  if (!pegs.white) return black;
  const whiteWords = pegs.white === 1 ? `one more ${symbol} is` : `${pegs.white} more ${symbol}s are`;
  const white = `${several(pegs.white, "white pin")}: ${whiteWords} in the ${nounOf(game)}, but elsewhere.`;
  return `${black} ${white} The pins do not say which.`;
}

/** @type {(game: AnyGame) => (HTMLElement | string)[]} */
function goalView(game) {
  const totals = game.strategies.filter((strategy) => strategy.choices).map((strategy) => strategy.total);
  if (totals.length === 0) return [];
  const mean = (Math.min(...totals) / game.numberOfSecrets).toFixed(2);
  return [
    make("strong", { text: mean }),
    " guesses on average is the number to beat: the best strategy here needs that many.",
  ];
}

// Against a devious codemaker no average counts, but the worst case.
/** @type {(game: AnyGame) => (HTMLElement | string)[]} */
function worstGoalView(game) {
  const most = fewestAtMost(game);
  return most === null ? [] : [
    make("strong", { text: most }),
    " guesses at most is the number to reach: the surest strategy here never needs more.",
  ];
}

find("play-tour").addEventListener("click", () => {
  closeMenu();
  fillStart();
  find("play-start").hidden = false;
  find("play-start").dataset.asked = "";
  find("play-start").scrollIntoView({ block: "nearest" });
});

find("start-close").addEventListener("click", showStart);
