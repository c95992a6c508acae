"""`codebreaker play`: an interactive game on either side, as text or JSON events."""

import random
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import Format, OutputFormat, option, with_assistant
from codebreaker.cli.output import MAX_LISTED, Output, error_line
from codebreaker.errors import CodebreakerError, counted, shortened

if TYPE_CHECKING:
    from rich.text import Text

    from codebreaker.advice.resolve import AnyAssistant
    from codebreaker.games.notation import Notation
    from codebreaker.games.words import WordRules
    from codebreaker.types import Move

    Others = Callable[..., AnyAssistant]
    """Returns the assistant of a command's options for another `notation`."""

MANY_PAIRS = 1 << 30
"""Games with more pairs of a guess and a secret are not analysed unasked."""

MOVE = ("turn", "guess", "feedback", "candidates", "candidates_after")
HINT = "?"
HELP = "/help"
UNDO = "/undo"
QUIT = "/quit"
COMMANDS = {
    "?": HINT,
    "hint": HINT,
    "help": HELP,
    "undo": UNDO,
    "quit": QUIT,
    "exit": QUIT,
    "q": QUIT,
}
"""What players type, with or without a slash."""

COMMANDS_IN_WORDS = "? for a hint, undo to take back the last move, quit to end the game"

CodemakerKind = StrEnum("CodemakerKind", "honest devious")


