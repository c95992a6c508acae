// The choice of a game: one of the study's, Mastermind of another size, common words or the player's own.
async function chooseGame(name) {
  find("play-refused").textContent = "";
  find("play-size").hidden = name !== "size";
  find("play-words").hidden = name !== "words-own";
  if (name === "size") return;
  if (name === "words-own" && !kept("words")) return;
  try {
    await setGame(name);
    startGame();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    find("play-refused").textContent = error.message;
  }
}

find("play-game").addEventListener("change", (event) => chooseGame(event.target.value));
find("play-size").addEventListener("submit", async (event) => {
  event.preventDefault();
  await chooseGame(`mm-${Number(find("play-pegs").value)}-${Number(find("play-colours").value)}`);
  if (find("play-refused").textContent) find("play-size").hidden = false;
});
find("play-words").addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    ownWords(find("play-list").value);
  } catch (error) {
    find("play-refused").textContent = error.message;
    return;
  }
  keep("words", find("play-list").value);
  games.delete("words-own");
  chooseGame("words-own");
});
find("play-list").value = kept("words") ?? "";
