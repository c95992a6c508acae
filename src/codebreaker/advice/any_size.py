"""The assistant for a game of any size: samples play where other policies would take too long."""

from typing import TYPE_CHECKING, TypeAlias

from codebreaker.advice.assistant import Assistant, assistant_for
from codebreaker.advice.cached import best_known_tree
from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.games.unlisted import UnlistedGame, refuse_unlisted
from codebreaker.sampling.settings import SAMPLES
from codebreaker.types import AnyPool, TieBreak

if TYPE_CHECKING:
    from codebreaker.advice.sampled import SampledAssistant

AnyAssistant: TypeAlias = "Assistant | SampledAssistant"

SAMPLED_FROM = 1 << 17
"""Number of codes from which games without a recorded tree are played by samples by default."""


def any_assistant(
    notation: Notation,
    policy: str | None = None,
    opening: str | None = None,
    guess_pool: AnyPool | None = None,
    tie_break: TieBreak | None = None,
    endgames: int = 0,
    *,
    samples: int | None = None,
    seed: int = 1,
    cached: bool = False,
) -> "Assistant | SampledAssistant":
    """Return an assistant as `assistant_for` does, or one that plays by samples.

    Samples play if they are asked for, or if nothing is and the game is large. Only they have
    `samples`, and use the `seed`. Raises `CodebreakerError` if a policy doesn't fit the game.
    """
    game = notation.game
    settings = (opening, guess_pool, tie_break, endgames or None)
    has_settings = any(value is not None for value in settings)
    has_samples = samples is not None
    if policy not in (None, SAMPLED) and has_samples:
        raise CodebreakerError(f"samples are for policy {SAMPLED!r}, not {policy!r}")
    by_default = policy is None and not has_settings and is_large(notation)
    if policy != SAMPLED and not has_samples and not by_default:
        refuse_unlisted(game)
        return assistant_for(
            notation, policy, opening, guess_pool, tie_break, endgames, cached=cached
        )
    if has_settings:
        raise CodebreakerError(
            f"policy {SAMPLED!r} has no settings but its samples and their seed: leave out the rest"
        )
    # Importing the kernels takes a second, and recorded trees don't need them.
    from codebreaker.advice.sampled import SampledAssistant

    return SampledAssistant(notation, SAMPLES if samples is None else samples, seed)


def is_large(notation: Notation) -> bool:
    """Return whether a game is played by samples unless a policy is named."""
    game = notation.game
    if isinstance(game, UnlistedGame):
        return True
    if game.n_guesses <= SAMPLED_FROM or not isinstance(notation.rules, CodeRules):
        return False
    return game.prior is None and best_known_tree(game) is None
