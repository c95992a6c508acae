// The board: rows of guesses and answers, the open row, and what can be done next.

// Shows the game after an event.
function showPlay() {
  const { game, state, position } = play;
  forget("suggest");
  forget("review");
  const assistant = find("assistant");
  const hadFocus = assistant.contains(document.activeElement);
  assistant.dataset.mode = state.mode;
  assistant.dataset.game = game.name;
  assistant.dataset.family = game.family;
  document.querySelector(`[name="play-mode"][value="${state.mode}"]`).checked = true;
  find("play-rules").replaceChildren(...rulesView(game, state));
  showRule(game, state);
  keepDraft();
  showRows();
  showButtons();
  showRepairs();
  showStatus();
  find("play-review").hidden = true;
  find("play-share").hidden = true;
  find("play-history").hidden = true;
  showUsed(game, position.moves);
  showEntry();
  showStart();
  showHelp();
  if (position.isOver && position.asked.length > 0) showReview();
  if (hadFocus) keepFocus();
  remember();
}

// If the element with the focus is gone, the focus goes to the next action: the row, a repair, or a new game.
function keepFocus() {
  const focused = document.activeElement;
  if (focused !== document.body && focused.checkVisibility() && !focused.disabled) return;
  const repair = find("play-repairs").querySelector("button");
  const next = find("play-slots") ?? repair ?? (play.position.isOver ? find("play-go") : find("play-undo"));
  next.focus({ preventScroll: true });
}

function showStatus() {
  find("play-status").textContent = `${statusOf(play)}${heldWords()}`;
  find("play-said").textContent = `${lastAnswer(play)}${find("play-status").textContent}`;
}

function showRows() {
  const { game, state, position } = play;
  const rows = position.moves.map((move, i) => rowView(move, i));
  if (state.hasGivenUp) rows.push(secretView(game, position.hidden));
  if (position.isOpen || entry.correcting !== null) rows.push(openRow());
  const board = find("play-moves");
  board.classList.toggle("many", game.pegs > 4 && !["marks", "matches"].includes(game.family));
  board.replaceChildren(...rows);
  // Without a row to fill in, the board itself takes the keys that scroll it.
  if (position.isOpen) board.removeAttribute("tabindex");
  else board.tabIndex = 0;
  if (rows.length > 1) board.scrollTop = board.scrollHeight; // which lays the page out at once
}

// The row of the guess that comes next. Rows have the numbers of their guesses, also of those taken back.
function openRow() {
  const { game, state } = play;
  const row = make("li", { class: "now" }, slotsView(game));
  const number = entry.correcting === null ? state.asked.length : entry.correcting;
  row.style.counterSet = `move ${number + 1}`;
  return row;
}

function rowView({ guess, id }, i) {
  const { game, state, position } = play;
  const row = moveView(game, guess, id, noteOf(i));
  row.style.counterSet = `move ${state.asked.indexOf(state.moves[i]) + 1}`;
  if (isWrongMove(i)) row.classList.add("wrong");
  if (position.isSolved && i === position.moves.length - 1) row.classList.add("solved");
  if (position.isOpen) row.prepend(copyButton(guess, row.querySelector(".code")));
  const answer = row.querySelector(".feedback");
  const shown = state.mode === "mine" ? [correctButton(guess, i, answer ?? "✎")] : answer ? [answer] : [];
  row.append(make("span", { class: "end" }, ...shown, row.querySelector("small")));
  return row;
}

// Whether a move is the first one that contradicts those before it.
function isWrongMove(i) {
  const { sets } = play.position;
  return isEmpty(sets[i + 1]) && sets[i] !== null && !isEmpty(sets[i]);
}

// What is said of a move beside its answer.
function noteOf(i) {
  const { game, position } = play;
  if (isWrongMove(i)) return "contradicts";
  const after = position.sets[i + 1];
  const isCounted = (helps("count") || position.isOver) && position.moves[i].id !== game.solved;
  if (!isCounted || after === null || after.number === null || isEmpty(after)) return "";
  return isExact(after.number) ? `${grouped(after.number.value)} left` : shortLeft(after.number);
}

const secretView = (game, hidden) =>
  make("li", { class: "secret" }, codeView(game, game.guesses[hidden]), make("small", { text: "the secret" }));

// An earlier guess as a button that copies it into the open row.
function copyButton(guess, view) {
  const label = play.game.guesses[guess];
  return make(
    "button",
    {
      type: "button",
      class: "copy",
      title: "Copy this guess into the open row",
      "aria-label": `copy ${label}: ${view.getAttribute("aria-label")}`,
      onclick: () => copyGuess(label),
    },
    view,
  );
}

