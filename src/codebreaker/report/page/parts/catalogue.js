// The games of the page: the study's, Mastermind of many sizes, and lists of words.
import { Game } from "../engine/game.js";
import { hashOf } from "../engine/random.js";
import { makeCodes } from "../engine/sizes.js";
import { makeEnglish, makeOwn } from "../engine/wordlists.js";
import { kept } from "../records/storage.js";
import { find, unpack } from "./elements.js";

/** @import { AnyGame } from "../engine/unlisted.js" */

const games = new Map();

// The player's own words: from a link, from the last visit, or from the form.
/** @type {string | null} */
export let lent = null;

/** @type {() => string} */
export const ownText = () => lent ?? kept("words") ?? "";

/** @type {(text: string | null) => void} */
export function lend(text) {
  lent = text;
  games.delete("words-own");
}

// Lends the stored words with a name; throws a RangeError if they are stored no more.
/** @type {(list: string) => void} */
export function lendList(list) {
  const texts = [lent, kept("words"), kept("lent")];
  const text = texts.find((words) => words && hashOf(words).toString(36) === list);
  if (!text) throw new RangeError("its words are stored no more.");
  if (text !== ownText()) lend(text);
}

/** @type {(name: string) => Promise<Game>} */
export function openGame(name) {
  if (!games.has(name)) {
    const isOfStudy = find(`game-${name}`) !== null;
    games.set(name, isOfStudy ? unpack(`game-${name}`).then((data) => new Game(data)) : makeGame(name));
  }
  return games.get(name);
}

/** @type {(name: string) => Promise<AnyGame>} */
async function makeGame(name) {
  const size = /^(mm|bc)-([1-9]\d?)-([1-9]\d?)(-distinct)?$/.exec(name);
  if (size && !(size[1] === "bc" && size[4])) {
    const [, family, pegs, colours, distinct] = size;
    const repeats = family === "bc" ? "nowhere" : distinct ? "guesses" : "anywhere";
    return makeCodes(Number(pegs), Number(colours), repeats, (await unpack("trees"))[name]);
  }
  if (name === "words-common" || name === "words-full") return makeEnglish(name, await unpack("words"));
  if (name === "words-own") return makeOwn(ownText());
  throw new RangeError(`this page doesn't know the game '${name.slice(0, 40)}'.`);
}
