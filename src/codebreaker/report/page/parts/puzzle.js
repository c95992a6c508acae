// The puzzle of the day: a position of a game's best tree in which one code fits, or one guess is better than all others.
// The player has one guess, and then reads the reason. Like the code of the day it is the same for everyone, and kept.
import { membersAfter } from "../engine/puzzle.js";
import { hashOf } from "../engine/random.js";
import { bestTreeOf, ownTree } from "../engine/tree.js";
import { feedbackWords } from "../engine/naming.js";
import { grouped, several } from "../engine/words.js";
import { today } from "../records/events.js";
import { allRecords } from "../records/storage.js";
import { ask } from "./ask.js";
import { find } from "./elements.js";
import { closeMenu, say, showTask } from "./messages.js";
import { begin, openRecord, play, sure } from "./play.js";
import { whyTables } from "./why.js";

/** @import { Game, Move } from "../engine/game.js" */
/** @import { Reason } from "../engine/puzzle.js" */
/** @import { Tree } from "../engine/tree.js" */

const FEWEST_MOVES = 2; // before the guess that is asked for
const FEW = [3, 8]; // candidates of a position in which the best guess is asked for
const MOST_POSITIONS = 60; // that are looked at for one with a single best guess

// Whether the only code that fits is asked for, or the best guess.
/** @type {(moves: Move[], game: Game) => boolean} */
const isOfOneCode = (moves, game) => membersAfter(game, moves).length === 1;

// Opens today's puzzle as I left it, or begins it.
async function playPuzzle() {
  const { game } = play;
  const day = today();
  const begun = allRecords().find(({ events: [start] }) => start.puzzle === day && start.game === game.name);
  if (begun) return openRecord(begun, "You have opened today’s puzzle before: here it is as you left it.");
  const strategy = bestTreeOf(game);
  if (!strategy) {
    return say("This game has no tree to take a puzzle from: choose another one, such as 4 pegs and 6 colours.");
  }
  const puzzle = await puzzleOf(game, ownTree(game, strategy), day);
  if (puzzle === null || play.game !== game) return;
  const { moves, best } = puzzle;
  const members = membersAfter(game, moves);
  const given = moves.map(({ guess, id }) => ({ kind: "move", guess: game.guesses[guess], answer: game.feedback[id] }));
  const settings = {
    origin: "puzzle",
    mode: "hidden",
    rule: "any",
    puzzle: day,
    best: game.guesses[best],
    given: given.length,
    secret: members[hashOf(`${day} secret`) % members.length],
  };
  begin(game, settings, given);
}

// The moves and the guess that is asked for on a day; null if none is found.
/** @typedef {{ moves: Move[], best: number } | null} Puzzle */
/** @type {(game: Game, tree: Tree, day: string) => Puzzle | Promise<Puzzle>} */
function puzzleOf(game, tree, day) {
  const [fewest, most] = FEW;
  const asksForCode = hashOf(`${day} kind`) % 2 === 0;
  /** @type {(n: number) => boolean} */
  const isOfSize = (n) => (asksForCode ? n === 1 : n >= fewest && n <= most);
  const paths = movesToNodes(tree);
  const nodes = [...tree.sizes.keys()].filter((node) =>
    isOfSize(tree.sizes[node]) && paths[node].length >= FEWEST_MOVES
  );
  if (nodes.length === 0) return null;
  const first = hashOf(`${day} ${game.name}`) % nodes.length;
  if (asksForCode) return { moves: paths[nodes[first]], best: tree.guess[nodes[first]] };
  const positions = Array.from(
    { length: Math.min(MOST_POSITIONS, nodes.length) },
    (_, i) => paths[nodes[(first + i) % nodes.length]],
  );
  return ask("puzzle", game, { positions });
}

// The moves that lead to each node.
/** @type {(tree: Tree) => Move[][]} */
function movesToNodes(tree) {
  /** @type {Move[][]} */
  const paths = [[]];
  tree.guess.forEach((guess, node) => {
    for (const child of tree.childrenOf(node)) paths[child] = [...paths[node], { guess, id: tree.feedback[child] }];
  });
  return paths;
}

