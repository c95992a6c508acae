// The guess that a strategy plays for a candidate set, with the same exact integers as in Python.
const TIE_TOLERANCE_BITS = 1e-6;
const PAIRS_PER_STEP = 4e6;

const CELLS = {
  nothing: () => 0,
  largest: (count) => -count,
  square: (count) => -count * count,
  one: () => 1,
  information: (count, total) => count * Math.log2(total / count),
};

function termsOf(rule, n) {
  const terms = new Float64Array(n + 1);
  terms[0] = rule.takesMin ? Infinity : 0;
  for (let count = 1; count <= n; count++) terms[count] = Math.round(rule.termScale * CELLS[rule.cell](count, n));
  if (n > 1) terms[n] = -Infinity;
  return terms;
}

function weightsAt(rule, turn, previous, n) {
  if (!rule.weights) return new Float64Array(n).fill(1);
  const rows = rule.weights[Math.min(turn, rule.weights.length) - 1];
  return Float64Array.from(rule.byContext ? rows[Math.max(previous, 0)] : rows);
}

// Scores one step's guesses of a pool, from index `from`; returns the next index. `pool` is null for all codes.
function scoreStep(game, rule, members, pool, row, from, scores) {
  const counts = new Int32Array(game.feedback.length), n = pool ? pool.length : game.guesses.length;
  const until = Math.min(n, from + Math.max(1, Math.floor(PAIRS_PER_STEP / members.length)));
  for (let k = from; k < until; k++) {
    const guess = pool ? pool[k] : k;
    counts.fill(0);
    for (const member of members) counts[game.feedbackOf(guess, member)]++;
    let score = rule.takesMin ? Infinity : 0;
    for (let f = 0; f < counts.length; f++) {
      const value = row.weights[f] * row.terms[counts[f]];
      score = rule.takesMin ? Math.min(score, value) : score + value;
    }
    scores[k] = score;
  }
  return until;
}

function pickGuess(game, rule, members, pool, scores) {
  const n = members.length, best = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  if (best === -Infinity) return null;
  const least = best - (rule.tiesInBits ? Math.floor(TIE_TOLERANCE_BITS * n * rule.termScale) * rule.weightScale : 0);
  const order = (guesses, reverses) => (reverses ? [...guesses].reverse() : guesses);
  if (pool) {
    const tied = [...pool.keys()].filter((k) => scores[k] >= least).map((k) => pool[k]);
    return order(tied, rule.reverses)[0];
  }
  if (rule.prefersConsistent) for (const member of order(members, rule.reverses)) if (scores[member] >= least) return member;
  for (const guess of order([...scores.keys()], rule.reversesOthers)) if (scores[guess] >= least) return guess;
  return null;
}

// Chooses a guess in steps; `pause` is awaited between them to keep the page responsive.
async function choose(game, rule, members, turn, previous, pause = async () => {}) {
  if (members.length === 1) return members[0];
  const row = { terms: termsOf(rule, members.length), weights: weightsAt(rule, turn, previous, game.feedback.length) };
  const pool = rule.consistentOnly ? members : null, n = pool ? pool.length : game.guesses.length;
  const scores = new Float64Array(n);
  for (let from = 0; from < n; ) {
    from = scoreStep(game, rule, members, pool, row, from, scores);
    await pause(from / n);
  }
  return pickGuess(game, rule, members, pool, scores);
}

// The total guesses that a strategy takes for a candidate set, starting at a turn.
async function totalOf(game, rule, members, turn, previous, pause) {
  const guess = await choose(game, rule, members, turn, previous, pause);
  let total = members.length;
  const cells = new Map();
  for (const member of members) {
    const id = game.feedbackOf(guess, member);
    if (id !== game.solved) cells.set(id, [...(cells.get(id) ?? []), member]);
  }
  for (const [id, cell] of cells) total += await totalOf(game, rule, Int32Array.from(cell), turn + 1, id, pause);
  return total;
}
