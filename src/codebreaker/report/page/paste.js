// Pasted games: lines as this page shares them, as the terminal prints them, or Wordle's tiles.
const TILES = { "🟩": "g", "🟨": "y", "🟧": "g", "🟦": "y", "⬛": "b", "⬜": "b" };

// The moves in a text; a RangeError names the first line that looks like a move and can't be one.
function movesIn(game, text) {
  const moves = [];
  if (text.length > LONGEST_TEXT) throw new RangeError("The pasted text is too long for a game.");
  for (const line of text.split("\n")) {
    const found = /^\s*(?:\d+[.:)]\s+)?([^\s:*]+)[\s:*]+(\S.*)$/u.exec(line.replace(/\uFE0F/g, ""));
    if (!found) continue;
    const texts = [found[1], found[2].trim()];
    if (TILES[[...texts[0]][0]]) texts.reverse();
    const guess = game.indexOf.get(codeIn(game, texts[0])), id = answerIn(game, texts[1]);
    if (guess === undefined && id === undefined) continue;
    if (guess === undefined) throw new RangeError(`'${texts[0].slice(0, 30)}' is not a guess of ${game.title}.`);
    if (id === undefined) throw new RangeError(`'${texts[1].slice(0, 30)}' is not an answer of ${game.title}.`);
    moves.push({ guess, id });
    if (moves.length > MOST_MOVES) throw new RangeError(`The pasted text has more than ${MOST_MOVES} moves.`);
  }
  if (moves.length === 0) throw new RangeError("The pasted text has no moves that this page can read, such as '1122 2,1' in a line.");
  return moves;
}

function codeIn(game, text) {
  const symbols = [...text.toLowerCase()].map((one) => (EMOJI.includes(one) ? game.symbols[EMOJI.indexOf(one)] : symbolOf(game, one)));
  return game.indexOf.has(text) ? text : symbols.join(separatorOf(game));
}

function answerIn(game, text) {
  const first = text.split(/\s{2,}|\s(?=[a-z])/u)[0].replace(/\s/g, "");
  if (game.family === "marks") return game.idOf.get([...first].map((one) => TILES[one] ?? one.toLowerCase()).join(""));
  if (game.family === "matches") return game.idOf.get(first);
  const pins = [...first], isPins = pins.every((pin) => "⚫⚪–".includes(pin)), count = (pin) => pins.filter((one) => one === pin).length;
  const numbers = isPins ? [count("⚫"), count("⚪")] : (/^(\d)B?[-,]?(?:(\d)C?)?$/i.exec(first) ?? []).slice(1).map(Number);
  return game.idOf.get(first.toUpperCase()) ?? game.idOf.get(game.family === "black" ? `${numbers[0]}B` : `${numbers[0]}B-${numbers[1]}C`);
}

addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea")) return;
  try {
    const moves = movesIn(play.game, event.clipboardData.getData("text"));
    sure("Replace this game by the pasted one?", "Replace it", () => (setMode("mine"), startGame({ moves })));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    find("play-refused").textContent = error.message;
  }
});
