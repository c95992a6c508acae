// The game on the board: its record, the state after its events, and the position, which knows the codes of the game.
// `opening` is the text of the guesses that the player fixes for the advice. Only this file changes it; what shows it
// is given by `watchPlay`.
import { deviousAnswer } from "../engine/devious.js";
import { Game } from "../engine/game.js";
import { hashOf } from "../engine/random.js";
import { mayFollow, replay } from "../records/events.js";
import { veil, writeAids, writeMoves } from "../records/links.js";
import { dropOldRecords, dropRecord, keep, kept, newId, RECORD, recordOf, storeRecord } from "../records/storage.js";
import { lendList, openGame, ownText } from "./catalogue.js";
import { fillStrategies } from "./choices.js";
import { find } from "./elements.js";
import { say } from "./messages.js";
import { positionOf } from "./position.js";

/** @import { Strategy } from "../engine/tree.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { Position } from "./position.js" */
/** @import { GameEvent, GameRecord, State } from "../records/events.js" */
/** @import { Link } from "../records/links.js" */

/**
 * The game on the board: all is there from the first game on. `game` may be an `UnlistedGame`, if `isListed` is false.
 * @typedef {object} Play
 * @property {Game} game
 * @property {Strategy} strategy
 * @property {string} opening
 * @property {GameRecord} record
 * @property {State} state
 * @property {Position} position
 *
 * What differs from a new game of mine.
 * @typedef {object} Settings
 * @property {string} [id]
 * @property {number} [secret]
 * @property {string} [mode]
 * @property {string} [rule]
 * @property {string} [player]
 * @property {string} [origin]
 * @property {string} [day]
 * @property {string} [source]
 * @property {number} [given]
 * @property {string} [friend]
 * @property {string} [puzzle]
 * @property {string} [best]
 */

export const play = /** @type {Play} */ (/** @type {unknown} */ ({
  game: null,
  strategy: null,
  opening: "",
  record: null,
  state: null,
  position: null,
}));

// The first event of a game; `settings` has what differs from a new game of mine.
/** @type {(game: AnyGame, settings: Settings) => GameEvent} */
export function startOf(game, settings) {
  const mode = settings.mode ?? modeFor(game, play.state?.mode ?? "hidden");
  const secret = settings.secret ?? game.drawSecret();
  const rule = settings.rule ?? ruleOf({ rule: kept("rule") ?? "any" });
  return {
    kind: "start",
    player: settings.player ?? "me",
    origin: settings.origin ?? "new",
    game: game.name,
    mode,
    rule: rule === "wordle" && game.family !== "marks" ? "any" : rule,
    key: mode === "hidden" ? veil(game, secret) : "",
    day: settings.day ?? "",
    source: settings.source ?? "",
    given: settings.given ?? 0, // moves on the board that came with a link
    friend: settings.friend ?? "",
    list: listOf(game),
    solvedBy: game.feedback[game.solved],
    puzzle: settings.puzzle ?? "", // the day of a puzzle, and the guess that it asks for
    best: settings.best ?? "",
  };
}

// The rule of guesses that a link or a setting names, if there is such a rule.
/** @type {(named: { rule?: string }) => string} */
export const ruleOf = ({ rule = "any" }) =>
  [...find("play-rule").options].some((option) => option.value === rule) ? rule : "any";

// The mode of a new game: a devious codemaker needs a list of the codes.
/** @type {(game: AnyGame, mode: string) => string} */
export const modeFor = (game, mode) => (mode === "devious" && !game.isListed ? "hidden" : mode);

export const NO_DEVIOUS = "This size has too many codes for a devious codemaker, who needs a list of them.";

// The name of the words of a game with the player's own words.
/** @type {(game: AnyGame) => string} */
export const listOf = (game) => (game.name === "words-own" ? hashOf(ownText()).toString(36) : "");

// The game in which each guess of a record is one. A secret elsewhere may be from another list, so words that the page's
// lists lack may have been guessed: they are added. A `game` that already has them is returned as it is.
/** @type {(game: AnyGame, state: State) => AnyGame} */
function withGuesses(game, state) {
  if (!(game instanceof Game)) return game;
  const listed = game.base ?? game;
  const asked = [...state.moves.map(({ guess }) => guess), state.chosen ?? ""];
  const added = state.mode === "mine" ? [...new Set(asked)].filter((label) => listed.mayAdd(label)).sort() : [];
  if (added.length === 0) return listed;
  return game.guesses.slice(listed.guesses.length).join() === added.join() ? game : listed.with(added);
}

// Begins a game; `later` are events after its start. Another game that has no move is dropped.
/** @type {(game: AnyGame, settings?: Settings, later?: GameEvent[], message?: string) => void} */
export function begin(game, settings = {}, later = [], message = "") {
  const record = { id: settings.id ?? newId(), events: [startOf(game, settings), ...later] };
  const state = replay(record.events);
  positionOf(withGuesses(game, state), state); // may throw, before anything has changed
  if (play.record?.events.length === 1 && play.state.origin !== "daily") dropRecord(play.record.id);
  storeRecord(record);
  dropOldRecords();
  put(game, record, message);
}

/** @type {(settings?: Settings) => void} */
export const startGame = (settings) => begin(play.game, settings);

