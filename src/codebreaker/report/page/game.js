// Games: codes by index, feedback, and candidate sets.
const MAX_TABLE_CELLS = 3e7;

const symbolsOf = (label) => (label.includes(".") ? label.split(".") : [...label]);

class Game {
  constructor(data) {
    Object.assign(this, data);
    this.spelled = ["matches", "marks", "pegs"].includes(this.family);
    const rows = this.guesses.map(symbolsOf), n = rows.length;
    this.pegs = rows[0].length;
    this.symbols = [...new Set(rows.flat())].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const at = new Map(this.symbols.map((symbol, i) => [symbol, i]));
    this.codes = new Uint16Array(n * this.pegs);  // words may have more than 256 different letters
    rows.forEach((row, i) => row.forEach((symbol, peg) => (this.codes[i * this.pegs + peg] = at.get(symbol))));
    this.allSecrets = Int32Array.from(this.secrets ?? rows.keys());
    this.indexOf = new Map(this.guesses.map((label, i) => [label, i]));
    this.idOf = new Map(this.feedback.map((label, id) => [label, id]));
    this.left = new Uint8Array(this.symbols.length);
    if (this.family === "marks") this.ids = this.idsByMarks();
    else if (this.family === "pegs") this.ids = this.idsByPegs();
    else if (!this.spelled) this.prepareCounts();
    this.rows = n * n <= MAX_TABLE_CELLS ? new Array(n) : null;
  }

  // Codes with the same symbols form a kind; `common` has the symbols in common of each pair of kinds.
  prepareCounts() {
    const { codes, pegs, symbols } = this, n = this.guesses.length, kinds = new Map(), samples = [];
    this.ids = this.idsByPegs();
    this.kind = new Uint16Array(n);
    for (let code = 0; code < n; code++) {
      const key = codes.slice(code * pegs, code * pegs + pegs).sort().join();
      if (!kinds.has(key)) (kinds.set(key, kinds.size), samples.push(codes.subarray(code * pegs, code * pegs + pegs)));
      this.kind[code] = kinds.get(key);
    }
    this.kinds = samples.length;
    this.common = new Uint8Array(this.kinds * this.kinds);
    const many = symbols.length, amounts = new Uint8Array(this.kinds * many);
    samples.forEach((sample, a) => sample.forEach((symbol) => amounts[a * many + symbol]++));
    for (let a = 0; a < this.kinds; a++)
      for (let b = 0; b <= a; b++) {
        let common = 0;
        for (let symbol = 0; symbol < many; symbol++) common += Math.min(amounts[a * many + symbol], amounts[b * many + symbol]);
        this.common[a * this.kinds + b] = this.common[b * this.kinds + a] = common;
      }
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

  // Feedback ids, indexed by the marks as a number of base 3: 0 absent, 1 elsewhere, 2 in place.
  idsByMarks() {
    const ids = new Int16Array(3 ** this.pegs).fill(-1);
    this.feedback.forEach((label, id) => (ids[[...label].reduce((sum, mark) => 3 * sum + "byg".indexOf(mark), 0)] = id));
    return ids;
  }

  // A guess's feedback for all secrets, computed at first use; null in games without a table.
  rowOf(guess) {
    if (!this.rows) return null;
    if (!this.rows[guess]) {
      const row = new (this.feedback.length > 256 ? Uint16Array : Uint8Array)(this.guesses.length);
      for (const secret of this.allSecrets) row[secret] = this.compute(guess, secret);
      this.rows[guess] = row;
    }
    return this.rows[guess];
  }

  feedbackOf(guess, secret) {
    return this.rows?.[guess] ? this.rows[guess][secret] : this.compute(guess, secret);
  }

  // Adds to `counts` how many members give each feedback.
  countCells(guess, members, counts) {
    const row = this.rowOf(guess);
    if (row) for (let i = 0; i < members.length; i++) counts[row[members[i]]]++;
    else if (this.spelled || members.length < 300) for (let i = 0; i < members.length; i++) counts[this.compute(guess, members[i])]++;
    else this.countPegs(guess, members, counts);
    return counts;
  }

  // The same on demand: black pegs are counted by halves of the codes.
  countPegs(guess, members, counts) {
    const { ids, common, kind, pegs } = this, kinds = kind[guess] * this.kinds;
    this.halves ??= [this.half(0, pegs >> 1), this.half(pegs >> 1, pegs)];
    const [[low, lowBlack], [high, highBlack]] = this.halves.map(({ names, samples, from, to, black }) => {
      for (let name = 0; name < samples.length; name++) {
        let sum = 0;
        for (let peg = from; peg < to; peg++) if (this.codes[samples[name] * pegs + peg] === this.codes[guess * pegs + peg]) sum++;
        black[name] = sum * (pegs + 1);
      }
      return [names, black];
    });
    for (let i = 0; i < members.length; i++) {
      const member = members[i];
      counts[ids[lowBlack[low[member]] + highBlack[high[member]] + common[kinds + kind[member]]]]++;
    }
  }

  // The parts of all codes between two pegs: names, and a code of each.
  half(from, to) {
    const { codes, pegs, symbols } = this, n = this.guesses.length, names = new Uint16Array(n), known = new Map(), samples = [];
    for (let code = 0; code < n; code++) {
      let key = 0;
      for (let peg = from; peg < to; peg++) key = key * symbols.length + codes[code * pegs + peg];
      if (!known.has(key)) (known.set(key, samples.length), samples.push(code));
      names[code] = known.get(key);
    }
    return { names, samples, from, to, black: new Uint8Array(samples.length) };
  }

  // A guess's unsolved cells, as pairs of a feedback id and its members.
  cellsOf(guess, members) {
    const cells = new Map();
    for (const member of members) {
      const id = this.feedbackOf(guess, member);
      if (id === this.solved) continue;
      const cell = cells.get(id);
      if (cell) cell.push(member);
      else cells.set(id, [member]);
    }
    return [...cells];
  }

  compute(guess, secret) {
    return this.family === "marks" ? this.marks(guess, secret) : this.count(guess, secret);
  }

  count(guess, secret) {
    const { pegs, codes } = this, g = guess * pegs, s = secret * pegs;
    let black = 0;
    for (let peg = 0; peg < pegs; peg++) if (codes[g + peg] === codes[s + peg]) black++;
    if (this.family === "matches") return this.idOf.get(String(black));
    const common = this.spelled ? this.shared(g, s) : this.common[this.kind[guess] * this.kinds + this.kind[secret]];
    return this.ids[black * (pegs + 1) + common];
  }

  // How many symbols two codes, given by where they start, have in common.
  shared(g, s) {
    const { pegs, codes, left } = this;
    let common = 0;
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) left[codes[s + peg]]++;
    for (let peg = 0; peg < pegs; peg++) if (left[codes[g + peg]] > 0) (left[codes[g + peg]]--, common++);
    return common;
  }

