// Help, more with each hint: candidates left, the guess's worth, good guesses, and the guess to play.
const RUNGS = [
  "How many candidates are left?",
  "What is my guess worth?",
  "Good guesses",
  "The guess to play",
];
const KINDS_OF_HELP = { count: 1, check: 2, best: 3, suggest: 4 };
let suggested = null; // the advised guess, while it is shown
let ranked = []; // the guesses of the ranking, while it is shown

// If the secret is elsewhere, advice is there from the start.
function helps(kind) {
  const { mode, hints } = play.state;
  if (mode === "mine") return ["count", "suggest"].includes(kind) || hints > 0;
  return hints >= KINDS_OF_HELP[kind];
}

function showHelp() {
  const { state, position } = play;
  const { isOpen, candidates } = position;
  const isMine = state.mode === "mine";
  const next = isMine ? (state.hints === 0 ? "Compare guesses" : null) : RUNGS[state.hints];
  find("play-help").hidden = !isOpen || (state.hints === 0 && !find("play-start").hidden);
  find("help-none").hidden = isMine || state.hints > 0;
  find("play-hint").textContent = isMine ? "Compare" : "Hint";
  find("play-hint").title = next ?? "";
  find("play-hint").disabled = !next;
  find("help-count").hidden = !helps("count");
  find("play-count").textContent = candidatesWords(candidates);
  if (helps("count")) {
    if (play.game.isListed) listCodes(find("play-codes"), play.game, candidates.members);
    else listSample(find("play-codes"), play.game, candidates);
  }
  find("help-worth").hidden = !helps("check") || !isOpen;
  find("help-suggest").hidden = !helps("suggest") || !isOpen;
  find("help-best").hidden = !helps("best") || !isOpen;
  find("play-take").hidden = isMine && !entry.isEditing;
  find("play-take").disabled = true;
  find("help-suggestion").replaceChildren();
  find("help-table").replaceChildren();
  find("best-title").textContent = "Good guesses";
  ranked = [];
  showAdvised();
  find("play-line").textContent = play.strategy.line;
  showOpening();
  suggested = null;
  forget("compare");
  forget("opening");
  showWhy();
  if (!play.game.isListed) return helpBySample();
  if (isOpen) advise(candidates.members);
  else forget("best");
}

// Advice and ranking. A strategy's tree has its guesses while the moves follow it, and a rule has its own; otherwise
// the advised guess is the first of the ranking.
function advise(members) {
  if (!helps("suggest") && !helps("best")) return forget("best");
  const { strategy } = play;
  const only = allowed(members);
  const planned = only === null ? plannedGuess() : null;
  const isByRanking = planned === null && (strategy.rule === null || strategy.place === 1);
  const fixed = fixedFrom(members);
  const isFixed = fixed.length > 0;
  if (helps("suggest")) {
    if (isFixed) adviseFixed(members, fixed);
    else if (planned) showSuggestion(planned.guess, planned.mean);
    else if (isByRanking) find("help-suggestion").textContent = "computing…";
    else suggestByRule(members, only);
  }
  if (helps("best") || (helps("suggest") && isByRanking && !isFixed)) rank(members, only, planned, isByRanking, isFixed);
  else forget("best");
}

// Numbers of candidates on average: large ones without a decimal.
const average = (n) => (n < 1000 ? n.toFixed(1) : grouped(Math.round(n)));

// What the guess on the board is worth, before it is played.
function showWorth() {
  showOwnGuess();
  if (!helps("check") || !play.position.isOpen) return;
  const guess = guessEntered();
  if (guess === undefined) {
    find("help-worth").textContent = "Compose a guess to see what it is worth.";
    return;
  }
  if (!play.game.isListed) return showSampledWorth(guess);
  const { members } = play.position.candidates;
  const worth = worthOf(play.game, guess, members);
  const consistent =
    worth.ends === 1
      ? "is the secret"
      : worth.isCandidate
        ? `is the secret with probability ${percent(worth.ends)}`
        : NO_CANDIDATE;
  find("help-worth").replaceChildren(
    codeView(play.game, play.game.guesses[guess]),
    ` ${consistent}. ${several(worth.cells, "answer is", "answers are")} possible; `,
    `they leave ${average(worth.expected)} candidates on average `,
    `and ${grouped(worth.largest)} at most.`,
  );
}

