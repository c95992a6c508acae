// The games of the page: the study's, Mastermind of many sizes, and lists of words.
const MOST_LISTED_CODES = 100000; // larger games are played by samples
const MOST_PEGS = 12;
const MOST_COLOURS = 20;
const MAX_WORDS = 16000;
const LONGEST_WORD = 10; // all 3^10 rows of marks are listed

const games = new Map();
const trees = new WeakMap();

// The player's own words: from a link, from the last visit, or from the form.
let lent = null;
const ownText = () => lent ?? kept("words") ?? "";

function lend(text) {
  lent = text;
  games.delete("words-own");
}

// Lends the stored words with a name; throws a RangeError if they are stored no more.
function lendList(list) {
  const texts = [lent, kept("words"), kept("lent")];
  const text = texts.find((words) => words && hashOf(words).toString(36) === list);
  if (!text) throw new RangeError("its words are stored no more.");
  if (text !== ownText()) lend(text);
}

const COUNTING = { ...ENTROPY, termScales: [[1, 1]], ties: "equal" };

const RULES = [
  {
    name: "entropy",
    label: "Entropy",
    line: "plays the guess whose answer tells most",
    rule: ENTROPY,
  },
  {
    name: "parts",
    label: "Most parts",
    line: "allows as many different answers as it can",
    rule: { ...COUNTING, cell: "most-parts" },
  },
  {
    name: "size",
    label: "Expected size",
    line: "leaves the fewest candidates on average",
    rule: { ...COUNTING, cell: "expected-size" },
  },
  {
    name: "knuth",
    label: "Worst case",
    line: "leaves few candidates after the worst answer",
    rule: { ...COUNTING, cell: "worst-case", takesMin: true },
  },
  {
    name: "first",
    label: "First candidate",
    line: "plays the first code that could be the secret",
    rule: { ...COUNTING, cell: "first-consistent", consistentOnly: true },
  },
];

// The first strategy of a game without a tree: it has no rule, and the page compares guesses by guesses to go.
const COMPARING = {
  tree: "compared",
  label: "Best on average",
  line: "compares good guesses by guesses to go, as far as they can be computed",
  rule: null,
  choices: null,
  place: 1,
  group: "Best on average",
};

// The strategy of games whose codes are not listed.
const SAMPLING = {
  tree: "sampled",
  label: "Sampled",
  line: "plays the guess that tells most over a sample of the candidates",
  rule: null,
  choices: null,
  place: 1,
  group: "Sampled",
};

// Strategies of a game that is not the study's: the best known tree, if the page has it, and rules.
function ruled(best = null) {
  const rules = RULES.map(({ name, label, line, rule }, i) => ({
    tree: name,
    label,
    line,
    rule,
    choices: null,
    place: i + 2,
    group: "One step ahead",
  }));
  if (best === null) return [COMPARING, ...rules];
  const known = { tree: "best-known", label: "Best known", regrets: null, rule: null, place: 1, group: "Best known" };
  return [{ ...known, ...best }, ...rules];
}

async function openGame(name) {
  if (!games.has(name)) {
    const isOfStudy = find(`game-${name}`) !== null;
    games.set(name, isOfStudy ? unpack(`game-${name}`).then((data) => new Game(data)) : makeGame(name));
  }
  return games.get(name);
}

// A strategy's tree, or null if the page has only its rule.
function treeOf(game, strategy) {
  if (!strategy.choices) return null;
  if (!trees.has(strategy)) trees.set(strategy, new Tree(game, strategy));
  return trees.get(strategy);
}

async function makeGame(name) {
  const size = /^(mm|bc)-([1-9]\d?)-([1-9]\d?)(-distinct)?$/.exec(name);
  if (size && !(size[1] === "bc" && size[4])) {
    const [, family, pegs, colours, distinct] = size;
    const repeats = family === "bc" ? "nowhere" : distinct ? "guesses" : "anywhere";
    return makeCodes(Number(pegs), Number(colours), repeats, (await unpack("trees"))[name]);
  }
  if (name === "words-common" || name === "words-full") return makeEnglish(name);
  if (name === "words-own") return makeOwn(ownText());
  throw new RangeError(`this page doesn't know the game '${name.slice(0, 40)}'.`);
}

