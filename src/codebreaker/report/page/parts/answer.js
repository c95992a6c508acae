// The answer to a guess when the secret is elsewhere: a tap on a pad or, in Wordle, marks on the letters.
import { asUnlisted } from "../engine/unlisted.js";
import { blackAndWhite, feedbackWords, pegsOf } from "../engine/naming.js";
import { impossibleMarks, membersWithout } from "../engine/repairs.js";
import { capital, grouped, rounded, several } from "../engine/words.js";
import { allWithin, find, make, within } from "./elements.js";
import { feedbackView } from "./pegs.js";
import { append, play, playMove } from "./play.js";
import { answering, entry, guessEntered, isAdvising, setAnswer, showEntry } from "./row.js";

/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { PageElement } from "./elements.js" */

const MOST_PINS = 5; // more are written as numbers: 2,1 is two black pegs and one white
const MOST_BUTTONS = 54; // answers of 9 pegs; more are tapped in two steps, the black pegs first
/** @type {() => boolean} */
export const isAnswering = () => isAdvising() && guessEntered() !== undefined;

// Shows the pad, with the answers that no candidate gives dimmed.
/** @type {() => void} */
export function showAnswers() {
  const { game } = play;
  const pad = find("play-answer");
  pad.hidden = !isAnswering() || game.family === "marks";
  if (pad.hidden) return;
  if (pad.dataset.game !== game.name) layAnswers(pad, game);
  const { counts, isAll } = game.isListed ? answersAhead() : sampledAnswersAhead();
  if (isInTwoSteps(game)) return showSteps(pad, counts, isAll);
  const chosen = answerId();
  pad.querySelectorAll("button").forEach((button, id) => {
    const isSolved = id === game.solved && counts[id] > 0;
    const left = isSolved ? "solved" : leftWords(counts[id], isAll);
    button.classList.toggle("none", isAll && counts[id] === 0);
    button.classList.toggle("chosen", id === chosen);
    within(button, "small").textContent = isSolved ? "solved" : isAll ? grouped(counts[id]) : "";
    button.setAttribute("aria-label", [feedbackWords(game, id), left].filter(Boolean).join(": "));
  });
}

// How many candidates an answer leaves; a sample says nothing of those that it lacks.
/** @type {(n: number, isAll: boolean) => string} */
function leftWords(n, isAll) {
  if (isAll) return n === 0 ? "no candidate gives it" : `${several(n, "candidate")} left`;
  return n === 0 ? "" : `about ${rounded(n)} candidates left`;
}

// How many candidates give each answer.
/** @type {() => { counts: Int32Array, isAll: boolean }} */
function answersAhead() {
  const { game } = play;
  const counts = game.countCells(Number(guessEntered()), answeringMembers(), new Int32Array(game.feedback.length));
  return { counts, isAll: true };
}

// The candidates before the answer: of all other moves, if an earlier answer is changed.
const answeringMembers = () =>
  entry.correcting === null
    ? play.position.candidates.members
    : membersWithout(play.game, play.position.moves, entry.correcting);

// A button for each answer; small ones are placed by their black and white pegs.
/** @type {(pad: PageElement, game: AnyGame) => void} */
function layAnswers(pad, game) {
  const isPlaced = (pegsOf(game.feedback[0])?.white ?? null) !== null && game.pegs <= MOST_PINS;
  pad.dataset.game = game.name;
  pad.classList.toggle("many", !isPlaced);
  pad.classList.toggle("large", isPlaced && game.pegs > 4);
  pad.style.setProperty("--columns", String(game.pegs + 1));
  if (isInTwoSteps(game)) return laySteps(pad, game);
  const head = pegsOf(game.feedback[0]) && !isPlaced ? [padHead(game)] : [];
  pad.replaceChildren(
    ...head,
    ...game.feedback.map((label, id) => {
      const pegs = pegsOf(label);
      const text = pegs ? [pegs.black, pegs.white].filter((n) => n !== null).join(",") : label;
      const view = isPlaced ? feedbackView(game, id) : make("b", { text });
      const button = make(
        "button",
        { type: "button", "data-feedback": label, onclick: () => enterAnswer(id) },
        view,
        make("small"),
      );
      if (isPlaced && pegs) {
        Object.assign(button.style, { gridRow: pegs.black + 1, gridColumn: Number(pegs.white) + 1 });
      }
      return button;
    }),
  );
}

