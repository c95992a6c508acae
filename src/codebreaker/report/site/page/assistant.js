// The assistant: suggests guesses for your own game, lists candidates, and detects contradictions.
const assistant = { game: null, strategy: null, hidden: null, moves: [], pending: null, suggestion: null, request: 0 };
const MAX_PAIRS_FOR_MEANS = 3e7;

const pause = () => new Promise((done) => setTimeout(done));

async function assistGame(name) {
  assistant.game = await openGame(name);
  find("assistant-game").value = name;
  find("assistant-strategy").replaceChildren(
    ...assistant.game.strategies.map((one) => make("option", { value: one.tree, text: one.name })),
  );
  assistant.strategy = assistant.game.strategies[0];
  const { game } = assistant;
  find("assistant-palette").replaceChildren(
    ...(game.spelled ? [] : game.symbols.map((symbol) => {
      const button = make("button", { type: "button", class: "peg", text: symbol, "aria-label": `add ${symbol}`, onclick: () => addSymbol(symbol) });
      paint(button, game, symbol);
      return button;
    })),
  );
  newGame();
}

function newGame() {
  const { game } = assistant, isHidden = document.querySelector('[name="assistant-mode"]:checked').value === "hidden";
  Object.assign(assistant, { moves: [], pending: null, hidden: isHidden ? game.allSecrets[Math.floor(Math.random() * game.allSecrets.length)] : null });
  setGuess("");
  showAssistant();
}

// The candidates before each move and after the last one; they are empty after a contradiction.
function setsOf(game, moves) {
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  return sets;
}

const isOver = () => assistant.moves.length > 0 && assistant.moves.at(-1).id === assistant.game.solved;

function showAssistant() {
  const { game, moves, hidden } = assistant, sets = setsOf(game, moves), members = sets.at(-1);
  find("assistant-moves").replaceChildren(
    ...moves.map(({ guess, id }, i) => {
      const wrong = sets[i + 1].length === 0 && sets[i].length > 0;
      const view = moveView(game, guess, id, wrong ? "contradicts earlier moves" : `${several(sets[i + 1].length, "candidate")} left`);
      if (wrong) view.classList.add("wrong");
      return view;
    }),
  );
  find("assistant-undo").disabled = moves.length === 0 && assistant.pending === null;
  find("assistant-reveal").hidden = hidden === null || isOver();
  find("assistant-count").textContent = several(members.length, "candidate");
  listCodes(find("assistant-codes"), game, members);
  const over = isOver() || members.length === 0;
  find("assistant-form").hidden = over || assistant.pending !== null;
  showQuestion();
  define(find("assistant-facts"), []);
  find("assistant-status").textContent = statusOf(sets);
  assistant.suggestion = null;
  find("assistant-take").disabled = true;
  if (!over && assistant.pending === null) suggest(members);
}

function statusOf(sets) {
  const { game, moves } = assistant, at = sets.findIndex((set) => set.length === 0);
  if (at > 0) {
    const { guess, id } = moves[at - 1];
    return `Contradiction at move ${at}: ${several(sets[at - 1].length, "candidate was", "candidates were")} left, and none of them gives ${game.guesses[guess]} the feedback ${feedbackWords(game, id)}. Undo this move or an earlier one, and enter it again.`;
  }
  if (isOver()) return `Solved with ${several(moves.length, "guess", "guesses")}: ${game.guesses[moves.at(-1).guess]}.`;
  return `Move ${moves.length + 1}: ${several(sets.at(-1).length, "candidate")} left.`;
}

// The strategy's guess: looked up in its tree while the moves follow it, computed otherwise.
async function suggest(members) {
  const { game, strategy, moves } = assistant, request = ++assistant.request, rule = strategy.rule;
  const stale = () => request !== assistant.request;
  const node = nodeOf(treeOf(strategy), moves);
  let guess = null, mean = null;
  if (node !== null) {
    guess = treeOf(strategy).guess[node];
    mean = treeOf(strategy).mean(node);
  } else if (rule) {
    const turn = moves.length + 1, previous = moves.length ? moves.at(-1).id : -1;
    const progress = (share) => {
      if (!stale()) define(find("assistant-facts"), [["suggestion", `computing: ${Math.round(100 * share)}%`]]);
      return pause();
    };
    guess = await choose(game, rule, members, turn, previous, progress);
    if (!stale() && members.length * game.guesses.length <= MAX_PAIRS_FOR_MEANS)
      mean = (await totalOf(game, rule, members, turn, previous, pause)) / members.length;
  }
  if (stale()) return;
  assistant.suggestion = guess;
  find("assistant-take").disabled = guess === null;
  define(find("assistant-facts"), guess === null
    ? [["suggestion", `none: these moves leave the tree of ${strategy.name}; choose another strategy`]]
    : [
        ["suggestion", make("span", { id: "assistant-suggestion", "data-guess": game.guesses[guess] }, codeView(game, game.guesses[guess]), members.includes(guess) ? " (a candidate)" : " (not a candidate, but it separates them)")],
        ...(mean === null ? [] : [["remaining guesses", `${mean.toFixed(4)} expected if ${strategy.name} continues`]]),
      ]);
}

