// Views of codes and feedback: coloured pegs, and descriptions for screen readers.
const COLOURS = settings.colours;
const LETTERED = COLOURS.filter((colour) => colour.letter).length;
const MARKS = { g: "in place", y: "elsewhere", b: "not there" };

// A symbol in words, with its colour where the page gives it one.
function symbolWords(game, symbol) {
  if (game.spelled) return symbol;
  const number = game.symbols.indexOf(symbol);
  const { name } = COLOURS[number % COLOURS.length];
  return `${symbol} (${isRinged(number) ? "ringed " : ""}${name})`;
}

// Colours repeat if there are more symbols: then with a ring.
const isRinged = (number) => number >= COLOURS.length;

// The symbol that a typed letter stands for: itself, or a colour.
function symbolOf(game, letter) {
  if (game.spelled || game.family === "bc" || game.symbols.includes(letter)) return letter;
  return game.symbols[COLOURS.findIndex((colour) => colour.letter === letter)] ?? letter;
}

// Words are shown in the direction in which they are read.
const directionOf = (game) =>
  game.spelled &&
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    game.symbols.join(""),
  )
    ? "rtl"
    : null;

// Letters without a single capital, such as ß, are shown as they are.
const hasNoCapital = (letter) => [...letter.toUpperCase()].length !== [...letter].length;
const capitalOf = (letter) => (hasNoCapital(letter) ? letter : letter.toUpperCase());

const codeWords = (game, label) =>
  symbolsOf(label)
    .map((symbol) => symbolWords(game, symbol))
    .join(" ");

function codeView(game, label) {
  const symbols = symbolsOf(label);
  const view = make("span", {
    class: "code",
    role: "img",
    dir: directionOf(game),
    "aria-label": codeWords(game, label),
  });
  for (const symbol of symbols) {
    const peg = make("span", { class: game.spelled ? "letter" : "peg", text: symbol });
    if (!game.spelled) paint(peg, game, symbol);
    peg.classList.toggle("as-is", hasNoCapital(symbol));
    view.append(peg);
  }
  return view;
}

function paint(peg, game, symbol) {
  const number = game.symbols.indexOf(symbol);
  const colour = COLOURS[number % COLOURS.length];
  const ink = colour.dark ? "#fff" : "#111";
  peg.style.background = isRinged(number) ? `radial-gradient(circle, ${colour.value} 58%, ${ink} 60%)` : colour.value;
  peg.style.color = ink;
}

// Black and white pegs in a feedback label such as 2B-1C, or null for other labels.
function pegsOf(label) {
  const match = /^(\d+)B(?:-(\d+)C)?$/.exec(label);
  return match && { black: Number(match[1]), white: match[2] === undefined ? null : Number(match[2]) };
}

function feedbackWords(game, id) {
  const label = game.feedback[id];
  const pegs = pegsOf(label);
  if (pegs) return pegs.white === null ? `${pegs.black} black` : `${pegs.black} black, ${pegs.white} white`;
  if (game.family === "matches") return `${label} in place`;
  return [...label].map((mark, i) => `letter ${i + 1} ${MARKS[mark]}`).join(", ");
}

function feedbackView(game, id) {
  const label = game.feedback[id];
  const pegs = pegsOf(label);
  const view = make("span", { class: "feedback", role: "img", "aria-label": feedbackWords(game, id) });
  if (pegs) {
    const kinds = ["black", ...(pegs.white === null ? [] : ["white"])];
    for (const kind of kinds)
      for (let i = 0; i < pegs[kind]; i++) view.append(make("span", { class: `pin ${kind}` }));
    for (let i = pegs.black + (pegs.white ?? 0); i < game.pegs; i++)
      view.append(make("span", { class: "pin" }));
  } else if (game.family === "matches") {
    view.append(make("span", { class: "letter", text: label }));
  } else {
    for (const mark of label) view.append(make("span", { class: `mark ${mark}` }));
  }
  return view;
}

// A move: in Wordle's games the letters themselves are marked.
function moveView(game, guess, id, note) {
  const code = codeView(game, game.guesses[guess]);
  if (game.family !== "marks")
    return make("li", {}, code, feedbackView(game, id), make("small", { text: note }));
  [...game.feedback[id]].forEach((mark, i) => (code.children[i].dataset.mark = mark));
  code.setAttribute(
    "aria-label",
    symbolsOf(game.guesses[guess])
      .map((letter, i) => `${letter} ${MARKS[game.feedback[id][i]]}`)
      .join(", "),
  );
  return make("li", {}, code, make("small", { text: note }));
}

// Shows a button with a note for each feedback; `press` takes its id.
function fillPad(pad, game, ids, notes, press) {
  pad.replaceChildren(
    ...ids.map((id, i) =>
      make(
        "button",
        {
          type: "button",
          "data-feedback": game.feedback[id],
          "aria-label": `${feedbackWords(game, id)}${notes[i] ? `: ${notes[i]}` : ""}`,
          onclick: () => press(id),
        },
        feedbackView(game, id),
        make("small", { text: notes[i] }),
      ),
    ),
  );
}

const MAX_SHOWN = 60;

function listCodes(list, game, members) {
  const shown = members.slice(0, MAX_SHOWN);
  list.replaceChildren(...[...shown].map((member) => make("li", {}, codeView(game, game.guesses[member]))));
  if (members.length > MAX_SHOWN)
    list.append(make("li", { text: `and ${grouped(members.length - MAX_SHOWN)} more` }));
}
