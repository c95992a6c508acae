// Moves as people write them; src/codebreaker/games/reading.py reads the same forms, and tests/samples/moves.json
// has both.
import { LETTERED } from "./colours.js";
import { LONGEST_TEXT, MOST_MOVES } from "./limits.js";
import { separatorOf } from "./naming.js";
import { COLOURS } from "./palette.js";

/** @import { Move } from "./game.js" */
/** @import { AnyGame } from "./unlisted.js" */

/**
 * A move as it is read: one that is marked with ? is not certain.
 * @typedef {{ guess: number, id: number, isCertain: boolean }} ReadMove
 */

/** @type {Record<string, string>} */
const TILES = { "🟩": "g", "🟨": "y", "🟧": "g", "🟦": "y", "⬛": "b", "⬜": "b" };
/** @type {Record<string, string>} */
const OTHER_MARKS = { 0: "b", 1: "y", 2: "g", x: "b", ".": "b", _: "b", "-": "b" };
const PEG_EMOJI = ["🔵🟦", "🟠🟧", "🟢🟩", "🔴🟥", "🟣🟪", "🟡🟨", "", "🟤🟫"];
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const ARROWS = ["-", "->", "→", "=", "|"];
const DRAWN_PEGS = /^(?:[bwc.–-]+|[xo.–-]+|[⚫⚪.–-]+|[●○.–-]+)$/u;
const LONGEST_ROW = 1000;
const MOST_READINGS = 2;
export const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const NUMBER = new RegExp(`\\b(?:none|zero|${NUMBERS.join("|")})\\b`, "g");
const NO_PEGS = /^(?:none|nothing|(?:no|0|zero) pegs?)$/;

// Pegs with their number before or after the colour; red pegs are black ones of another maker.
const COUNTED = [
  /(?<number>\d{1,9}) ?(?<colour>[bwcr])/g,
  /(?<colour>[bwcr]) ?(?<number>\d{1,9})/g,
];

// Black and white pegs as a pair of numbers: 2,1 or 2b1w or 2-1 or 2 1; then 21; then 2a1b, as in Bulls and Cows.
const PAIRS = [
  /^(\d{1,9})(?: ?b ?[,-]? ?| ?[,;/.+-] ?| +)(\d{1,9}) ?[wc]?$/,
  /^(\d)(\d)$/,
  /^(\d{1,9}) ?a ?(\d{1,9}) ?b$/,
];

const BLACK_ALONE = [/^(\d{1,9})$/];

// The colours of emoji by name, and squares and circles in their order. Slack and Discord copy names, such as
// :large_green_square: or :black_circle:.
const EMOJI_COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "brown", "black", "white"];

/** @type {Record<string, string[]>} */
const EMOJI_SHAPES = { square: [..."🟥🟧🟨🟩🟦🟪🟫⬛⬜"], circle: [..."🔴🟠🟡🟢🔵🟣🟤⚫⚪"] };
const EMOJI_NAME = /:(?:large_)?([a-z]+)_(?:large_)?(square|circle):/g;

/** @type {(text: string) => string} */
const withEmoji = (text) =>
  text.replace(EMOJI_NAME, (name, colour, shape) => EMOJI_SHAPES[shape][EMOJI_COLOURS.indexOf(colour)] ?? name);

/** @type {(text: string) => string} */
const typedText = (text) => withEmoji(text.replaceAll("\uFE0F", "").trim().toLowerCase());

// Text with digits for the words of numbers up to ten; no and none are 0.
/** @type {(text: string) => string} */
const inDigits = (text) => text.replace(NUMBER, (word) => String(Math.max(NUMBERS.indexOf(word), 0)));

// Reads the moves of one game, whose letters mean the same in all of them.
export class MoveReader {
  /** @param {AnyGame} game */
  constructor(game) {
    this.game = game;
    this.letterings = game.spelled ? [] : this.letteringsOf();
    const written = (game.spelled ? [...game.guesses, ...game.feedback] : game.symbols).join(" ");
    this.signs = ["->", "→", "=", "|"].filter((sign) => !written.includes(sign));
    this.lettersOfMarks = game.spelled ? [..."012._-"].filter((sign) => written.includes(sign)) : [];
    this.leftOut = 0;
    /** @type {string | null} */
    this.numbered = null; // the first code in letters from a
    /** @type {string | null} */
    this.doubtful = null; // the first code in letters that may be of either kind
  }

