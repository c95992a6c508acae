// What a guess is worth: how it splits the candidates, and the total afterwards.
const LOOKUPS_PER_SET = 3e7, LOOKUPS_PER_GAME = 1e8, LARGEST_SOLVED = 120, ALL_GUESSES_UP_TO = 5000, MAX_PAIRS = 2e8;

// `parts` are the sizes of the cells by feedback id; `ends` is the probability that the guess is the secret.
function worthOf(game, guess, members) {
  const parts = game.countCells(guess, members, new Int32Array(game.feedback.length)), n = members.length;
  let squares = 0, bits = 0, largest = 0, cells = 0;
  for (const count of parts) {
    if (count === 0) continue;
    squares += count * count;
    bits += (count / n) * Math.log2(n / count);
    largest = Math.max(largest, count);
    cells++;
  }
  return { guess, parts: [...parts], expected: squares / n, largest, cells, bits, ends: parts[game.solved] / n, isCandidate: parts[game.solved] > 0 };
}

// Minimum totals of candidate sets or, where the search takes too long, entropy's totals.
class Values {
  // `known`: sets' keys, each with total, guess and exactness.
  constructor(game, known = []) {
    this.game = game;
    this.known = new Map(known);
    this.solver = new Solver(game);
    this.refill();
  }

  refill() {
    Object.assign(this, { pairs: 0, lookups: LOOKUPS_PER_GAME });
  }

  // The total, a guess and whether the total is minimal; null if even an estimate takes too long.
  of(members) {
    const n = members.length;
    if (n < 3) return { total: 2 * n - 1, best: members[0], exact: true };
    const key = members.join();
    let value = this.known.get(key);
    if (value === undefined || (value !== null && !value.exact && !value.isTried)) {
      value = this.exact(members) ?? value ?? this.estimate(members);
      this.known.set(key, value && { ...value, isTried: true });
    }
    return value;
  }

  exact(members) {
    const lookups = Math.min(LOOKUPS_PER_SET, this.lookups);
    if (members.length > LARGEST_SOLVED || members.length * this.game.guesses.length > lookups / 8) return null;
    const found = this.solver.solve(members, lookups);
    this.lookups -= lookups - this.solver.left;
    return found && { ...found, exact: true };
  }

  // Entropy over all codes or, in large games, over the candidates; its small sets are played optimally.
  estimate(members) {
    const { game } = this, all = game.guesses.length <= ALL_GUESSES_UP_TO;
    this.pairs += members.length * (all ? game.guesses.length : members.length);
    if (this.pairs > MAX_PAIRS) return null;
    const rule = { ...ENTROPY, consistentOnly: !all };
    const guess = choose(game, rule, members, 2, -1);
    const found = this.after(guess, members, (cell) => (all && cell.length <= 12 ? this.of(cell) : this.rough(cell)));
    return found && { ...found, exact: false };
  }

  rough(members) {
    const n = members.length;
    if (n < 3) return { total: 2 * n - 1, exact: true };
    return this.known.get(members.join()) ?? this.estimate(members);
  }

  // The total if a guess is played now; its cells have the values that `valueOf` gives.
  after(guess, members, valueOf = (cell) => this.of(cell)) {
    let total = members.length, exact = true;
    for (const [, cell] of this.game.cellsOf(guess, members)) {
      const value = valueOf(cell);
      if (value === null) return null;
      total += value.total;
      exact &&= value.exact;
    }
    return { total, best: guess, exact };
  }
}

// The guesses with the most information, one of each class; sorted by regret where it is known.
function bestGuesses(game, values, members, played, many, only = null) {
  const scores = scoresOf(game, ENTROPY, members, { turn: 1, previous: -1, played }, only);
  const first = game.representatives(played), candidates = new Set(members);
  const seen = new Set(), score = new Map();
  [...(only ?? game.guesses.keys())].forEach((guess, k) => {
    const name = first ? first[guess] : guess;
    if (seen.has(name) || (scores[k] === -Infinity && members.length > 1)) return;
    seen.add(name);
    score.set(guess, scores[k]);
  });
  const rated = members.length === 1 ? [members[0]] : [...score.keys()].sort((a, b) => score.get(b) - score.get(a) || candidates.has(b) - candidates.has(a) || a - b);
  const isCheap = members.length <= 40 && members.length * game.guesses.length < 1e6;
  const value = isCheap && !only ? values.of(members) : null;
  const shown = rated.slice(0, isCheap ? 3 * many : many);
  if (value?.best !== undefined && value !== null && !shown.includes(value.best)) shown.push(value.best);
  const found = shown.map((guess) => {
    const after = isCheap ? values.after(guess, members) : null;
    return { ...worthOf(game, guess, members), mean: after?.exact ? after.total / members.length : null };
  });
  if (found.every((one) => one.mean !== null)) found.sort((a, b) => a.mean - b.mean || b.isCandidate - a.isCandidate || b.bits - a.bits);
  return found.slice(0, many);
}

// Each move against the best, from the last to the first, so that each set has one value.
// A game's guesses are the mean of all secrets, plus the regrets, less the luck.
function review(game, values, moves, told) {
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  const rows = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    rows.unshift(reviewMove(game, values, sets[i], sets[i + 1], moves[i]));
    told?.(moves.length - i);
  }
  return rows;
}

function reviewMove(game, values, members, left, { guess, id }) {
  const n = members.length, mine = worthOf(game, guess, members), solved = id === game.solved;
  const row = { before: n, after: solved ? 0 : left.length, mine, better: null, exact: false, minimum: null, regret: null, luck: null, luckBits: Math.log2(n / left.length) - mine.bits };
  const with_ = values.after(guess, members);
  let value = values.of(members);
  if (value === null || (with_ !== null && with_.total <= value.total)) {
    value = with_ && { ...with_, exact: value?.exact ?? false };
    if (value) values.known.set(members.join(), value);
  }
  if (value === null || with_ === null) return row;
  const afterwards = solved ? 0 : values.of(left).total / left.length;
  Object.assign(row, { exact: value.exact && with_.exact, isMinimumExact: value.exact, minimum: value.total / n, regret: (with_.total - value.total) / n, luck: with_.total / n - 1 - afterwards });
  row.totals = [value.total, with_.total];
  if (with_.total > value.total && value.best !== null && value.best !== undefined) row.better = worthOf(game, value.best, members);
  return row;
}
