// Games as links: what a link holds, its moves, its words and its hidden secret.
import { Game } from "../engine/game.js";
import { LONGEST_TEXT, MOST_MOVES } from "../engine/limits.js";
import { hashOf } from "../engine/random.js";
import { grouped } from "../engine/words.js";

/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { GameEvent, State, TextMove } from "./events.js" */

/**
 * What a link holds, as texts by name.
 * @typedef {Record<string, string>} Link
 */

// Limits on what a stranger may have made: the characters of a link, and of a text in it or pasted; moves of a game.
export const LONGEST_LINK = 100000;

// A state as an address's fragment, such as `game=mm-4-6&moves=1122*1B-0C`, and back; null for others.
/** @type {(state: Link) => string} */
export const fragmentOf = (state) => new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

/** @type {(fragment: string) => Link | null} */
export function stateOf(fragment) {
  const text = fragment.replace(/^#/, "");
  return /^(game|tree)=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null;
}

/** @type {(state: Link) => string} */
export const linkOf = (state) => `${location.href.split("#")[0]}#${fragmentOf(state)}`;

// Puts a state into the address, and marks the entry of the browser's history as written by the page.
/** @type {(state: Link) => void} */
export function putFragment(state) {
  history.replaceState({ id: state.id ?? "", isOwn: true }, "", `#${fragmentOf(state)}`);
}

// Throws a RangeError for a text that is too long to be read, before anything is done with it.
/** @type {(text: string, most: number) => void} */
export function checkLength(text, most) {
  if (text.length > most) {
    throw new RangeError(
      `it has ${grouped(text.length)} characters, and this page reads at most ${grouped(most)}.`,
    );
  }
}

// Moves as text, such as `1122*1B-0C_3344*0B-2C`; a RangeError names a wrong one. `isElsewhere`: whether the secret is,
// so that words which the game's list lacks may have been guessed.
/** @type {(moves: TextMove[]) => string} */
export const writeMoves = (moves) => moves.map(({ guess, answer }) => `${guess}*${answer}`).join("_");

/** @type {(game: AnyGame, text: string, isElsewhere?: boolean) => GameEvent[]} */
export function readMoves(game, text, isElsewhere = false) {
  if (!text) return [];
  const moves = text.split("_");
  if (moves.length > MOST_MOVES) {
    throw new RangeError(
      `it has ${grouped(moves.length)} moves, and this page shows at most ${MOST_MOVES}.`,
    );
  }
  return moves.map((move, i) => {
    const [guess, answer] = move.split("*");
    const isGuess = game.indexOf.has(guess) || (isElsewhere && game instanceof Game && game.mayAdd(guess));
    if (!isGuess || !game.idOf.has(answer)) {
      throw new RangeError(`move ${i + 1}, '${move.slice(0, 40)}', is not one of ${game.title}.`);
    }
    return { kind: "move", guess, answer };
  });
}

// What made a game easier, for a link: hints, and guesses taken back with their places among all guesses, such as
// `2*1122*1B-0C`. In *Solve mine* guesses taken back are forgotten, and hints are free.
/** @type {(state: State) => { back: string, hints: string }} */
export function writeAids({ mode, asked, moves, hints }) {
  const back = asked.flatMap((move, i) => (moves.includes(move) ? [] : [`${i + 1}*${writeMoves([move])}`]));
  return { back: back.join("_"), hints: mode !== "mine" && hints > 0 ? String(hints) : "" };
}

// The events of a game's link: its moves with those taken back, each at its place, and its hints.
/** @type {(game: AnyGame, link: Link) => GameEvent[]} */
export function readEvents(game, { mode = "hidden", moves = "", back = "", hints = "" }) {
  const events = readMoves(game, moves, mode === "mine");
  for (const text of back ? back.split("_").slice(0, MOST_MOVES) : []) {
    const [place, ...move] = text.split("*");
    const [taken] = readMoves(game, move.join("*"));
    if (!/^[1-9]\d{0,3}$/.test(place) || !taken) {
      throw new RangeError(`its guess taken back, '${text.slice(0, 40)}', has no place.`);
    }
    // Each one before it is two events there: a move, and that it was taken back.
    const before = events.filter(({ kind }) => kind === "undo").length;
    events.splice(Number(place) - 1 + before, 0, taken, { kind: "undo" });
  }
  const helped = /^[1-9]$/.test(hints) ? Number(hints) : 0;
  return [...Array.from({ length: helped }, () => ({ kind: "hint" })), ...events];
}

// A text compressed for a link, and back; a RangeError says that it can't be read.
/** @type {(text: string) => Promise<string>} */
export async function squeezed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** @type {(text: string) => Promise<string>} */
export async function unsqueezed(text) {
  const parts = [];
  let size = 0;
  try {
    const bytes = Uint8Array.from(
      atob(text.replaceAll("-", "+").replaceAll("_", "/")),
      (letter) => letter.charCodeAt(0),
    );
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let part = await reader.read(); !part.done && size <= LONGEST_TEXT; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
    }
    if (size > LONGEST_TEXT) reader.cancel().catch(() => {});
  } catch {
    throw new RangeError("its words can't be read.");
  }
  if (size > LONGEST_TEXT) {
    throw new RangeError(`its words have more than ${grouped(LONGEST_TEXT)} characters.`);
  }
  return new Blob(parts).text();
}

