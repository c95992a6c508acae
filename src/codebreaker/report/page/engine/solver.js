// The exact search: minimum totals of candidate sets, by branch and bound over distinct partitions.

/** @import { Game, Members } from "./game.js" */

const OVERHEAD = 8; // of a guess, in look-ups
const OUT_OF_BUDGET = new Error("the search's budget is spent");

export class Solver {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.totals = new Map(); // minimum totals by set
    this.bests = new Map(); // guesses that attain them
    this.bounds = new Map(); // lower bounds of sets whose minimum isn't known
    this.floors = [0]; // lower bounds by the number of candidates
    this.left = 0; // look-ups that may still be made
    this.counts = new Int32Array(game.feedback.length);
  }

  // The minimum total and a guess that attains it, or null if more than `lookups` feedback look-ups are needed.
  /** @type {(members: Members, lookups: number) => { total: number, best: number } | null} */
  solve(members, lookups) {
    this.left = lookups;
    try {
      const total = this.minimum(members, Infinity);
      return { total, best: this.bests.get(members.join()) ?? members[0] };
    } catch (error) {
      if (error !== OUT_OF_BUDGET) throw error;
      return null;
    }
  }

  // A lower bound of the total of n candidates: each turn solves one candidate in each of as many parts as there
  // are answers that leave the game open, to the power of the turns before.
  /** @type {(n: number) => number} */
  floor(n) {
    for (let k = this.floors.length; k <= n; k++) {
      let rest = k;
      let width = 1;
      let turn = 1;
      let total = 0;
      while (rest > 0) {
        total += turn * Math.min(rest, width);
        rest -= width;
        width *= this.game.feedback.length - 1;
        turn++;
      }
      this.floors.push(total);
    }
    return this.floors[n];
  }

  // The minimum total if it is below the limit, otherwise a lower bound that reaches the limit.
  /** @type {(members: Members, limit: number) => number} */
  minimum(members, limit) {
    const n = members.length;
    if (n < 3) return 2 * n - 1;
    if (this.floor(n) >= limit) return this.floor(n);
    const key = members.join();
    const known = this.totals.get(key);
    if (known !== undefined) return known;
    if ((this.bounds.get(key) ?? 0) >= limit) return this.bounds.get(key);
    let total = limit;
    let best = null;
    const seen = new Set();
    const byBound = this.options(members, limit);
    // Guesses with the lowest bounds first; once a total reaches the bound, no later guess is better.
    for (let bound = n; bound < Math.min(total, byBound.length); bound++) {
      for (const guess of byBound[bound] ?? []) {
        if (bound >= total) break;
        const cells = this.game.cellsOf(guess, members);
        const partition = nameOfPartition(cells);
        if (seen.has(partition)) continue;
        seen.add(partition);
        const totalOfGuess = this.after(cells, bound, total);
        if (totalOfGuess >= total) continue;
        total = totalOfGuess;
        best = guess;
      }
    }
    if (best === null) this.bounds.set(key, limit);
    else {
      this.totals.set(key, total);
      this.bests.set(key, best);
    }
    return total;
  }

  // The total if cells are left, or a bound that reaches the limit; large cells are searched first.
  /** @type {(cells: [number, number[]][], bound: number, limit: number) => number} */
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
  /** @type {(members: Members, limit: number) => number[][]} */
  options(members, limit) {
    const { game, counts, floors } = this;
    const n = members.length;
    const nGuesses = game.guesses.length;
    const candidates = new Set(members);
    const floor = this.floor(n);
    const byBound = /** @type {number[][]} */ ([]);
    const ids = new Int32Array(counts.length); // the feedback ids that a guess gets
    this.left -= (n + OVERHEAD) * nGuesses;
    if (this.left < 0) throw OUT_OF_BUDGET;
    for (let k = 0; k < n + nGuesses; k++) {
      // Candidates come first.
      const guess = k < n ? members[k] : k - n;
      if (k >= n && candidates.has(guess)) continue;
      const row = game.rowOf(guess);
      let cells = 0;
      for (let i = 0; i < n; i++) {
        const id = row ? row[game.placeOf[members[i]]] : game.compute(guess, members[i]);
        if (counts[id] === 0) ids[cells++] = id;
        counts[id]++;
      }
      let bound = n;
      let largest = 0;
      for (let i = 0; i < cells; i++) {
        const id = ids[i];
        const count = counts[id];
        if (id !== game.solved) bound += floors[count];
        if (count > largest) largest = count;
        counts[id] = 0;
      }
      if (cells < 2 || bound >= limit) continue;
      if (bound === floor && largest < 3) {
        const only = [];
        only[bound] = [guess];
        return only;
      }
      byBound[bound] ??= [];
      byBound[bound].push(guess);
    }
    return byBound;
  }
}

// A name that two guesses share if they part the candidates in the same sets.
/** @type {(cells: [number, number[]][]) => string} */
function nameOfPartition(cells) {
  const names = cells.map(([, cell]) => cell.join());
  return names.sort().join(";");
}
