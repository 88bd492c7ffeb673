"""Running a user's script in this process."""

from __future__ import annotations

import contextlib
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

#: A script that a command runs first, and its arguments.
Script = Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True)]
#: The same where the command also works without one.
OptionalScript = Annotated[
    Path | None, typer.Argument(exists=True, dir_okay=False, readable=True, help="A script.")
]
Arguments = Annotated[list[str] | None, typer.Argument(help="Arguments of the script, after --.")]


def run(script: Path, arguments: list[str], keep: list[Any] | None = None) -> int:
    """Run *script* as ``python script`` would; its exit code. Its exceptions pass through.

    :param keep: takes the script's globals, which else die here.
    """
    with arguments_of(script, arguments):
        try:
            scope = runpy.run_path(str(script), run_name="__main__")
            if keep is not None:
                keep.append(scope)
        except SystemExit as stop:
            if stop.code is None or isinstance(stop.code, int):
                return stop.code or 0
            print(stop.code, file=sys.stderr)
            return 1
    return 0


@contextlib.contextmanager
def arguments_of(script: Path, arguments: list[str]) -> Iterator[None]:
    """``sys.argv`` and the first entry of ``sys.path`` as *script* expects them."""
    argv, path = sys.argv, sys.path[:]
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = argv, path


def own_output(as_json: bool) -> contextlib.AbstractContextManager[object]:
    """Where the script prints: with ``--json`` to stderr, so that stdout is one document."""
    return contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext()