// The guesses that may be advised, by the rule of the game and its list; null means all.
function allowed(members) {
  const { game } = play;
  const { rule } = play.state;
  const { moves } = play.position;
  if (rule === "candidates") return [...members];
  const isHard = rule === "wordle" && game.family === "marks";
  if (!isHard && !game.advised) return null;
  const candidates = new Set(members);
  const others = [...(game.advised ?? game.guesses.keys())].filter((guess) => !candidates.has(guess));
  return [...members, ...others.filter((guess) => !isHard || !whyNotHard(game, moves, game.guesses[guess]))];
}

// The guess of the strategy's tree and the guesses to go, or null if the moves have left the tree.
function plannedGuess() {
  const { game, strategy, position } = play;
  const tree = treeOf(game, strategy);
  const match = tree && follow(game, tree, position.moves);
  if (match === null) return null;
  const { node, renaming } = match;
  return { guess: meaningOf(game, tree.guess[node], renaming), mean: tree.mean(node) };
}

// The guess of the strategy's rule.
async function suggestByRule(members, only) {
  const { game, strategy } = play;
  const { moves } = play.position;
  find("help-suggestion").textContent = "computing…";
  const question = {
    rule: strategy.rule,
    members,
    turn: moves.length + 1,
    previous: moves.at(-1)?.id ?? -1,
    played: moves.map(({ guess }) => guess),
    only,
    wantsMean:
      only === null &&
      members.length * game.guesses.length <= MOST_FOR_MEAN &&
      (game.rows !== null || members.length < FEW_MEMBERS),
  };
  const show = ({ guess, mean, isSampled }) => showSuggestion(guess, mean, isSampled ? SAMPLED : "");
  const answer = await ask("suggest", game, question, show);
  if (answer) show(answer);
}

const MOST_FOR_MEAN = 3e7; // pairs of guesses and candidates for which a rule's guesses to go are computed
const SAMPLED = "Chosen among some of the guesses, as there are too many to compare all: ";

function showSuggestion(guess, mean, words = "", about = "") {
  const { game } = play;
  const isNew = suggested !== guess;
  const isOldEntered = suggested !== null && typedGuess() === game.guesses[suggested];
  suggested = guess;
  find("play-take").disabled = false;
  find("help-suggestion").replaceChildren(
    ...(words ? [make("span", { class: "fallback", text: words }), make("br")] : []),
    make(
      "span",
      { id: "play-suggestion", "data-guess": game.guesses[guess] },
      codeView(game, game.guesses[guess]),
    ),
    likelihoodWords(guess),
    mean === null || isSingle(play.position.candidates)
      ? ""
      : `${about}${mean.toFixed(about ? 2 : 4)} more guesses on average.`,
  );
  showAdvised();
  const isFree = entry.slots.every((symbol) => symbol === null) || isOldEntered;
  if (isNew && isAdvising() && isFree) setGuess(game.guesses[guess]);
}

function likelihoodWords(guess) {
  const { game, position } = play;
  if (!mayBeSecret(game, position, guess)) return " can’t be the secret, but separates the candidates. ";
  return isSingle(position.candidates) ? " is the secret." : " could be the secret. ";
}

// Ranks guesses by guesses to go, together with the guess of the tree. The first one is the advice `isByRanking`, unless
// the guess `isFixed` by the opening.
const SHOWN_GUESSES = 5;

let ranking = { board: "", answer: null }; // the last one, which serves for the board that it was made for

// The name of what is ranked: the same board with the same rule and strategy has the same ranking.
function boardRanked() {
  const { game, strategy, state } = play;
  return [game.name, listOf(game), writeMoves(state.moves), state.rule, strategy.tree].join(" ");
}

// Whether a rule limits later guesses, too.
function isRuled() {
  const { game, state } = play;
  return state.rule === "candidates" || (state.rule === "wordle" && game.family === "marks");
}

