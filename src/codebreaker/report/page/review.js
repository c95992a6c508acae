// A finished game in words: what each guess lost, how lucky its answer was, and a score.
const LOST = [[5e-4, "best"], [0.05, "good"], [0.2, "inaccurate"], [Infinity, "costly"]];
const SOME_LUCK = 0.05, LONG_LINK = 4000;

// Reviews all guesses asked, also those taken back: their answers were known.
async function showReview() {
  const { game, state, position } = play;
  const moves = position.asked;
  find("play-review").hidden = false;
  find("play-history").hidden = true;
  find("review-title").textContent = state.player === "me" ? "Your game" : "The game of the link";
  find("share-challenge").hidden = state.mode !== "hidden";
  find("review-told").textContent = "computing…";
  for (const id of ["review-score", "review-moves", "review-sum", "review-best"]) find(id).replaceChildren();
  const tell = ({ done }) => (find("review-told").textContent = `computing: ${done} of ${several(moves.length, "move")}`);
  const rows = await ask("review", game, { moves, known: knownValues(game, moves) }, tell);
  if (!rows) return;
  const isCompared = rows.every((row) => row.regret !== null);
  const lost = rows.reduce((sum, row) => sum + row.regret, 0);
  find("review-told").textContent = rows.every((row) => row.exact) ? "Compared with optimal play, exactly."
    : "Figures with ≈ are estimates: optimal play takes too long to compute there.";
  if (isCompared && position.isSolved) find("review-score").replaceChildren(...scoreView(game, lost, state.hints));
  if (isCompared && state.isOver && state.lost === null) appendReview(lost);
  find("review-moves").replaceChildren(make("ol", { class: "review" }, ...rows.map((row, i) => reviewView(game, moves[i], row))));
  find("review-sum").textContent = sumOf(rows, moves.length, position.isSolved);
  showBestGame(game, position.isSolved ? moves.at(-1).guess : state.hasGivenUp ? position.hidden : null);
}

// 100 for best play. Each half of a guess lost halves the score, and each hint takes a fifth of it.
const HALVED_BY = 0.5;
const LEFT_BY_HINT = 0.8;

const scoreOf = (lost, hints = 0) => 100 * 2 ** (-lost / HALVED_BY) * LEFT_BY_HINT ** hints;

function scoreView(game, lost, hints) {
  const planned = game.strategies.filter((strategy) => strategy.nodes);
  const n = game.allSecrets.length;
  const best = Math.min(...planned.map((strategy) => strategy.total));
  const others = ["entropy", "worst-case", "first-consistent"].map((tree) => planned.find((strategy) => strategy.tree === tree)).filter(Boolean);
  const compared = others.map((strategy) => `${strategy.label} ${Math.round(scoreOf((strategy.total - best) / n))}`).join(", ");
  const meaning = `Best play has 100${compared ? `, ${compared} (their averages over all secrets)` : ""}. Half a guess lost halves the score, and each hint takes a fifth of it; luck does not count.`;
  return [make("strong", { text: Math.round(scoreOf(lost, hints)) }), " of 100", make("small", { text: meaning })];
}

const sizeOf = (value) => Math.abs(value).toFixed(2);

function luckWords(about, luck) {
  if (Math.abs(luck) < SOME_LUCK) return "an average answer";
  return luck > 0 ? `lucky: the answer saved ${about}${sizeOf(luck)} guesses` : `unlucky: the answer cost ${about}${sizeOf(luck)} guesses`;
}

function reviewView(game, { guess, id }, row) {
  const about = row.exact ? "" : "≈ ", view = moveView(game, guess, id, `${row.before.toLocaleString("en")} → ${id === game.solved ? "solved" : several(row.after, "candidate")}`);
  const word = row.regret === null ? "" : LOST.find(([limit]) => row.regret < limit)[1];
  const told = row.regret === null ? "too many candidates to compare this move with the best one"
    : `${word === "best" ? `${about}no guess is better` : `${about}${row.regret.toFixed(3)} guesses lost`}; ${luckWords(about, row.luck)}`;
  view.append(make("p", {}, ...(word ? [make("b", { class: `grade ${word}`, text: word }), " "] : []), told));
  if (row.better) view.append(make("details", {}, make("summary", { text: "A better guess" }), splitView(game, "yours", row.mine), splitView(game, "better", row.better)));
  return view;
}

