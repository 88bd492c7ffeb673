"""What raises an error inside of a script, for callers outside."""

from __future__ import annotations

from ..core.module_names import living_in

__all__ = ["Error", "told_by_script"]


class Error(Exception):
    """An error inside of a script."""


def told_by_script(error: Exception) -> str:
    """The text of *error*, which has no type outside of the script that raised it."""
    kind = type(error)
    return (
        "The following operation failed in the TorchScript interpreter.\n"
        f"{kind.__module__}.{kind.__qualname__}: {error}\n"
    )


living_in("mindtorch.jit", Error)