// A secret, scrambled so that a link doesn't show it: by its number or, where codes have none, symbol by symbol.
/** @type {(game: AnyGame, secret: number) => string} */
export const veil = (game, secret) =>
  game instanceof Game ? veiledNumber(game, secret) : shifted(game, [...game.guesses[secret]], 1);

/** @type {(game: Game, secret: number) => string} */
const veiledNumber = (game, secret) => ((game.allSecrets.indexOf(secret) * 7 + 5) % prime(game)).toString(36);

/** @type {(game: AnyGame, text: string) => number} */
export function unveil(game, text) {
  if (!(game instanceof Game)) return unveilSymbols(game, text);
  const p = prime(game);
  const veiled = parseInt(text, 36);
  const isNumber = veiled.toString(36) === text;
  for (let i = 0; isNumber && i < game.allSecrets.length; i++) {
    if ((i * 7 + 5) % p === veiled) return game.allSecrets[i];
  }
  throw new RangeError("its hidden secret is not one of this game.");
}

// Throws a RangeError for a text that no secret is scrambled to.
/** @type {(game: AnyGame, text: string) => number} */
function unveilSymbols(game, text) {
  const veiled = [...text];
  const isOfSymbols = veiled.length === game.pegs && veiled.every((symbol) => game.symbols.includes(symbol));
  const secret = isOfSymbols ? game.indexOf.get(shifted(game, veiled, -1)) : undefined;
  if (secret === undefined || !game.isSecret(secret)) {
    throw new RangeError("its hidden secret is not one of this game.");
  }
  return secret;
}

// Each symbol is shifted by a number that follows from the scrambled ones before it; the sign -1 shifts back.
/** @type {(game: AnyGame, symbols: string[], sign: number) => string} */
function shifted(game, symbols, sign) {
  const n = game.symbols.length;
  let veiled = "";
  let result = "";
  for (const symbol of symbols) {
    const by = hashOf(`${game.name} ${veiled}`) % n;
    const other = game.symbols[(game.symbols.indexOf(symbol) + sign * by + n) % n];
    veiled += sign > 0 ? other : symbol;
    result += other;
  }
  return result;
}

// The first prime from the number of secrets on, above 7.
/** @type {(game: Game) => number} */
function prime(game) {
  for (let p = Math.max(11, game.allSecrets.length);; p++) {
    let d = 2;
    while (d * d <= p && p % d) d++;
    if (d * d > p) return p;
  }
}