class Dialogue:
    """Reads a game's input from stdin and reports its events, in JSON one per line."""

    def __init__(self, output: Output, assistant: "AnyAssistant", others: "Others | None") -> None:
        """Begin a game without moves; the assistant gives hints and knows the guess pool.

        `others` returns the assistant for a game with more words.
        """
        self.output = output
        self.assistant = assistant
        self.notation = assistant.notation
        self.game = assistant.game
        self.moves: list[Move] = []
        self._others = others

    def note(self, message: str) -> None:
        """Report how something is taken."""
        self.tell("note", message, message=message)

    def allow_guess(self, typed: str) -> bool:
        """Allow a typed word that no list has as a guess, and say so; return whether it is one."""
        from codebreaker.games.words import WordRules, about_other

        rules = self.notation.rules
        if self._others is None or not isinstance(rules, WordRules):
            return False
        wider, words = rules.with_typed([typed])
        if words != (typed,):
            return False
        self._change(self._others, wider)
        self.note(about_other(typed, rules.guesses))
        return True

    def allow_rarer_secrets(self, moves: "list[Move]") -> bool:
        """Allow rarer words as secrets if moves fit some, and say so; return whether they do."""
        from codebreaker.games.registry import build_game
        from codebreaker.sets.partition import candidates_after

        rules = self._with_rarer_words()
        if rules is None or self._others is None:
            return False
        game = build_game(rules)
        words = rules.guesses
        moved = [(words.index(self.game.guesses[guess]), answer) for guess, answer in moves]
        left = len(candidates_after(game, moved))
        if not left:
            return False
        self._change(self._others, rules)
        self.note(f"no secret of the list fits: {counted(left, 'rarer word')} may be the secret")
        return True

    def secret(self, typed: str) -> int:
        """Return the index of a typed secret, which may be a rarer word; say so if it is.

        Raises `CodebreakerError` if the game has no such secret.
        """
        try:
            return self.notation.secret(typed)
        except CodebreakerError:
            rules = self._with_rarer_words()
            if rules is None or self._others is None or typed.strip().lower() not in rules.secrets:
                raise
        self._change(self._others, rules)
        self.note(f"the secret is a rarer word: the game is {self.game.name}")
        return self.notation.secret(typed)

    def _with_rarer_words(self) -> "WordRules | None":
        """Return the rules of the game in which rarer words are secrets, too, if there is one."""
        from codebreaker.games.registry import rules_of
        from codebreaker.games.words import BUNDLED, WordRules

        rules = self.notation.rules
        if not isinstance(rules, WordRules) or rules.rarer_name is None:
            return None
        wider = rules_of(rules.rarer_name, BUNDLED)
        assert isinstance(wider, WordRules), "it has the same family"
        # Words of no list that were guessed stay.
        return replace(wider, guesses=tuple(sorted({*wider.guesses, *rules.guesses})))

    def _change(self, others: "Others", rules: "WordRules") -> None:
        """Go on with the rules of a game that has the words of this one, and more."""
        from codebreaker.games.notation import Notation
        from codebreaker.games.registry import build_game

        before = self.game
        self.notation = Notation(rules, build_game(rules))
        self.assistant = others(notation=self.notation)
        self.game = self.assistant.game
        self.output.show_in(self.notation)
        # In place, as others hold the list.
        self.moves[:] = [
            (self.notation.guess(before.guesses[guess]), answer) for guess, answer in self.moves
        ]

    def ask(self, prompt: str) -> str:
        """Return the next input, QUIT at its end or Ctrl-C.

        Commands need a slash only if they are also words of the game.
        """
        while True:
            if sys.stdin.isatty() and not self.output.json:
                typer.echo(f"{prompt}> ", nl=False)
            # Once Polars has read a tree, its handler lets Ctrl-C pass while input is awaited.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                line = sys.stdin.readline()
            except KeyboardInterrupt:
                line = ""
            typed = line.strip().lower()
            if not line:
                if sys.stdin.isatty() and not self.output.json:
                    typer.echo()
                return QUIT
            command = COMMANDS.get(typed.removeprefix("/"))
            if command is not None and typed not in self.game.guesses:
                return command
            if typed:
                return typed

    def start(self, task: str) -> None:
        """Introduce the game."""
        name = self.game.name
        legend = self.notation.legend
        secrets = counted(self.game.n_secrets, "secret")
        head = f"{name}, {secrets}. {task}; ? for a hint, undo, help, or quit."
        form = self.notation.code_form
        if self.tell("start", head, style="bold", game=name, code=form, feedback=legend):
            self.output.line(f"code: {form}", style="dim")
            self.output.line(f"feedback: {legend}", style="dim")

    def move(self, move: "Move") -> None:
        """Make a move."""
        self.moves.append(move)
        turn = len(self.moves)
        if self.output.json:
            self.tell("move", turn=turn, **self.notation.objects([move])[0])
        else:
            self.output.move(turn, move)

    def guess(self) -> None:
        """Report the program's guess."""
        suggestion = self.assistant.suggest(self.moves)
        turn = len(self.moves) + 1
        label = self.game.guesses[suggestion.guess]
        n_candidates = suggestion.n_candidates
        left = suggestion.candidates_in_words
        line = (f"guess {turn}: ", self.output.code(label), f" ({left})")
        self.tell("guess", *line, style="bold", turn=turn, guess=label, n_candidates=n_candidates)

    def hint(self) -> None:
        """Give a hint."""
        suggestion = self.assistant.suggest(self.moves)
        guess = self.game.guesses[suggestion.guess]
        examples = suggestion.examples(MAX_LISTED)
        n_candidates = suggestion.n_candidates
        details: dict[str, Any] = {"n_candidates": n_candidates, "candidates": examples}
        line = ("hint: ", self.output.code(guess), self.output.letters(guess))
        if self.tell("hint", *line, guess=guess, **details):
            listed = " ".join([*examples, "..."] if len(examples) < n_candidates else examples)
            self.output.line(f"candidates: {suggestion.number_in_words}: {listed}")

    def help(self) -> None:
        """Report what may be typed."""
        form = self.notation.code_form
        legend = self.notation.legend
        commands = COMMANDS_IN_WORDS
        if self.tell("help", commands, code=form, feedback=legend, commands=commands):
            self.output.line(f"code: {form}", style="dim")
            self.output.line(f"feedback: {legend}", style="dim")

    def undo(self) -> None:
        """Take back the last move."""
        if not self.moves:
            self.error("no move to undo")
            return
        text = self.notation.text(self.moves.pop())
        turn = len(self.moves) + 1
        self.tell("undo", f"took back move {turn}, {text}", turn=turn, move=text)

    def error(self, message: str) -> None:
        """Report invalid input."""
        if self.output.json:
            self.tell("error", message=shortened(message))
        else:
            typer.echo(error_line(message), err=True)

    def end(self, solved: bool, guesses: int, secret: str | None) -> None:
        """Report how the game ended."""
        count = counted(guesses, "guess", "es")
        line: list[str | Text] = [f"solved in {count}: " if solved else f"ended after {count}"]
        if secret is not None:
            line += [] if solved else ["; the secret was "]
            line.append(self.output.code(secret))
        style = "bold" if solved else ""
        self.tell("end", *line, style=style, solved=solved, guesses=guesses, secret=secret)

    def review(self, secret: int | None) -> None:
        """Report the analysis, and the policy's own game."""
        from codebreaker.advice.assistant import Assistant
        from codebreaker.advice.transcripts import MOST_SECRETS
        from codebreaker.advice.verdict import review_of
        from codebreaker.trees.tree import follow

        game = self.game
        name = self.assistant.name
        if not self.moves or game.prior is not None:
            return
        if not isinstance(self.assistant, Assistant) or game.n_secrets > MOST_SECRETS:
            why = f"{game.name} is too large to analyse"
            self.tell("note", why, message=why)
            return
        if len(game.guesses) * game.n_secrets > MANY_PAIRS:
            why = f"{game.name} takes minutes to analyse: `codebreaker score` does it"
            self.tell("note", why, message=why)
            return
        review = review_of(self.notation, self.moves, self.assistant.guess_pool)
        best = follow(game, self.assistant.tree(), secret) if secret is not None else []
        if self.output.json:
            rows = review.select("judged_by", *MOVE, "regret", "luck").to_dicts()
            played = self.notation.objects(best)
            self.tell("analysis", moves=rows, policy=name, played=played)
            return
        self.output.review(review)
        if best:
            label = game.guesses[best[-1][0]]
            count = counted(len(best), "guess", "es")
            codes = " ".join(game.guesses[guess] for guess, _ in best)
            self.output.line(f"{name} finds {label} in {count}: {codes}")

    def tell(self, event: str, *line: "str | Text", style: str = "", **data: Any) -> bool:  # noqa: ANN401
        """Write an event as JSON, or else as a line; return whether it is a line."""
        if self.output.json:
            self.output.object({"event": event, **data}, one_line=True)
        else:
            self.output.line(*line, style=style)
        return not self.output.json

    def play(self, prompt: "Callable[[], str]", next_move: "Callable[[str], Move]") -> bool:
        """Process input to the end of the game; return whether it was solved."""
        while not self.moves or self.moves[-1][1] != self.game.solved:
            typed = self.ask(prompt())
            if typed == QUIT:
                return False
            if typed == HINT:
                self.hint()
            elif typed == HELP:
                self.help()
            elif typed == UNDO:
                self.undo()
            elif typed.startswith("/") and self.notation.guess_or_none(typed) is None:
                self.error(f"{typed!r} is not a command: type {COMMANDS_IN_WORDS}")
            else:
                try:
                    move = next_move(typed)
                except CodebreakerError as error:
                    self.error(str(error))
                else:
                    self.move(move)
        return True


