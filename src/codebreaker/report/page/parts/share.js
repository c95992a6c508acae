// A game as a text or a link, for others.
import { symbolsOf } from "../engine/game.js";
import { pegsOf } from "../engine/naming.js";
import { MoveReader } from "../engine/reading.js";
import { grouped, several } from "../engine/words.js";
import { linkOf, squeezed } from "../records/links.js";
import { newId, storeRecord } from "../records/storage.js";
import { ownText } from "./catalogue.js";
import { find } from "./elements.js";
import { NAMELESS, play, playState, startOf } from "./play.js";

/** @import { State } from "../records/events.js" */
/** @import { Link } from "../records/links.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */

const LONG_LINK = 4000;
const EMOJI = ["🔵", "🟠", "🟢", "🔴", "🟣", "🟡"];

// The game as text. A code of the day is told without its codes, so that friends can still play it.
function resultText() {
  const { game, state, position } = play;
  const isSpoiler = state.origin !== "daily";
  const guesses = several(position.asked.length, "guess", "guesses");
  const how = state.hasGivenUp ? "given up" : position.isSolved ? `solved with ${guesses}` : `${guesses} so far`;
  const end = `${how}${aidsOf(state)}`;
  const title = state.origin === "daily" ? `${game.title}, ${state.day}` : game.title;
  const rows = position.asked.map(
    ({ guess, id }) => `${isSpoiler ? `${emojiOf(game, guess)} ` : ""}${answerText(game, id)}`,
  );
  const sum = isSpoiler ? find("review-sum").textContent : "";
  return [`${title}: ${end}`, ...rows, ...(sum ? [sum] : [])].join("\n");
}

// What made a game easier, in brackets: guesses taken back, whose answers were known, and hints.
/** @type {(state: State) => string} */
export function aidsOf({ mode, takenBack, hints }) {
  const aids = [];
  if (takenBack > 0) aids.push(`${takenBack} taken back`);
  if (hints > 0 && mode !== "mine") aids.push(several(hints, "hint"));
  return aids.length > 0 ? ` (${aids.join(", ")})` : "";
}

/** @type {(game: AnyGame, guess: number) => string} */
function emojiOf(game, guess) {
  const isDrawn = !game.spelled && game.symbols.length <= EMOJI.length;
  return symbolsOf(game.guesses[guess])
    .map((symbol) => (isDrawn ? EMOJI[game.symbols.indexOf(symbol)] : symbol))
    .join("");
}

/** @type {(game: AnyGame, id: number) => string} */
function answerText(game, id) {
  const label = game.feedback[id];
  const pegs = pegsOf(label);
  if (pegs) return "⚫".repeat(pegs.black) + "⚪".repeat(pegs.white ?? 0) || "–";
  return game.family === "marks" ? label.replaceAll("g", "🟩").replaceAll("y", "🟨").replaceAll("b", "⬛") : label;
}

// Offers a text: on the phone's share sheet, if there is one, and to copy.
/** @type {(text: string) => Promise<void>} */
async function share(text) {
  const shown = find("share-shown");
  find("play-share").hidden = false;
  find("share-own").hidden = true;
  find("share-sheet").hidden = typeof navigator.share !== "function";
  shown.value = text;
  shown.focus({ preventScroll: true });
  shown.select();
  find("play-share").scrollIntoView({ block: "nearest" });
  find("share-told").textContent = `${await copied(text)}${noteOnLink(text)}`;
}

/** @type {(text: string) => Promise<string>} */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "Copy the text with Ctrl+C.";
  }
}

// What is to be known of a link: long ones are cut off by some programs, and a file is not on other devices.
/** @type {(text: string) => string} */
function noteOnLink(text) {
  if (!text.includes("#game=")) return "";
  const isLong = text.length > LONG_LINK;
  const long = isLong
    ? ` The link has ${grouped(text.length)} characters with its words, and some programs cut it off.`
    : "";
  const file = location.protocol === "file:"
    ? " It leads to the file on this device. Whoever has the page too can copy the link and paste it there."
    : "";
  return `${long}${file}`;
}

// A link to the game with its moves or, as a challenge, to its secret alone, with the player's own words.
/** @type {(isChallenge: boolean) => Promise<void>} */
export async function shareLink(isChallenge) {
  const state = playState();
  if (isChallenge) return shareChallenge({ ...state, friend: NAMELESS });
  share(linkOf({ ...state, words: await ownWordsForLink() }));
}

/** @type {(state: Link) => Promise<void>} */
async function shareChallenge({ game, id, key, rule, friend }) {
  await share(linkOf({ game, id, key, rule, friend, words: await ownWordsForLink() }));
  find("share-own").hidden = false;
}

const ownWordsForLink = () => (play.game.name === "words-own" ? squeezed(ownText()) : "");
const OWN_CHALLENGE = { player: "other", origin: "challenge", mode: "hidden" };

// A challenge with a secret of the player's own, who knows it: the game does not count for them.
function shareOwnSecret() {
  const { game } = play;
  const text = find("share-secret").value;
  const secret = new MoveReader(game).guess(text);
  if (secret === undefined || !game.isSecret(secret)) {
    find("share-told").textContent = `'${text.slice(0, 30)}' can't be a secret of ${game.title}.`;
    return;
  }
  const friend = find("share-name").value.trim().slice(0, LONGEST_NAME) || NAMELESS;
  const start = startOf(game, { ...OWN_CHALLENGE, rule: play.state.rule, secret });
  const id = newId();
  storeRecord({ id, events: [start] });
  shareChallenge({ game: game.name, id, key: start.key, rule: start.rule === "any" ? "" : start.rule, friend });
}

export const LONGEST_NAME = 30;
find("share-text").addEventListener("click", () => share(resultText()));
find("share-link").addEventListener("click", () => shareLink(false));
find("share-challenge").addEventListener("click", () => shareLink(true));

find("share-sheet").addEventListener("click", () => {
  const cancelled = () => {};
  navigator.share({ text: find("share-shown").value }).catch(cancelled);
});

find("share-own").addEventListener("submit", (event) => {
  event.preventDefault();
  shareOwnSecret();
});
