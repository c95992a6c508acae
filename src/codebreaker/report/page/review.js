// A finished game in words: what each guess lost, how lucky its answer was, and a score.
const LOST = [
  [5e-4, "best"],
  [0.05, "good"],
  [0.2, "inaccurate"],
  [Infinity, "costly"],
];
const SOME_LUCK = 0.05;
const LONG_LINK = 4000;

// Reviews all guesses asked, also those taken back: their answers were known.
async function showReview() {
  const { game, state, position } = play;
  if (!game.isListed) return showSampledReview();
  const moves = position.asked;
  const isTakenBack = (i) => !state.moves.includes(state.asked[i]);
  find("play-review").hidden = false;
  find("review-title").textContent = state.player === "me" ? "Your game" : "The game of the link";
  find("share-challenge").hidden = state.mode !== "hidden";
  find("review-told").textContent = "computing…";
  for (const id of ["review-first", "review-score", "review-moves", "review-sum", "review-best"])
    find(id).replaceChildren();
  showComparison();
  const tell = ({ done }) =>
    (find("review-told").textContent = `computing: ${done} of ${several(moves.length, "move")}`);
  const rows = await ask("review", game, { moves, known: knownValues(game, moves) }, tell);
  if (!rows) return;
  const isCompared = rows.every((row) => row.regret !== null);
  const lost = rows.reduce((sum, row) => sum + row.regret, 0);
  const compared = rows.filter((row) => row.regret !== null);
  const isExact = compared.every((row) => row.exact);
  const source = isExact
    ? "Compared with optimal play, exactly."
    : "Figures with ≈ are estimates: optimal play takes too long to compute there.";
  find("review-told").replaceChildren(make("strong", { text: verdictOf(game, moves, rows) }), ` ${compared.length > 0 ? source : ""}`);
  if (isCompared && position.isSolved)
    find("review-score").replaceChildren(...scoreView(game, lost, state.hints, isExact));
  if (isCompared && state.isOver && state.lost === null) appendReview(lost);
  find("review-moves").replaceChildren(
    make("ol", { class: "review" }, ...rows.map((row, i) => reviewView(game, moves, i, row, isTakenBack(i)))),
  );
  find("review-sum").textContent = sumOf(rows, moves.length, position.isSolved);
  showBestGame(game, position.isSolved ? moves.at(-1).guess : state.hasGivenUp ? position.hidden : null);
}

// What comes first: how many guesses an ordinary player, best play and the player need on average.
async function showComparison() {
  const { game, record, state, position } = play;
  if (!position.isSolved || state.mode === "devious") return;
  const ordinary = await ordinaryMean(game);
  if (ordinary === null || play.record.id !== record.id) return;
  find("review-first").textContent = comparisonOf(game, state, position, ordinary);
}

function comparisonOf(game, state, { asked, moves }, ordinary) {
  const guesses = asked.length;
  const isMine = state.player === "me";
  const took = `${isMine ? "You needed" : "This game took"} ${several(guesses, "guess", "guesses")}${aidsOf(state)}`;
  const player = `an ordinary player, who always guesses some ${nounOf(game)} that fits, needs`;
  const best = bestTreeOf(game);
  const others = `On average ${player} about ${ordinary.toFixed(1)}${best ? ", and best play " : ""}`;
  const lines = [];
  if (best) {
    const mean = best.total / game.allSecrets.length;
    const ofSecret = movesOfTree(game, treeOf(game, best), moves.at(-1).guess).length;
    lines.push(`${took}: ${comparedWith(guesses, mean)} best play on average.`);
    lines.push(`${others}${mean.toFixed(2)}; for this secret it needs ${ofSecret}.`);
  } else lines.push(`${took}: ${comparedWith(guesses, ordinary)} an ordinary player on average.`, `${others}.`);
  return [...lines, ...(isMine ? ownAverage(game) : [])].join(" ");
}

// A number of guesses against a mean.
const comparedWith = (guesses, mean) => (guesses < mean ? "fewer than" : guesses > mean ? "more than" : "as many as");

