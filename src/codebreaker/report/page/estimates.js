// Games whose codes are not listed. The worker finds their candidates, or a sample of them, and advice; both are kept
// by board, as the same moves always give the same sample. Until then a board's candidates are null.
const MOST_KEPT = 300; // boards
const UNDECIDED =
  "No code was found that gives all these answers, and whether there is one is undecided. " +
  "Check the answers on the board.";
const WAYS = {
  listed: "drawn from a list of all",
  drawn: "drawn at random",
  walked: "found by random walks",
};

// What the worker has answered: see `ANSWERS` in worker.js.
const estimates = new Map(); // candidates by board
const advices = new Map(); // by board and rule of guesses; null if there are no candidates
const repairs = new Map(); // by board

// What the worker is asked for, so that the same isn't asked again.
let advising = ""; // the board and rule of guesses
let repairing = ""; // the board
let counting = new Set(); // boards

// Keeps the last MOST_KEPT entries.
function store(map, name, value) {
  map.delete(name);
  map.set(name, value);
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value);
}

// The name of a board: its key in the maps above, and what the seed of its samples follows from.
const boardName = (game, moves) =>
  [game.name, ...moves.map(({ guess, id }) => `${game.guesses[guess]}*${game.feedback[id]}`)].join(" ");

// Moves as samples need them: the symbols of each guess as numbers, and its black pegs and symbols in common.
function movesFor(game, moves) {
  return moves.map(({ guess, id }) => {
    const { black, white } = pegsOf(game.feedback[id]);
    return { row: [...game.codeOf(guess)], id, black, common: black + white };
  });
}

// The candidates before each move and after the last one, as far as they are known.
const estimatesAlong = (game, moves) =>
  Array.from({ length: moves.length + 1 }, (_, n) => estimateOf(game, moves.slice(0, n)));

// The candidates after moves; null if they are not known. Before the first move and after the winning one they need no
// worker.
function estimateOf(game, moves) {
  const known = estimates.get(boardName(game, moves)) ?? null;
  const last = moves.at(-1);
  if (!last) return known ?? { codes: [], heldOut: [], isAll: false, number: exactly(game.numberOfSecrets) };
  if (known || last.id !== game.solved) return known;
  const code = game.codeOf(last.guess);
  return ofAll(fitsMoves(game, movesFor(game, moves), code) ? [code] : []);
}

// Advice on the board if the player has asked for help, and then the candidates of earlier boards.
function helpBySample() {
  const { game, state, position } = play;
  forget("best");
  if (!position.isOpen) return position.isContradictory || position.isOver ? countEarlier() : undefined;
  if (state.mode !== "mine" && state.hints === 0) return;
  const name = `${state.rule} ${boardName(game, position.moves)}`;
  if (!advices.has(name)) return adviseBySample(name);
  showSampledAdvice(advices.get(name));
  countEarlier();
}

// Asks the worker for advice on the board, which is kept under `name`; its candidates come first.
async function adviseBySample(name) {
  const { game, state, position } = play;
  const board = boardName(game, position.moves);
  if (helps("suggest")) find("help-suggestion").textContent = "computing…";
  if (helps("best")) find("help-table").textContent = "computing…";
  if (advising === name) return;
  advising = name;
  forget("count");
  const question = {
    moves: movesFor(game, position.moves),
    seed: hashOf(board),
    isRuled: state.rule === "candidates",
    count: SHOWN_GUESSES,
  };
  const showPart = ({ candidates }) => {
    store(estimates, board, candidates);
    refresh();
  };
  const answer = await ask("sample", game, question, showPart);
  if (!answer) return;
  advising = "";
  store(advices, name, answer.advice);
  showPart(answer);
}

// Counts the candidates of earlier boards that are not known, the last ones first.
async function countEarlier() {
  const { game, position } = play;
  const boards = new Map();
  for (const moves of [position.moves, position.asked]) {
    for (let n = moves.length; n > 0; n--) {
      const before = moves.slice(0, n);
      const name = boardName(game, before);
      if (estimateOf(game, before) === null)
        boards.set(name, { name, moves: movesFor(game, before), seed: hashOf(name) });
    }
  }
  if ([...boards.keys()].every((name) => counting.has(name))) return;
  counting = new Set(boards.keys());
  const asked = counting;
  await ask("count", game, { boards: [...boards.values()] }, ({ name, candidates }) => {
    store(estimates, name, candidates);
    refresh();
  });
  if (counting === asked) counting = new Set();
}

// Shows what the worker has found; the guess that is being typed stays.
function refresh() {
  const { game, state, position } = play;
  if (game.isListed) return;
  play.position = positionOf(game, state);
  if (play.position.isOpen !== position.isOpen) return showPlay();
  showNotes();
  if (answering.typed === "") find("play-status").textContent = statusOf(play);
  showRepairs();
  showHelp();
  showWorth();
  showAnswers();
  if (!find("play-review").hidden) showSampledReview();
}

