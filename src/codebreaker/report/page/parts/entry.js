// The board's open row: slots, palette and keys.
import { symbolOf, symbolWords } from "../engine/colours.js";
import { symbolsOf } from "../engine/game.js";
import { whyNotHard } from "../engine/hard.js";
import { contentOf, hasNoCapital, MARKS, nounOf, partOf } from "../engine/naming.js";
import { several } from "../engine/words.js";
import { mayBeAnswer, recordAnswer, tapMark, typeAnswer, typedAnswer } from "./answer.js";
import { allWithin, find, make, targetOf } from "./elements.js";
import { directionOf, paint } from "./pegs.js";
import { append, play, playGuess, showPlay, startGame, undo } from "./play.js";
import { mayBeSecret } from "./position.js";
import {
  answering,
  entry,
  eraseSymbol,
  fillSlots,
  focusBoard,
  guessEntered,
  hasKeyboard,
  hasText,
  isAdvising,
  isEntering,
  mayHold,
  moveTo,
  placeOf,
  putSymbol,
  setAnswer,
  setCorrecting,
  setEditing,
  setGuess,
  setSymbols,
  showEntry,
  toggleHold,
  typedGuess,
} from "./row.js";

/** @import { Game, Move } from "../engine/game.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */

const LETTER_ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

// A row of buttons for the slots; `showEntry` updates it.
/** @type {(game: AnyGame) => HTMLElement} */
export function slotsView(game) {
  const kind = game.spelled ? "letter" : "peg";
  const slots = Array.from(
    { length: game.pegs },
    (_, i) => make("button", { type: "button", class: `slot ${kind}`, onclick: () => tapSlot(i) }),
  );
  return make(
    "span",
    {
      class: "code slots",
      id: "play-slots",
      role: "group",
      tabindex: "-1",
      "aria-label": "Your guess",
      dir: directionOf(game),
    },
    ...slots,
  );
}

/** @type {(i: number) => void} */
function tapSlot(i) {
  if (isAdvising()) {
    if (play.game.family === "marks") return tapMark(i);
    if (entry.correcting !== null) return;
    setEditing(true);
    showPlay();
  }
  moveTo(i);
  showEntry();
}

// Composes another guess than the one advised, or goes back to it; a correction is left.
/** @type {() => void} */
export function leaveAdvice() {
  if (entry.correcting !== null) {
    setCorrecting(null);
    fillSlots(play.state.chosen ?? "");
    return showPlay();
  }
  setEditing(!entry.isEditing);
  fillSlots("");
  if (entry.isEditing) showPlay();
  else append({ kind: "choose", guess: "" });
  focusBoard();
}

// Copies an earlier guess into the open row, as a start for the next one.
/** @type {(label: string) => void} */
export function copyGuess(label) {
  if (isAdvising()) {
    setCorrecting(null);
    setEditing(true);
    showPlay();
  }
  setGuess(label);
  focusBoard();
}

// Shows an earlier move in the open row, to enter its answer anew.
/** @type {(number: number) => void} */
export function beginCorrection(number) {
  const { guess, id } = play.position.moves[number];
  setCorrecting(number);
  setEditing(false);
  fillSlots(play.game.guesses[guess]);
  if (play.game.family === "marks") setAnswer("", [...play.game.feedback[id]]);
  showPlay();
}

/** @type {() => void} */
export function showRow() {
  const { game } = play;
  const row = find("play-slots");
  find("play-error").textContent = "";
  if (row) allWithin(row, ".slot").forEach((slot, i) => showSlot(slot, i));
  if (hasText(game) && find("play-text") !== document.activeElement) find("play-text").value = typedGuess();
}

/** @type {(slot: HTMLElement, i: number) => void} */
function showSlot(slot, i) {
  const { game } = play;
  const symbol = entry.slots[i];
  const mark = isAdvising() && game.family === "marks" && symbol !== null ? answering.marks[i] : null;
  slot.textContent = symbol ?? "";
  slot.removeAttribute("style");
  if (symbol !== null && !game.spelled) paint(slot, game, symbol);
  slot.classList.toggle("as-is", symbol !== null && hasNoCapital(symbol));
  slot.classList.toggle("empty", symbol === null);
  slot.classList.toggle("at", i === entry.at && isEntering());
  slot.classList.toggle("held", entry.held.has(i) && mayHold());
  slot.title = symbol !== null && mayHold() ? "Hold it, or press Space, to keep it for the next guess" : "";
  if (mark) slot.dataset.mark = mark;
  else delete slot.dataset.mark;
  const words = symbol === null ? "empty" : symbolWords(game, symbol);
  const isHeld = slot.classList.contains("held");
  slot.setAttribute(
    "aria-label",
    `${game.spelled ? "letter" : "peg"} ${i + 1}: ${words}${mark ? `, ${MARKS[mark]}` : ""}${isHeld ? ", held" : ""}`,
  );
}

