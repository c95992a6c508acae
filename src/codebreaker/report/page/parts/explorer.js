// The explorer: walks a strategy's tree from the root, one feedback at a time.
import { ownTree } from "../engine/tree.js";
import { grouped, several } from "../engine/words.js";
import { openGame } from "./catalogue.js";
import { fillStrategies, onStrategy } from "./choices.js";
import { allWithin, define, find, make, targetOf, within } from "./elements.js";
import { grownFrom, isGrown, openingOfName } from "./grown.js";
import { codeView, fillPad, listCodes, moveView } from "./pegs.js";

/** @import { Link } from "../records/links.js" */
/** @import { Game, Members, Move } from "../engine/game.js" */
/** @import { Strategy, Tree } from "../engine/tree.js" */

/** @type {{ game: Game, strategy: Strategy, path: number[] }} */
const explorer = /** @type {any} */ ({ game: null, strategy: null, path: [0] });

// Who is told of each step.
let onStep = () => {};

/** @type {(listener: () => void) => void} */
export function watchExplorer(listener) {
  onStep = listener;
}

// Opens a game's strategy; the best without a name.
/** @type {(name: string, tree?: string | null) => Promise<void>} */
export async function exploreGame(name, tree = null) {
  const game = await openGame(name);
  explorer.game = game;
  find("explorer-game").value = name;
  exploreStrategy(fillStrategies(find("explorer-strategy"), game, tree));
}

/** @type {(strategy: Strategy) => void} */
function exploreStrategy(strategy) {
  Object.assign(explorer, { strategy, path: [0] });
  showExplorer();
}

// Grows a tree from an opening and opens it; returns whether that was possible.
/** @type {(game: Game, opening: number) => Promise<boolean>} */
export async function exploreFrom(game, opening) {
  const strategy = await grownFrom(game, opening);
  if (strategy === null) return false;
  await exploreOther(game, strategy);
  return true;
}

// Opens a tree that is no strategy of its game: it is in the list until another one is opened.
/** @type {(game: Game, strategy: Strategy) => Promise<void>} */
export async function exploreOther(game, strategy) {
  await exploreGame(game.name);
  const select = find("explorer-strategy");
  select.prepend(make("option", { value: strategy.tree, text: strategy.label }));
  select.value = strategy.tree;
  exploreStrategy(strategy);
}

// The candidates at each node of the path.
function candidatesAlong() {
  const { game, path } = explorer;
  const tree = ownTree(game, explorer.strategy);
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  for (let i = 1; i < path.length; i++) {
    sets.push(game.keep(sets[i - 1], tree.guess[path[i - 1]], tree.feedback[path[i]]));
  }
  return sets;
}

// The position: its strategy, its candidates, the moves that led to it, and the strategy's guess with the guesses to go of
// its tree.
/** @type {() => { game: Game, strategy: Strategy, members: Members, moves: Move[], planned: number, mean: number }} */
export function explorerBoard() {
  const { game, strategy, path } = explorer;
  const tree = ownTree(game, strategy);
  const sets = candidatesAlong();
  const moves = path.slice(1).map((node, i) => ({ guess: tree.guess[path[i]], id: tree.feedback[node] }));
  const node = path[path.length - 1];
  return { game, strategy, members: sets[sets.length - 1], moves, planned: tree.guess[node], mean: tree.mean(node) };
}

function showExplorer() {
  const { game, strategy, path } = explorer;
  const tree = ownTree(game, strategy);
  const sets = candidatesAlong();
  const members = sets[sets.length - 1];
  const node = Number(path.at(-1));
  const guess = tree.guess[node];
  find("explorer-line").textContent = strategy.line;
  find("explorer-moves").replaceChildren(
    ...path
      .slice(1)
      .map((child, i) =>
        moveView(
          game,
          tree.guess[path[i]],
          tree.feedback[child],
          `${several(sets[i + 1].length, "candidate")} left`,
        )
      ),
    make(
      "li",
      { class: "next" },
      codeView(game, game.guesses[guess]),
      make("small", { text: "the strategy's guess" }),
    ),
  );
  const solves = members.includes(guess);
  const ids = tree.childrenOf(node).map((child) => tree.feedback[child]);
  const sizes = tree.childrenOf(node).map((child) => tree.sizes[child]);
  const notes = sizes.map((n) => `${grouped(n)} of ${grouped(members.length)}`);
  if (solves) (ids.push(game.solved), notes.push("1, solved"));
  fillPad(find("explorer-pad"), game, ids, notes, stepTo);
  find("explorer-back").disabled = find("explorer-restart").disabled = path.length === 1;
  find("explorer-status").textContent = `Guess ${path.length}: ${game.guesses[guess]}, with ${
    several(members.length, "candidate")
  } left.`;
  define(find("explorer-facts"), explorerFacts(tree, node, solves));
  find("explorer-count").textContent = several(members.length, "candidate");
  listCodes(find("explorer-codes"), game, members);
  onStep();
}

