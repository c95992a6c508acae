// What tests ask of the page: each function runs in it, beside its own.

// The number of strategies with a rule, and the nodes of their trees where it chooses another guess.
async function walk(name) {
    const game = await openGame(name), wrong = [];
    const ruled = game.strategies.filter((one) => one.rule);
    for (const strategy of ruled) {
        const tree = treeOf(game, strategy), at = [[game.allSecrets, 1, -1, []]];
        tree.guess.forEach((guess, node) => {
            const [members, turn, previous, played] = at[node];
            const isForced = node === 0 && strategy.name.includes(", from ");
            for (const so_far of isForced ? [] : [undefined, played])
                if (choose(game, strategy.rule, members, turn, previous, so_far) !== guess)
                    wrong.push([strategy.name, node]);
            for (const child of tree.childrenOf(node)) {
                const id = tree.feedback[child];
                at[child] = [game.keep(members, guess, id), turn + 1, id, [...played, guess]];
            }
        });
    }
    return [ruled.length, wrong];
}

// A game's trees by strategy, with all that the page computes of their nodes.
async function treesOf(name) {
    const game = await openGame(name);
    const planned = game.strategies.filter((strategy) => strategy.choices);
    return Object.fromEntries(planned.map((strategy) => {
        const tree = treeOf(game, strategy);
        const { guess, feedback, sizes, totals, deepest, regrets } = tree;
        const parent = [-1];
        tree.guess.forEach((_, node) => tree.childrenOf(node).forEach((child) => (parent[child] = node)));
        return [strategy.tree, { parent, guess, feedback, n_candidates: sizes, totals, deepest, regrets }];
    }));
}

// The best guess for sets of candidates, and its total.
async function solve([name, sets]) {
    const game = await openGame(name), solver = new Solver(game);
    return sets.map((members) => solver.solve(members, 1e9));
}

// The analysis of a game.
async function review([name, played]) {
    const game = await openGame(name), moves = played.map(([guess, id]) => ({ guess, id }));
    return ask("review", game, { moves, known: knownValues(game, moves) });
}

// The guess of a game's first tree and its guesses to go after moves, or null where they leave it.
function plannedAfter([data, histories]) {
    const game = new Game(data), [strategy] = game.strategies, { ...shown } = play;
    const planned = histories.map((history) => {
        const moves = history.map(([guess, id]) => ({ guess, id }));
        Object.assign(play, { game, strategy, position: { moves } });
        return plannedGuess();
    });
    Object.assign(play, shown);
    return planned;
}

// The repairs of contradictions: move, answer, pegs misread, candidates.
async function repairsAfter([name, histories]) {
    const game = await openGame(name);
    return histories.map((history) => {
        const moves = history.map(([guess, id]) => ({ guess, id }));
        return repairsOf(game, moves).map(({ number, answer, misread, n }) => [number + 1, answer, misread, n]);
    });
}

// What the page says of a first answer that no word gives.
function contradictionTold([words, guess, marks]) {
    const game = makeOwn(words.join(" "));
    const sets = [game.allSecrets, []].map((members) => ({ members, isAll: true, number: exactly(members.length) }));
    return contradictionOf(game, { sets, moves: [{ guess: game.indexOf.get(guess), id: game.idOf.get(marks) }] });
}

// The moves of texts of games, as GUESS:FEEDBACK, or the errors.
async function readMoves(rows) {
    const told = [];
    for (const [name, text] of rows) {
        const game = await openGame(name);
        const short = (id) => game.feedback[id].replace(/[BC]$/, "").replace("B-", ",");
        try {
            told.push(movesIn(game, text).moves.map(({ guess, id }) => `${game.guesses[guess]}:${short(id)}`).join(" "));
        } catch (error) {
            told.push(`error: ${error.message}`);
        }
    }
    return told;
}

// What the page shares of a game with these guesses against a secret, as a code of a day or not. A name such as
// mm-4-6 opens a game of the study or of a size.
async function sharedText({ name, words, guesses, secret, day }) {
    if (words) lend(words);
    const game = await openGame(name), hidden = game.indexOf.get(secret);
    const moves = guesses.map((guess) => [guess, game.feedback[game.feedbackOf(game.indexOf.get(guess), hidden)]]);
    const events = moves.map(([guess, answer]) => ({ kind: "move", guess, answer }));
    begin(game, { mode: "mine", origin: day ? "daily" : "pasted", day, rule: "any" }, events);
    return resultText();
}

// Pastes a text into the page.
function paste(text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}

// What is shown and too small to be touched.
function tooSmall() {
    const shown = [...document.querySelectorAll(
        "#assistant button:not(.key), #assistant select, #assistant input:not([type=radio], [type=checkbox])," +
        "#assistant label:has(input[type=radio]), #explorer button"
    )].filter((one) => one.checkVisibility());
    return shown.filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width < 43.9 || height < 43.9;
    }).map((one) => one.outerHTML.slice(0, 90));
}

