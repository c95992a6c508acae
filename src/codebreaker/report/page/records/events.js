// A game is a list of events. Board, review, statistics, streak and links are computed from it (docs/decisions/0035).
// Codes and answers are texts here: an event can be read without the codes of its game.
import { isObjectOf, isPlain, isText } from "./checks.js";

/**
 * An event of a game. The first one, of kind `start`, has what the game is; the others have what their kind needs.
 * @typedef {{ kind: string } & Record<string, any>} GameEvent
 *
 * @typedef {{ id: string, events: GameEvent[] }} GameRecord
 *
 * A move with its guess and answer as texts.
 * @typedef {{ guess: string, answer: string }} TextMove
 *
 * The state of a game after its events.
 * @typedef {object} State
 * @property {string} kind
 * @property {string} player
 * @property {string} origin
 * @property {string} game
 * @property {string} mode
 * @property {string} rule
 * @property {string} key
 * @property {string} day
 * @property {string} source
 * @property {number} [given]
 * @property {string} friend
 * @property {string} list
 * @property {string} solvedBy
 * @property {string} [puzzle]
 * @property {string} [best]
 * @property {TextMove[]} moves
 * @property {TextMove[]} asked
 * @property {number} takenBack
 * @property {number} hints
 * @property {string | null} chosen
 * @property {boolean} isSolved
 * @property {boolean} hasGivenUp
 * @property {boolean} isOver
 * @property {number | null} lost
 * @property {number} changes
 *
 * A finished game as the statistics count it.
 * @typedef {object} Result
 * @property {string} id
 * @property {string} game
 * @property {string} list
 * @property {string} day
 * @property {boolean} isSolved
 * @property {number} hints
 * @property {number} takenBack
 * @property {number | null} lost
 * @property {number} guesses
 *
 * @typedef {object} Statistics
 * @property {number} finished
 * @property {number} solved
 * @property {number | null} guesses
 * @property {number | null} score
 * @property {number} withHints
 * @property {Map<number, number>} byGuesses
 */

const MOST_EVENTS = 2000;
const PLAYERS = ["me", "other"];
const ORIGINS = ["new", "daily", "challenge", "link", "pasted", "puzzle"];
export const MODES = ["hidden", "mine", "devious"];
const MOST_HINTS = 4;

// What each kind of event does to the state.
/** @type {Record<string, (state: State, event: any) => void>} */
const STEPS = {
  move(state, { guess, answer }) {
    const move = { guess, answer };
    state.moves.push(move);
    state.asked.push(move);
    state.chosen = null;
    if (isHidden(state) && answer === state.solvedBy) {
      state.isSolved = true;
      state.isOver = true;
    }
    // A puzzle has one guess after the moves that it came with.
    if (state.puzzle && state.moves.length > Number(state.given)) state.isOver = true;
  },
  undo(state) {
    const move = state.moves.pop();
    state.chosen = null;
    // The answer of a hidden secret is known from now on: the guess counts although it left the board.
    if (isHidden(state)) state.takenBack += 1;
    else if (move) state.asked.splice(state.asked.indexOf(move), 1);
  },
  correct(state, { number, answer }) {
    const old = state.moves[number];
    const corrected = { guess: old.guess, answer };
    state.moves[number] = corrected;
    state.asked[state.asked.indexOf(old)] = corrected;
    state.chosen = null;
  },
  hint(state) {
    state.hints += 1;
  },
  choose(state, { guess }) {
    state.chosen = guess || null;
  },
  rule(state, { rule }) {
    state.rule = rule;
  },
  "give-up"(state) {
    state.hasGivenUp = true;
    state.isOver = true;
  },
  reviewed(state, { lost }) {
    state.lost = lost;
  },
};

// The kinds of events after which the guess that is being typed is cleared.
const CHANGES_OF_BOARD = ["move", "undo", "correct", "give-up"];

/** @type {(state: { mode: string }) => boolean} */
const isHidden = (state) => state.mode === "hidden";

// Whether an event may follow a state; others are ignored.
/** @type {(state: State, event: GameEvent) => boolean} */
export function mayFollow(state, event) {
  const { kind } = event;
  if (kind === "reviewed") return state.isOver && state.lost === null;
  if (kind === "rule") return true;
  if (state.isOver) return false;
  if (kind === "undo") return state.moves.length > 0 && !state.puzzle;
  if (kind === "correct") return state.mode === "mine" && event.number in state.moves;
  if (kind === "choose") return state.mode === "mine";
  if (kind === "give-up") return isHidden(state);
  if (kind === "hint") return state.hints < MOST_HINTS && !state.puzzle;
  return kind === "move";
}

// The state of a game after its events; the first one is its start.
/** @type {(events: GameEvent[]) => State} */
export function replay(events) {
  const [start, ...later] = events;
  /** @type {State} */
  const state = {
    .../** @type {any} */ (start),
    moves: [],
    asked: [],
    takenBack: 0,
    hints: 0,
    chosen: null,
    isSolved: false,
    hasGivenUp: false,
    isOver: false,
    lost: null,
    changes: 0,
  };
  for (const event of later) {
    if (!mayFollow(state, event)) continue;
    STEPS[event.kind](state, event);
    if (CHANGES_OF_BOARD.includes(event.kind)) state.changes += 1;
  }
  return state;
}

