// Advice in games whose codes are not listed: the worker finds candidates, or a sample of them, and guesses.
import { asUnlisted } from "../engine/unlisted.js";
import { movesFor } from "../engine/candidates.js";
import { hashOf } from "../engine/random.js";
import { sampledWorth } from "../engine/sampled.js";
import { grouped, percent, rounded, several } from "../engine/words.js";
import { ask, forget } from "./ask.js";
import { find, make } from "./elements.js";
import { advices, boardName, estimateOf, estimates, repairs, store, tellFound } from "./estimates.js";
import { helps } from "./hints.js";
import { codeView, MAX_SHOWN } from "./pegs.js";
import { play } from "./play.js";
import { isSingle, NO_CANDIDATE, UNDECIDED } from "./position.js";
import { SHOWN_GUESSES } from "./ranking.js";
import { setRanked, showSuggestion, takeGuess } from "./suggestion.js";

/** @import { Candidates, Interval } from "../engine/candidates.js" */
/** @import { Repair } from "../engine/repairs.js" */
/** @import { UnlistedGame } from "../engine/unlisted.js" */
/** @import { SampledAdvice, SampledWorth } from "../engine/sampled.js" */

/** @type {Record<string, string>} */
const WAYS = {
  listed: "drawn from a list of all",
  drawn: "drawn at random",
  walked: "found by random walks",
};

// What the worker is asked for, so that the same isn't asked again.
let advising = ""; // the board and rule of guesses

let repairing = ""; // the board
let counting = new Set(); // boards

// Advice on the board if the player has asked for help, and then the candidates of earlier boards.
/** @type {() => void} */
export function helpBySample() {
  const { game, state, position } = play;
  forget("best");
  if (!position.isOpen) {
    if (position.isContradictory || position.isOver) countEarlier();
    return;
  }
  if (state.mode !== "mine" && state.hints === 0) return;
  const name = `${state.rule} ${boardName(game, position.moves)}`;
  if (advices.has(name)) {
    showSampledAdvice(advices.get(name));
    countEarlier();
  } else adviseBySample(name);
}

// Asks the worker for advice on the board, which is kept under `name`; its candidates come first.
/** @type {(name: string) => Promise<void>} */
async function adviseBySample(name) {
  const { game, state, position } = play;
  const board = boardName(game, position.moves);
  if (helps("suggest")) find("help-suggestion").textContent = "computing…";
  if (helps("best")) find("help-table").textContent = "computing…";
  if (advising === name) return;
  advising = name;
  forget("count");
  const question = {
    moves: movesFor(game, position.moves),
    seed: hashOf(board),
    isRuled: state.rule === "candidates",
    count: SHOWN_GUESSES,
  };
  /** @type {(part: { candidates: Candidates }) => void} */
  const showPart = ({ candidates }) => {
    store(estimates, board, candidates);
    tellFound();
  };
  const answer = await ask("sample", game, question, showPart);
  if (!answer) return;
  advising = "";
  store(advices, name, answer.advice);
  showPart(answer);
}

// Counts the candidates of earlier boards that are not known, the last ones first.
async function countEarlier() {
  const { game, position } = play;
  const boards = new Map();
  for (const moves of [position.moves, position.asked]) {
    for (let n = moves.length; n > 0; n--) {
      const before = moves.slice(0, n);
      const name = boardName(game, before);
      if (estimateOf(asUnlisted(game), before) === null) {
        boards.set(name, { name, moves: movesFor(game, before), seed: hashOf(name) });
      }
    }
  }
  if ([...boards.keys()].every((name) => counting.has(name))) return;
  counting = new Set(boards.keys());
  const asked = counting;
  await ask("count", game, { boards: [...boards.values()] }, ({ name, candidates }) => {
    store(estimates, name, candidates);
    tellFound();
  });
  if (counting === asked) counting = new Set();
}

// The guess that is advised, by what it was chosen, and what it is expected to leave.
/** @type {(advice: SampledAdvice | null | undefined) => void} */
function showSampledAdvice(advice) {
  const { position } = play;
  const game = asUnlisted(play.game);
  if (!advice) {
    find("help-suggestion").textContent = helps("suggest") ? UNDECIDED : "";
    return;
  }
  const [first] = advice.worths;
  if (helps("best")) showSampledRanking(advice.worths);
  if (!helps("suggest")) return;
  showSuggestion(game.add(first.row), advice.mean, { words: basisOf(advice), about: "About " });
  if (advice.mean === null && !isSingle(position.candidates)) {
    find("help-suggestion").append(` It leaves ${leftOnAverage(first.left)}.`);
  }
}

