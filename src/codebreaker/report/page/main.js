// The page's state, restored from its address or the last visit.
let restored = false;

function playState() {
  const { game, mode, rule, strategy, moves, hidden, gaveUp, day, friend, noted, rung } = play;
  return {
    game: game.name, mode, rule: rule === "any" ? "" : rule, strategy: strategy.tree, moves: writeMoves(game, moves),
    key: hidden === null ? "" : veil(game, hidden), over: gaveUp ? "1" : "", day, friend, noted, rung: rung ? String(rung) : "",
  };
}

function explorerState() {
  const { game, strategy, path } = explorer, tree = treeOf(strategy);
  return { tree: `${game.name}/${strategy.tree}`, node: path.slice(1).map((node) => game.feedback[tree.feedback[node]]).join("_") };
}

function remember() {
  if (!restored) return;
  keep("play", { ...playState(), words: play.game.name === "words-own" ? ownText() : "" });
  putFragment({ ...playState(), noted: "", rung: "" });
}

function rememberExplorer() {
  if (!restored) return;
  keep("explorer", explorerState());
  putFragment(explorerState());
}

// Restores a game; throws a RangeError that names what is wrong with it.
async function restorePlay({ game: name, mode = "hidden", rule = "any", strategy, moves, key, over, day = "", friend = "", noted = "", rung = "0", words }, isLink) {
  if (!["hidden", "mine", "devious"].includes(mode)) throw new RangeError(`this page can't play '${mode.slice(0, 20)}'.`);
  if (words) lend(isLink ? await unsqueezed(words) : words);
  const game = await openGame(name), read = readMoves(game, moves);
  const hidden = mode === "hidden" && key ? unveil(game, key) : null;
  if (hidden !== null) {
    const wrong = read.findIndex(({ guess, id }) => game.feedbackOf(guess, hidden) !== id);
    if (wrong >= 0) throw new RangeError(`the answer to move ${wrong + 1} doesn't fit the secret.`);
  }
  await setGame(name);
  setMode(mode);
  play.rule = find("play-rule").value = [...find("play-rule").options].some((one) => one.value === rule) ? rule : "any";
  if (strategy) play.strategy = fillStrategies(find("play-strategy"), game, strategy);
  if (hidden === null && mode === "hidden") return startGame();
  const seen = isLink ? kept("play") : null, isSame = seen && seen.key === key && seen.moves === (moves ?? "");
  startGame({ hidden, moves: read, gaveUp: hidden !== null && over === "1", day, friend, noted: (isSame ? seen.noted : noted) ?? "", rung: Math.min(Number(isSame ? seen.rung : rung) || 0, 4) });
}

async function restoreExplorer({ tree: names, node }) {
  const [name, tree] = names.split("/");
  if (![...find("explorer-game").options].some((one) => one.value === name)) throw new RangeError(`this page doesn't have the game '${name.slice(0, 40)}'.`);
  const game = await openGame(name);
  if (!game.strategies.some((one) => one.tree === tree)) throw new RangeError("this page doesn't have its strategy.");
  await exploreGame(name, tree);
  for (const label of node ? node.split("_") : []) {
    const next = treeOf(explorer.strategy).child(explorer.path.at(-1), game.idOf.get(label));
    if (next === null) throw new RangeError(`its answer '${label.slice(0, 20)}' can't occur there.`);
    explorer.path.push(next);
  }
  showExplorer();
}

// Restores a state; a bad one is refused with a line.
async function restore(link, name, how, fallback) {
  const words = lent;
  if (link)
    try {
      checkLength(location.hash, LONGEST_LINK);
      return await how(link, true);
    } catch (error) {
      lend(words);
      const why = error instanceof RangeError ? error.message : "it is not one of this page.";
      find("play-refused").textContent = `This link can't be opened: ${why}`;
    }
  const state = name && kept(name);
  if (state)
    try {
      return await how(state, false);
    } catch {
      startAfresh(name);
    }
  await fallback();
}

async function open() {
  const state = stateOf(location.hash), first = find("explorer-game").value, isTree = state && "tree" in state;
  const begin = async () => {
    await setGame(first);
    setMode("hidden");
    startGame();
  };
  await restore(isTree && state, "explorer", restoreExplorer, () => exploreGame(first));
  await restore(!isTree && state, "play", restorePlay, begin);
  restored = true;
  if (isTree) find("explorer").scrollIntoView();
  document.documentElement.dataset.state = "ready";
}

addEventListener("hashchange", () => {
  const state = stateOf(location.hash);
  if (state) restore(state, null, "tree" in state ? restoreExplorer : restorePlay, async () => {});
});

open();
