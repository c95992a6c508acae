// Games that this browser has finished, their statistics, and a code for each day.
import { nounOf } from "../engine/naming.js";
import { hashOf } from "../engine/random.js";
import { several } from "../engine/words.js";
import {
  isUnfinished,
  puzzleResultOf,
  replay,
  resultOf,
  resultsOf,
  SHOWN_TOGETHER,
  statisticsOf,
  streakOf,
  today,
} from "../records/events.js";
import { allRecords, dropRecord, storedIds, storeRecord } from "../records/storage.js";
import { define, find, make } from "./elements.js";
import { closeMenu, say, showTask } from "./messages.js";
import { begin, listOf, openRecord, play, sure } from "./play.js";
import { shareLink } from "./share.js";

/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { Statistics } from "../records/events.js" */

// The secret of a day.
/** @type {(game: AnyGame, day: string) => number} */
const secretOf = (game, day) => game.secretBy(hashOf(`${day} ${game.name}`));

// Opens today's code where I left it, or begins it.
function playDaily() {
  const { game } = play;
  const day = today();
  const begun = allRecords().find(
    ({ events: [start] }) =>
      start.player === "me" && start.day === day && start.game === game.name && start.list === listOf(game),
  );
  if (!begun) return begin(game, { origin: "daily", day, mode: "hidden", secret: secretOf(game, day) });
  const result = resultOf(begun);
  const end = result?.isSolved ? `solved in ${several(result.guesses, "guess", "guesses")}` : "given up";
  openRecord(
    begun,
    result ? `You have played today’s ${nounOf(game)} of this game: ${end}. The next one comes at midnight UTC.` : "",
  );
}

// The number of days in a row with a puzzle that was solved.
/** @type {() => number} */
function puzzleStreak() {
  const results = allRecords().map(puzzleResultOf);
  return streakOf(results.flatMap((result) => (result ? [result] : [])), today());
}

function showHistory() {
  const { game } = play;
  const results = resultsOf(allRecords());
  const here = results.filter((result) => result.game === game.name && result.list === listOf(game));
  closeMenu();
  find("play-history").hidden = false;
  find("play-share").hidden = true;
  showUnfinished(game);
  const shown = find("history-told");
  if (here.length === 0) {
    const none = `This browser has no finished game of ${game.title} yet.`;
    return shown.replaceChildren(make("p", { text: none }));
  }
  const statistics = statisticsOf(here);
  const list = make("dl", { class: "facts" });
  define(list, factsOf(game, statistics, streakOf(results, today()), puzzleStreak()));
  const rules =
    "Games against a hidden secret count, each once. Guesses that you took back count, and games opened from a link " +
    "do not. A game that was given up has no score.";
  shown.replaceChildren(list, tallyView(statistics.byGuesses), make("p", { class: "hint", text: rules }));
}

// Games of mine that were left before their end, the newest first, to go on with.
const SHOWN_UNFINISHED = 5;

/** @type {(game: AnyGame) => void} */
function showUnfinished(game) {
  // Words of another list may be stored no more.
  const unfinished = allRecords().filter((record) =>
    ["", listOf(game)].includes(record.events[0].list) && isUnfinished(record) && record.id !== play.record.id
  );
  const buttons = unfinished
    .reverse()
    .slice(0, SHOWN_UNFINISHED)
    .map((record) => {
      const { mode, asked, game: name } = replay(record.events);
      const kind = { hidden: "", mine: "Solve mine, ", devious: "Devious, " }[mode];
      const title = [...find("play-game").options].find(({ value }) => value === name)?.text ?? name;
      const text = `${name === game.name ? "" : `${title}: `}${kind}${several(asked.length, "guess", "guesses")}`;
      return make("button", { type: "button", text, onclick: () => openRecord(record) });
    });
  find("history-unfinished").hidden = buttons.length === 0;
  find("history-unfinished").replaceChildren("Go on with a game that you left: ", ...buttons);
}

/** @type {(game: AnyGame, statistics: Statistics, streak: number, puzzles: number) => [string, string][]} */
function factsOf(game, { finished, solved, guesses, score, withHints }, streak, puzzles) {
  const totals = game.strategies.filter((strategy) => strategy.choices).map((strategy) => strategy.total);
  const best = totals.length > 0
    ? `; the best tree here ${(Math.min(...totals) / game.numberOfSecrets).toFixed(2)}`
    : "";
  const facts = /** @type {[string, string | number][]} */ ([
    ["game", game.title],
    ["finished", finished],
    ["solved", solved],
    ...(guesses === null ? [] : [["guesses on average", `${guesses.toFixed(2)}${best}`]]),
    ...(score === null ? [] : [["score on average", Math.round(score)]]),
    ["with hints", withHints],
    ["daily codes in a row", streak],
    ["daily puzzles in a row", puzzles],
  ]);
  return facts.map(([term, value]) => [term, String(value)]);
}

// Games by guesses, as bars.
/** @type {(byGuesses: Map<number, number>) => HTMLElement} */
function tallyView(byGuesses) {
  const most = Math.max(1, ...byGuesses.values());
  const rows = [...byGuesses.keys()]
    .sort((a, b) => a - b)
    .map((guesses) => {
      const bar = make("i", { "aria-hidden": "true" });
      const n = byGuesses.get(guesses) ?? 0;
      bar.style.flexGrow = String(n / most);
      const name = guesses === SHOWN_TOGETHER ? `${guesses}+` : String(guesses);
      return make(
        "li",
        {},
        make("span", { text: name }),
        bar,
        make("span", { text: several(n, "game") }),
      );
    });
  return make("ol", { class: "tally", "aria-label": "Games by guesses" }, ...rows);
}

// Forgets all games but the one on the board, which goes on unless it is over.
function forgetGames() {
  storedIds().forEach(dropRecord);
  if (!play.position.isOver) storeRecord(play.record);
  showHistory();
}

// What the code of the day is, before it is played: it is of the game on the board.
/** @type {(game: AnyGame) => string} */
export const dailyWords = (game) =>
  `${game.title}: a ${nounOf(game)} that is the same for everyone${
    listOf(game) ? " with this list" : ""
  }, and another one from midnight UTC on.`;

for (const id of ["play-daily", "start-daily"]) {
  find(id).addEventListener("click", () => {
    closeMenu();
    const question = `Start today’s ${nounOf(play.game)}? This game is left unfinished.`;
    sure(question, "Start it", async () => {
      await playDaily();
      showTask();
    });
  });
}

find("play-stats").addEventListener("click", () => {
  showHistory();
  find("play-history").scrollIntoView({ block: "nearest" });
});

find("history-close").addEventListener("click", () => (find("play-history").hidden = true));
find("history-clear").addEventListener("click", forgetGames);

find("play-challenge").addEventListener("click", () => {
  closeMenu();
  if (play.state.mode === "hidden") shareLink(true);
  else say("A challenge needs a secret that the page has hidden: choose Play.");
});