  marks(guess, secret) {
    const { pegs, codes, left } = this, g = guess * pegs, s = secret * pegs;
    let value = 0;
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) if (codes[g + peg] !== codes[s + peg]) left[codes[s + peg]]++;
    for (let peg = 0; peg < pegs; peg++) {
      const symbol = codes[g + peg];
      value *= 3;
      if (symbol === codes[s + peg]) value += 2;
      else if (left[symbol] > 0) (left[symbol]--, value++);
    }
    return this.ids[value];
  }

  // The candidates that would give a guess this feedback.
  keep(members, guess, id) {
    return members.filter((secret) => this.feedbackOf(guess, secret) === id);
  }

  // The first guess of each class under exchanges of symbols not yet played; null if none can be exchanged.
  representatives(played) {
    if (this.spelled) return null;
    const { pegs, codes, symbols } = this, n = this.guesses.length, used = new Uint8Array(symbols.length);
    for (const guess of played) for (let peg = 0; peg < pegs; peg++) used[codes[guess * pegs + peg]] = 1;
    const free = [...symbols.keys()].filter((symbol) => !used[symbol]);
    if (free.length < 2) return null;
    const keyed = (code) => code.reduce((key, symbol) => key * symbols.length + symbol, 0);
    this.byKey ??= new Map([...this.guesses.keys()].map((g) => [keyed(codes.subarray(g * pegs, g * pegs + pegs)), g]));
    const first = new Int32Array(n), names = new Int16Array(symbols.length), code = new Uint16Array(pegs);
    for (let guess = 0; guess < n; guess++) {
      let met = 0;
      names.fill(-1);
      for (let peg = 0; peg < pegs; peg++) {
        const symbol = codes[guess * pegs + peg];
        if (!used[symbol] && names[symbol] < 0) names[symbol] = free[met++];
        code[peg] = used[symbol] ? symbol : names[symbol];
      }
      first[guess] = this.byKey.get(keyed(code));
    }
    return first;
  }
}

// A strategy's tree: each node's children, total and maximum.
class Tree {
  constructor(strategy) {
    const { parent, guess, feedback, n_candidates: sizes } = strategy.nodes;
    Object.assign(this, { guess, feedback, sizes, regrets: strategy.regrets });
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
