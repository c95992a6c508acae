// The candidates of a game whose codes are not listed: all of them, or a sample (docs/decisions/0036).
// Limits are numbers of steps and not seconds, so that the same moves give the same sample on every machine.
import { blackAndWhite } from "./naming.js";

/** @import { Move } from "./game.js" */
/** @import { Generator } from "./random.js" */
/** @import { AnyGame, Row, UnlistedGame } from "./unlisted.js" */

/**
 * A number with its interval of 95 %.
 * @typedef {{ value: number, low: number, high: number }} Interval
 *
 * Candidates, or a sample of them: see `findCandidates`.
 * @typedef {object} Candidates
 * @property {Row[]} codes
 * @property {Row[]} heldOut
 * @property {boolean} isAll
 * @property {Interval | null} number
 * @property {string} [how]
 *
 * A move as samples need it: its guess as a row, its answer's id, its black pegs and its symbols in common.
 * @typedef {{ row: Row, id: number, black: number, common: number }} CodedMove
 */

export const SAMPLES = 1024; // candidates of a sample
const FIRST_SAMPLES = 8192; // the same before the first move
const GROUPS = 8; // of a sample; the last one is held out: it has no part in the choice of a guess
const MOST_LISTED = 8192; // candidates
const LISTED_NODES = 1 << 20; // partial codes tried to list all candidates
const DECIDING_NODES = 1 << 22; // the same, if none was found by other ways
const MOST_DRAWN = SAMPLES << 9; // codes drawn for a sample
const TRIED_DRAWN = MOST_DRAWN >> 4; // codes after which too few candidates are given up:
const TRIED_KEPT = SAMPLES >> 6; // fewer than this, a quarter of those that a sample would need by then
const STEPS_AT_LEVEL = 48; // random steps of a code at a level
const MOST_CHANGES = 3; // pegs that one step changes
const MOST_STUCK = 32; // levels without a closer code, after which a group has found no candidate

// What moves demand of the secret. Each move has the symbols of its guess as numbers (`row`), its black pegs, and the
// symbols in common, black and white pegs together. Symbols and copies are by peg or colour, then by move.
export class Demands {
  /**
   * @param {UnlistedGame} game
   * @param {CodedMove[]} moves
   */
  constructor(game, moves) {
    const n = moves.length;
    this.n = n;
    this.blacks = Int32Array.from(moves, ({ black }) => black);
    this.commons = Int32Array.from(moves, ({ common }) => common);
    this.symbols = new Uint8Array(game.pegs * n);
    this.copies = new Uint8Array(game.colours * n);
    moves.forEach(({ row }, move) => {
      row.forEach((symbol, peg) => {
        this.symbols[peg * n + move] = symbol;
        this.copies[symbol * n + move]++;
      });
    });
    const numbers = [...moves.keys()];
    /** @type {(length: number, isIn: (at: number, move: number) => boolean) => number[][]} */
    const cells = (length, isIn) => Array.from({ length }, (_, at) => numbers.filter((move) => isIn(at, move)));
    // By peg * colours + symbol: the moves whose guess has the symbol at the peg.
    this.inPlace = cells(game.pegs * game.colours, (at, move) => {
      const peg = Math.floor(at / game.colours);
      return this.symbols[peg * n + move] === at % game.colours;
    });
    // By symbol * pegs + k: the moves whose guess has the symbol more than k times.
    this.withMore = cells(game.colours * game.pegs, (at, move) => {
      const symbol = Math.floor(at / game.pegs);
      return this.copies[symbol * n + move] > at % game.pegs;
    });
  }
}

