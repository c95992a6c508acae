// The page's theme, set before anything is drawn.
const THEMES = ["dark", "light"];

// A page from disk may have no storage.
function storedTheme() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

/** @type {(theme: string) => void} */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
}

const isDarkPreferred = matchMedia("(prefers-color-scheme: dark)").matches;
const ofVisit = storedTheme() ?? "";
setTheme(THEMES.includes(ofVisit) ? ofVisit : isDarkPreferred ? "dark" : "light");

const themeButton = () => /** @type {HTMLElement} */ (document.getElementById("theme"));

// The button names the other theme.
function nameTheme() {
  themeButton().textContent = document.documentElement.dataset.theme === "dark" ? "Light" : "Dark";
}

function switchTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  setTheme(theme);
  nameTheme();
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // The theme lasts for this visit.
  }
}

// Paper is white.
let themeOnScreen = ofVisit;

addEventListener("beforeprint", () => {
  themeOnScreen = document.documentElement.dataset.theme ?? "";
  setTheme("light");
});
addEventListener("afterprint", () => setTheme(themeOnScreen));

addEventListener("DOMContentLoaded", () => {
  nameTheme();
  themeButton().addEventListener("click", switchTheme);
});
