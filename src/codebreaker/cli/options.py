"""The options that several commands share, and what completes them in a shell."""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial, wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]

from codebreaker.constants import LARGEST_ENDGAME, PAPERS_GAME

if TYPE_CHECKING:
    from codebreaker.advice.resolve import AnyAssistant
    from codebreaker.games.notation import Notation
    from codebreaker.games.words import WordFiles, WordRules

Shell = StrEnum("Shell", "bash zsh fish")
Format = StrEnum("Format", "auto rich plain json")


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell that reads the output.")],
) -> None:
    """Print a completion script for a shell.

    \b
    eval "$(codebreaker completion bash)"   in ~/.bashrc
    eval "$(codebreaker completion zsh)"    in ~/.zshrc
    codebreaker completion fish | source    in ~/.config/fish/config.fish
    """  # noqa: D301 (\b keeps the lines below it apart)
    script = get_completion_script(
        prog_name="codebreaker", complete_var="_CODEBREAKER_COMPLETE", shell=shell.value
    )
    typer.echo(script)


def complete_game(incomplete: str) -> list[str]:
    """Complete the name of a game."""
    from codebreaker.games.registry import usual_games

    return [name for name in usual_games() if name.startswith(incomplete)]


def _complete_policy(incomplete: str) -> list[str]:
    """Complete the name of a policy."""
    from codebreaker.policies.catalogue import catalogue
    from codebreaker.policies.registry import ALIASES

    names = [*(entry.example for entry in catalogue()), *ALIASES]
    return [name for name in names if name.startswith(incomplete)]


def complete_tree_format(incomplete: str) -> list[str]:
    """Complete a tree file's format."""
    from codebreaker.trees.formats.registry import READ

    return [name for name in READ if name.startswith(incomplete)]


def option(metavar: str | None, about: str, *names: str, **settings: Any) -> Any:  # noqa: ANN401
    """Return an option of Typer."""
    return typer.Option(*names, metavar=metavar, help=about, **settings)


def game_option(about: str, **settings: Any) -> Any:  # noqa: ANN401
    """Return the option that names a game."""
    return option("GAME", about, "--game", "-g", autocompletion=complete_game, **settings)


def policy_option(about: str, **settings: Any) -> Any:  # noqa: ANN401
    """Return the option that names a policy."""
    names = "--policy", "-p"
    return option("POLICY", about, *names, autocompletion=_complete_policy, **settings)


WordsFile = Annotated[
    str | None,
    option("FILE", "A word game's secrets: a file, one per line, or a list such as five-secrets."),
]
MoreWordsFile = Annotated[
    str | None, option("FILE", "Words that may be guessed in addition to --words.")
]
Alphabet = Annotated[
    str | None,
    option(
        "LETTERS",
        "The letters of these words, in lower case; digits and accents count as letters. "
        "Default: a to z.",
        show_default=False,
    ),
]

TableLimit = Annotated[
    float | None,
    option(
        "MIB",
        "Allow a feedback table of this size. Default: 64, or 1024 with --words.",
        "--table",
        min=0,
        show_default=False,
    ),
]

GUESS_POOL = option("POOL", "all; consistent: candidates only; or hard, Wordle's hard mode.")

OutputFormat = Annotated[
    Format,
    option(
        None,
        "auto means rich on a terminal and plain elsewhere.",
        "--format",
        "-f",
        case_sensitive=False,
    ),
]


def usual_word(name: str | None) -> str | None:
    """Return the name of a policy or guess pool as it is registered: small, with hyphens."""
    return None if name is None else re.sub(r"[ _]+", "-", name.strip().lower())


def option_of(text: str) -> str | None:
    """Return the option with a text that names a policy or a game, None for any other text."""
    from codebreaker.constants import SAMPLED
    from codebreaker.errors import CodebreakerError
    from codebreaker.games.registry import rules_of, usual_name
    from codebreaker.games.words import BUNDLED
    from codebreaker.policies.families import family_of
    from codebreaker.policies.registry import ALIASES, TREES, policy_names

    policy = usual_word(text) or ""
    if policy in (*TREES, SAMPLED, *ALIASES, *policy_names()) or family_of(policy):
        return f"--policy {policy}"
    game = usual_name(text)
    try:
        rules_of(game, BUNDLED)
    except CodebreakerError:
        return None
    return f"--game {game}"


