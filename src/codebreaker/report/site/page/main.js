// The first game of the list stands open.
const first = find("explorer-game").value;
exploreGame(first).then(() => assistGame(first)).then(() => (document.documentElement.dataset.state = "ready"));