// The answer to an earlier move as a button, to enter it anew.
function correctButton(guess, number, view) {
  const label = `change the answer to ${play.game.guesses[guess]}`;
  return make(
    "button",
    {
      type: "button",
      class: "correct",
      title: "Change this answer",
      "aria-label": label,
      onclick: () => beginCorrection(number),
    },
    view,
  );
}

function showButtons() {
  const { game, state, position } = play;
  const { isOpen, isOver } = position;
  const isMine = state.mode === "mine";
  const isCorrecting = entry.correcting !== null;
  const isAnsweringNow = isMine && (isCorrecting || !entry.isEditing);
  find("play-undo").disabled = !mayFollow(state, { kind: "undo" });
  find("play-undo").title = state.mode === "hidden" ? "A guess that you take back still counts" : "";
  find("play-reveal").hidden = state.mode !== "hidden" || isOver;
  find("play-hint").hidden = !isOpen || isCorrecting;
  find("play-other").hidden = !isMine || (!isOpen && !isCorrecting);
  find("play-other").textContent = isCorrecting
    ? "Leave it as it is"
    : entry.isEditing
      ? "The advised guess"
      : "Another guess";
  const wouldHelp = state.mode === "hidden" && !isOver;
  find("play-analyse").hidden = position.asked.length === 0 || position.isContradictory || wouldHelp;
  find("play-go").textContent = isOver ? "New game" : !isMine ? "Guess" : isAnsweringNow ? "Record" : "Play it";
  find("play-go").hidden =
    (!isOver && !isOpen && !isCorrecting) || (isOpen && isAnsweringNow && game.family !== "marks");
  const isTyping = isOpen && !isAnsweringNow;
  find("play-palette").hidden = !isTyping || hasText(game);
  find("play-text").hidden = !isTyping || !hasText(game);
}

// Changes of a single answer that resolve a contradiction, as buttons.
function showRepairs() {
  const { game, position, state } = play;
  const isNeeded = position.isContradictory && state.mode === "mine" && entry.correcting === null;
  find("play-repairs").hidden = !isNeeded;
  if (!isNeeded) return find("play-repairs").replaceChildren();
  const repairs = (game.isListed ? repairsOf(game, position.moves) : sampledRepairs()).slice(0, MOST_REPAIRS);
  const buttons = repairs.map(({ number, answer, n }) => {
    const { guess } = position.moves[number];
    const left = game.isListed ? `(${several(n, "candidate")})` : `(about ${rounded(n)} candidates)`;
    const text = `${game.guesses[guess]} had ${feedbackWords(game, answer)} ${left}`;
    const correct = () => append({ kind: "correct", number, answer: game.feedback[answer] });
    if (game.family !== "marks") return make("button", { type: "button", text, onclick: correct });
    const marked = moveView(game, guess, answer, "").querySelector(".code");
    return make("button", { type: "button", "aria-label": text, onclick: correct }, marked, left);
  });
  if (game.name === "words-common" && fittingWords(game, position.moves).length > 0)
    buttons.unshift(make("button", { type: "button", text: "Any word may be the secret", onclick: allowAllWords }));
  find("play-repairs").replaceChildren(...buttons);
}

const MOST_REPAIRS = 3;

// Goes on with the same moves in the game in which all of the page's words may be the secret.
async function allowAllWords() {
  const later = play.state.moves.map(({ guess, answer }) => ({ kind: "move", guess, answer }));
  begin(await openGame("words-full"), { mode: "mine" }, later);
}

// The guesses that fit all answers; in a contradiction none of them may be the secret.
const fittingWords = (game, moves) =>
  [...game.guesses.keys()].filter((word) => moves.every(({ guess, id }) => game.compute(guess, word) === id));

// The words that fit most answers, with their numbers of answers.
function closestWords(game, moves) {
  const fits = (word) => moves.filter(({ guess, id }) => game.compute(guess, word) === id).length;
  const words = [...game.guesses.keys()].map((word) => ({ word, n: fits(word) }));
  return words.sort((a, b) => b.n - a.n || a.word - b.word).slice(0, SHOWN_WORDS);
}

const SHOWN_WORDS = 3;

// What may be wrong besides an answer: the list of words.
function listWords(game, moves) {
  const fitting = fittingWords(game, moves);
  const labels = fitting.slice(0, SHOWN_WORDS).map((word) => game.guesses[word]);
  const others = fitting.length > SHOWN_WORDS ? ` and ${several(fitting.length - SHOWN_WORDS, "other")}` : "";
  if (fitting.length > 0)
    return `The secret may be a word that this list only allows as a guess: ${labels.join(", ")}${others}.`;
  const closest = closestWords(game, moves).map(({ word, n }) => `${game.guesses[word]} (${n} of ${moves.length})`);
  return `The secret may not be in this page's list. These words fit most answers: ${closest.join(", ")}.`;
}

