// The page's state, restored from its address or the last visit.
let isRestored = false;

// The game as a link has it: what somebody else needs to see the same board.
function playState() {
  const { game, strategy, record, state } = play;
  return {
    game: game.name,
    id: record.id,
    mode: state.mode,
    rule: state.rule === "any" ? "" : state.rule,
    strategy: strategy.tree,
    moves: writeMoves(state.moves),
    key: state.key,
    over: state.hasGivenUp ? "1" : "",
    day: state.day,
    friend: state.origin === "challenge" ? state.friend || NAMELESS : "",
  };
}

function explorerState() {
  const { game, strategy, path } = explorer;
  const tree = treeOf(game, strategy);
  const answers = path.slice(1).map((node) => game.feedback[tree.feedback[node]]);
  return { tree: `${game.name}/${strategy.tree}`, node: answers.join("_") };
}

function remember() {
  if (!isRestored) return;
  if (play.game.name === "words-own") keep("lent", ownText());
  putFragment(playState());
}

function rememberExplorer() {
  if (!isRestored) return;
  keep("explorer", explorerState());
  putFragment(explorerState());
}

// Opens the game of a link: mine again if I have played it, otherwise a new record.
// Throws a RangeError that names what is wrong with the link.
async function openGameOf(link) {
  const { game: name, mode = "hidden", moves, key, id = "", words } = link;
  if (!MODES.includes(mode)) throw new RangeError(`this page can't play '${mode.slice(0, 20)}'.`);
  const mine = recordOfLink(link);
  if (mine)
    return openRecord(
      mine,
      link.friend ? "You have opened this challenge before: here it is as you left it." : "",
    );
  if (words) lend(await unsqueezed(words));
  const game = await openGame(name);
  if (modeFor(game, mode) !== mode) throw new RangeError("its size has too many codes for a devious codemaker.");
  const later = readMoves(game, moves);
  if (link.over === "1" && key) later.push({ kind: "give-up" });
  const isHiddenGame = mode === "hidden" && Boolean(key);
  const isNew = !isHiddenGame && mode === "hidden";
  const isChallenge = isHiddenGame && Boolean(link.friend) && later.length === 0;
  const isMine = isNew || isChallenge || history.state?.isOwn === true;
  if (link.strategy) keep("strategies", { ...kept("strategies"), [name]: link.strategy });
  const settings = { mode, rule: ruleOf(link), player: isMine ? "me" : "other", day: link.day ?? "" };
  if (isNew) return begin(game, { mode, rule: settings.rule });
  settings.origin = isChallenge ? "challenge" : "link";
  settings.source = isChallenge ? id : "";
  settings.friend = isChallenge && link.friend !== NAMELESS ? link.friend.slice(0, LONGEST_NAME) : "";
  if (isHiddenGame) settings.secret = unveil(game, key);
  if (!isChallenge && ID.test(id)) settings.id = id;
  begin(game, settings, later);
}

const ruleOf = ({ rule = "any" }) =>
  [...find("play-rule").options].some((option) => option.value === rule) ? rule : "any";

const NAMELESS = "1"; // a friend in links
const LONGEST_NAME = 30;
const ID = /^[\w-]{1,40}$/; // of a game, as links may have it

// My record of the game that a link shows, or of the challenge that it is.
function recordOfLink({ id, friend }) {
  if (!ID.test(id ?? "")) return null;
  const sameChallenge = ({ events: [start] }) =>
    Boolean(friend) && start.origin === "challenge" && start.source === id;
  return recordOf(id) ?? allRecords().find(sameChallenge) ?? null;
}

async function openTreeOf({ tree: names, node }) {
  const [name, tree] = names.split("/");
  const isKnown = [...find("explorer-game").options].some((option) => option.value === name);
  if (!isKnown) throw new RangeError(`this page doesn't have the game '${name.slice(0, 40)}'.`);
  const game = await openGame(name);
  if (!game.strategies.some((strategy) => strategy.tree === tree))
    throw new RangeError("this page doesn't have its strategy.");
  await exploreGame(name, tree);
  for (const label of node ? node.split("_") : []) {
    const next = treeOf(game, explorer.strategy).child(explorer.path.at(-1), game.idOf.get(label));
    if (next === null) throw new RangeError(`its answer '${label.slice(0, 20)}' can't occur there.`);
    explorer.path.push(next);
  }
  showExplorer();
}

// Opens a link, and returns whether that was possible; otherwise a line says why not.
async function openLink(link) {
  const words = lent;
  try {
    checkLength(`#${fragmentOf(link)}`, LONGEST_LINK);
    if ("tree" in link) await openTreeOf(link);
    else await openGameOf(link);
    return true;
  } catch (error) {
    lend(words);
    say(
      `This link can't be opened: ${error instanceof RangeError ? error.message : "it is not one of this page."}`,
    );
    return false;
  }
}

// Opens the game of the last visit, or begins one.
async function openLast(message) {
  const record = recordOf(kept("current") ?? "");
  if (record) {
    try {
      return await openRecord(record, message);
    } catch {
      dropRecord(record.id);
      startAfresh("current");
    }
  }
  begin(await openGame(find("explorer-game").value), {}, [], message || news);
}

async function openLastTree() {
  const state = kept("explorer");
  if (state) {
    try {
      return await openTreeOf(state);
    } catch {
      startAfresh("explorer");
    }
  }
  await exploreGame(find("explorer-game").value);
}

async function open() {
  const link = stateOf(location.hash);
  const isTree = link !== null && "tree" in link;
  dropEarlierVersions();
  const isTreeOpen = isTree && (await openLink(link));
  if (!isTreeOpen) await openLastTree();
  const isGameOpen = link !== null && !isTree && (await openLink(link));
  if (!isGameOpen) await openLast(find("play-refused").textContent);
  if (news) say(news);
  isRestored = true;
  if (isTreeOpen) find("explorer").scrollIntoView();
  document.documentElement.dataset.state = "ready";
}

// Back and Forward go through entries that the page wrote: the game stays as it is. Other fragments are links.
addEventListener("hashchange", () => {
  const link = stateOf(location.hash);
  if (!link) return;
  if (!history.state?.isOwn) openLink(link);
  else putFragment("tree" in link ? explorerState() : playState());
});

if ("DecompressionStream" in window) open().then(preparePaper);
else {
  say("The game, the explorer and the charts need a newer browser, of 2023 or later.");
  for (const dead of document.querySelectorAll(".top > :not(h1), .table, #explorer, #charts")) dead.hidden = true;
}
