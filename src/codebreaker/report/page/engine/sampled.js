// A good guess in a game whose codes are not listed: the highest entropy over a sample of the candidates, among its
// members, codes drawn at random, and the neighbours of the best. Few candidates, all of them listed, are played by the
// minimum total among the best of these guesses.
import { critical, Demands, distinct, exactly, findCandidates, SAMPLES, Walker } from "./candidates.js";
import { Game } from "./game.js";
import { likeliest, repairsOfMove } from "./repairs.js";
import { Solver } from "./solver.js";
import { hasRepeats } from "./unlisted.js";

/** @import { Candidates, CodedMove, Interval } from "./candidates.js" */
/** @import { Generator } from "./random.js" */
/** @import { Repair } from "./repairs.js" */
/** @import { Row, UnlistedGame } from "./unlisted.js" */

/**
 * What a guess is worth by a sample.
 * @typedef {{ row: Row, fits: boolean, left: Interval, most: number, ends: number }} SampledWorth
 *
 * @typedef {{ worths: SampledWorth[], members: number, compared: number, mean: number | null }} SampledAdvice
 */

const MOST_SCORED_PAIRS = 1 << 20; // of drawn guesses with members
const MOST_DRAWN_GUESSES = 4096;
const IMPROVED = 4; // best guesses whose neighbours are compared
const MOST_ROUNDS = 6; // of neighbours
const LARGEST_ENDGAME = 40; // candidates
const ENDGAME_GUESSES = 200;
const ENDGAME_LOOKUPS = 1e7;
const TIED_BITS = 1e-9; // entropies that differ by less are equal
const MOST_TIED = 2048; // guesses that are put in order

// The guess after moves with `candidates`, and other good ones, `count` together, with what each is worth. `compared`
// guesses were compared over `members` candidates. `isRuled`: only candidates may be guessed. `mean`: guesses to go, or
// null.
/**
 * @type {(
 *   game: UnlistedGame,
 *   moves: CodedMove[],
 *   candidates: Candidates,
 *   question: { isRuled: boolean, count: number },
 *   generator: Generator,
 * ) => SampledAdvice}
 */
export function chooseBySample(game, moves, candidates, { isRuled, count }, generator) {
  // 1. The guesses to compare, and their entropies over at most SAMPLES candidates. First guesses are few: they are
  //    compared over all that were drawn.
  const members = moves.length > 0 ? drawnFrom(candidates.codes, SAMPLES, generator) : candidates.codes;
  const ranking = new Ranking(game, moves, members);
  if (moves.length === 0) ranking.add(firstGuesses(game, isRuled));
  else {
    ranking.add(members);
    if (members.length > 2 && !isRuled) addOthers(ranking, generator);
  }
  // 2. The best by entropy; of few candidates, all of them known, the one with the minimum total comes first.
  const best = ranking.best(Math.max(ENDGAME_GUESSES, members.length));
  const isEndgame = candidates.isAll && members.length > 2 && members.length <= LARGEST_ENDGAME;
  const endgame = isEndgame ? playedOut(game, members, isRuled ? members : best) : null;
  if (endgame) best.unshift(endgame.row);
  // 3. The worth of each, by the candidates that were held out.
  const worths = differentGuesses(best, count).map((row) => sampledWorth(game, row, candidates, moves));
  return { worths, members: members.length, compared: ranking.compared, mean: endgame?.mean ?? null };
}

// So many elements of a list, drawn at random; all of them if there are no more.
/** @type {<T>(list: T[], most: number, generator: Generator) => T[]} */
function drawnFrom(list, most, generator) {
  if (list.length <= most) return list;
  const shuffled = [...list];
  for (let i = 0; i < most; i++) {
    const other = i + generator.below(shuffled.length - i);
    [shuffled[i], shuffled[other]] = [shuffled[other], shuffled[i]];
  }
  return shuffled.slice(0, most);
}