// The player's own average of the game, over several games.
function ownAverage(game) {
  const results = resultsOf(allRecords());
  const here = results.filter((result) => result.game === game.name && result.list === listOf(game));
  const { solved, guesses } = statisticsOf(here);
  return solved > 1 ? [`Your own average is ${guesses.toFixed(2)}, over ${several(solved, "game")}.`] : [];
}

// The tree with the lowest total that the page has of a game, if any.
const bestTreeOf = (game) =>
  game.strategies.filter((strategy) => strategy.choices).sort((a, b) => a.total - b.total)[0];

// The mean guesses of an ordinary player by game, once they are computed.
const ordinaryMeans = new WeakMap();

// Null if another game is asked for before the answer comes.
async function ordinaryMean(game) {
  if (!ordinaryMeans.has(game)) {
    const mean = await ask("ordinary", game, {});
    if (mean === null) return null;
    ordinaryMeans.set(game, mean);
  }
  return ordinaryMeans.get(game);
}

// 100 for best play, and 50 if a quarter of a guess is lost. A player who always draws some code that fits all answers
// gets 52 on average in MM(4,6), over 1,614 games. Each hint takes a fifth of the score.
const LOST_AT_HALF = 0.25;
const LEFT_BY_HINT = 0.8;

const scoreOf = (lost, hints = 0) => (100 * LOST_AT_HALF * LEFT_BY_HINT ** hints) / (LOST_AT_HALF + lost);

function scoreView(game, lost, hints, isExact) {
  const planned = game.strategies.filter((strategy) => strategy.choices);
  const n = game.allSecrets.length;
  const best = Math.min(...planned.map((strategy) => strategy.total));
  const others = ["entropy", "worst-case", "first-consistent"]
    .map((tree) => planned.find((strategy) => strategy.tree === tree))
    .filter(Boolean);
  const compared = others
    .map((strategy) => `${strategy.label} ${Math.round(scoreOf((strategy.total - best) / n))}`)
    .join(", ");
  const hintWords =
    hints > 0
      ? ` ${several(hints, "hint")} took ${Math.round(100 * (1 - LEFT_BY_HINT ** hints))}% of it.`
      : " Each hint takes a fifth.";
  const meaning = [
    "100 is best play.",
    "A quarter of a guess lost makes 50,",
    `as for a careful player who always guesses some ${nounOf(game)} that fits all answers.`,
    compared ? `On average over all secrets: ${compared}.` : "",
    `Luck does not count.${hintWords}`,
  ].join(" ");
  return [
    isExact ? "" : "about ",
    make("strong", { text: Math.round(scoreOf(lost, hints)) }),
    " of 100",
    make("details", {}, make("summary", { text: "What the score means" }), make("small", { text: meaning })),
  ];
}

// The review in a sentence: the best and the worst move.
function verdictOf(game, moves, rows) {
  if (rows.some((row) => row.regret === null))
    return "Some moves have too many candidates to be compared with the best one.";
  const name = (i) => `guess ${i + 1}, ${game.guesses[moves[i].guess]}`;
  const byRegret = [...rows.keys()].sort((a, b) => rows[a].regret - rows[b].regret);
  const worst = byRegret.at(-1);
  const isProven = rows.every((row) => row.exact);
  if (rows[worst].regret < LOST[0][0])
    return isProven ? "No guess could have been better." : "The page found no better guess at any move.";
  const [first] = byRegret;
  const isBest = rows[first].exact && rows[first].regret < LOST[0][0];
  const best = isBest ? "was as good as any" : "came closest to the best";
  if (rows.length === 1)
    return `Your guess lost ${rows[worst].regret.toFixed(2)} of a guess.${reasonOf(game, rows[worst])}`;
  const most = rows[worst].regret.toFixed(2);
  return `${capital(name(first))}, ${best}; ${name(worst)}, lost most: ${most} of a guess.${reasonOf(game, rows[worst])}`;
}

const sizeOf = (value) => Math.abs(value).toFixed(2);

function luckWords(about, luck) {
  if (Math.abs(luck) < SOME_LUCK) return "an average answer";
  return luck > 0
    ? `lucky: the answer saved ${about}${sizeOf(luck)} guesses`
    : `unlucky: the answer cost ${about}${sizeOf(luck)} guesses`;
}

