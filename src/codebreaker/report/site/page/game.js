// Games: codes by index, feedback, and candidate sets.
const MAX_TABLE_CELLS = 4e6;

const symbolsOf = (label) => (label.includes(".") ? label.split(".") : [...label]);

class Game {
  constructor(data) {
    Object.assign(this, data);
    this.spelled = this.family === "matches" || this.family === "marks";
    const rows = this.guesses.map(symbolsOf);
    this.pegs = rows[0].length;
    this.symbols = [...new Set(rows.flat())].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const at = new Map(this.symbols.map((symbol, i) => [symbol, i]));
    this.codes = new Uint8Array(rows.length * this.pegs);
    rows.forEach((row, i) => row.forEach((symbol, peg) => (this.codes[i * this.pegs + peg] = at.get(symbol))));
    this.allSecrets = Int32Array.from(this.secrets ?? rows.keys());
    this.indexOf = new Map(this.guesses.map((label, i) => [label, i]));
    this.idOf = new Map(this.feedback.map((label, id) => [label, id]));
    this.left = new Uint8Array(this.symbols.length);
    if (!this.spelled) this.ids = this.idsByPegs();
    if (this.guesses.length * this.allSecrets.length <= MAX_TABLE_CELLS) this.table = this.fillTable();
  }

  // Feedback ids, indexed by black * (pegs + 1) + common symbols.
  idsByPegs() {
    const wide = this.pegs + 1, ids = new Int16Array(wide * wide).fill(-1);
    for (let black = 0; black < wide; black++)
      for (let common = black; common < wide; common++) {
        const label = this.family === "black" ? `${black}B` : `${black}B-${common - black}C`;
        ids[black * wide + common] = this.idOf.get(label) ?? -1;
      }
    return ids;
  }

  fillTable() {
    const n = this.guesses.length, table = new Uint8Array(n * n);
    for (let guess = 0; guess < n; guess++) for (const secret of this.allSecrets) table[guess * n + secret] = this.compute(guess, secret);
    return table;
  }

  feedbackOf(guess, secret) {
    return this.table ? this.table[guess * this.guesses.length + secret] : this.compute(guess, secret);
  }

  compute(guess, secret) {
    return this.family === "marks" ? this.marks(guess, secret) : this.count(guess, secret);
  }

  count(guess, secret) {
    const { pegs, codes, left } = this, g = guess * pegs, s = secret * pegs;
    let black = 0, common = 0;
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) {
      if (codes[g + peg] === codes[s + peg]) black++;
      left[codes[s + peg]]++;
    }
    if (this.family === "matches") return this.idOf.get(String(black));
    for (let peg = 0; peg < pegs; peg++) if (left[codes[g + peg]] > 0) (left[codes[g + peg]]--, common++);
    return this.ids[black * (pegs + 1) + common];
  }

  marks(guess, secret) {
    const { pegs, codes, left } = this, g = guess * pegs, s = secret * pegs, marks = Array(pegs).fill("b");
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) {
      if (codes[g + peg] === codes[s + peg]) marks[peg] = "g";
      else left[codes[s + peg]]++;
    }
    for (let peg = 0; peg < pegs; peg++)
      if (marks[peg] === "b" && left[codes[g + peg]] > 0) {
        marks[peg] = "y";
        left[codes[g + peg]]--;
      }
    return this.idOf.get(marks.join(""));
  }

  // The candidates that would give a guess this feedback.
  keep(members, guess, id) {
    return members.filter((secret) => this.feedbackOf(guess, secret) === id);
  }
}

const games = new Map();

async function openGame(name) {
  if (!games.has(name)) games.set(name, unpack(`game-${name}`).then((data) => new Game(data)));
  return games.get(name);
}

// A strategy's tree: children of each node, and the total and maximum of guesses from it on.
class Tree {
  constructor(strategy) {
    const { parent, guess, feedback, n_candidates: sizes } = strategy.nodes;
    Object.assign(this, { guess, feedback, sizes, prices: strategy.prices });
    this.children = guess.map(() => []);
    this.totals = [...sizes];
    this.deepest = guess.map(() => 1);
    for (let node = guess.length - 1; node > 0; node--) {
      this.children[parent[node]].unshift(node);
      this.totals[parent[node]] += this.totals[node];
      this.deepest[parent[node]] = Math.max(this.deepest[parent[node]], this.deepest[node] + 1);
    }
  }

  child(node, id) {
    return this.children[node].find((child) => this.feedback[child] === id) ?? null;
  }

  mean(node) {
    return this.totals[node] / this.sizes[node];
  }
}

const trees = new WeakMap();

function treeOf(strategy) {
  if (!trees.has(strategy)) trees.set(strategy, new Tree(strategy));
  return trees.get(strategy);
}
