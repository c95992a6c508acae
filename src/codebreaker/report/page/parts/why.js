// Why a guess is good: how many candidates each of its answers leaves, and how many bits it tells. If n candidates are
// equally likely, log2(n) bits are missing; an answer that leaves k of them tells log2(n / k).
import { grouped, percent, several } from "../engine/words.js";
import { make, within } from "./elements.js";
import { codeView, feedbackView, moveView } from "./pegs.js";

/** @import { Game, Members } from "../engine/game.js" */
/** @import { Reviewed } from "../engine/regret.js" */
/** @import { Worth } from "../engine/worth.js" */

const MOST_ANSWERS = 14; // rows of a table
const MOST_NAMED = 12; // candidates that are shown as codes
/** @type {(number: number) => string} */
const bits = (number) => number.toFixed(2);
/** @type {(worth: Worth) => number} */
const sizeOfSet = ({ parts }) => parts.reduce((sum, n) => sum + n, 0);

// The bits that a guess asks for, in a sentence that follows its code.
/** @type {(worth: Worth) => string} */
export function bitsWords(worth) {
  const missing = Math.log2(sizeOfSet(worth));
  return `asks for ${bits(worth.bits)} of the ${bits(missing)} bits that are missing`;
}

// A guess to explain. `came` is the answer that was given, if any, and `members` are the candidates, if they are known.
/**
 * @typedef {object} Explained
 * @property {string} name
 * @property {Worth} worth
 * @property {number | null} [came]
 * @property {Members | null} [members]
 * @property {boolean} [isSecretKnown]
 */

// Guesses side by side, with bars of one scale.
/** @type {(game: Game, guesses: Explained[]) => HTMLElement[]} */
export function whyTables(game, guesses) {
  const most = Math.max(...guesses.flatMap(({ worth }) => worth.parts));
  return guesses.map((guess) => whyTable(game, guess, most));
}

// A guess with its answers; the answer that leaves most comes first. A bar of full length stands for `most` candidates.
/** @type {(game: Game, guess: Explained, most: number) => HTMLElement} */
function whyTable(game, { name, worth, came = null, members = null, isSecretKnown = false }, most) {
  const n = sizeOfSet(worth);
  const ids = [...worth.parts.keys()].filter((id) => worth.parts[id] > 0);
  ids.sort((a, b) => worth.parts[b] - worth.parts[a] || b - a);
  const shown = ids.slice(0, MOST_ANSWERS);
  if (came !== null && ids.includes(came) && !shown.includes(came)) shown[shown.length - 1] = came;
  const others = ids.length - shown.length;
  const heads = ["answer", "left", "bits"];
  const caption = make(
    "caption",
    {},
    `${name} `,
    codeView(game, game.guesses[worth.guess]),
    ` ${bitsWords(worth)}${toGoWords(worth)}. ${isSecretKnown ? "" : secretWords(worth)}`,
  );
  const rows = shown.map((id) => answerRow(game, worth, id, { n, most, came, members }));
  if (others > 0) {
    rows.push(make("tr", {}, make("td", { colspan: 3, text: `and ${several(others, "other answer")}` })));
  }
  const head = make("tr", {}, ...heads.map((text, i) => make("th", { scope: "col", class: i > 0 && "n", text })));
  return make("table", { class: "why" }, caption, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** @type {(worth: Worth) => string} */
const toGoWords = ({ mean, isExact }) =>
  mean === null ? "" : `, and ${isExact ? "" : "about "}${mean.toFixed(2)} guesses are to go`;

/** @type {(worth: Worth) => string} */
const secretWords = (worth) =>
  worth.isCandidate ? "It may be the secret." : "It can’t be the secret, but may still separate the candidates.";

/**
 * @type {(
 *   game: Game,
 *   worth: Worth,
 *   id: number,
 *   shown: { n: number, most: number, came: number | null, members: Members | null },
 * ) => HTMLElement}
 */
function answerRow(game, worth, id, { n, most, came, members }) {
  const left = worth.parts[id];
  const bar = make("i", { "aria-hidden": "true" });
  bar.style.width = `calc(var(--most) * ${left / most})`;
  const answer = game.family === "marks"
    ? within(moveView(game, worth.guess, id, ""), ".code")
    : feedbackView(game, id);
  const isKnown = members !== null && members.length <= MOST_NAMED;
  const codes = isKnown
    ? [...game.keep(members, worth.guess, id)].map((code) => codeView(game, game.guesses[code]))
    : [];
  return make(
    "tr",
    { class: came === id ? "came" : came === null ? null : "out" },
    make("td", {}, answer, ...codes),
    make("td", { class: "n" }, bar, `${grouped(left)} (${percent(left / n)})`),
    make("td", { class: "n", text: bits(Math.log2(n / left)) }),
  );
}

// What is folded until it is opened; `fill` gives its content then.
/** @type {(title: string, fill: () => HTMLElement[]) => HTMLElement} */
function foldedView(title, fill) {
  const view = make("details", {}, make("summary", { text: title }));
  const content = make("div", { class: "whys" });
  view.append(content);
  view.addEventListener("toggle", () => {
    if (view.open && content.childElementCount === 0) content.append(...fill());
  });
  return view;
}

// In the review: the guess and a better one, with the answer that came. `membersBefore` gives the candidates.
/** @type {(game: Game, row: Reviewed, id: number, membersBefore: () => Members) => HTMLElement} */
export function whyOfMove(game, row, id, membersBefore) {
  /** @type {(total: number) => { mean: number, isExact: boolean }} */
  const toGo = (total) => ({ mean: total / row.before, isExact: row.exact });
  const [best, mine] = row.totals ? row.totals.map(toGo) : [{}, {}];
  return foldedView(row.better ? "A better guess, and why" : "What the answers tell", () => {
    const shown = { members: row.before <= MOST_NAMED ? membersBefore() : null, isSecretKnown: true };
    /** @type {Explained[]} */
    const guesses = [{ name: "Yours:", worth: { ...row.mine, ...mine }, ...shown, came: id }];
    if (row.better) guesses.push({ name: "Better:", worth: { ...row.better, ...best }, ...shown });
    return whyTables(game, guesses);
  });
}

// The bits of a move: those that it asked for, and those that its answer told.
/** @type {(row: Reviewed) => string} */
export function bitsOfMove(row) {
  if (row.before < 2) return "";
  const told = row.mine.bits + row.luckBits;
  return `It ${bitsWords(row.mine)}; its answer told ${bits(told)}.`;
}

// Why a guess lost, against the better one, in a sentence; nothing if neither parts nor bits say it.
/** @type {(game: Game, row: Reviewed) => string} */
export function reasonOf(game, { mine, better, before }) {
  if (!better) return "";
  const label = game.guesses[better.guess];
  const candidates = several(before, "candidate");
  if (better.cells > mine.cells) {
    return ` It splits ${candidates} into ${several(mine.cells, "part")}, ${label} into ${better.cells}.`;
  }
  if (better.bits > mine.bits) {
    return ` It asks for ${bits(mine.bits)} bits, ${label} for ${bits(better.bits)}.`;
  }
  if (better.isCandidate && !mine.isCandidate) return ` It can’t be the secret, and ${label} could.`;
  return "";
}
