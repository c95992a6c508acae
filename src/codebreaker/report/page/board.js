// The board: a game against a hidden secret, one elsewhere, or a devious codemaker.
const play = {
  game: null, strategy: null, mode: "hidden", rule: "any", hidden: null, moves: [], gaveUp: false,
  editing: false, rung: 0, day: "", friend: "", noted: "",
};

const ROWS = { marks: 6, matches: 6, pegs: 6 }, MANY_ROWS = 7, FEW_ROWS = 4;

// The candidates before each move and after the last one, and how the game stands.
function standing() {
  const { game, moves } = play, sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  const members = sets.at(-1), solved = moves.at(-1)?.id === game.solved && members.length > 0;
  return { sets, members, solved, contradicts: members.length === 0, over: solved || play.gaveUp || members.length === 0 };
}

// Starts a game; `settings` may have its secret, a day or a friend's name for it.
function startGame(settings = {}) {
  const { game, mode } = play, secret = () => game.allSecrets[Math.floor(Math.random() * game.allSecrets.length)];
  Object.assign(play, { moves: [], gaveUp: false, editing: false, rung: 0, day: "", friend: "", noted: "", hidden: mode === "hidden" ? secret() : null }, settings);
  showPlay();
}

// Opens a game; throws a RangeError with the reason if the page has no such game.
async function setGame(name) {
  const game = await openGame(name);
  play.game = game;
  const select = find("play-game");
  if (![...select.options].some((one) => one.value === name)) select.lastElementChild.prepend(make("option", { value: name, text: game.title }));
  select.value = name;
  play.strategy = fillStrategies(find("play-strategy"), game);
  find("assistant").style.setProperty("--pegs", game.pegs);
  layPalette(game);
}

function playGuess(guess) {
  const { game, mode, hidden } = play;
  record(guess, mode === "hidden" ? game.feedbackOf(guess, hidden) : deviousAnswer(game, guess, standing().members));
}

// The answer that delays the player most: by minimum means if all parts are small, otherwise by size.
const LARGEST_COMPARED = 12;

function deviousAnswer(game, guess, members) {
  const cells = game.cellsOf(guess, members);
  if (cells.length === 0) return game.solved;
  const values = new Values(game), small = cells.every(([, cell]) => cell.length <= LARGEST_COMPARED);
  const found = small ? cells.map(([, cell]) => values.of(cell)) : [];
  const means = small && found.every((value) => value?.exact) ? found.map((value, i) => value.total / cells[i][1].length) : cells.map(() => 0);
  const order = [...cells.keys()].sort((a, b) => means[b] - means[a] || cells[b][1].length - cells[a][1].length || cells[a][0] - cells[b][0]);
  return cells[order[0]][0];
}

function record(guess, id) {
  play.moves.push({ guess, id });
  showPlay();
}

function showPlay() {
  const now = standing(), { game, moves, gaveUp, mode } = play, { sets, over } = now;
  forget("suggest");
  forget("review");
  find("assistant").dataset.mode = mode;
  find("assistant").dataset.game = game.name;
  find("play-rules").textContent = rulesOf(game);
  const rows = moves.map(({ guess, id }, i) => {
    const wrong = sets[i + 1].length === 0 && sets[i].length > 0, isTold = helps("count") || over;
    const left = sets[i + 1].length === 0 || id === game.solved ? "" : `${sets[i + 1].length.toLocaleString("en")} left`;
    const row = moveView(game, guess, id, wrong ? "contradicts" : isTold ? left : "");
    if (wrong) row.classList.add("wrong");
    return row;
  });
  if (gaveUp && play.hidden !== null) rows.push(make("li", { class: "secret" }, codeView(game, game.guesses[play.hidden]), make("small", { text: "the secret" })));
  if (!over) rows.push(make("li", { class: "now" }, slotsView(game)));
  const blanks = Math.max(0, (mode === "mine" ? FEW_ROWS : ROWS[game.family] ?? MANY_ROWS) - rows.length);
  for (let i = 0; i < blanks; i++) rows.push(make("li", { class: "blank", "aria-hidden": "true" }, make("span", { class: "code" }, ...Array.from({ length: game.pegs }, () => make("span", { class: game.spelled ? "letter empty" : "peg empty" }))), ...(pegsOf(game.feedback[0]) ? [make("span", { class: "feedback" }, ...Array.from({ length: game.pegs }, () => make("span", { class: "pin" })))] : [])));
  find("play-moves").replaceChildren(...rows);
  find("play-moves").scrollTop = find("play-moves").scrollHeight * (blanks === 0);
  find("play-undo").disabled = moves.length === 0 || gaveUp;
  find("play-reveal").hidden = mode !== "hidden" || over;
  find("play-hint").hidden = over;
  find("play-other").hidden = mode !== "mine" || over || play.editing;
  find("play-analyse").hidden = moves.length === 0 || now.contradicts;
  find("play-go").hidden = !over && mode === "mine" && !play.editing && game.family !== "marks";
  find("play-go").textContent = over ? "New game" : mode === "mine" ? "Play it" : "Guess";
  find("play-palette").hidden = over || (mode === "mine" && !play.editing) || hasText(game);
  find("play-text").hidden = !hasText(game) || over || (mode === "mine" && !play.editing);
  find("play-status").textContent = statusOf(now);
  find("play-review").hidden = find("play-share").hidden = true;
  showUsed(game, moves);
  setGuess("");
  showHelp(now);
  if (over && moves.length > 0 && !now.contradicts) showReview();
  remember();
}

