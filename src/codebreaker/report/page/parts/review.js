// A finished game in words: what each guess lost, how lucky its answer was, and a score.
import { knownValues } from "../engine/carry.js";
import { answersAsCsv } from "../engine/csv.js";
import { nounOf } from "../engine/naming.js";
import { bestTreeOf, fewestAtMost, movesOfTree, ownTree } from "../engine/tree.js";
import { asUnlisted } from "../engine/unlisted.js";
import { capital, grouped, several } from "../engine/words.js";
import { LEFT_BY_HINT, resultsOf, scoreOf, statisticsOf } from "../records/events.js";
import { allRecords } from "../records/storage.js";
import { ask } from "./ask.js";
import { download, find, make } from "./elements.js";
import { estimatesAlong } from "./estimates.js";
import { moveView } from "./pegs.js";
import { appendReview, listOf, play } from "./play.js";
import { numberWords } from "./position.js";
import { aidsOf } from "./share.js";
import { bitsOfMove, reasonOf, whyOfMove } from "./why.js";

/** @import { Game, Members, Move } from "../engine/game.js" */
/** @import { Position } from "./position.js" */
/** @import { Reviewed } from "../engine/regret.js" */
/** @import { State } from "../records/events.js" */

// Who is told that the guesses of a game are shown.
let onReviewed = () => {};

/** @type {(listener: () => void) => void} */
export function watchReview(listener) {
  onReviewed = listener;
}

// A finished game with the candidates that each guess left; guesses are not compared with the best ones.
/** @type {() => void} */
export function showSampledReview() {
  const { game, state, position } = play;
  const sets = estimatesAlong(asUnlisted(game), position.asked);
  const isKnown = sets.every((candidates) => candidates !== null);
  find("play-review").hidden = false;
  find("review-title").textContent = state.player === "me" ? "Your game" : "The game of the link";
  find("share-challenge").hidden = state.mode !== "hidden";
  find("review-save").hidden = true;
  for (const id of ["review-first", "review-score", "review-sum", "review-best"]) find(id).replaceChildren();
  find("review-told").textContent =
    "This size has too many codes to compare guesses with the best ones, so there is no score. Numbers with ≈ are " +
    `estimates from samples.${isKnown ? "" : " Counting…"}`;
  const rows = position.asked.map(({ guess, id }, i) => {
    const isTakenBack = !state.moves.includes(state.asked[i]);
    const before = numberWords(sets[i]);
    const after = id === game.solved ? "solved" : numberWords(sets[i + 1]);
    return moveView(game, guess, id, `${before} → ${after}${isTakenBack ? ", taken back" : ""}`);
  });
  find("review-moves").replaceChildren(make("ol", { class: "review" }, ...rows));
  onReviewed();
}

/** @type {[number, string][]} */
const LOST = [
  [5e-4, "best"],
  [0.05, "good"],
  [0.2, "inaccurate"],
  [Infinity, "costly"],
];

const SOME_LUCK = 0.05;

