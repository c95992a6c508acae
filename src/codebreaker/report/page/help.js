// Help, more with each hint: candidates left, the guess's worth, five good guesses, and the guess to play.
const RUNGS = [
  "How many candidates are left?",
  "What is my guess worth?",
  "Five good guesses",
  "The guess to play",
];
const KINDS_OF_HELP = { count: 1, check: 2, best: 3, suggest: 4 };
let suggested = null;

// If the secret is elsewhere, advice is there from the start.
function helps(kind) {
  const { mode, hints } = play.state;
  if (mode === "mine") return ["count", "suggest"].includes(kind) || hints > 0;
  return hints >= KINDS_OF_HELP[kind];
}

function showHelp() {
  const { state, position } = play;
  const { isOpen, members } = position;
  const isMine = state.mode === "mine";
  const next = isMine ? (state.hints === 0 ? "Compare guesses" : null) : RUNGS[state.hints];
  find("play-help").hidden = !isOpen || (state.hints === 0 && !find("play-start").hidden);
  find("help-none").hidden = isMine || state.hints > 0;
  find("play-hint").textContent = isMine ? "Compare" : "Hint";
  find("play-hint").title = next ?? "";
  find("play-hint").disabled = !next;
  find("help-count").hidden = !helps("count");
  find("play-count").textContent = several(members.length, "candidate");
  if (helps("count")) listCodes(find("play-codes"), play.game, members);
  find("help-worth").hidden = !helps("check") || !isOpen;
  find("help-suggest").hidden = !helps("suggest") || !isOpen;
  find("help-best").hidden = !helps("best") || !isOpen;
  find("play-take").hidden = isMine && !entry.isEditing;
  find("play-take").disabled = true;
  find("help-suggestion").replaceChildren();
  find("help-table").replaceChildren();
  find("play-line").textContent = play.strategy.line;
  suggested = null;
  if (isOpen && helps("suggest")) suggest(members);
  if (isOpen && helps("best")) rank(members);
  else forget("best");
}

const percent = (share) =>
  share === 0 ? "never" : share === 1 ? "certain" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;

// What the guess on the board is worth, before it is played.
function showWorth() {
  if (!helps("check") || !play.position.isOpen) return;
  const guess = guessEntered();
  if (guess === undefined) {
    find("help-worth").textContent = "Compose a guess to see what it is worth.";
    return;
  }
  const { members } = play.position,
    worth = worthOf(play.game, guess, members);
  const consistent =
    worth.ends === 1
      ? "is the secret"
      : worth.isCandidate
        ? `is the secret with probability ${percent(worth.ends)}`
        : "can’t be the secret, but may still separate the candidates";
  find("help-worth").replaceChildren(
    codeView(play.game, play.game.guesses[guess]),
    ` ${consistent}. ${several(worth.cells, "answer is", "answers are")} possible; they leave ${worth.expected.toFixed(1)} candidates on average and ${worth.largest.toLocaleString("en")} at most.`,
  );
}

// The guesses that the rule of the game allows; null means all.
function allowed(members) {
  const { game } = play;
  const { rule } = play.state;
  const { moves } = play.position;
  if (rule === "candidates") return [...members];
  if (rule !== "wordle" || game.family !== "marks") return null;
  const candidates = new Set(members);
  return [
    ...members,
    ...[...game.guesses.keys()].filter(
      (guess) => !candidates.has(guess) && !whyNotHard(game, moves, game.guesses[guess]),
    ),
  ];
}

// The guess of the strategy's tree and the guesses to go, or null if the moves have left the tree.
function plannedGuess() {
  const { game, strategy, position } = play;
  const tree = treeOf(strategy);
  const walk = tree && follow(game, tree, position.moves);
  if (!walk?.inTree) return null;
  const node = walk.path.at(-1);
  return { guess: renamed(game, tree.guess[node], walk.back), mean: tree.mean(node) };
}

// The strategy's guess: from its tree while the moves follow it.
async function suggest(members) {
  const { game, strategy } = play;
  const { moves } = play.position;
  const line = find("help-suggestion");
  const only = allowed(members);
  const tree = treeOf(strategy);
  const planned = only === null ? plannedGuess() : null;
  if (planned) return showSuggestion(members, planned.guess, planned.mean);
  const words = strategy.rule || !tree || only ? "" : `These moves leave the tree of ‘${strategy.label}’: `;
  line.textContent = `${words}computing…`;
  const played = moves.map(({ guess }) => guess),
    question = {
      rule: strategy.rule,
      members,
      turn: moves.length + 1,
      previous: moves.at(-1)?.id ?? -1,
      played,
      only,
      wantsMean:
        only === null &&
        members.length * game.guesses.length <= 3e7 &&
        (game.rows !== null || members.length < 200),
    };
  const show = ({ guess, mean, exact }) =>
    showSuggestion(
      members,
      guess,
      mean,
      words && `${words}${exact ? "the page plays optimally from here." : "the page chooses by entropy."}`,
    );
  const answer = await ask("suggest", game, question, show);
  if (answer) show(answer);
}

function showSuggestion(members, guess, mean, words = "") {
  const { game } = play,
    isNew = suggested !== guess;
  suggested = guess;
  find("play-take").disabled = false;
  find("help-suggestion").replaceChildren(
    ...(words ? [make("span", { class: "fallback", text: words }), make("br")] : []),
    make(
      "span",
      { id: "play-suggestion", "data-guess": game.guesses[guess] },
      codeView(game, game.guesses[guess]),
    ),
    members.includes(guess) ? " could be the secret. " : " can’t be the secret, but separates the candidates. ",
    ...(mean === null ? [] : [`${mean.toFixed(4)} more guesses on average.`]),
  );
  if (isNew && isAdvising() && entry.slots.every((symbol) => symbol === null)) setGuess(game.guesses[guess]);
}

// Ranks guesses by guesses to go, together with the strategy's advice.
const SHOWN_GUESSES = 5;

async function rank(members) {
  const { game } = play;
  const { moves } = play.position;
  find("help-table").textContent = "computing…";
  const only = allowed(members);
  const question = {
    members,
    only,
    played: moves.map(({ guess }) => guess),
    planned: only ? null : plannedGuess(),
    count: SHOWN_GUESSES,
    known: knownValues(game, moves),
  };
  const answer = await ask("best", game, question, ({ worths }) => showRanking(game, worths));
  if (answer) showRanking(game, answer);
}

function showRanking(game, worths) {
  const hasMeans = worths.some((worth) => worth.mean !== null);
  const heads = ["guess", ...(hasMeans ? ["guesses to go"] : []), "left on average", "at most", "ends now"];
  const head = heads.map((text, i) => make("th", { scope: "col", class: i && "n", text }));
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...worths.map((worth) => rankingRow(game, worth, hasMeans))),
  );
  find("help-table").replaceChildren(table);
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
    worth.expected.toFixed(1),
    worth.largest.toLocaleString("en"),
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

find("play-hint").addEventListener("click", () => append({ kind: "hint" }));
find("play-take").addEventListener("click", () => takeGuess(suggested));
onStrategy(
  find("play-strategy"),
  () => play.game,
  (strategy) => {
    play.strategy = strategy;
    keep("strategies", { ...kept("strategies"), [play.game.name]: strategy.tree });
    showPlay();
  },
);