/** @type {(tree: Tree, node: number, solves: boolean) => [string, string | Node][]} */
function explorerFacts(tree, node, solves) {
  const { game } = explorer;
  const regrets = tree.regrets;
  const n = tree.sizes[node];
  const separates = tree.childrenOf(node).length > 1;
  const notCandidate = separates ? "not a candidate, but it separates them" : "not a candidate, and it tells nothing";
  const facts = /** @type {[string, string | Node][]} */ ([
    ["remaining guesses", `${tree.mean(node).toFixed(4)} expected, at most ${tree.deepest[node]}`],
    ["this guess is", solves ? "a candidate" : notCandidate],
  ]);
  if (!regrets) {
    return [...facts, [
      "optimal play",
      isOfGame() ? "not computed for this game" : "not computed for this tree",
    ]];
  }
  const minimum = regrets.minimum[node];
  const regret = regrets.regret[node];
  const best = make(
    "span",
    {},
    codeView(game, game.guesses[regrets.best[node]]),
    ` ${(minimum / n).toFixed(4)} expected`,
  );
  const total = `${several(regret, "guess", "guesses")} over the ${grouped(n)} candidates`;
  const cost = regret === 0 ? "nothing: it is also optimal" : `${total}, ${(regret / n).toFixed(4)} each`;
  return [
    ...facts,
    ["an optimal guess", best],
    ["this move costs", cost],
    ["this and all later moves cost", several(tree.totals[node] - minimum, "guess", "guesses")],
  ];
}

/** @type {(id: number) => void} */
function stepTo(id) {
  const { game, strategy, path } = explorer;
  const tree = ownTree(game, strategy);
  const node = Number(path.at(-1));
  if (id === game.solved) {
    find("explorer-status").textContent = `${game.guesses[tree.guess[node]]} is the secret: solved with ${
      several(path.length, "guess", "guesses")
    }.`;
    return;
  }
  path.push(Number(tree.child(node, id)));
  showExplorer();
  within(find("explorer-pad"), "button").focus({ preventScroll: true });
}

find("explorer-game").addEventListener("change", (event) => exploreGame(targetOf(event).value));
onStrategy(find("explorer-strategy"), () => explorer.game, exploreStrategy);

find("explorer-back").addEventListener("click", () => {
  explorer.path.pop();
  showExplorer();
});

find("explorer-restart").addEventListener("click", () => {
  explorer.path = [0];
  showExplorer();
});

for (const link of allWithin(document, "[data-explore]")) {
  link.addEventListener("click", () => {
    const [game, tree] = String(link.dataset.explore).split("/");
    exploreGame(game, tree);
  });
}

// Whether the tree is one of the page's strategies of the game. Only then the explorer opens as it is at the next visit:
// others would have to be grown or loaded first.
/** @type {() => boolean} */
export const isOfGame = () => explorer.game.strategies.includes(explorer.strategy);

// Whether a link can show the tree: a loaded one is nowhere but in its file.
/** @type {() => boolean} */
export const hasLink = () => isOfGame() || isGrown(explorer.strategy);

/** @type {() => Link} */
export function explorerState() {
  const { game, strategy, path } = explorer;
  const tree = ownTree(game, strategy);
  const answers = path.slice(1).map((node) => game.feedback[tree.feedback[node]]);
  return { tree: `${game.name}/${strategy.tree}`, node: answers.join("_") };
}

/** @type {(link: Link) => Promise<void>} */
export async function openTreeOf({ tree: names, node }) {
  const [name, tree] = names.split("/");
  const isKnown = [...find("explorer-game").options].some((option) => option.value === name);
  if (!isKnown) throw new RangeError(`this page doesn't have the game '${name.slice(0, 40)}'.`);
  const game = await openGame(name);
  const opening = openingOfName(game, tree);
  if (opening !== undefined) {
    if (!await exploreFrom(game, opening)) throw new RangeError("its tree takes too long to grow here.");
  } else {
    if (!game.strategies.some((strategy) => strategy.tree === tree)) {
      throw new RangeError("this page doesn't have its strategy.");
    }
    await exploreGame(name, tree);
  }
  for (const label of node ? node.split("_") : []) {
    const next = ownTree(game, explorer.strategy).child(Number(explorer.path.at(-1)), game.idOf.get(label));
    if (next === null) throw new RangeError(`its answer '${label.slice(0, 20)}' can't occur there.`);
    explorer.path.push(next);
  }
  showExplorer();
}
