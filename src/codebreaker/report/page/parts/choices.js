// Strategies to choose from: a few with a line each, and all others by groups after 'more'.
import { several } from "../engine/words.js";
import { make } from "./elements.js";

/** @import { Strategy } from "../engine/tree.js" */
/** @import { AnyGame } from "../engine/unlisted.js" */
/** @import { PageElement } from "./elements.js" */

const MORE = "more";

// Fills a list with a game's strategies, and returns the selected strategy.
/** @type {(select: PageElement, game: AnyGame, name?: string | null, all?: boolean) => Strategy} */
export function fillStrategies(select, game, name = null, all = false) {
  const front = game.strategies.filter((strategy) => strategy.place).sort((a, b) => Number(a.place) - Number(b.place));
  const others = game.strategies.filter((strategy) => !strategy.place);
  const wanted = game.strategies.find((strategy) => strategy.tree === name) ?? front[0];
  /** @type {(strategy: Strategy) => HTMLElement} */
  const option = (strategy) => make("option", { value: strategy.tree, text: strategy.label });
  const groups = [...new Set(others.map((strategy) => strategy.group))];
  const open = all || !wanted.place;
  select.replaceChildren(
    ...front.map(option),
    ...(open
      ? groups.map((group) =>
        make(
          "optgroup",
          { label: group },
          ...others.filter((strategy) => strategy.group === group).map(option),
        )
      )
      : others.length
      ? [
        make("option", {
          value: MORE,
          text: `More: ${several(others.length, "other strategy", "other strategies")}…`,
        }),
      ]
      : []),
  );
  select.value = wanted.tree;
  return wanted;
}

// Calls `chosen` with a strategy that is selected; 'more' opens all of them.
/** @type {(select: PageElement, gameOf: () => AnyGame, chosen: (strategy: Strategy) => void) => void} */
export function onStrategy(select, gameOf, chosen) {
  select.addEventListener("change", () => {
    const game = gameOf();
    const isMore = select.value === MORE;
    chosen(
      fillStrategies(
        select,
        game,
        isMore ? null : select.value,
        isMore || select.querySelector("optgroup") !== null,
      ),
    );
  });
}