// Wait for twenty frames in which the page neither scrolls nor draws a chart.
async function settle() {
    const state = () => `${scrollY} ${document.querySelectorAll("svg").length}`;
    const frame = () => new Promise(requestAnimationFrame);
    for (let last = "", still = 0; still < 20; await frame()) {
        still = state() === last ? still + 1 : 0;
        last = state();
    }
}

// How far a link's target is from the top, and what is left below.
function placeOf(link) {
    const { top } = document.querySelector(link).getBoundingClientRect();
    return [top, document.documentElement.scrollHeight - innerHeight - scrollY];
}

// The texts of charts that stick out of them.
function cutTexts() {
    return [...document.querySelectorAll("figure.chart svg")].flatMap((svg) => {
        const outer = svg.getBoundingClientRect();
        const cut = [...svg.querySelectorAll("text")].filter((text) => {
            const box = text.getBoundingClientRect();
            return text.textContent && (box.left < outer.left - 1 || box.right > outer.right + 1);
        });
        return cut.map((text) => `${svg.closest("figure").id}: ${text.textContent}`);
    });
}

// The page's background, and the colours of all marks and legends as the browser shows them.
function coloursOf() {
    const marks = document.querySelectorAll(
        "figure.chart svg [aria-roledescription][aria-label]:not(g), " +
        "figure.chart svg .role-legend-symbol path, figure.chart svg text"
    );
    const shown = [...marks].flatMap((mark) => {
        const style = getComputedStyle(mark);
        return mark.tagName === "text" ? [style.fill] : [style.fill, style.stroke];
    });
    return [getComputedStyle(document.body).backgroundColor, [...new Set(shown)]];
}

// Wait until all charts may be printed.
async function preparedPaper() {
    while (onPaper.size < figures.length) await new Promise(requestAnimationFrame);
}

// Forget the link, and keep nothing more.
function leave() {
  history.replaceState(null, "", location.pathname);
  history.replaceState = Storage.prototype.setItem = () => {};
}

// The moves of guesses at a secret, which is the last guess; a name such as bc-4-7 opens a game of that size.
async function movesOf([name, guesses]) {
    const game = await openGame(name), secret = game.indexOf.get(guesses.at(-1));
    const moves = guesses.map((label) => game.indexOf.get(label)).map((guess) => (
        { guess, id: game.feedbackOf(guess, secret) }));
    return [game, moves];
}

// The review of guesses at a secret, which is the last guess.
async function reviewOf(played) {
    const [game, moves] = await movesOf(played);
    return ask("review", game, { moves, known: knownValues(game, moves) });
}

// What the page says of a review's rows: the verdict, and the grade of the first move.
function wordsOf(rows) {
    const game = play.game, moves = rows.map(() => ({ guess: 0, id: 0 }));
    return [verdictOf(game, moves, rows), make("p", {}, ...lossView(rows[0])).textContent];
}

// The ranking of guesses after moves.
async function rankingOf([name, played]) {
    const game = await openGame(name);
    const moves = played.map(([guess, answer]) => ({ guess: game.indexOf.get(guess), id: game.idOf.get(answer) }));
    const members = moves.reduce((left, { guess, id }) => game.keep(left, guess, id), game.allSecrets);
    const question = { members, only: null, planned: null, played: moves.map(({ guess }) => guess), count: 5 };
    return ask("best", game, { ...question, known: knownValues(game, moves) });
}

// Puts a guess into the open row.
function compose(label) {
    setGuess(label);
}

// The moves of the puzzles of days in MM(4,6), and the guesses that they ask for.
async function puzzlesOf(days) {
    const game = await openGame("mm-4-6");
    const tree = ownTree(game, bestTreeOf(game));
    const puzzles = [];
    for (const day of days) {
        const { moves, best } = await puzzleOf(game, tree, day);
        puzzles.push([moves.map(({ guess, id }) => [game.guesses[guess], game.feedback[id]]), game.guesses[best]]);
    }
    return puzzles;
}

// How many codes of MM(4,6) fit moves.
async function countAfter(moves) {
    const game = await openGame("mm-4-6");
    const known = moves.map(([guess, answer]) => ({ guess: game.indexOf.get(guess), id: game.idOf.get(answer) }));
    return membersAfter(game, known).length;
}

// The tree that the explorer shows, with the parent of each node.
function grownTree() {
    const { guess, feedback, ...tree } = ownTree(explorer.game, explorer.strategy);
    const parent = [-1];
    guess.forEach((_, node) => {
        for (let child = tree.first[node]; child < tree.first[node + 1]; child++) parent[child] = node;
    });
    return { guess, feedback, parent };
}
