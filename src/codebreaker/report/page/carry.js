// Moves carried over by symmetry: a tree also answers games that rename its symbols and positions.

// Maps of positions and symbols from a game's first guess to a tree's opening; null if their patterns differ.
function renaming(game, opening, guess) {
  if (opening === guess) return { positions: [...Array(game.pegs).keys()], symbols: [...game.symbols.keys()] };
  if (game.spelled) return null;
  const { pegs, codes, symbols: all } = game;
  const groups = (code) => {
    const placesOf = new Map();
    for (let peg = 0; peg < pegs; peg++) {
      const symbol = codes[code * pegs + peg];
      placesOf.set(symbol, [...(placesOf.get(symbol) ?? []), peg]);
    }
    return [...placesOf].sort((a, b) => b[1].length - a[1].length);
  };
  const from = groups(guess);
  const to = groups(opening);
  const positions = Array(pegs);
  const symbols = Array(all.length).fill(-1);
  if (from.length !== to.length || from.some(([, places], i) => places.length !== to[i][1].length)) return null;
  from.forEach(([symbol, places], i) => {
    symbols[symbol] = to[i][0];
    places.forEach((place, k) => (positions[place] = to[i][1][k]));
  });
  const free = [...all.keys()].filter((symbol) => !symbols.includes(symbol));
  return { positions, symbols: symbols.map((symbol) => (symbol < 0 ? free.shift() : symbol)) };
}

function inverse({ positions, symbols }) {
  const turned = (map) => {
    const back = [];
    map.forEach((to, from) => (back[to] = from));
    return back;
  };
  return { positions: turned(positions), symbols: turned(symbols) };
}

function renamed(game, guess, { positions, symbols }) {
  const code = Array(game.pegs);
  for (let peg = 0; peg < game.pegs; peg++)
    code[positions[peg]] = game.symbols[symbols[game.codes[guess * game.pegs + peg]]];
  return game.indexOf.get(code.join(game.guesses[0].includes(".") ? "." : ""));
}

// The nodes of a tree along the moves, and the renaming that leads back; shorter if the moves leave it.
function follow(game, tree, moves) {
  const map = moves.length ? renaming(game, tree.guess[0], moves[0].guess) : renaming(game, 0, 0);
  const path = [0];
  if (!map) return { path, back: null, inTree: moves.length === 0 };
  for (const { guess, id } of moves) {
    const node = path.at(-1);
    const next = tree.guess[node] === renamed(game, guess, map) ? tree.child(node, id) : null;
    if (next === null) return { path, back: inverse(map), inTree: false };
    path.push(next);
  }
  return { path, back: inverse(map), inTree: true };
}

// Totals of a game's candidate sets, from the page's trees: minimum totals where regrets are known.
const STRONG = 1.01;

function knownValues(game, moves) {
  const known = new Map();
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  const planned = game.strategies.filter((strategy) => strategy.choices);
  const compared = planned.filter((strategy) => strategy.regrets);
  if (planned.length) noteRoot(compared[0] ?? planned.reduce((a, b) => (b.total < a.total ? b : a)));
  function noteRoot(strategy) {
    const tree = treeOf(game, strategy);
    const { regrets } = tree;
    known.set(sets[0].join(), {
      total: regrets ? regrets.minimum[0] : tree.totals[0],
      best: regrets ? regrets.best[0] : tree.guess[0],
      exact: Boolean(regrets),
    });
  }
  const lowest = Math.min(...planned.map((strategy) => strategy.total));
  const strong = planned.filter((strategy) => strategy.total <= STRONG * lowest);
  for (const strategy of compared.length ? compared : strong.sort((a, b) => a.total - b.total)) {
    const tree = treeOf(game, strategy);
    const { path, back } = follow(game, tree, moves);
    if (!back) continue;
    path.forEach((node, depth) => {
      note(sets[depth], node);
      if (depth < moves.length && tree.guess[node] === renamed(game, moves[depth].guess, inverse(back)))
        for (const child of tree.childrenOf(node))
          note(game.keep(sets[depth], moves[depth].guess, tree.feedback[child]), child);
    });
    function note(members, node) {
      const key = members.join();
      const { regrets } = tree;
      if (known.has(key)) return;
      const best = renamed(game, regrets ? regrets.best[node] : tree.guess[node], back);
      known.set(key, {
        total: regrets ? regrets.minimum[node] : tree.totals[node],
        best,
        exact: Boolean(regrets),
      });
    }
  }
  return [...known];
}
