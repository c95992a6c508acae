// Charts, drawn for the screen's width when they scroll into view.
import { allWithin, find, targetOf, unpack, within } from "./elements.js";

/** @import { PageElement } from "./elements.js" */

const WIDE = matchMedia("(min-width:960px)");
const MEDIUM = matchMedia("(min-width:620px)");
const figures = allWithin(document, "figure.chart");

/** @type {(figure: PageElement) => string} */
const drawingOf = (figure) =>
  `chart-${figure.dataset.chart}-${WIDE.matches ? "wide" : MEDIUM.matches ? "medium" : "narrow"}`;

/** @type {(figure: PageElement) => Promise<void>} */
async function drawChart(figure) {
  const id = drawingOf(figure);
  if (figure.dataset.drawn === id) return;
  figure.dataset.drawn = id;
  const svg = await unpack(id);
  if (figure.dataset.drawn !== id) return;
  within(figure, ".canvas").innerHTML = svg;
  figure.dataset.state = "drawn";
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        watcher.unobserve(entry.target);
        drawChart(/** @type {PageElement} */ (entry.target));
      }
    }
  },
  { rootMargin: "400px" },
);

for (const figure of figures) watcher.observe(figure);

for (const query of [WIDE, MEDIUM]) {
  query.addEventListener("change", () => figures.filter((figure) => figure.dataset.drawn).forEach(drawChart));
}

// Shows next to the pointer what a mark stands for.
/** @type {(event: PointerEvent) => void} */
function describeMark(event) {
  const note = find("mark");
  const mark = targetOf(event).closest?.(".canvas [aria-roledescription][aria-label]");
  const isMark = mark && !["axis", "legend", "header"].includes(mark.getAttribute("aria-roledescription") ?? "");
  note.hidden = !isMark;
  if (!isMark) return;
  note.textContent = mark.getAttribute("aria-label");
  const left = Math.min(event.clientX + 14, innerWidth - note.offsetWidth - 8);
  const below = event.clientY + 18;
  const top = below + note.offsetHeight > innerHeight ? event.clientY - note.offsetHeight - 12 : below;
  note.style.transform = `translate(${Math.max(8, left)}px, ${top}px)`;
}

for (const figure of figures) {
  for (const kind of ["pointermove", "pointerdown", "pointerleave"]) {
    figure.addEventListener(kind, (event) => describeMark(/** @type {PointerEvent} */ (event)));
  }
}

// Drawings of the width of paper, by figure: unpacked once the page is open, as nothing can be when the browser prints.
const onPaper = new Map();

/** @type {() => Promise<void>} */
export async function preparePaper() {
  for (const figure of figures) onPaper.set(figure, await unpack(`chart-${figure.dataset.chart}-medium`));
}

addEventListener("beforeprint", () => {
  for (const [figure, svg] of onPaper) {
    figure.querySelector(".canvas").innerHTML = svg;
    figure.dataset.drawn = "for paper";
  }
});

addEventListener("afterprint", () => figures.forEach(drawChart));
