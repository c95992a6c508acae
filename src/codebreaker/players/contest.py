"""Contests: many games on the same instances, in batches that are kept when a run is killed."""

import json
import logging
import zipfile
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.files import atomic_write
from codebreaker.players.kernels.board import Board, feedback
from codebreaker.players.player import MOST_TURNS, GameLog, Player
from codebreaker.progress import report_progress

log = logging.getLogger("codebreaker")

Options = Mapping[str, float]
"""What is set otherwise of a player, by name."""

NO_OPTIONS: Options = {}

BATCH = 250
"""Games of a batch."""


def draw_instances(n_codes: int, games: int, seed: int) -> NDArray[np.int32]:
    """Return the secrets of some games, (games,) int32, none used over once more than another.

    Source: Cotta et al. 2010, section 4.
    """
    draw = np.random.default_rng(seed)
    rounds = [draw.permutation(n_codes) for _ in range(-(-games // n_codes))]
    return np.concatenate(rounds)[:games].astype(np.int32)


def play_batch(
    player: Player,
    board: Board,
    opening: int,
    secrets: NDArray[np.int32],
    first: int,
    seed: int,
    options: Options = NO_OPTIONS,
) -> GameLog:
    """Play games with the numbers from `first` on, each with random numbers of its own.

    Raises `CodebreakerError` where a game takes over MOST_TURNS turns.
    """
    play, n = player.sit_down(board, **options), len(secrets)
    moves = np.full((n, MOST_TURNS), -1, dtype=np.int32)
    evaluations = np.zeros((n, MOST_TURNS), dtype=np.int32)
    guesses = np.zeros(n, dtype=np.int32)
    answers = np.zeros(MOST_TURNS, dtype=np.int32)
    for i, secret in enumerate(secrets.tolist()):
        words = np.random.SeedSequence([seed, first + i]).generate_state(1, np.uint64)
        state = words.astype(np.uint64)
        code, known, turn = player.opening(board, state, opening), 0, 0
        moves[i, 0] = code
        while code != secret:
            answers[turn] = feedback(board, code, secret)
            turn += 1
            if turn == MOST_TURNS:
                raise CodebreakerError(f"{player.name} needs over {MOST_TURNS} guesses in a game")
            code, evaluations[i, turn], known = play(moves[i, :turn], answers[:turn], known, state)
            moves[i, turn] = code
        guesses[i] = turn + 1
    return GameLog(secrets, guesses, moves, evaluations)


def play_games(
    player: Player,
    board: Board,
    opening: int,
    secrets: NDArray[np.int32],
    seed: int,
    threads: int,
    folder: Path,
    options: Options = NO_OPTIONS,
) -> GameLog:
    """Play all games in batches; those that stand in a folder already are taken from there.

    The result depends on the number of threads in no way.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told: dict[str, object] = {
        "player": player.name,
        "opening": opening,
        "seed": seed,
        "codes": len(board.codes),
    }
    told["options"] = dict(options)

    def one(first: int) -> GameLog:
        some = secrets[first : first + BATCH]
        identity = json.dumps(told | {"secrets": zlib.crc32(some.tobytes()), "first": first})
        path = folder / f"batch-{first}.npz"
        kept = _read(path, identity)
        if kept is None:
            kept = play_batch(player, board, opening, some, first, seed, options)
            with atomic_write(path) as draft:
                np.savez(draft, identity=np.array(identity), **vars(kept))
        return kept

    with ThreadPoolExecutor(threads) as pool:
        batches = []
        for number, batch in enumerate(pool.map(one, range(0, len(secrets), BATCH)), start=1):
            batches.append(batch)
            done = min(number * BATCH, len(secrets))
            report_progress(f"{player.name}: {done}/{len(secrets)} games", done, len(secrets))
    return GameLog(
        *(
            np.concatenate([getattr(batch, name) for batch in batches])
            for name in ("secrets", "guesses", "moves", "evaluations")
        )
    )


def _read(path: Path, identity: str) -> GameLog | None:
    """Return a batch that was finished before, if it is whole and of the same games."""
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
            if str(parts["identity"]) == identity:
                names = ("secrets", "guesses", "moves", "evaluations")
                return GameLog(*(parts[name] for name in names))
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, OSError) as why:
        log.warning("%s is not used, it is damaged: %s", path, why)
    return None