// The answers that leave candidates if one of them is changed, the likeliest first.
function repairsOf(game, moves) {
  const repairs = [];
  moves.forEach((move, number) => {
    const counts = game.countCells(
      move.guess,
      membersWithout(game, moves, number),
      new Int32Array(game.feedback.length),
    );
    repairs.push(...repairsOfMove(game, move, number, counts));
  });
  return likeliest(repairs);
}

// The candidates if one move had not been made.
function membersWithout(game, moves, number) {
  const others = moves.filter((_, i) => i !== number);
  return others.reduce((members, { guess, id }) => game.keep(members, guess, id), game.allSecrets);
}

function statusOf({ game, record, state, position }) {
  const { moves, asked, candidates } = position;
  if (entry.correcting !== null) return `Which answer did ${game.guesses[moves[entry.correcting].guess]} get?`;
  if (position.isContradictory) return contradictionOf(game, position);
  const takenBack = state.takenBack > 0 ? `, ${state.takenBack} of them taken back` : "";
  const guesses = `${several(asked.length, "guess", "guesses")}${takenBack}`;
  if (position.isSolved) return `Solved in ${guesses}: ${game.guesses[moves.at(-1).guess]}.`;
  if (state.hasGivenUp) return `You gave up after ${guesses}: the secret was ${game.guesses[position.hidden]}.`;
  const left = helps("count") ? `: ${candidatesLeft(candidates)}` : "";
  const isTakenBack = record.events.at(-1).kind === "undo" && state.takenBack > 0;
  const next = isTakenBack ? takenBackWords(state) : nextStepOf(game, state, candidates);
  return `Guess ${asked.length + 1}${left}.${next}`;
}

function takenBackWords({ takenBack }) {
  if (takenBack === 1) return " A guess was taken back: it counts, as you know its answer.";
  return ` ${takenBack} guesses were taken back: they count, as you know their answers.`;
}

// What to do next, if that isn't obvious.
function nextStepOf(game, state, candidates) {
  if (state.mode !== "mine" || entry.isEditing) return "";
  if (candidates === null) return "";
  if (candidates.number === null) return ` ${UNDECIDED}`;
  if (isSingle(candidates)) return " This is the secret.";
  if (game.family !== "marks") return " Play this, then tap the answer.";
  const noun = nounOf(game);
  return ` Play this ${noun}, then tap its ${noun === "word" ? "letters" : "symbols"} to mark them.`;
}

// The last answer in words, for screen readers.
function lastAnswer({ game, state, position }) {
  const move = position.moves.at(-1);
  const isNews = move && entry.correcting === null && !state.hasGivenUp;
  return isNews ? `${codeWords(game, game.guesses[move.guess])}: ${feedbackWords(game, move.id)}. ` : "";
}

function contradictionOf(game, { sets, moves }) {
  const number = sets.findIndex(isEmpty);
  const before = sets[number - 1];
  const { guess, id } = moves[number - 1];
  if (!game.isListed) return sampledContradiction(number, before);
  const left = several(before.members.length, "candidate was", "candidates were");
  const marks = game.family === "marks" ? "these marks" : `the answer ${feedbackWords(game, id)}`;
  const answer = `${game.guesses[guess]} ${marks}`;
  const canRepair = repairsOf(game, moves).length > 0;
  const impossible = impossibleMarks(game, guess, game.feedback[id]);
  const isOfWords = game.family === "marks" && nounOf(game) === "word";
  const about = impossible || (isOfWords ? listWords(game, moves) : "");
  return [
    `Contradiction at move ${number}: ${left} left, and none of them gives ${answer}.`,
    ...(about ? [about] : []),
    canRepair
      ? "If a single answer is wrong, tap the right one:"
      : "More than one answer is wrong: tap the answers on the board to change them.",
  ].join(" ");
}

// Why no word whatever gives a guess these marks, or an empty text. Letters that occur twice are marked from left to
// right: one that the secret has is marked before one that it lacks, except that those in place come first.
function impossibleMarks(game, guess, marks) {
  if (game.family !== "marks") return "";
  const absent = new Map();
  for (const [i, letter] of symbolsOf(game.guesses[guess]).entries()) {
    if (marks[i] === "y" && absent.has(letter))
      return (
        `No word has these marks: ${letter} can't be absent at letter ${absent.get(letter)} and ` +
        `elsewhere in the word at letter ${i + 1}.`
      );
    if (marks[i] === "b" && !absent.has(letter)) absent.set(letter, i + 1);
  }
  return "";
}

// What a code of the game is called: a word has letters only.
function nounOf(game) {
  if (!game.spelled || game.symbols.every((symbol) => /^\d$/.test(symbol))) return "code";
  return game.family === "pegs" ? "text" : "word";
}

