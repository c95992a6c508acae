// The board: rows of guesses and answers, and what can be done next.
import { contentOf, feedbackWords, nounOf, partOf } from "../engine/naming.js";
import { fittingWords, isWonOutsideList, repairsOf } from "../engine/repairs.js";
import { grouped, rounded, several } from "../engine/words.js";
import { mayFollow } from "../records/events.js";
import { keep } from "../records/storage.js";
import { showAnswers } from "./answer.js";
import { forget } from "./ask.js";
import { openGame } from "./catalogue.js";
import { allWithin, find, make, targetOf, within } from "./elements.js";
import { beginCorrection, copyGuess, layPalette, leaveAdvice, showUsed, slotsView } from "./entry.js";
import { showHelp, showWorth } from "./help.js";
import { dailyWords } from "./history.js";
import { closeMenu, say } from "./messages.js";
import { codeView, moveView } from "./pegs.js";
import { append, begin, findPosition, modeFor, NO_DEVIOUS, play, showPlay, startGame, sure, undo } from "./play.js";
import { puzzleGoal, showPuzzle } from "./puzzle.js";
import { showReview, showSampledReview } from "./review.js";
import { answering, dropAdvised, entry, hasText, keepDraft, showEntry } from "./row.js";
import { sampledRepairs } from "./sampling.js";
import { showStart } from "./start.js";
import { isWrongMove, noteOf, showStatus, statusOf } from "./status.js";

/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { PageElement } from "./elements.js" */
/** @import { Move } from "../engine/game.js" */
/** @import { State } from "../records/events.js" */

// Shows the game after an event.
/** @type {() => void} */
export function drawBoard() {
  const { game, state, position } = play;
  forget("suggest");
  forget("review");
  const assistant = find("assistant");
  const hadFocus = assistant.contains(document.activeElement);
  assistant.dataset.mode = state.mode;
  assistant.dataset.game = game.name;
  assistant.dataset.family = game.family;
  within(document, `[name="play-mode"][value="${state.mode}"]`).checked = true;
  find("play-rules").replaceChildren(...rulesView(game, state));
  showRule(game, state);
  keepDraft();
  showRows();
  showButtons();
  showRepairs();
  showStatus();
  find("play-review").hidden = true;
  find("play-puzzled").hidden = true;
  find("play-share").hidden = true;
  find("play-history").hidden = true;
  showUsed(game, position.moves);
  showEntry();
  showStart();
  showHelp();
  if (state.puzzle && position.isOver) showPuzzle();
  else if (position.isOver && position.asked.length > 0) showReview();
  if (hadFocus) keepFocus();
}

// If the element with the focus is gone, the focus goes to the next action: the row, a repair, or a new game.
function keepFocus() {
  const focused = /** @type {PageElement} */ (document.activeElement ?? document.body);
  if (focused !== document.body && focused.checkVisibility() && !focused.disabled) return;
  const repair = find("play-repairs").querySelector("button");
  const next = find("play-slots") ?? repair ?? (play.position.isOver ? find("play-go") : find("play-undo"));
  next.focus({ preventScroll: true });
}

function showRows() {
  const { game, state, position } = play;
  const rows = position.moves.map((move, i) => rowView(move, i));
  if (state.hasGivenUp) rows.push(secretView(game, Number(position.hidden)));
  if (position.isOpen || entry.correcting !== null) rows.push(openRow());
  const board = find("play-moves");
  board.classList.toggle("many", game.pegs > 4 && !["marks", "matches"].includes(game.family));
  board.classList.toggle("long", game.pegs > LONGEST_LINE);
  board.replaceChildren(...rows);
  // Without a row to fill in, the board itself takes the keys that scroll it.
  if (position.isOpen) board.removeAttribute("tabindex");
  else board.tabIndex = 0;
  if (rows.length > 1) board.scrollTop = board.scrollHeight; // which lays the page out at once
  showCuts();
}

