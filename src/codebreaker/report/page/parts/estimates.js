// What the worker has found in games whose codes are not listed, by board: the same moves always give the same sample.
import { exactly, movesFor, ofAll } from "../engine/candidates.js";
import { fitsMoves } from "../engine/sampled.js";

/** @import { Candidates } from "../engine/candidates.js" */
/** @import { Move } from "../engine/game.js" */
/** @import { Repair } from "../engine/repairs.js" */
/** @import { SampledAdvice } from "../engine/sampled.js" */
/** @import { AnyGame, UnlistedGame } from "../engine/unlisted.js" */

const MOST_KEPT = 300; // boards

// What the worker has answered: see `ANSWERS` in worker.js.
/** @type {Map<string, Candidates>} */
export const estimates = new Map(); // candidates by board

/** @type {Map<string, SampledAdvice | null>} */
export const advices = new Map(); // by board and rule of guesses; null if there are no candidates
/** @type {Map<string, Repair[]>} */
export const repairs = new Map(); // by board

// Keeps the last MOST_KEPT entries.
/** @type {<T>(map: Map<string, T>, name: string, value: T) => void} */
export function store(map, name, value) {
  map.delete(name);
  map.set(name, value);
  for (const first of map.keys()) if (map.size > MOST_KEPT) map.delete(first);
}

// The name of a board: its key in the maps above, and what the seed of its samples follows from.
/** @type {(game: AnyGame, moves: Move[]) => string} */
export const boardName = (game, moves) =>
  [game.name, ...moves.map(({ guess, id }) => `${game.guesses[guess]}*${game.feedback[id]}`)].join(" ");

// The candidates before each move and after the last one, as far as they are known.
/** @type {(game: UnlistedGame, moves: Move[]) => (Candidates | null)[]} */
export const estimatesAlong = (game, moves) =>
  Array.from({ length: moves.length + 1 }, (_, n) => estimateOf(game, moves.slice(0, n)));

// The candidates after moves; null if they are not known. Before the first move and after the winning one they need no
// worker.
/** @type {(game: UnlistedGame, moves: Move[]) => Candidates | null} */
export function estimateOf(game, moves) {
  const known = estimates.get(boardName(game, moves)) ?? null;
  const last = moves.at(-1);
  if (!last) return known ?? { codes: [], heldOut: [], isAll: false, number: exactly(game.numberOfSecrets) };
  if (known || last.id !== game.solved) return known;
  const code = game.codeOf(last.guess);
  return ofAll(fitsMoves(game, movesFor(game, moves), code) ? [code] : []);
}

// Who is told that the worker has found something.
let onFound = () => {};

/** @type {(listener: () => void) => void} */
export function watchEstimates(listener) {
  onFound = listener;
}

/** @type {() => void} */
export const tellFound = () => onFound();
