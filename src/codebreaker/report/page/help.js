// Help in steps: candidates left, what a typed guess is worth, five good guesses, and the guess of a strategy.
const helpBoxes = [...find("play-help").querySelectorAll("input")];
const DEFAULT_HELP = { hidden: [], devious: [], mine: ["count", "check", "suggest"] };
let suggested = null;

const helps = (kind) => helpBoxes.find((box) => box.value === kind).checked;

function loadHelps() {
  const wanted = kept("help")?.[play.mode] ?? DEFAULT_HELP[play.mode];
  for (const box of helpBoxes) box.checked = wanted.includes(box.value);
}

function saveHelps() {
  keep("help", { ...kept("help"), [play.mode]: helpBoxes.filter((box) => box.checked).map((box) => box.value) });
}

function showHelp(now) {
  const { game, pending } = play, open = !now.over && pending === null;
  find("help-count").hidden = !helps("count");
  find("play-count").textContent = several(now.members.length, "candidate");
  if (helps("count")) listCodes(find("play-codes"), game, now.members);
  find("help-check").hidden = !helps("check") || !open;
  find("help-suggest").hidden = !helps("suggest") || !open;
  find("help-best").hidden = !helps("best") || !open;
  suggested = null;
  find("play-take").disabled = true;
  find("help-suggestion").replaceChildren();
  find("help-table").replaceChildren();
  find("play-line").textContent = play.strategy.line;
  showWorth();
  if (open && helps("suggest")) suggest(now.members);
  if (open && helps("best")) rank(now.members);
  else forget("best");
}

const percent = (share) => (share === 0 ? "no chance" : share === 1 ? "certain" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`);

// What the guess in the field is worth, before it is played.
function showWorth() {
  if (!play.game || !helps("check") || find("play-form").hidden) return;
  const guess = guessEntered();
  if (guess === undefined) {
    find("help-worth").textContent = "Compose a guess, and its worth stands here.";
    return;
  }
  const { members } = standing(), worth = worthOf(play.game, guess, members);
  const consistent = worth.isCandidate
    ? `could be the secret: the chance is ${percent(worth.ends)}`
    : "can't be the secret, but may still separate the candidates";
  find("help-worth").replaceChildren(
    codeView(play.game, play.game.guesses[guess]),
    ` ${consistent}. ${several(worth.cells, "answer is", "answers are")} possible, after which ${worth.expected.toFixed(1)} candidates are left on average and ${worth.largest.toLocaleString("en")} at most.`,
  );
}

// The strategy's guess: looked up in its tree while the moves follow it, computed otherwise.
async function suggest(members) {
  const { game, strategy, moves } = play, told = find("help-suggestion");
  const tree = treeOf(strategy), walk = tree && follow(game, tree, moves);
  if (walk?.inTree) {
    const node = walk.path.at(-1);
    return showSuggestion(members, renamed(game, tree.guess[node], walk.back), tree.mean(node));
  }
  const words = strategy.rule || !tree ? "" : `‘${strategy.label}’ is a prepared tree without these moves: `;
  told.textContent = `${words}computing…`;
  const played = moves.map(({ guess }) => guess), question = {
    rule: strategy.rule, members, turn: moves.length + 1, previous: moves.at(-1)?.id ?? -1, played, wantsMean: members.length * game.guesses.length <= 3e7 && (game.rows !== null || members.length < 200),
  };
  const show = ({ guess, mean, exact }) => showSuggestion(members, guess, mean, words && `${words}${exact ? "the page plays optimally from here." : "the page chooses by entropy."}`);
  const answer = await ask("suggest", game, question, show);
  if (answer) show(answer);
}

function showSuggestion(members, guess, mean, words = "") {
  const { game } = play;
  suggested = guess;
  find("play-take").disabled = false;
  find("help-suggestion").replaceChildren(
    ...(words ? [make("span", { class: "fallback", text: words }), make("br")] : []),
    make("span", { id: "play-suggestion", "data-guess": game.guesses[guess] }, codeView(game, game.guesses[guess])),
    members.includes(guess) ? " could be the secret. " : " can't be the secret, but separates the candidates best. ",
    ...(mean === null ? [] : [`${mean.toFixed(4)} more guesses on average.`]),
  );
}

async function rank(members) {
  const { game, moves } = play;
  find("help-table").textContent = "computing…";
  const only = helps("hard") ? members : null;
  const found = await ask("best", game, { members, played: moves.map(({ guess }) => guess), many: 5, only });
  if (!found) return;
  const priced = found.every((one) => one.mean !== null);
  const heads = ["guess", "left on average", "left at most", "ends now", ...(priced ? ["guesses to go"] : [])];
  find("help-table").replaceChildren(
    make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((text, i) => make("th", { scope: "col", class: i && "n", text })))),
      make("tbody", {}, ...found.map((one) => make("tr", {},
        make("td", {}, make("button", { type: "button", class: "plain", "aria-label": `use ${game.guesses[one.guess]}`, onclick: () => setGuess(game.guesses[one.guess]) }, codeView(game, game.guesses[one.guess]))),
        make("td", { class: "n", text: one.expected.toFixed(1) }), make("td", { class: "n", text: one.largest.toLocaleString("en") }), make("td", { class: "n", text: one.ends ? percent(one.ends) : "–" }),
        ...(priced ? [make("td", { class: "n", text: one.mean.toFixed(3) })] : []))))),
  );
}

for (const box of helpBoxes) box.addEventListener("change", () => (saveHelps(), showPlay()));
find("play-take").addEventListener("click", () => (setGuess(play.game.guesses[suggested]), find("play-guess").focus({ preventScroll: true })));
onStrategy(find("play-strategy"), () => play.game, (strategy) => ((play.strategy = strategy), showPlay()));