// Opens a game that is stored; throws a RangeError if its words are not.
/** @type {(record: GameRecord, message?: string) => Promise<void>} */
export async function openRecord(record, message = "") {
  const { game: name, list } = record.events[0];
  if (name === "words-own") lendList(list);
  put(await openGame(name), record, message);
}

// Puts a record on the board.
/** @type {(openedGame: AnyGame, record: GameRecord, message: string) => void} */
function put(openedGame, record, message) {
  const state = replay(record.events);
  const game = withGuesses(openedGame, state);
  const position = positionOf(game, state);
  const isNew = play.game !== game;
  const isOther = play.record?.id !== record.id;
  Object.assign(play, { game, record, state, position });
  if (isNew) playViews.layTable(game);
  if (isNew || isOther) layStrategies(game, record.id);
  keep("current", record.id);
  say(message);
  showPlay();
}

// Adds an event to the game as it is stored: another tab may have added some.
/** @type {(event: GameEvent, message?: string) => void} */
export function append(event, message = "") {
  const { id } = play.record;
  const { events } = recordOf(id) ?? play.record;
  const record = { id, events: [...events, event] };
  storeRecord(record);
  put(play.game, record, message);
}

// Adds the review's result, which changes nothing on the board.
/** @type {(lost: number) => void} */
export function appendReview(lost) {
  const record = { ...play.record, events: [...play.record.events, { kind: "reviewed", lost }] };
  storeRecord(record);
  Object.assign(play, { record, state: replay(record.events) });
}

// What shows the game: `layTable` is called for another game on the board, and `showPlay` after each event.
let playViews = { layTable: (/** @type {AnyGame} */ _game) => {}, showPlay: () => {} };

/** @type {(watching: { layTable: (game: AnyGame) => void, showPlay: () => void }) => void} */
export function watchPlay(watching) {
  playViews = watching;
}

/** @type {() => void} */
export const showPlay = () => playViews.showPlay();

// Strategies and openings that links brought with them, by the record that they are for.
/** @type {Map<string, { strategy: string, opening: string }>} */
const lentStrategies = new Map();

// Lends a game a strategy and an opening, which hold for it alone.
/** @type {(id: string, strategy: string, opening: string) => void} */
export function lendStrategy(id, strategy, opening) {
  lentStrategies.set(id, { strategy, opening });
}

// The strategies of a game, with the one that is set for it, or that came with its link; and the opening in the same
// way.
/** @type {(game: AnyGame, id: string) => void} */
function layStrategies(game, id) {
  const lent = lentStrategies.get(id);
  const wanted = lent ? lent.strategy : kept("strategies")?.[game.name];
  play.strategy = fillStrategies(find("play-strategy"), game, wanted);
  play.opening = lent ? lent.opening : (kept("openings")?.[game.name] ?? "");
}

// Another strategy or opening of the player's own holds for later games, too.
/** @type {(strategy: Strategy) => void} */
export function setStrategy(strategy) {
  play.strategy = strategy;
  lentStrategies.delete(play.record.id);
  keep("strategies", { ...kept("strategies"), [play.game.name]: strategy.tree });
}

/** @type {(text: string) => void} */
export function setOpening(text) {
  play.opening = text;
  lentStrategies.delete(play.record.id);
  keep("openings", { ...kept("openings"), [play.game.name]: text });
}

// Finds the position again, when more of its candidates are known.
/** @type {() => void} */
export function findPosition() {
  play.position = positionOf(play.game, play.state);
}

// The player's moves, as the interface calls them.
/** @type {(guess: number, id: number) => void} */
export const playMove = (guess, id) =>
  append({ kind: "move", guess: play.game.guesses[guess], answer: play.game.feedback[id] });

/** @type {(guess: number) => void} */
export function playGuess(guess) {
  const { game, position } = play;
  playMove(
    guess,
    position.hidden === null
      ? deviousAnswer(game, guess, position.candidates.members)
      : game.feedbackOf(guess, position.hidden),
  );
}

/** @type {() => void} */
export function undo() {
  if (!mayFollow(play.state, { kind: "undo" })) return;
  append({ kind: "undo" });
}

// Another tab may have played on in the same game.
addEventListener("storage", ({ key }) => {
  const record = play.record && key === `codebreaker.${RECORD}${play.record.id}` ? recordOf(play.record.id) : null;
  if (record) put(play.game, record, "");
});

// The game as a link has it: what somebody else needs to see the same board.
/** @type {() => Link} */
export function playState() {
  const { game, strategy, opening, record, state } = play;
  return {
    game: game.name,
    id: record.id,
    mode: state.mode,
    rule: state.rule === "any" ? "" : state.rule,
    strategy: strategy.tree,
    opening,
    moves: writeMoves(state.moves),
    ...writeAids(state),
    key: state.key,
    over: state.hasGivenUp ? "1" : "",
    day: state.day,
    friend: state.origin === "challenge" ? state.friend || NAMELESS : "",
  };
}

export const NAMELESS = "1"; // a friend in links

// Asks before a game that has begun is left.
/** @type {(text: string, yes: string, then: () => void) => void} */
export function sure(text, yes, then) {
  const { position } = play;
  if (position.asked.length === 0 || position.isOver) return then();
  find("sure-text").textContent = text;
  find("sure-yes").textContent = yes;
  find("sure-yes").onclick = () => {
    find("sure").close();
    then();
  };
  find("sure").showModal();
}

find("sure-no").addEventListener("click", () => find("sure").close());
