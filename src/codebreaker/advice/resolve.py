"""From a name, a tree or a function to what plays: all names that are no policies are known here.

Each has sources of advice, which are asked in order:

- *nothing*: the best known tree; exact search, if it takes about a second; the game's default
  policy with optimal endgames. Large games without a recorded tree are played by samples.
- *best-known*: the same, in games with a recorded tree.
- *optimal*: the recorded tree if it is proven; exact search for as long as it takes.
- *sampled*: samples.
- *a policy*: the policy alone, with its settings.
- *a tree*: the tree, under other names and orders of moves, too.
- *another source*, such as a function that plays: that source alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codebreaker.advice.assistant import Assistant
from codebreaker.advice.cached import TreeCache, best_known_tree, first_tree
from codebreaker.advice.pools import check_pool
from codebreaker.advice.sources import ByPolicy, ExactSearch, FollowedTree, Plays, RecordedTree
from codebreaker.constants import BEST_KNOWN, LARGEST_ENDGAME, OPTIMAL, SAMPLED
from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.games.unlisted import UnlistedGame, refuse_unlisted
from codebreaker.policies.catalogue import Entry
from codebreaker.policies.registry import default_of
from codebreaker.policies.strategy import (
    BETWEEN_GUESSES,
    Strategy,
    check_fits,
    check_fixed,
    check_has_choice,
    check_opening,
    check_without_table,
    fixed_guesses,
    several_refused,
)
from codebreaker.sampling.settings import SAMPLES
from codebreaker.trees.tree import GameTree
from codebreaker.types import AnyPool, TieBreak

if TYPE_CHECKING:
    from codebreaker.advice.sampled import SampledAssistant

    AnyAssistant = Assistant | SampledAssistant

SAMPLED_FROM = 1 << 17
"""Number of codes from which games without a recorded tree are played by samples by default."""


@dataclass(frozen=True)
class Settings:
    """What may be set of a policy, and of samples; None stands for the default.

    `samples` is their number, and `seed` that of their draws.
    """

    opening: str | None = None
    guess_pool: AnyPool | None = None
    tie_break: TieBreak | None = None
    endgames: int = 0
    exact_from: int | None = None
    samples: int | None = None
    seed: int = 1

    @property
    def of_play(self) -> bool:
        """Whether something is set that trees and samples don't have."""
        return self.ties_or_endgames or self.opening is not None or self.guess_pool is not None

    @property
    def ties_or_endgames(self) -> bool:
        """Whether something is set that a policy alone has."""
        return self.tie_break is not None or self.endgames != 0 or self.exact_from is not None


DEFAULT = Settings()


def resolve(
    notation: Notation,
    what: str | GameTree | Plays | None = None,
    settings: Settings = DEFAULT,
    *,
    name: str = "",
    cached: bool = False,
) -> "AnyAssistant":
    """Return what plays a name, a tree or another source (both called `name`).

    By default it is what plays as well as is affordable.

    With `cached` the trees that are computed are kept on disk. Raises `CodebreakerError` for an
    unknown name, for what can't play the game, and for settings that it doesn't have.
    """
    called = what if what is None or isinstance(what, str) else name
    if settings.samples is not None and called not in (None, SAMPLED):
        raise CodebreakerError(f"samples are for policy {SAMPLED!r}, not {called!r}")
    if isinstance(what, GameTree):
        _refuse_settings(name, settings)
        refuse_unlisted(notation.game)
        basis = f"from the tree {name!r}"
        follows: list[Plays] = [FollowedTree(what, basis), RecordedTree(what, basis)]
        return _assistant(notation, follows, name, cached=cached)
    if what is not None and not isinstance(what, str):
        _refuse_settings(name, settings)
        return _assistant(notation, [what], name, cached=False)
    if what is None:
        return _by_default(notation, settings, cached)
    return NAMED.get(what, _by_policy)(notation, what, settings, cached)


def most_listed(what: str | None, settings: Settings, has_prior: bool) -> int | None:
    """Return the number of codes up to which a game is listed; None lists every game.

    A list takes time, and samples don't need it. Ask before the game is made.
    """
    if what == SAMPLED or settings.samples is not None:
        return 0
    return SAMPLED_FROM if what is None and not settings.of_play and not has_prior else None