/** @type {(advice: SampledAdvice) => string} */
function basisOf({ compared, members }) {
  const { candidates } = play.position;
  const { isAll, how, number } = candidates;
  const guesses = several(compared, "guess", "guesses");
  if (isSingle(candidates)) return "";
  if (isAll && members === number?.value) return `${guesses} compared over all ${grouped(members)} candidates:`;
  return `Sampled: ${guesses} compared over ${several(members, "candidate")} ${WAYS[how ?? ""]}:`;
}

/** @type {(interval: Interval) => string} */
function leftOnAverage({ value, low, high }) {
  if (low === high) return `${value.toFixed(1)} candidates on average`;
  if (value === 1) return `at most about ${rounded(high)} candidates on average`;
  return `about ${rounded(value)} candidates on average (95%: ${rounded(low)} to ${rounded(high)})`;
}

/** @type {(worths: SampledWorth[]) => void} */
function showSampledRanking(worths) {
  const { position } = play;
  const game = asUnlisted(play.game);
  const about = position.candidates.isAll ? "" : "≈\u00a0";
  const heads = ["guess", "left on average", "at most", "ends now"];
  const head = heads.map((text, i) => make("th", { scope: "col", class: i && "n", text }));
  const rows = worths.map((worth) => {
    const guess = game.add(worth.row);
    const label = game.guesses[guess];
    const use = make(
      "button",
      { type: "button", class: "plain", "aria-label": `use ${label}`, onclick: () => takeGuess(guess) },
      codeView(game, label),
    );
    const { value, high } = worth.left;
    const left = value === 1 && high > 1 ? `< ${rounded(high)}` : `${about}${rounded(value)}`;
    const figures = [left, `${about}${rounded(worth.most)}`, endsWords(worth, position.candidates.isAll)];
    return make("tr", {}, make("td", {}, use), ...figures.map((text) => make("td", { class: "n", text })));
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  find("help-table").replaceChildren(table);
  find("best-title").textContent = isSingle(position.candidates) ? "The last candidate" : "Good guesses";
  setRanked(worths.map((worth) => game.add(worth.row)));
}

// The probability that a guess ends the game; of a sample it is never certain.
/** @type {(worth: SampledWorth, isAll: boolean) => string} */
function endsWords({ ends }, isAll) {
  if (ends === 0) return "–";
  if (ends < 0.001) return "< 0.1%";
  return isAll ? percent(ends) : `≈\u00a0${rounded(100 * ends)}%`;
}

// What a guess is worth, before it is played.
/** @type {(guess: number) => void} */
export function showSampledWorth(guess) {
  const { position } = play;
  const game = asUnlisted(play.game);
  const { candidates, moves } = position;
  const view = find("help-worth");
  if (!candidates || candidates.codes.length === 0) {
    view.textContent = candidates?.number === null ? UNDECIDED : "computing…";
    return;
  }
  const worth = sampledWorth(game, game.codeOf(guess), candidates, movesFor(game, moves));
  const about = candidates.isAll ? "" : "about ";
  const source = candidates.isAll
    ? ""
    : ` Sampled: by ${several(candidates.heldOut.length, "candidate")} ${WAYS[candidates.how ?? ""]}.`;
  view.replaceChildren(
    codeView(game, game.guesses[guess]),
    worth.fits ? " could be the secret." : ` ${NO_CANDIDATE}.`,
    ` It leaves ${leftOnAverage(worth.left)}, and ${about}${rounded(worth.most)} at most.${source}`,
  );
}

// Single answers that may be wrong, with those that would leave candidates: known once the worker has answered.
/** @type {() => Repair[]} */
export function sampledRepairs() {
  const { game, position } = play;
  const board = boardName(game, position.moves);
  if (!repairs.has(board)) askForRepairs(board);
  return repairs.get(board) ?? [];
}

/** @type {(board: string) => Promise<void>} */
async function askForRepairs(board) {
  const { game, position } = play;
  if (repairing === board) return;
  repairing = board;
  const question = { moves: movesFor(game, position.moves), seed: hashOf(board) };
  const answer = await ask("repairs", game, question);
  if (!answer) return;
  repairing = "";
  store(repairs, board, answer);
  tellFound();
}

// Some of the candidates, and whether these are all.
/** @type {(list: HTMLElement, game: UnlistedGame, candidates: Candidates | null) => void} */
export function listSample(list, game, candidates) {
  const codes = candidates?.codes ?? [];
  const shown = codes.slice(0, MAX_SHOWN);
  list.replaceChildren(...shown.map((code) => make("li", {}, codeView(game, game.labelOf(code)))));
  if (candidates?.isAll && codes.length > MAX_SHOWN) {
    list.append(make("li", { text: `and ${grouped(codes.length - MAX_SHOWN)} more` }));
  }
  const sample = several(codes.length, "candidate");
  if (candidates && !candidates.isAll && codes.length > 0) {
    list.append(make("li", { text: `and more: these are some of ${sample} in the sample` }));
  }
}
