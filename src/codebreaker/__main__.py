"""The script `codebreaker`, also `python -m codebreaker`."""

import sys

from codebreaker.errors import MissingExtraError, require


def main() -> None:
    """Run the command line, or say how to install its extra."""
    try:
        require("cli", "the command line")
    except MissingExtraError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    try:
        from codebreaker.cli import app

        app(prog_name="codebreaker")
    except KeyboardInterrupt:  # while modules are imported
        sys.exit(130)


if __name__ == "__main__":
    main()
