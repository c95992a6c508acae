// The exact search: minimum totals of candidate sets, by branch and bound over distinct partitions.
const OVERHEAD = 8; // of a guess, in look-ups
const OUT_OF_BUDGET = new Error("the search's budget is spent");

class Solver {
  constructor(game) {
    Object.assign(this, { game, totals: new Map(), bests: new Map(), bounds: new Map(), floors: [0], left: 0 });
    this.counts = new Int32Array(game.feedback.length);
  }

  // The minimum total and a guess that attains it, or null if more than `lookups` feedback look-ups are needed.
  solve(members, lookups) {
    this.left = lookups;
    try {
      const total = this.minimum(members, Infinity),
        key = members.join();
      return { total, best: this.bests.get(key) ?? members[0] };
    } catch (error) {
      if (error !== OUT_OF_BUDGET) throw error;
      return null;
    }
  }

  // A lower bound of the total of n candidates, from the number of feedback ids.
  floor(n) {
    for (let k = this.floors.length; k <= n; k++) {
      let rest = k,
        wide = 1,
        turn = 1,
        total = 0;
      while (rest > 0)
        ((total += turn++ * Math.min(rest, wide)), (rest -= wide), (wide *= this.game.feedback.length - 1));
      this.floors.push(total);
    }
    return this.floors[n];
  }

  // The minimum total if it is below the limit, otherwise a lower bound that reaches the limit.
  minimum(members, limit) {
    const n = members.length;
    if (n < 3) return 2 * n - 1;
    if (this.floor(n) >= limit) return this.floor(n);
    const key = members.join(),
      known = this.totals.get(key);
    if (known !== undefined) return known;
    if ((this.bounds.get(key) ?? 0) >= limit) return this.bounds.get(key);
    let total = limit,
      best = null;
    const seen = new Set(),
      byBound = this.options(members, limit);
    for (let bound = n; bound < Math.min(total, byBound.length); bound++)
      for (const guess of byBound[bound] ?? []) {
        if (bound >= total) break;
        const cells = this.game.cellsOf(guess, members),
          name = cells
            .map(([, cell]) => cell.join())
            .sort()
            .join(";");
        if (seen.has(name)) continue;
        seen.add(name);
        const after = this.after(cells, bound, total);
        if (after < total) [total, best] = [after, guess];
      }
    if (best === null) this.bounds.set(key, limit);
    else (this.totals.set(key, total), this.bests.set(key, best));
    return total;
  }

  // The total if cells are left, or a bound that reaches the limit; large cells are searched first.
  after(cells, bound, limit) {
    let total = bound;
    for (const [, cell] of cells.sort((a, b) => b[1].length - a[1].length)) {
      if (cell.length < 3) break;
      const others = total - this.floor(cell.length);
      total = others + this.minimum(cell, limit - others);
      if (total >= limit) return total;
    }
    return total;
  }

  // The guesses that split the set, by the bounds of their totals; one alone if its bound can't be beaten.
  options(members, limit) {
    const { game, counts, floors } = this,
      n = members.length,
      floor = this.floor(n),
      byBound = [],
      met = new Int32Array(counts.length);
    const guesses = game.guesses.length,
      candidates = new Set(members);
    this.left -= (n + OVERHEAD) * guesses;
    if (this.left < 0) throw OUT_OF_BUDGET;
    for (let k = 0; k < n + guesses; k++) {
      const guess = k < n ? members[k] : k - n;
      if (k >= n && candidates.has(guess)) continue;
      const row = game.rowOf(guess);
      let cells = 0,
        bound = n,
        largest = 0;
      for (let i = 0; i < n; i++) {
        const id = row ? row[members[i]] : game.compute(guess, members[i]);
        if (counts[id]++ === 0) met[cells++] = id;
      }
      for (let i = 0; i < cells; i++) {
        const id = met[i],
          count = counts[id];
        if (id !== game.solved) bound += floors[count];
        if (count > largest) largest = count;
        counts[id] = 0;
      }
      if (cells < 2 || bound >= limit) continue;
      if (bound === floor && largest < 3) return Object.assign([], { [bound]: [guess] });
      (byBound[bound] ??= []).push(guess);
    }
    return byBound;
  }
}