  // The symbols of typed pegs: of symbols, letters of colours, and a, b, c; each with the emoji too.
  letteringsOf() {
    const { symbols, family } = this.game;
    const alphabets = [symbols];
    if (family !== "bc" && symbols.length <= LETTERED) {
      alphabets.push(
        COLOURS.map((colour) => colour.letter),
        [...ALPHABET],
      );
    }
    const emoji = symbols.flatMap((symbol, i) => [...(PEG_EMOJI[i] ?? "")].map((peg) => [peg, symbol]));
    return alphabets.map((letters) => {
      const symbolOfLetter = new Map(symbols.map((symbol, i) => [letters[i], symbol]));
      for (const [peg, symbol] of emoji) symbolOfLetter.set(peg, symbol);
      return symbolOfLetter;
    });
  }

  // The labels that a code may mean, the likeliest first.
  /** @type {(text: string) => string[]} */
  meanings(text) {
    const { game } = this;
    const separator = separatorOf(game);
    if (game.spelled) {
      const joined = text.replace(/\s/g, "");
      return [[text, joined].find((label) => game.indexOf.has(label)) ?? joined.normalize("NFC")];
    }
    if (separator) return [text.split(/[\s,.]+/).join(separator)];
    const named = this.byNames(text);
    if (named !== null) return [named];
    const pegs = [...text.replace(/[\s,]+/g, "")];
    const letterings = this.letterings.filter((symbols) => pegs.every((peg) => symbols.has(peg)));
    const labels = letterings.map((symbols) => pegs.map((peg) => symbols.get(peg)).join(""));
    return labels.length > 0 ? [...new Set(labels)] : [pegs.join("")];
  }

  // The label of a code whose pegs are names of colours, such as blue sky-blue; null for others.
  /** @type {(text: string) => string | null} */
  byNames(text) {
    const { family, symbols, spelled } = this.game;
    if (spelled || family === "bc" || symbols.length > COLOURS.length) return null;
    const names = COLOURS.map((colour) => colour.name.replace(" ", "-"));
    const words = text.trim().replaceAll("sky blue", "sky-blue").split(/[\s,]+/);
    const pegs = words.map((word) => symbols[names.indexOf(word)]);
    return pegs.some((peg) => peg === undefined) ? null : pegs.join("");
  }

  /** @type {(text: string) => number | undefined} */
  guess(text) {
    return this.game.indexOf.get(this.meanings(typedText(text))[0]);
  }

  /** @type {(text: string) => number | undefined} */
  answer(text) {
    const typed = typedText(text);
    // A board shows the pegs before the same answer in numbers.
    return this.answerAsWritten(typed) ?? this.answerAsWritten(typed.replace(/^(?:[bcw] +)+(?=[0-9])/, ""));
  }

  /** @type {(written: string) => number | undefined} */
  answerAsWritten(written) {
    const { game } = this;
    if (game.family === "marks") return this.marksAsWritten(written.replace(/\s/g, ""));
    if (game.family === "matches") return game.idOf.get(written);
    const typed = NO_PEGS.test(written) ? "0b" : inDigits(written);
    const isBlack = game.family === "black";
    const forms = isBlack ? BLACK_ALONE : PAIRS;
    const pair = forms.map((form) => form.exec(typed)).find((match) => match !== null);
    const [black, white] = pair ? [Number(pair[1]), Number(pair[2] ?? 0)] : (pegsIn(typed) ?? []);
    if (isBlack) return white === 0 ? game.idOf.get(`${black}B`) : undefined;
    return game.idOf.get(`${black}B-${white}C`);
  }

  // Wordle's marks in letters, squares, digits, or with other signs for letters that are absent. Signs that the game's
  // words have are no marks.
  /** @type {(typed: string) => number | undefined} */
  marksAsWritten(typed) {
    const { game } = this;
    const isWord = typed.includes("x") && game.indexOf.has(typed);
    if (isWord || this.lettersOfMarks.some((sign) => typed.includes(sign))) return undefined;
    const marks = [...typed].map((mark) => TILES[mark] ?? mark);
    const isOfSigns = /^(?:[012]+|[bygx._-]+)$/.test(marks.join(""));
    return game.idOf.get(marks.map((mark) => (isOfSigns ? (OTHER_MARKS[mark] ?? mark) : mark)).join(""));
  }

