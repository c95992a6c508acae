"""Functions of a state that play, asked so that their answers make a tree."""

from collections.abc import Callable, Sequence
from inspect import signature

import numpy as np

from codebreaker.advice.advice import Source
from codebreaker.advice.sources import Position
from codebreaker.api.games import Game
from codebreaker.api.states import State
from codebreaker.errors import CodebreakerError
from codebreaker.players.registry import MOST_TURNS
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices

Function = Callable[..., str]

QUESTIONS = 64
"""How often a function is asked again, at least, before its answers are taken for the only ones."""


class PlayedFunction:
    """A function that doesn't draw as a source of advice."""

    source = Source.POLICY
    kept_as = "function"

    def __init__(self, game: Game, function: Function) -> None:
        """Prepare to ask a function; raise `CodebreakerError` if it draws."""
        self.name = function_name(function)
        self.basis = f"by the function {self.name}"
        if draws_from(function):
            raise CodebreakerError(
                f"{self.name} takes two arguments: if it draws its guesses, cb.evaluate and "
                "cb.compare play it, and cb.criterion registers a criterion"
            )
        self._game = game
        self._function = function

    def tree(self, position: Position) -> GameTree:
        """Return the function's tree from a position on."""
        state = State(self._game)
        for move, left in zip(position.moves, position.sets[1:], strict=True):
            state._add(move, left)
        return explored(state, self.name, self._function)


def draws_from(strategy: Function) -> bool:
    """Return whether a function takes random numbers besides the state.

    Raises `CodebreakerError` for any other number of arguments.
    """
    try:
        parameters = signature(strategy).parameters.values()
    except (TypeError, ValueError):
        return False
    required = [
        parameter
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.kind != parameter.VAR_KEYWORD
    ]
    if not parameters or len(required) > 2:
        raise CodebreakerError(
            f"{function_name(strategy)} takes {len(required)} arguments: a strategy takes a state, "
            "and random numbers if it draws"
        )
    return len(required) > 1


def function_name(strategy: Function) -> str:
    """Return the name of a function, or of the class of any other callable."""
    return getattr(strategy, "__name__", type(strategy).__name__).strip("<>")


def ask(label: str, state: State, strategy: Function, *more: object) -> int:
    """Return the index of a function's guess in a state; raise `CodebreakerError` if it has none.

    `more` are the random numbers of a strategy that draws.
    """
    if state.turn > MOST_TURNS:
        raise CodebreakerError(f"{label} has not won after {MOST_TURNS} guesses: {state!r}")
    guess = strategy(state, *more)
    if not isinstance(guess, str):
        raise CodebreakerError(f"{label} returned {guess!r} in {state!r}: a guess is text")
    try:
        return state.game._guess_index(guess)
    except CodebreakerError as error:
        raise CodebreakerError(f"{label} played {guess!r} in {state!r}: {error}") from None


def explored(start: State, label: str, strategy: Function) -> GameTree:
    """Return a function's tree from a state on, asked once in each state of each turn."""
    game = start.game
    states = [start]
    guesses = list[int]()
    asked = list[tuple[State, int]]()

    def choose(frontier: Frontier) -> Indices:
        """Return the guess at each node, whose state follows from those of the turn before."""
        nonlocal states, guesses
        if frontier.turn > start.turn:
            sets = np.split(frontier.sets.members, frontier.sets.offsets[1:-1])
            above = zip(frontier.parents.tolist(), frontier.feedback.tolist(), sets, strict=True)
            states = [
                states[parent]._after(guesses[parent], feedback, left)
                for parent, feedback, left in above
            ]
        guesses = [ask(label, state, strategy) for state in states]
        asked.extend(zip(states, guesses, strict=True))
        return np.array(guesses, dtype=np.int32)

    moves, _ = start._line
    last = moves[-1][1] if moves else -1
    root = Frontier.of_set(start._members, start.turn, last)
    tree = make_tree(levels(game._model, root, choose))
    _ask_again(label, strategy, asked)
    return tree


def _ask_again(label: str, strategy: Function, asked: Sequence[tuple[State, int]]) -> None:
    """Refuse a function whose answers depend on more than the state, such as random numbers.

    The order is reversed, so that answers that follow the number of calls differ too. Where few
    states leave a choice, each is asked more often.
    """
    choices = sum(len(state._members) > 1 for state, _ in asked)
    for _ in range(1 + QUESTIONS // max(choices, 1)):
        for state, guess in reversed(asked):
            other = ask(label, state, strategy)
            if other != guess:
                first, second = (state.game.guesses[index] for index in (guess, other))
                raise CodebreakerError(
                    f"{label} played {first!r}, then {second!r} in {state!r}: its guess may depend "
                    "on the state alone, and not on earlier calls; to draw, take a second "
                    "argument, a numpy.random.Generator"
                )
