// Moves as people write them; src/codebreaker/games/reading.py reads the same forms, and tests/samples/moves.json has both.
const TILES = { "🟩": "g", "🟨": "y", "🟧": "g", "🟦": "y", "⬛": "b", "⬜": "b" };
const PEG_EMOJI = ["🔵🟦", "🟠🟧", "🟢🟩", "🔴🟥", "🟣🟪", "🟡🟨", "", "🟤🟫"];
const OTHER_MARKS = { 0: "b", 1: "y", 2: "g", x: "b", ".": "b", "_": "b", "-": "b" };
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const ARROWS = ["-", "->", "→", "=", "|"];
const DRAWN_PEGS = /^(?:[bwc.–-]+|[xo.–-]+|[⚫⚪.–-]+|[●○.–-]+)$/u;
const LONGEST_ROW = 1000;
const MOST_READINGS = 2;

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const NUMBER = new RegExp(`\\b(?:none|zero|${NUMBERS.join("|")})\\b`, "g");
const NO_PEGS = /^(?:none|nothing|(?:no|0|zero) pegs?)$/;

// Pegs with their number before or after the colour; red pegs are black ones of another maker.
const COUNTED = [/(?<number>\d{1,9}) ?(?<colour>[bwcr])/g, /(?<colour>[bwcr]) ?(?<number>\d{1,9})/g];

const typedText = (text) => text.replaceAll("\uFE0F", "").trim().toLowerCase();

// Text with digits for the words of numbers up to ten; no and none are 0.
const inDigits = (text) => text.replace(NUMBER, (word) => Math.max(NUMBERS.indexOf(word), 0));

// Reads the moves of one game, whose letters mean the same in all of them.
class MoveReader {
  constructor(game) {
    this.game = game;
    this.letterings = game.spelled ? [] : this.letteringsOf();
    const written = (game.spelled ? [...game.guesses, ...game.feedback] : game.symbols).join(" ");
    this.signs = ["->", "→", "=", "|"].filter((sign) => !written.includes(sign));
    this.lettersOfMarks = game.spelled ? [..."012._-"].filter((sign) => written.includes(sign)) : [];
    this.leftOut = 0;
    this.numbered = this.doubtful = null;  // the first codes in letters from a, and in letters of either kind
  }

  // The symbols of typed pegs: of symbols, letters of colours, and a, b, c; each with the emoji too.
  letteringsOf() {
    const { symbols, family } = this.game, alphabets = [symbols];
    if (family !== "bc" && symbols.length <= LETTERED) alphabets.push(COLOURS.map((colour) => colour.letter), [...ALPHABET]);
    const emoji = symbols.flatMap((symbol, i) => [...(PEG_EMOJI[i] ?? "")].map((peg) => [peg, symbol]));
    return alphabets.map((letters) => new Map([...symbols.map((symbol, i) => [letters[i], symbol]), ...emoji]));
  }

  // The labels that a code may mean, the likeliest first.
  meanings(text) {
    const { game } = this, separator = separatorOf(game);
    if (game.spelled) {
      const joined = text.replace(/\s/g, "");
      return [[text, joined].find((label) => game.indexOf.has(label)) ?? joined.normalize("NFC")];
    }
    if (separator) return [text.split(/[\s,.]+/).join(separator)];
    const named = this.byNames(text);
    if (named !== null) return [named];
    const pegs = [...text.replace(/[\s,]+/g, "")];
    const labels = this.letterings.filter((symbols) => pegs.every((peg) => symbols.has(peg))).map((symbols) => pegs.map((peg) => symbols.get(peg)).join(""));
    return labels.length > 0 ? [...new Set(labels)] : [pegs.join("")];
  }

  // The label of a code whose pegs are names of colours, such as blue sky-blue; null for others.
  byNames(text) {
    if (this.letterings.length < 2) return null;
    const names = COLOURS.map((colour) => colour.name.replace(" ", "-"));
    const words = text.trim().replaceAll("sky blue", "sky-blue").split(/[\s,]+/);
    const symbols = words.map((word) => this.game.symbols[names.indexOf(word)]);
    return symbols.includes(undefined) ? null : symbols.join("");
  }

  guess(text) {
    return this.game.indexOf.get(this.meanings(typedText(text))[0]);
  }

  answer(text) {
    const typed = typedText(text), id = this.answerAsWritten(typed);
    // A board shows the pegs before the same answer in numbers.
    return id ?? this.answerAsWritten(typed.replace(/^(?:[bcw] +)+(?=[0-9])/, ""));
  }

