"""What a program sees: one framework, one place, and where its results are compared."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Difference(AssertionError):
    """A result is not what it should be."""


class World:
    """A framework on one device, in a pipeline or not.

    :param place: ``"cpu"``, ``"npu"`` or ``"pipeline"``; the oracle only has the first.
    """

    def __init__(self, t: Any, place: str = "cpu") -> None:
        self.t = t
        self.place = place
        self.device = "npu" if place == "npu" else "cpu"
        #: All results so far, for the comparison with another world.
        self.seen: list[Array] = []

    def tensor(self, array: Array, **options: Any) -> Any:
        """*array* as a tensor of this world."""
        return self.t.tensor(array.tolist(), dtype=self.t.float64, device=self.device, **options)

    def running(self) -> contextlib.AbstractContextManager[Any]:
        """The context that programs run in."""
        return self.t.pipeline() if self.place == "pipeline" else contextlib.nullcontext()

    def same(self, what: str, got: Any, want: Any) -> None:
        """Raise :class:`Difference` unless the tensor or number *got* is *want*, bit for bit."""
        if isinstance(got, self.t.Tensor):
            got = got.detach().cpu().numpy()
        got, want = np.array(got), np.asarray(want)
        self.seen.append(got)
        if got.shape != want.shape or not np.array_equal(got, want):
            raise Difference(f"{what}: got\n{got}\nand not\n{want}")