// What is asked, in a sentence.
/** @type {() => string} */
export function puzzleGoal() {
  const { game, state, position } = play;
  const given = position.asked.slice(0, state.given);
  const question = isOfOneCode(given, game)
    ? "One code fits all answers. Which one?"
    : `${
      several(membersAfter(game, given).length, "code fits", "codes fit")
    } all answers, and one guess is better than all others. Which one?`;
  return `The puzzle of ${state.puzzle}, the same for everyone until midnight UTC. ${question} You have one guess.`;
}

// Shows whether the guess was the right one, and why.
/** @type {() => Promise<void>} */
export async function showPuzzle() {
  const { game, record, state, position } = play;
  const given = position.asked.slice(0, state.given);
  const mine = state.hasGivenUp ? null : position.asked[given.length].guess;
  const isRight = mine !== null && game.guesses[mine] === state.best;
  find("play-puzzled").hidden = false;
  find("puzzle-title").textContent = isRight ? "Right" : mine === null ? "The answer" : "Not the right guess";
  find("puzzle-why").replaceChildren();
  if (isOfOneCode(given, game)) {
    find("puzzle-told").textContent = reasonOfCode(game, given, mine, isRight);
    return;
  }
  find("puzzle-told").textContent = "computing…";
  const reason = await ask("reason", game, { moves: given, mine });
  if (reason === null || play.record.id !== record.id) return;
  find("puzzle-told").textContent = reasonOfGuess(game, reason, isRight);
  const members = membersAfter(game, given);
  const best = { name: "The best:", worth: reason.best, members };
  const isOther = reason.mine !== null && !isRight;
  const mineToo = isOther ? [{ name: "Yours:", worth: reason.mine, members }] : [];
  find("puzzle-why").replaceChildren(...whyTables(game, [...mineToo, best]));
}

// Why one code fits: how many each answer left, and the first answer that another code would not have got.
/** @type {(game: Game, given: Move[], mine: number | null, isRight: boolean) => string} */
function reasonOfCode(game, given, mine, isRight) {
  const left = given.map((_, i) => membersAfter(game, given.slice(0, i + 1)).length);
  const counts = left.map((n, i) => `guess ${i + 1} left ${n === 1 ? "one" : grouped(n)}`);
  const code = game.guesses[membersAfter(game, given)[0]];
  const only = `${code} is the only code that fits: of ${grouped(game.numberOfSecrets)}, ${counts.join(", ")}.`;
  if (mine === null || isRight) return only;
  const wrong = given.findIndex(({ guess, id }) => game.feedbackOf(guess, mine) !== id);
  const answer = feedbackWords(game, game.feedbackOf(given[wrong].guess, mine));
  return `${game.guesses[mine]} does not fit: guess ${wrong + 1} would have had ${answer}. ${only}`;
}

/** @type {(game: Game, reason: Reason, isRight: boolean) => string} */
function reasonOfGuess(game, { best, mine, second }, isRight) {
  const n = best.parts.reduce((sum, part) => sum + part, 0);
  const label = game.guesses[best.guess];
  const parts = `it splits ${several(n, "candidate")} into ${several(best.cells, "part")}`;
  const needs = `${label} needs ${Number(best.mean).toFixed(2)} more guesses on average, the next best guess ${
    second.toFixed(2)
  }: ${parts}.`;
  if (mine === null || isRight) return needs;
  const ofMine = mine.mean === null ? "more" : mine.mean.toFixed(2);
  return `${game.guesses[mine.guess]} needs ${ofMine}. ${needs}`;
}

for (const id of ["play-puzzle", "start-puzzle"]) {
  find(id).addEventListener("click", () => {
    closeMenu();
    sure("Start today’s puzzle? This game is left unfinished.", "Start it", async () => {
      await playPuzzle();
      showTask();
    });
  });
}