def default_name(notation: Notation) -> str:
    """Return the name of what plays a game by default."""
    if is_large(notation):
        return SAMPLED
    return BEST_KNOWN if best_known_tree(notation.game) else default_of(notation.game).policy


def can_play(notation: Notation, name: str) -> bool:
    """Return whether a name plays a game, without playing it."""
    try:
        assistant = resolve(notation, name)
        if isinstance(assistant, Assistant) and not notation.game.has_table:
            check_without_table(assistant.strategy, notation.game.name)
    except CodebreakerError:
        return False
    return True


def fits(entry: Entry, notation: Notation) -> bool:
    """Return whether a policy can play a game; weights are for games with the same pegs."""
    pegs = f"{entry.game.rpartition('-')[0]}-" if entry.game else ""
    return notation.game.name.startswith(pegs) and can_play(notation, entry.example)


def has_settings(name: str) -> bool:
    """Return whether a name is a policy's, with settings such as an opening."""
    return name not in NAMED


def is_large(notation: Notation) -> bool:
    """Return whether samples play a game by default."""
    game = notation.game
    if isinstance(game, UnlistedGame):
        return True
    if game.n_guesses <= SAMPLED_FROM or not isinstance(notation.rules, CodeRules):
        return False
    return game.prior is None and best_known_tree(game) is None


def strategy_for(
    notation: Notation, policy: str | None = None, settings: Settings = DEFAULT
) -> Strategy:
    """Return a strategy, by default the game's; raise `CodebreakerError` if it doesn't fit."""
    game = notation.game
    opening = settings.opening
    if policy is None:
        policy, best_opening = default_of(game)
        opening = best_opening if opening is None else opening
    if opening is not None:
        fixed = read_opening(notation, opening)
        opening = BETWEEN_GUESSES.join(fixed)
        if len(fixed) > 1:
            check_fixed(opening, settings.guess_pool)
    strategy = Strategy(
        policy,
        opening,
        settings.guess_pool,
        settings.tie_break,
        settings.endgames,
        settings.exact_from,
    )
    check_fits(strategy, game.name, game.feedback_labels)
    check_has_choice(strategy)
    check_pool(game, strategy.guess_pool or "all")
    if strategy.opening is not None:
        for label in fixed_guesses(strategy.opening, game.guesses):
            check_opening(label, strategy.guess_pool, game.name, label in game.secrets)
    return strategy


def read_opening(notation: Notation, text: str) -> list[str]:
    """Return the labels of an opening: one guess, or several with commas between them.

    Raises `CodebreakerError` for what is no guess. A code may have commas, too, as in 1,1,2,3.
    """
    parts = text.split(BETWEEN_GUESSES)
    is_whole = notation.guess_or_none(text) is not None
    if is_whole or all(notation.guess_or_none(part) is None for part in parts):
        parts = [text]
    return [notation.game.guesses[notation.guess(part)] for part in parts]


def read_one_guess(notation: Notation, opening: str, who: str) -> str:
    """Return the label of an opening of one guess; raise `CodebreakerError` for several."""
    fixed = read_opening(notation, opening)
    if len(fixed) > 1:
        raise several_refused(opening, who)
    return fixed[0]


def _by_default(notation: Notation, settings: Settings, cached: bool) -> "AnyAssistant":
    """Return what plays a game as well as is affordable, within an opening and a guess pool."""
    if settings.samples is not None or (not settings.of_play and is_large(notation)):
        return _by_samples(notation, SAMPLED, settings, cached)
    refuse_unlisted(notation.game)
    if settings.ties_or_endgames:
        return _by_policy(notation, None, settings, cached)
    record = None if settings.of_play else best_known_tree(notation.game)
    sources: list[Plays] = []
    if record is not None:
        tree, found_by = record
        sources.append(RecordedTree(tree, _of_record(found_by)))
    pool = settings.guess_pool or "all"
    # Weighted sets are searched with all guesses alone.
    can_search = notation.game.prior is None or pool == "all"
    endgames = LARGEST_ENDGAME if can_search else 0
    strategy = replace(strategy_for(notation, None, settings), endgames=endgames)
    first = None if settings.of_play else first_tree(notation.game)
    if first is not None:
        sources.append(RecordedTree(*first, only_first=True))
    fixed = [] if settings.opening is None else read_opening(notation, settings.opening)
    exact = ExactSearch(pool, first=1 + len(fixed))
    sources += [exact, ByPolicy(strategy, eased=True)]
    name = strategy.slug if record is None else BEST_KNOWN
    # A fixed second guess is that code, whatever the first one's colours are called.
    is_fair = len(fixed) < 2
    return _assistant(notation, sources, name, pool, strategy, cached=cached, is_fair=is_fair)