// What the numbers of a pad count.
/** @type {(game: AnyGame) => HTMLElement} */
function padHead(game) {
  const kinds = pegsOf(game.feedback[0])?.white === null ? ["black"] : ["black", "white"];
  const names = kinds.map((kind) => [make("span", { class: `pin ${kind}`, "aria-hidden": "true" }), ` ${kind}`]);
  return make("p", { class: "hint" }, ...names.flatMap((name, i) => (i > 0 ? [", ", ...name] : name)));
}

/** @type {(game: AnyGame) => boolean} */
const isInTwoSteps = (game) => game.feedback.length > MOST_BUTTONS;

// A row of buttons for the black pegs, and one for the white.
/** @type {(pad: PageElement, game: AnyGame) => void} */
function laySteps(pad, game) {
  /** @type {(kind: string, press: (n: number) => void) => HTMLElement} */
  const rowOf = (kind, press) => {
    const buttons = Array.from(
      { length: game.pegs + 1 },
      (_, n) =>
        make("button", { type: "button", [`data-${kind}`]: n, onclick: () => press(n) }, make("b", { text: n })),
    );
    const name = make("span", { text: capital(kind) });
    return make("div", { role: "group", "aria-label": `${kind} pegs` }, name, ...buttons);
  };
  /** @type {(n: number) => void} */
  const tapBlack = (n) => {
    setAnswer(n === game.pegs ? `${n}b0w` : `${n}b`);
    if (n === game.pegs) return enterAnswer(Number(answerId()));
    showEntry();
  };
  /** @type {(n: number) => void} */
  const tapWhite = (n) => {
    setAnswer(`${blackTyped()}b${n}w`);
    enterAnswer(Number(answerId()));
  };
  pad.replaceChildren(rowOf("black", tapBlack), rowOf("white", tapWhite));
}

// The black pegs that are typed or tapped so far, or null.
function blackTyped() {
  const digits = /^(\d+)[b,;]/.exec(answering.typed);
  return digits && Number(digits[1]) <= play.game.pegs ? Number(digits[1]) : null;
}

// Dims numbers that no candidate gives; white pegs wait for the black ones.
/** @type {(pad: PageElement, counts: ArrayLike<number>, isAll: boolean) => void} */
function showSteps(pad, counts, isAll) {
  const { game } = play;
  const black = blackTyped();
  /** @type {(wanted: "black" | "white", n: number) => boolean} */
  const isGiven = (wanted, n) =>
    game.feedback.some((label, id) => {
      const pegs = blackAndWhite(label);
      return pegs[wanted] === n && (wanted === "black" || pegs.black === black) && (counts[id] > 0 || !isAll);
    });
  for (const kind of /** @type {("black" | "white")[]} */ (["black", "white"])) {
    for (const button of allWithin(pad, `[data-${kind}]`)) {
      const n = Number(button.dataset[kind]);
      const isImpossible = kind === "white" && black !== null && !game.idOf.has(`${black}B-${n}C`);
      const isOff = !isGiven(kind, n);
      button.disabled = kind === "white" && (black === null || isImpossible);
      button.classList.toggle("none", isOff);
      button.classList.toggle("chosen", kind === "black" && n === black);
      button.setAttribute("aria-pressed", String(kind === "black" && n === black));
      button.setAttribute("aria-label", `${n} ${kind}${isOff && !button.disabled ? ": no candidate gives it" : ""}`);
    }
  }
}

// Records the answer to the guess in the open row, or corrects an earlier one.
/** @type {(id: number) => void} */
export function enterAnswer(id) {
  const number = entry.correcting;
  const guess = guessEntered();
  if (number === null && guess !== undefined) playMove(guess, id);
  else if (number === null) return;
  else append({ kind: "correct", number, answer: play.game.feedback[id] });
}

/** @type {(i: number) => void} */
export function tapMark(i) {
  const next = /** @type {Record<string, string>} */ ({ b: "y", y: "g", g: "b" });
  setAnswer("touched", answering.marks.map((mark, place) => (place === i ? next[mark] : mark)));
  showEntry();
}

