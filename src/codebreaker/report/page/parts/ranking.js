// Good guesses, ranked by guesses to go, with the one on the board.
import { answersAsCsv } from "../engine/csv.js";
import { follow, knownValues, meaningOf } from "../engine/carry.js";
import { NUMBERS } from "../engine/reading.js";
import { treeOf } from "../engine/tree.js";
import { average, capital, grouped, percent } from "../engine/words.js";
import { worthOf } from "../engine/worth.js";
import { ask, forget } from "./ask.js";
import { download, find, make, within } from "./elements.js";
import { helps } from "./hints.js";
import { codeView } from "./pegs.js";
import { play } from "./play.js";
import { guessEntered } from "./row.js";
import {
  allowed,
  boardRanked,
  isRuled,
  ranked,
  SAMPLED,
  setRanked,
  showSuggestion,
  suggested,
  takeGuess,
} from "./suggestion.js";
import { whyTables } from "./why.js";

/** @import { Game, Members } from "../engine/game.js" */
/** @import { Planned, Ranked, Worth } from "../engine/worth.js" */
/** @import { Strategy } from "../engine/tree.js" */

// Ranks guesses by guesses to go, together with the guess of the tree. The first one is the advice `isByRanking`,
// unless the guess `isFixed` by the opening.
export const SHOWN_GUESSES = 5;

/** @type {{ board: string, answer: Ranked | null }} */
let ranking = { board: "", answer: null }; // the last one, which serves for the board that it was made for

/**
 * @type {(
 *   members: Members,
 *   only: number[] | null,
 *   planned: Planned | null,
 *   isByRanking: boolean,
 *   isFixed: boolean,
 * ) => Promise<void>}
 */
export async function rank(members, only, planned, isByRanking, isFixed) {
  const { game } = play;
  const board = boardRanked();
  /** @type {(answer: Ranked) => void} */
  const showAll = (answer) => {
    if (helps("best")) showRanking(game, answer);
    if (helps("suggest") && !isFixed && (isByRanking || isBetter(answer, planned))) showFirst(answer);
  };
  if (ranking.answer !== null && ranking.board === board) {
    forget("best");
    return showAll(ranking.answer);
  }
  find("help-table").textContent = "computing…";
  const question = {
    members,
    only,
    planned,
    played: play.position.moves.map(({ guess }) => guess),
    count: SHOWN_GUESSES,
    isRuled: isRuled(),
    known: knownValues(game, play.position.moves),
  };
  /** @type {(part: Ranked) => void} */
  const showPart = (part) => {
    if (helps("best")) showRanking(game, part);
  };
  const answer = await ask("best", game, question, showPart);
  if (!answer) return;
  ranking = { board, answer };
  showAll(answer);
}

// Whether the ranking has a better guess than a tree that is not proven to be the best on average.
/** @type {(answer: Ranked, planned: Planned | null) => boolean} */
function isBetter({ worths: [first] }, planned) {
  const isSought = play.strategy.place === 1 && planned !== null;
  return isSought && first.guess !== planned.guess && first.mean !== null && first.mean < planned.mean;
}

// The first guess of the ranking as advice, and how the page found it.
/** @type {(answer: Ranked) => void} */
function showFirst(answer) {
  const { game, strategy } = play;
  const [first] = answer.worths;
  const tree = treeOf(game, strategy) === null ? "" : `${whyNotTheTree(strategy)}${howRanked(answer)}`;
  const isCertain = answer.isOptimal || first.isExact || first.mean === null;
  const words = answer.isSampled ? SAMPLED : tree;
  showSuggestion(first.guess, first.mean, { words, about: isCertain ? "" : "About " });
}

/** @type {(strategy: Strategy) => string} */
function whyNotTheTree(strategy) {
  if (allowed(play.position.candidates.members) !== null) {
    return `The tree of ‘${strategy.label}’ is of another rule of guesses: `;
  }
  if (plannedGuess() !== null) return `Better than the tree of ‘${strategy.label}’: `;
  return `These moves leave the tree of ‘${strategy.label}’: `;
}

/** @type {(answer: Ranked) => string} */
function howRanked({ worths: [first], isOptimal }) {
  if (isOptimal) return "the page plays optimally from here.";
  return first.mean === null ? "the page chooses by entropy." : "the page compares guesses by guesses to go.";
}

// The guess of the strategy's tree and the guesses to go, or null if the moves have left the tree.
/** @type {() => Planned | null} */
export function plannedGuess() {
  const { game, strategy, position } = play;
  const tree = treeOf(game, strategy);
  const match = tree && follow(game, tree, position.moves);
  if (tree === null || match === null) return null;
  const { node, renaming } = match;
  return { guess: meaningOf(game, tree.guess[node], renaming), mean: tree.mean(node) };
}

/** @type {(game: Game, answer: Ranked) => void} */
function showRanking(game, { worths, isSampled }) {
  find("best-title").textContent = titleOfRanking(game, worths);
  const hasMeans = worths.some((worth) => worth.mean !== null);
  const heads = [
    "guess",
    ...(hasMeans ? ["guesses to go"] : []),
    "bits",
    "left on average",
    "left at most",
    "ends now",
  ];
  const head = heads.map((text, i) => make("th", { scope: "col", class: i && "n", text }));
  const table = make(
    "table",
    { "data-board": boardRanked() },
    ...(hasMeans ? [] : [make("caption", { text: orderWords(isSampled) })]),
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...worths.map((worth) => rankingRow(game, worth, hasMeans))),
  );
  find("help-table").replaceChildren(table);
  setRanked(worths.map((worth) => worth.guess));
  showOwnGuess();
}