// Marks the edges of the board at which rows are out of sight.
/** @type {() => void} */
function showCuts() {
  const board = find("play-moves");
  const below = board.scrollHeight - board.clientHeight - board.scrollTop;
  board.classList.toggle("cut-above", board.scrollTop > LEAST_CUT);
  board.classList.toggle("cut-below", below > LEAST_CUT);
}

const LONGEST_LINE = 8; // pegs that fit one line on a phone
const LEAST_CUT = 8; // pixels of a row that are missed
find("play-moves").addEventListener("scroll", showCuts);
addEventListener("resize", showCuts);

// The row of the guess that comes next. Rows have the numbers of their guesses, also of those taken back.
function openRow() {
  const { game, state } = play;
  const row = make("li", { class: "now" }, slotsView(game));
  const number = entry.correcting === null ? state.asked.length : entry.correcting;
  row.style.counterSet = `move ${number + 1}`;
  return row;
}

/** @type {(move: Move, i: number) => HTMLElement} */
function rowView({ guess, id }, i) {
  const { game, state, position } = play;
  const row = moveView(game, guess, id, noteOf(i));
  const number = position.isOver ? i : state.asked.indexOf(state.moves[i]);
  row.style.counterSet = `move ${number + 1}`;
  if (isWrongMove(i)) row.classList.add("wrong");
  if (position.isSolved && i === position.moves.length - 1) row.classList.add("solved");
  if (position.isOpen) row.prepend(copyButton(guess, within(row, ".code")));
  const answer = row.querySelector(".feedback");
  const shown = state.mode === "mine" ? [correctButton(guess, i, answer ?? "✎")] : answer ? [answer] : [];
  row.append(make("span", { class: "end" }, ...shown, within(row, "small")));
  return row;
}

/** @type {(game: AnyGame, hidden: number) => HTMLElement} */
const secretView = (game, hidden) =>
  make("li", { class: "secret" }, codeView(game, game.guesses[hidden]), make("small", { text: "the secret" }));

// An earlier guess as a button that copies it into the open row.
/** @type {(guess: number, view: Element) => HTMLElement} */
function copyButton(guess, view) {
  const label = play.game.guesses[guess];
  return make(
    "button",
    {
      type: "button",
      class: "copy",
      title: "Copy this guess into the open row",
      "aria-label": `copy ${label}: ${view.getAttribute("aria-label")}`,
      onclick: () => copyGuess(label),
    },
    view,
  );
}

// The answer to an earlier move as a button, to enter it anew.
/** @type {(guess: number, number: number, view: Element | string) => HTMLElement} */
function correctButton(guess, number, view) {
  const label = `change the answer to ${play.game.guesses[guess]}`;
  return make(
    "button",
    {
      type: "button",
      class: "correct",
      title: "Change this answer",
      "aria-label": label,
      onclick: () => beginCorrection(number),
    },
    view,
  );
}

function showButtons() {
  const { game, state, position } = play;
  const { isOpen, isOver } = position;
  const isMine = state.mode === "mine";
  const isCorrecting = entry.correcting !== null;
  const isAnsweringNow = isMine && (isCorrecting || !entry.isEditing);
  find("play-undo").disabled = !mayFollow(state, { kind: "undo" });
  find("play-undo").title = state.mode === "hidden" ? "A guess that you take back still counts" : "";
  find("play-reveal").hidden = state.mode !== "hidden" || isOver;
  find("play-hint").hidden = !isOpen || isCorrecting || Boolean(state.puzzle);
  find("play-other").hidden = !isMine || (!isOpen && !isCorrecting);
  find("play-other").textContent = isCorrecting
    ? "Leave it as it is"
    : entry.isEditing
    ? "The advised guess"
    : "Another guess";
  const wouldHelp = state.mode === "hidden" && !isOver;
  find("play-analyse").hidden = position.asked.length === 0 || position.isContradictory || wouldHelp;
  find("play-go").textContent = isOver ? "New game" : !isMine ? "Guess" : isAnsweringNow ? "Record" : "Play it";
  find("play-go").hidden = (!isOver && !isOpen && !isCorrecting) ||
    (isOpen && isAnsweringNow && game.family !== "marks");
  const isTyping = isOpen && !isAnsweringNow;
  find("play-palette").hidden = !isTyping || hasText(game);
  find("play-text").hidden = !isTyping || !hasText(game);
}

