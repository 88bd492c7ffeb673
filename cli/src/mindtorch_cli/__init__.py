"""The command line of mindtorch: explain dispatching, look at the memory of a simulated NPU.

The library functions behind the commands return plain data: :func:`mindtorch_cli.calls.explain_op`
and its neighbours. :func:`main` is the entry point of the command ``mindtorch``.
"""

from __future__ import annotations

import io
import os
import sys

from mindtorch_cli import broken_pipe as _broken_pipe
from mindtorch_cli.__about__ import __version__ as __version__

__all__ = ["main"]


def main() -> None:
    """Run the command ``mindtorch``.

    A file or a stream that cannot be used ends it with code 2, and without a word where a reader
    of its output went away.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # whoever reads a pipe waits for lines, too
    if os.environ.get("COLUMNS") == "0":  # a terminal that is not told of, and not one of no width
        del os.environ["COLUMNS"]
    try:
        try:
            from mindtorch_cli.app import app  # the package is also imported for its functions

            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:  # before a command began
        sys.exit(130)
    except (OSError, SystemExit) as error:
        if _broken_pipe.is_about_readers(error):
            _broken_pipe.go_on_unread()
            sys.exit(_broken_pipe.GONE)
        if isinstance(error, SystemExit):
            raise
        where = f"{error.filename}: " if error.filename else ""
        print(f"mindtorch: {where}{error.strerror or error}", file=sys.stderr)
        if error.filename is None:  # stdout: what it still holds cannot be written either
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(2)
