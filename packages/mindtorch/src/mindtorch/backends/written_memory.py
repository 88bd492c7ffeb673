"""Memory that an in-place op changes where it lies, by a kernel that changes a copy.

A kernel such as that of ``index_copy`` copies its first argument and writes a few elements of the
copy. In place the copy would be thrown away, and cost more than all else: 28 ms where four rows of
80 MB are written, which takes 10 µs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["in_place", "writing"]

Kernel = Callable[..., Any]


class _Target(np.ndarray[Any, Any]):
    """The array that is changed: what a kernel takes for a copy of it is the array itself."""

    own: Any = None

    def copy(self, order: Any = "C") -> Any:
        """The array; of what is made of it, in another dtype for one, a copy."""
        return self.view(np.ndarray).copy(order) if self.own is None else self.own


def in_place(kernel: Kernel) -> Kernel:
    """*kernel* for a first argument that it may change; the result is that, or what to put there.

    An array with gaps is copied as before: kernels look at their copies as flat memory.
    """

    def call(self: Any, *rest: Any) -> Any:
        if type(self) is np.ndarray and self.flags.c_contiguous and self.flags.writeable:
            target = self.view(_Target)
            target.own = self
            return kernel(target, *rest)
        return kernel(self, *rest)

    return call


def writing(kernel: Kernel) -> Kernel:
    """*kernel*, made by :func:`in_place`, which in any case leaves its result in the argument."""

    def call(self: Any, *rest: Any) -> None:
        value = kernel(self, *rest)
        if value is not self:
            np.copyto(self, value, casting="unsafe")

    return call
