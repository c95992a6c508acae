// Games that this browser has finished, their statistics, and a code for each day.
const MOST_GAMES = 1000, SHOWN_TOGETHER = 9;

const today = () => new Date().toISOString().slice(0, 10);

const finished = () => kept("history") ?? [];

// Adds the game to the history once; `lost` may follow.
function noteGame(lost) {
  if (play.mode === "mine") return;
  const games = finished(), { game, moves, gaveUp } = play;
  if (!play.noted) {
    play.noted = `${Date.now()}`;
    games.push({ at: play.noted, day: today(), game: game.name, mode: play.mode, daily: play.day, guesses: moves.length, solved: !gaveUp, hints: play.rung, lost });
    remember();
  } else {
    const one = games.find(({ at }) => at === play.noted);
    if (!one || lost === null || one.lost !== null) return;  // another try after Undo counts no more
    one.lost = lost;
  }
  keep("history", games.slice(-MOST_GAMES));
}

// The secret of a day: FNV-1a of the date and the game's name.
function secretOf(game, day) {
  let hash = 2166136261;
  for (const letter of `${day} ${game.name}`) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return game.allSecrets[hash % game.allSecrets.length];
}

function playDaily() {
  const { game } = play, day = today(), done = finished().find((one) => one.daily === day && one.game === game.name);
  if (done) return (find("play-refused").textContent = `You have played today’s code of this game: ${done.solved ? `solved in ${several(done.guesses, "guess", "guesses")}` : "given up"}. The next one comes at midnight UTC.`);
  setMode("hidden");
  startGame({ day, hidden: secretOf(game, day) });
}

// The number of days in a row, up to today or yesterday, with a solved code of the day.
function streakOf(games) {
  const days = new Set(games.filter((one) => one.daily && one.solved).map((one) => one.daily)), day = new Date(`${today()}T00:00:00Z`);
  const text = () => day.toISOString().slice(0, 10), back = () => day.setUTCDate(day.getUTCDate() - 1);
  if (!days.has(text())) back();
  let streak = 0;
  for (; days.has(text()); back()) streak++;
  return streak;
}

function showHistory() {
  const { game } = play, all = finished(), games = all.filter((one) => one.game === game.name && one.mode === "hidden"), solved = games.filter((one) => one.solved);
  find("play-menu").open = false;
  find("play-history").hidden = false;
  const told = find("history-told");
  if (games.length === 0) return told.replaceChildren(make("p", { text: `This browser has no finished game of ${game.title} yet.` }));
  const mean = solved.reduce((sum, one) => sum + one.guesses, 0) / solved.length, rated = games.filter((one) => one.lost !== null);
  const best = Math.min(...game.strategies.filter((one) => one.nodes).map((one) => one.total)) / game.allSecrets.length;
  const facts = [["game", game.title], ["finished", games.length], ["solved", solved.length]];
  if (solved.length) facts.push(["guesses on average", `${mean.toFixed(2)}${Number.isFinite(best) ? `; the best tree here ${best.toFixed(2)}` : ""}`]);
  if (rated.length) facts.push(["score on average", Math.round(rated.reduce((sum, one) => sum + scoreOf(one.lost), 0) / rated.length)]);
  facts.push(["with hints", games.filter((one) => one.hints > 0).length], ["daily codes in a row", streakOf(all)]);
  const counts = new Map();
  for (const one of solved) counts.set(Math.min(one.guesses, SHOWN_TOGETHER), (counts.get(Math.min(one.guesses, SHOWN_TOGETHER)) ?? 0) + 1);
  const most = Math.max(1, ...counts.values()), list = make("dl", { class: "facts" });
  define(list, facts.map(([term, value]) => [term, String(value)]));
  told.replaceChildren(list, make("ol", { class: "tally", "aria-label": "Games by guesses" }, ...[...counts.keys()].sort((a, b) => a - b).map((n) => {
    const row = make("li", {}, make("span", { text: n === SHOWN_TOGETHER ? `${n}+` : String(n) }), make("i", { "aria-hidden": "true" }), make("span", { text: several(counts.get(n), "game") }));
    row.children[1].style.flexGrow = counts.get(n) / most;
    return row;
  })));
}

find("play-daily").addEventListener("click", () => ((find("play-menu").open = false), sure("Start today’s code? This game is lost.", "Start it", playDaily)));
find("play-stats").addEventListener("click", () => (showHistory(), find("play-history").scrollIntoView({ block: "nearest" })));
find("history-close").addEventListener("click", () => (find("play-history").hidden = true));
find("history-clear").addEventListener("click", () => (keep("history", []), showHistory()));
find("play-challenge").addEventListener("click", () => {
  find("play-menu").open = false;
  if (play.mode === "hidden" && play.hidden !== null) shareLink(true);
  else find("play-refused").textContent = "A challenge needs a secret that the page has hidden: choose Play.";
});
