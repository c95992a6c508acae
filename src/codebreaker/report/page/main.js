// The page: what shows what, and what is remembered. Each part below knows only parts below itself; who is to be told
// of a change is said here.
import { showAnswers } from "./parts/answer.js";
import { drawBoard, layTable, refresh } from "./parts/board.js";
import { preparePaper } from "./parts/charts.js";
import { find } from "./parts/elements.js";
import { showRow } from "./parts/entry.js";
import { watchEstimates } from "./parts/estimates.js";
import { watchExplorer } from "./parts/explorer.js";
import { showWorth } from "./parts/help.js";
import { watchReview } from "./parts/review.js";
import { showExplained, watchProjector } from "./parts/projector.js";
import { showCompared } from "./parts/loaded.js";
import { say } from "./parts/messages.js";
import { watchPlay } from "./parts/play.js";
import { watchRow } from "./parts/row.js";
import { showStatus } from "./parts/status.js";
import { clearTried } from "./parts/tried.js";
import { openPage, remember, rememberExplorer } from "./parts/visit.js";
import { watchStorage } from "./records/storage.js";
import "./parts/drag.js";
import "./parts/paste.js";
import "./parts/setup.js";

watchStorage({
  onNews: say,
  onKept(isStored) {
    find("play-unkept").hidden = isStored;
  },
});
watchRow({
  showEntry() {
    showRow();
    showWorth();
    showAnswers();
  },
  showStatus,
});
watchPlay({
  layTable,
  showPlay() {
    drawBoard();
    showExplained();
    remember();
  },
});
watchEstimates(refresh);
watchReview(showExplained);
watchProjector(remember);
watchExplorer(() => {
  rememberExplorer();
  clearTried();
  showCompared();
});

if ("DecompressionStream" in window) openPage().then(preparePaper);
else {
  say("The game, the explorer and the charts need a newer browser, of 2023 or later.");
  for (const dead of document.querySelectorAll(".top > :not(h1), .table, #explorer, #charts")) {
    dead.setAttribute("hidden", "");
  }
}
