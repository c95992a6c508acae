// Trees of strategies.

/** @import { Rule } from "./choice.js" */
/** @import { Game, Members, Move } from "./game.js" */
/** @import { AnyGame } from "./unlisted.js" */

/**
 * A strategy of the page: its name `tree`, what is said of it, the rule by which it scores guesses, and the guesses of
 * its tree at sets of several candidates; null for what it lacks. `total` is that of its tree, Infinity without one.
 * `place` is its place among the few that are shown first. With `hasSingles` the choices are those at all nodes: a tree
 * of a file may guess something else at a single candidate.
 * @typedef {object} Strategy
 * @property {string} tree
 * @property {string} [name]
 * @property {string} label
 * @property {string} line
 * @property {string} group
 * @property {number | null} [place]
 * @property {number} total
 * @property {Rule | null} rule
 * @property {number[] | null} choices
 * @property {boolean} [hasSingles]
 * @property {Regrets | null} [regrets]
 *
 * At each node the minimum total, a guess that attains it, and what the tree's guess loses.
 * @typedef {{ minimum: number[], best: number[], regret: number[] }} Regrets
 */

// A strategy's tree: each node's guess, last answer, candidates, total and maximum. Nodes are level by level, and those
// below a node are next to each other, in the order of the answers.
export class Tree {
  // `choices` has the guesses at sets of several candidates, as a single candidate is always guessed, unless the
  // strategy says that it has those too. All else follows from the game: a guess parts the candidates by their answers,
  // and each part is a node.
  /**
   * @param {Game} game
   * @param {Strategy} strategy
   */
  constructor(game, strategy) {
    const { regrets, hasSingles = false } = strategy;
    const choices = strategy.choices ?? [];
    /** @type {number[]} */
    this.guess = [];
    this.feedback = [-1];
    /** @type {number[]} */
    this.sizes = [];
    /** @type {number[]} */
    this.first = []; // the first node below each; the nodes below it end where those below the next one begin
    const sets = /** @type {(Members | null)[]} */ ([game.allSecrets]);
    let chosen = 0;
    for (let node = 0; node < sets.length; node++) {
      const members = sets[node] ?? [];
      const isSingle = members.length === 1;
      const guess = isSingle && !hasSingles ? members[0] : choices[chosen++];
      this.guess.push(guess);
      this.sizes.push(members.length);
      this.first.push(sets.length);
      sets[node] = null; // no longer needed
      if (isSingle && guess === members[0]) continue;
      for (const [id, cell] of game.cellsOf(guess, members).sort((a, b) => a[0] - b[0])) {
        this.feedback.push(id);
        sets.push(cell);
      }
    }
    this.first.push(sets.length);
    this.totals = [...this.sizes]; // set by `sumUp`
    this.deepest = this.sizes.map(() => 1);
    this.sumUp();
    this.regrets = regrets ? this.spread(regrets) : null;
  }

  // Sets each node's total and maximum, from the last one to the root.
  sumUp() {
    for (let node = this.sizes.length - 1; node >= 0; node--) {
      for (let child = this.first[node]; child < this.first[node + 1]; child++) {
        this.totals[node] += this.totals[child];
        this.deepest[node] = Math.max(this.deepest[node], this.deepest[child] + 1);
      }
    }
  }

  // The regrets at all nodes, from those at sets of several candidates: at a single candidate there is one best guess.
  /** @type {(regrets: Regrets) => Regrets} */
  spread(regrets) {
    /** @type {(known: number[], atSingle: (node: number) => number) => number[]} */
    const column = (known, atSingle) => {
      let next = 0;
      return this.sizes.map((n, node) => (n === 1 ? atSingle(node) : known[next++]));
    };
    return {
      minimum: column(regrets.minimum, () => 1),
      best: column(regrets.best, (node) => this.guess[node]),
      regret: column(regrets.regret, () => 0),
    };
  }

  /** @type {(node: number) => number[]} */
  childrenOf(node) {
    const first = this.first[node];
    return Array.from({ length: this.first[node + 1] - first }, (_, i) => first + i);
  }

  /** @type {(node: number, id: number | undefined) => number | null} */
  child(node, id) {
    return this.childrenOf(node).find((child) => this.feedback[child] === id) ?? null;
  }

  /** @type {(node: number) => number} */
  mean(node) {
    return this.totals[node] / this.sizes[node];
  }
}

const trees = new WeakMap();

// A strategy's tree, or null if the page has only its rule.
/** @type {(game: Game, strategy: Strategy) => Tree | null} */
export function treeOf(game, strategy) {
  if (!strategy.choices) return null;
  if (!trees.has(strategy)) trees.set(strategy, new Tree(game, strategy));
  return trees.get(strategy);
}

// The tree of a strategy that has one.
/** @type {(game: Game, strategy: Strategy) => Tree} */
export const ownTree = (game, strategy) => /** @type {Tree} */ (treeOf(game, strategy));

// The moves of a tree's game for a secret.
/** @type {(game: Game, tree: Tree, secret: number) => Move[]} */
export function movesOfTree(game, tree, secret) {
  const moves = [];
  let node = /** @type {number | null} */ (0);
  while (node !== null) {
    const guess = tree.guess[node];
    const id = game.feedbackOf(guess, secret);
    moves.push({ guess, id });
    node = tree.child(node, id);
  }
  return moves;
}

// The tree with the lowest total of those that guess nothing but candidates, if the page has one. Each of its guesses may
// be the secret, so it has as many nodes as there are secrets.
/** @type {(game: Game) => Strategy | undefined} */
export const bestOfCandidates = (game) =>
  game.strategies
    .filter((strategy) => strategy.choices && ownTree(game, strategy).guess.length === game.numberOfSecrets)
    .sort((a, b) => a.total - b.total)[0];

// The lowest maximum of guesses among the trees that the page offers first; null if it has none.
/** @type {(game: AnyGame) => number | null} */
export function fewestAtMost(game) {
  if (!game.isListed) return null;
  const offered = game.strategies.filter((strategy) => strategy.choices && strategy.place);
  if (offered.length === 0) return null;
  return Math.min(...offered.map((strategy) => ownTree(/** @type {Game} */ (game), strategy).deepest[0]));
}

// The tree with the lowest total that the page has of a game, if any.
/** @type {(game: AnyGame) => Strategy | undefined} */
export const bestTreeOf = (game) =>
  game.strategies.filter((strategy) => strategy.choices).sort((a, b) => a.total - b.total)[0];
