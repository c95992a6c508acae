// Games: codes by index, feedback, and candidate sets.

/** @import { Strategy } from "./tree.js" */

/**
 * Secrets, by the numbers of their codes.
 * @typedef {Int32Array | number[]} Members
 *
 * A guess by its number, and the id of its answer.
 * @typedef {{ guess: number, id: number }} Move
 *
 * The parts of all codes between two pegs: the name of each code's part, a code of each name, and working memory.
 * @typedef {object} Half
 * @property {Uint16Array} names
 * @property {number[]} samples
 * @property {number} from
 * @property {number} to
 * @property {Uint8Array} black
 *
 * What a game is built of. `secrets` are the numbers of the guesses that may be the secret, null for all; `openings`
 * are minimum totals of first guesses; `advised` are the guesses that may be advised, if not all; `reference` is a
 * recorded total of all secrets; `base` is the game without the last guesses, if they were added to one.
 * @typedef {object} GameData
 * @property {string} [name]
 * @property {string} [title]
 * @property {string} family
 * @property {string[]} guesses
 * @property {number[] | null} [secrets]
 * @property {string[]} feedback
 * @property {number} solved
 * @property {{ guess: number, total: number }[] | null} [openings]
 * @property {Strategy[]} [strategies]
 * @property {number[] | null} [advised]
 * @property {{ guess: number, total: number } | null} [reference]
 * @property {Game | null} [base]
 */

const MAX_TABLE_CELLS = 3e7; // bytes of a game's feedback table, and of the marks by letter
const FEW_MEMBERS_TO_COUNT = 300; // below this, single feedbacks are computed faster than halves of codes
const FEWEST_SHARE = 8; // of all secrets: from an eighth on, a whole row of marks is computed faster than single ones
/** @type {(label: string) => string[]} */
export const symbolsOf = (label) => (label.includes(".") ? label.split(".") : [...label]);

export class Game {
  /** @param {GameData} data */
  constructor(data) {
    this.isListed = true;
    this.name = data.name ?? "";
    this.title = data.title ?? "";
    this.family = data.family;
    this.guesses = data.guesses;
    this.secrets = data.secrets ?? null;
    this.feedback = data.feedback;
    this.solved = data.solved;
    this.openings = data.openings ?? null;
    this.strategies = data.strategies ?? [];
    this.advised = data.advised ?? null;
    this.reference = data.reference ?? null;
    /** @type {Game | null} */
    this.base = data.base ?? null;
    // Computed at first use: see the functions of the same names.
    /** @type {boolean | null} */
    this.hasDistinctSecrets = null;
    /** @type {Uint16Array<ArrayBuffer> | null} */
    this.passing = null;
    /** @type {{ marks: Uint8Array[], amounts: Uint8Array[] } | null} */
    this.letters = null;
    /** @type {Half[] | null} */
    this.halves = null;
    /** @type {Map<number, number> | null} */
    this.byKey = null;
    /** @type {{ used: string, first: Int32Array | null } | null} */
    this.classes = null;
    // Working memory that other families don't need.
    this.ids = new Int32Array(0);
    this.kind = new Uint16Array(0);
    /** @type {number[]} */
    this.samples = [];
    /** @type {Uint8Array[]} */
    this.common = [];
    this.spelled = ["matches", "marks", "pegs"].includes(this.family);
    const { codes, pegs, symbols } = readCodes(this.guesses);
    this.codes = codes;
    this.pegs = pegs;
    this.symbols = symbols;
    this.allSecrets = Int32Array.from(this.secrets ?? this.guesses.keys());
    this.indexOf = new Map(this.guesses.map((label, i) => [label, i]));
    this.idOf = new Map(this.feedback.map((label, id) => [label, id]));
    this.left = new Uint8Array(this.symbols.length); // symbols not yet matched: working memory of one feedback
    if (this.family === "marks") this.ids = this.idsByMarks();
    else if (this.family !== "matches") this.ids = this.idsByPegs();
    if (!this.spelled) this.prepareKinds();
    this.placeOf = new Int32Array(this.guesses.length); // of a secret in a row of the feedback table
    this.allSecrets.forEach((secret, place) => (this.placeOf[secret] = place));
    const isTabled = this.guesses.length * this.allSecrets.length <= MAX_TABLE_CELLS;
    /** @type {(Uint8Array | Uint16Array)[] | null} */
    this.rows = isTabled ? new Array(this.guesses.length) : null;
  }

