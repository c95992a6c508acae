// The board: a game against a hidden secret, against one elsewhere, or against a devious codemaker.
const play = { game: null, strategy: null, mode: "hidden", hidden: null, moves: [], pending: null, gaveUp: false };

// The candidates before each move and after the last one, and how the game stands.
function standing() {
  const { game, moves } = play, sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  const members = sets.at(-1), solved = moves.at(-1)?.id === game.solved && members.length > 0;
  return { sets, members, solved, contradicts: members.length === 0, over: solved || play.gaveUp || members.length === 0 };
}

function startGame() {
  const { game, mode } = play;
  Object.assign(play, { moves: [], pending: null, gaveUp: false, hidden: mode === "hidden" ? game.allSecrets[Math.floor(Math.random() * game.allSecrets.length)] : null });
  setGuess("");
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
  layEntry();
}

function playGuess(guess) {
  const { game, mode, hidden } = play, { members } = standing();
  if (mode === "hidden") return record(guess, game.feedbackOf(guess, hidden));
  if (mode === "devious") return record(guess, deviousAnswer(game, guess, members));
  play.pending = guess;
  showPlay();
}

// The answer after which most guesses follow: by the least mean of each cell if all are small, otherwise by size; a right guess is confirmed last.
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
  play.pending = null;
  setGuess("");
  showPlay();
  if (!find("play-form").hidden) find("play-guess").focus({ preventScroll: true });
  else find("play-new").focus({ preventScroll: true });
}

function showPlay() {
  const now = standing(), { game, moves, pending, gaveUp } = play, { sets, members, over } = now;
  forget("suggest");
  forget("review");
  find("play-title").textContent = game.spelled ? "Find the word" : game.family === "bc" ? "Play Bulls and Cows" : "Play Mastermind";
  find("play-rules").textContent = rulesOf(game);
  const counts = helps("count") || over;
  find("play-moves").replaceChildren(
    ...moves.map(({ guess, id }, i) => {
      const wrong = sets[i + 1].length === 0 && sets[i].length > 0;
      const left = sets[i + 1].length === 0 ? "" : id === game.solved ? "solved" : `${sets[i + 1].length.toLocaleString("en")} left`;
      const view = moveView(game, guess, id, wrong ? "contradicts earlier moves" : counts ? left : "");
      if (wrong) view.classList.add("wrong");
      return view;
    }),
    ...(gaveUp && play.hidden !== null ? [make("li", { class: "next" }, codeView(game, game.guesses[play.hidden]), make("small", { text: "the secret" }))] : []),
  );
  find("play-undo").disabled = (moves.length === 0 && pending === null) || gaveUp;
  find("play-reveal").hidden = play.mode !== "hidden" || over;
  find("play-analyse").hidden = moves.length === 0 || now.contradicts;
  find("play-form").hidden = over || pending !== null;
  find("play-answer").hidden = pending === null;
  if (pending !== null && (answering.guess !== pending || answering.moves !== moves.length)) {
    askAnswer(game, pending, (id) => record(pending, id), (id) => noteOf(game, members, pending, id));
    answering.moves = moves.length;
  }
  if (pending === null) answering.guess = null;
  find("play-status").textContent = statusOf(now);
  showHelp(now);
  find("play-review").hidden = true;
  if (moves.length > 0 && over && !now.contradicts) showReview();
  remember();
}

function noteOf(game, members, guess, id) {
  const left = game.keep(members, guess, id).length;
  if (left === 0) return "No candidate gives this answer: check it, and the moves before it.";
  return helps("count") && id !== game.solved ? `${several(left, "candidate")} would be left.` : "";
}

// Which answers resolve a contradiction if they alone are changed, those that leave most candidates first.
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
  const { game, moves, gaveUp, hidden, pending } = play;
  if (contradicts) {
    const at = sets.findIndex((set) => set.length === 0), { guess, id } = moves[at - 1];
    return `Contradiction at move ${at}: ${several(sets[at - 1].length, "candidate was", "candidates were")} left, and none of them gives ${game.guesses[guess]} the feedback ${feedbackWords(game, id)}. ${slipsOf(game, moves.slice(0, at))} Undo this move or an earlier one, and enter it again.`;
  }
  if (solved) return `Solved with ${several(moves.length, "guess", "guesses")}: ${game.guesses[moves.at(-1).guess]}.`;
  if (gaveUp) return `You gave up after ${several(moves.length, "guess", "guesses")}: the secret was ${game.guesses[hidden]}.`;
  if (pending !== null) return `Guess ${moves.length + 1} is played.`;
  return `Guess ${moves.length + 1}${helps("count") ? `: ${several(members.length, "candidate")} left` : ""}.`;
}

function rulesOf(game) {
  const who = { hidden: "The page has hidden", mine: "You know", devious: "Nobody has chosen" }[play.mode];
  const n = game.allSecrets.length.toLocaleString("en");
  const what = game.spelled ? `one of ${n} words of ${game.pegs} letters` : `a code of ${several(game.pegs, "peg")}, one of ${n}`;
  const answer = game.family === "marks" ? "each letter of a guess is marked: in place, elsewhere, or not there"
    : game.family === "matches" ? "the answer to a guess is how many of its letters are in place"
    : game.family === "black" ? "a guess gets a black peg for each colour in its place" : "";
  const devious = play.mode === "devious" ? " The page answers each guess so that you need many more, and never contradicts itself." : "";
  return `${who} ${what}${answer && `: ${answer}`}.${devious}`;
}

function undo() {
  if (play.pending !== null) play.pending = null;
  else play.moves.pop();
  showPlay();
  if (!find("play-form").hidden) find("play-guess").focus({ preventScroll: true });
}

function setMode(mode) {
  play.mode = mode;
  document.querySelector(`[name="play-mode"][value="${mode}"]`).checked = true;
  loadHelps();
}

find("play-undo").addEventListener("click", undo);
find("play-new").addEventListener("click", () => (startGame(), find("play-guess").focus({ preventScroll: true })));
find("play-reveal").addEventListener("click", () => ((play.gaveUp = true), showPlay()));
find("play-analyse").addEventListener("click", showReview);
find("answer-cancel").addEventListener("click", undo);
for (const input of document.querySelectorAll('[name="play-mode"]')) input.addEventListener("change", () => (setMode(input.value), startGame()));
for (const link of document.querySelectorAll("[data-play]")) link.addEventListener("click", () => (setMode(link.dataset.play), startGame()));
find("assistant").addEventListener("keydown", (event) => {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || find("play-guess").value || event.target.tagName === "TEXTAREA") return;
  event.preventDefault();
  if (!find("play-undo").disabled) undo();
});
