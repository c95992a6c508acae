// What outlives a visit: records of games and settings in local storage, and a link in the page's address.
const MOST_GAMES = 1000;
const MOST_EVENTS = 2000;
const RECORD = "game.";

const isText = (value) => typeof value === "string";
const isPlain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);

function isObjectOf(isPart) {
  return (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(isPart);
}

const isShortText = (value) => isText(value) && value.length <= LONGEST_TEXT;

// What may be stored under each name; records of games are stored under `game.` and their id.
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

const isKept = (name, value) => (name.startsWith(RECORD) ? isRecord(value) : KEPT[name](value));

// What the page has to say of storage when it opens.
let news = "";

// What storage did not take, by name: it is full, or private windows refuse. It lasts as long as the visit.
const unkept = new Map();

// A value of this visit or an earlier one, or null.
const kept = (name) => unkept.get(name) ?? stored(name);

// A value that is stored, or null; foreign ones are removed.
function stored(name) {
  let text = null;
  try {
    text = localStorage.getItem(`codebreaker.${name}`);
    const value = JSON.parse(text);
    if (value === null ? text === null : isKept(name, value)) return value;
  } catch {
    // It is no JSON, or private windows refuse.
  }
  if (text !== null) startAfresh(name);
  return null;
}

function startAfresh(name) {
  localStorage.removeItem(`codebreaker.${name}`);
  news = "This browser's record of your last visit can't be read, so the page starts afresh.";
  say(news);
}

function keep(name, value) {
  try {
    localStorage.setItem(`codebreaker.${name}`, JSON.stringify(value));
    unkept.delete(name);
  } catch {
    unkept.set(name, value);
  }
  find("play-unkept").hidden = unkept.size === 0;
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

function drop(name) {
  unkept.delete(name);
  try {
    localStorage.removeItem(`codebreaker.${name}`);
  } catch {
    // Nothing was stored.
  }
}

function dropEarlierVersions() {
  const old = DROPPED.filter((name) => keptNames().includes(name));
  [...old, "guide"].forEach(drop);
  if (old.length > 0)
    news = "Games of an earlier version of this page were dropped: it had stored results without their moves.";
}

// Records of this visit: all that there are where storage is refused.
const visited = new Map();

// A record as it is stored or as this visit left it: the longer one counts, as another tab may have added events, and
// full storage keeps an old one.
function recordOf(id) {
  const ofStorage = stored(`${RECORD}${id}`);
  const ofVisit = visited.get(id) ?? null;
  if (ofStorage === null || ofVisit === null) return ofStorage ?? ofVisit;
  return ofVisit.events.length > ofStorage.events.length ? ofVisit : ofStorage;
}

function storeRecord(record) {
  visited.set(record.id, record);
  keep(`${RECORD}${record.id}`, record);
}

function dropRecord(id) {
  visited.delete(id);
  drop(`${RECORD}${id}`);
}

function storedIds() {
  const ids = keptNames()
    .filter((name) => name.startsWith(RECORD))
    .map((name) => name.slice(RECORD.length));
  return [...new Set([...ids, ...visited.keys()])].sort();
}

const allRecords = () =>
  storedIds()
    .map(recordOf)
    .filter((record) => record !== null);

// Ids begin with the time, so that the first ones are the oldest.
function dropOldRecords() {
  const ids = storedIds();
  ids.slice(0, Math.max(0, ids.length - MOST_GAMES)).forEach(dropRecord);
}

function newId() {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return `${Date.now().toString(36)}-${random.toString(36)}`;
}

// Limits on what a stranger may have made: the characters of a link, and of a text in it or pasted; moves of a game.
const LONGEST_LINK = 100000;
const LONGEST_TEXT = 500000;
const MOST_MOVES = 200;

// A state as an address's fragment, such as `game=mm-4-6&moves=1122*1B-0C`, and back; null for others.
const fragmentOf = (state) =>
  new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

function stateOf(fragment) {
  const text = fragment.replace(/^#/, "");
  return /^(game|tree)=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null;
}

const linkOf = (state) => `${location.href.split("#")[0]}#${fragmentOf(state)}`;

// Puts a state into the address, and marks the entry of the browser's history as written by the page.
function putFragment(state) {
  history.replaceState({ id: state.id ?? "", isOwn: true }, "", `#${fragmentOf(state)}`);
}

// Throws a RangeError for a text that is too long to be read, before anything is done with it.
function checkLength(text, most) {
  if (text.length > most)
    throw new RangeError(
      `it has ${grouped(text.length)} characters, and this page reads at most ${grouped(most)}.`,
    );
}

// Moves as text, such as `1122*1B-0C_3344*0B-2C`; a RangeError names a wrong one.
const writeMoves = (moves) => moves.map(({ guess, answer }) => `${guess}*${answer}`).join("_");

function readMoves(game, text) {
  if (!text) return [];
  const moves = text.split("_");
  if (moves.length > MOST_MOVES)
    throw new RangeError(
      `it has ${grouped(moves.length)} moves, and this page shows at most ${MOST_MOVES}.`,
    );
  return moves.map((move, i) => {
    const [guess, answer] = move.split("*");
    if (!game.indexOf.has(guess) || !game.idOf.has(answer))
      throw new RangeError(`move ${i + 1}, '${move.slice(0, 40)}', is not one of ${game.title}.`);
    return { kind: "move", guess, answer };
  });
}

// A text compressed for a link, and back; a RangeError says that it can't be read.
async function squeezed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

async function unsqueezed(text) {
  const parts = [];
  let size = 0;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
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
  if (size > LONGEST_TEXT)
    throw new RangeError(`its words have more than ${grouped(LONGEST_TEXT)} characters.`);
  return new Blob(parts).text();
}

// A secret, scrambled so that a link doesn't show it: by its number or, where codes have none, symbol by symbol.
const veil = (game, secret) =>
  game.isListed ? veiledNumber(game, secret) : shifted(game, [...game.guesses[secret]], 1);

const veiledNumber = (game, secret) => ((game.allSecrets.indexOf(secret) * 7 + 5) % prime(game)).toString(36);

function unveil(game, text) {
  if (!game.isListed) return unveilSymbols(game, text);
  const p = prime(game);
  const veiled = parseInt(text, 36);
  const isNumber = veiled.toString(36) === text;
  for (let i = 0; isNumber && i < game.allSecrets.length; i++) {
    if ((i * 7 + 5) % p === veiled) return game.allSecrets[i];
  }
  throw new RangeError("its hidden secret is not one of this game.");
}

// Throws a RangeError for a text that no secret is scrambled to.
function unveilSymbols(game, text) {
  const veiled = [...text];
  const isOfSymbols = veiled.length === game.pegs && veiled.every((symbol) => game.symbols.includes(symbol));
  const secret = isOfSymbols ? game.indexOf.get(shifted(game, veiled, -1)) : undefined;
  if (secret === undefined || !game.isSecret(secret))
    throw new RangeError("its hidden secret is not one of this game.");
  return secret;
}

// Each symbol is shifted by a number that follows from the scrambled ones before it; the sign -1 shifts back.
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
function prime(game) {
  for (let p = Math.max(11, game.allSecrets.length); ; p++) {
    let d = 2;
    while (d * d <= p && p % d) d++;
    if (d * d > p) return p;
  }
}

// A short name of a text: FNV-1a.
function hashOf(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return hash;
}