  // The symbols of a code, as numbers.
  /** @type {(guess: number) => Uint16Array} */
  codeOf(guess) {
    return this.codes.subarray(guess * this.pegs, (guess + 1) * this.pegs);
  }

  // Codes with the same symbols form a kind: `kind` has that of each code, and `samples` a code of each kind.
  prepareKinds() {
    const n = this.guesses.length;
    const kindOfKey = new Map();
    this.kind = new Uint16Array(n);
    this.samples = [];
    for (let guess = 0; guess < n; guess++) {
      // The key of a kind: its symbols in order, as the digits of a number.
      let key = 0;
      for (const symbol of this.codeOf(guess).slice().sort()) key = key * this.symbols.length + symbol;
      let kind = kindOfKey.get(key);
      if (kind === undefined) {
        kind = this.samples.length;
        kindOfKey.set(key, kind);
        this.samples.push(guess);
      }
      this.kind[guess] = kind;
    }
    this.common = new Array(this.samples.length);
  }

  // How many symbols a kind has in common with each kind, computed at first use: all pairs of a large game take
  // seconds.
  /** @type {(kind: number) => Uint8Array} */
  commonWith(kind) {
    this.common[kind] ??= this.computeCommon(this.samples[kind] * this.pegs);
    return this.common[kind];
  }

  /** @type {(start: number) => Uint8Array} */
  computeCommon(start) {
    const { samples, pegs } = this;
    const row = new Uint8Array(samples.length);
    for (let kind = 0; kind < row.length; kind++) row[kind] = this.shared(start, samples[kind] * pegs);
    return row;
  }

  // What the worker needs to build the same game.
  get rules() {
    const { family, guesses, secrets, feedback, solved, openings, advised } = this;
    return { family, guesses, secrets, feedback, solved, openings, advised };
  }

  // Whether a label that the game lacks may be asked of a secret elsewhere, whose list may have more words: a word of
  // the game's letters.
  /** @type {(label: string) => boolean} */
  mayAdd(label) {
    const symbols = symbolsOf(label);
    const isWord = this.family === "marks" && symbols.length === this.pegs && !this.indexOf.has(label);
    return isWord && symbols.every((symbol) => this.symbols.includes(symbol));
  }

  // The same game with further guesses, which are neither secrets nor advised.
  /** @type {(labels: string[]) => Game} */
  with(labels) {
    return new Game({
      ...this,
      guesses: [...this.guesses, ...labels],
      secrets: [...this.allSecrets],
      advised: this.advised ?? [...this.guesses.keys()],
      base: this,
    });
  }

  get numberOfSecrets() {
    return this.allSecrets.length;
  }

  /** @type {(guess: number) => boolean} */
  isSecret(guess) {
    return this.allSecrets.includes(guess);
  }

  drawSecret() {
    return this.allSecrets[Math.floor(Math.random() * this.allSecrets.length)];
  }

  // The secret of a number of 32 bits, the same on every machine.
  /** @type {(hash: number) => number} */
  secretBy(hash) {
    return this.allSecrets[hash % this.allSecrets.length];
  }

  // Whether no symbol is twice in a secret.
  get isDistinct() {
    /** @type {(secret: number) => boolean} */
    const hasEach = (secret) => new Set(this.codeOf(secret)).size === this.pegs;
    this.hasDistinctSecrets ??= this.allSecrets.every(hasEach);
    return this.hasDistinctSecrets;
  }

  // Feedback ids, indexed by black * (pegs + 1) + common symbols.
  idsByPegs() {
    const width = this.pegs + 1;
    const ids = new Int16Array(width * width).fill(-1);
    for (let black = 0; black < width; black++) {
      for (let common = black; common < width; common++) {
        const label = this.family === "black" ? `${black}B` : `${black}B-${common - black}C`;
        ids[black * width + common] = this.idOf.get(label) ?? -1;
      }
    }
    return ids;
  }

  // Feedback ids, indexed by the marks as a number of base 3: 0 absent, 1 elsewhere, 2 in place.
  idsByMarks() {
    const ids = new Int32Array(3 ** this.pegs).fill(-1); // words of ten letters have 59,039
    this.feedback.forEach((label, id) => {
      const number = [...label].reduce((sum, mark) => 3 * sum + "byg".indexOf(mark), 0);
      ids[number] = id;
    });
    return ids;
  }