// A guess of each class under permutations of pegs and of symbols: a class is known by how many pegs have its first
// symbol, its second symbol and so on.
/** @type {(game: UnlistedGame, isRuled: boolean) => Row[]} */
function firstGuesses(game, isRuled) {
  const { pegs, colours } = game;
  if (!game.guessesRepeat || (isRuled && !game.secretsRepeat)) {
    return [Uint8Array.from({ length: pegs }, (_, peg) => peg)];
  }
  const classes = /** @type {Row[]} */ ([]);
  /** @type {(row: number[], symbol: number, most: number) => void} */
  const extend = (row, symbol, most) => {
    if (row.length === pegs) classes.push(Uint8Array.from(row));
    if (row.length === pegs || symbol === colours) return;
    for (let n = Math.min(most, pegs - row.length); n > 0; n--) {
      extend([...row, ...Array(n).fill(symbol)], symbol + 1, n);
    }
  };
  extend([], 0, pegs);
  return classes;
}

// Compares codes drawn at random, and then the neighbours of the best guesses as long as they improve.
/** @type {(ranking: Ranking, generator: Generator) => void} */
function addOthers(ranking, generator) {
  const { game, members } = ranking;
  const n = Math.min(MOST_DRAWN_GUESSES, Math.floor(MOST_SCORED_PAIRS / members.length));
  const walker = new Walker(game, new Demands(game, []), generator);
  const drawn = Array.from({ length: n }, () => {
    walker.draw();
    return walker.row.slice();
  });
  ranking.add(drawn);
  let highest = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const best = ranking.best(IMPROVED);
    const bits = ranking.bitsOf(best[0]);
    if (bits <= highest + TIED_BITS) break;
    highest = bits;
    ranking.add(best.flatMap((row) => neighbours(game, row)));
  }
}

// The codes that differ from one in a peg, or by a swap.
/** @type {(game: UnlistedGame, row: Row) => Row[]} */
function neighbours(game, row) {
  const nearby = [];
  for (let peg = 0; peg < game.pegs; peg++) {
    for (let symbol = 0; symbol < game.colours; symbol++) {
      const recoloured = row.slice();
      recoloured[peg] = symbol;
      nearby.push(recoloured);
    }
    for (let other = 0; other < peg; other++) {
      const swapped = row.slice();
      swapped[peg] = row[other];
      swapped[other] = row[peg];
      nearby.push(swapped);
    }
  }
  return game.guessesRepeat ? nearby : nearby.filter((code) => !hasRepeats(code));
}

// Guesses by their entropy over members, each scored once: another criterion is another `score`, with its own
// TIED_BITS, and the highest is best. A code is two sets of bits: `places` has a bit for each peg
// with its symbol, and `copies` as many bits of each symbol as the code has pegs of it. Bits that two codes share are
// their black pegs and their symbols in common.
class Ranking {
  /**
   * @param {UnlistedGame} game
   * @param {CodedMove[]} moves
   * @param {Row[]} members
   */
  constructor(game, moves, members) {
    this.game = game;
    this.moves = moves;
    this.members = members;
    this.words = Math.ceil((game.pegs * game.colours) / 32);
    this.places = new Int32Array(members.length * this.words);
    this.copies = new Int32Array(members.length * this.words);
    members.forEach((row, i) => this.pack(row, this.places, this.copies, i * this.words));
    this.logs = Float64Array.from({ length: members.length + 1 }, (_, n) => (n > 1 ? n * Math.log2(n) : 0));
    this.placesOfGuess = new Int32Array(this.words);
    this.copiesOfGuess = new Int32Array(this.words);
    this.counts = new Int32Array(game.feedback.length);
    this.scored = new Map(); // by label: the guess, and its entropy in bits
  }

  // The number of guesses compared.
  get compared() {
    return this.scored.size;
  }

  // The entropy of a guess that was scored.
  /** @type {(row: Row) => number} */
  bitsOf(row) {
    return this.scored.get(this.game.labelOf(row)).bits;
  }