async function rank(members, only, planned, isByRanking, isFixed) {
  const { game } = play;
  const board = boardRanked();
  const showAll = (answer) => {
    if (helps("best")) showRanking(game, answer);
    if (helps("suggest") && !isFixed && (isByRanking || isBetter(answer, planned))) showFirst(answer);
  };
  if (ranking.board === board) {
    forget("best");
    return showAll(ranking.answer);
  }
  find("help-table").textContent = "computing…";
  const question = {
    members,
    only,
    planned,
    played: play.position.moves.map(({ guess }) => guess),
    count: SHOWN_GUESSES,
    isRuled: isRuled(),
    known: knownValues(game, play.position.moves),
  };
  const showPart = (part) => helps("best") && showRanking(game, part);
  const answer = await ask("best", game, question, showPart);
  if (!answer) return;
  ranking = { board, answer };
  showAll(answer);
}

// Whether the ranking has a better guess than a tree that is not proven to be the best on average.
function isBetter({ worths: [first] }, planned) {
  const isSought = play.strategy.place === 1 && planned !== null;
  return isSought && first.guess !== planned.guess && first.mean !== null && first.mean < planned.mean;
}

// The first guess of the ranking as advice, and how the page found it.
function showFirst(answer) {
  const { game, strategy } = play;
  const [first] = answer.worths;
  const tree = treeOf(game, strategy) === null ? "" : `${whyNotTheTree(strategy)}${howRanked(answer)}`;
  const isCertain = answer.isOptimal || first.isExact || first.mean === null;
  const words = answer.isSampled ? SAMPLED : tree;
  showSuggestion(first.guess, first.mean, words, isCertain ? "" : "About ");
}

function whyNotTheTree(strategy) {
  if (plannedGuess() !== null) return `Better than the tree of ‘${strategy.label}’: `;
  return `These moves leave the tree of ‘${strategy.label}’: `;
}

function howRanked({ worths: [first], isOptimal }) {
  if (isOptimal) return "the page plays optimally from here.";
  return first.mean === null ? "the page chooses by entropy." : "the page compares guesses by guesses to go.";
}

function showRanking(game, { worths, isSampled }) {
  find("best-title").textContent = titleOfRanking(worths);
  const hasMeans = worths.some((worth) => worth.mean !== null);
  const heads = ["guess", ...(hasMeans ? ["guesses to go"] : []), "left on average", "at most", "ends now"];
  const head = heads.map((text, i) => make("th", { scope: "col", class: i && "n", text }));
  const table = make(
    "table",
    { "data-board": boardRanked() },
    ...(hasMeans ? [] : [make("caption", { text: orderWords(isSampled) })]),
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...worths.map((worth) => rankingRow(game, worth, hasMeans))),
  );
  find("help-table").replaceChildren(table);
  ranked = worths.map((worth) => worth.guess);
  showAdvised();
  showOwnGuess();
}

// What the answers to the guess on the board tell, and those to the advised one, before one of them comes.
function showWhy() {
  const { game, position } = play;
  const view = find("help-why");
  view.hidden = !helps("best") || !position.isOpen || !game.isListed || position.candidates.number.value < 2;
  if (view.hidden || !view.open) return;
  const { members } = position.candidates;
  const mine = guessEntered();
  const advised = suggested ?? ranked[0];
  const known = [...(ranking.answer?.worths ?? []), own.worth].filter(Boolean);
  const isOfBoard = ranking.board === boardRanked();
  const worthKnown = (guess) => (isOfBoard ? known.find((worth) => worth.guess === guess) : undefined);
  const tableOf = (name, guess) =>
    whyTable(game, name, worthKnown(guess) ?? worthOf(game, guess, members), { members });
  find("why-told").replaceChildren(
    ...(mine === undefined || mine === advised ? [] : [tableOf("Yours:", mine)]),
    ...(advised === undefined ? [] : [tableOf("Advised:", advised)]),
  );
}

let own = { name: "", worth: null }; // the last guess that was compared below the ranking; null while it is computed

