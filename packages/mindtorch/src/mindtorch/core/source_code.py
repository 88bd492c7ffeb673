"""Python source that is written, read from a file or rewritten at run time, and runs here.

Whoever generates a function (``call.code``, ``fx``) or imports a module from elsewhere
(``package``, the import alias) hands its source to :func:`run_source`.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast

__all__ = ["run_source"]


def run_source(source: str | ast.Module | CodeType, namespace: dict[str, Any], file: str) -> None:
    """Run *source* in *namespace*, which gets what it defines.

    :param file: what tracebacks call the file that it stands in.

    No ``from __future__`` of this package takes part. Raises SyntaxError, and whatever the source
    raises.
    """
    if not isinstance(source, CodeType):
        source = compile(source, file, "exec", dont_inherit=True)
    exec(source, namespace)
