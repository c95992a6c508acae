// The games of the page: the study's, Mastermind of any size, and lists of words.
const MAX_CODES = 32768, MAX_WORDS = 16000;
const games = new Map(), trees = new WeakMap();

// The player's own words: from a link, from the last visit, or from the form.
let lent = null;
const ownText = () => lent ?? kept("words") ?? "";

function lend(text) {
  lent = text;
  games.delete("words-own");
}

// Lends the stored words with a name; throws a RangeError if they are stored no more.
function lendList(list) {
  const text = [lent, kept("words"), kept("lent")].find((words) => words && hashOf(words).toString(36) === list);
  if (!text) throw new RangeError("its words are stored no more.");
  if (text !== ownText()) lend(text);
}

const RULES = [
  { name: "entropy", label: "Entropy", line: "plays the guess whose answer tells most", rule: ENTROPY },
  { name: "parts", label: "Most parts", line: "allows as many different answers as it can", rule: { ...ENTROPY, cell: "one", termScale: 1, tiesInBits: false } },
  { name: "size", label: "Expected size", line: "leaves the fewest candidates on average", rule: { ...ENTROPY, cell: "square", termScale: 1, tiesInBits: false } },
  { name: "knuth", label: "Worst case", line: "leaves few candidates after the worst answer", rule: { ...ENTROPY, cell: "largest", takesMin: true, termScale: 1, tiesInBits: false } },
  { name: "first", label: "First candidate", line: "plays the first code that could be the secret", rule: { ...ENTROPY, cell: "nothing", termScale: 1, tiesInBits: false, consistentOnly: true } },
];

// Strategies of a game that is not the study's: the best known tree, if the page has it, and rules.
function ruled(best = null) {
  const rules = RULES.map(({ name, label, line, rule }, i) => ({ tree: name, label, line, rule, nodes: null, place: i + 2, group: "One step ahead" }));
  return best ? [{ tree: "best-known", label: "Best known", regrets: null, rule: null, place: 1, group: "Best known", ...best }, ...rules] : rules;
}

async function openGame(name) {
  if (!games.has(name)) games.set(name, find(`game-${name}`) ? unpack(`game-${name}`).then((data) => new Game(data)) : makeGame(name));
  return games.get(name);
}

// A strategy's tree, or null if the page has only its rule.
function treeOf(strategy) {
  if (!strategy.nodes) return null;
  if (!trees.has(strategy)) trees.set(strategy, new Tree(strategy));
  return trees.get(strategy);
}

async function makeGame(name) {
  const size = /^mm-(\d)-(\d+)$/.exec(name);
  if (size) return makeCodes(Number(size[1]), Number(size[2]), (await unpack("trees"))[name]);
  if (name === "words-common") {
    const { guesses, secrets } = await unpack("words");
    return makeWords(name, "Wordle: common five-letter words", guesses.split(" "), new Set(secrets.split(" ")));
  }
  if (name === "words-own") return makeOwn(ownText());
  throw new RangeError(`This page doesn't know the game '${name.slice(0, 40)}'.`);
}

function makeCodes(pegs, colours, best = null) {
  if (!(pegs >= 1 && colours >= 2 && colours <= 15 && colours ** pegs <= MAX_CODES))
    throw new RangeError(`${several(pegs, "peg")} and ${several(colours, "colour")} are outside this page's limits: 2 to 15 colours, and at most ${MAX_CODES.toLocaleString("en")} codes.`);
  const symbols = [..."123456789abcdef"].slice(0, colours), feedback = [];
  let guesses = [""];
  for (let peg = 0; peg < pegs; peg++) guesses = guesses.flatMap((code) => symbols.map((symbol) => code + symbol));
  for (let black = 0; black <= pegs; black++)
    for (let white = 0; black + white <= pegs; white++) if (!(black === pegs - 1 && white === 1)) feedback.push(`${black}B-${white}C`);
  return new Game({
    name: `mm-${pegs}-${colours}`, title: `Mastermind, ${several(pegs, "peg")} and ${several(colours, "colour")}`, family: "mm",
    guesses, secrets: null, feedback, solved: feedback.length - 1, strategies: ruled(best),
  });
}

const IS_WORD = /^[\p{L}\p{Nd}]+$/u;

// Words from a text, all of one length; after a bar, words that may only be guessed. Throws a RangeError with the reason.
function ownWords(text) {
  if (text.length > LONGEST_TEXT) throw new RangeError(`The text is too long: at most ${LONGEST_TEXT.toLocaleString("en")} characters.`);
  const lists = text.split("|").map((part) => [...new Set(part.toLowerCase().split(/[\s,;]+/).filter(Boolean).map((word) => (IS_WORD.test(word) ? word : word.normalize("NFC"))))]);
  const [secrets, words] = [lists[0].sort(), [...new Set(lists.flat())].sort()];
  const odd = words.find((word) => !IS_WORD.test(word)), long = words.find((word) => [...word].length !== [...words[0]].length);
  if (secrets.length < 2) throw new RangeError("Paste at least two words of the same length.");
  if (odd) throw new RangeError(`'${odd.slice(0, 30)}' is not a word: use letters and digits only, with spaces between words.`);
  if (long) throw new RangeError(`'${long.slice(0, 30)}' and '${words[0].slice(0, 30)}' differ in length: all words need the same length.`);
  if ([...words[0]].length > 8) throw new RangeError("The words are too long: at most 8 letters.");
  if (words.length > MAX_WORDS) throw new RangeError(`${words.length.toLocaleString("en")} words are too many: at most ${MAX_WORDS.toLocaleString("en")}.`);
  return { words, secrets: secrets.length < words.length ? new Set(secrets) : null };
}

function makeOwn(text) {
  const { words, secrets } = ownWords(text);
  return makeWords("words-own", "Wordle: my own words", words, secrets);
}

function makeWords(name, title, guesses, secrets = null) {
  const letters = [...guesses[0]].length;
  let feedback = [""];
  for (let i = 0; i < letters; i++) feedback = feedback.flatMap((label) => [..."byg"].map((mark) => label + mark));
  feedback = feedback.filter((label) => !(label.includes("y") && [...label].filter((mark) => mark === "g").length === letters - 1));
  return new Game({
    name, title, family: "marks", guesses, secrets: secrets && [...guesses.keys()].filter((i) => secrets.has(guesses[i])),
    feedback, solved: feedback.indexOf("g".repeat(letters)), strategies: ruled(),
  });
}
