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

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
}

const isDarkPreferred = matchMedia("(prefers-color-scheme: dark)").matches;
setTheme(THEMES.includes(storedTheme()) ? storedTheme() : isDarkPreferred ? "dark" : "light");

// The button names the other theme.
function nameTheme() {
  const button = document.getElementById("theme");
  button.textContent = document.documentElement.dataset.theme === "dark" ? "Light" : "Dark";
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
let themeOnScreen = null;

addEventListener("beforeprint", () => {
  themeOnScreen = document.documentElement.dataset.theme;
  setTheme("light");
});
addEventListener("afterprint", () => setTheme(themeOnScreen));

addEventListener("DOMContentLoaded", () => {
  nameTheme();
  document.getElementById("theme").addEventListener("click", switchTheme);
});
