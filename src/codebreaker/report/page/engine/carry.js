// Moves carried over by symmetry: a tree also answers games that rename its symbols and positions, in any order of
// moves. A symmetry permutes the positions of all codes and renames their symbols, which keeps every answer. Words have
// none.
import { ownTree } from "./tree.js";

/** @import { Game, Members, Move } from "./game.js" */
/** @import { Tree } from "./tree.js" */
/** @import { Known, Value } from "./values.js" */

/**
 * How a game's codes are renamed to those of a tree.
 * @typedef {{ order: number[], names: number[][] }} Renaming
 *
 * A node that moves lead to, with the renamings under which they do.
 * @typedef {{ node: number, renamings: Renaming[] }} Match
 */

const MOST_PERMUTED = 7; // pegs whose positions are permuted
const UNNAMED = -1; // stands for the name of a symbol that has none yet

// The node of a tree that moves lead to, with a renaming of its codes; null if they lead to none. Of several the one
// with the lowest total, then with the lowest maximum, so that names and the order of moves don't change the advice.
/** @type {(game: Game, tree: Tree, moves: Move[]) => { node: number, renaming: Renaming } | null} */
export function follow(game, tree, moves) {
  /** @type {(a: Match, b: Match) => number} */
  const byTotal = (a, b) => tree.totals[a.node] - tree.totals[b.node] || tree.deepest[a.node] - tree.deepest[b.node];
  const [best] = matchesOf(game, tree, moves).sort(byTotal);
  return best ? { node: best.node, renaming: best.renamings[0] } : null;
}

// All nodes that moves lead to, in any order and under any names, each with its renamings.
/** @type {(game: Game, tree: Tree, moves: Move[]) => Match[]} */
const matchesOf = (game, tree, moves) => [...matchesFrom(game, tree, 0, moves, everyRenaming(game))];

// A renaming has the `order` of positions, and the tree's `names` of the symbols so far: the tree has at `peg` the name
// of what a code of the game has at `order[peg]`. There is a list of names for all pegs, or one for each.
/** @type {(game: Game) => Renaming[]} */
function everyRenaming(game) {
  const { pegs, symbols, spelled } = game;
  const usual = [...Array(pegs).keys()];
  const orders = spelled || pegs > MOST_PERMUTED ? [usual] : permutationsOf(usual);
  const names = spelled ? [...symbols.keys()] : Array(symbols.length).fill(UNNAMED);
  const lists = Array(namesByPeg(game) ? pegs : 1).fill(names);
  return orders.map((order) => ({ order, names: lists }));
}

// Without white pegs, the symbols of each position are independent.
/** @type {(game: Game) => boolean} */
const namesByPeg = ({ family, symbols, pegs, numberOfSecrets }) =>
  family === "black" && numberOfSecrets === symbols.length ** pegs;

// All orders of a list, the usual one first.
/** @type {<T>(list: T[]) => T[][]} */
function permutationsOf(list) {
  if (list.length < 2) return [list];
  return list.flatMap((first, i) => permutationsOf(list.filter((_, k) => k !== i)).map((rest) => [first, ...rest]));
}

// The nodes that the moves `left` lead to from a node. Under the renamings the moves before agree with the tree.
/** @type {(game: Game, tree: Tree, node: number, left: Move[], renamings: Renaming[]) => Iterable<Match>} */
function* matchesFrom(game, tree, node, left, renamings) {
  if (left.length === 0) {
    yield { node, renamings };
    return;
  }
  for (const [number, { guess, id }] of left.entries()) {
    const below = tree.child(node, id);
    if (below === null) continue;
    const fitting = renamings
      .map((renaming) => namedAs(game, renaming, guess, tree.guess[node]))
      .filter((renaming) => renaming !== null);
    const others = left.filter((_, i) => i !== number);
    if (fitting.length > 0) yield* matchesFrom(game, tree, below, others, fitting);
  }
}