  // A guess's feedback for all secrets, by their places, computed at first use; null in games without a table.
  /** @type {(guess: number) => Uint8Array | Uint16Array | null} */
  rowOf(guess) {
    if (!this.rows) return null;
    this.rows[guess] ??= this.computeRow(guess);
    return this.rows[guess];
  }

  /** @type {(guess: number) => Uint8Array | Uint16Array} */
  computeRow(guess) {
    const { allSecrets } = this;
    const Row = this.feedback.length > 256 ? Uint16Array : Uint8Array;
    const row = new Row(allSecrets.length);
    if (this.fillMarks(guess, row)) return row;
    for (let place = 0; place < row.length; place++) row[place] = this.compute(guess, allSecrets[place]);
    return row;
  }

  /** @type {(guess: number, secret: number) => number} */
  feedbackOf(guess, secret) {
    return this.rows?.[guess] ? this.rows[guess][this.placeOf[secret]] : this.compute(guess, secret);
  }

  // Adds to `counts` how many members give each feedback.
  /** @type {(guess: number, members: Members, counts: Int32Array) => Int32Array} */
  countCells(guess, members, counts) {
    const { placeOf } = this;
    const row = this.rowOf(guess) ?? this.passingRow(guess, members);
    if (row) {
      for (let i = 0; i < members.length; i++) counts[row[placeOf[members[i]]]]++;
    } else if (this.spelled || members.length < FEW_MEMBERS_TO_COUNT) {
      for (let i = 0; i < members.length; i++) counts[this.compute(guess, members[i])]++;
    } else this.countPegs(guess, members, counts);
    return counts;
  }

  // A row of marks that is not kept, if the members are so many that it saves time; otherwise null.
  /** @type {(guess: number, members: Members) => Uint16Array | null} */
  passingRow(guess, members) {
    if (this.family !== "marks" || members.length * FEWEST_SHARE < this.allSecrets.length) return null;
    this.passing ??= new Uint16Array(this.allSecrets.length);
    return this.fillMarks(guess, this.passing) ? this.passing : null;
  }

  // The same on demand: black pegs are counted by halves of the codes, of which there are few different ones.
  /** @type {(guess: number, members: Members, counts: Int32Array) => void} */
  countPegs(guess, members, counts) {
    const { ids, kind, pegs } = this;
    this.halves ??= [this.half(0, pegs >> 1), this.half(pegs >> 1, pegs)];
    const [low, high] = this.halves;
    this.countBlack(guess, low);
    this.countBlack(guess, high);
    const lowName = low.names;
    const highName = high.names;
    const lowBlack = low.black;
    const highBlack = high.black;
    const common = this.commonWith(kind[guess]);
    for (let i = 0; i < members.length; i++) {
      const member = members[i];
      const black = lowBlack[lowName[member]] + highBlack[highName[member]];
      counts[ids[black + common[kind[member]]]]++;
    }
  }

  // Sets a half's `black`: the black pegs of a guess with each different half, times pegs + 1 as `ids` needs them.
  /** @type {(guess: number, half: Half) => void} */
  countBlack(guess, { samples, from, to, black }) {
    const { codes, pegs } = this;
    for (let name = 0; name < samples.length; name++) {
      let sum = 0;
      for (let peg = from; peg < to; peg++) {
        if (codes[samples[name] * pegs + peg] === codes[guess * pegs + peg]) sum++;
      }
      black[name] = sum * (pegs + 1);
    }
  }

  // The parts of all codes between two pegs: the name of each code's part, and a code of each name.
  /** @type {(from: number, to: number) => Half} */
  half(from, to) {
    const { codes, pegs, symbols } = this;
    const n = this.guesses.length;
    const names = new Uint16Array(n);
    const nameOf = new Map();
    const samples = [];
    for (let code = 0; code < n; code++) {
      let key = 0;
      for (let peg = from; peg < to; peg++) key = key * symbols.length + codes[code * pegs + peg];
      let name = nameOf.get(key);
      if (name === undefined) {
        name = samples.length;
        nameOf.set(key, name);
        samples.push(code);
      }
      names[code] = name;
    }
    return { names, samples, from, to, black: new Uint8Array(samples.length) };
  }