// Candidates as rows of symbols. Guesses are chosen by `codes`, and what they leave is estimated by `heldOut`, as a
// guess that looks best by a sample looks better there than it is. If `isAll`, both are all candidates. `number` is how
// many there are, with its interval of 95 %; null if none was found and whether there is one is undecided. `how`:
// listed, drawn, walked, or undecided; estimates.js has words for them.
// A way to find candidates returns these, or null if they are too many or too rare for it; the ways are tried in turn.
/** @type {(game: UnlistedGame, moves: CodedMove[], generator: Generator) => Candidates} */
export function findCandidates(game, moves, generator) {
  const demands = new Demands(game, moves);
  // Before the first move all codes are candidates: drawing them never fails.
  const first = moves.length === 0 ? drawCandidates(game, demands, generator, FIRST_SAMPLES) : null;
  if (first) return first;
  const listed = listCandidates(game, demands, LISTED_NODES);
  if (listed) return ofAll(listed);
  return drawCandidates(game, demands, generator) ?? walkToCandidates(game, demands, generator);
}

/** @type {(codes: Row[]) => Candidates} */
export const ofAll = (codes) => ({ codes, heldOut: codes, isAll: true, number: exactly(codes.length), how: "listed" });
/** @type {(value: number) => Interval} */
export const exactly = (value) => ({ value, low: value, high: value });

// All candidates in lexicographic order; null if they are too many, or take more partial codes than `mostNodes`.
/** @type {(game: UnlistedGame, demands: Demands, mostNodes: number) => Row[] | null} */
export function listCandidates(game, demands, mostNodes) {
  const { pegs, colours, secretsRepeat } = game;
  const { n, symbols, copies: copiesOfGuess, blacks, commons } = demands;
  // Of the partial code, which has the pegs up to `peg`: its symbols, and its pegs of each; what it has in place and in
  // common with each guess; and what it lacks of either, over all guesses.
  const row = new Int8Array(pegs).fill(-1);
  const copies = new Uint8Array(colours);
  const black = new Int32Array(n);
  const common = new Int32Array(n);
  const { mostBlack, mostCommon } = mostGained(game, demands);
  let missingBlack = blacks.reduce((sum, count) => sum + count, 0);
  let missingCommon = commons.reduce((sum, count) => sum + count, 0);
  const listed = [];
  let nodes = 0;
  let peg = 0;
  while (peg >= 0) {
    // 1. Take the last symbol of this peg away, and try the next one.
    const old = row[peg];
    if (old >= 0) {
      copies[old]--;
      for (let move = 0; move < n; move++) {
        if (symbols[peg * n + move] === old) {
          black[move]--;
          missingBlack++;
        }
        if (copies[old] < copiesOfGuess[old * n + move]) {
          common[move]--;
          missingCommon++;
        }
      }
    }
    const symbol = old + 1;
    if (symbol === colours) {
      row[peg] = -1;
      peg--;
      continue;
    }
    row[peg] = symbol;
    nodes++;
    if (nodes > mostNodes) return null;
    const open = pegs - peg - 1;
    let isOpen = secretsRepeat || copies[symbol] === 0;
    for (let move = 0; move < n; move++) {
      if (symbols[peg * n + move] === symbol) {
        black[move]++;
        missingBlack--;
      }
      if (copies[symbol] < copiesOfGuess[symbol * n + move]) {
        common[move]++;
        missingCommon--;
      }
      // 2. Each open peg adds at most one to either count, and nothing is ever lost: a count that is too high stays
      //    so, and one that the open pegs can't complete stays too low.
      const lacksBlack = blacks[move] - black[move];
      const lacksCommon = commons[move] - common[move];
      if (lacksBlack < 0 || lacksBlack > open || lacksCommon < 0 || lacksCommon > open) isOpen = false;
    }
    copies[symbol]++;
    // 3. Over all guesses the open pegs add at most `mostBlack` and `mostCommon`.
    if (!isOpen || missingBlack > mostBlack[open] || missingCommon > mostCommon[open]) continue;
    if (open > 0) {
      peg++;
      continue;
    }
    // 4. A complete code lacks nothing: it is a candidate.
    if (listed.length === MOST_LISTED) return null;
    listed.push(Uint8Array.from(row));
  }
  return listed;
}

