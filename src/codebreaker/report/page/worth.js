// What a guess is worth: how it splits the candidates, and the total afterwards.
const LOOKUPS_PER_SET = 3e7;
const LOOKUPS_PER_GAME = 1e8; // of a review
const LOOKUPS_PER_RANKING = 2e7;
const LARGEST_SOLVED = 120;
const ALL_GUESSES_UP_TO = 5000;
const MAX_PAIRS = 2e8;

// `parts` are the sizes of the cells by feedback id; `ends` is the probability that the guess is the secret.
function worthOf(game, guess, members) {
  const parts = game.countCells(guess, members, new Int32Array(game.feedback.length));
  const n = members.length;
  let squares = 0;
  let bits = 0;
  let largest = 0;
  let cells = 0;
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
  // `known`: sets' keys, each with total, guess and exactness. `lookups`: how many the searches may make.
  constructor(game, known = [], lookups = LOOKUPS_PER_GAME) {
    this.game = game;
    this.known = new Map(known);
    this.solver = new Solver(game);
    this.lookups = lookups;
    this.pairs = 0; // of guesses and candidates that estimates have compared
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
    const { game } = this;
    const all = game.guesses.length <= ALL_GUESSES_UP_TO;
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

  // The total if a guess is played now; its cells have the values that `valueOf` gives. The minima of the first turn
  // come with some games.
  after(guess, members, valueOf = (cell) => this.of(cell)) {
    const isFirst = members.length === this.game.numberOfSecrets;
    const minimum = isFirst ? minimumAfterOpening(this.game, guess) : null;
    if (minimum !== null) return { total: minimum, best: guess, exact: true };
    return this.sumAfter(guess, members, valueOf);
  }

  // The same if guesses are fixed after this one, too, whatever the answers are.
  afterFixed(guess, members, [next, ...later]) {
    if (next === undefined) return this.after(guess, members);
    return this.sumAfter(guess, members, (cell) => this.ofFixed(next, cell, later));
  }

  // The total of a set whose next guess is fixed. One that would tell nothing is left out: the best guess of free play
  // is played instead, which need not be the best before the later ones.
  ofFixed(guess, members, later) {
    if (members.length > 1 && tellsSomething(this.game, guess, members)) return this.afterFixed(guess, members, later);
    const value = this.of(members);
    if (value === null || members.length < 3 || later.length === 0) return value;
    const result = this.afterFixed(value.best, members, later);
    return result && { ...result, exact: false };
  }

  // The total if a guess is played now, as the sum over its cells.
  sumAfter(guess, members, valueOf) {
    let total = members.length;
    let exact = true;
    for (const [, cell] of this.game.cellsOf(guess, members)) {
      const value = valueOf(cell);
      if (value === null) return null;
      total += value.total;
      exact &&= value.exact;
    }
    return { total, best: guess, exact };
  }
}

// Whether a guess gets different answers.
function tellsSomething(game, guess, members) {
  const first = game.feedbackOf(guess, members[0]);
  return members.some((member) => game.feedbackOf(guess, member) !== first);
}

// The minimum total after a first guess, or null where it is not known. Codes are alike if positions and symbols can be
// exchanged: then symbols come as often in one as in the other.
function minimumAfterOpening(game, guess) {
  if (!game.openings) return null;
  const shape = shapeOf(game, guess);
  const opening = game.openings.find((one) => shapeOf(game, one.guess) === shape);
  return opening ? opening.total : null;
}

// How often the symbols of a code come in it, such as `2 1 1`.
function shapeOf(game, guess) {
  const times = new Map();
  for (const symbol of game.codeOf(guess)) times.set(symbol, (times.get(symbol) ?? 0) + 1);
  return [...times.values()].sort((a, b) => b - a).join(" ");
}

const FEW_MEMBERS = 200; // of a set for which more guesses are compared than are shown
const COMPARED = 3; // guesses compared for each that is shown
const MOST_COMPARISONS = 4e6; // of guesses with candidates, for which guesses to go are computed
const MOST_SCORED = 7e7; // feedbacks counted to score guesses: about half a second
const MOST_MARKED = 3.5e7; // the same of marks, which take longer
const OVERHEAD_OF_GUESS = 500; // what a guess takes besides its feedbacks, in feedbacks

// The best guesses: those that ask for most information, the best known and the planned one, by guesses to go.
// `only` are the guesses allowed, null for all; `planned` is the guess of a tree with its guesses to go, or null.
// `isRuled`: a rule limits later guesses, too, and guesses to go are those of free play, which needs no more.
// `isSampled`: guesses were too many to score all of them. `isOptimal`: no guess is better than the first one.
function bestGuesses(game, values, members, { played, planned, count, only, isRuled }, tell) {
  const { pool, isSampled } = poolOf(game, members, played, only);
  const ranked = rankedByEntropy(game, members, played, pool);
  const isCheap = members.length * Math.min(game.guesses.length, ALL_GUESSES_UP_TO) <= MOST_COMPARISONS;
  const value = isCheap ? values.of(members) : null;
  const first = [value?.best, planned?.guess].filter(
    (guess) => guess !== undefined && (only === null || only.includes(guess)),
  );
  const most = members.length <= FEW_MEMBERS ? COMPARED * count : count + first.length;
  const few = members.length <= count ? members : []; // they are all compared
  const worths = distinctGuesses(game, [...first, ...few, ...ranked], members, most, count);
  const answerOf = (shown, isOptimal) => ({ worths: shown.slice(0, count), isSampled, isOptimal });
  if (!isCheap) return answerOf(worths, false);
  tell(answerOf(worths, false));
  for (const worth of worths) Object.assign(worth, meanOf(values, members, worth.guess, { value, planned, isRuled }));
  if (worths.some((worth) => worth.mean === null)) return answerOf(worths, false);
  const isPlanned = (worth) => worth.guess === planned?.guess;
  worths.sort(
    (a, b) =>
      a.mean - b.mean || isPlanned(b) - isPlanned(a) || b.isCandidate - a.isCandidate || b.bits - a.bits,
  );
  return answerOf(worths, only === null && value?.exact === true);
}

// What one guess is worth, computed as for the best guesses. Guesses may be fixed for the `later` turns.
function compareGuess(game, values, members, { guess, planned, isRuled, later = [] }) {
  const worth = worthOf(game, guess, members);
  const isCheap = members.length * Math.min(game.guesses.length, ALL_GUESSES_UP_TO) <= MOST_COMPARISONS;
  if (!isCheap) return { ...worth, mean: null, isExact: false };
  if (later.length > 0) {
    const after = values.afterFixed(guess, members, later);
    return { ...worth, mean: after && after.total / members.length, isExact: after?.exact === true };
  }
  return { ...worth, ...meanOf(values, members, guess, { value: values.of(members), planned, isRuled }) };
}

const MOST_ORDINARY_GAMES = 1000;
const FEWEST_ORDINARY_GAMES = 100;
const ORDINARY_CANDIDATES = 1e7; // secrets of all these games together, which bound the feedbacks computed
const ORDINARY_SEED = 1;

// The mean guesses of a player who always guesses some code that fits all answers, over games with drawn secrets.
function meanOfOrdinary(game) {
  const generator = new Generator(ORDINARY_SEED);
  const { allSecrets } = game;
  const affordable = Math.floor(ORDINARY_CANDIDATES / allSecrets.length);
  const games = Math.max(FEWEST_ORDINARY_GAMES, Math.min(MOST_ORDINARY_GAMES, affordable));
  let guesses = 0;
  for (let number = 0; number < games; number++) {
    const secret = allSecrets[generator.below(allSecrets.length)];
    let members = allSecrets;
    let guess = null;
    while (guess !== secret) {
      guess = members[generator.below(members.length)];
      guesses++;
      if (guess !== secret) members = game.keep(members, guess, game.feedbackOf(guess, secret));
    }
  }
  return guesses / games;
}

// The guesses to score: those in `only` (null: all), or some of them, evenly spaced, if they are too many to score in
// time; half of these are candidates. Of guesses that differ in symbols not yet played one is enough.
function poolOf(game, members, played, only) {
  const scored = game.family === "marks" ? MOST_MARKED : MOST_SCORED;
  const most = Math.floor(scored / (members.length + OVERHEAD_OF_GUESS));
  if (only !== null) {
    const isSampled = only.length > most;
    return { pool: isSampled ? spaced(only, most) : only, isSampled };
  }
  const first = game.representatives(played);
  const guesses = first ? [...new Set(first)] : [...game.guesses.keys()];
  if (guesses.length <= most) return { pool: null, isSampled: false };
  const pool = [...new Set([...spaced(members, most / 2), ...spaced(guesses, most / 2)])];
  return { pool, isSampled: true };
}

// So many elements of a list, evenly spaced; all of them if there are fewer.
function spaced(list, most) {
  const n = Math.min(list.length, Math.ceil(most));
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * list.length) / n)]);
}