// A guess with its partition: the sizes of its parts as bars.
function splitView(game, name, worth) {
  const sizes = worth.parts.filter(Boolean).sort((a, b) => b - a), total = sizes.reduce((a, b) => a + b);
  const bar = make("span", { class: "split", "aria-hidden": "true" }, ...sizes.map(() => make("i")));
  sizes.forEach((size, i) => (bar.children[i].style.flexGrow = size / total));
  return make("p", { class: "partition" }, make("span", { class: "which", text: name }), codeView(game, game.guesses[worth.guess]), bar,
    make("small", { text: `${several(sizes.length, "possible answer")}, ${worth.expected.toFixed(1)} candidates left on average, ${worth.largest.toLocaleString("en")} at most` }));
}

// The identity: guesses = the best mean + the guesses lost − the luck of the answers.
function sumOf(rows, guesses, solved) {
  if (rows.some((row) => row.regret === null)) return "";
  const about = rows.every((row) => row.exact) ? "" : "about ", sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const luck = sum("luck"), start = rows[0].minimum;
  const parts = `Best play needs ${rows[0].isMinimumExact ? "" : "about "}${start.toFixed(4)} guesses on average. Your choices lost ${about}${sum("regret").toFixed(3)} (skill), and the answers ${luck < 0 ? "cost" : "saved"} ${about}${Math.abs(luck).toFixed(3)} (luck)`;
  return solved ? `${parts}: ${guesses} in all.` : `${parts}.`;
}

// What the best tree of the page plays on the same secret.
function showBestGame(game, secret) {
  const strategy = game.strategies.filter((one) => one.nodes).sort((a, b) => a.total - b.total)[0];
  if (!strategy || secret === null) return;
  const tree = treeOf(strategy), moves = [];
  for (let node = 0; node !== null; node = tree.child(node, moves.at(-1).id)) {
    const guess = tree.guess[node];
    moves.push({ guess, id: game.feedbackOf(guess, secret) });
  }
  find("review-best").replaceChildren(make("h3", { text: `The best tree here finds it in ${several(moves.length, "guess", "guesses")}` }),
    make("ol", { class: "moves" }, ...moves.map(({ guess, id }) => moveView(game, guess, id, ""))));
}

const EMOJI = ["🔵", "🟠", "🟢", "🔴", "🟣", "🟡"];

function resultText() {
  const { game, state, position } = play;
  const { moves } = position;
  const code = (guess) => symbolsOf(game.guesses[guess]).map((symbol) => (game.spelled || game.symbols.length > EMOJI.length ? symbol : EMOJI[game.symbols.indexOf(symbol)])).join("");
  const answer = (id) => {
    const label = game.feedback[id], pegs = pegsOf(label);
    if (pegs) return "⚫".repeat(pegs.black) + "⚪".repeat(pegs.white ?? 0) || "–";
    return game.family === "marks" ? label.replaceAll("g", "🟩").replaceAll("y", "🟨").replaceAll("b", "⬛") : label;
  };
  const guesses = several(position.asked.length, "guess", "guesses");
  const end = state.hasGivenUp ? "given up" : position.isSolved ? `solved with ${guesses}` : `${guesses} so far`;
  return [`${game.title}: ${end}`, ...moves.map(({ guess, id }) => `${code(guess)} ${answer(id)}`), ...(find("review-sum").textContent ? [find("review-sum").textContent] : [])].join("\n");
}

async function share(text) {
  const shown = find("share-shown");
  find("play-share").hidden = false;
  shown.value = text;
  shown.focus();
  shown.select();
  try {
    await navigator.clipboard.writeText(text);
    find("share-told").textContent = text.length > LONG_LINK ? `Copied. With its words the link has ${text.length.toLocaleString("en")} characters, and some programs cut long links off.` : "Copied.";
  } catch {
    find("share-told").textContent = "Copy the text with Ctrl+C.";
  }
}

// A link to the game with its moves or, as a challenge, to its secret alone, with the player's own words.
async function shareLink(isChallenge) {
  const state = playState();
  const words = state.game === "words-own" ? await squeezed(ownText()) : "";
  const { game, id, key, rule } = state;
  share(linkOf(isChallenge ? { game, id, key, rule, friend: "1", words } : { ...state, words }));
}

find("share-text").addEventListener("click", () => share(resultText()));
find("share-link").addEventListener("click", () => shareLink(false));
find("share-challenge").addEventListener("click", () => shareLink(true));