// Whether the first guesses of a ranking are all that there are, but for the names and the order of their symbols: then
// the bad ones are among them. Guesses are of one kind if they have each symbol equally often.
/** @type {(game: Game, worths: Worth[]) => boolean} */
function hasEachKind(game, worths) {
  if (game.spelled || play.position.moves.length > 0) return false;
  /** @type {(guess: number) => string} */
  const kindOf = (guess) => {
    const code = [...game.codeOf(guess)];
    const amounts = [...new Set(code)].map((symbol) => code.filter((other) => other === symbol).length);
    return amounts.sort().join(" ");
  };
  const kinds = new Set(game.samples.map(kindOf));
  return new Set(worths.map(({ guess }) => kindOf(guess))).size === kinds.size;
}

// How guesses are ordered whose guesses to go take too long to compute.
/** @type {(isSampled: boolean) => string} */
const orderWords = (isSampled) =>
  `${isSampled ? SAMPLED.replace(": ", ". ") : ""}Guesses whose answers tell most bits come first.`;

/** @type {(game: Game, worths: Worth[]) => string} */
function titleOfRanking(game, worths) {
  const n = worths.length;
  if (hasEachKind(game, worths)) {
    return n === 1 ? "All first guesses are equally good" : `The ${NUMBERS[n]} kinds of first guess`;
  }
  if (n === 1 && worths[0].ends === 1) return "The last candidate";
  const title = `${capital(NUMBERS[n])} good ${n === 1 ? "guess" : "guesses"}`;
  // A rule limits later guesses, too, and guesses to go are computed without it.
  const { state } = play;
  const limits = state.rule === "candidates" || (state.rule === "wordle" && game.family === "marks");
  return limits && worths.some(({ mean }) => mean !== null) ? `${title}, in the order of free play` : title;
}

/** @type {(game: Game, worth: Worth, hasMeans: boolean) => HTMLElement} */
function rankingRow(game, worth, hasMeans) {
  const label = game.guesses[worth.guess];
  const use = make(
    "button",
    { type: "button", class: "plain", "aria-label": `use ${label}`, onclick: () => takeGuess(worth.guess) },
    codeView(game, label),
  );
  const mean = worth.mean === null ? "–" : worth.isExact ? worth.mean.toFixed(3) : `≈ ${worth.mean.toFixed(2)}`;
  const figures = [
    ...(hasMeans ? [mean] : []),
    worth.bits.toFixed(2),
    average(worth.expected),
    grouped(worth.largest),
    worth.ends ? percent(worth.ends) : "–",
  ];
  return make("tr", {}, make("td", {}, use), ...figures.map((text) => make("td", { class: "n", text })));
}

// What the answers to the guess on the board tell, and those to the advised one, before one of them comes.
/** @type {() => void} */
export function showWhy() {
  const { game, position } = play;
  const view = find("help-why");
  view.hidden = !helps("best") || !position.isOpen || !game.isListed || position.candidates.members.length < 2;
  if (view.hidden || !view.open) return;
  const { members } = position.candidates;
  const mine = guessEntered();
  const advised = suggested ?? ranked[0];
  const known = [...(ranking.answer?.worths ?? []), ...(own.worth ? [own.worth] : [])];
  const isOfBoard = ranking.board === boardRanked();
  /** @type {(guess: number) => Worth | undefined} */
  const worthKnown = (guess) => (isOfBoard ? known.find((worth) => worth.guess === guess) : undefined);
  /** @type {(guess: number) => Worth} */
  const worthFor = (guess) => worthKnown(guess) ?? worthOf(game, guess, members);
  const isOther = mine !== undefined && mine !== advised;
  const explained = [
    ...(isOther ? [{ name: "Yours:", worth: worthFor(mine), members }] : []),
    ...(advised === undefined ? [] : [{ name: "Advised:", worth: worthFor(advised), members }]),
  ];
  find("why-told").replaceChildren(...whyTables(game, explained));
  const compared = [...(isOther ? [mine] : []), ...(advised === undefined ? [] : [advised])];
  find("why-save").onclick = () =>
    download(
      `${game.name}-answers.csv`,
      answersAsCsv(game, compared.map((guess) => ({ moves: position.moves, worth: worthFor(guess) }))),
    );
}

/** @type {{ name: string, worth: Worth | null }} */
let own = { name: "", worth: null }; // the last guess that was compared below the ranking; null while it is computed

// Shows the guess on the board below the ranking, if that lacks it, compared as the others are.
/** @type {() => void} */
export function showOwnGuess() {
  showWhy();
  const { game, position } = play;
  const table = find("help-table").querySelector("table");
  const guess = guessEntered();
  table?.tFoot?.remove();
  const isOfBoard = table?.dataset.board === boardRanked();
  if (!isOfBoard || !game.isListed || guess === undefined || ranked.includes(guess)) return;
  const name = `${boardRanked()} ${guess}`;
  if (own.name !== name) compareOwn(name, guess);
  const worth = own.worth ?? worthOf(game, guess, position.candidates.members);
  const hasMeans = table.caption === null;
  const row = rankingRow(game, worth, hasMeans);
  within(row, "td").append(make("small", { text: guess === suggested ? "advised" : "yours" }));
  table.append(make("tfoot", {}, row));
}

/** @type {(name: string, guess: number) => Promise<void>} */
async function compareOwn(name, guess) {
  const { game, position } = play;
  const { members } = position.candidates;
  own = { name, worth: null };
  const planned = allowed(members) === null ? plannedGuess() : null;
  const known = knownValues(game, position.moves);
  const worth = await ask("compare", game, { members, guess, planned, known, isRuled: isRuled() });
  if (own.name !== name) return;
  if (worth === null) own = { name: "", worth: null };
  else {
    own = { name, worth };
    showOwnGuess();
  }
}

find("help-why").addEventListener("toggle", showWhy);
