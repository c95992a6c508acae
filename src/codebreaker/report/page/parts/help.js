// Help, more with each hint: candidates left, the guess's worth, good guesses, and the guess to play.
import { bestOfCandidates, ownTree } from "../engine/tree.js";
import { asUnlisted } from "../engine/unlisted.js";
import { average, grouped, percent, several } from "../engine/words.js";
import { FEW_MEMBERS, worthOf } from "../engine/worth.js";
import { ask, forget } from "./ask.js";
import { onStrategy } from "./choices.js";
import { find } from "./elements.js";
import { whyNoGuess } from "./entry.js";
import { helps, RUNGS } from "./hints.js";
import { adviseFixed, fixedFrom, isFixing, showOpening } from "./opening.js";
import { codeView, listCodes } from "./pegs.js";
import { append, play, setStrategy, showPlay } from "./play.js";
import { candidatesWords, NO_CANDIDATE } from "./position.js";
import { plannedGuess, rank, showOwnGuess, showWhy } from "./ranking.js";
import { dropAdvised, entry, guessEntered } from "./row.js";
import { helpBySample, listSample, showSampledWorth } from "./sampling.js";
import { allowed, clearAdvice, SAMPLED, showSuggestion } from "./suggestion.js";

/** @import { Game, Members } from "../engine/game.js" */
/** @import { Strategy } from "../engine/tree.js" */
/** @import { Play } from "./play.js" */

/** @type {() => void} */
export function showHelp() {
  const { state, position } = play;
  const { isOpen, candidates } = position;
  const isMine = state.mode === "mine";
  const next = isMine ? (state.hints === 0 ? "Compare guesses" : null) : RUNGS[state.hints];
  find("play-help").hidden = !isOpen || Boolean(state.puzzle) || (state.hints === 0 && !find("play-start").hidden);
  find("help-none").hidden = isMine || state.hints > 0;
  find("play-help").classList.toggle("offer", !find("help-none").hidden);
  find("play-hint").textContent = isMine ? "Compare" : "Hint";
  find("play-hint").title = next ?? "";
  find("play-hint").disabled = !next;
  find("help-count").hidden = !helps("count");
  find("play-count").textContent = candidatesWords(candidates);
  if (helps("count")) {
    if (play.game.isListed) listCodes(find("play-codes"), play.game, candidates.members);
    else listSample(find("play-codes"), asUnlisted(play.game), candidates);
  }
  find("help-worth").hidden = !helps("check") || !isOpen;
  find("help-suggest").hidden = !helps("suggest") || !isOpen;
  find("help-best").hidden = !helps("best") || !isOpen;
  find("play-take").hidden = isMine && !entry.isEditing;
  find("play-take").disabled = true;
  find("help-suggestion").replaceChildren();
  find("help-table").replaceChildren();
  find("best-title").textContent = "Good guesses";
  clearAdvice();
  find("play-line").textContent = lineOf(play);
  showOpening();
  forget("compare");
  forget("opening");
  showWhy();
  if (!play.game.isListed) helpBySample();
  else if (isOpen) advise(candidates.members);
  else forget("best");
}

// What is said of the strategy. Its figures are of games in which all guesses are free.
/** @type {(board: Play) => string} */
function lineOf({ game, strategy, state, opening }) {
  if (!strategy.choices) return strategy.line;
  const fixed = isFixing() ? `${strategy.line}. That is without your opening, ${opening}.` : strategy.line;
  if (state.rule !== "candidates") return fixed;
  const best = bestOfCandidates(game);
  const known = best ? `: the best tree of candidates here, ‘${best.label}’, needs ${meanOfTree(game, best)}` : "";
  return `${fixed}${isFixing() ? "" : "."} That is with all guesses allowed, not with candidates only${known}.`;
}

/** @type {(game: Game, strategy: Strategy) => string} */
const meanOfTree = (game, strategy) => ownTree(game, strategy).mean(0).toFixed(4);

// Advice and ranking. A strategy's tree has its guesses while the moves follow it, and a rule has its own; otherwise
// the advised guess is the first of the ranking.
/** @type {(members: Members) => void} */
function advise(members) {
  if (!helps("suggest") && !helps("best")) return forget("best");
  const { strategy } = play;
  const only = allowed(members);
  const planned = only === null ? plannedGuess() : null;
  const isByRanking = planned === null && (strategy.rule === null || strategy.place === 1);
  const fixed = fixedFrom(members);
  const isFixed = fixed.length > 0;
  if (helps("suggest")) {
    if (isFixed) adviseFixed(members, fixed);
    else if (planned) showSuggestion(planned.guess, planned.mean);
    else if (isByRanking) find("help-suggestion").textContent = "computing…";
    else suggestByRule(members, only);
  }
  if (helps("best") || (helps("suggest") && isByRanking && !isFixed)) {
    rank(members, only, planned, isByRanking, isFixed);
  } else forget("best");
}

// What the guess on the board is worth, before it is played.
/** @type {() => void} */
export function showWorth() {
  showOwnGuess();
  if (!helps("check") || !play.position.isOpen) return;
  const guess = guessEntered();
  if (guess === undefined) {
    const isWhole = !entry.slots.includes(null);
    find("help-worth").textContent = isWhole ? whyNoGuess() : "Compose a guess to see what it is worth.";
    return;
  }
  if (!play.game.isListed) return showSampledWorth(guess);
  const { members } = play.position.candidates;
  const worth = worthOf(play.game, guess, members);
  const consistent = worth.ends === 1
    ? "is the secret"
    : worth.isCandidate
    ? `is the secret with probability ${percent(worth.ends)}`
    : NO_CANDIDATE;
  find("help-worth").replaceChildren(
    codeView(play.game, play.game.guesses[guess]),
    ` ${consistent}. ${several(worth.cells, "answer is", "answers are")} possible; `,
    worth.cells === 1
      ? `it leaves ${several(worth.largest, "candidate")}.`
      : `they leave ${average(worth.expected)} candidates on average and ${grouped(worth.largest)} at most.`,
  );
}

// The guess of the strategy's rule.
/** @type {(members: Members, only: number[] | null) => Promise<void>} */
async function suggestByRule(members, only) {
  const { game, strategy } = play;
  const { moves } = play.position;
  find("help-suggestion").textContent = "computing…";
  const question = {
    rule: strategy.rule,
    members,
    turn: moves.length + 1,
    previous: moves.at(-1)?.id ?? -1,
    played: moves.map(({ guess }) => guess),
    only,
    wantsMean: only === null &&
      members.length * game.guesses.length <= MOST_FOR_MEAN &&
      (game.rows !== null || members.length < FEW_MEMBERS),
  };
  /** @type {(answer: { guess: number, mean: number | null, isSampled?: boolean }) => void} */
  const show = ({ guess, mean, isSampled }) => showSuggestion(guess, mean, { words: isSampled ? SAMPLED : "" });
  const answer = await ask("suggest", game, question, show);
  if (answer) show(answer);
}

const MOST_FOR_MEAN = 3e7; // pairs of guesses and candidates for which a rule's guesses to go are computed
find("play-hint").addEventListener("click", () => append({ kind: "hint" }));

onStrategy(
  find("play-strategy"),
  () => play.game,
  (strategy) => {
    setStrategy(strategy);
    dropAdvised();
    showPlay();
  },
);
