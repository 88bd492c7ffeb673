"""``torch._inductor.codecache``: compiled code that is kept, which there is none of."""

from __future__ import annotations

from typing import Any

from .exc import InvalidCxxCompiler

__all__ = ["CppCodeCache"]


class CppCodeCache:
    """Functions that were compiled from C++."""

    @classmethod
    def load(cls, *args: Any, **kwargs: Any) -> Any:
        """Raise InvalidCxxCompiler: nothing is compiled here."""
        raise InvalidCxxCompiler("mindtorch compiles no C++")
