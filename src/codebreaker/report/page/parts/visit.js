// Opening the page, its links and the games of earlier visits.
import { hashOf } from "../engine/random.js";
import { isUnfinished, MODES, replay } from "../records/events.js";
import {
  checkLength,
  fragmentOf,
  LONGEST_LINK,
  putFragment,
  readEvents,
  stateOf,
  unsqueezed,
  unveil,
  writeMoves,
} from "../records/links.js";
import {
  allRecords,
  dropEarlierVersions,
  dropRecord,
  keep,
  kept,
  newId,
  news,
  recordOf,
  startAfresh,
} from "../records/storage.js";
import { lend, lent, openGame, ownText } from "./catalogue.js";
import { find, make } from "./elements.js";
import { exploreGame, explorerState, hasLink, isOfGame, openTreeOf } from "./explorer.js";
import { say } from "./messages.js";
import { begin, lendStrategy, modeFor, NAMELESS, openRecord, play, playState, ruleOf } from "./play.js";
import { openView, projectorState } from "./projector.js";
import { LONGEST_NAME } from "./share.js";

/** @import { Link } from "../records/links.js" */
/** @import { GameRecord, State } from "../records/events.js" */
/** @import { Settings } from "./play.js" */

let isRestored = false;

/** @type {() => void} */
export function remember() {
  if (!isRestored) return;
  if (play.game.name === "words-own") keep("lent", ownText());
  putFragment(boardState());
}

// The board with its view, as the address has it.
const boardState = () => ({ ...playState(), ...projectorState() });

/** @type {() => void} */
export function rememberExplorer() {
  if (!isRestored) return;
  if (isOfGame()) keep("explorer", explorerState());
  putFragment(treeState());
}

// The explorer as the address has it; the board while it shows a tree without a link.
const treeState = () => hasLink() ? explorerState() : boardState();

// Opens the game of a link: my record of it, if there is one, otherwise a new record. `isOwn`: the page wrote the link.
// Throws a RangeError that names what is wrong with the link.
/** @type {(link: Link, isOwn: boolean) => Promise<void>} */
async function openGameOf(link, isOwn) {
  const { game: name, mode = "hidden", moves = "", key, id = "", words, strategy, opening = "" } = link;
  if (!MODES.includes(mode)) throw new RangeError(`this page can't play '${mode.slice(0, 20)}'.`);
  if (words) lend(await unsqueezed(words));
  const mine = recordOfLink(link, isOwn);
  if (mine) {
    if (strategy) lendStrategy(mine.id, strategy, opening);
    return openRecord(mine, messageOn(mine, link));
  }
  const game = await openGame(name);
  if (modeFor(game, mode) !== mode) throw new RangeError("its size has too many codes for a devious codemaker.");
  const later = readEvents(game, link);
  if (link.over === "1" && key) later.push({ kind: "give-up" });
  const isHiddenGame = mode === "hidden" && Boolean(key);
  const isNew = !isHiddenGame && mode === "hidden";
  const isChallenge = isHiddenGame && Boolean(link.friend) && later.length === 0;
  const isMine = isNew || isChallenge || isOwn;
  // Another game may be stored under the link's name: then this one gets another name.
  const isFree = ID.test(id) && (isOwn || recordOf(id) === null);
  /** @type {Settings} */
  const settings = { mode, rule: ruleOf(link), id: isFree && !isChallenge ? id : newId() };
  if (strategy && settings.id) lendStrategy(settings.id, strategy, opening);
  if (isNew) return begin(game, settings);
  settings.player = isMine ? "me" : "other";
  settings.day = link.day ?? "";
  settings.origin = isChallenge ? "challenge" : isOwn && link.day ? "daily" : "link";
  settings.source = ID.test(id) ? id : "";
  settings.given = moves === "" ? 0 : moves.split("_").length;
  settings.friend = isChallenge && link.friend !== NAMELESS ? link.friend.slice(0, LONGEST_NAME) : "";
  if (isHiddenGame) settings.secret = unveil(game, key);
  begin(game, settings, later);
}

const ID = /^[\w-]{1,40}$/; // of a game, as links may have it

// My record of the game that a link shows, or of the challenge that it is; null if none shows what the link shows.
/** @type {(link: Link, isOwn: boolean) => GameRecord | null} */
function recordOfLink(link, isOwn) {
  if (!ID.test(link.id ?? "")) return null;
  /** @type {(record: GameRecord | null) => boolean} */
  const isOfLink = (record) =>
    record !== null && [record.id, record.events[0].source].includes(link.id) && shows(record, link, isOwn);
  const first = recordOf(link.id);
  return isOfLink(first) ? first : (allRecords().find(isOfLink) ?? null);
}

