// Opens the first game in the list.
const first = find("explorer-game").value;
exploreGame(first).then(() => assistGame(first)).then(() => (document.documentElement.dataset.state = "ready"));
