// A tree of a stranger's file, which is believed in nothing: every secret of the game is played through it.
import { MOST_TURNS } from "./limits.js";

/** @import { Game, Members } from "./game.js" */

/**
 * A place in the file's tree: what stands there, the secrets that reach it, and how they do.
 * @typedef {{ value: any, members: Members, above: Place | null, step: string, turn: number }} Place
 *
 * The guesses at all nodes, as `Tree` reads them, and the figures that the file states; or why the tree is none of the
 * game.
 * @typedef {{ choices: number[], stated: { total?: unknown, most?: unknown } } | { fault: string }} Loaded
 */

const MOST_STEPS_TOLD = 6;
const LONGEST_QUOTED = 40;

/** @type {(text: unknown) => string} */
const quotedText = (text) => `'${String(text).slice(0, LONGEST_QUOTED)}'`;

// JSON gives objects of its own keys alone: only those are looked up, whatever their names are.
/** @type {(value: any, key: string) => any} */
const ownValue = (value, key) => isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** @type {(value: any) => boolean} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Reads `{"game": ..., "tree": {"guess": ..., "after": {feedback: tree}}}`, or the tree alone, and plays all secrets at
// once: a guess parts the secrets that reach it by their answers, and each part must have a branch, each branch a part.
/** @type {(game: Game, name: string, text: string) => Loaded} */
export function loadTree(game, name, text) {
  let data = /** @type {any} */ (null);
  try {
    data = JSON.parse(text);
  } catch {
    return { fault: "the file is not JSON." };
  }
  const isAlone = ownValue(data, "game") === undefined && ownValue(data, "guess") !== undefined;
  const named = isAlone ? name : ownValue(data, "game");
  if (typeof named !== "string") return { fault: "the file has no text 'game' that names its game." };
  if (named !== name) {
    return { fault: `the file is of the game ${quotedText(named)}, and the explorer shows '${name}'.` };
  }
  const root = {
    value: isAlone ? data : ownValue(data, "tree"),
    members: game.allSecrets,
    above: null,
    step: "",
    turn: 1,
  };
  const places = /** @type {Place[]} */ ([root]);
  const choices = [];
  for (const place of places) {
    const label = ownValue(place.value, "guess");
    const guess = typeof label === "string" ? game.indexOf.get(label) : undefined;
    const fault = faultOfNode(place, label, guess);
    if (fault !== "" || guess === undefined) return { fault: `${placeWords(place)} ${fault}` };
    choices.push(guess);
    const after = ownValue(place.value, "after") ?? {};
    const cells = game.cellsOf(guess, place.members).sort((a, b) => a[0] - b[0]);
    const answers = new Set(cells.map(([id]) => game.feedback[id]));
    const idle = Object.keys(after).find((answer) => !answers.has(answer));
    if (idle !== undefined) {
      return {
        fault: `${placeWords(place)} ${label} has a branch ${quotedText(idle)}, which no secret that is left takes.`,
      };
    }
    for (const [id, members] of cells) {
      const answer = game.feedback[id];
      if (!Object.hasOwn(after, answer)) {
        const secret = game.guesses[members[0]];
        return {
          fault: `${placeWords(place)} ${label} has no branch '${answer}', so the secret ${secret} is not found.`,
        };
      }
      places.push({ value: after[answer], members, above: place, step: `${label} ${answer}`, turn: place.turn + 1 });
    }
  }
  return { choices, stated: { total: ownValue(data, "total_guesses"), most: ownValue(data, "max_guesses") } };
}

// What is wrong with a node itself, or an empty text.
/** @type {(place: Place, label: unknown, guess: number | undefined) => string} */
function faultOfNode({ value, turn }, label, guess) {
  if (label === undefined) return "there is no 'guess'.";
  if (guess === undefined) return `${quotedText(label)} is not a guess of the game.`;
  const after = ownValue(value, "after");
  if (after !== undefined && !isObject(after)) return "'after' is not an object.";
  return turn > MOST_TURNS ? `the tree goes on beyond ${MOST_TURNS} guesses.` : "";
}

// How a place is reached; of a long way the last steps.
/** @type {(place: Place) => string} */
function placeWords(place) {
  const steps = [];
  for (let at = /** @type {Place | null} */ (place); at?.above; at = at.above) steps.unshift(at.step);
  if (steps.length === 0) return "at the first guess,";
  return `after ${steps.length > MOST_STEPS_TOLD ? "… " : ""}${steps.slice(-MOST_STEPS_TOLD).join(", ")}:`;
}
