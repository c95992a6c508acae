// Pasted guesses, answers, games and links.
import { MoveReader, movesIn } from "../engine/reading.js";
import { several } from "../engine/words.js";
import { stateOf } from "../records/links.js";
import { enterAnswer, isAnswering } from "./answer.js";
import { find, targetOf } from "./elements.js";
import { closeMenu, say } from "./messages.js";
import { begin, play, sure } from "./play.js";
import { focusBoard, isEntering, setGuess } from "./row.js";
import { openLink } from "./visit.js";

// Puts a pasted guess on the board, or records a pasted answer; returns whether it was one of them.
/** @type {(text: string) => boolean} */
function readShort(text) {
  const { game } = play;
  const reader = new MoveReader(game);
  if (isEntering()) {
    const guess = reader.guess(text);
    if (guess === undefined) return false;
    setGuess(game.guesses[guess]);
    focusBoard();
    return true;
  }
  const id = isAnswering() ? reader.answer(text) : undefined;
  if (id !== undefined) enterAnswer(id);
  return id !== undefined;
}

// Begins a pasted game, or opens a pasted link.
/** @type {(text: string) => void} */
function readPasted(text) {
  if (readShort(text)) return;
  const link = /#((?:game|tree)=\S+)/.exec(text)?.[1];
  if (link) {
    const openPasted = () => openLink(stateOf(link) ?? {});
    return sure("Open the pasted link? This game is left unfinished.", "Open it", openPasted);
  }
  try {
    const { moves, leftOut } = movesIn(play.game, text);
    const later = moves.map(({ guess, id }) => ({
      kind: "move",
      guess: play.game.guesses[guess],
      answer: play.game.feedback[id],
    }));
    const are = leftOut === 1 ? "is" : "are";
    const message = leftOut > 0 ? `${several(leftOut, "move")} marked with ? ${are} left out.` : "";
    const beginPasted = () => begin(play.game, { mode: "mine", origin: "pasted" }, later, message);
    sure("Replace this game by the pasted one?", "Replace it", beginPasted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
  }
}

addEventListener("paste", (event) => {
  if (targetOf(event).closest?.("input, textarea:not([readonly])")) return;
  readPasted(event.clipboardData?.getData("text") ?? "");
});

// Phones have no key to paste with.
find("play-paste").addEventListener("click", async () => {
  closeMenu();
  try {
    readPasted(await navigator.clipboard.readText());
  } catch {
    say("This browser does not let the page read what you copied. Press Ctrl+V, or tap and hold to paste.");
  }
});