// Colours to tap or, for words, a keyboard.
/** @type {(game: AnyGame) => void} */
export function layPalette(game) {
  const palette = find("play-palette");
  const erase = make("button", {
    type: "button",
    class: "erase",
    text: "⌫",
    "aria-label": "remove the last symbol",
    onclick: eraseSymbol,
  });
  palette.classList.toggle("keys", hasKeyboard(game));
  if (hasText(game)) return palette.replaceChildren();
  if (!hasKeyboard(game)) {
    return palette.replaceChildren(
      ...game.symbols.map((symbol) => {
        const button = make("button", {
          type: "button",
          class: game.spelled ? "key" : "peg",
          text: symbol,
          "data-key": symbol,
          title: symbolWords(game, symbol),
          "aria-label": `add ${symbolWords(game, symbol)}`,
          onclick: () => putSymbol(symbol),
        });
        if (!game.spelled) paint(button, game, symbol);
        return button;
      }),
      erase,
    );
  }
  const enter = make("button", {
    type: "button",
    class: "enter",
    text: "Enter",
    onclick: () => find("play-go").click(),
  });
  /** @type {(letter: string) => HTMLElement} */
  const keyOf = (letter) =>
    make("button", {
      type: "button",
      class: "key",
      text: letter,
      "data-key": letter,
      "aria-label": letter,
      onclick: () => putSymbol(letter),
    });
  /** @type {(row: string) => boolean} */
  const isLast = (row) => row === LETTER_ROWS.at(-1);
  /** @type {(row: string) => HTMLElement} */
  const rowOf = (row) =>
    make("div", {}, ...(isLast(row) ? [enter] : []), ...[...row].map(keyOf), ...(isLast(row) ? [erase] : []));
  palette.replaceChildren(...LETTER_ROWS.map(rowOf));
}

// What the moves so far say of each letter: the best of its marks.
/** @type {(game: AnyGame, moves: Move[]) => void} */
export function showUsed(game, moves) {
  if (game.family !== "marks" || hasText(game)) return;
  const known = new Map();
  for (const { guess, id } of moves) {
    symbolsOf(game.guesses[guess]).forEach((letter, i) => {
      const mark = game.feedback[id][i];
      if ("byg".indexOf(mark) > "byg".indexOf(known.get(letter) ?? "?")) known.set(letter, mark);
    });
  }
  for (const key of allWithin(find("play-palette"), ".key")) {
    const letter = key.dataset.key ?? "";
    const mark = known.get(letter);
    if (mark) key.dataset.mark = mark;
    else delete key.dataset.mark;
    key.setAttribute("aria-label", mark ? `${letter}: ${MARKS[mark]}` : letter);
  }
}

function submitGuess() {
  const { game, state } = play;
  const label = typedGuess();
  const guess = guessEntered();
  const isAdded = state.mode === "mine" && game.isListed && game.mayAdd(label);
  const reason = guess === undefined && !isAdded ? whyNot(game, label) : whyForbidden(label);
  if (reason) {
    find("play-error").textContent = reason;
    return;
  }
  if (state.mode !== "mine") return playGuess(Number(guess));
  setEditing(false);
  const message = isAdded ? `${label} is in no list of this page: it counts as a guess that can’t be the secret.` : "";
  append({ kind: "choose", guess: label }, message);
}

// Why the code in the row is no guess of the game.
/** @type {() => string} */
export const whyNoGuess = () => whyNot(play.game, typedGuess());

/** @type {(game: AnyGame, text: string) => string} */
function whyNot(game, text) {
  const n = entry.slots.filter((symbol) => symbol !== null).length;
  const noun = nounOf(game);
  if (n === 0) {
    return noun === "code" ? `Choose the ${contentOf(game)}s of your guess first.` : `Type a ${noun} first.`;
  }
  if (n < game.pegs) return `${text} has ${several(n, partOf(game))}: guesses have ${game.pegs}.`;
  return game.spelled
    ? `${text} is not in the ${noun} list.`
    : `${text} repeats a symbol, which no code of this game does.`;
}

// Why the rule of guesses forbids one, or nothing. A word that no list has can't be the secret.
/** @type {(label: string) => string} */
function whyForbidden(label) {
  const { game, state, position } = play;
  const guess = game.indexOf.get(label);
  if (state.rule === "candidates" && (guess === undefined || !mayBeSecret(game, position, guess))) {
    const why = guess === undefined ? "is in no list of this page" : "contradicts an earlier answer";
    return `${label} ${why}: only guesses that could be the secret are allowed.`;
  }
  return state.rule === "wordle" ? whyNotHard(game, position.moves, label) : "";
}

