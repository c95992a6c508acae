// Games of words, from lists.
import { Game } from "./game.js";
import { LONGEST_TEXT } from "./limits.js";
import { ruled } from "./strategies.js";
import { grouped } from "./words.js";

const MAX_WORDS = 16000;
const LONGEST_WORD = 10; // all 3^10 rows of marks are listed
const IS_WORD = /^[\p{L}\p{Nd}]+$/u;

// The words of a text, each once. Words that are no words as they are typed are composed first.
/** @type {(text: string) => string[]} */
function wordsIn(text) {
  const words = text.toLowerCase().split(/[\s,;]+/);
  const composed = words.map((word) => (IS_WORD.test(word) ? word : word.normalize("NFC")));
  return [...new Set(composed.filter(Boolean))];
}

// Words from a text, all of one length; after a bar, words that may only be guessed. Throws a RangeError with the
// reason.
/** @type {(text: string) => { words: string[], secrets: Set<string> | null }} */
export function ownWords(text) {
  if (text.length > LONGEST_TEXT) {
    throw new RangeError(`The text is too long: at most ${grouped(LONGEST_TEXT)} characters.`);
  }
  const lists = text.split("|").map(wordsIn);
  const secrets = lists[0].sort();
  const words = [...new Set(lists.flat())].sort();
  /** @type {(word: string) => number} */
  const lengthOf = (word) => [...word].length;
  if (secrets.length < 2) throw new RangeError("Paste at least two words of the same length.");
  const odd = words.find((word) => !IS_WORD.test(word));
  if (odd) {
    throw new RangeError(
      `'${odd.slice(0, 30)}' is not a word: use letters and digits only, with spaces between words.`,
    );
  }
  const other = words.find((word) => lengthOf(word) !== lengthOf(words[0]));
  if (other) {
    throw new RangeError(
      `'${other.slice(0, 30)}' and '${words[0].slice(0, 30)}' differ in length: all words need the same length.`,
    );
  }
  if (lengthOf(words[0]) > LONGEST_WORD) {
    throw new RangeError(`The words are too long: at most ${LONGEST_WORD} letters.`);
  }
  if (words.length > MAX_WORDS) {
    throw new RangeError(`${grouped(words.length)} words are too many: at most ${grouped(MAX_WORDS)}.`);
  }
  return { words, secrets: secrets.length < words.length ? new Set(secrets) : null };
}

// The page's English words. Common ones may be the secret, or all of them; common ones are advised.
/**
 * @type {(
 *   name: string,
 *   lists: { guesses: string, secrets: string, further: string, opening: { guess: string, total: number } },
 * ) => Game}
 */
export function makeEnglish(name, lists) {
  const secrets = lists.secrets.split(" ");
  const common = lists.guesses.split(" ");
  const further = lists.further.split(" ");
  const all = [...new Set([...secrets, ...common, ...further])]; // the likeliest first: of equal guesses it is advised
  const numberOf = new Map(all.map((word, number) => [word, number]));
  const advised = common.map((word) => numberOf.get(word) ?? 0);
  if (name === "words-full") return makeWords(name, "Wordle: rare words too", all, null, { advised });
  const reference = { guess: numberOf.get(lists.opening.guess) ?? 0, total: lists.opening.total };
  return makeWords(name, "Wordle: common five-letter words", all, new Set(secrets), { advised, reference });
}

/** @type {(text: string) => Game} */
export function makeOwn(text) {
  const { words, secrets } = ownWords(text);
  return makeWords("words-own", "Wordle: my own words", words, secrets);
}

/** @type {(name: string, title: string, guesses: string[], secrets?: Set<string> | null, further?: object) => Game} */
function makeWords(name, title, guesses, secrets = null, further = {}) {
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
    ...further,
  });
}

// All marks of so many letters. If all letters but one are in place, the last one can't be elsewhere.
/** @type {(letters: number) => string[]} */
function allMarks(letters) {
  let labels = [""];
  for (let i = 0; i < letters; i++) labels = labels.flatMap((label) => [..."byg"].map((mark) => label + mark));
  /** @type {(label: string) => number} */
  const inPlace = (label) => [...label].filter((mark) => mark === "g").length;
  return labels.filter((label) => !(label.includes("y") && inPlace(label) === letters - 1));
}
