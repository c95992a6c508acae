// A tree of the visitor's from a file, walked in the explorer and compared with the best one of the page. It is no strategy
// of its game: no advice, review or link depends on it, and it is not stored.
import { LARGEST_FILE } from "../engine/limits.js";
import { bestTreeOf, ownTree, Tree } from "../engine/tree.js";
import { grouped, several } from "../engine/words.js";
import { ask, forget } from "./ask.js";
import { find, make } from "./elements.js";
import { exploreOther, explorerBoard } from "./explorer.js";

/** @import { Game } from "../engine/game.js" */
/** @import { Loaded } from "../engine/loading.js" */
/** @import { Strategy } from "../engine/tree.js" */

/**
 * Figures that a file states of its tree: total and maximum guesses, whatever stands there.
 * @typedef {{ total?: unknown, most?: unknown }} Stated
 */

const NAME = "loaded";

const LONGEST_FILE_NAME = 40; // characters of a file's name that are shown

/** @type {(file: File) => string} */
const fileName = ({ name }) => `‘${name.slice(0, LONGEST_FILE_NAME)}’`;

/** @type {(file: File, why: string) => void} */
function refuse(file, why) {
  find("tree-refused").textContent = `The tree of ${fileName(file)} can’t be loaded: ${why}`;
}

/** @type {() => void} */
function clearRefusal() {
  find("tree-refused").textContent = "";
}

// The file's text, or null with a line that says why it is not read.
/** @type {(file: File) => Promise<string | null>} */
async function textOf(file) {
  if (file.size > LARGEST_FILE) {
    refuse(file, `the file has ${grouped(file.size)} bytes, and this page reads at most ${grouped(LARGEST_FILE)}.`);
    return null;
  }
  try {
    return await file.text();
  } catch {
    refuse(file, "the browser can’t read the file.");
    return null;
  }
}

/** @type {(file: File) => Promise<void>} */
async function loadFile(file) {
  clearRefusal();
  const text = await textOf(file);
  if (text === null) return;
  const { game } = explorerBoard();
  const answer = /** @type {Loaded | null} */ (await ask("load", game, { name: game.name, text }));
  if (answer === null) return; // the explorer has gone on meanwhile
  if ("fault" in answer) return refuse(file, answer.fault);
  await exploreOther(game, strategyOf(game, answer, fileName(file)));
}

/** @type {(game: Game, loaded: { choices: number[], stated: Stated }, file: string) => Strategy} */
function strategyOf(game, { choices, stated }, file) {
  const strategy = {
    tree: NAME,
    label: `My tree, ${file}`,
    group: "From a file of mine",
    rule: null,
    choices,
    hasSingles: true,
    regrets: null,
  };
  const { totals, deepest } = new Tree(game, { ...strategy, line: "", total: Infinity });
  const line = `A tree of mine: this page has played all ${several(game.numberOfSecrets, "secret")} through it. ${
    comparedWords(game, totals[0])
  }${statedWords("guesses in total", stated.total, totals[0])}${statedWords("at most", stated.most, deepest[0])}`;
  return { ...strategy, line, total: totals[0] };
}

// What is said if a file states another figure than the one that was played.
/** @type {(what: string, stated: unknown, played: number) => string} */
function statedWords(what, stated, played) {
  if (stated === undefined || stated === played) return "";
  return ` The file states ${String(stated).slice(0, LONGEST_FILE_NAME)} ${what}, but it needs ${played}.`;
}

/** @type {(game: Game, total: number) => string} */
function comparedWords(game, total) {
  const best = bestTreeOf(game);
  if (!best) return "";
  const more = total - best.total;
  if (more === 0) return "It needs as many guesses as the best recorded tree.";
  const difference = `${several(Math.abs(more), "guess", "guesses")} ${more > 0 ? "above" : "below"}`;
  return `Its total is ${difference} that of the best recorded tree.`;
}

// Shows a loaded tree's figures beside those of the game's best tree, and nothing for other trees. With each step of the
// explorer what was said of a file goes.
/** @type {() => void} */
export function showCompared() {
  const { game, strategy } = explorerBoard();
  const best = bestTreeOf(game);
  const isLoaded = strategy.tree === NAME;
  forget("load");
  clearRefusal();
  find("tree-compared").hidden = !isLoaded;
  const rows = isLoaded ? [comparedRow(game, strategy.label, strategy)] : [];
  if (isLoaded && best) rows.push(comparedRow(game, `Best recorded tree (${best.label})`, best));
  find("tree-figures").replaceChildren(...rows);
}

/** @type {(game: Game, label: string, strategy: Strategy) => HTMLElement} */
function comparedRow(game, label, strategy) {
  const tree = ownTree(game, strategy);
  const figures = [grouped(tree.totals[0]), tree.mean(0).toFixed(4), tree.deepest[0]];
  return make(
    "tr",
    {},
    make("th", { scope: "row", text: label }),
    ...figures.map((figure) => make("td", { class: "n", text: figure })),
  );
}

const files = /** @type {HTMLInputElement} */ (document.getElementById("tree-file"));

find("tree-load").addEventListener("click", () => files.click());

files.addEventListener("change", () => {
  const file = files.files?.[0];
  if (file) loadFile(file).finally(() => (files.value = "")); // so that the same file may be chosen again
});
