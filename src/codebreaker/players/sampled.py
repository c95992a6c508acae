"""The strategy `sampled` as a contest's player, on a board that lists all codes."""

from typing import TYPE_CHECKING

from codebreaker.games.codes import Mastermind
from codebreaker.players.kernels.settings import SampledSettings
from codebreaker.sampling.candidates import history_of
from codebreaker.sampling.choice import choose_guess

if TYPE_CHECKING:
    from codebreaker.players.kernels.board import Board, Choice


def guess_by_samples(settings: SampledSettings, board: "Board", _n_known: int) -> "Choice":
    """Return a guess as `choice.choose_guess` does, and how many guesses were compared.

    The number of codes known from now on is 0: samples are not kept from turn to turn.
    """
    rules = Mastermind(board.codes.shape[1], board.n_colours)
    feedback = board.feedback
    answers = zip(board.blacks[feedback].tolist(), board.whites[feedback].tolist(), strict=True)
    guesses = board.codes[board.guesses].tolist()
    history = history_of(rules, list(zip(guesses, answers, strict=True)))
    chosen = choose_guess(rules, history, board.state, settings.samples)
    return int(chosen.guess @ board.place_values), chosen.n_compared, 0