def _by_record(notation: Notation, name: str, settings: Settings, cached: bool) -> "AnyAssistant":
    """Return what plays the best known tree; raise `CodebreakerError` if there is none."""
    _refuse_settings(name, settings)
    refuse_unlisted(notation.game)
    if best_known_tree(notation.game) is None:
        raise CodebreakerError(
            f"no tree of {notation.game.name} is recorded: choose another policy"
        )
    return _by_default(notation, DEFAULT, cached)


def _optimally(notation: Notation, name: str, settings: Settings, cached: bool) -> "AnyAssistant":
    """Return what plays all sets optimally."""
    _refuse_settings(name, settings)
    game = notation.game
    refuse_unlisted(game)
    if not game.has_table:
        raise CodebreakerError(f"{game.name} has no table to search: choose another policy")
    record, found_by = best_known_tree(game) or (None, "")
    sources: list[Plays] = [ExactSearch("all", limited=False)]
    if record is not None and found_by == OPTIMAL:
        sources.insert(0, RecordedTree(record, _of_record(found_by)))
    return _assistant(notation, sources, name, cached=cached, is_fair=True)


def _by_samples(notation: Notation, name: str, settings: Settings, cached: bool) -> "AnyAssistant":
    """Return what plays by samples; raise `CodebreakerError` if they don't know the game."""
    # Importing the kernels takes a second, and recorded trees don't need them.
    from codebreaker.advice.sampled import SampledAssistant

    if settings.of_play:
        raise CodebreakerError(
            f"policy {name!r} has no settings but its samples and their seed: leave out the rest"
        )
    samples = SAMPLES if settings.samples is None else settings.samples
    return SampledAssistant(notation, samples, settings.seed)


def _by_policy(
    notation: Notation, name: str | None, settings: Settings, cached: bool
) -> "AnyAssistant":
    """Return what plays a policy alone."""
    refuse_unlisted(notation.game)
    strategy = strategy_for(notation, name, settings)
    own_pool: AnyPool = "hard" if strategy.guess_pool == "hard" else "all"
    pool = settings.guess_pool or own_pool
    sources: list[Plays] = [ByPolicy(strategy)]
    assistant = _assistant(notation, sources, strategy.slug, pool, strategy, cached=cached)
    assistant.grown_by = None if strategy.plays_exactly else strategy
    return assistant


NAMED: dict[str, Callable[[Notation, str, Settings, bool], "AnyAssistant"]] = {
    BEST_KNOWN: _by_record,
    OPTIMAL: _optimally,
    SAMPLED: _by_samples,
}
"""What plays by name; all other names are policies."""


def _assistant(
    notation: Notation,
    sources: list[Plays],
    name: str,
    guess_pool: AnyPool = "all",
    strategy: Strategy | None = None,
    *,
    cached: bool,
    is_fair: bool = False,
) -> Assistant:
    """Return an assistant with these sources, whose trees may be cached."""
    named = strategy
    if named is None or named.slug != name:
        named = Strategy(name, rule=strategy_for(notation).plays)
    return Assistant(
        notation,
        named,
        sources,
        name=name,
        guess_pool=guess_pool,
        cache=TreeCache(notation.game, named) if cached else None,
        is_fair=is_fair and guess_pool != "hard",
    )


def _of_record(found_by: str) -> str:
    """Return what is known of a recorded tree, in words."""
    if found_by == OPTIMAL:
        return "from the recorded tree: no guess is better"
    return "from the recorded tree with the lowest total known"


def _refuse_settings(name: str, settings: Settings) -> None:
    """Raise `CodebreakerError` if a tree, which has no settings, is given some."""
    if settings.of_play:
        raise CodebreakerError(f"policy {name!r} has no settings: leave them out")