// Shows what is said of each move; a board that was scrolled to its end stays there.
function showNotes() {
  const board = find("play-moves");
  const isAtEnd = board.scrollTop + board.clientHeight >= board.scrollHeight - 2;
  board.querySelectorAll("li:not(.now, .secret)").forEach((row, i) => {
    row.classList.toggle("wrong", isWrongMove(i));
    row.querySelector("small").textContent = noteOf(i);
  });
  if (isAtEnd) board.scrollTop = board.scrollHeight;
}

// The guess that is advised, by what it was chosen, and what it is expected to leave.
function showSampledAdvice(advice) {
  const { game, position } = play;
  if (advice === null) {
    find("help-suggestion").textContent = helps("suggest") ? UNDECIDED : "";
    return;
  }
  const [first] = advice.worths;
  if (helps("best")) showSampledRanking(advice.worths);
  if (!helps("suggest")) return;
  showSuggestion(game.add(first.row), advice.mean, basisOf(advice), "About ");
  if (advice.mean === null && !isSingle(position.candidates))
    find("help-suggestion").append(` It leaves ${leftOnAverage(first.left)}.`);
}

function basisOf({ compared, members }) {
  const { candidates } = play.position;
  const { isAll, how, number } = candidates;
  const guesses = several(compared, "guess", "guesses");
  if (isSingle(candidates)) return "";
  if (isAll && members === number.value) return `${guesses} compared over all ${grouped(members)} candidates:`;
  return `Sampled: ${guesses} compared over ${several(members, "candidate")} ${WAYS[how]}:`;
}

function leftOnAverage({ value, low, high }) {
  if (low === high) return `${value.toFixed(1)} candidates on average`;
  if (value === 1) return `at most about ${rounded(high)} candidates on average`;
  return `about ${rounded(value)} candidates on average (95%: ${rounded(low)} to ${rounded(high)})`;
}