  // Writes a code's bits from the word `at` on, where all bits are 0.
  /** @type {(row: Row, places: Int32Array, copies: Int32Array, at: number) => void} */
  pack(row, places, copies, at) {
    const { pegs, colours } = this.game;
    const seen = new Uint8Array(colours);
    for (let peg = 0; peg < pegs; peg++) {
      const symbol = row[peg];
      const place = peg * colours + symbol;
      const copy = symbol * pegs + seen[symbol];
      places[at + (place >> 5)] |= 1 << (place & 31);
      copies[at + (copy >> 5)] |= 1 << (copy & 31);
      seen[symbol]++;
    }
  }

  // Scores the guesses that were not scored before.
  /** @type {(rows: Row[]) => void} */
  add(rows) {
    for (const row of rows) {
      const label = this.game.labelOf(row);
      if (!this.scored.has(label)) this.scored.set(label, { row, label, bits: this.score(row) });
    }
  }

  // The entropy of a guess in bits: log2 n − Σ c log2 c / n, over the numbers c of members that give each feedback.
  /** @type {(row: Row) => number} */
  score(row) {
    const { words, places, copies, placesOfGuess, copiesOfGuess, counts, logs } = this;
    const { ids, pegs } = this.game;
    const n = this.members.length;
    placesOfGuess.fill(0);
    copiesOfGuess.fill(0);
    this.pack(row, placesOfGuess, copiesOfGuess, 0);
    counts.fill(0);
    for (let member = 0; member < n; member++) {
      const at = member * words;
      let black = 0;
      let common = 0;
      for (let word = 0; word < words; word++) {
        black += bitCount(places[at + word] & placesOfGuess[word]);
        common += bitCount(copies[at + word] & copiesOfGuess[word]);
      }
      counts[ids[black * (pegs + 1) + common]]++;
    }
    let sumOfParts = 0;
    for (let id = 0; id < counts.length; id++) sumOfParts += logs[counts[id]];
    return (logs[n] - sumOfParts) / n;
  }

  // The guesses with the highest entropies: of equal ones candidates first, then in order.
  /** @type {(most: number) => Row[]} */
  best(most) {
    // 1. Those that may be among the best: up to the last one that counts, and what is equal to it.
    const sorted = [...this.scored.values()].sort((a, b) => b.bits - a.bits);
    const lowest = (sorted[most - 1] ?? sorted.at(-1)).bits - TIED_BITS;
    // 2. Their order. Equal entropies have equal tiers; whether a guess is a candidate is asked of these guesses alone.
    /** @type {(guess: { row: Row }) => boolean} */
    const isCandidate = ({ row }) => fitsMoves(this.game, this.moves, row);
    const high = sorted
      .slice(0, MOST_TIED)
      .filter(({ bits }) => bits >= lowest)
      .map((guess) => ({ ...guess, tier: Math.round(guess.bits / TIED_BITS), fits: isCandidate(guess) }));
    high.sort((a, b) => b.tier - a.tier || b.fits - a.fits || (a.label < b.label ? -1 : 1));
    return high.slice(0, most).map(({ row }) => row);
  }
}

