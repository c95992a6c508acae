// The choice of a game.
import { REPEATS } from "../engine/sizes.js";
import { ownWords } from "../engine/wordlists.js";
import { keep, kept } from "../records/storage.js";
import { lend, openGame, ownText } from "./catalogue.js";
import { find, within } from "./elements.js";
import { say } from "./messages.js";
import { begin, play, sure } from "./play.js";
import { focusBoard } from "./row.js";

/** @import { PageElement } from "./elements.js" */

/** @type {(name: string) => Promise<void>} */
async function chooseGame(name) {
  say("");
  find("play-size").hidden = name !== "size";
  find("play-words").hidden = name !== "words-own";
  if (name === "size") return showForm(find("play-size"));
  if (name === "words-own" && !ownText()) return showForm(find("play-words"));
  try {
    begin(await openGame(name));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
  }
}

// On phones forms are below the board, and the board is above them.
/** @type {(form: PageElement) => void} */
function showForm(form) {
  form.scrollIntoView({ block: "nearest" });
  within(form, "input, textarea").focus({ preventScroll: true });
}

function showBoard() {
  find("play-moves").scrollIntoView({ block: "nearest" });
  focusBoard();
}

// Keys go through the list, an entry each. Such a choice waits until the list is left, or for Enter; a choice from the
// open list holds at once.
let lastKey = "";
let isWaiting = false;

// A game that was chosen and not begun is not the one in the list.
const showGameInList = () => (find("play-game").value = play.game.name);

const LEAVE = "Start another game? This one is left unfinished.";

/** @type {(isByKey: boolean) => void} */
function useChoice(isByKey) {
  const select = find("play-game");
  const name = select.value;
  isWaiting = false;
  if (name === "size" || (name === "words-own" && !ownText())) {
    chooseGame(name);
    return;
  }
  if (name !== "words-own") showGameInList();
  sure(LEAVE, "Start it", async () => {
    select.value = name;
    await chooseGame(name);
    if (!isByKey && select.value === play.game.name) focusBoard();
  });
}

find("sure").addEventListener("cancel", showGameInList);
find("sure-no").addEventListener("click", showGameInList);

find("play-game").addEventListener("keydown", ({ key, altKey }) => {
  lastKey = altKey ? "" : key; // Alt and an arrow open the list
  if (key === "Enter" && isWaiting) useChoice(false);
});
find("play-game").addEventListener("pointerdown", () => (lastKey = ""));
find("play-game").addEventListener("blur", () => {
  lastKey = "";
  if (isWaiting) useChoice(true);
});
find("play-game").addEventListener("change", () => {
  isWaiting = lastKey.startsWith("Arrow") || (lastKey.length === 1 && lastKey !== " ");
  if (!isWaiting) useChoice(false);
});

find("play-size").addEventListener("submit", (event) => {
  event.preventDefault();
  sure(LEAVE, "Start it", playSize);
});

async function playSize() {
  const nameOf = REPEATS[find("play-repeats").value];
  await chooseGame(nameOf(Number(find("play-pegs").value), Number(find("play-colours").value)));
  if (find("play-refused").textContent === "") return showBoard();
  find("play-size").hidden = false;
  find("play-refused").scrollIntoView({ block: "nearest" });
}

find("play-words").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = [find("play-list").value, find("play-others").value].filter((part) => part.trim()).join("\n|\n");
  try {
    ownWords(text);
  } catch (error) {
    say(error instanceof RangeError ? error.message : String(error));
    find("play-refused").scrollIntoView({ block: "nearest" });
    return;
  }
  sure(LEAVE, "Start it", async () => {
    keep("words", text);
    lend(null);
    await chooseGame("words-own");
    find("play-words").hidden = true;
    showBoard();
  });
});

const [keptSecrets, keptOthers = ""] = (kept("words") ?? "").split("|");
find("play-list").value = keptSecrets.trim();
find("play-others").value = keptOthers.trim();
