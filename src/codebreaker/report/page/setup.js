// The choice of a game, and the guide.
async function chooseGame(name) {
  say("");
  find("play-size").hidden = name !== "size";
  find("play-words").hidden = name !== "words-own";
  if (name === "size" || (name === "words-own" && !ownText())) return;
  try {
    begin(await openGame(name));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
  }
}

// A key that chose an entry of the list may choose the next one; otherwise keys go to the board.
let isChosenByArrow = false;
find("play-game").addEventListener("keydown", ({ key }) => (isChosenByArrow = key.startsWith("Arrow")));
find("play-game").addEventListener("pointerdown", () => (isChosenByArrow = false));

find("play-game").addEventListener("change", (event) => {
  const select = event.target;
  const name = select.value;
  if (name !== "size" && name !== "words-own") select.value = play.game.name;
  sure("Start another game? This one is left unfinished.", "Start it", async () => {
    select.value = name;
    await chooseGame(name);
    if (!isChosenByArrow && select.value === play.game.name) focusBoard();
  });
});
find("play-size").addEventListener("submit", async (event) => {
  event.preventDefault();
  await chooseGame(`mm-${Number(find("play-pegs").value)}-${Number(find("play-colours").value)}`);
  if (find("play-refused").textContent) find("play-size").hidden = false;
});
find("play-words").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = [find("play-list").value, find("play-others").value].filter((part) => part.trim()).join("\n|\n");
  try {
    ownWords(text);
  } catch (error) {
    find("play-refused").textContent = error.message;
    return;
  }
  keep("words", text);
  lent = null;
  games.delete("words-own");
  await chooseGame("words-own");
  find("play-words").hidden = true;
});
[find("play-list").value, find("play-others").value] = [...(kept("words") ?? "").split("|").map((part) => part.trim()), ""];

const GUIDE = [
  ["play-moves", "Fill the open row: tap symbols, or type them. Tap a peg of the row to replace it; Enter plays the guess."],
  ["play-moves", "Each guess gets an answer: black pegs for right symbols in the right place, white pegs for right symbols elsewhere. Words get coloured letters."],
  ["play-hint", "Hint tells more each time. Solve mine advises you in a game that you play elsewhere: tap the answer that you got. More has a code for each day, and statistics."],
];
let step = -1;  // of the guide

function showGuide(at) {
  step = at;
  document.querySelectorAll(".shown").forEach((one) => one.classList.remove("shown"));
  find("play-guide").hidden = step < 0 || step >= GUIDE.length;
  find("play-rules").hidden = !find("play-guide").hidden;
  if (find("play-guide").hidden) return keep("guide", "seen");
  find(GUIDE[step][0]).classList.add("shown");
  find("guide-step").textContent = GUIDE[step][1];
  find("guide-next").textContent = step === GUIDE.length - 1 ? "Play" : "Next";
}

find("guide-next").addEventListener("click", () => showGuide(step + 1));
find("guide-skip").addEventListener("click", () => showGuide(GUIDE.length));
find("play-tour").addEventListener("click", () => ((find("play-menu").open = false), showGuide(0)));
if (kept("guide") === null) showGuide(0);
