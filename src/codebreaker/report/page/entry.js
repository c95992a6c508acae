// The guess being composed: typed digits, letters of colours or words, or pegs that are tapped.
const typedGuess = () => symbolsTyped().join(play.game.guesses[0].includes(".") ? "." : "");

function symbolsTyped() {
  const text = find("play-guess").value.trim().toLowerCase();
  return symbolsOf(play.game.spelled || text.includes(".") ? text : text.replace(/[\s,-]/g, "")).map((symbol) => symbolOf(play.game, symbol));
}

// The guess as an index, or undefined while it is none of the game's.
const guessEntered = () => play.game.indexOf.get(typedGuess());

function layEntry() {
  const { game } = play;
  find("play-guess").setAttribute("inputmode", game.spelled ? "text" : "none");
  find("play-palette").hidden = game.spelled;
  find("play-palette").replaceChildren(
    ...(game.spelled ? [] : game.symbols.map((symbol) => {
      const button = make("button", { type: "button", class: "peg", text: symbol, "aria-label": `add ${symbolWords(game, symbol)}`, onclick: () => addSymbol(symbol) });
      paint(button, game, symbol);
      return button;
    })),
    ...(game.spelled ? [] : [make("button", { type: "button", class: "erase", text: "⌫", "aria-label": "remove the last peg", onclick: () => dropSymbol(symbolsTyped().length - 1) })]),
  );
  const lettered = game.symbols.length > LETTERED ? [] : COLOURS.slice(0, game.symbols.length);
  find("play-how").textContent = game.spelled
    ? "Type a word and press Enter."
    : `Tap colours, or type numbers${lettered.length > 1 ? ` or letters (${lettered.map((one) => `${one.letter.toUpperCase()} ${one.name}`).join(", ")})` : ""}, and press Enter. Ctrl+Z undoes a move.`;
}

function setGuess(text) {
  find("play-guess").value = text;
  guessChanged();
}

function guessChanged() {
  const { game } = play, symbols = symbolsTyped();
  find("play-error").textContent = "";
  find("play-slots").hidden = game.spelled;
  if (!game.spelled)
    find("play-slots").replaceChildren(
      ...Array.from({ length: game.pegs }, (_, i) => {
        const symbol = symbols[i], known = game.symbols.includes(symbol);
        const slot = make("button", { type: "button", class: "peg slot", text: symbol ?? "", disabled: !symbol && "", "aria-label": symbol ? `peg ${i + 1}: ${symbolWords(game, symbol)}; remove it` : `peg ${i + 1}: empty`, onclick: () => dropSymbol(i) });
        if (known) paint(slot, game, symbol);
        return slot;
      }),
    );
  showWorth();
}

function addSymbol(symbol) {
  const symbols = symbolsTyped();
  if (symbols.length < play.game.pegs) setGuess([...symbols, symbol].join(play.game.guesses[0].includes(".") ? "." : ""));
}

function dropSymbol(at) {
  setGuess(symbolsTyped().filter((_, i) => i !== at).join(play.game.guesses[0].includes(".") ? "." : ""));
  find("play-guess").focus({ preventScroll: true });
}

function submitGuess(event) {
  event.preventDefault();
  const { game } = play, text = typedGuess(), guess = game.indexOf.get(text), { members } = standing();
  if (guess === undefined) return refuseGuess(whyNot(game, text));
  if (helps("hard") && !members.includes(guess)) return refuseGuess(`${text} contradicts an earlier answer, and hard mode allows only guesses that could be the secret.`);
  playGuess(guess);
}

function refuseGuess(reason) {
  find("play-error").textContent = reason;
}

function whyNot(game, text) {
  const symbols = symbolsOf(text);
  if (text === "") return game.spelled ? "Type a word first." : "Choose the colours of your guess first.";
  if (symbols.length !== game.pegs) return `${text} has ${several(symbols.length, game.spelled ? "letter" : "peg")}: guesses have ${game.pegs}.`;
  if (game.spelled) return `${text} is not in the word list.`;
  const unknown = symbols.find((symbol) => !game.symbols.includes(symbol));
  if (unknown) return `${text} has ${unknown}: the symbols are ${game.symbols.join(" ")}.`;
  return `${text} repeats a symbol, which no code of this game does.`;
}

find("play-form").addEventListener("submit", submitGuess);
find("play-guess").addEventListener("input", guessChanged);