// Where symbols may repeat, with the name of the game of a size.
const REPEATS = {
  anywhere: (pegs, colours) => `mm-${pegs}-${colours}`,
  guesses: (pegs, colours) => `mm-${pegs}-${colours}-distinct`,
  nowhere: (pegs, colours) => `bc-${pegs}-${colours}`,
};

// Mastermind, also without repeated colours in the secret, or Bulls and Cows; throws a RangeError outside the limits.
// Up to `mostListed` codes are listed.
function makeCodes(pegs, colours, repeats = "anywhere", best = null, mostListed = MOST_LISTED_CODES) {
  const isBulls = repeats === "nowhere";
  const content = isBulls ? "symbol" : "colour";
  checkSize(pegs, colours, repeats, content);
  const symbols = [...(isBulls ? "0123456789abcdefghij" : "123456789abcdefghijk")].slice(0, colours);
  const feedback = answersOf(pegs, isBulls ? Math.max(0, 2 * pegs - colours) : 0);
  const rules = {
    name: REPEATS[repeats](pegs, colours),
    title: titleOf(pegs, colours, repeats, content),
    family: isBulls ? "bc" : "mm",
    feedback,
    solved: feedback.length - 1,
  };
  if (numberOfCodes(pegs, colours, repeats) > mostListed)
    return new UnlistedGame({
      ...rules,
      pegs,
      symbols,
      secretsRepeat: repeats === "anywhere",
      guessesRepeat: !isBulls,
      strategies: [SAMPLING],
    });
  const guesses = codesOf(symbols, pegs, !isBulls);
  const isSecret = (label) => new Set(label).size === pegs;
  const secrets = repeats === "guesses" ? [...guesses.keys()].filter((i) => isSecret(guesses[i])) : null;
  return new Game({ ...rules, guesses, secrets, strategies: ruled(best) });
}

function titleOf(pegs, colours, repeats, content) {
  const family = repeats === "nowhere" ? "Bulls and Cows" : "Mastermind";
  const without = repeats === "guesses" ? ", none twice in the secret" : "";
  return `${family}, ${several(pegs, "peg")} and ${several(colours, content)}${without}`;
}

// The number of codes that may be guessed.
function numberOfCodes(pegs, colours, repeats) {
  const factors = Array.from({ length: pegs }, (_, i) => (repeats === "nowhere" ? colours - i : colours));
  return factors.reduce((product, factor) => product * factor, 1);
}

function checkSize(pegs, colours, repeats, content) {
  const size = `${several(pegs, "peg")} and ${several(colours, content)}`;
  const isSize = pegs >= 1 && pegs <= MOST_PEGS && colours >= 2 && colours <= MOST_COLOURS;
  if (!isSize) {
    const most = `up to ${MOST_PEGS} pegs, and 2 to ${MOST_COLOURS} ${content}s`;
    throw new RangeError(`${size} are outside this page's limits: ${most}.`);
  }
  if (repeats !== "anywhere" && colours < pegs)
    throw new RangeError(`${size} are too few if no ${content} comes twice: at least ${pegs} are needed.`);
}

// All codes in lexicographic order.
function codesOf(symbols, pegs, mayRepeat) {
  let codes = [""];
  for (let peg = 0; peg < pegs; peg++) {
    codes = codes.flatMap((code) => {
      const next = mayRepeat ? symbols : symbols.filter((symbol) => !code.includes(symbol));
      return next.map((symbol) => code + symbol);
    });
  }
  return codes;
}