// A renaming with the further names by which a guess is a code of the tree; null if other names are known. Different
// symbols have different names.
/** @type {(game: Game, renaming: Renaming, guess: number, code: number) => Renaming | null} */
function namedAs(game, { order, names: old }, guess, code) {
  const from = game.codeOf(guess);
  const to = game.codeOf(code);
  const names = old.map((list) => [...list]);
  for (let peg = 0; peg < game.pegs; peg++) {
    const list = names[peg % names.length];
    const symbol = from[order[peg]];
    if (list[symbol] === UNNAMED && !list.includes(to[peg])) list[symbol] = to[peg];
    if (list[symbol] !== to[peg]) return null;
  }
  return { order, names };
}

// The game's code that a code of the tree stands for. Symbols without a name get the free names in their order.
/** @type {(game: Game, code: number, renaming: Renaming) => number} */
export function meaningOf(game, code, { order, names }) {
  const symbolsNamed = names.map((list) => {
    const free = [...list.keys()].filter((name) => !list.includes(name));
    const all = list.map((name) => (name === UNNAMED ? Number(free.shift()) : name));
    const symbols = /** @type {number[]} */ ([]);
    all.forEach((name, symbol) => (symbols[name] = symbol));
    return symbols;
  });
  const label = Array(game.pegs);
  game.codeOf(code).forEach((name, peg) => {
    label[order[peg]] = game.symbols[symbolsNamed[peg % names.length][name]];
  });
  return Number(game.indexOf.get(label.join(game.guesses[0].includes(".") ? "." : "")));
}

// Totals of a game's candidate sets, from the page's trees: minimum totals where regrets are known. Games of words may
// have a recorded total of all secrets.
const STRONG = 1.01;

/** @type {(game: Game, moves: Move[]) => Known} */
export function knownValues(game, moves) {
  const known = new Map();
  const sets = /** @type {Members[]} */ ([game.allSecrets]);
  for (const { guess, id } of moves) sets.push(game.keep(sets[sets.length - 1], guess, id));
  const planned = game.strategies.filter((strategy) => strategy.choices);
  const compared = planned.filter((strategy) => strategy.regrets);
  if (game.reference) {
    const { guess, total } = game.reference;
    known.set(sets[0].join(), { total, best: guess, exact: false });
  }
  if (planned.length > 0) {
    const lowest = compared[0] ?? planned.reduce((a, b) => (b.total < a.total ? b : a));
    known.set(sets[0].join(), valueOfNode(ownTree(game, lowest), 0));
  }
  const lowest = Math.min(...planned.map((strategy) => strategy.total));
  const strong = planned.filter((strategy) => strategy.total <= STRONG * lowest);
  for (const strategy of compared.length ? compared : strong.sort((a, b) => a.total - b.total)) {
    const tree = ownTree(game, strategy);
    /** @type {(members: Members, node: number, renaming: Renaming) => void} */
    const note = (members, node, renaming) => {
      const { total, best, exact } = valueOfNode(tree, node);
      const key = members.join();
      if (known.has(key) && known.get(key).total <= total) return;
      known.set(key, { total, best: meaningOf(game, best, renaming), exact });
    };
    sets.forEach((members, depth) => {
      const move = moves[depth];
      for (const { node, renamings } of matchesOf(game, tree, moves.slice(0, depth))) {
        note(members, node, renamings[0]);
        if (!move) continue;
        // If the tree plays the same guess, its nodes below have what the other answers leave.
        const same = firstNamedAs(game, renamings, move.guess, tree.guess[node]);
        if (!same) continue;
        for (const child of tree.childrenOf(node)) {
          note(game.keep(members, move.guess, tree.feedback[child]), child, same);
        }
      }
    });
  }
  return [...known];
}

// The value of the set at a node: the minimum total if regrets are known, otherwise the tree's.
/** @type {(tree: Tree, node: number) => Value} */
function valueOfNode(tree, node) {
  const { regrets } = tree;
  if (regrets) return { total: regrets.minimum[node], best: regrets.best[node], exact: true };
  return { total: tree.totals[node], best: tree.guess[node], exact: false };
}

// The first renaming by which a guess is a code of the tree; null if there is none.
/** @type {(game: Game, renamings: Renaming[], guess: number, code: number) => Renaming | null} */
function firstNamedAs(game, renamings, guess, code) {
  for (const renaming of renamings) {
    const same = namedAs(game, renaming, guess, code);
    if (same) return same;
  }
  return null;
}
