// Trees of strategies.

// A strategy's tree: each node's guess, last answer, candidates, total and maximum. Nodes are level by level, and those
// below a node are next to each other, in the order of the answers.
class Tree {
  // `choices` has the guesses at sets of several candidates, as a single candidate is always guessed. All else follows
  // from the game: a guess parts the candidates by their answers, and each part is a node.
  constructor(game, { choices, regrets }) {
    this.guess = [];
    this.feedback = [-1];
    this.sizes = [];
    this.first = []; // the first node below each; the nodes below it end where those below the next one begin
    const sets = [game.allSecrets];
    let chosen = 0;
    for (let node = 0; node < sets.length; node++) {
      const members = sets[node];
      const isSingle = members.length === 1;
      const guess = isSingle ? members[0] : choices[chosen++];
      this.guess.push(guess);
      this.sizes.push(members.length);
      this.first.push(sets.length);
      sets[node] = null; // no longer needed
      if (isSingle) continue;
      for (const [id, cell] of game.cellsOf(guess, members).sort((a, b) => a[0] - b[0])) {
        this.feedback.push(id);
        sets.push(cell);
      }
    }
    this.first.push(sets.length);
    this.sumUp();
    this.regrets = regrets && this.spread(regrets);
  }

  // Sets each node's total and maximum, from the last one to the root.
  sumUp() {
    this.totals = [...this.sizes];
    this.deepest = this.sizes.map(() => 1);
    for (let node = this.sizes.length - 1; node >= 0; node--) {
      for (let child = this.first[node]; child < this.first[node + 1]; child++) {
        this.totals[node] += this.totals[child];
        this.deepest[node] = Math.max(this.deepest[node], this.deepest[child] + 1);
      }
    }
  }

  // The regrets at all nodes, from those at sets of several candidates: at a single candidate there is one best guess.
  spread(regrets) {
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

  childrenOf(node) {
    const first = this.first[node];
    return Array.from({ length: this.first[node + 1] - first }, (_, i) => first + i);
  }

  child(node, id) {
    return this.childrenOf(node).find((child) => this.feedback[child] === id) ?? null;
  }

  mean(node) {
    return this.totals[node] / this.sizes[node];
  }
}

const trees = new WeakMap();

// A strategy's tree, or null if the page has only its rule.
export function treeOf(game, strategy) {
  if (!strategy.choices) return null;
  if (!trees.has(strategy)) trees.set(strategy, new Tree(game, strategy));
  return trees.get(strategy);
}

// The moves of a tree's game for a secret.
export function movesOfTree(game, tree, secret) {
  const moves = [];
  for (let node = 0; node !== null; node = tree.child(node, moves.at(-1).id)) {
    const guess = tree.guess[node];
    moves.push({ guess, id: game.feedbackOf(guess, secret) });
  }
  return moves;
}

// The tree with the lowest total that the page has of a game, if any.
export const bestTreeOf = (game) =>
  game.strategies.filter((strategy) => strategy.choices).sort((a, b) => a.total - b.total)[0];