  answerAsWritten(written) {
    const { game } = this;
    if (game.family === "marks") {
      const typed = written.replace(/\s/g, "");
      if (this.lettersOfMarks.some((sign) => typed.includes(sign)) || (typed.includes("x") && game.indexOf.has(typed))) return undefined;
      const marks = [...typed].map((mark) => TILES[mark] ?? mark).join("");
      return game.idOf.get(/^(?:[012]+|[bygx._-]+)$/.test(marks) ? [...marks].map((mark) => OTHER_MARKS[mark] ?? mark).join("") : marks);
    }
    if (game.family === "matches") return game.idOf.get(written);
    const isBlack = game.family === "black", typed = NO_PEGS.test(written) ? "0b" : inDigits(written);
    const pair = isBlack ? /^(\d{1,9})$/.exec(typed) : /^(\d{1,9})(?: ?b ?[,-]? ?| ?[,;/.+-] ?| +)(\d{1,9}) ?[wc]?$/.exec(typed) ?? /^(\d)(\d)$/.exec(typed) ?? /^(\d{1,9}) ?a ?(\d{1,9}) ?b$/.exec(typed);
    const [black, white] = pair ? [Number(pair[1]), Number(pair[2] ?? 0)] : pegsIn(typed) ?? [];
    if (isBlack) return white === 0 ? game.idOf.get(`${black}B`) : undefined;
    return game.idOf.get(`${black}B-${white}C`);
  }