// The answers that resolve a contradiction if one of them is changed, those that leave most candidates first.
function slipsOf(game, moves) {
  const found = [];
  moves.forEach(({ guess, id }, number) => {
    const counts = new Map();
    for (const secret of moves.reduce((left, one, i) => (i === number ? left : game.keep(left, one.guess, one.id)), game.allSecrets)) {
      const other = game.feedbackOf(guess, secret);
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    for (const [other, n] of counts) if (other !== id) found.push({ number, guess, other, n });
  });
  if (found.length === 0) return "More than one answer is wrong.";
  found.sort((a, b) => b.n - a.n || b.number - a.number || a.other - b.other);
  const told = found.slice(0, 3).map(({ guess, other, n }) => `${game.guesses[guess]} to ${feedbackWords(game, other)} (${several(n, "candidate")})`);
  return `If a single answer is wrong, change ${told.join(", or ")}.`;
}

function statusOf({ sets, members, solved, contradicts }) {
  const { game, moves, gaveUp, hidden, mode } = play;
  if (contradicts) {
    const at = sets.findIndex((set) => set.length === 0), { guess, id } = moves[at - 1];
    return `Contradiction at move ${at}: ${several(sets[at - 1].length, "candidate was", "candidates were")} left, and none of them gives ${game.guesses[guess]} the answer ${feedbackWords(game, id)}. ${slipsOf(game, moves.slice(0, at))} Undo this move or an earlier one, and enter it again.`;
  }
  if (solved) return `Solved in ${several(moves.length, "guess", "guesses")}: ${game.guesses[moves.at(-1).guess]}.`;
  if (gaveUp) return `You gave up after ${several(moves.length, "guess", "guesses")}: the secret was ${game.guesses[hidden]}.`;
  const left = helps("count") ? `: ${several(members.length, "candidate")} left` : "";
  if (mode === "mine" && !play.editing) return `Guess ${moves.length + 1}${left}. ${members.length === 1 ? "This is the secret." : game.family === "marks" ? "Play this word, then tap its letters to mark them." : "Play this, then tap the answer."}`;
  return `Guess ${moves.length + 1}${left}.`;
}

function rulesOf(game) {
  const n = game.allSecrets.length.toLocaleString("en"), what = game.spelled ? `one of ${n} ${game.family === "pegs" ? "texts" : "words"} of ${game.pegs} letters` : `a code of ${several(game.pegs, game.family === "bc" ? "symbol" : "peg")}, one of ${n}`;
  const who = play.friend ? `A friend has chosen ${what}.` : play.day ? `The code of ${play.day}: ${what}.` : { hidden: `The page has hidden ${what}.`, mine: `You play elsewhere: the secret is ${what}.`, devious: `Nobody has chosen a secret: the page answers so that you need many guesses for ${what}, and never contradicts itself.` }[play.mode];
  return `${who} ${{ marks: "Green: right letter, right place. Yellow: elsewhere.", matches: "The answer is how many letters are in place.", black: "Black peg: right colour, right place.", pegs: "Black peg: right letter, right place. White peg: right letter elsewhere.", bc: "Black peg (bull): right symbol, right place. White peg (cow): right symbol elsewhere." }[game.family] ?? "Black peg: right colour, right place. White peg: right colour elsewhere."}`;
}

function undo() {
  if (play.moves.length === 0 || play.gaveUp) return;
  play.moves.pop();
  showPlay();
}

// In a game whose secret is elsewhere: compose another guess than the one advised.
function editGuess() {
  play.editing = true;
  const { slots } = entry;
  showPlay();
  Object.assign(entry, { slots, at: 0 });
  showEntry();
}

function setMode(mode) {
  play.mode = mode;
  document.querySelector(`[name="play-mode"][value="${mode}"]`).checked = true;
}

// Asks before a game that has begun is ended.
function sure(text, yes, then) {
  if (play.moves.length === 0 || standing().over || play.mode === "mine") return then();
  find("sure-text").textContent = text;
  find("sure-yes").textContent = yes;
  find("sure-yes").onclick = () => (find("sure").close(), then());
  find("sure").showModal();
}

find("sure-no").addEventListener("click", () => find("sure").close());
find("play-undo").addEventListener("click", undo);
find("play-other").addEventListener("click", () => (editGuess(), setGuess("")));
find("play-new").addEventListener("click", () => sure("Start a new game? This one is lost.", "New game", startGame));
find("play-reveal").addEventListener("click", () => sure("Give up and see the secret?", "Give up", () => ((play.gaveUp = true), showPlay())));
find("play-analyse").addEventListener("click", () => ((find("play-menu").open = false), showReview()));
for (const input of document.querySelectorAll('[name="play-mode"]'))
  input.addEventListener("change", () => {
    setMode(play.mode);
    sure("Start another kind of game? This one is lost.", "Start it", () => (setMode(input.value), startGame()));
  });
for (const link of document.querySelectorAll("[data-play]")) link.addEventListener("click", () => (setMode(link.dataset.play), startGame()));