def refuse_names(texts: Sequence[str]) -> None:
    """Raise `CodebreakerError` if a policy or a game is among texts that can't be read as moves."""
    from codebreaker.errors import CodebreakerError

    for text in texts:
        if (option_with_name := option_of(text)) is not None:
            raise CodebreakerError(f"{text!r} is not a move: write {option_with_name}")


def game_with_words(
    game: str,
    words: str | None = None,
    more_words: str | None = None,
    alphabet: str | None = None,
) -> "tuple[str, dict[str, WordFiles]]":
    """Return a game's whole name and the word lists by name, to which files may add one."""
    from codebreaker.errors import CodebreakerError
    from codebreaker.games.registry import WORDS, usual_name
    from codebreaker.games.words import BUNDLED, WordFiles

    name = usual_name(game)
    lists = dict(BUNDLED)
    if words is None:
        for option_name, value in (("--more-words", more_words), ("--alphabet", alphabet)):
            if value is not None:
                raise CodebreakerError(f"{option_name} needs --words, which names the secrets")
        if name in WORDS:
            raise CodebreakerError(
                f"game {name!r} needs words: give a file with --words, "
                f"or use a bundled list, as in {name}-{next(iter(lists))}"
            )
        return name, lists
    family, _, listed = name.partition("-")
    if family not in WORDS:
        raise CodebreakerError(
            f"game {name!r} is not played with words: use --game {' or '.join(WORDS)} with --words"
        )
    listed = listed or "words"
    files = WordFiles(words, more_words)
    lists[listed] = files if alphabet is None else replace(files, alphabet=alphabet)
    return f"{family}-{listed}", lists


def table_limit(words: str | None, table_mib: float | None) -> float:
    """Return the limit of a game's table in MiB: the one that is given, or else the usual one."""
    from codebreaker.games.registry import OWN_WORDS_MIB, TABLE_LIMIT_MIB

    if table_mib is not None:
        return table_mib
    return TABLE_LIMIT_MIB if words is None else OWN_WORDS_MIB


def notation_with_files(
    game: str,
    words: str | None = None,
    more_words: str | None = None,
    alphabet: str | None = None,
    prior: str | None = None,
    table_mib: float | None = None,
    most_listed: int | None = None,
    typed: Sequence[str] = (),
    moves: Sequence[str] = (),
) -> "Notation":
    """Return a game's notation; words and prior may come from files.

    A game of more than `most_listed` codes has no list of them; by default all games have one. In
    games with words of the package, `typed` words may be guessed, too; if no secret fits typed
    `moves`, rarer words that do are the secrets.
    """
    from codebreaker.games.notation import Notation
    from codebreaker.games.registry import build_game, playable, rules_of
    from codebreaker.games.tables import weighted
    from codebreaker.games.words import WordRules, about_other, read_prior

    name, lists = game_with_words(game, words, more_words, alphabet)
    rules = rules_of(name, lists)
    if typed and words is None and isinstance(rules, WordRules):
        known = rules.guesses
        rules, others = rules.with_typed(typed)
        for word in others:
            typer.echo(about_other(word, known), err=True)
    limit = table_limit(words, table_mib)
    built = build_game(rules, limit) if most_listed is None else playable(rules, limit, most_listed)
    if prior is not None:
        built = weighted(built, read_prior(prior, built))
    notation = Notation(rules, built)
    if moves and words is None and prior is None and isinstance(rules, WordRules):
        return _with_rarer_words(notation, rules, moves)
    return notation


def _with_rarer_words(notation: "Notation", rules: "WordRules", typed: Sequence[str]) -> "Notation":
    """Return a game of the rarer words that typed moves allow, if they allow no secret; say so."""
    from codebreaker.advice.slips import tell_slips
    from codebreaker.errors import CodebreakerError, counted
    from codebreaker.games.notation import Notation
    from codebreaker.games.reading import MoveReader
    from codebreaker.games.registry import build_game
    from codebreaker.sets.partition import candidates_after

    game = notation.game
    try:
        moves = MoveReader(notation).moves(typed)
    except CodebreakerError:
        return notation  # whoever reads the moves reports it
    wider = None
    if not len(candidates_after(game, moves)):
        wider = rules.with_rarer((game.guesses[guess], feedback) for guess, feedback in moves)
    if wider is None:
        return notation
    words = counted(len(wider.secrets), "rarer word")
    change = f"; or {tell_slips(notation, moves)}" if len(moves) > 1 else ""
    typer.echo(f"no secret of the list fits: {words} may be the secret{change}", err=True)
    return Notation(wider, build_game(wider))


