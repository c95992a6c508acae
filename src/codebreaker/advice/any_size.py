"""Whether a game of any size is played by samples, or as `assistant_for` plays it.

Two steps ask for that. Before a game is made, `listed_up_to` says how many codes it may list: a
list takes time, and samples don't need it. `plays_by_samples` then decides for the game.
"""

from typing import TYPE_CHECKING, TypeAlias

from codebreaker.advice.cached import best_known_tree
from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import CodeRules
from codebreaker.games.notation import Notation
from codebreaker.games.unlisted import UnlistedGame, refuse_unlisted
from codebreaker.sampling.settings import SAMPLES

if TYPE_CHECKING:
    from codebreaker.advice.assistant import Assistant
    from codebreaker.advice.sampled import SampledAssistant

AnyAssistant: TypeAlias = "Assistant | SampledAssistant"

SAMPLED_FROM = 1 << 17
"""Number of codes from which games without a recorded tree are played by samples by default."""


def listed_up_to(policy: str | None, has_settings: bool, samples: int | None) -> int | None:
    """Return the number of codes up to which a game is listed; None lists every game.

    `has_settings` says whether a setting of other policies is given, or a prior.
    """
    if _are_samples_named(policy, samples):
        return 0
    return SAMPLED_FROM if policy is None and not has_settings else None


def plays_by_samples(
    notation: Notation, policy: str | None, has_settings: bool, samples: int | None
) -> bool:
    """Return whether samples play a game: if they are named, or if nothing is and it is large.

    `has_settings` says whether a setting of other policies is given. Raises `CodebreakerError` for
    samples with a setting or with another policy, and if another policy can't play the game.
    """
    if policy not in (None, SAMPLED) and samples is not None:
        raise CodebreakerError(f"samples are for policy {SAMPLED!r}, not {policy!r}")
    are_named = _are_samples_named(policy, samples)
    is_default = policy is None and not has_settings and is_large(notation)
    if not are_named and not is_default:
        refuse_unlisted(notation.game)
        return False
    if has_settings:
        raise CodebreakerError(
            f"policy {SAMPLED!r} has no settings but its samples and their seed: leave out the rest"
        )
    return True


def sampled_assistant(notation: Notation, samples: int | None, seed: int) -> "SampledAssistant":
    """Return an assistant that plays by samples, by default `SAMPLES` of them.

    Raises `CodebreakerError` if they don't know the game.
    """
    # Importing the kernels takes a second, and recorded trees don't need them.
    from codebreaker.advice.sampled import SampledAssistant

    return SampledAssistant(notation, SAMPLES if samples is None else samples, seed)


def _are_samples_named(policy: str | None, samples: int | None) -> bool:
    """Return whether samples are asked for, whatever the game."""
    return policy == SAMPLED or samples is not None


def is_large(notation: Notation) -> bool:
    """Return whether a game is played by samples unless a policy is named."""
    game = notation.game
    if isinstance(game, UnlistedGame):
        return True
    if game.n_guesses <= SAMPLED_FROM or not isinstance(notation.rules, CodeRules):
        return False
    return game.prior is None and best_known_tree(game) is None
