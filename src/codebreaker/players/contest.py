"""Contests: every player plays the same secrets, in batches that survive an interruption."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.files import read_resumed, write_arrays
from codebreaker.players.kernels.board import Board, feedback_between
from codebreaker.players.logs import GameLog
from codebreaker.players.registry import MOST_TURNS, Player, PlayerSpec
from codebreaker.runtime.progress import report_progress

BATCH = 250
"""Number of games that are played, and written, together: an interruption loses at most these."""


@dataclass(frozen=True)
class Series:
    """The inputs that determine a player's games; `code` is a source digest."""

    player: PlayerSpec
    board: Board
    opening: int
    seed: int
    options: Mapping[str, float] = field(default_factory=dict)
    code: str = ""


def draw_secrets(
    n_codes: int, repetitions: int, seed: int, sample: int | None = None
) -> NDArray[np.int32]:
    """Return the secrets of games, (n_games,) int32: all or a sample, once per repetition."""
    draw = np.random.default_rng(seed)
    secrets = draw.permutation(n_codes)[:sample]
    return np.concatenate([draw.permutation(secrets) for _ in range(repetitions)]).astype(np.int32)


def play_batch(series: Series, secrets: NDArray[np.int32], first: int) -> GameLog:
    """Play games against secrets, (n_games,), of which the first game has the number `first`.

    A game's number and the seed determine its random numbers: batches of any size play the same.
    """
    spec = series.player
    n = len(secrets)
    player = spec.make_player(series.board, **series.options)
    moves = np.full((n, MOST_TURNS), -1, dtype=np.int32)
    evaluations = np.zeros((n, MOST_TURNS), dtype=np.int32)
    for i, secret in enumerate(secrets.tolist()):

        def answer(guess: int, secret: int = secret) -> int | None:
            return None if guess == secret else feedback_between(series.board, guess, secret)

        for turn, move in enumerate(play_game(series, player, first + i, answer)):
            moves[i, turn], evaluations[i, turn] = move
    return GameLog(secrets, (moves >= 0).sum(axis=1, dtype=np.int32), moves, evaluations)


def play_game(
    series: Series, player: Player, number: int, answer: Callable[[int], int | None]
) -> Iterator[tuple[int, int]]:
    """Yield guesses with the codes evaluated; raise `CodebreakerError` after MOST_TURNS."""
    words = np.random.SeedSequence([series.seed, number]).generate_state(1, np.uint64)
    board = series.board._replace(state=words.astype(np.uint64))
    guesses, feedback = np.zeros((2, MOST_TURNS), dtype=np.int32)
    guess = series.player.opening(board, series.opening)
    evaluated = 0
    n_known = 0
    for turn in range(1, MOST_TURNS + 1):
        yield guess, evaluated
        given = answer(guess)
        if given is None:
            return
        guesses[turn - 1] = guess
        feedback[turn - 1] = given
        board = board._replace(guesses=guesses[:turn], feedback=feedback[:turn])
        if turn < MOST_TURNS:
            guess, evaluated, n_known = player(board, n_known)
    raise CodebreakerError(f"{series.player.name} needs over {MOST_TURNS} guesses in a game")


def play_games(series: Series, secrets: NDArray[np.int32], threads: int, folder: Path) -> GameLog:
    """Play all games in batches, except those already in the folder."""
    folder.mkdir(parents=True, exist_ok=True)

    def play(first: int) -> GameLog:
        secrets_of_batch = secrets[first : first + BATCH]
        path = folder / f"batch-{first}.npz"
        identity_of_batch = identity(series, secrets_of_batch, first)
        if parts := read_resumed(path, identity_of_batch):
            return GameLog(**parts)
        batch = play_batch(series, secrets_of_batch, first)
        write_arrays(path, compressed=False, identity=identity_of_batch, **vars(batch))
        return batch

    batches: list[GameLog] = []
    with ThreadPoolExecutor(threads) as pool:
        for batch in pool.map(play, range(0, len(secrets), BATCH)):
            batches.append(batch)
            done = min(len(batches) * BATCH, len(secrets))
            label = f"{series.player.name}: {done}/{len(secrets)} games"
            report_progress(label, done, len(secrets))
    arrays = zip(*(vars(batch).values() for batch in batches), strict=True)
    return GameLog(*map(np.concatenate, arrays))


def identity(series: Series, secrets: NDArray[np.int32], first: int = 0) -> str:
    """Return a digest of the inputs of a player's games."""
    board = series.board
    name = series.player.name
    known = series.code, name, series.opening, series.seed, dict(series.options), first
    arrays = board.codes, board.ids, board.blacks, board.whites, secrets
    parts = [repr(known).encode(), *(array.tobytes() for array in arrays)]
    return hashlib.sha256(b"".join(parts)).hexdigest()