// A move in the review: what it lost, and how lucky its answer was.
function reviewView(game, moves, number, row, isTakenBack) {
  const { guess, id } = moves[number];
  const left = id === game.solved ? "solved" : several(row.after, "candidate");
  const note = `${grouped(row.before)} → ${left}${isTakenBack ? ", taken back" : ""}`;
  const view = moveView(game, guess, id, note);
  view.append(make("p", {}, ...lossView(row)));
  const keepAfter = (left, move) => game.keep(left, move.guess, move.id);
  const membersBefore = () => moves.slice(0, number).reduce(keepAfter, game.allSecrets);
  if (row.before > 1)
    view.append(make("p", { class: "hint", text: bitsOfMove(row) }), whyOfMove(game, row, id, membersBefore));
  return view;
}

function lossView(row) {
  if (row.regret === null) return ["too many candidates to compare this move with the best one"];
  const about = row.exact ? "" : "≈ ";
  const lossless = row.regret < LOST[0][0];
  // An estimate is no proof that a guess is the best.
  const grade = lossless && !row.exact ? "good" : LOST.find(([limit]) => row.regret < limit)[1];
  const none = row.exact ? "no guess is better" : "the page found no better guess";
  const loss = lossless ? none : `${about}${row.regret.toFixed(3)} guesses lost`;
  return [make("b", { class: `grade ${grade}`, text: grade }), ` ${loss}; ${luckWords(about, row.luck)}`];
}

// The identity: guesses = the best mean + the guesses lost − the luck of the answers.
function sumOf(rows, guesses, solved) {
  if (rows.some((row) => row.regret === null)) return "";
  const about = rows.every((row) => row.exact) ? "" : "about ";
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const luck = sum("luck");
  const start = `${rows[0].isMinimumExact ? "" : "about "}${rows[0].minimum.toFixed(4)}`;
  const lost = `${about}${sum("regret").toFixed(3)}`;
  const saved = `${luck < 0 ? "cost" : "saved"} ${about}${Math.abs(luck).toFixed(3)}`;
  const parts =
    `Best play needs ${start} guesses on average. ` +
    `Your choices lost ${lost} (skill), and the answers ${saved} (luck)`;
  return solved ? `${parts}: ${guesses} in all.` : `${parts}.`;
}

// The moves of a tree's game for a secret.
function movesOfTree(game, tree, secret) {
  const moves = [];
  for (let node = 0; node !== null; node = tree.child(node, moves.at(-1).id)) {
    const guess = tree.guess[node];
    moves.push({ guess, id: game.feedbackOf(guess, secret) });
  }
  return moves;
}

// What the best tree of the page plays on the same secret.
function showBestGame(game, secret) {
  const strategy = bestTreeOf(game);
  if (!strategy || secret === null) return;
  const moves = movesOfTree(game, treeOf(game, strategy), secret);
  find("review-best").replaceChildren(
    make("h3", { text: `The best tree here finds it in ${several(moves.length, "guess", "guesses")}` }),
    make("ol", { class: "moves" }, ...moves.map(({ guess, id }) => moveView(game, guess, id, ""))),
  );
}

const EMOJI = ["🔵", "🟠", "🟢", "🔴", "🟣", "🟡"];

// The game as text. A code of the day is told without its codes, so that friends can still play it.
function resultText() {
  const { game, state, position } = play;
  const isSpoiler = state.origin !== "daily";
  const guesses = several(position.asked.length, "guess", "guesses");
  const how = state.hasGivenUp
    ? "given up"
    : position.isSolved
      ? `solved with ${guesses}`
      : `${guesses} so far`;
  const end = `${how}${aidsOf(state)}`;
  const title = state.origin === "daily" ? `${game.title}, ${state.day}` : game.title;
  const rows = position.asked.map(
    ({ guess, id }) => `${isSpoiler ? `${emojiOf(game, guess)} ` : ""}${answerText(game, id)}`,
  );
  const sum = isSpoiler ? find("review-sum").textContent : "";
  return [`${title}: ${end}`, ...rows, ...(sum ? [sum] : [])].join("\n");
}

