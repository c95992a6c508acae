// Strategies to choose from: a few with a line each, and all others by groups after 'more'.
const MORE = "more";

// Fills a list with a game's strategies, and returns the selected one.
function fillStrategies(select, game, name = null, all = false) {
  const front = game.strategies.filter((one) => one.place).sort((a, b) => a.place - b.place), others = game.strategies.filter((one) => !one.place);
  const wanted = game.strategies.find((one) => one.tree === name) ?? front[0];
  const option = (one) => make("option", { value: one.tree, text: one.label });
  const groups = [...new Set(others.map((one) => one.group))];
  const open = all || !wanted.place;
  select.replaceChildren(
    ...front.map(option),
    ...(open ? groups.map((group) => make("optgroup", { label: group }, ...others.filter((one) => one.group === group).map(option))) : others.length ? [make("option", { value: MORE, text: `More: ${several(others.length, "other strategy", "other strategies")}…` })] : []),
  );
  select.value = wanted.tree;
  return wanted;
}

// Calls `chosen` with a strategy that is selected; 'more' opens all of them.
function onStrategy(select, gameOf, chosen) {
  select.addEventListener("change", () => {
    const game = gameOf(), isMore = select.value === MORE;
    chosen(fillStrategies(select, game, isMore ? null : select.value, isMore || select.querySelector("optgroup") !== null));
  });
}