// Changes of a single answer that resolve a contradiction, as buttons.
function showRepairs() {
  const { game, position, state } = play;
  const isNeeded = position.isContradictory && state.mode === "mine" && entry.correcting === null;
  find("play-repairs").hidden = !isNeeded;
  if (!isNeeded) return find("play-repairs").replaceChildren();
  const isWon = isWonOutsideList(game, position.moves);
  const repairs = isWon
    ? []
    : (game.isListed ? repairsOf(game, position.moves) : sampledRepairs()).slice(0, MOST_REPAIRS);
  const buttons = repairs.map(({ number, answer, n }) => {
    const { guess } = position.moves[number];
    const left = game.isListed ? `(${several(n, "candidate")})` : `(about ${rounded(n)} candidates)`;
    const text = `${game.guesses[guess]} had ${feedbackWords(game, answer)} ${left}`;
    const correct = () => append({ kind: "correct", number, answer: game.feedback[answer] });
    if (game.family !== "marks") return make("button", { type: "button", text, onclick: correct });
    const marked = within(moveView(game, guess, answer, ""), ".code");
    return make("button", { type: "button", "aria-label": text, onclick: correct }, marked, left);
  });
  if (game.name === "words-common" && fittingWords(game, position.moves).length > 0) {
    buttons.unshift(make("button", { type: "button", text: "Any word may be the secret", onclick: allowAllWords }));
  }
  find("play-repairs").replaceChildren(...buttons);
}

const MOST_REPAIRS = 3;

// Goes on with the same moves in the game in which all of the page's words may be the secret.
async function allowAllWords() {
  const later = play.state.moves.map(({ guess, answer }) => ({ kind: "move", guess, answer }));
  begin(await openGame("words-full"), { mode: "mine" }, later);
}

// The goal in one sentence, and what the answers mean.
/** @type {(game: AnyGame, state: State) => (HTMLElement | string)[]} */
function rulesView(game, state) {
  const isUsual = state.player === "me" && state.origin === "new";
  const goal = make("span", { class: isUsual ? "usual" : "", text: `${goalOf(game, state)} ` });
  const isHidden = state.mode !== "mine";
  const inShort = isHidden ? `Find the ${nounOf(game)}. ` : "You play elsewhere. ";
  return [goal, ...(isUsual ? [make("span", { class: "short", text: inShort })] : []), ...answersView(game)];
}

/** @type {(game: AnyGame, state: State) => string} */
function goalOf(game, state) {
  const noun = nounOf(game);
  const without = !game.spelled && game.isDistinct ? ` without a ${contentOf(game)} twice` : "";
  const number = grouped(game.numberOfSecrets);
  const size = `${noun} of ${several(game.pegs, partOf(game))}${without}, one of ${number}`;
  const few = "in as few guesses as you can";
  if (state.puzzle) return puzzleGoal();
  if (state.player === "other") {
    return `A game opened from a link, not counted in your statistics: a hidden ${size}.`;
  }
  if (state.origin === "challenge") {
    return `${state.friend || "A friend"} has chosen a ${size}. Find it ${few}.`;
  }
  if (state.origin === "daily") {
    const everyone = state.list ? "everyone with this list" : "everyone";
    return `Find the ${noun} of ${state.day}, the same for ${everyone} until midnight UTC: a ${size}, ${few}.`;
  }
  if (state.mode === "mine") return `You play elsewhere, and the page advises you. The secret is a ${size}.`;
  if (state.mode === "devious") {
    return (
      `Nobody has chosen a secret, a ${size}: ` +
      "the page answers so that you need many guesses, without contradictions."
    );
  }
  return `Find the hidden ${size}, ${few}.`;
}

