// Messages, questions and the menu.
import { find } from "./elements.js";

// Shows a message, which goes with the next event.
export function say(text) {
  find("play-refused").textContent = text;
}

export const closeMenu = () => (find("play-menu").open = false);

// The menu closes as menus do.
addEventListener("pointerdown", ({ target }) => {
  if (!find("play-menu").contains(target)) closeMenu();
});

find("play-menu").addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  closeMenu();
  find("play-menu").querySelector("summary").focus();
});