  // The moves of a line, which may begin with its turn: none if it is no move. A RangeError says that it has two
  // readings.
  /** @type {(line: string, turn: number) => Move[]} */
  row(line, turn) {
    if (line.length > LONGEST_ROW) return [];
    const tokens = tokensOf(line, this.signs);
    const isNumbered = tokens.length > 1 && new RegExp(`^#?${turn}[.)]?$`).test(tokens[0]);
    const parts = isNumbered ? [tokens.slice(1), tokens] : [tokens];
    let readings = parts.flatMap((part) => this.readings(part));
    if (readings.length === 0) readings = parts.flatMap((part) => this.answerFirst(part));
    // Letters alone may be guesses without answers, or a sentence.
    const isBare = parts.some((part) => this.areGuesses(part));
    if (readings.length === 0 && !isBare) readings = parts.flatMap((part) => this.readings(this.split(part, turn)));
    const distinct = new Map(readings.map((reading) => [JSON.stringify(reading), reading]));
    const isOfLetters = tokens.every((token) => /^\p{L}+$/u.test(token));
    if (distinct.size > 1 || (distinct.size === 1 && isBare && isOfLetters)) {
      throw new RangeError(`'${line.trim().slice(0, 30)}' has two readings: write a move as 1122 2,1.`);
    }
    if (distinct.size === 0) return [];
    this.agree(tokens);
    const [moves] = distinct.values();
    this.leftOut += moves.filter((move) => !move.isCertain).length;
    return moves.filter((move) => move.isCertain).map(({ guess, id }) => ({ guess, id }));
  }

  // Whether tokens are one guess, or guesses alone.
  /** @type {(tokens: string[]) => boolean} */
  areGuesses(tokens) {
    if (this.guess(tokens.join(" ")) !== undefined) return true;
    return tokens.length > 0 && tokens.every((token) => this.guess(token) !== undefined);
  }

  // Up to two ways to read all tokens as moves; the ways from each token on are known from the last one back.
  /** @type {(tokens: string[]) => ReadMove[][]} */
  readings(tokens) {
    const ways = tokens.map(() => /** @type {ReadMove[][]} */ ([]));
    ways.push([[]]);
    for (let start = tokens.length - 1; start >= 0; start--) {
      for (const { end, ...move } of this.movesAt(tokens, start)) {
        ways[start].push(...ways[end].map((rest) => [move, ...rest]));
      }
      ways[start].splice(MOST_READINGS);
    }
    return ways[0].filter((way) => way.length > 0);
  }

  // The moves that may begin at a token, which may be its number or a mark of doubt.
  /** @type {(tokens: string[], start: number) => Iterable<ReadMove & { end: number }>} */
  *movesAt(tokens, start) {
    const { pegs } = this.game;
    const isDoubted = tokens[start] === "?";
    const isNumber = /^#?\d+[.)]$/.test(tokens[start]);
    const first = isDoubted || isNumber ? start + 1 : start;
    // The name of each peg's colour may have two words: sky blue.
    for (let middle = first + 1; middle <= Math.min(first + 2 * pegs, tokens.length); middle++) {
      const guess = this.guess(tokens.slice(first, middle).join(" "));
      if (guess === undefined) continue;
      for (let end = middle + 1; end <= Math.min(middle + 2 * pegs + 6, tokens.length); end++) {
        const id = this.answer(tokens.slice(middle, end).join(" "));
        if (id === undefined) continue;
        yield { guess, id, isCertain: !isDoubted, end };
        if (tokens[end] === "?") yield { guess, id, isCertain: false, end: end + 1 };
      }
    }
  }

  // Tokens that are guesses with their feedback, such as 1123,1,1, in two. A row of a table may begin with the turn.
  /** @type {(tokens: string[], turn: number) => string[]} */
  split(tokens, turn) {
    return tokens.flatMap((token) => {
      const joined = /^([^,;/-]+)[,;/-](.+)$/u.exec(token.replace(new RegExp(`^${turn}[,;]`), ""));
      return joined && this.guess(joined[1]) !== undefined ? joined.slice(1) : [token];
    });
  }

  // Feedback before its guess, as under Wordle's squares.
  /** @type {(tokens: string[]) => ReadMove[][]} */
  answerFirst(tokens) {
    if (tokens.length < 2) return [];
    const guess = this.guess(tokens[tokens.length - 1]);
    const id = this.answer(tokens.slice(0, -1).join(" "));
    return guess === undefined || id === undefined ? [] : [[{ guess, id, isCertain: true }]];
  }

  // Throws a RangeError if codes of the game use letters in two ways.
  /** @type {(tokens: string[]) => void} */
  agree(tokens) {
    if (this.letterings.length < 2) return;
    const [symbols, letters] = this.letterings;
    for (const code of this.codesAmong(tokens)) {
      const isOfColours = [...code.replaceAll(",", "")].every((peg) => symbols.has(peg) || letters.has(peg));
      if (this.meanings(code).length > 1) this.doubtful ??= code;
      else if (!isOfColours) this.numbered ??= code;
    }
    if (this.doubtful === null || this.numbered === null) return;
    const meanings = this.meanings(this.doubtful).join(" or ");
    throw new RangeError(`'${this.doubtful}' may be ${meanings}, as letters are numbers in '${this.numbered}'.`);
  }

