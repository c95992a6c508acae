// The exact search: the least total of guesses for a candidate set, by branch and bound over distinct partitions.
const OUT_OF_BUDGET = new Error("the search's budget is spent");

class Solver {
  constructor(game) {
    Object.assign(this, { game, totals: new Map(), bests: new Map(), bounds: new Map(), floors: [0], left: 0 });
    this.counts = new Int32Array(game.feedback.length);
  }

  // The least total and a guess that attains it, or null if more than `lookups` feedback look-ups are needed.
  solve(members, lookups) {
    this.left = lookups;
    try {
      const total = this.least(members, Infinity), key = members.join();
      return { total, best: this.bests.get(key) ?? members[0] };
    } catch (error) {
      if (error !== OUT_OF_BUDGET) throw error;
      return null;
    }
  }

  // A lower bound of the total of n candidates: one is solved now, and each other feedback leads on to one of as many guesses.
  floor(n) {
    for (let k = this.floors.length; k <= n; k++) {
      let rest = k, wide = 1, turn = 1, total = 0;
      while (rest > 0) (total += turn++ * Math.min(rest, wide)), (rest -= wide), (wide *= this.game.feedback.length - 1);
      this.floors.push(total);
    }
    return this.floors[n];
  }

  // The least total if it is below the limit, else a lower bound that reaches it.
  least(members, limit) {
    const n = members.length;
    if (n < 3) return 2 * n - 1;
    if (this.floor(n) >= limit) return this.floor(n);
    const key = members.join(), known = this.totals.get(key);
    if (known !== undefined) return known;
    if ((this.bounds.get(key) ?? 0) >= limit) return this.bounds.get(key);
    let total = limit, best = null;
    for (const [bound, guess] of this.options(members)) {
      if (bound >= total) break;
      const after = this.after(members, guess, bound, total);
      if (after < total) [total, best] = [after, guess];
    }
    if (best === null) this.bounds.set(key, limit);
    else (this.totals.set(key, total), this.bests.set(key, best));
    return total;
  }

  // The total if a guess is played, or a bound that reaches the limit; cells replace their bounds one by one, large ones first.
  after(members, guess, bound, limit) {
    let total = bound;
    const cells = this.game.cellsOf(guess, members).sort((a, b) => b[1].length - a[1].length);
    for (const [, cell] of cells) {
      if (cell.length < 3) break;
      const others = total - this.floor(cell.length);
      total = others + this.least(cell, limit - others);
      if (total >= limit) return total;
    }
    return total;
  }

  // The guesses that split the set, one of each partition, with the bounds of their totals, the lowest first.
  options(members) {
    const { game, counts } = this, n = members.length, seen = new Set(), found = [], floor = this.floor(n);
    const names = new Int32Array(counts.length);
    this.left -= n * game.guesses.length;
    if (this.left < 0) throw OUT_OF_BUDGET;
    const consider = (guess) => {
      const row = game.rowOf(guess);
      let met = 0, first = 0, second = 0, bound = n;
      counts.fill(0);
      names.fill(0);
      for (let i = 0; i < n; i++) {
        const id = row ? row[members[i]] : game.compute(guess, members[i]);
        if (counts[id]++ === 0) names[id] = ++met;
        first = (Math.imul(first, 31) + names[id]) | 0;
        second = (Math.imul(second, 1000003) ^ names[id]) | 0;
      }
      if (met < 2) return false;
      for (let id = 0; id < counts.length; id++) if (counts[id] && id !== game.solved) bound += this.floor(counts[id]);
      const key = (first >>> 0) * 2097152 + (second & 2097151) * 2 + (counts[game.solved] ? 1 : 0);
      if (seen.has(key)) return false;
      seen.add(key);
      found.push([bound, guess]);
      return bound === floor && counts.every((count) => count < 3);
    };
    for (const member of members) if (consider(member)) return [found.at(-1)];
    for (let guess = 0; guess < game.guesses.length; guess++) if (consider(guess)) break;
    return found.sort((a, b) => a[0] - b[0]);
  }
}
