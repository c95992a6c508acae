// A game analysed: what each guess cost against the best play, and how lucky its answer was.
async function showReview() {
  const { game, moves } = play, { solved } = standing();
  find("play-review").hidden = false;
  find("review-told").textContent = "computing…";
  for (const id of ["review-moves", "review-sum"]) find(id).replaceChildren();
  find("share-shown").hidden = true;
  find("share-told").textContent = "";
  const told = ({ done }) => (find("review-told").textContent = `computing: ${done} of ${several(moves.length, "move")}`);
  const rows = await ask("review", game, { moves, known: knownValues(game, moves) }, told);
  if (!rows) return;
  find("review-told").textContent = rows.every((row) => row.exact)
    ? "All figures are exact: they compare with optimal play."
    : "Figures marked ≈ are estimates: they compare with the best strategy of this page, as optimal play takes too long to compute there.";
  find("review-moves").replaceChildren(make("ol", { class: "review" }, ...rows.map((row, i) => reviewView(game, moves[i], row))));
  find("review-sum").textContent = sumOf(rows, moves.length, solved);
}

const signed = (value) => (Math.abs(value) < 5e-4 ? "0" : `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`);

function reviewView(game, { guess, id }, row) {
  const about = row.exact ? "" : "≈ ", view = make("li", {}, codeView(game, game.guesses[guess]), feedbackView(game, id));
  const facts = [["candidates", `${row.before.toLocaleString("en")} → ${row.after.toLocaleString("en")}`]];
  if (row.cost === null) facts.push(["cost", "not priced: too many candidates"], ["luck", `${signed(row.luckBits)} bits`]);
  else
    facts.push(
      ["cost", row.cost < 5e-4 ? `${about}nothing: no guess is better` : `${about}${row.cost.toFixed(3)} guesses`],
      ["luck", `${about}${signed(row.luck)} guesses (${signed(row.luckBits)} bits)`],
      ["best play from here", `${row.isLeastExact ? "" : "≈ "}${row.least.toFixed(4)} more guesses on average`],
    );
  view.append(make("dl", { class: "facts" }));
  define(view.lastChild, facts);
  view.append(splitView(game, "this guess", row.mine));
  if (row.better) view.append(splitView(game, "better", row.better));
  return view;
}

// A guess beside its partition: the sizes of its cells as bars.
function splitView(game, name, worth) {
  const sizes = worth.parts.filter(Boolean).sort((a, b) => b - a), total = sizes.reduce((a, b) => a + b);
  const bar = make("span", { class: "split", "aria-hidden": "true" }, ...sizes.map(() => make("i")));
  sizes.forEach((size, i) => (bar.children[i].style.flexGrow = size / total));
  return make("p", { class: "partition" }, make("span", { class: "which", text: name }), codeView(game, game.guesses[worth.guess]), bar,
    make("small", { text: `${several(sizes.length, "possible answer")}, ${worth.expected.toFixed(1)} candidates left on average, ${worth.largest.toLocaleString("en")} at most` }));
}

// The identity: guesses = the best mean + what the guesses cost − the luck of the answers.
function sumOf(rows, guesses, solved) {
  if (rows.some((row) => row.cost === null)) return "";
  const about = rows.every((row) => row.exact) ? "" : "about ", sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const cost = sum("cost"), luck = sum("luck"), start = rows[0].least;
  const parts = `Best play needs ${rows[0].isLeastExact ? "" : "about "}${start.toFixed(4)} guesses on average over all secrets. Your guesses cost ${about}${cost.toFixed(3)} more (skill), and the answers ${luck < 0 ? "took" : "saved"} ${about}${Math.abs(luck).toFixed(3)} (luck)`;
  return solved ? `${parts}: together ${guesses}.` : `${parts}.`;
}

const EMOJI = ["🔵", "🟠", "🟢", "🔴", "🟣", "🟡"];

function resultText() {
  const { game, moves } = play, { solved } = standing();
  const code = (guess) => symbolsOf(game.guesses[guess]).map((symbol) => (game.spelled || game.symbols.length > EMOJI.length ? symbol : EMOJI[game.symbols.indexOf(symbol)])).join("");
  const answer = (id) => {
    const label = game.feedback[id], pegs = pegsOf(label);
    if (pegs) return "⚫".repeat(pegs.black) + "⚪".repeat(pegs.white ?? 0) || "–";
    return game.family === "marks" ? label.replaceAll("g", "🟩").replaceAll("y", "🟨").replaceAll("b", "⬛") : label;
  };
  const end = solved ? `solved with ${several(moves.length, "guess", "guesses")}` : `${several(moves.length, "guess", "guesses")} so far`;
  return [`${game.title}: ${play.gaveUp ? "given up" : end}`, ...moves.map(({ guess, id }) => `${code(guess)} ${answer(id)}`), ...(find("review-sum").textContent ? [find("review-sum").textContent] : [])].join("\n");
}

async function share(text) {
  const shown = find("share-shown");
  Object.assign(shown, { value: text, hidden: false });
  shown.focus();
  shown.select();
  try {
    await navigator.clipboard.writeText(text);
    find("share-told").textContent = "Copied.";
  } catch {
    find("share-told").textContent = "Copy the text with Ctrl+C.";
  }
}

find("share-text").addEventListener("click", () => share(resultText()));
find("share-link").addEventListener("click", () => (play.game.name === "words-own" ? (find("share-told").textContent = "A link can't carry your own word list: share the text instead.") : share(linkOf(playState()))));
