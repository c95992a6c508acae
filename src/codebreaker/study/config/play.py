"""Sections of contests: players, terminals, and a devious codemaker."""

import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from codebreaker.errors import CodebreakerError
from codebreaker.games.words import find_words, read_words
from codebreaker.players.board import code_index, mastermind_rules
from codebreaker.players.registry import MOST_TURNS, PLAYERS, player_spec
from codebreaker.study.config.games import TableGame, WordsPath
from codebreaker.study.config.sections import Count, Name, Section, Seed, at_key


def _check_player(name: str) -> str:
    """Return the name of a registered player."""
    with at_key():
        player_spec(name)
    return name


PlayerName = Annotated[
    str,
    Field(description="player", examples=list(PLAYERS)),
    AfterValidator(_check_player),
]

Option = Annotated[str, Field(description="option")]


class Match(Section):
    """A game that several players play against the same secrets."""

    game: str
    """Mastermind with up to 2^24 codes."""
    opening: str = Field(coerce_numbers_to_str=True)
    """The first guess, except of `random-consistent` and EvoRank."""
    repetitions: Count = 1
    """How often each player plays against each secret."""
    secrets: int | None = Field(default=None, ge=2, le=1 << 24)
    """How many secrets to draw; by default all codes."""

    @model_validator(mode="after")
    def _check_game(self) -> Self:
        """Check that the game is Mastermind, and has the opening and so many secrets."""
        with at_key():
            code_index(self.game, self.opening)
            n_codes = mastermind_rules(self.game).table_shape[0]
            if self.secrets is not None and self.secrets > n_codes:
                raise CodebreakerError(
                    f"{self.secrets:,} secrets are more than the {n_codes:,} codes of "
                    f"{self.game}: choose fewer, or more repetitions"
                )
        return self


class Contest(Match):
    """Games of several players against the same secrets."""

    players: list[PlayerName] = Field(min_length=1)
    """Suffixes from `-half` to `-twelfth` limit the choice to that share of the candidates."""
    options: dict[PlayerName, dict[Option, float]] = Field(default={})
    """EvoRank: `population` (400), `target`, the number of consistent codes to collect (20 for 6
    colours, 10 more per further colour), `mutation` (1/3), `patience` (3) and `reset` (50). eGA,
    eGACo and eGACm: `population` (50), `evaluations` (500), `crossover` (0.9), `keeps` (0; 1 if
    feasible codes of earlier moves may be played), `stops_by_tier` (1: after the `evaluations` only
    tiers without a feasible code go on; 0: all tiers do, until each has one) and `cuts_at_ends` (1:
    a crossover may cut before the first or after the last peg; 0: only between pegs). All of these:
    `endgames` (0), the number of candidates up to which all are compared instead of a search.
    sampled: `samples` (4096), the number of candidates in a sample. best-so-far: `population` (50)
    and `generations` per guess (10). Players with a share: `minimum` (1), the minimum number of
    candidates."""

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        """Check that players have these options, and allow their values."""
        for player, options in self.options.items():
            with at_key("options", player):
                player_spec(player).check(options)
        return self


class Margins(Section):
    """The largest differences of equivalent players."""

    guesses: float = Field(default=0.05, gt=0, le=64)
    """In mean guesses."""
    evaluations: float = Field(default=0.05, gt=0, lt=1)
    """In mean evaluations, as a share of both players' mean."""


class Method(Section):
    """A player of a table of methods."""

    player: PlayerName = Field(description="As in contests.")
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """Its own first guess."""
    options: dict[Option, float] = Field(default={})
    """As in contests."""

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        """Check that the player has these options, and allows their values."""
        with at_key("options"):
            player_spec(self.player).check(self.options)
        return self


