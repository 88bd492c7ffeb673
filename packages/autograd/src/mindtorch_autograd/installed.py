"""The space that is installed for the process, as the graph and the engine ask it.

What it answers stands in :mod:`.protocols`, in terms of nodes; so this module, which nodes need,
knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["NoSpace", "refuse_backward", "space"]


class NoSpace:
    """Stands in until a space is installed; any question to it says so."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(
            f"no Space is installed (asked for {name!r}): call mindtorch_autograd.set_space(space)"
        )


#: A :class:`.protocols.Space`; changed by :func:`.protocols.set_space` alone.
space: Any = NoSpace()

#: Raises where ``backward`` may not be called, inside of transforms: they put it here.
refuse_backward: Callable[[], None] | None = None