// Bounds of what the last k pegs add to the counts of all guesses, by k. In place, a peg counts in the guesses that
// have its symbol there: at most as many as share a symbol. In common, the k-th peg of a symbol counts in the guesses
// that have it k times.
/** @type {(game: UnlistedGame, demands: Demands) => { mostBlack: number[], mostCommon: number[] }} */
function mostGained(game, { n, symbols, copies }) {
  const { pegs, colours } = game;
  let black = 0;
  const mostBlack = [0];
  for (let peg = pegs - 1; peg >= 0; peg--) {
    const shared = new Uint8Array(colours);
    for (let move = 0; move < n; move++) shared[symbols[peg * n + move]]++;
    black += Math.max(...shared);
    mostBlack.push(black);
  }
  const gains = new Uint8Array(colours * pegs);
  for (let symbol = 0; symbol < colours; symbol++) {
    for (let move = 0; move < n; move++) {
      for (let copy = 0; copy < copies[symbol * n + move]; copy++) gains[symbol * pegs + copy]++;
    }
  }
  gains.sort().reverse();
  let common = 0;
  const mostCommon = [0];
  for (let peg = 0; peg < pegs; peg++) {
    common += gains[peg];
    mostCommon.push(common);
  }
  return { mostBlack, mostCommon };
}

// Codes are drawn uniformly, and candidates kept: a uniform sample. Null if they are too rare.
/** @type {(game: UnlistedGame, demands: Demands, generator: Generator, samples?: number) => Candidates | null} */
export function drawCandidates(game, demands, generator, samples = SAMPLES) {
  const walker = new Walker(game, demands, generator);
  const kept = [];
  let drawn = 0;
  while (kept.length < samples) {
    if (drawn === MOST_DRAWN || (drawn === TRIED_DRAWN && kept.length < TRIED_KEPT)) return null;
    walker.draw();
    drawn++;
    if (walker.distance === 0) kept.push(walker.row.slice());
  }
  const share = samples / drawn;
  const value = game.numberOfSecrets * share;
  const spread = value * critical(samples - 1) * Math.sqrt((1 - share) / samples);
  const number = { value, low: value - spread, high: Math.min(value + spread, game.numberOfSecrets) };
  const chosen = samples - samples / GROUPS;
  return { codes: kept.slice(0, chosen), heldOut: kept.slice(chosen), isAll: false, number, how: "drawn" };
}

// Candidates by walks, in independent groups whose estimates of the number are compared. If no group has found one, a
// longer listing decides whether there is one, if it can.
/** @type {(game: UnlistedGame, demands: Demands, generator: Generator) => Candidates} */
export function walkToCandidates(game, demands, generator) {
  const groups = Array.from({ length: GROUPS }, () => walkInLevels(game, demands, generator));
  const heldOut = distinct(groups[GROUPS - 1].codes);
  const chosen = distinct(groups.slice(0, -1).flatMap(({ codes: walked }) => walked));
  const codes = chosen.length > 0 ? chosen : heldOut;
  if (codes.length === 0) {
    const listed = listCandidates(game, demands, DECIDING_NODES);
    return listed ? ofAll(listed) : { codes: [], heldOut: [], isAll: false, number: null, how: "undecided" };
  }
  const numbers = groups.map(({ number }) => number);
  const mean = numbers.reduce((sum, number) => sum + number, 0) / GROUPS;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  const spread = critical(GROUPS - 1) * Math.sqrt(squares / (GROUPS - 1) / GROUPS);
  // There can't be fewer than were found, and there may be one more: an estimate is never exact, unless all secrets of
  // the game were found.
  const least = distinct([...codes, ...heldOut]).length;
  const low = Math.max(mean - spread, least);
  const high = Math.min(Math.max(mean + spread, least + 1), game.numberOfSecrets);
  const number = { value: Math.max(mean, low), low, high };
  return { codes, heldOut: heldOut.length > 0 ? heldOut : codes, isAll: false, number, how: "walked" };
}