def _is_move(notation: "Notation", typed: str) -> bool:
    """Return whether a text is a guess with its feedback."""
    try:
        notation.move(typed)
    except CodebreakerError:
        return False
    return True


def _answer_guesses(dialogue: Dialogue, secret: int | None) -> None:
    """Play a game in which the user guesses a secret, or, if it is None, a devious codemaker's."""
    import numpy as np

    from codebreaker.advice.codemaker import devious_answer
    from codebreaker.games.reading import MoveReader, in_dialect

    moves = dialogue.moves
    reader = MoveReader(dialogue.notation)

    def read(typed: str) -> int:
        """Return the typed guess, which may begin a game in a dialect, or be in no list."""
        nonlocal reader
        if not moves and reader.notation.dialect is not None:
            reader = MoveReader(dialogue.notation)  # the moves in the dialect were taken back
        try:
            return reader.guess(typed)
        except CodebreakerError:
            spoken = None
            if not moves:
                spoken = in_dialect(dialogue.notation, lambda spoken: [spoken.guess(typed)])
            if spoken is not None and spoken.dialect is not None:
                dialogue.note(spoken.dialect.about(spoken.rules))
            elif dialogue.allow_guess(typed):
                spoken = dialogue.notation
            elif _is_move(dialogue.notation, typed):
                why = f"{typed!r} has feedback: type the guess alone, and the codemaker answers"
                raise CodebreakerError(why) from None
            else:
                raise
        reader = MoveReader(spoken)
        return reader.guess(typed)

    def next_move(typed: str) -> "Move":
        """Return the typed guess with its feedback."""
        guess = read(typed)
        game = dialogue.game
        dialogue.output.show_in(reader.notation)
        dialogue.output.in_letters = reader.in_letters
        dialogue.assistant.check_guess(moves, guess)
        if secret is None:
            pool = dialogue.assistant.guess_pool
            return guess, devious_answer(game, moves, guess, pool)
        return guess, int(game.feedback(guess, np.array([secret]))[0])

    evasive = "The codemaker has no secret yet: leave only one that fits all answers"
    dialogue.start(evasive if secret is None else "Guess the secret")
    solved = dialogue.play(lambda: f"guess {len(moves) + 1}", next_move)
    game = dialogue.game
    if secret is None and solved:
        secret = dialogue.notation.secret(game.guesses[moves[-1][0]])
    dialogue.end(solved, len(moves), None if secret is None else game.secrets[secret])
    dialogue.review(secret)