def assistant_of_options(
    game: Annotated[str, game_option("The game; `codebreaker games` lists them.")] = PAPERS_GAME,
    words: WordsFile = None,
    more_words: MoreWordsFile = None,
    alphabet: Alphabet = None,
    prior: Annotated[
        str | None,
        option("FILE", "The secrets' prior: in each line a secret and its integer weight."),
    ] = None,
    policy: Annotated[
        str | None,
        policy_option(
            "best-known, optimal, a criterion such as entropy, or weights; `codebreaker policies` "
            "lists them. Default: the best guess that takes a second, by the best tree, by exact "
            "search, or by entropy with optimal endgames; sampled in games too large for these.",
            show_default=False,
        ),
    ] = None,
    opening: Annotated[
        str | None,
        option(
            "CODES",
            "Force the first guess. Several, as in 1123,4456, are the first ones whatever the "
            "feedback is, until the secret is known.",
        ),
    ] = None,
    guess_pool: Annotated[str | None, GUESS_POOL] = None,
    tie_break: Annotated[
        str | None,
        option(
            "RULE",
            "Which of the best guesses to play: lexicographic (the first), consistent then "
            "lexicographic (the first candidate, otherwise the first), consistent then reversed "
            "lexicographic (the last ones), or first consistent then last.",
        ),
    ] = None,
    endgames: Annotated[
        int,
        typer.Option(
            metavar="SIZE",
            min=0,
            max=LARGEST_ENDGAME,
            help="Play sets of up to SIZE candidates optimally, from the second guess on.",
        ),
    ] = 0,
    table: TableLimit = None,
    samples: Annotated[
        int | None,
        option(
            "NUMBER",
            "Policy sampled: the candidates in a sample, 4096 by default. More take longer.",
            show_default=False,
        ),
    ] = None,
    sample_seed: Annotated[
        int, option("NUMBER", "Policy sampled: the seed of its samples.", min=0)
    ] = 1,
    *,
    typed: Sequence[str] = (),
    notation: "Notation | None" = None,
) -> "AnyAssistant":
    """Return the assistant of these options, for moves that are typed, or for a notation.

    Importing the strategy's own settings would double `--help`'s time.
    """
    from codebreaker.advice.resolve import Settings, most_listed, resolve

    policy = usual_word(policy)
    given: dict[str, Any] = {"guess_pool": usual_word(guess_pool), "tie_break": tie_break}
    settings = Settings(
        opening, endgames=endgames, samples=samples, seed=sample_seed, **given
    )  # which are checked where a strategy is made of them
    listed = most_listed(policy, settings, prior is not None)
    words_typed = typed if opening is None else [*typed, opening]
    if notation is None:
        notation = notation_with_files(
            game, words, more_words, alphabet, prior, table, listed, words_typed, typed
        )
    return resolve(notation, policy, settings, cached=True)


OF_SAMPLES = ("samples", "sample_seed")
"""The options of the policy `sampled`."""


def with_assistant(
    command: Callable[..., None], without: tuple[str, ...] = (), with_others: bool = False
) -> Callable[..., None]:
    """Add an assistant's options to a command, whose first argument it becomes.

    Those `without` are left out. `with_others` the second argument returns the assistant of the
    same options in another notation, or is None if words or a prior come from files.
    """
    options_of_command = [*inspect.signature(command).parameters.values()][1 + with_others :]
    every = inspect.signature(assistant_of_options).parameters
    without = (*without, "typed", "notation")
    shared = {name: option for name, option in every.items() if name not in without}

    @wraps(command)
    def run(**values: Any) -> None:  # noqa: ANN401
        # No docstring: `wraps` gives it the command's, which is the text of `--help`.
        options = {name: values.pop(name) for name in shared}
        if values.get("moves") == ["-"]:
            values["moves"] = [line for line in sys.stdin.read().splitlines() if line.strip()]
        first: list[Any] = [assistant_of_options(**options, typed=values.get("moves") or ())]
        if with_others:
            is_usual = options["words"] is None and options["prior"] is None
            first.append(partial(assistant_of_options, **options) if is_usual else None)
        command(*first, **values)

    # Typer reads a command's options from its signature, and can't read the assistant's type.
    run.__annotations__ = {}
    signature = inspect.Signature([*options_of_command, *shared.values()])
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run
