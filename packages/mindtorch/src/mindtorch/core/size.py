"""``torch.Size``: a tuple of ints that prints as torch's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Size(tuple[int, ...]):
    """The shape of a tensor; slices and sums of sizes are sizes again."""

    __slots__ = ()

    def __new__(cls, values: Iterable[Any] = (), /) -> Size:
        checked = []
        for i, v in enumerate(values):
            if type(v) is int or hasattr(v, "node"):  # a symbol stays what it is
                checked.append(v)
                continue
            try:
                checked.append(v.__index__())
            except (AttributeError, TypeError):
                name = type(v).__name__
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {i} is '{name}')"
                ) from None
        return tuple.__new__(cls, checked)

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        n = 1
        for s in self:
            n *= s
        return n

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def __getitem__(self, index: Any) -> Any:
        got = tuple.__getitem__(self, index)
        return tuple.__new__(Size, got) if isinstance(index, slice) else got

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            raise TypeError(
                f"can only concatenate tuple (not {type(other).__name__}) to torch.Size"
            )
        return tuple.__new__(Size, tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        return tuple.__new__(Size, tuple.__add__(other, self))

    def __mul__(self, n: Any) -> Any:
        return tuple.__new__(Size, tuple.__mul__(self, n))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return (Size, (tuple(self),))