// Whether a record is a game of mine that has begun and has not ended. Where no secret is hidden, the winning answer is
// the end.
/** @type {(record: GameRecord) => boolean} */
export function isUnfinished({ events }) {
  const state = replay(events);
  const isBegun = state.asked.length > 0 && !state.isOver && state.moves.at(-1)?.answer !== state.solvedBy;
  return isBegun && !state.puzzle && state.player === "me";
}

// A finished game as the statistics count it, or null. Games of others and games without a hidden secret do not count.
/** @type {(record: GameRecord) => Result | null} */
export function resultOf({ id, events }) {
  const state = replay(events);
  if (state.player !== "me" || !isHidden(state) || !state.isOver || state.puzzle) return null;
  const { game, list, day, isSolved, hints, takenBack, lost } = state;
  return { id, game, list, day, isSolved, hints, takenBack, lost, guesses: state.asked.length };
}

// A finished puzzle: its day, and whether the guess was the right one; null for other records.
/** @type {(record: GameRecord) => { day: string, isSolved: boolean } | null} */
export function puzzleResultOf({ events }) {
  const state = replay(events);
  if (state.player !== "me" || !state.puzzle || !state.isOver) return null;
  return { day: state.puzzle, isSolved: !state.hasGivenUp && state.asked.at(-1)?.guess === state.best };
}

// The results of all records, each game once.
/** @type {(records: GameRecord[]) => Result[]} */
export function resultsOf(records) {
  const byId = new Map();
  for (const record of records) {
    const result = resultOf(record);
    if (result) byId.set(record.id, result);
  }
  return [...byId.values()];
}

// The statistics of results of one game; means are null if there is nothing to take them of.
/** @type {(results: Result[]) => Statistics} */
export function statisticsOf(results) {
  const solved = results.filter((result) => result.isSolved);
  const rated = solved.filter((result) => result.lost !== null);
  /** @type {(values: number[]) => number | null} */
  const mean = (values) => values.length === 0 ? null : values.reduce((sum, value) => sum + value) / values.length;
  const byGuesses = new Map();
  for (const { guesses } of solved) {
    const column = Math.min(guesses, SHOWN_TOGETHER);
    byGuesses.set(column, (byGuesses.get(column) ?? 0) + 1);
  }
  return {
    finished: results.length,
    solved: solved.length,
    guesses: mean(solved.map((result) => result.guesses)),
    score: mean(rated.map((result) => scoreOf(Number(result.lost), result.hints))),
    withHints: results.filter((result) => result.hints > 0).length,
    byGuesses,
  };
}

// Today, in UTC: the name of a code and of a puzzle.
/** @type {() => string} */
export const today = () => new Date().toISOString().slice(0, 10);

// The number of days in a row, up to `today` or the day before, with a solved code of the day.
/** @type {(results: { day: string, isSolved: boolean }[], today: string) => number} */
export function streakOf(results, today) {
  const days = new Set(results.filter((result) => result.day && result.isSolved).map((result) => result.day));
  const day = new Date(`${today}T00:00:00Z`);
  const text = () => day.toISOString().slice(0, 10);
  const stepBack = () => day.setUTCDate(day.getUTCDate() - 1);
  if (!days.has(text())) stepBack();
  let streak = 0;
  while (days.has(text())) {
    streak += 1;
    stepBack();
  }
  return streak;
}

// Whether a stored value is a record: an id, and events that the page may have written.
/** @type {(value: any) => boolean} */
export function isRecord(value) {
  if (!isObjectOf(() => true)(value) || !isText(value.id) || !Array.isArray(value.events)) return false;
  const [start, ...later] = value.events;
  return isStart(start) && later.every(isLaterEvent) && later.length <= MOST_EVENTS;
}

/** @type {(event: any) => boolean} */
function isStart(event) {
  if (!isObjectOf(isPlain)(event) || event.kind !== "start") return false;
  const texts = [
    event.puzzle ?? "",
    event.best ?? "",
    event.game,
    event.rule,
    event.key,
    event.day,
    event.source,
    event.friend,
    event.list,
    event.solvedBy,
  ];
  return (
    PLAYERS.includes(event.player) &&
    ORIGINS.includes(event.origin) &&
    MODES.includes(event.mode) &&
    Number.isInteger(event.given ?? 0) &&
    texts.every(isText)
  );
}

/** @type {(event: any) => boolean} */
function isLaterEvent(event) {
  if (!isObjectOf(isPlain)(event) || !Object.hasOwn(STEPS, event.kind)) return false;
  if (event.kind === "move") return isText(event.guess) && isText(event.answer);
  if (event.kind === "correct") return Number.isInteger(event.number) && isText(event.answer);
  if (event.kind === "choose") return isText(event.guess);
  if (event.kind === "rule") return isText(event.rule);
  return event.kind !== "reviewed" || Number.isFinite(event.lost);
}

export const SHOWN_TOGETHER = 9; // and more guesses

// 100 for best play, and 50 if a quarter of a guess is lost. A player who always draws some code that fits all answers
// gets 52 on average in MM(4,6), over 1,614 games. Each hint takes a fifth of the score.
const LOST_AT_HALF = 0.25;

export const LEFT_BY_HINT = 0.8;
/** @type {(lost: number, hints?: number) => number} */
export const scoreOf = (lost, hints = 0) => (100 * LOST_AT_HALF * LEFT_BY_HINT ** hints) / (LOST_AT_HALF + lost);