// Rows, each once: a small set is found again and again.
/** @type {<T extends Row>(rows: T[]) => T[]} */
export function distinct(rows) {
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

// Multilevel splitting (Botev and Kroese 2012): a group of codes drawn from all codes comes closer to the candidates
// level by level. A code's distance is the number of pegs by which its answers differ from the given ones. At each
// level its limit falls: codes beyond it are replaced by copies of others, and every code makes random steps within the
// limit. Steps are symmetric, so that the uniform distribution over the codes within the limit stays as it is.
// Candidates alone have the distance 0. Returns them, and the estimate of their number; there are none if no code comes
// closer.
/** @type {(game: UnlistedGame, demands: Demands, generator: Generator) => { codes: Row[], number: number }} */
export function walkInLevels(game, demands, generator) {
  const n = SAMPLES / GROUPS;
  const walkers = Array.from({ length: n }, () => new Walker(game, demands, generator));
  walkers.forEach((walker) => walker.draw());
  let number = game.numberOfSecrets;
  let limit = Math.max(...walkers.map((walker) => walker.distance)) + 1;
  let stuck = 0;
  while (limit > 0) {
    // 1. The next limit keeps about a quarter of the codes, and is lower than the last one.
    const sorted = walkers.map((walker) => walker.distance).sort((a, b) => a - b);
    const next = Math.min(sorted[n >> 2], limit - 1);
    const within = walkers.filter((walker) => walker.distance <= next);
    if (within.length === 0) {
      stuck++;
      if (stuck === MOST_STUCK) return { codes: [], number: 0 };
      // Otherwise the limit stays where it is, and the codes walk again.
    } else {
      stuck = 0;
      limit = next;
      number *= within.length / n;
      // 2. Codes beyond the limit become copies of those within.
      for (const walker of walkers) {
        if (walker.distance > limit) walker.copy(within[generator.below(within.length)]);
      }
    }
    // 3. All codes walk.
    for (const walker of walkers) for (let step = 0; step < STEPS_AT_LEVEL; step++) walker.step(limit);
  }
  return { codes: walkers.map((walker) => walker.row), number };
}

// A code that changes at random. `black` and `common` are by how many its pegs in place and its symbols in common with
// each guess exceed the given ones; `distance` is the sum of their absolute values.
export class Walker {
  /**
   * @param {UnlistedGame} game
   * @param {Demands} demands
   * @param {Generator} generator
   */
  constructor(game, demands, generator) {
    this.game = game;
    this.demands = demands;
    this.generator = generator;
    this.row = new Uint8Array(game.pegs);
    this.copies = new Uint8Array(game.colours);
    this.black = new Int32Array(demands.n);
    this.common = new Int32Array(demands.n);
    this.distance = 0;
    this.changed = new Uint8Array(MOST_CHANGES);
    this.old = new Uint8Array(MOST_CHANGES);
    this.fresh = new Uint8Array(MOST_CHANGES);
  }

  /** @type {(other: Walker) => void} */
  copy(other) {
    this.row.set(other.row);
    this.copies.set(other.copies);
    this.black.set(other.black);
    this.common.set(other.common);
    this.distance = other.distance;
  }

  // Draws a secret uniformly.
  draw() {
    const { game, demands, copies, black, common, generator } = this;
    copies.fill(0);
    this.distance = 0;
    for (let move = 0; move < demands.n; move++) {
      black[move] = -demands.blacks[move];
      common[move] = -demands.commons[move];
      this.distance += demands.blacks[move] + demands.commons[move];
    }
    for (let peg = 0; peg < game.pegs; peg++) {
      let symbol = generator.below(game.colours);
      // Each symbol that the pegs before don't have is equally likely: others are drawn again.
      while (!game.secretsRepeat && copies[symbol] > 0) symbol = generator.below(game.colours);
      this.put(peg, symbol);
    }
  }

  // A random step: two pegs are swapped, three are turned in a cycle, or up to three get other symbols. A step is as
  // likely as its reverse, and is taken back if it leaves the secrets or passes the limit.
  /** @type {(limit: number) => void} */
  step(limit) {
    const { game, row, copies, changed, old, fresh, generator } = this;
    const n = 1 + generator.below(Math.min(MOST_CHANGES, game.pegs));
    for (let i = 0; i < n; i++) {
      do changed[i] = generator.below(game.pegs); while (changed.indexOf(changed[i]) < i);
      old[i] = row[changed[i]];
    }
    const isExchange = n > 1 && generator.below(2) === 0;
    for (let i = 0; i < n; i++) fresh[i] = isExchange ? old[(i + 1) % n] : generator.below(game.colours);
    for (let i = 0; i < n; i++) this.change(changed[i], fresh[i]);
    let isAllowed = this.distance <= limit;
    if (!game.secretsRepeat) { for (let i = 0; i < n; i++) isAllowed &&= copies[fresh[i]] === 1; }
    if (!isAllowed) { for (let i = 0; i < n; i++) this.change(changed[i], old[i]); }
  }

  // Replaces the symbol of a peg.
  /** @type {(peg: number, symbol: number) => void} */
  change(peg, symbol) {
    if (this.row[peg] === symbol) return;
    this.take(peg);
    this.put(peg, symbol);
  }

  // Counts a peg that the code gets. The k-th peg of a symbol is in common with a guess that has it k times, too.
  /** @type {(peg: number, symbol: number) => void} */
  put(peg, symbol) {
    const { game, demands, copies } = this;
    this.raise(this.black, demands.inPlace[peg * game.colours + symbol]);
    this.raise(this.common, demands.withMore[symbol * game.pegs + copies[symbol]]);
    copies[symbol]++;
    this.row[peg] = symbol;
  }

  // Undoes `put`, in any order of the pegs.
  /** @type {(peg: number) => void} */
  take(peg) {
    const { game, demands, copies } = this;
    const symbol = this.row[peg];
    copies[symbol]--;
    this.lower(this.black, demands.inPlace[peg * game.colours + symbol]);
    this.lower(this.common, demands.withMore[symbol * game.pegs + copies[symbol]]);
  }

  // Adds one to the counts of some moves, and what changes by it to the distance.
  /** @type {(counts: Int32Array, moves: number[]) => void} */
  raise(counts, moves) {
    for (let i = 0; i < moves.length; i++) {
      this.distance += counts[moves[i]] < 0 ? -1 : 1;
      counts[moves[i]]++;
    }
  }

  // Takes one from the counts of some moves, as `raise` adds it.
  /** @type {(counts: Int32Array, moves: number[]) => void} */
  lower(counts, moves) {
    for (let i = 0; i < moves.length; i++) {
      this.distance += counts[moves[i]] > 0 ? -1 : 1;
      counts[moves[i]]--;
    }
  }
}

// The critical value of Student's distribution for intervals of 95 %, by Cornish and Fisher's expansion: within 0.001
// from 7 degrees of freedom on.
/** @type {(freedom: number) => number} */
export function critical(freedom) {
  const z = 1.959964;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** @type {(interval: Interval) => boolean} */
export const isExact = ({ low, high }) => low === high;

// Moves as samples need them: the symbols of each guess as numbers, and its black pegs and symbols in common.
/** @type {(game: AnyGame, moves: Move[]) => CodedMove[]} */
export function movesFor(game, moves) {
  return moves.map(({ guess, id }) => {
    const { black, white } = blackAndWhite(game.feedback[id]);
    return { row: [...game.codeOf(guess)], id, black, common: black + white };
  });
}
