// What outlives a visit: settings and the game in local storage, and a link in the page's address.
const isText = (value) => typeof value === "string";
const isObjectOf = (isPart) => (value) => value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(isPart);
const isPlain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);
const KEPT = {
  words: (text) => isText(text) && text.length <= LONGEST_TEXT, guide: isText, play: isObjectOf(isText), explorer: isObjectOf(isText),
  history: (games) => Array.isArray(games) && games.every((one) => one !== null && isObjectOf(isPlain)(one) && isText(one.game) && Number.isInteger(one.guesses)),
};

// A value of an earlier visit, or null; foreign ones are removed.
function kept(name) {
  let text = null;
  try {
    text = localStorage.getItem(`codebreaker.${name}`);
    const value = JSON.parse(text);
    if (value === null ? text === null : KEPT[name](value)) return value;
  } catch {
    // It is no JSON, or private windows refuse.
  }
  if (text !== null) startAfresh(name);
  return null;
}

function startAfresh(name) {
  localStorage.removeItem(`codebreaker.${name}`);
  find("play-refused").textContent = "This browser's record of your last visit can't be read, so the page starts afresh.";
}

function keep(name, value) {
  try {
    localStorage.setItem(`codebreaker.${name}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse: the page works without.
  }
}

// Limits on what a stranger may have made: the characters of a link, and of a text in it or pasted; moves of a game.
const LONGEST_LINK = 100000, LONGEST_TEXT = 500000, MOST_MOVES = 200;

// A state as an address's fragment, such as `game=mm-4-6&moves=1122*1B-0C`, and back; null for others.
const fragmentOf = (state) => new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

function stateOf(fragment) {
  const text = fragment.replace(/^#/, "");
  return /^(game|tree)=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null;
}

const linkOf = (state) => `${location.href.split("#")[0]}#${fragmentOf(state)}`;

function putFragment(state) {
  history.replaceState(null, "", `#${fragmentOf(state)}`);
}

// Throws a RangeError for a text that is too long to be read, before anything is done with it.
function checkLength(text, most) {
  const count = (number) => number.toLocaleString("en");
  if (text.length > most) throw new RangeError(`it has ${count(text.length)} characters, and this page reads at most ${count(most)}.`);
}

// Moves as text, such as `1122*1B-0C_3344*0B-2C`; a RangeError names a wrong one.
const writeMoves = (game, moves) => moves.map(({ guess, id }) => `${game.guesses[guess]}*${game.feedback[id]}`).join("_");

function readMoves(game, text) {
  if (!text) return [];
  const moves = text.split("_");
  if (moves.length > MOST_MOVES) throw new RangeError(`it has ${moves.length.toLocaleString("en")} moves, and this page shows at most ${MOST_MOVES}.`);
  return moves.map((move, i) => {
    const [guess, label] = move.split("*"), found = { guess: game.indexOf.get(guess), id: game.idOf.get(label) };
    if (found.guess === undefined || found.id === undefined) throw new RangeError(`move ${i + 1}, '${move.slice(0, 40)}', is not one of ${game.title}.`);
    return found;
  });
}

// A text compressed for a link, and back; a RangeError says that it can't be read.
async function squeezed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unsqueezed(text) {
  const parts = [];
  let size = 0;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let part = await reader.read(); !part.done && size <= LONGEST_TEXT; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
    }
    if (size > LONGEST_TEXT) reader.cancel().catch(() => {});
  } catch {
    throw new RangeError("its words can't be read.");
  }
  if (size > LONGEST_TEXT) throw new RangeError(`its words have more than ${LONGEST_TEXT.toLocaleString("en")} characters.`);
  return new Blob(parts).text();
}

// A secret's number, scrambled so that a link doesn't show it.
const veil = (game, secret) => ((game.allSecrets.indexOf(secret) * 7 + 5) % prime(game)).toString(36);

function unveil(game, text) {
  const p = prime(game);
  for (let i = 0; i < game.allSecrets.length; i++) if (((i * 7 + 5) % p).toString(36) === text) return game.allSecrets[i];
  throw new RangeError("its hidden secret is not one of this game.");
}

// The first prime from the number of secrets on, above 7.
function prime(game) {
  for (let p = Math.max(11, game.allSecrets.length); ; p++) {
    let d = 2;
    while (d * d <= p && p % d) d++;
    if (d * d > p) return p;
  }
}
