// What outlives a visit: records of games and settings in local storage.
import { isObjectOf, isShortText, isText } from "./checks.js";
import { isRecord } from "./events.js";

/** @import { GameRecord } from "./events.js" */

const MOST_GAMES = 1000;
export const RECORD = "game.";

// What may be stored under each name; records of games are stored under `game.` and their id.
/** @type {Record<string, (value: any) => boolean>} */
const KEPT = {
  words: isShortText,
  lent: isShortText,
  current: isText,
  rule: isShortText,
  strategies: isObjectOf(isText),
  openings: isObjectOf(isText),
  explorer: isObjectOf(isText),
};

const DROPPED = ["play", "history"]; // of earlier versions, which stored results without their moves
/** @type {(name: string, value: any) => boolean} */
const isKept = (name, value) => (name.startsWith(RECORD) ? isRecord(value) : KEPT[name](value));

// What the page has to say of storage when it opens.
export let news = "";

// What storage did not take, by name: it is full, or private windows refuse. It lasts as long as the visit.
const unkept = new Map();

// A value of this visit or an earlier one, or null.
/** @type {(name: string) => any} */
export const kept = (name) => unkept.get(name) ?? stored(name);

// A value that is stored, or null; foreign ones are removed.
/** @type {(name: string) => any} */
function stored(name) {
  let text = /** @type {string | null} */ (null);
  try {
    text = localStorage.getItem(`codebreaker.${name}`);
    const value = text === null ? null : JSON.parse(text);
    if (value === null ? text === null : isKept(name, value)) return value;
  } catch {
    // It is no JSON, or private windows refuse.
  }
  if (text !== null) startAfresh(name);
  return null;
}

/** @type {(name: string) => void} */
export function startAfresh(name) {
  localStorage.removeItem(`codebreaker.${name}`);
  news = "This browser's record of your last visit can't be read, so the page starts afresh.";
  listener.onNews(news);
}

// Who is told of news, and of whether all that was kept is stored.
let listener = { onNews: (/** @type {string} */ _news) => {}, onKept: (/** @type {boolean} */ _isStored) => {} };

/** @type {(watcher: { onNews: (news: string) => void, onKept: (isStored: boolean) => void }) => void} */
export function watchStorage(watcher) {
  listener = watcher;
}

/** @type {(name: string, value: any) => void} */
export function keep(name, value) {
  try {
    localStorage.setItem(`codebreaker.${name}`, JSON.stringify(value));
    unkept.delete(name);
  } catch {
    unkept.set(name, value);
  }
  listener.onKept(unkept.size === 0);
}

// The names of all that is stored, without the page's prefix.
function keptNames() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith("codebreaker."));
    return names.map((name) => name.slice("codebreaker.".length));
  } catch {
    return [];
  }
}

/** @type {(name: string) => void} */
function drop(name) {
  unkept.delete(name);
  try {
    localStorage.removeItem(`codebreaker.${name}`);
  } catch {
    // Nothing was stored.
  }
}

/** @type {() => void} */
export function dropEarlierVersions() {
  const old = DROPPED.filter((name) => keptNames().includes(name));
  [...old, "guide"].forEach(drop);
  if (old.length > 0) {
    news = "Games of an earlier version of this page were dropped: it had stored results without their moves.";
  }
}

// Records of this visit: all that there are where storage is refused.
const visited = new Map();

// A record as it is stored or as this visit left it: the longer one counts, as another tab may have added events, and
// full storage keeps an old one.
/** @type {(id: string) => GameRecord | null} */
export function recordOf(id) {
  const ofStorage = stored(`${RECORD}${id}`);
  const ofVisit = visited.get(id) ?? null;
  if (ofStorage === null || ofVisit === null) return ofStorage ?? ofVisit;
  return ofVisit.events.length > ofStorage.events.length ? ofVisit : ofStorage;
}

/** @type {(record: GameRecord) => void} */
export function storeRecord(record) {
  visited.set(record.id, record);
  keep(`${RECORD}${record.id}`, record);
}

/** @type {(id: string) => void} */
export function dropRecord(id) {
  visited.delete(id);
  drop(`${RECORD}${id}`);
}

/** @type {() => string[]} */
export function storedIds() {
  const ids = keptNames()
    .filter((name) => name.startsWith(RECORD))
    .map((name) => name.slice(RECORD.length));
  return [...new Set([...ids, ...visited.keys()])].sort();
}

/** @type {() => GameRecord[]} */
export const allRecords = () =>
  storedIds()
    .map(recordOf)
    .filter((record) => record !== null);

// Ids begin with the time, so that the first ones are the oldest.
/** @type {() => void} */
export function dropOldRecords() {
  const ids = storedIds();
  ids.slice(0, Math.max(0, ids.length - MOST_GAMES)).forEach(dropRecord);
}

/** @type {() => string} */
export function newId() {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return `${Date.now().toString(36)}-${random.toString(36)}`;
}
