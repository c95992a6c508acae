// What a guess is worth: how it splits the candidates, and the total afterwards.
const LOOKUPS_PER_SET = 3e7,
  LOOKUPS_PER_GAME = 1e8,
  LARGEST_SOLVED = 120,
  ALL_GUESSES_UP_TO = 5000,
  MAX_PAIRS = 2e8;

// `parts` are the sizes of the cells by feedback id; `ends` is the probability that the guess is the secret.
function worthOf(game, guess, members) {
  const parts = game.countCells(guess, members, new Int32Array(game.feedback.length)),
    n = members.length;
  let squares = 0,
    bits = 0,
    largest = 0,
    cells = 0;
  for (const count of parts) {
    if (count === 0) continue;
    squares += count * count;
    bits += (count / n) * Math.log2(n / count);
    largest = Math.max(largest, count);
    cells++;
  }
  return {
    guess,
    parts: [...parts],
    expected: squares / n,
    largest,
    cells,
    bits,
    ends: parts[game.solved] / n,
    isCandidate: parts[game.solved] > 0,
  };
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
    const result = this.solver.solve(members, lookups);
    this.lookups -= lookups - this.solver.left;
    return result && { ...result, exact: true };
  }

  // Entropy over all codes or, in large games, over the candidates; its small sets are played optimally.
  estimate(members) {
    const { game } = this,
      all = game.guesses.length <= ALL_GUESSES_UP_TO;
    this.pairs += members.length * (all ? game.guesses.length : members.length);
    if (this.pairs > MAX_PAIRS) return null;
    const rule = { ...ENTROPY, consistentOnly: !all };
    const guess = choose(game, rule, members, 2, -1);
    const result = this.after(guess, members, (cell) =>
      all && cell.length <= 12 ? this.of(cell) : this.rough(cell),
    );
    return result && { ...result, exact: false };
  }

  rough(members) {
    const n = members.length;
    if (n < 3) return { total: 2 * n - 1, exact: true };
    return this.known.get(members.join()) ?? this.estimate(members);
  }

  // The total if a guess is played now; its cells have the values that `valueOf` gives.
  after(guess, members, valueOf = (cell) => this.of(cell)) {
    let total = members.length,
      exact = true;
    for (const [, cell] of this.game.cellsOf(guess, members)) {
      const value = valueOf(cell);
      if (value === null) return null;
      total += value.total;
      exact &&= value.exact;
    }
    return { total, best: guess, exact };
  }
}

const FEW_MEMBERS = 200; // of a set for which more guesses are compared than are shown
const COMPARED = 3; // guesses compared for each that is shown
const MOST_COMPARISONS = 4e6; // of guesses with candidates, for which guesses to go are computed

// The best guesses: those that ask for most information, the best known and the advised one, by guesses to go.
// `only` are the guesses allowed, null for all; `planned` is the advised guess with its guesses to go, or null.
function bestGuesses(game, values, members, { played, planned, count, only }, tell) {
  const ranked = rankedByEntropy(game, members, played, only);
  const isCheap = members.length * Math.min(game.guesses.length, ALL_GUESSES_UP_TO) <= MOST_COMPARISONS;
  const value = isCheap ? values.of(members) : null;
  const first = [value?.best, planned?.guess].filter(
    (guess) => guess !== undefined && (only === null || only.includes(guess)),
  );
  const most = members.length <= FEW_MEMBERS ? COMPARED * count : count + first.length;
  const worths = distinctGuesses(game, [...first, ...ranked], members, most, count);
  if (!isCheap) return worths.slice(0, count);
  tell(worths.slice(0, count));
  for (const worth of worths) Object.assign(worth, meanOf(values, members, worth.guess, value, planned));
  if (worths.some((worth) => worth.mean === null)) return worths.slice(0, count);
  return worths
    .sort((a, b) => a.mean - b.mean || b.isCandidate - a.isCandidate || b.bits - a.bits)
    .slice(0, count);
}