/** @type {(game: AnyGame) => (HTMLElement | string)[]} */
function answersView(game) {
  /** @type {(kind: string) => HTMLElement} */
  const pin = (kind) => make("span", { class: `pin ${kind}`, "aria-hidden": "true" });
  const symbol = contentOf(game);
  if (game.family === "marks") {
    return [
      make("span", { class: "sample", "data-mark": "g", text: "Green" }),
      ": right place. ",
      make("span", { class: "sample", "data-mark": "y", text: "Amber" }),
      ": elsewhere.",
    ];
  }
  if (game.family === "matches") return [`The answer is how many ${contentOf(game)}s are in place.`];
  const black = [pin("black"), ` black: right ${symbol}, right place. `];
  return game.family === "black" ? black : [...black, pin("white"), ` white: right ${symbol}, elsewhere.`];
}

// Wordle's hard mode is a rule of words.
/** @type {(game: AnyGame, state: State) => void} */
function showRule(game, state) {
  const select = find("play-rule");
  const hardMode = within(select, '[value="wordle"]');
  hardMode.hidden = game.family !== "marks";
  hardMode.disabled = hardMode.hidden;
  select.value = state.rule;
}

find("play-undo").addEventListener("click", undo);
find("play-other").addEventListener("click", leaveAdvice);

find("play-new").addEventListener(
  "click",
  () => sure("Start a new game? This one is left unfinished.", "New game", startGame),
);

find("play-reveal").addEventListener(
  "click",
  () => sure("Give up and see the secret?", "Give up", () => append({ kind: "give-up" })),
);

find("play-analyse").addEventListener("click", () => {
  closeMenu();
  showReview();
});

find("play-rule").addEventListener("change", (event) => {
  dropAdvised();
  const rule = targetOf(event).value;
  keep("rule", rule);
  append({ kind: "rule", rule });
});

for (const input of allWithin(document, '[name="play-mode"]')) {
  input.addEventListener("change", () => {
    within(document, `[name="play-mode"][value="${play.state.mode}"]`).checked = true;
    if (modeFor(play.game, input.value) !== input.value) return say(NO_DEVIOUS);
    sure(
      "Start another kind of game? This one is left unfinished.",
      "Start it",
      () => startGame({ mode: input.value }),
    );
  });
}

// Shows what is said of each move; a board that was scrolled to its end stays there.
function showNotes() {
  const board = find("play-moves");
  const isAtEnd = board.scrollTop + board.clientHeight >= board.scrollHeight - 2;
  board.querySelectorAll("li:not(.now, .secret)").forEach((row, i) => {
    row.classList.toggle("wrong", isWrongMove(i));
    within(row, "small").textContent = noteOf(i);
  });
  if (isAtEnd) board.scrollTop = board.scrollHeight;
}

// Shows what the worker has found; the guess that is being typed stays.
/** @type {() => void} */
export function refresh() {
  const { game, position } = play;
  if (game.isListed) return;
  findPosition();
  if (play.position.isOpen !== position.isOpen) return showPlay();
  showNotes();
  if (answering.typed === "") find("play-status").textContent = statusOf(play);
  showRepairs();
  showHelp();
  showWorth();
  showAnswers();
  if (!find("play-review").hidden) showSampledReview();
}

// What belongs to a game and not to its record: its name in the list, palette, rules of guesses.
/** @type {(game: AnyGame) => void} */
export function layTable(game) {
  const select = find("play-game");
  const isListed = [...select.options].some((option) => option.value === game.name);
  if (!isListed) {
    select.lastElementChild?.prepend(
      make("option", { value: game.name, text: game.title.replace("Mastermind, ", "") }),
    );
  }
  select.value = game.name;
  find("play-daily").textContent = `Today’s ${nounOf(game)}`;
  find("start-daily").textContent = `Play today’s ${nounOf(game)}`;
  for (const id of ["daily-told", "start-daily-told"]) find(id).textContent = dailyWords(game);
  find("assistant").style.setProperty("--pegs", String(game.pegs));
  layPalette(game);
}