class Methods(Match):
    """Players timed on the same secrets in one job, in `TABLE-methods.csv`."""

    within: int = Field(default=10, ge=1, le=MOST_TURNS)
    """The guesses within which a game is won."""
    players: list[Method] = Field(min_length=1)
    """All are compared with the first."""

    @model_validator(mode="after")
    def _check_openings(self) -> Self:
        """Check that the game has the players' own openings."""
        for index, method in enumerate(self.players):
            if method.opening is not None:
                with at_key("players", index):
                    code_index(self.game, method.opening)
        return self


class Players(Section):
    """Players that use random numbers."""

    random_consistent: list[TableGame] = Field(default=[])
    """Games for exact expectations of random consistent play. Many secrets with few feedback ids,
    as in `black-4-6`, take too long."""
    seed: Seed = 1
    """The seed of contests."""
    contests: dict[Annotated[Name, Field(description="contest")], Contest] = Field(default={})
    margins: Margins = Field(default=Margins())
    methods: dict[Annotated[Name, Field(description="table")], Methods] = Field(default={})


class Terminals(Section):
    """Terminals of Fallout 3, drawn at random from a word list."""

    words: WordsPath = "english"
    """A list with words of several lengths, or a text file."""
    lengths: list[Annotated[int, Field(ge=1, le=254)]] = Field(
        default=list(range(4, 13)), min_length=1
    )
    """Lengths of words."""
    sizes: list[Annotated[int, Field(ge=1, le=24)]] = Field(
        default=list(range(5, 13)), min_length=1
    )
    """Numbers of words."""
    count: int = Field(default=0, ge=0, le=10**6)
    """Terminals of each length and size."""
    seed: Seed = 1
    attempts: int = Field(default=4, ge=1, le=64)
    """Attempts that the game allows."""
    resets: int = Field(default=1, ge=0, le=64)
    """How often attempts are replenished, in the column with resets."""

    def check_words(self, folder: str | Path) -> None:
        """Raise `CodebreakerError` if the list has too few words of a length for a terminal."""
        path = find_words(self.words, folder)
        n_words = Counter(len(word.text) for word in read_words(path))
        largest = max(self.sizes)
        for length in self.lengths:
            if n_words[length] < largest:
                raise CodebreakerError(
                    f"{path} has {n_words[length]} words of {length} letters, fewer than a "
                    f"terminal of {largest}: add words, or choose other lengths or smaller "
                    "terminals"
                )


LOGS = (".jsonl", ".txt")
"""How the names of agents' logs end."""


class Devious(Section):
    """A codemaker who has no secret, and answers so that games take long."""

    contest: str | None = None
    """The contest whose game, opening, players and options are used. The game needs a table."""
    games: int = Field(default=200, ge=2, le=10**6)
    """Games of each player."""


class Codemaker(Section):
    """Codemakers who don't draw the secret at random."""

    devious: Devious = Devious()


def _logs_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*")) if path.suffix in LOGS]


class Agents(Section):
    """Logs of agents, which are judged and ranked."""

    logs: str | None = None
    """A folder with a file for each agent, `AGENT.jsonl` or `AGENT.txt`, relative to the working
    folder or, if no such files are there, to the Snakefile's."""
    game: str | None = None
    """The game of lines that name none."""

    def files(self, folder: str | Path) -> dict[str, str]:
        """Return the files by agent; raise `CodebreakerError` for a folder without logs.

        Raises it for names that can't be part of file names, too, and for two logs of one agent.
        """
        if self.logs is None:
            return {}
        paths = _logs_in(Path(self.logs)) or _logs_in(Path(folder, self.logs))
        if not paths:
            raise CodebreakerError(f"{self.logs} has no logs: name a folder with *.jsonl or *.txt")
        by_agent = dict[str, str]()
        for path in paths:
            if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", path.stem):
                raise CodebreakerError(
                    f"the log {path.name} names its agent by letters, digits, dots and hyphens: "
                    "rename it"
                )
            if path.stem in by_agent:
                raise CodebreakerError(f"two logs are of the agent {path.stem}: rename one")
            by_agent[path.stem] = str(path)
        return by_agent