// The guesses to go with a guess: the value of the set for its best guess, otherwise by the values of its parts.
function meanOf(values, members, guess, { value, planned, isRuled }) {
  const isFree = !isRuled || members.length < 3;
  if (guess === value?.best) return { mean: value.total / members.length, isExact: value.exact && isFree };
  const after = values.after(guess, members);
  if (after === null) return { mean: null, isExact: false };
  const mean = after.total / members.length;
  const isPlanned = guess === planned?.guess && planned.mean < mean;
  return { mean: isPlanned ? planned.mean : mean, isExact: after.exact && isFree };
}

// The guesses of the pool (null: all) that split the candidates, those with the most information first; of equivalent
// guesses one. A list without rearrangements needs no more than the first few hundred.
function rankedByEntropy(game, members, played, pool) {
  if (members.length < 3) return [...members]; // no other guess is as good
  const scores = scoresOf(game, ENTROPY, members, { turn: 1, previous: -1, played }, pool);
  const first = game.representatives(played);
  const candidates = new Set(members);
  const scoreOfGuess = new Map();
  const seen = new Set();
  for (let k = 0; k < scores.length; k++) {
    const guess = pool === null ? k : pool[k];
    const representative = first ? first[guess] : guess;
    if (seen.has(representative) || scores[k] === -Infinity) continue;
    seen.add(representative);
    scoreOfGuess.set(guess, scores[k]);
  }
  const sorted = Float64Array.from(scoreOfGuess.values()).sort();
  const lowest = sorted.at(-MOST_TRIED) ?? -Infinity;
  const byScore = (a, b) =>
    scoreOfGuess.get(b) - scoreOfGuess.get(a) || candidates.has(b) - candidates.has(a) || a - b;
  return [...scoreOfGuess.keys()].filter((guess) => scoreOfGuess.get(guess) >= lowest).sort(byScore);
}