// The guesses to go with a guess: the value of the set for its best guess, otherwise by the values of its parts.
function meanOf(values, members, guess, value, planned) {
  if (guess === value?.best) return { mean: value.total / members.length, isExact: value.exact };
  const after = values.after(guess, members);
  if (after === null) return { mean: null, isExact: false };
  const mean = after.total / members.length;
  const isPlanned = guess === planned?.guess && planned.mean < mean;
  return { mean: isPlanned ? planned.mean : mean, isExact: after.exact };
}

// The guesses that split the candidates, those with the most information first; of equivalent guesses one.
function rankedByEntropy(game, members, played, only) {
  if (members.length === 1) return [members[0]];
  const scores = scoresOf(game, ENTROPY, members, { turn: 1, previous: -1, played }, only);
  const first = game.representatives(played);
  const candidates = new Set(members);
  const scoreOfGuess = new Map();
  const seen = new Set();
  [...(only ?? game.guesses.keys())].forEach((guess, k) => {
    const name = first ? first[guess] : guess;
    if (seen.has(name) || scores[k] === -Infinity) return;
    seen.add(name);
    scoreOfGuess.set(guess, scores[k]);
  });
  const byScore = (a, b) =>
    scoreOfGuess.get(b) - scoreOfGuess.get(a) || candidates.has(b) - candidates.has(a) || a - b;
  return [...scoreOfGuess.keys()].sort(byScore);
}

// What the first guesses of a list are worth, without rearrangements: of guesses with the same symbols, or with parts
// of the same sizes, the first one counts. Others follow if there are fewer than `fewest`.
function distinctGuesses(game, guesses, members, count, fewest) {
  const seen = new Set();
  const distinct = [];
  const others = [];
  for (const guess of new Set(guesses)) {
    if (distinct.length === count || distinct.length + others.length === MOST_TRIED) break;
    const worth = { ...worthOf(game, guess, members), mean: null, isExact: false };
    const names = [symbolsOf(game.guesses[guess]).sort().join(), worth.parts.join()];
    const isNew = !names.some((name) => seen.has(name));
    names.forEach((name) => seen.add(name));
    (isNew ? distinct : others).push(worth);
  }
  return [...distinct, ...others.slice(0, Math.max(0, fewest - distinct.length))];
}

const MOST_TRIED = 300; // guesses for a list without rearrangements

// Each move against the best, from the last to the first, so that each set has one value.
// A game's guesses are the mean of all secrets, plus the regrets, less the luck.
function review(game, values, moves, tell) {
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  const rows = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    rows.unshift(reviewMove(game, values, sets[i], sets[i + 1], moves[i]));
    tell?.(moves.length - i);
  }
  return rows;
}

function reviewMove(game, values, members, left, { guess, id }) {
  const n = members.length,
    mine = worthOf(game, guess, members),
    solved = id === game.solved;
  const row = {
    before: n,
    after: solved ? 0 : left.length,
    mine,
    better: null,
    exact: false,
    minimum: null,
    regret: null,
    luck: null,
    luckBits: Math.log2(n / left.length) - mine.bits,
  };
  const with_ = values.after(guess, members);
  let value = values.of(members);
  if (value === null || (with_ !== null && with_.total <= value.total)) {
    value = with_ && { ...with_, exact: value?.exact ?? false };
    if (value) values.known.set(members.join(), value);
  }
  if (value === null || with_ === null) return row;
  const afterwards = solved ? 0 : values.of(left).total / left.length;
  Object.assign(row, {
    exact: value.exact && with_.exact,
    isMinimumExact: value.exact,
    minimum: value.total / n,
    regret: (with_.total - value.total) / n,
    luck: with_.total / n - 1 - afterwards,
  });
  row.totals = [value.total, with_.total];
  if (with_.total > value.total && value.best !== null && value.best !== undefined)
    row.better = worthOf(game, value.best, members);
  return row;
}