// The node that the moves lead to, or null if they leave the tree.
function nodeOf(tree, moves) {
  let node = 0;
  for (const { guess, id } of moves) {
    if (node === null || tree.guess[node] !== guess) return null;
    node = tree.child(node, id);
  }
  return node;
}

function showQuestion() {
  const { game, pending } = assistant, isAsking = pending !== null;
  find("assistant-answer").hidden = !isAsking;
  if (!isAsking) return;
  find("assistant-ask").textContent = `Feedback to ${game.guesses[pending]}`;
  const press = (id) => record(pending, id);
  if (game.family === "marks") fillMarks(find("assistant-pad"), game, pending, press);
  else fillPad(find("assistant-pad"), game, [...game.feedback.keys()], game.feedback.map(() => ""), press);
  find("assistant-pad").querySelector("button").focus({ preventScroll: true });
}

function record(guess, id) {
  assistant.moves.push({ guess, id });
  assistant.pending = null;
  setGuess("");
  showAssistant();
  (find("assistant-form").hidden ? find("assistant-undo") : find("assistant-guess")).focus({ preventScroll: true });
}

function setGuess(text) {
  find("assistant-guess").value = text;
  find("assistant-error").textContent = "";
  previewGuess();
}

function previewGuess() {
  const { game } = assistant, text = find("assistant-guess").value.trim().toLowerCase();
  const known = text && symbolsOf(text).every((symbol) => game.symbols.includes(symbol));
  find("assistant-preview").replaceChildren(...(known ? [codeView(game, text)] : []));
}

function addSymbol(symbol) {
  const text = find("assistant-guess").value;
  if (symbolsOf(text).length < assistant.game.pegs || text === "") setGuess(text + symbol);
  find("assistant-guess").focus();
}

function playGuess(event) {
  event.preventDefault();
  const { game, hidden } = assistant, text = find("assistant-guess").value.trim().toLowerCase();
  const guess = game.indexOf.get(text);
  if (guess === undefined) {
    find("assistant-error").textContent = whyNot(game, text);
    return;
  }
  if (hidden !== null) return record(guess, game.feedbackOf(guess, hidden));
  assistant.pending = guess;
  showAssistant();
}

function whyNot(game, text) {
  const symbols = symbolsOf(text);
  if (text === "") return "Type a guess first, or take the suggestion.";
  if (symbols.length !== game.pegs) return `${text} has ${several(symbols.length, "symbol")}: guesses have ${game.pegs}.`;
  if (game.spelled) return `${text} is not in the word list.`;
  const unknown = symbols.find((symbol) => !game.symbols.includes(symbol));
  if (unknown) return `${text} has ${unknown}: the symbols are ${game.symbols.join(" ")}.`;
  return `${text} repeats a symbol, which no code of this game does.`;
}

function undo() {
  if (assistant.pending !== null) assistant.pending = null;
  else assistant.moves.pop();
  showAssistant();
}

function giveUp() {
  record(assistant.hidden, assistant.game.solved);
}

find("assistant-form").addEventListener("submit", playGuess);
find("assistant-guess").addEventListener("input", () => ((find("assistant-error").textContent = ""), previewGuess()));
find("assistant-take").addEventListener("click", () => (setGuess(assistant.game.guesses[assistant.suggestion]), find("assistant-guess").focus()));
find("assistant-undo").addEventListener("click", undo);
find("assistant-new").addEventListener("click", newGame);
find("assistant-reveal").addEventListener("click", giveUp);
find("assistant-game").addEventListener("change", (event) => assistGame(event.target.value));
find("assistant-strategy").addEventListener("change", (event) => {
  assistant.strategy = assistant.game.strategies.find((one) => one.tree === event.target.value);
  showAssistant();
});
for (const mode of document.querySelectorAll('[name="assistant-mode"]')) mode.addEventListener("change", newGame);
find("assistant").addEventListener("keydown", (event) => {
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !find("assistant-guess").value) {
    event.preventDefault();
    if (!find("assistant-undo").disabled) undo();
  }
});