// The possible answers in the order of the papers; `fewest` is the least number of black and white pegs together.
function answersOf(pegs, fewest) {
  const answers = [];
  for (let black = 0; black <= pegs; black++) {
    for (let white = 0; black + white <= pegs; white++) {
      const isImpossible = black === pegs - 1 && white === 1;
      if (!isImpossible && black + white >= fewest) answers.push(`${black}B-${white}C`);
    }
  }
  return answers;
}

const IS_WORD = /^[\p{L}\p{Nd}]+$/u;

// The words of a text, each once. Words that are no words as they are typed are composed first.
function wordsIn(text) {
  const words = text.toLowerCase().split(/[\s,;]+/);
  const composed = words.map((word) => (IS_WORD.test(word) ? word : word.normalize("NFC")));
  return [...new Set(composed.filter(Boolean))];
}

// Words from a text, all of one length; after a bar, words that may only be guessed. Throws a RangeError with the
// reason.
function ownWords(text) {
  if (text.length > LONGEST_TEXT)
    throw new RangeError(`The text is too long: at most ${grouped(LONGEST_TEXT)} characters.`);
  const lists = text.split("|").map(wordsIn);
  const secrets = lists[0].sort();
  const words = [...new Set(lists.flat())].sort();
  const lengthOf = (word) => [...word].length;
  if (secrets.length < 2) throw new RangeError("Paste at least two words of the same length.");
  const odd = words.find((word) => !IS_WORD.test(word));
  if (odd)
    throw new RangeError(
      `'${odd.slice(0, 30)}' is not a word: use letters and digits only, with spaces between words.`,
    );
  const other = words.find((word) => lengthOf(word) !== lengthOf(words[0]));
  if (other)
    throw new RangeError(
      `'${other.slice(0, 30)}' and '${words[0].slice(0, 30)}' differ in length: all words need the same length.`,
    );
  if (lengthOf(words[0]) > LONGEST_WORD)
    throw new RangeError(`The words are too long: at most ${LONGEST_WORD} letters.`);
  if (words.length > MAX_WORDS)
    throw new RangeError(`${grouped(words.length)} words are too many: at most ${grouped(MAX_WORDS)}.`);
  return { words, secrets: secrets.length < words.length ? new Set(secrets) : null };
}

// The page's English words. Common ones may be the secret, or all of them; common ones are advised.
async function makeEnglish(name) {
  const lists = await unpack("words");
  const secrets = lists.secrets.split(" ");
  const common = lists.guesses.split(" ");
  const further = lists.further.split(" ");
  const all = [...new Set([...secrets, ...common, ...further])]; // the likeliest first: of equal guesses it is advised
  const game =
    name === "words-full"
      ? makeWords(name, "Wordle: rare words too", all)
      : makeWords(name, "Wordle: common five-letter words", all, new Set(secrets));
  game.advised = common.map((word) => game.indexOf.get(word));
  const { guess, total } = lists.opening;
  if (name === "words-common") game.reference = { guess: game.indexOf.get(guess), total };
  return game;
}

function makeOwn(text) {
  const { words, secrets } = ownWords(text);
  return makeWords("words-own", "Wordle: my own words", words, secrets);
}

function makeWords(name, title, guesses, secrets = null) {
  const letters = [...guesses[0]].length;
  const feedback = allMarks(letters);
  return new Game({
    name,
    title,
    family: "marks",
    guesses,
    secrets: secrets && [...guesses.keys()].filter((i) => secrets.has(guesses[i])),
    feedback,
    solved: feedback.indexOf("g".repeat(letters)),
    strategies: ruled(),
  });
}

// All marks of so many letters. If all letters but one are in place, the last one can't be elsewhere.
function allMarks(letters) {
  let labels = [""];
  for (let i = 0; i < letters; i++) labels = labels.flatMap((label) => [..."byg"].map((mark) => label + mark));
  const inPlace = (label) => [...label].filter((mark) => mark === "g").length;
  return labels.filter((label) => !(label.includes("y") && inPlace(label) === letters - 1));
}