// The id of the answer that is typed or marked so far, or null if it is incomplete or impossible.
function answerId() {
  const { game } = play;
  const { typed, marks } = answering;
  if (game.family === "marks") return game.idOf.get(marks.join("")) ?? null;
  if (!mayBeAnswer(typed)) return null;
  const isSingle = game.family === "black" || game.family === "matches";
  const counts = Array(isSingle ? 1 : 2).fill(null);
  // Without a sign between them, digits are numbers: 21 is two black pegs and one white.
  const numbers = /[,;bw]/.test(typed) ? /(\d+)\s*([bw]?)/g : /(\d)\s*([bw]?)/g;
  [...typed.matchAll(numbers)].forEach(
    ([, digit, kind], i) => (counts[kind === "b" ? 0 : kind === "w" ? 1 : Math.min(i, 1)] = Number(digit)),
  );
  if (!isSingle && counts[0] === game.pegs) counts[1] = 0;
  if (counts.includes(null)) return null;
  const label = game.family === "matches"
    ? String(counts[0])
    : isSingle
    ? `${counts[0]}B`
    : `${counts[0]}B-${counts[1]}C`;
  return game.idOf.get(label) ?? null;
}

// What is typed of an answer; marks that were tapped are not typed.
/** @type {() => string} */
export const typedAnswer = () => (answering.typed === "touched" ? "" : answering.typed);

// Whether a typed text can be an answer or its beginning: 2, 21, 2,1 or 2b1w; for words g, y and b. Three digits without
// a sign between them can't.
/** @type {(text: string) => boolean} */
export function mayBeAnswer(text) {
  const { game } = play;
  if (game.family === "marks") return /^[gyb]*$/.test(text);
  if (game.family === "black" || game.family === "matches") {
    return (game.pegs > 9 ? /^\d{1,2}b?$/ : /^\db?$/).test(text);
  }
  return /^(\d{1,2}|\d+[bw,;]\d*[bw]?)$/.test(text);
}

// Typed answers: 2,1 or 21 or 2b1w; for words g, y and b. Returns whether the key was used.
/** @type {(key: string) => boolean} */
export function typeAnswer(key) {
  const { game } = play;
  const isMarks = game.family === "marks";
  const letter = key.toLowerCase();
  const old = typedAnswer();
  let typed = "";
  if (letter === "backspace") typed = old.slice(0, -1);
  else if (isMarks ? /^[gyb]$/.test(letter) : /^[0-9bw,;]$/.test(letter)) {
    typed = isMarks ? (old + letter).slice(-game.pegs) : (old + letter).slice(-8);
  } else return false;
  setAnswer(typed, isMarks ? entry.slots.map((_, i) => typed[i] ?? "b") : answering.marks);
  showEntry();
  const id = answerId();
  find("play-status").textContent = id === null
    ? `Answer: ${answering.typed}`
    : `Answer: ${isMarks ? answering.marks.join("") : feedbackWords(game, id)}. Enter records it.`;
  return true;
}

/** @type {() => void} */
export function recordAnswer() {
  if (!isAnswering()) return;
  const { game } = play;
  const id = answerId();
  const isMarks = game.family === "marks";
  const isEntered = !isMarks ||
    answering.typed !== "" ||
    entry.correcting !== null ||
    document.activeElement === find("play-go");
  if (id !== null && isEntered) return enterAnswer(id);
  const howTo = isMarks
    ? "Tap the letters, or type marks such as gybbb."
    : "Tap the answer, or type it: 2,1 means two black pegs and one white.";
  const isImpossible = isMarks ? id === null : answering.typed !== "";
  const why = isMarks ? impossibleMarks(game, Number(guessEntered()), answering.marks) : "";
  find("play-error").textContent = isImpossible ? why || "No secret gives this answer." : howTo;
}

// How many candidates give each answer to the guess on the board; of a sample, their share of all.
function sampledAnswersAhead() {
  const { position } = play;
  const game = asUnlisted(play.game);
  const counts = new Float64Array(game.feedback.length);
  const candidates = entry.correcting === null ? position.candidates : null;
  if (!candidates || candidates.codes.length === 0) return { counts, isAll: false };
  const { codes, isAll, number } = candidates;
  const guess = game.codeOf(Number(guessEntered()));
  const each = isAll || number === null ? 1 : number.value / codes.length;
  for (const code of codes) counts[game.answerTo(guess, code)] += each;
  return { counts, isAll };
}