// Reviews all guesses asked, also those taken back: their answers were known.
/** @type {() => Promise<void>} */
export async function showReview() {
  const { game, state, position } = play;
  if (!game.isListed) return showSampledReview();
  const moves = position.asked;
  /** @type {(i: number) => boolean} */
  const isTakenBack = (i) => !state.moves.includes(state.asked[i]);
  find("play-review").hidden = false;
  find("review-title").textContent = state.player === "me" ? "Your game" : "The game of the link";
  find("share-challenge").hidden = state.mode !== "hidden";
  find("review-save").hidden = true;
  find("review-told").textContent = "computing…";
  for (const id of ["review-first", "review-score", "review-moves", "review-sum", "review-best"]) {
    find(id).replaceChildren();
  }
  showComparison();
  const tell = (
    /** @type {{ done: number }} */ { done },
  ) => (find("review-told").textContent = `computing: ${done} of ${several(moves.length, "move")}`);
  const question = { moves, known: knownValues(game, moves) };
  const rows = /** @type {Reviewed[] | null} */ (await ask("review", game, question, tell));
  if (!rows) return;
  const isCompared = rows.every((row) => row.regret !== null);
  const lost = rows.reduce((sum, row) => sum + Number(row.regret), 0);
  const compared = rows.filter((row) => row.regret !== null);
  const isExact = compared.every((row) => row.exact);
  const source = isExact
    ? "Compared with optimal play, exactly."
    : "Figures with ≈ are estimates: optimal play takes too long to compute there.";
  find("review-told").replaceChildren(
    make("strong", { text: verdictOf(game, moves, rows) }),
    ` ${compared.length > 0 ? source : ""}`,
  );
  if (isCompared && position.isSolved) {
    find("review-score").replaceChildren(...scoreView(game, lost, state.hints, isExact));
  }
  if (isCompared && state.isOver && state.lost === null) appendReview(lost);
  find("review-moves").replaceChildren(
    make("ol", { class: "review" }, ...rows.map((row, i) => reviewView(game, moves, i, row, isTakenBack(i)))),
  );
  find("review-sum").textContent = state.mode === "devious"
    ? deviousSumOf(game, rows)
    : sumOf(rows, moves.length, position.isSolved);
  find("review-save").hidden = false;
  find("review-save").onclick = () => {
    const guesses = rows.map((row, i) => ({ moves: moves.slice(0, i), worth: row.mine }));
    download(`${game.name}-answers.csv`, answersAsCsv(game, guesses));
  };
  onReviewed();
  showBestGame(game, position.isSolved ? moves[moves.length - 1].guess : state.hasGivenUp ? position.hidden : null);
}

// What comes first: how many guesses an ordinary player, best play and the player need on average.
async function showComparison() {
  const { game, record, state, position } = play;
  if (!position.isSolved || state.mode === "devious") return;
  const ordinary = await ordinaryMean(game);
  if (ordinary === null || play.record.id !== record.id) return;
  find("review-first").textContent = comparisonOf(game, state, position, ordinary);
}

/** @type {(game: Game, state: State, position: Position, ordinary: number) => string} */
function comparisonOf(game, state, { asked, moves }, ordinary) {
  const guesses = asked.length;
  const isMine = state.player === "me";
  const took = `${isMine ? "You needed" : "This game took"} ${several(guesses, "guess", "guesses")}${aidsOf(state)}`;
  const player = `an ordinary player, who always guesses some ${nounOf(game)} that fits, needs`;
  const best = bestTreeOf(game);
  const others = `On average ${player} about ${ordinary.toFixed(1)}${best ? ", and best play " : ""}`;
  const lines = [];
  if (best) {
    const mean = best.total / game.allSecrets.length;
    const ofSecret = movesOfTree(game, ownTree(game, best), moves[moves.length - 1].guess).length;
    lines.push(`${took}: ${comparedWith(guesses, mean)} best play on average.`);
    lines.push(`${others}${mean.toFixed(2)}; for this secret it needs ${ofSecret}.`);
  } else lines.push(`${took}: ${comparedWith(guesses, ordinary)} an ordinary player on average.`, `${others}.`);
  return [...lines, ...(isMine ? ownAverage(game) : [])].join(" ");
}

// A number of guesses against a mean.
/** @type {(guesses: number, mean: number) => string} */
const comparedWith = (guesses, mean) => (guesses < mean ? "fewer than" : guesses > mean ? "more than" : "as many as");

// The player's own average of the game, over several games.
/** @type {(game: Game) => string[]} */
function ownAverage(game) {
  const results = resultsOf(allRecords());
  const here = results.filter((result) => result.game === game.name && result.list === listOf(game));
  const { solved, guesses } = statisticsOf(here);
  return guesses !== null && solved > 1
    ? [`Your own average is ${guesses.toFixed(2)}, over ${several(solved, "game")}.`]
    : [];
}

// The mean guesses of an ordinary player by game, once they are computed.
const ordinaryMeans = new WeakMap();

// Null if another game is asked for before the answer comes.
/** @type {(game: Game) => Promise<number | null>} */
async function ordinaryMean(game) {
  if (!ordinaryMeans.has(game)) {
    const mean = await ask("ordinary", game, {});
    if (mean === null) return null;
    ordinaryMeans.set(game, mean);
  }
  return ordinaryMeans.get(game);
}

