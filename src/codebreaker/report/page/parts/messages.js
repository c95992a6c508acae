// Messages, questions and the menu.
import { find, targetOf, within } from "./elements.js";

// Shows a message, which goes with the next event.
/** @type {(text: string) => void} */
export function say(text) {
  find("play-refused").textContent = text;
}

/** @type {() => void} */
export function closeMenu() {
  find("play-menu").open = false;
}

// Where the page is narrow, the buttons that begin a game are below the board.
/** @type {() => void} */
export const showTask = () => find("play-rules").scrollIntoView({ block: "nearest", behavior: "instant" });

// The menu closes as menus do.
addEventListener("pointerdown", (event) => {
  if (!find("play-menu").contains(targetOf(event))) closeMenu();
});

find("play-menu").addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  closeMenu();
  within(find("play-menu"), "summary").focus();
});
