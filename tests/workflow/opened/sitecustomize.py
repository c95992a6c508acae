"""Note which files of the package each script of the workflow opens, and its modules.

Python imports this module at its start if its folder is on PYTHONPATH. With CODEBREAKER_OPENED, the
path of a file, a line is added to it for each such file: the script's name, a tab, and the file's
path within the package.
"""

import atexit
import os
import sys

IN_PACKAGE = f"{os.sep}src{os.sep}codebreaker{os.sep}"
OPENED = os.environ.get("CODEBREAKER_OPENED")
noted = set()


def note(event, arguments):
    """Note an opened file; Python calls this at each of its audit events."""
    if event != "open" or not isinstance(arguments[0], str):
        return
    _, inside, name = arguments[0].partition(IN_PACKAGE)
    if not inside or name in noted or name.endswith((".py", ".pyc")) or "__pycache__" in name:
        return
    noted.add(name)
    write([name])


def note_modules():
    """Note the modules of the package that are imported when the script ends."""
    paths = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    write(filter(None, (path.partition(IN_PACKAGE)[2] for path in paths)))


def write(names):
    """Write a line for each file."""
    # Snakemake runs a copy of a script, which has a prefix: tmp1a2b3c4d.grow_tree.py.
    script = sys.argv[0].rpartition(os.sep)[2].partition(".")[2]
    lines = "".join(f"{script}\t{name}\n" for name in names).encode()
    file = os.open(OPENED, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, lines)
    os.close(file)


if OPENED:
    sys.addaudithook(note)
    atexit.register(note_modules)
