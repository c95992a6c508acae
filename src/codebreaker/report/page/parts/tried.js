// A guess of mine in the explorer: its guesses to go, against the strategy's, and the board to go on with it.
import { knownValues } from "../engine/carry.js";
import { MoveReader } from "../engine/reading.js";
import { ask, forget } from "./ask.js";
import { find } from "./elements.js";
import { exploreFrom, explorerBoard } from "./explorer.js";
import { codeView } from "./pegs.js";
import { begin, sure } from "./play.js";
import { bitsWords } from "./why.js";

/** @import { Worth } from "../engine/worth.js" */

// Begins another position, of which no guess was tried.
/** @type {() => void} */
export function clearTried() {
  forget("tried");
  find("tried-guess").value = "";
  find("tried-told").replaceChildren();
  find("tried-refused").textContent = "";
  find("tried-go").hidden = true;
  find("tried-walk").hidden = true;
}

async function tryGuess() {
  const { game, members, moves, mean, planned } = explorerBoard();
  const text = find("tried-guess").value.trim();
  if (text === "") return clearTried();
  const guess = new MoveReader(game).guess(text);
  const isGuess = guess !== undefined;
  find("tried-refused").textContent = isGuess ? "" : `'${text.slice(0, 40)}' is not a guess of ${game.title}.`;
  find("tried-go").hidden = !isGuess;
  find("tried-walk").hidden = !isGuess || moves.length > 0;
  find("tried-told").textContent = isGuess ? "computing…" : "";
  if (!isGuess) return forget("tried");
  const known = knownValues(game, moves);
  const worth = await ask("tried", game, { members, guess, planned: null, known, isRuled: false });
  if (worth === null) return;
  find("tried-told").replaceChildren(
    codeView(game, game.guesses[guess]),
    ` ${triedWords(worth, mean, guess === planned)}`,
  );
}

// The guesses to go with a guess and the best play after it, compared with the strategy's tree.
/** @type {(worth: Worth, ofStrategy: number, isPlanned: boolean) => string} */
function triedWords(worth, ofStrategy, isPlanned) {
  if (worth.mean === null) return `${bitsWords(worth)}. Its guesses to go take too long to compute here.`;
  const digits = worth.isExact ? 4 : 2;
  const about = worth.isExact ? "" : "about ";
  const play = worth.isExact ? "with best play after it" : "with good play after it";
  const more = Number((worth.mean - ofStrategy).toFixed(digits));
  const needs = `needs ${about}${worth.mean.toFixed(digits)} more guesses ${play}`;
  const difference = `${Math.abs(more).toFixed(digits)} ${more < 0 ? "fewer" : "more"} than the strategy’s tree`;
  const compared = more === 0 ? "as many as the strategy’s tree" : difference;
  return `${isPlanned ? "is the strategy’s guess. It " : ""}${needs}, ${compared}. It ${bitsWords(worth)}.`;
}

// Opens a tree that begins with the guess.
async function walkFrom() {
  const { game } = explorerBoard();
  const guess = new MoveReader(game).guess(find("tried-guess").value);
  if (guess === undefined) return;
  find("tried-told").textContent = "growing a tree…";
  if (!await exploreFrom(game, guess)) find("tried-told").textContent = "Its tree takes too long to grow here.";
}

// Goes on from the explorer's position on the board, with the guess in the open row.
function goOn() {
  const { game, moves } = explorerBoard();
  const guess = new MoveReader(game).guess(find("tried-guess").value);
  if (guess === undefined) return;
  const labelled = moves.map(({ guess: earlier, id }) => ({
    kind: "move",
    guess: game.guesses[earlier],
    answer: game.feedback[id],
  }));
  const later = [...labelled, { kind: "choose", guess: game.guesses[guess] }];
  sure("Go on from this position? The game on the board is left unfinished.", "Go on", () => {
    begin(game, { mode: "mine", origin: "pasted", rule: "any" }, later);
    find("assistant").scrollIntoView();
  });
}

find("tried-guess").addEventListener("change", tryGuess);
find("tried-go").addEventListener("click", goOn);
find("tried-walk").addEventListener("click", walkFrom);