  // A guess's unsolved cells, as pairs of a feedback id and its members.
  /** @type {(guess: number, members: Members) => [number, number[]][]} */
  cellsOf(guess, members) {
    const cells = new Map();
    for (const member of members) {
      const id = this.feedbackOf(guess, member);
      if (id === this.solved) continue;
      const cell = cells.get(id);
      if (cell) cell.push(member);
      else cells.set(id, [member]);
    }
    return [...cells];
  }

  /** @type {(guess: number, secret: number) => number} */
  compute(guess, secret) {
    return this.family === "marks" ? this.marks(guess, secret) : this.count(guess, secret);
  }

  /** @type {(guess: number, secret: number) => number} */
  count(guess, secret) {
    const { pegs, codes } = this;
    const g = guess * pegs;
    const s = secret * pegs;
    let black = 0;
    for (let peg = 0; peg < pegs; peg++) if (codes[g + peg] === codes[s + peg]) black++;
    if (this.family === "matches") return Number(this.idOf.get(String(black)));
    const common = this.spelled ? this.shared(g, s) : this.commonWith(this.kind[guess])[this.kind[secret]];
    return this.ids[black * (pegs + 1) + common];
  }

  // How many symbols two codes, given by where they start, have in common.
  /** @type {(g: number, s: number) => number} */
  shared(g, s) {
    const { pegs, codes, left } = this;
    let common = 0;
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) left[codes[s + peg]]++;
    for (let peg = 0; peg < pegs; peg++) {
      const symbol = codes[g + peg];
      if (left[symbol] === 0) continue;
      left[symbol]--;
      common++;
    }
    return common;
  }

  // Wordle's marks: letters in place first; then, from the left, as many elsewhere as the secret has left.
  /** @type {(guess: number, secret: number) => number} */
  marks(guess, secret) {
    const { pegs, codes, left } = this;
    const g = guess * pegs;
    const s = secret * pegs;
    let value = 0;
    left.fill(0);
    for (let peg = 0; peg < pegs; peg++) if (codes[g + peg] !== codes[s + peg]) left[codes[s + peg]]++;
    for (let peg = 0; peg < pegs; peg++) {
      const symbol = codes[g + peg];
      value *= 3;
      if (symbol === codes[s + peg]) value += 2;
      else if (left[symbol] > 0) {
        left[symbol]--;
        value++;
      }
    }
    return this.ids[value];
  }

  // Fills a row of marks letter by letter, and returns whether it could. The mark of a letter that comes once in the
  // guess does not depend on its other letters: it is looked up.
  /** @type {(guess: number, row: Uint8Array | Uint16Array) => boolean} */
  fillMarks(guess, row) {
    const { pegs, symbols, ids } = this;
    const isTabled = this.family === "marks" && pegs * symbols.length * row.length <= MAX_TABLE_CELLS;
    if (!isTabled) return false;
    const { marks, amounts } = (this.letters ??= this.tabulateLetters());
    const code = [...this.codeOf(guess)];
    const columns = code.map((symbol, peg) => marks[peg * symbols.length + symbol]);
    for (const symbol of new Set(code)) {
      const places = [...code.keys()].filter((peg) => code[peg] === symbol);
      if (places.length > 1) this.shareMarks(columns, places, amounts[symbol]);
    }
    if (pegs === 5) {
      // The usual words: one pass takes half the time of one for each letter.
      const [first, second, third, fourth, fifth] = columns;
      for (let i = 0; i < row.length; i++) {
        row[i] = ids[81 * first[i] + 27 * second[i] + 9 * third[i] + 3 * fourth[i] + fifth[i]];
      }
      return true;
    }
    const values = new Uint16Array(row.length); // the marks as a number of base 3
    for (const marks of columns) {
      for (let i = 0; i < values.length; i++) values[i] = 3 * values[i] + marks[i];
    }
    for (let i = 0; i < values.length; i++) row[i] = ids[values[i]];
    return true;
  }

  // For all secrets by their places: the marks of each letter at each place of a guess (0 absent, 1 elsewhere,
  // 2 in place), and how many times each letter comes.
  tabulateLetters() {
    const { pegs, codes, symbols, allSecrets } = this;
    const column = () => new Uint8Array(allSecrets.length);
    const marks = Array.from({ length: pegs * symbols.length }, column);
    const amounts = Array.from(symbols, column);
    allSecrets.forEach((secret, i) => {
      for (let place = 0; place < pegs; place++) {
        const symbol = codes[secret * pegs + place];
        amounts[symbol][i]++;
        for (let peg = 0; peg < pegs; peg++) {
          const letter = marks[peg * symbols.length + symbol];
          letter[i] = peg === place ? 2 : Math.max(letter[i], 1);
        }
      }
    });
    return { marks, amounts };
  }

  // Replaces the columns of a letter that comes at several places of the guess: as many of them are marked as the
  // secret has the letter, those in place first, then the others from the left.
  /** @type {(columns: Uint8Array[], places: number[], amounts: Uint8Array) => void} */
  shareMarks(columns, places, amounts) {
    const left = amounts.slice();
    for (const peg of places) {
      const marks = columns[peg];
      for (let i = 0; i < left.length; i++) if (marks[i] === 2) left[i]--;
    }
    for (const peg of places) {
      const marks = columns[peg].slice();
      for (let i = 0; i < left.length; i++) {
        if (marks[i] !== 1) continue;
        if (left[i] > 0) left[i]--;
        else marks[i] = 0;
      }
      columns[peg] = marks;
    }
  }

  // The candidates that would give a guess this feedback.
  /** @type {(members: Members, guess: number, id: number) => Members} */
  keep(members, guess, id) {
    return members.filter((secret) => this.feedbackOf(guess, secret) === id);
  }

  // The first guess of each class under exchanges of symbols not yet played; null if none can be exchanged.
  // The classes of the last question are kept: one answer needs them several times.
  /** @type {(played: number[]) => Int32Array | null} */
  representatives(played) {
    if (this.spelled) return null;
    const isUsed = new Uint8Array(this.symbols.length);
    for (const guess of played) for (const symbol of this.codeOf(guess)) isUsed[symbol] = 1;
    const used = isUsed.join("");
    if (this.classes?.used !== used) this.classes = { used, first: this.firstOfClasses(isUsed) };
    return this.classes.first;
  }

  /** @type {(isUsed: Uint8Array) => Int32Array | null} */
  firstOfClasses(isUsed) {
    const { pegs, codes, symbols } = this;
    const free = [...symbols.keys()].filter((symbol) => !isUsed[symbol]);
    if (free.length < 2) return null;
    const byKey = (this.byKey ??= this.guessesByKey());
    const first = new Int32Array(this.guesses.length);
    const newName = new Int16Array(symbols.length);
    for (let guess = 0; guess < first.length; guess++) {
      // Free symbols are renamed in the order in which they come in the code.
      let renamed = 0;
      let key = 0;
      newName.fill(-1);
      for (let peg = 0; peg < pegs; peg++) {
        const symbol = codes[guess * pegs + peg];
        if (!isUsed[symbol] && newName[symbol] < 0) newName[symbol] = free[renamed++];
        key = key * symbols.length + (isUsed[symbol] ? symbol : newName[symbol]);
      }
      first[guess] = Number(byKey.get(key));
    }
    return first;
  }

  // Guesses by their symbols as the digits of a number.
  guessesByKey() {
    const { pegs, codes, symbols } = this;
    const byKey = new Map();
    for (let guess = 0; guess < this.guesses.length; guess++) {
      let key = 0;
      for (let peg = 0; peg < pegs; peg++) key = key * symbols.length + codes[guess * pegs + peg];
      byKey.set(key, guess);
    }
    return byKey;
  }
}

// The symbols of codes in their order, and the codes as the numbers of their symbols, one after the other.
/** @type {(guesses: string[]) => { codes: Uint16Array, pegs: number, symbols: string[] }} */
function readCodes(guesses) {
  const rows = guesses.map(symbolsOf);
  const pegs = rows[0].length;
  const seen = new Set(rows.flat());
  const isPlain = [...seen].every((symbol) => /^[0-9a-z]$/.test(symbol));
  /** @type {(a: string, b: string) => number} */
  const inEnglish = (a, b) => a.localeCompare(b, "en", { numeric: true }); // takes 10 ms the first time
  const symbols = isPlain ? [...seen].sort() : [...seen].sort(inEnglish);
  const numberOf = new Map(symbols.map((symbol, number) => [symbol, number]));
  const codes = new Uint16Array(rows.length * pegs); // words may have more than 256 different letters
  let at = 0;
  for (const row of rows) for (const symbol of row) codes[at++] = numberOf.get(symbol) ?? 0;
  return { codes, pegs, symbols };
}