/** @type {(bits: number) => number} */
function bitCount(bits) {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

// Whether a code could be the secret after moves.
/** @type {(game: UnlistedGame, moves: CodedMove[], row: Row) => boolean} */
export function fitsMoves(game, moves, row) {
  const mayBeSecret = game.secretsRepeat || !hasRepeats(row);
  return mayBeSecret && moves.every(({ row: guessed, id }) => game.answerTo(guessed, row) === id);
}

// The guess with the minimum total over all candidates, `members`, among these and `guesses`; null if the search takes
// too long.
/** @type {(game: UnlistedGame, members: Row[], guesses: Row[]) => { row: Row, mean: number } | null} */
function playedOut(game, members, guesses) {
  const rows = distinct([...members, ...guesses.slice(0, ENDGAME_GUESSES)]);
  const listed = new Game({
    family: game.family,
    guesses: rows.map((row) => game.labelOf(row)),
    secrets: [...members.keys()],
    feedback: game.feedback,
    solved: game.solved,
  });
  const result = new Solver(listed).solve([...members.keys()], ENDGAME_LOOKUPS);
  return result && { row: rows[result.best], mean: result.total / members.length };
}

// The first guesses of a list without rearrangements: of guesses with the same symbols the first one counts. Others
// follow if there are too few.
/** @type {(rows: Row[], count: number) => Row[]} */
function differentGuesses(rows, count) {
  const seen = new Set();
  const different = /** @type {Row[]} */ ([]);
  const others = /** @type {Row[]} */ ([]);
  for (const row of distinct(rows)) {
    const name = row.slice().sort().join();
    (seen.has(name) ? others : different).push(row);
    seen.add(name);
  }
  return [...different, ...others].slice(0, count);
}

// What a guess is worth by the candidates that were held out of its choice. `left`: the candidates expected after its
// answer, with an interval of 95 %; `most`: the largest part; `ends`: the probability that it is the secret.
/** @type {(game: UnlistedGame, row: Row, candidates: Candidates, moves: CodedMove[]) => SampledWorth} */
export function sampledWorth(game, row, candidates, moves) {
  const { heldOut, isAll } = candidates;
  const number = candidates.number ?? exactly(heldOut.length);
  const sizes = new Float64Array(game.feedback.length);
  for (const code of heldOut) sizes[game.answerTo(row, code)]++;
  const n = heldOut.length;
  const parts = [...sizes].filter((size) => size > 0);
  const fits = fitsMoves(game, moves, row);
  return {
    row,
    fits,
    left: isAll
      ? exactly(parts.reduce((sum, size) => sum + size * size, 0) / n)
      : expectedLeft(parts, n, number, candidates.how),
    most: (Math.max(...parts) / n) * number.value,
    ends: fits ? 1 / number.value : 0,
  };
}

// How many candidates are expected after a guess's answer, never fewer than one: the secret. `parts` are the sizes of
// the guess's parts of the n candidates that were held out. The probability that two of them give the same answer is
// estimated without bias by pairs of different members. Its standard error and that of the number of candidates are
// added in relative terms.
/** @type {(parts: number[], n: number, number: Interval, how?: string) => Interval} */
function expectedLeft(parts, n, number, how) {
  if (n < 2) return { value: number.value, low: 1, high: number.high };
  /** @type {(term: (size: number) => number) => number} */
  const sum = (term) => parts.reduce((total, size) => total + term(size), 0);
  // Members that walked are different candidates: a secret meets itself, and the others by `together`. Members that
  // were drawn may be equal, and meet themselves within it.
  const itself = how === "walked" ? 1 : 0;
  const together = sum((size) => size * (size - 1)) / (n * (n - 1));
  // If no two members give the same answer, fewer than 3 in n pairs do, by the rule of three.
  if (together === 0) return { value: 1, low: 1, high: Math.max(itself + ((number.high - itself) * 3) / n, 1) };
  const squares = sum((size) => (size / n) ** 2);
  const cubes = sum((size) => (size / n) ** 3);
  const variance = (4 / n) * Math.max(cubes - squares ** 2, 0);
  const relative = (critical(n - 1) * Math.sqrt(variance)) / together;
  const relativeOfNumber = (number.high - number.low) / (2 * number.value);
  const factor = Math.exp(Math.hypot(relative, relativeOfNumber));
  const met = (number.value - itself) * together;
  /** @type {(times: number) => number} */
  const end = (times) => Math.max(itself + times, 1);
  return { value: end(met), low: end(met / factor), high: Math.min(end(met * factor), number.high) };
}

// Answers that would leave candidates if a single one is changed, the likeliest first; numbers may be estimates.
/** @type {(game: UnlistedGame, moves: CodedMove[], generator: Generator) => Repair[]} */
export function repairsBySample(game, moves, generator) {
  const repairs = /** @type {Repair[]} */ ([]);
  moves.forEach((move, number) => {
    const others = moves.filter((_, i) => i !== number);
    const { codes, number: all } = findCandidates(game, others, generator);
    if (all === null || codes.length === 0) return;
    const counts = new Float64Array(game.feedback.length);
    for (const code of codes) counts[game.answerTo(move.row, code)] += all.value / codes.length;
    repairs.push(...repairsOfMove(game, moves, number, counts));
  });
  return likeliest(repairs);
}