// What made a game easier, in brackets: guesses taken back, whose answers were known, and hints.
function aidsOf({ mode, takenBack, hints }) {
  const aids = [];
  if (takenBack > 0) aids.push(`${takenBack} taken back`);
  if (hints > 0 && mode !== "mine") aids.push(several(hints, "hint"));
  return aids.length > 0 ? ` (${aids.join(", ")})` : "";
}

function emojiOf(game, guess) {
  const isDrawn = !game.spelled && game.symbols.length <= EMOJI.length;
  return symbolsOf(game.guesses[guess])
    .map((symbol) => (isDrawn ? EMOJI[game.symbols.indexOf(symbol)] : symbol))
    .join("");
}

function answerText(game, id) {
  const label = game.feedback[id];
  const pegs = pegsOf(label);
  if (pegs) return "⚫".repeat(pegs.black) + "⚪".repeat(pegs.white ?? 0) || "–";
  return game.family === "marks"
    ? label.replaceAll("g", "🟩").replaceAll("y", "🟨").replaceAll("b", "⬛")
    : label;
}

// Offers a text: on the phone's share sheet, if there is one, and to copy.
async function share(text) {
  const shown = find("share-shown");
  find("play-share").hidden = false;
  find("share-own").hidden = true;
  find("share-sheet").hidden = typeof navigator.share !== "function";
  shown.value = text;
  shown.focus({ preventScroll: true });
  shown.select();
  find("play-share").scrollIntoView({ block: "nearest" });
  find("share-told").textContent = `${await copied(text)}${noteOnLink(text)}`;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "Copy the text with Ctrl+C.";
  }
}

// What is to be known of a link: long ones are cut off by some programs, and a file is not on other devices.
function noteOnLink(text) {
  if (!text.includes("#game=")) return "";
  const isLong = text.length > LONG_LINK;
  const long = isLong
    ? ` The link has ${grouped(text.length)} characters with its words, and some programs cut it off.`
    : "";
  const file =
    location.protocol === "file:"
      ? " It leads to the file on this device. Whoever has the page too can copy the link and paste it there."
      : "";
  return `${long}${file}`;
}

// A link to the game with its moves or, as a challenge, to its secret alone, with the player's own words.
async function shareLink(isChallenge) {
  const state = playState();
  if (isChallenge) return shareChallenge({ ...state, friend: NAMELESS });
  share(linkOf({ ...state, words: await ownWordsForLink() }));
}

async function shareChallenge({ game, id, key, rule, friend }) {
  await share(linkOf({ game, id, key, rule, friend, words: await ownWordsForLink() }));
  find("share-own").hidden = false;
}

const ownWordsForLink = async () => (play.game.name === "words-own" ? squeezed(ownText()) : "");

const OWN_CHALLENGE = { player: "other", origin: "challenge", mode: "hidden" };

// A challenge with a secret of the player's own, who knows it: the game does not count for them.
function shareOwnSecret() {
  const { game } = play;
  const text = find("share-secret").value;
  const secret = new MoveReader(game).guess(text);
  if (secret === undefined || !game.isSecret(secret)) {
    find("share-told").textContent = `'${text.slice(0, 30)}' can't be a secret of ${game.title}.`;
    return;
  }
  const friend = find("share-name").value.trim().slice(0, LONGEST_NAME) || NAMELESS;
  const start = startOf(game, { ...OWN_CHALLENGE, rule: play.state.rule, secret });
  const id = newId();
  storeRecord({ id, events: [start] });
  shareChallenge({ game: game.name, id, key: start.key, rule: start.rule === "any" ? "" : start.rule, friend });
}

find("share-text").addEventListener("click", () => share(resultText()));
find("share-link").addEventListener("click", () => shareLink(false));
find("share-challenge").addEventListener("click", () => shareLink(true));
find("share-sheet").addEventListener("click", () => {
  const cancelled = () => {};
  navigator.share({ text: find("share-shown").value }).catch(cancelled);
});
find("share-own").addEventListener("submit", (event) => {
  event.preventDefault();
  shareOwnSecret();
});