/** @type {(game: Game, lost: number, hints: number, isExact: boolean) => (HTMLElement | string)[]} */
function scoreView(game, lost, hints, isExact) {
  const planned = game.strategies.filter((strategy) => strategy.choices);
  const n = game.allSecrets.length;
  const best = Math.min(...planned.map((strategy) => strategy.total));
  const others = ["entropy", "worst-case", "first-consistent"]
    .map((tree) => planned.find((strategy) => strategy.tree === tree))
    .filter((strategy) => strategy !== undefined);
  const compared = others
    .map((strategy) => `${strategy.label} ${Math.round(scoreOf((strategy.total - best) / n))}`)
    .join(", ");
  const hintWords = hints > 0
    ? ` ${several(hints, "hint")} took ${Math.round(100 * (1 - LEFT_BY_HINT ** hints))}% of it.`
    : " Each hint takes a fifth.";
  const meaning = [
    "100 is best play.",
    "A quarter of a guess lost makes 50,",
    `as for a careful player who always guesses some ${nounOf(game)} that fits all answers.`,
    compared ? `On average over all secrets: ${compared}.` : "",
    `Luck does not count.${hintWords}`,
  ].join(" ");
  return [
    isExact ? "" : "about ",
    make("strong", { text: Math.round(scoreOf(lost, hints)) }),
    " of 100",
    make("details", {}, make("summary", { text: "What the score means" }), make("small", { text: meaning })),
  ];
}

// The review in a sentence: the best and the worst move.
/** @type {(game: Game, moves: Move[], rows: Reviewed[]) => string} */
function verdictOf(game, moves, rows) {
  if (rows.some((row) => row.regret === null)) {
    return "Some moves have too many candidates to be compared with the best one.";
  }
  /** @type {(i: number) => string} */
  const name = (i) => `guess ${i + 1}, ${game.guesses[moves[i].guess]}`;
  const lost = rows.map((row) => Number(row.regret));
  const byRegret = [...rows.keys()].sort((a, b) => lost[a] - lost[b]);
  const worst = byRegret[byRegret.length - 1];
  const isProven = rows.every((row) => row.exact);
  if (lost[worst] < LOST[0][0]) {
    return isProven ? "No guess could have been better." : "The page found no better guess at any move.";
  }
  const [first] = byRegret;
  const isBest = rows[first].exact && lost[first] < LOST[0][0];
  const best = isBest ? "was as good as any" : "came closest to the best";
  if (rows.length === 1) {
    return `Your guess lost ${lost[worst].toFixed(2)} of a guess.${reasonOf(game, rows[worst])}`;
  }
  const most = lost[worst].toFixed(2);
  const costliest = [...rows.keys()].filter((i) => lost[i].toFixed(2) === most);
  if (costliest.length > 1) {
    return `${capital(name(first))}, ${best}; guesses ${numbersOf(costliest)} lost most: ${most} of a guess each.`;
  }
  return `${capital(name(first))}, ${best}; ${name(worst)}, lost most: ${most} of a guess.${
    reasonOf(game, rows[worst])
  }`;
}

// The numbers of several guesses: `3 and 4`, `3, 5 and 8`, or `3 to 8` if they follow each other.
/** @type {(places: number[]) => string} */
function numbersOf(places) {
  const numbers = places.map((place) => place + 1);
  const [first, last] = [numbers[0], Number(numbers.at(-1))];
  if (numbers.length > 2 && last - first === numbers.length - 1) return `${first} to ${last}`;
  return `${numbers.slice(0, -1).join(", ")} and ${last}`;
}

/** @type {(value: number) => string} */
const sizeOf = (value) => Math.abs(value).toFixed(2);

/** @type {(about: string, luck: number) => string} */
function luckWords(about, luck) {
  if (Math.abs(luck) < SOME_LUCK) return "an average answer";
  return luck > 0
    ? `lucky: the answer saved ${about}${sizeOf(luck)} guesses`
    : `unlucky: the answer cost ${about}${sizeOf(luck)} guesses`;
}