def _guess_secret(dialogue: Dialogue) -> None:
    """Play a game in which the program guesses the user's secret."""
    moves = dialogue.moves

    def prompt() -> str:
        """Show the program's guess, and ask for its feedback."""
        dialogue.guess()
        return "feedback"

    def next_move(typed: str) -> "Move":
        """Return the program's guess with the typed feedback, which must leave a candidate."""
        guess = dialogue.assistant.suggest(moves).guess
        label = dialogue.game.guesses[guess]
        feedback = dialogue.notation.feedback(typed)
        try:
            dialogue.assistant.check_moves([*moves, (guess, feedback)])
        except CodebreakerError as error:
            if not dialogue.allow_rarer_secrets([*moves, (guess, feedback)]):
                raise CodebreakerError(f"{error} (type other feedback, or undo)") from None
        return dialogue.notation.guess(label), feedback

    dialogue.start("Think of a secret and type the feedback to each guess")
    solved = dialogue.play(prompt, next_move)
    dialogue.end(solved, len(moves), dialogue.game.guesses[moves[-1][0]] if solved else None)


@partial(with_assistant, with_others=True)
def play(
    assistant: "AnyAssistant",
    others: "Others | None",
    solver: Annotated[bool, option(None, "Let the program guess your secret.", "--solver")] = False,
    secret: Annotated[str | None, option("CODE", "The secret to guess. Default: random.")] = None,
    seed: Annotated[int | None, option("NUMBER", "Seed of the random secret.", min=0)] = None,
    codemaker: Annotated[
        CodemakerKind,
        typer.Option(
            help="An honest codemaker has a secret. A devious one has none, and gives answers that "
            "prolong the game without contradictions."
        ),
    ] = CodemakerKind.honest,
    output: OutputFormat = Format.auto,
) -> None:
    """Play a game: guess a secret, or let the program guess yours.

    Type guesses such as 1123 (or bbog: b blue, o orange, g green, r red, p pink, y yellow, s sky
    blue, n brown), or with --solver feedback such as 1,2 or 12: 1 black peg (right in colour and
    place) and 2 white pegs (right in colour only). Type ? for a hint, undo to take back the
    last move, help, or quit to end the game. Input may be piped, one line per entry. At the end
    each of your guesses is compared with optimal play.
    """
    from codebreaker.games.unlisted import refuse_unlisted

    if solver and (secret is not None or seed is not None):
        raise typer.BadParameter(
            "with --solver the secret is yours: leave these out", param_hint="--secret and --seed"
        )
    devious = codemaker is CodemakerKind.devious
    if devious and (solver or secret is not None or seed is not None):
        raise typer.BadParameter(
            "a devious codemaker has no secret: leave out --solver, --secret and --seed",
            param_hint="--codemaker",
        )
    notation = assistant.notation
    if devious:
        refuse_unlisted(notation.game)
    dialogue = Dialogue(Output(output, notation), assistant, others)
    if solver:
        _guess_secret(dialogue)
    elif devious:
        _answer_guesses(dialogue, None)
    elif secret is not None:
        _answer_guesses(dialogue, dialogue.secret(secret))
    else:
        game = notation.game
        draw = random.Random(seed)
        weights = None if game.prior is None else game.prior.tolist()
        every = range(game.n_secrets)
        drawn = draw.choice(every) if weights is None else draw.choices(every, weights)[0]
        _answer_guesses(dialogue, drawn)