  // The tokens that are codes, or the code that is spaced over tokens.
  /** @type {(tokens: string[]) => string[]} */
  codesAmong(tokens) {
    const codes = tokens.filter((token) => this.guess(token) !== undefined);
    if (codes.length > 0) return codes;
    const spaced = tokens.filter((token) => /^[\p{L}\p{N}]$/u.test(token)).join("");
    return this.guess(spaced) === undefined ? [] : [spaced];
  }
}

// The words of a line without signs between guesses and answers; arrows count only as the last of them.
/** @type {(line: string, signs: string[]) => string[]} */
function tokensOf(line, signs) {
  const withoutBrackets = typedText(line).replace(/[()[\]{}"']/g, " ").replaceAll("?", " ? ");
  const plain = [":", ...signs].reduce((text, sign) => text.replaceAll(sign, " "), withoutBrackets);
  const withCommas = plain.split(/\s+/).filter(Boolean);
  const words = withCommas.map((word) => word.replace(/^[,;]+|[,;]+$/g, "")).filter(Boolean);
  return words.filter((word, i) => i === words.length - 1 || !ARROWS.includes(word));
}

// The black and white pegs of text that counts or draws them, or null.
/** @type {(text: string) => [number, number] | null} */
function pegsIn(text) {
  const drawn = text.replace(/\s/g, "");
  /** @type {(pegs: string) => number} */
  const count = (pegs) => [...drawn].filter((peg) => pegs.includes(peg)).length;
  if (DRAWN_PEGS.test(drawn)) return [count("bx⚫●"), count("wco⚪○")];
  const short = text.replace(/([bwcr])(?:lack|hite|ull|ow|ed)s?(?: pegs?)?\b/g, "$1");
  const counts = short.replace(/ and |[,;&+:=]/g, " ").replace(/\s+/g, " ");
  /** @type {(form: RegExp) => boolean} */
  const isWhole = (form) => counts.search(form) >= 0 && counts.replaceAll(form, "").trim() === "";
  const form = COUNTED.find(isWhole);
  if (!form) return null;
  const numbers = [...counts.matchAll(form)].map(({ groups }) => groups);
  const black = numbers.filter((groups) => "br".includes(groups?.colour ?? "?"));
  const white = numbers.filter((groups) => "wc".includes(groups?.colour ?? "?"));
  if (black.length > 1 || white.length > 1) return null;
  return [Number(black[0]?.number ?? 0), Number(white[0]?.number ?? 0)];
}

// The moves in a text, and the number of uncertain ones; a RangeError names the first line that looks like a move and
// can't be one.
/** @type {(game: AnyGame, text: string) => { moves: Move[], leftOut: number }} */
export function movesIn(game, text) {
  if (text.length > LONGEST_TEXT) throw new RangeError("The pasted text is too long for a game.");
  const moves = [];
  const reader = new MoveReader(game);
  for (const line of text.split(/\r\n?|\n/)) {
    const leftOutBefore = reader.leftOut;
    const read = reader.row(line, moves.length + 1);
    moves.push(...read);
    if (moves.length > MOST_MOVES) throw new RangeError(`The pasted text has more than ${MOST_MOVES} moves.`);
    if (read.length === 0 && reader.leftOut === leftOutBefore) checkNoMove(reader, line);
  }
  if (moves.length === 0) {
    throw new RangeError("The pasted text has no moves that this page can read, such as '1122 2,1' in a line.");
  }
  return { moves, leftOut: reader.leftOut };
}

// Throws a RangeError if a line that is no move has a guess or an answer of the game.
/** @type {(reader: MoveReader, line: string) => void} */
function checkNoMove(reader, line) {
  const { title } = reader.game;
  const words = /^\s*(?:\d+[.:)]\s+)?([^\s:*]+)[\s:*]+(\S.*)$/u.exec(typedText(line));
  if (!words) return;
  const [, first, rest] = words;
  const isGuess = reader.guess(first) !== undefined;
  const isAnswer = reader.answer(rest) !== undefined;
  if (!isGuess && isAnswer) throw new RangeError(`'${first.slice(0, 30)}' is not a guess of ${title}.`);
  if (isGuess && !isAnswer) throw new RangeError(`'${rest.slice(0, 30)}' is not an answer of ${title}.`);
}