// Whether a record is of the game of a link, and its moves begin with the link's. Guesses at a hidden secret also count
// if they were taken back: their answers are the same. A record that came with more moves than the link shows another
// position, unless it is the page's own link after moves were taken back.
/** @type {(record: GameRecord, link: Link, isOwn: boolean) => boolean} */
function shows(record, { game, mode = "hidden", key = "", moves = "", back = "", hints = "", over, words }, isOwn) {
  const [start] = record.events;
  const state = replay(record.events);
  const isSameGame = start.game === game && start.mode === mode && start.key === key;
  if (!isSameGame || (words && start.list !== hashOf(ownText()).toString(36))) return false;
  if (over === "1" && !state.hasGivenUp) return false;
  // Links of earlier versions lack what made the game easier: a record that has it shows them, and not the reverse.
  if (state.hints < Number(hints) || state.takenBack < (back === "" ? 0 : back.split("_").length)) return false;
  const isEarlier = (start.given ?? 0) > (moves === "" ? 0 : moves.split("_").length);
  if (isEarlier && !isOwn) return false;
  const asked = state.asked.map((move) => writeMoves([move]));
  const isAsked = mode === "hidden" && moves.split("_").every((move) => asked.includes(move));
  return beginsWith(state, moves) || isAsked;
}

/** @type {(state: State, moves: string) => boolean} */
const beginsWith = (state, moves) => moves === "" || `${writeMoves(state.moves)}_`.startsWith(`${moves}_`);

// What is to be said if a record doesn't look like its link.
/** @type {(record: GameRecord, link: Link) => string} */
function messageOn(record, { friend, moves = "" }) {
  if (!beginsWith(replay(record.events), moves)) {
    return "You have taken back guesses that this link shows: here is the game as you left it.";
  }
  return friend ? "You have opened this challenge before: here it is as you left it." : "";
}

// Opens a link, and returns whether that was possible; otherwise a line says why not. `isOwn`: the page wrote it.
/** @type {(link: Link, isOwn?: boolean) => Promise<boolean>} */
export async function openLink(link, isOwn = false) {
  const words = lent;
  try {
    checkLength(`#${fragmentOf(link)}`, LONGEST_LINK);
    if ("tree" in link) await openTreeOf(link);
    else {
      const before = play.record ?? recordOf(kept("current") ?? "");
      await openGameOf(link, isOwn);
      openView(link);
      remember();
      if (before && before.id !== play.record.id && isUnfinished(before)) offerToGoOn(before);
    }
    return true;
  } catch (error) {
    lend(words);
    say(
      `This link can't be opened: ${error instanceof RangeError ? error.message : "it is not one of this page."}`,
    );
    return false;
  }
}

// Says that a game which a link replaced on the board is kept, with a button to go on with it.
/** @type {(record: GameRecord) => void} */
function offerToGoOn(record) {
  const goOn = () => openRecord(record).catch((error) => say(error.message));
  const button = make("button", { type: "button", text: "Go on with my game", onclick: goOn });
  find("play-refused").append(" Your unfinished game is kept, here and in My statistics. ", button);
}

// Opens the game of the last visit, or begins one.
/** @type {(message: string) => Promise<void>} */
async function openLast(message) {
  const record = recordOf(kept("current") ?? "");
  if (record) {
    try {
      return await openRecord(record, message);
    } catch {
      dropRecord(record.id);
      startAfresh("current");
    }
  }
  begin(await openGame(find("explorer-game").value), {}, [], message || news);
}

async function openLastTree() {
  const state = kept("explorer");
  if (state) {
    try {
      return await openTreeOf(state);
    } catch {
      startAfresh("explorer");
    }
  }
  await exploreGame(find("explorer-game").value);
}

/** @type {() => Promise<void>} */
export async function openPage() {
  const link = stateOf(location.hash);
  const isTree = link !== null && "tree" in link;
  dropEarlierVersions();
  const isTreeOpen = isTree && (await openLink(link));
  if (!isTreeOpen) await openLastTree();
  const isOwn = history.state?.isOwn === true;
  const isGameOpen = link !== null && !isTree && (await openLink(link, isOwn));
  if (!isGameOpen) await openLast(find("play-refused").textContent);
  if (news) say(news);
  isRestored = true;
  if (isTreeOpen) find("explorer").scrollIntoView();
  // The board has grown since the browser looked for the section that the address names.
  else if (link === null && location.hash.length > 1) {
    find(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
  }
  document.documentElement.dataset.state = "ready";
}

// Back and Forward go through entries that the page wrote: the game stays as it is. Other fragments are links.
addEventListener("hashchange", () => {
  const link = stateOf(location.hash);
  if (!link) return;
  if (!history.state?.isOwn) openLink(link);
  else putFragment("tree" in link ? treeState() : boardState());
});