// A move in the review: what it lost, and how lucky its answer was.
/** @type {(game: Game, moves: Move[], number: number, row: Reviewed, isTakenBack: boolean) => HTMLElement} */
function reviewView(game, moves, number, row, isTakenBack) {
  const { guess, id } = moves[number];
  const left = id === game.solved ? "solved" : several(row.after, "candidate");
  const note = `${grouped(row.before)} → ${left}${isTakenBack ? ", taken back" : ""}`;
  const view = moveView(game, guess, id, note);
  view.append(make("p", {}, ...lossView(row, play.state.mode === "devious")));
  /** @type {(left: Members, move: Move) => Members} */
  const keepAfter = (left, move) => game.keep(left, move.guess, move.id);
  const membersBefore = () => moves.slice(0, number).reduce(keepAfter, game.allSecrets);
  if (row.before > 1) {
    const unit = number === 0 ? " One bit halves the candidates." : "";
    view.append(make("p", { class: "hint", text: `${bitsOfMove(row)}${unit}` }));
    view.append(whyOfMove(game, row, id, membersBefore));
  }
  return view;
}

// A devious codemaker's answers are no luck.
/** @type {(row: Reviewed, isDevious?: boolean) => (HTMLElement | string)[]} */
function lossView(row, isDevious = false) {
  const { regret, luck } = row;
  if (regret === null || luck === null) return ["too many candidates to compare this move with the best one"];
  const about = row.exact ? "" : "≈ ";
  const lossless = regret < LOST[0][0];
  // An estimate is no proof that a guess is the best.
  const grade = lossless && !row.exact ? "good" : LOST.find(([limit]) => regret < limit)?.[1];
  const none = row.exact ? "no guess is better" : "the page found no better guess";
  const loss = lossless ? none : `${about}${regret.toFixed(3)} guesses lost`;
  const ofAnswer = isDevious ? "" : `; ${luckWords(about, luck)}`;
  return [make("b", { class: `grade ${grade}`, text: grade }), ` ${loss}${ofAnswer}`];
}

// The identity: guesses = the best mean + the guesses lost − the luck of the answers.
/** @type {(rows: Reviewed[], guesses: number, solved: boolean) => string} */
function sumOf(rows, guesses, solved) {
  if (rows.some((row) => row.regret === null)) return "";
  const about = rows.every((row) => row.exact) ? "" : "about ";
  /** @type {(key: "regret" | "luck") => number} */
  const sum = (key) => rows.reduce((total, row) => total + Number(row[key]), 0);
  const luck = sum("luck");
  const start = `${rows[0].isMinimumExact ? "" : "about "}${Number(rows[0].minimum).toFixed(4)}`;
  const lost = `${about}${sum("regret").toFixed(3)}`;
  const saved = `${luck < 0 ? "cost" : "saved"} ${about}${Math.abs(luck).toFixed(3)}`;
  const parts = `Best play needs ${start} guesses on average. ` +
    `Your choices lost ${lost} (skill), and the answers ${saved} (luck)`;
  return solved ? `${parts}: ${guesses} in all.` : `${parts}.`;
}

// The same against a devious codemaker, who has no secret: luck plays no part, and the worst case counts.
/** @type {(game: Game, rows: Reviewed[]) => string} */
function deviousSumOf(game, rows) {
  if (rows.some((row) => row.regret === null)) return "";
  const about = rows.every((row) => row.exact) ? "" : "about ";
  const lost = rows.reduce((total, row) => total + Number(row.regret), 0).toFixed(3);
  const most = fewestAtMost(game);
  const worst = most === null ? "" : ` The surest tree here needs at most ${most}, whatever the answers are.`;
  return `Your choices lost ${about}${lost} guesses (skill), as an average over the candidates of each move. The ` +
    `codemaker chose the answers that delay you, so none was luck.${worst}`;
}

// What the best tree of the page plays on the same secret. A devious codemaker has none.
/** @type {(game: Game, secret: number | null) => void} */
function showBestGame(game, secret) {
  const strategy = bestTreeOf(game);
  if (!strategy || secret === null || play.state.mode === "devious") return;
  const moves = movesOfTree(game, ownTree(game, strategy), secret);
  find("review-best").replaceChildren(
    make("h3", { text: `The best tree here finds it in ${several(moves.length, "guess", "guesses")}` }),
    make("ol", { class: "moves" }, ...moves.map(({ guess, id }) => moveView(game, guess, id, ""))),
  );
}