// What the first guesses of a list are worth, without rearrangements: of guesses with the same symbols, or with parts
// of the same sizes, the first one counts; of few candidates all do. Others follow if there are fewer than `fewest`.
function distinctGuesses(game, guesses, members, count, fewest) {
  const seen = new Set();
  const distinct = [];
  const others = [];
  for (const guess of new Set(guesses)) {
    if (distinct.length === count || distinct.length + others.length === MOST_TRIED) break;
    const worth = { ...worthOf(game, guess, members), mean: null, isExact: false };
    const names = [symbolsOf(game.guesses[guess]).sort().join(), worth.parts.join()];
    const isOfFew = worth.isCandidate && members.length <= fewest;
    const isNew = isOfFew || !names.some((name) => seen.has(name));
    names.forEach((name) => seen.add(name));
    (isNew ? distinct : others).push(worth);
  }
  return [...distinct, ...others.slice(0, Math.max(0, fewest - distinct.length))];
}

const MOST_TRIED = 300; // guesses for a list without rearrangements

// Each move against the best, with new values for each review: it depends on the game and its moves alone. A game's
// guesses are the value of all secrets, plus the regrets, less the luck.
function review(game, known, moves, tell) {
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  // 1. All secrets have one value, whatever the moves: it is computed from what is known of them, and first.
  const start = game.allSecrets.join();
  const ofStart = new Values(game, known.filter(([key]) => key === start)).of(game.allSecrets);
  // 2. The other sets follow from the last to the first, as the value of a set needs those of its parts.
  const values = new Values(game, known);
  values.known.set(start, ofStart && { ...ofStart, isTried: true });
  const rows = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    rows.unshift(reviewMove(game, values, sets[i], sets[i + 1], moves[i]));
    tell?.(moves.length - i);
  }
  return rows;
}

function reviewMove(game, values, members, left, { guess, id }) {
  const n = members.length;
  const mine = worthOf(game, guess, members);
  const solved = id === game.solved;
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
  const value = values.of(members);
  if (value === null || with_ === null) return row;
  // A guess may be better than an estimate: then it loses nothing, and the estimate stays what it is.
  const regret = Math.max(0, with_.total - value.total) / n;
  const afterwards = solved ? 0 : values.of(left).total / left.length;
  Object.assign(row, {
    exact: value.exact && with_.exact,
    isMinimumExact: value.exact,
    minimum: value.total / n,
    regret,
    luck: value.total / n + regret - 1 - afterwards,
  });
  row.totals = [value.total, with_.total];
  if (with_.total > value.total && value.best !== null && value.best !== undefined)
    row.better = worthOf(game, value.best, members);
  return row;
}