function showSampledRanking(worths) {
  const { game, position } = play;
  const about = position.candidates.isAll ? "" : "≈\u00a0";
  const heads = ["guess", "left on average", "at most", "ends now"];
  const head = heads.map((text, i) => make("th", { scope: "col", class: i && "n", text }));
  const rows = worths.map((worth) => {
    const guess = game.add(worth.row);
    const label = game.guesses[guess];
    const use = make(
      "button",
      { type: "button", class: "plain", "aria-label": `use ${label}`, onclick: () => takeGuess(guess) },
      codeView(game, label),
    );
    const { value, high } = worth.left;
    const left = value === 1 && high > 1 ? `< ${rounded(high)}` : `${about}${rounded(value)}`;
    const figures = [left, `${about}${rounded(worth.most)}`, endsWords(worth, position.candidates.isAll)];
    return make("tr", {}, make("td", {}, use), ...figures.map((text) => make("td", { class: "n", text })));
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  find("help-table").replaceChildren(table);
  find("best-title").textContent = isSingle(position.candidates) ? "The last candidate" : "Good guesses";
  ranked = worths.map((worth) => game.add(worth.row));
  showAdvised();
}

// The probability that a guess ends the game; of a sample it is never certain.
function endsWords({ ends }, isAll) {
  if (ends === 0) return "–";
  if (ends < 0.001) return "< 0.1%";
  return isAll ? percent(ends) : `≈\u00a0${rounded(100 * ends)}%`;
}

// What a guess is worth, before it is played.
function showSampledWorth(guess) {
  const { game, position } = play;
  const { candidates, moves } = position;
  const view = find("help-worth");
  if (!candidates || candidates.codes.length === 0) {
    view.textContent = candidates?.number === null ? UNDECIDED : "computing…";
    return;
  }
  const worth = sampledWorth(game, game.codeOf(guess), candidates, movesFor(game, moves));
  const about = candidates.isAll ? "" : "about ";
  const source = candidates.isAll
    ? ""
    : ` Sampled: by ${several(candidates.heldOut.length, "candidate")} ${WAYS[candidates.how]}.`;
  view.replaceChildren(
    codeView(game, game.guesses[guess]),
    worth.fits ? " could be the secret." : ` ${NO_CANDIDATE}.`,
    ` It leaves ${leftOnAverage(worth.left)}, and ${about}${rounded(worth.most)} at most.${source}`,
  );
}

// How many candidates give each answer to the guess on the board; of a sample, their share of all.
function sampledAnswersAhead() {
  const { game, position } = play;
  const counts = new Float64Array(game.feedback.length);
  const candidates = entry.correcting === null ? position.candidates : null;
  if (!candidates || candidates.codes.length === 0) return { counts, isAll: false };
  const { codes, isAll, number } = candidates;
  const guess = game.codeOf(guessEntered());
  const each = isAll ? 1 : number.value / codes.length;
  for (const code of codes) counts[game.answerTo(guess, code)] += each;
  return { counts, isAll };
}

// Single answers that may be wrong, with those that would leave candidates: known once the worker has answered.
function sampledRepairs() {
  const { game, position } = play;
  const board = boardName(game, position.moves);
  if (!repairs.has(board)) askForRepairs(board);
  return repairs.get(board) ?? [];
}

async function askForRepairs(board) {
  const { game, position } = play;
  if (repairing === board) return;
  repairing = board;
  const question = { moves: movesFor(game, position.moves), seed: hashOf(board) };
  const answer = await ask("repairs", game, question);
  if (!answer) return;
  repairing = "";
  store(repairs, board, answer);
  refresh();
}

function sampledContradiction(number, before) {
  const { game, position } = play;
  const { guess, id } = position.moves[number - 1];
  const known = repairs.get(boardName(game, position.moves));
  const nothing = "No single answer was found that resolves it: tap the answers on the board to change them.";
  const found = known?.length > 0 ? "If a single answer is wrong, tap the right one:" : nothing;
  const next = known ? found : "Looking for a single answer that may be wrong…";
  if (!before?.number) return `Contradiction: no code gives all these answers. ${next}`;
  const { number: left } = before;
  const candidates = isExact(left)
    ? several(left.value, "candidate was", "candidates were")
    : `about ${whole(left.value)} candidates were`;
  const answer = `${game.guesses[guess]} the answer ${feedbackWords(game, id)}`;
  return `Contradiction at move ${number}: ${candidates} left, and none of them gives ${answer}. ${next}`;
}

// A finished game with the candidates that each guess left; guesses are not compared with the best ones.
function showSampledReview() {
  const { game, state, position } = play;
  const sets = estimatesAlong(game, position.asked);
  const isKnown = sets.every((candidates) => candidates !== null);
  find("play-review").hidden = false;
  find("review-title").textContent = state.player === "me" ? "Your game" : "The game of the link";
  find("share-challenge").hidden = state.mode !== "hidden";
  for (const id of ["review-first", "review-score", "review-sum", "review-best"]) find(id).replaceChildren();
  find("review-told").textContent =
    "This size has too many codes to compare guesses with the best ones, so there is no score. Numbers with ≈ are " +
    `estimates from samples.${isKnown ? "" : " Counting…"}`;
  const rows = position.asked.map(({ guess, id }, i) => {
    const isTakenBack = !state.moves.includes(state.asked[i]);
    const before = numberWords(sets[i]);
    const after = id === game.solved ? "solved" : numberWords(sets[i + 1]);
    return moveView(game, guess, id, `${before} → ${after}${isTakenBack ? ", taken back" : ""}`);
  });
  find("review-moves").replaceChildren(make("ol", { class: "review" }, ...rows));
}

// Some of the candidates, and whether these are all.
function listSample(list, game, candidates) {
  const codes = candidates?.codes ?? [];
  const shown = codes.slice(0, MAX_SHOWN);
  list.replaceChildren(...shown.map((code) => make("li", {}, codeView(game, game.labelOf(code)))));
  if (candidates?.isAll && codes.length > MAX_SHOWN)
    list.append(make("li", { text: `and ${grouped(codes.length - MAX_SHOWN)} more` }));
  const sample = several(codes.length, "candidate");
  if (candidates && !candidates.isAll && codes.length > 0)
    list.append(make("li", { text: `and more: these are some of ${sample} in the sample` }));
}

const isExact = ({ low, high }) => low === high;

// The number of candidates with its interval, as a heading of them.
function candidatesWords(candidates) {
  if (candidates === null) return "Counting the candidates…";
  const { number } = candidates;
  if (number === null) return "No candidate found";
  if (isExact(number)) return several(number.value, "candidate");
  const [value, low, high] = [number.value, number.low, number.high].map(whole);
  return `About ${value} candidates (95%: ${low} to ${high})`;
}

// The same within a sentence.
function candidatesLeft(candidates) {
  if (candidates === null) return "counting the candidates…";
  const { number } = candidates;
  if (number === null) return "no candidate found";
  if (isExact(number)) return `${several(number.value, "candidate")} left`;
  return `about ${whole(number.value)} candidates left`;
}

// The same where there is little room.
function numberWords(candidates) {
  if (candidates === null) return "…";
  const { number } = candidates;
  if (number === null) return "none found";
  return isExact(number) ? grouped(number.value) : `≈\u00a0${whole(number.value)}`;
}

const shortLeft = ({ value }) => `≈\u00a0${whole(value)}${value < 1e6 ? " left" : ""}`;

// An estimated number of candidates.
const whole = (value) => rounded(Math.round(value));

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// An estimate in three digits: with commas below a million, otherwise with a power of ten.
function rounded(value) {
  if (value < 100) return String(Number(value.toPrecision(3)));
  if (value < 1e6) return grouped(Math.round(Number(value.toPrecision(3))));
  const power = Math.floor(Math.log10(value));
  const digits = [...String(power)].map((digit) => SUPERSCRIPTS[digit]).join("");
  return `${(value / 10 ** power).toFixed(2)}\u00a0×\u00a010${digits}`;
}
