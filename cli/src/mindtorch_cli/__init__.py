"""The command line of mindtorch: explain dispatching, look at the memory of a simulated NPU.

The library functions behind the commands return plain data: :func:`mindtorch_cli.calls.explain_op`
and its neighbours. :func:`main` is the entry point of the command ``mindtorch``.
"""

from mindtorch_cli.__about__ import __version__ as __version__

__all__ = ["main"]


def main() -> None:
    """Run the command ``mindtorch``."""
    from mindtorch_cli.app import app  # the package is also imported for its functions

    app()
