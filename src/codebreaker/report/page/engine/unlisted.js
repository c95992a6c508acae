// Games of codes that are too many to be listed: a code gets a number when it is first named. Such a game answers as
// `Game` does to the board, links and records, so that they need not know that no list exists.
import { Generator } from "./random.js";

/** @import { Strategy } from "./tree.js" */
/** @import { Game } from "./game.js" */

/**
 * A game, with a list of its codes or without.
 * @typedef {Game | UnlistedGame} AnyGame
 *
 * What such a game is built of.
 * @typedef {object} UnlistedRules
 * @property {string} name
 * @property {string} [title]
 * @property {string} family
 * @property {number} pegs
 * @property {string[]} symbols
 * @property {string[]} feedback
 * @property {number} solved
 * @property {boolean} secretsRepeat
 * @property {boolean} guessesRepeat
 * @property {Strategy[]} [strategies]
 *
 * A code as the numbers of its symbols.
 * @typedef {Uint8Array | number[]} Row
 */

export class UnlistedGame {
  // `rules` have name, title, family, pegs, symbols, feedback, solved, strategies, and whether a symbol may come twice
  // in a secret (`secretsRepeat`) and in a guess (`guessesRepeat`).
  /** @param {UnlistedRules} rules */
  constructor(rules) {
    this.isListed = false;
    this.spelled = false; // codes are not words
    this.name = rules.name;
    this.title = rules.title ?? "";
    this.family = rules.family;
    this.pegs = rules.pegs;
    this.symbols = rules.symbols;
    this.feedback = rules.feedback;
    this.solved = rules.solved;
    this.strategies = rules.strategies ?? [];
    this.secretsRepeat = rules.secretsRepeat;
    this.guessesRepeat = rules.guessesRepeat;
    this.colours = this.symbols.length;
    this.idOf = new Map(this.feedback.map((label, id) => [label, id]));
    this.ids = this.idsByPegs();
    this.numberOfSymbol = new Map(this.symbols.map((symbol, number) => [symbol, number]));
    /** @type {string[]} */
    this.guesses = []; // labels of the codes named so far
    /** @type {Uint8Array[]} */
    this.rows = []; // their symbols, as numbers
    /** @type {Map<string, number>} */
    this.numberOfLabel = new Map();
    this.indexOf = {
      /** @param {string} label */
      get: (label) => this.named(label),
      /** @param {string} label */
      has: (label) => this.named(label) !== undefined,
    };
    this.left = new Uint8Array(this.colours); // symbols not yet matched: working memory of one feedback
    // The code of number 0 shows what codes look like: entry.js and carry.js read it.
    this.add(Array.from({ length: this.pegs }, (_, peg) => (this.secretsRepeat ? 0 : peg)));
  }

  // What the worker needs to build the same game.
  get rules() {
    const { name, family, pegs, symbols, feedback, solved, secretsRepeat, guessesRepeat } = this;
    return { name, family, pegs, symbols, feedback, solved, secretsRepeat, guessesRepeat };
  }

  get isDistinct() {
    return !this.secretsRepeat;
  }

  get numberOfSecrets() {
    let codes = 1;
    for (let peg = 0; peg < this.pegs; peg++) codes *= this.secretsRepeat ? this.colours : this.colours - peg;
    return codes;
  }

  // Feedback ids, indexed by black * (pegs + 1) + common symbols.
  idsByPegs() {
    const width = this.pegs + 1;
    const ids = new Int16Array(width * width).fill(-1);
    for (let black = 0; black < width; black++) {
      for (let common = black; common < width; common++) {
        ids[black * width + common] = this.idOf.get(`${black}B-${common - black}C`) ?? -1;
      }
    }
    return ids;
  }

  // The number of a code, given by the numbers of its symbols; a new code gets the next number.
  /** @type {(row: Row) => number} */
  add(row) {
    const label = this.labelOf(row);
    let number = this.numberOfLabel.get(label);
    if (number === undefined) {
      number = this.guesses.length;
      this.numberOfLabel.set(label, number);
      this.guesses.push(label);
      this.rows.push(Uint8Array.from(row));
    }
    return number;
  }

  /** @type {(row: Row) => string} */
  labelOf(row) {
    let label = "";
    for (const symbol of row) label += this.symbols[symbol];
    return label;
  }

  // The number of the code with a label, or undefined if it is not a guess of the game.
  /** @type {(label: string) => number | undefined} */
  named(label) {
    const known = this.numberOfLabel.get(label);
    if (known !== undefined) return known;
    if (label.length !== this.pegs) return undefined;
    const row = [...label].map((symbol) => this.numberOfSymbol.get(symbol) ?? UNKNOWN);
    const mayBeGuessed = !row.includes(UNKNOWN) && (this.guessesRepeat || !hasRepeats(row));
    return mayBeGuessed ? this.add(row) : undefined;
  }

  // The numbers of a code's symbols.
  /** @type {(guess: number) => Uint8Array} */
  codeOf(guess) {
    return this.rows[guess];
  }

  /** @type {(guess: number) => boolean} */
  isSecret(guess) {
    return this.secretsRepeat || !hasRepeats(this.rows[guess]);
  }

  // A secret that is drawn uniformly; `random` returns numbers from 0 up to 1.
  drawSecret(random = Math.random) {
    const free = [...this.symbols.keys()];
    const row = [];
    for (let peg = 0; peg < this.pegs; peg++) {
      const at = Math.floor(random() * free.length);
      row.push(free[at]);
      if (!this.secretsRepeat) free.splice(at, 1);
    }
    return this.add(row);
  }

  // The secret of a number of 32 bits, the same on every machine.
  /** @type {(hash: number) => number} */
  secretBy(hash) {
    const generator = new Generator(hash);
    return this.drawSecret(() => generator.next());
  }

  // The feedback id of a guess and a secret, given by their own numbers.
  /** @type {(guess: number, secret: number) => number} */
  feedbackOf(guess, secret) {
    return this.answerTo(this.rows[guess], this.rows[secret]);
  }

  // The feedback id of a guess and a secret, given by the numbers of their symbols.
  /** @type {(guessed: Row, hidden: Row) => number} */
  answerTo(guessed, hidden) {
    const { left, pegs } = this;
    let black = 0;
    let common = 0;
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) {
      if (guessed[peg] === hidden[peg]) black++;
      left[hidden[peg]]++;
    }
    for (let peg = 0; peg < pegs; peg++) {
      if (left[guessed[peg]] === 0) continue;
      left[guessed[peg]]--;
      common++;
    }
    return this.ids[black * (pegs + 1) + common];
  }
}

const UNKNOWN = -1; // stands for the number of a symbol that the game lacks

/** @type {(row: Row) => boolean} */
export const hasRepeats = (row) => new Set(row).size < row.length;

// The game as one without a list.
/** @type {(game: AnyGame) => UnlistedGame} */
export function asUnlisted(game) {
  if (!(game instanceof UnlistedGame)) throw new TypeError(`the codes of ${game.name} are listed`);
  return game;
}