// Keys work wherever the focus is, but in fields and dialogs.
/** @type {(event: KeyboardEvent) => void} */
function pressKey(event) {
  const { key } = event;
  const target = targetOf(event);
  const { position } = play;
  if (!position || event.metaKey || event.altKey || find("sure").open) return;
  if (target.closest?.("input:not([type=radio]), textarea:not([readonly]), select, #explorer")) {
    if (target !== find("play-text") || key !== "Enter") return;
    // Otherwise the same key would press the button that has the focus after the last guess.
    event.preventDefault();
    if (!event.repeat) submitGuess();
    return;
  }
  // A key that is held down plays no second guess, and leaves no finished game.
  if (key === "Enter" && event.repeat && target.closest?.("#assistant")) return event.preventDefault();
  if (event.ctrlKey) {
    if (key.toLowerCase() !== "z") return;
    event.preventDefault();
    return undo();
  }
  if (!isEntering() && !isAdvising()) return;
  const isOnBoard = target.closest?.("#play-slots, #play-palette");
  const isElsewhere = target.closest?.("a, button, summary") && !isOnBoard;
  if (key === "Enter") {
    if (isElsewhere) return;
    event.preventDefault();
    return isEntering() ? submitGuess() : recordAnswer();
  }
  if (key === " ") return pressSpace(event);
  if (target.matches?.("[type=radio]") && key.startsWith("Arrow")) return;
  const taken = isEntering() ? typeSymbol(play.game, key) : typeToAdvice(key);
  if (!taken) return;
  event.preventDefault();
  focusBoard(); // so that Enter plays the guess, whichever button was pressed last
}

// A key while a guess is advised: it types the answer or, if what is typed can't be one, another guess.
/** @type {(key: string) => boolean} */
function typeToAdvice(key) {
  const { game } = play;
  const text = `${typedAnswer()}${key.toLowerCase()}`;
  const symbols = [...text].map((letter) => symbolOf(game, letter));
  const isOfGame = key.length === 1 && symbols.every((symbol) => game.symbols.includes(symbol));
  if (entry.correcting !== null || !isOfGame || mayBeAnswer(text)) return typeAnswer(key);
  setEditing(true);
  fillSlots("");
  showPlay();
  setSymbols(symbols);
  return true;
}

// Space holds the symbol at the cursor. On a button of the row it moves the cursor there first.
/** @type {(event: KeyboardEvent) => void} */
function pressSpace(event) {
  const slot = targetOf(event).closest?.("#play-slots .slot");
  if (slot ? placeOf(slot) !== entry.at : event.target !== find("play-slots")) return;
  event.preventDefault();
  toggleHold(entry.at);
}

/** @type {(game: AnyGame, key: string) => boolean} */
function typeSymbol(game, key) {
  if (key === "Backspace") {
    eraseSymbol();
    return true;
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step) {
    moveTo(Math.min(Math.max(entry.at + step, 0), game.pegs - 1));
    showEntry();
    return true;
  }
  const symbol = key.length === 1 ? symbolOf(game, key.toLowerCase()) : "";
  if (!game.symbols.includes(symbol)) {
    const symbols = game.symbols.length > 26 ? "see its list" : `the symbols are ${game.symbols.join(" ")}`;
    if (/^[\p{L}\d]$/u.test(key)) {
      find("play-error").textContent = `There is no ${key} in this game: ${symbols}.`;
    }
    return false;
  }
  putSymbol(symbol);
  return true;
}

addEventListener("keydown", pressKey);

find("play-go").addEventListener("click", () => {
  if (isEntering()) submitGuess();
  else if (isAdvising()) recordAnswer();
  else startGame();
});

// The symbols of a text as it is typed. A letter with its accent after it is one letter, unless the game has both.
/** @type {(game: AnyGame, text: string) => string[]} */
function symbolsTyped(game, text) {
  const symbols = [...text.trim().toLowerCase()];
  const areOfGame = symbols.every((symbol) => game.symbols.includes(symbol));
  return areOfGame ? symbols : [...symbols.join("").normalize("NFC")];
}

find("play-text").addEventListener("input", ({ isComposing }) => {
  const field = find("play-text");
  const { pegs } = play.game;
  const typed = symbolsTyped(play.game, field.value);
  const symbols = typed.slice(0, pegs);
  if (typed.length > pegs && !isComposing) field.value = symbols.join("");
  setSymbols(symbols);
});
