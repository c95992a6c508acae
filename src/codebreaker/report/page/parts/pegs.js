// Views of codes and feedback: coloured pegs, and descriptions for screen readers.
import { codeWords, isRinged } from "../engine/colours.js";
import { symbolsOf } from "../engine/game.js";
import { feedbackWords, hasNoCapital, MARKS, pegsOf } from "../engine/naming.js";
import { COLOURS } from "../engine/palette.js";
import { grouped } from "../engine/words.js";
import { make } from "./elements.js";

/** @import { Members } from "../engine/game.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */

// Words are shown in the direction in which they are read.
/** @type {(game: AnyGame) => string | null} */
export const directionOf = (game) =>
  game.spelled &&
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
      game.symbols.join(""),
    )
    ? "rtl"
    : null;

/** @type {(game: AnyGame, label: string) => HTMLElement} */
export function codeView(game, label) {
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

/** @type {(peg: HTMLElement, game: AnyGame, symbol: string) => void} */
export function paint(peg, game, symbol) {
  const number = game.symbols.indexOf(symbol);
  const colour = COLOURS[number % COLOURS.length];
  const ink = colour.dark ? "#fff" : "#111";
  peg.style.background = isRinged(number) ? `radial-gradient(circle, ${colour.value} 58%, ${ink} 60%)` : colour.value;
  peg.style.color = ink;
}

/** @type {(game: AnyGame, id: number) => HTMLElement} */
export function feedbackView(game, id) {
  const label = game.feedback[id];
  const pegs = pegsOf(label);
  const view = make("span", { class: "feedback", role: "img", "aria-label": feedbackWords(game, id) });
  if (pegs) {
    const kinds = ["black", ...(pegs.white === null ? [] : ["white"])];
    for (const kind of kinds) {
      for (let i = 0; i < (kind === "black" ? pegs.black : Number(pegs.white)); i++) {
        view.append(make("span", { class: `pin ${kind}` }));
      }
    }
    const given = pegs.black + (pegs.white ?? 0);
    for (let i = given; i < game.pegs; i++) view.append(make("span", { class: "pin" }));
    if (given === 0) view.append(make("span", { class: "nothing", "aria-hidden": "true", text: "none" }));
  } else if (game.family === "matches") {
    view.append(make("span", { class: "letter", text: label }));
  } else {
    for (const mark of label) view.append(make("span", { class: `mark ${mark}` }));
  }
  return view;
}

// A move: in Wordle's games the letters themselves are marked.
/** @type {(game: AnyGame, guess: number, id: number, note: string) => HTMLElement} */
export function moveView(game, guess, id, note) {
  const code = codeView(game, game.guesses[guess]);
  if (game.family !== "marks") {
    return make("li", {}, code, feedbackView(game, id), make("small", { text: note }));
  }
  [...game.feedback[id]].forEach((mark, i) => code.children[i].setAttribute("data-mark", mark));
  code.setAttribute(
    "aria-label",
    symbolsOf(game.guesses[guess])
      .map((letter, i) => `${letter} ${MARKS[game.feedback[id][i]]}`)
      .join(", "),
  );
  return make("li", {}, code, make("small", { text: note }));
}

// Shows a button with a note for each feedback; `press` takes its id.
/** @type {(pad: HTMLElement, game: AnyGame, ids: number[], notes: string[], press: (id: number) => void) => void} */
export function fillPad(pad, game, ids, notes, press) {
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
      )
    ),
  );
}

export const MAX_SHOWN = 60;

/** @type {(list: HTMLElement, game: AnyGame, members: Members) => void} */
export function listCodes(list, game, members) {
  const shown = members.slice(0, MAX_SHOWN);
  list.replaceChildren(...[...shown].map((member) => make("li", {}, codeView(game, game.guesses[member]))));
  if (members.length > MAX_SHOWN) {
    list.append(make("li", { text: `and ${grouped(members.length - MAX_SHOWN)} more` }));
  }
}
