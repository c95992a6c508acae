// The answer to a guess whose secret is elsewhere: tapped, or typed, such as 2,1 for two black and one white. None is the default.
const answering = { game: null, guess: null, typed: "", chosen: null, press: null, note: null };

// Asks for the feedback to a guess; `press` takes its id, `note` says what an id would mean.
function askAnswer(game, guess, press, note) {
  const isMarks = game.family === "marks", isPegs = pegsOf(game.feedback[0]) !== null;
  Object.assign(answering, { game, guess, press, note, typed: "", touched: false });
  answering.chosen = isMarks ? [...game.guesses[guess]].map(() => "b") : Array(isPegs && game.family !== "black" ? 2 : 1).fill(null);
  find("answer-title").replaceChildren("What is the answer to ", codeView(game, game.guesses[guess]), "?");
  find("answer-rows").replaceChildren(...(isMarks ? letterButtons() : answerRows(isPegs)));
  find("answer-how").textContent = isMarks
    ? "Tap the letters, or type g (in place), y (elsewhere) and b (not there), such as gybbb. Enter records it."
    : answering.chosen.length === 2
      ? "Tap the numbers, or type black, then white: 2,1 or 21 or 2b1w. Arrow keys change a row. Enter records it."
      : "Tap the number, or type it. Enter records it.";
  showAnswer();
  find("answer-rows").querySelector(isMarks ? "button" : "input").focus({ preventScroll: true });
}

// A row of numbers for each kind of peg.
function answerRows(isPegs) {
  const { game, chosen } = answering, kinds = isPegs ? ["black", "white"].slice(0, chosen.length) : ["place"];
  return kinds.map((kind, row) =>
    make("fieldset", { class: "numbers" }, make("legend", { text: { black: "Black: right colour, right place", white: "White: right colour, elsewhere", place: "Letters in place" }[kind] }),
      ...Array.from({ length: game.pegs + 1 }, (_, n) =>
        make("label", {}, make("input", { type: "radio", name: `answer-${kind}`, value: n, "aria-label": `${n} ${kind === "place" ? "in place" : kind}`, onchange: () => ((answering.typed = ""), choosePart(row, n)) }), make("span", { text: String(n) })))));
}

function letterButtons() {
  const { game, guess, chosen } = answering;
  return symbolsOf(game.guesses[guess]).map((letter, i) =>
    make("button", { type: "button", class: "letter-mark", "data-letter": i, onclick: () => ((answering.typed = ""), choosePart(i, { b: "y", y: "g", g: "b" }[chosen[i]])) },
      make("span", { class: "letter", text: letter }), make("span", { class: "mark" })));
}

function choosePart(part, value) {
  answering.chosen[part] = value;
  answering.touched = true;
  const { game, chosen } = answering;
  if (game.family !== "marks" && chosen.length === 2 && chosen[0] === game.pegs) chosen[1] = 0;
  showAnswer();
}

// The id of the answer chosen so far, or null if it is not complete or not possible.
function answerId() {
  const { game, chosen } = answering;
  if (chosen.includes(null)) return null;
  if (game.family === "marks") return game.idOf.get(chosen.join("")) ?? null;
  if (game.family === "matches") return game.idOf.get(String(chosen[0])) ?? null;
  return game.idOf.get(chosen.length === 1 ? `${chosen[0]}B` : `${chosen[0]}B-${chosen[1]}C`) ?? null;
}

function showAnswer() {
  const { game, guess, chosen } = answering, id = answerId();
  if (game.family === "marks")
    find("answer-rows").querySelectorAll("button").forEach((button, i) => {
      button.dataset.mark = chosen[i];
      button.lastChild.className = `mark ${chosen[i]}`;
      button.setAttribute("aria-label", `${symbolsOf(game.guesses[guess])[i]}: ${MARKS[chosen[i]]}`);
    });
  else
    find("answer-rows").querySelectorAll("fieldset").forEach((row, part) =>
      row.querySelectorAll("input").forEach((input, n) => {
        input.checked = chosen[part] === n;
        const other = chosen.length === 2 ? chosen[1 - part] : null;
        input.disabled = !isPossible(part === 0 ? n : other, part === 0 ? other : n);
      }),
    );
  find("answer-told").textContent = id === null ? (chosen.includes(null) ? "" : "No secret gives this answer.") : answering.note(id);
  find("answer-record").textContent = id === null || game.family === "marks" ? "Record" : `Record: ${feedbackWords(game, id)}`;
}

// Whether the game has an answer of these numbers of black and white pegs; null is not yet chosen.
function isPossible(black, white) {
  const { game, chosen } = answering;
  if (chosen.length === 1) return true;
  return game.feedback.some((label) => {
    const pegs = pegsOf(label);
    return (black === null || pegs.black === black) && (white === null || pegs.white === white);
  });
}

// Typed answers: 2,1 or 21 or 2 1 or 2b1w; for words g, y and b. A text that ends in a number or letter is complete as far as it goes.
function typeAnswer(event) {
  const { game, chosen } = answering, key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "backspace") answering.typed = answering.typed.slice(0, -1);
  else if (game.family === "marks" ? /^[gyb]$/.test(key) : /^[0-9bw,;]$/.test(key) || (key === " " && answering.typed)) answering.typed += key;
  else return;
  event.preventDefault();
  answering.touched = true;
  if (game.family === "marks") {
    answering.typed = answering.typed.slice(-chosen.length);
    chosen.forEach((_, i) => (chosen[i] = answering.typed[i] ?? "b"));
  } else readNumbers();
  showAnswer();
}

function readNumbers() {
  const { typed, chosen, game } = answering, parts = [...typed.matchAll(/(\d)\s*([bw]?)/g)];
  const found = Array(chosen.length).fill(null);
  parts.forEach(([, digit, kind], i) => {
    const at = kind === "b" ? 0 : kind === "w" ? 1 : i;
    if (at < found.length && Number(digit) <= game.pegs) found[at] = Number(digit);
  });
  if (found[0] === game.pegs && found.length === 2) found[1] = 0;
  chosen.splice(0, chosen.length, ...found);
}

function recordAnswer(event) {
  event.preventDefault();
  const { chosen, game, touched, press } = answering, id = answerId();
  if (id !== null && touched) return press(id);
  find("answer-told").textContent = chosen.includes(null)
    ? chosen.length === 2 ? "Say how many black and how many white pegs: type 2,1, for example." : "Say how many are in place: type the number."
    : id === null ? "No secret gives this answer." : "Tap or type the marks first, such as gybbb; press Record if no letter is in the secret.";
}

find("play-answer").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target !== find("answer-record") && event.target !== find("answer-cancel")) {
    event.preventDefault();
    recordAnswer(event);
  } else typeAnswer(event);
});
find("play-answer").addEventListener("submit", (event) => {
  answering.touched = true;
  recordAnswer(event);
});