  // The moves of a line, which may begin with its turn: none if it is no move. A RangeError says that it has two readings.
  row(line, turn) {
    if (line.length > LONGEST_ROW) return [];
    const plain = [":", ...this.signs].reduce((text, sign) => text.replaceAll(sign, " "), typedText(line).replace(/[()[\]{}"']/g, " ").replaceAll("?", " ? "));
    const words = plain.split(/\s+/).filter(Boolean).map((word) => word.replace(/^[,;]+|[,;]+$/g, "")).filter(Boolean);
    const tokens = words.filter((word, i) => i === words.length - 1 || !ARROWS.includes(word));
    const isNumbered = tokens.length > 1 && new RegExp(`^#?${turn}[.)]?$`).test(tokens[0]);
    const parts = isNumbered ? [tokens.slice(1), tokens] : [tokens];
    let readings = parts.flatMap((part) => this.readings(part));
    if (readings.length === 0) readings = parts.flatMap((part) => this.answerFirst(part));
    const isBare = parts.some((part) => this.guess(part.join(" ")) !== undefined || (part.length > 0 && part.every((token) => this.guess(token) !== undefined)));
    if (readings.length === 0 && !isBare) readings = parts.flatMap((part) => this.readings(this.split(part, turn)));
    const distinct = new Map(readings.map((reading) => [JSON.stringify(reading), reading]));
    if (distinct.size > 1 || (distinct.size === 1 && isBare && tokens.every((token) => /^\p{L}+$/u.test(token)))) throw new RangeError(`'${line.trim().slice(0, 30)}' has two readings: write a move as 1122 2,1.`);
    if (distinct.size === 0) return [];
    this.agree(tokens);
    const [moves] = distinct.values();
    this.leftOut += moves.filter((move) => !move.isCertain).length;
    return moves.filter((move) => move.isCertain).map(({ guess, id }) => ({ guess, id }));
  }

  // Up to two ways to read all tokens as moves; the ways from each token on are known from the last one back.
  readings(tokens) {
    const ways = tokens.map(() => []).concat([[[]]]);
    for (let start = tokens.length - 1; start >= 0; start--) {
      for (const { end, ...move } of this.movesAt(tokens, start)) ways[start].push(...ways[end].map((rest) => [move, ...rest]));
      ways[start].splice(MOST_READINGS);
    }
    return ways[0].filter((way) => way.length > 0);
  }

  // The moves that may begin at a token, which may be its number or a mark of doubt.
  *movesAt(tokens, start) {
    const isDoubted = tokens[start] === "?", { pegs } = this.game;
    if (isDoubted || /^#?\d+[.)]$/.test(tokens[start])) start++;
    // The name of each peg's colour may have two words: sky blue.
    for (let middle = start + 1; middle <= Math.min(start + 2 * pegs, tokens.length); middle++) {
      const guess = this.guess(tokens.slice(start, middle).join(" "));
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
  split(tokens, turn) {
    return tokens.flatMap((token) => {
      const joined = /^([^,;/-]+)[,;/-](.+)$/u.exec(token.replace(new RegExp(`^${turn}[,;]`), ""));
      return joined && this.guess(joined[1]) !== undefined ? joined.slice(1) : [token];
    });
  }

  // Feedback before its guess, as under Wordle's squares.
  answerFirst(tokens) {
    if (tokens.length < 2) return [];
    const guess = this.guess(tokens.at(-1)), id = this.answer(tokens.slice(0, -1).join(" "));
    return guess === undefined || id === undefined ? [] : [[{ guess, id, isCertain: true }]];
  }

  // Throws a RangeError if codes of the game use letters in two ways.
  agree(tokens) {
    if (this.letterings.length < 2) return;
    const codes = tokens.filter((token) => this.guess(token) !== undefined), spaced = tokens.filter((token) => /^[\p{L}\p{N}]$/u.test(token)).join("");
    for (const code of codes.length > 0 ? codes : this.guess(spaced) === undefined ? [] : [spaced]) {
      if (this.meanings(code).length > 1) this.doubtful ??= code;
      else if (![...code.replaceAll(",", "")].every((peg) => this.letterings[0].has(peg) || this.letterings[1].has(peg))) this.numbered ??= code;
    }
    if (this.doubtful !== null && this.numbered !== null) throw new RangeError(`'${this.doubtful}' may be ${this.meanings(this.doubtful).join(" or ")}, as letters are numbers in '${this.numbered}'.`);
  }
}

// The black and white pegs of text that counts or draws them, or null.
function pegsIn(text) {
  const drawn = text.replace(/\s/g, "");
  const count = (pegs) => [...drawn].filter((peg) => pegs.includes(peg)).length;
  if (DRAWN_PEGS.test(drawn)) return [count("bx⚫●"), count("wco⚪○")];
  const counts = text.replace(/([bwcr])(?:lack|hite|ull|ow|ed)s?(?: pegs?)?\b/g, "$1").replace(/ and |[,;&+:=]/g, " ").replace(/\s+/g, " ");
  const form = COUNTED.find((pattern) => counts.search(pattern) >= 0 && !counts.replaceAll(pattern, "").trim());
  if (!form) return null;
  const colours = [...counts.matchAll(form)].map(({ groups }) => groups);
  const black = colours.filter(({ colour }) => "br".includes(colour)), white = colours.filter(({ colour }) => "wc".includes(colour));
  if (black.length > 1 || white.length > 1) return null;
  return [Number(black[0]?.number ?? 0), Number(white[0]?.number ?? 0)];
}

// The moves in a text, and the number of uncertain ones; a RangeError names the first line that looks like a move and can't be one.
function movesIn(game, text) {
  const moves = [], reader = new MoveReader(game);
  if (text.length > LONGEST_TEXT) throw new RangeError("The pasted text is too long for a game.");
  for (const line of text.split(/\r\n?|\n/)) {
    const before = reader.leftOut, read = reader.row(line, moves.length + 1);
    moves.push(...read);
    if (moves.length > MOST_MOVES) throw new RangeError(`The pasted text has more than ${MOST_MOVES} moves.`);
    if (read.length > 0 || reader.leftOut > before) continue;
    const words = /^\s*(?:\d+[.:)]\s+)?([^\s:*]+)[\s:*]+(\S.*)$/u.exec(typedText(line));
    if (!words) continue;
    const guess = reader.guess(words[1]), id = reader.answer(words[2]);
    if (guess === undefined && id !== undefined) throw new RangeError(`'${words[1].slice(0, 30)}' is not a guess of ${game.title}.`);
    if (guess !== undefined && id === undefined) throw new RangeError(`'${words[2].slice(0, 30)}' is not an answer of ${game.title}.`);
  }
  if (moves.length === 0) throw new RangeError("The pasted text has no moves that this page can read, such as '1122 2,1' in a line.");
  return { moves, leftOut: reader.leftOut };
}

// Puts a pasted guess on the board, or records a pasted answer; returns whether it was one of them.
function readShort(text) {
  const { game } = play;
  const reader = new MoveReader(game);
  if (isEntering()) {
    const guess = reader.guess(text);
    if (guess === undefined) return false;
    setGuess(game.guesses[guess]);
    focusBoard();
    return true;
  }
  const id = isAnswering() ? reader.answer(text) : undefined;
  if (id !== undefined) enterAnswer(id);
  return id !== undefined;
}

// Begins a pasted game, or opens a pasted link.
function readPasted(text) {
  const link = /#((?:game|tree)=\S+)/.exec(text)?.[1];
  if (readShort(text)) return;
  if (link) return sure("Open the pasted link? This game is left unfinished.", "Open it", () => openLink(stateOf(link)));
  try {
    const { moves, leftOut } = movesIn(play.game, text);
    const later = moves.map(({ guess, id }) => ({ kind: "move", guess: play.game.guesses[guess], answer: play.game.feedback[id] }));
    const message = leftOut > 0 ? `${several(leftOut, "move")} marked with ? ${leftOut === 1 ? "is" : "are"} left out.` : "";
    sure("Replace this game by the pasted one?", "Replace it", () => begin(play.game, { mode: "mine", origin: "pasted" }, later, message));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
  }
}

addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea:not([readonly])")) return;
  readPasted(event.clipboardData.getData("text"));
});

// Phones have no key to paste with.
find("play-paste").addEventListener("click", async () => {
  closeMenu();
  try {
    readPasted(await navigator.clipboard.readText());
  } catch {
    say("This browser does not let the page read what you copied. Press Ctrl+V, or tap and hold to paste.");
  }
});
