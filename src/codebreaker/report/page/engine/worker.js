// The worker answers one question at a time; the page may end it.
import { findCandidates } from "./candidates.js";
import { choose, pickGuess, scoresOf, totalOf } from "./choice.js";
import { Game } from "./game.js";
import { choicesFrom } from "./growth.js";
import { loadTree } from "./loading.js";
import { meanOfOrdinary } from "./ordinary.js";
import { firstPuzzle, reasonOfPuzzle } from "./puzzle.js";
import { Generator } from "./random.js";
import { review } from "./regret.js";
import { chooseBySample, repairsBySample } from "./sampled.js";
import { UnlistedGame } from "./unlisted.js";
import { Values } from "./values.js";
import { bestGuesses, compareGuess, LOOKUPS_PER_RANKING, poolOf } from "./worth.js";

/** @import { Known } from "./values.js" */

/** @type {Record<string, (question: any, tell: (part: any) => void) => any>} */
const ANSWERS = {
  // A rule's guess: of those in `only`, or of all guesses that can be scored in time.
  suggest({ rule, members, turn, previous, played, wantsMean, only }, tell) {
    const { game } = desk;
    if (members.length < 3) return { guess: members[0], mean: only ? null : 2 - 1 / members.length };
    const allowed = only ?? (rule.consistentOnly ? members : null);
    const { pool, isSampled } = poolOf(game, members, played, allowed);
    if (only === null && !isSampled) {
      const guess = choose(game, rule, members, turn, previous, played);
      if (!wantsMean) return { guess, mean: null };
      tell({ guess, mean: null });
      return { guess, mean: totalOf(game, rule, members, turn, previous) / members.length };
    }
    const scores = scoresOf(game, rule, members, { turn, previous, played }, pool);
    const guess = pickGuess(game, rule, members, pool, scores) ?? members[0];
    return { guess, mean: null, isSampled };
  },
  best({ members, known, ...question }, tell) {
    return bestGuesses(desk.game, valuesOfRanking(known), members, question, tell);
  },
  compare({ members, known, ...question }) {
    return compareGuess(desk.game, valuesOfRanking(known), members, question);
  },
  opening(question, tell) {
    return ANSWERS.compare(question, tell);
  },
  tried(question, tell) {
    return ANSWERS.compare(question, tell);
  },
  review({ moves, known }, tell) {
    return review(desk.game, known, moves, (done) => tell({ done }));
  },
  // The guesses of a tree from an opening.
  grow({ opening, known }) {
    return choicesFrom(desk.game, opening, known);
  },
  // The guesses of the tree of a file, or its fault.
  load({ name, text }) {
    return loadTree(desk.game, name, text);
  },
  // The first of some positions in which one guess is best.
  puzzle({ positions }) {
    return firstPuzzle(desk.game, positions);
  },
  reason({ moves, mine }) {
    return reasonOfPuzzle(desk.game, moves, mine);
  },
  ordinary() {
    return meanOfOrdinary(desk.game);
  },
  // Candidates and good guesses of a game whose codes are not listed.
  sample({ moves, seed, ...question }, tell) {
    const generator = new Generator(seed);
    const candidates = findCandidates(desk.game, moves, generator);
    if (candidates.codes.length === 0) return { candidates, advice: null };
    tell({ candidates });
    return { candidates, advice: chooseBySample(desk.game, moves, candidates, question, generator) };
  },
  // The numbers of candidates of boards, one by one, each under its name.
  count({ boards }, tell) {
    for (const { name, moves, seed } of boards) {
      tell({ name, candidates: { ...findCandidates(desk.game, moves, new Generator(seed)), codes: [], heldOut: [] } });
    }
    return null;
  },
  repairs({ moves, seed }) {
    return repairsBySample(desk.game, moves, new Generator(seed));
  },
};

// Each answer has new values: none depends on what was asked before.
/** @type {(known: Known) => Values} */
const valuesOfRanking = (known) => new Values(desk.game, known, LOOKUPS_PER_RANKING);

// The game of the questions: each question comes with its game, if that is another one.
const desk = { game: /** @type {any} */ (null) };

if (typeof document === "undefined") {
  globalThis.onmessage = ({ data: { id, kind, question, game } }) => {
    if (game) desk.game = game.guesses ? new Game(game) : new UnlistedGame(game);
    /** @type {(part: any) => void} */
    const tell = (part) => postMessage({ id, part });
    postMessage({ id, answer: ANSWERS[kind](question, tell) });
  };
}