// What the places of a code are called, and what is in them.
function partOf(game) {
  if (nounOf(game) !== "code") return "letter";
  return game.family === "bc" ? "symbol" : "peg";
}

const contentOf = (game) => (partOf(game) === "peg" ? "colour" : partOf(game));

// The goal in one sentence, and what the answers mean.
function rulesView(game, state) {
  const isUsual = state.player === "me" && state.origin === "new";
  const goal = make("span", { class: isUsual ? "usual" : "", text: `${goalOf(game, state)} ` });
  return [goal, ...answersView(game)];
}

function goalOf(game, state) {
  const noun = nounOf(game);
  const without = !game.spelled && game.isDistinct ? ` without a ${contentOf(game)} twice` : "";
  const number = grouped(game.numberOfSecrets);
  const size = `${noun} of ${several(game.pegs, partOf(game))}${without}, one of ${number}`;
  const few = "in as few guesses as you can";
  if (state.player === "other")
    return `A game opened from a link, not counted in your statistics: a hidden ${size}.`;
  if (state.origin === "challenge")
    return `${state.friend || "A friend"} has chosen a ${size}. Find it ${few}.`;
  if (state.origin === "daily")
    return `Find the code of ${state.day}, the same for everyone until midnight UTC: a ${size}, ${few}.`;
  if (state.mode === "mine") return `You play elsewhere, and the page advises you. The secret is a ${size}.`;
  if (state.mode === "devious")
    return (
      `Nobody has chosen a secret, a ${size}: ` +
      "the page answers so that you need many guesses, without contradictions."
    );
  return `Find the hidden ${size}, ${few}.`;
}

function answersView(game) {
  const pin = (kind) => make("span", { class: `pin ${kind}`, "aria-hidden": "true" });
  const symbol = contentOf(game);
  if (game.family === "marks")
    return [
      make("span", { class: "sample", "data-mark": "g", text: "Green" }),
      ": right place. ",
      make("span", { class: "sample", "data-mark": "y", text: "Amber" }),
      ": elsewhere.",
    ];
  if (game.family === "matches") return [`The answer is how many ${contentOf(game)}s are in place.`];
  const black = [pin("black"), ` black: right ${symbol}, right place. `];
  return game.family === "black" ? black : [...black, pin("white"), ` white: right ${symbol}, elsewhere.`];
}

// Wordle's hard mode is a rule of words.
function showRule(game, state) {
  const select = find("play-rule");
  const hardMode = select.querySelector('[value="wordle"]');
  hardMode.hidden = game.family !== "marks";
  hardMode.disabled = hardMode.hidden;
  select.value = state.rule;
}

// The answer that delays the player most: by minimum means if all parts are small, otherwise by size.
const LARGEST_COMPARED = 12;

function deviousAnswer(game, guess, members) {
  const cells = game.cellsOf(guess, members);
  if (cells.length === 0) return game.solved;
  const values = new Values(game);
  const isSmall = cells.every(([, cell]) => cell.length <= LARGEST_COMPARED);
  const totals = isSmall ? cells.map(([, cell]) => values.of(cell)) : [];
  const isExact = isSmall && totals.every((value) => value?.exact);
  const means = cells.map(([, cell], i) => (isExact ? totals[i].total / cell.length : 0));
  const order = [...cells.keys()].sort(
    (a, b) => means[b] - means[a] || cells[b][1].length - cells[a][1].length || cells[a][0] - cells[b][0],
  );
  return cells[order[0]][0];
}

find("play-undo").addEventListener("click", undo);
find("play-other").addEventListener("click", leaveAdvice);
find("play-new").addEventListener("click", () =>
  sure("Start a new game? This one is left unfinished.", "New game", startGame),
);
find("play-reveal").addEventListener("click", () =>
  sure("Give up and see the secret?", "Give up", () => append({ kind: "give-up" })),
);
find("play-analyse").addEventListener("click", () => {
  closeMenu();
  showReview();
});
find("play-rule").addEventListener("change", (event) => {
  dropAdvised();
  keep("rule", event.target.value);
  append({ kind: "rule", rule: event.target.value });
});
for (const input of document.querySelectorAll('[name="play-mode"]')) {
  input.addEventListener("change", () => {
    document.querySelector(`[name="play-mode"][value="${play.state.mode}"]`).checked = true;
    if (modeFor(play.game, input.value) !== input.value) return say(NO_DEVIOUS);
    sure("Start another kind of game? This one is left unfinished.", "Start it", () =>
      startGame({ mode: input.value }),
    );
  });
}

const closeMenu = () => (find("play-menu").open = false);

// The menu closes as menus do.
addEventListener("pointerdown", ({ target }) => {
  if (!find("play-menu").contains(target)) closeMenu();
});
find("play-menu").addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  closeMenu();
  find("play-menu").querySelector("summary").focus();
});