// Shows the guess on the board below the ranking, if that lacks it, compared as the others are.
function showOwnGuess() {
  showWhy();
  const { game, position } = play;
  const table = find("help-table").querySelector("table");
  const guess = guessEntered();
  table?.tFoot?.remove();
  const isOfBoard = table?.dataset.board === boardRanked();
  if (!isOfBoard || !game.isListed || guess === undefined || ranked.includes(guess)) return;
  const name = `${boardRanked()} ${guess}`;
  if (own.name !== name) compareOwn(name, guess);
  const worth = own.worth ?? { ...worthOf(game, guess, position.candidates.members), mean: null, isExact: false };
  const hasMeans = table.tHead.rows[0].cells.length > 4;
  const row = rankingRow(game, worth, hasMeans);
  row.firstChild.append(make("small", { text: guess === suggested ? "advised" : "yours" }));
  table.append(make("tfoot", {}, row));
}

async function compareOwn(name, guess) {
  const { game, position } = play;
  const { members } = position.candidates;
  own = { name, worth: null };
  const planned = allowed(members) === null ? plannedGuess() : null;
  const known = knownValues(game, position.moves);
  const worth = await ask("compare", game, { members, guess, planned, known, isRuled: isRuled() });
  if (own.name !== name) return;
  if (worth === null) own = { name: "", worth: null };
  else {
    own = { name, worth };
    showOwnGuess();
  }
}

// How guesses are ordered whose guesses to go take too long to compute.
const orderWords = (isSampled) =>
  `${isSampled ? SAMPLED.replace(": ", ". ") : ""}Guesses whose answers tell most come first.`;

function titleOfRanking(worths) {
  const n = worths.length;
  if (n === 1 && worths[0].ends === 1) return "The last candidate";
  const title = `${capital(NUMBERS[n])} good ${n === 1 ? "guess" : "guesses"}`;
  // A rule limits later guesses, too, and guesses to go are computed without it.
  const { game, state } = play;
  const limits = state.rule === "candidates" || (state.rule === "wordle" && game.family === "marks");
  return limits && worths.some(({ mean }) => mean !== null) ? `${title}, in the order of free play` : title;
}

// Marks the advised guess in the ranking, and says why it is not the first one there: a rule has its own order.
function showAdvised() {
  const { game, strategy } = play;
  const rows = [...find("help-table").querySelectorAll("tbody tr")];
  rows.forEach((row, i) => row.classList.toggle("advised", ranked[i] === suggested));
  const isOther = suggested !== null && ranked.length > 0 && ranked[0] !== suggested;
  find("help-differs").hidden = !isOther;
  if (!isOther) return;
  const where = ranked.includes(suggested) ? "the marked guess" : "which is not in this list";
  const label = game.guesses[suggested];
  const isFixed = fixedFrom(play.position.candidates.members)[0] === suggested;
  const why = isFixed
    ? `Your opening has ${label}, ${where}.`
    : `‘${strategy.label}’ advises ${label}, ${where}: it plays by its own rule.`;
  find("help-differs").textContent = `${why} The list shows the guesses that the page finds best.`;
}

function rankingRow(game, worth, hasMeans) {
  const label = game.guesses[worth.guess];
  const use = make(
    "button",
    { type: "button", class: "plain", "aria-label": `use ${label}`, onclick: () => takeGuess(worth.guess) },
    codeView(game, label),
  );
  const mean = worth.mean === null ? "–" : worth.isExact ? worth.mean.toFixed(3) : `≈ ${worth.mean.toFixed(2)}`;
  const figures = [
    ...(hasMeans ? [mean] : []),
    average(worth.expected),
    grouped(worth.largest),
    worth.ends ? percent(worth.ends) : "–",
  ];
  return make("tr", {}, make("td", {}, use), ...figures.map((text) => make("td", { class: "n", text })));
}

// Puts a guess on the board, where Enter plays it.
function takeGuess(guess) {
  const label = play.game.guesses[guess];
  setGuess(label);
  if (play.state.mode === "mine") {
    entry.isEditing = false;
    append({ kind: "choose", guess: label });
  }
  focusBoard();
}

find("help-why").addEventListener("toggle", showWhy);
find("play-hint").addEventListener("click", () => append({ kind: "hint" }));
find("play-take").addEventListener("click", () => takeGuess(suggested));
onStrategy(
  find("play-strategy"),
  () => play.game,
  (strategy) => {
    play.strategy = strategy;
    lentStrategies.delete(play.record.id);
    keep("strategies", { ...kept("strategies"), [play.game.name]: strategy.tree });
    dropAdvised();
    showPlay();
  },
);
