// What outlives a visit: settings and the game in local storage, and a link to the game in the page's address.
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`codebreaker.${name}`));
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`codebreaker.${name}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse: the page works without.
  }
}

// A state of texts as an address's fragment, such as `game=mm-4-6&moves=1122*1B-0C`, and back; null for other fragments.
const fragmentOf = (state) => new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

function stateOf(fragment) {
  const text = fragment.replace(/^#/, "");
  return /^(game|tree)=/.test(text) && text.length < 4000 ? Object.fromEntries(new URLSearchParams(text)) : null;
}

const linkOf = (state) => `${location.href.split("#")[0]}#${fragmentOf(state)}`;

function putFragment(state) {
  history.replaceState(null, "", `#${fragmentOf(state)}`);
}

// Moves as text, such as `1122*1B-0C_3344*0B-2C`; a RangeError says which of them the game doesn't have.
const writeMoves = (game, moves) => moves.map(({ guess, id }) => `${game.guesses[guess]}*${game.feedback[id]}`).join("_");

function readMoves(game, text) {
  if (!text) return [];
  return text.split("_").map((move, i) => {
    const [guess, label] = move.split("*"), found = { guess: game.indexOf.get(guess), id: game.idOf.get(label) };
    if (found.guess === undefined || found.id === undefined) throw new RangeError(`the link's move ${i + 1}, '${move.slice(0, 40)}', is not one of ${game.title}.`);
    return found;
  });
}

// A secret's number, scrambled so that a link doesn't show it.
const veil = (game, secret) => ((game.allSecrets.indexOf(secret) * 7 + 5) % prime(game)).toString(36);

function unveil(game, text) {
  const p = prime(game), number = parseInt(text, 36);
  for (let i = 0; i < game.allSecrets.length; i++) if ((i * 7 + 5) % p === number) return game.allSecrets[i];
  throw new RangeError("the link's hidden secret is none of this game.");
}

// The least prime from the number of secrets on, above 7.
function prime(game) {
  for (let p = Math.max(11, game.allSecrets.length); ; p++) {
    let d = 2;
    while (d * d <= p && p % d) d++;
    if (d * d > p) return p;
  }
}
