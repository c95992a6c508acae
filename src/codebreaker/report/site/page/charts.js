// Charts: drawn when they scroll into view, and redrawn when the theme changes.
const drawn = new Map();

const isDark = () => document.documentElement.dataset.theme === "dark";

// Replaces a chart's neutral colours by those of the dark page.
function recoloured(spec) {
  if (!isDark()) return spec;
  let text = JSON.stringify(spec);
  for (const [light, dark] of Object.entries(settings.dark)) {
    if (light.startsWith("#")) text = text.replaceAll(light, dark);
  }
  const dark = JSON.parse(text);
  dark.config.background = settings.dark.white;
  return dark;
}

async function drawChart(figure) {
  const id = figure.dataset.chart;
  if (!drawn.has(id)) drawn.set(id, await unpack(id));
  const canvas = figure.querySelector(".canvas");
  await vegaEmbed(canvas, recoloured(drawn.get(id)), { actions: false, renderer: "canvas" });
  figure.dataset.state = "drawn";
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        watcher.unobserve(entry.target);
        drawChart(entry.target);
      }
  },
  { rootMargin: "300px" },
);

for (const figure of document.querySelectorAll("figure.chart")) watcher.observe(figure);

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  find("theme").setAttribute("aria-pressed", String(theme === "dark"));
  for (const figure of document.querySelectorAll('figure.chart[data-state="drawn"]')) drawChart(figure);
}

setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
find("theme").addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
