"""The array itself: a tensor, and nothing that functions of arrays would be needed for.

Its methods and operators are those functions; :mod:`._ndarray` puts them on.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ..aten import torch


class ndarray:
    """numpy's array over a tensor."""

    def __init__(self, t: Any = None) -> None:
        if t is None:
            self.tensor = torch.Tensor()
        elif isinstance(t, torch.Tensor):
            self.tensor = t
        else:
            raise ValueError(
                "ndarray constructor is not recommended; prefer"
                "either array(...) or zeros/empty(...)"
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the array."""
        return tuple(self.tensor.shape)

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self.tensor.numel()

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self.tensor.ndim

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from one element to the next of each dimension."""
        size = self.tensor.element_size()
        return tuple(stride * size for stride in self.tensor.stride())

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.tensor.element_size()

    @property
    def data(self) -> int:
        """The address of the first element."""
        return self.tensor.data_ptr()

    @property
    def nbytes(self) -> int:
        """The bytes of the memory that the array lies in."""
        return self.tensor.storage().nbytes()

    @property
    def T(self) -> ndarray:
        """The array with its dimensions in the opposite order."""
        return self.transpose()  # type: ignore[attr-defined, no-any-return]  # put on later

    @property
    def real(self) -> ndarray:
        """The real part, a view."""
        return ndarray(torch.real(self.tensor) if self.tensor.is_complex() else self.tensor)

    @real.setter
    def real(self, value: Any) -> None:
        self.tensor.real = torch.as_tensor(getattr(value, "tensor", value))

    @property
    def imag(self) -> ndarray:
        """The imaginary part: a view, or zeros."""
        if self.tensor.is_complex():
            return ndarray(self.tensor.imag)
        return ndarray(torch.zeros_like(self.tensor))

    @imag.setter
    def imag(self, value: Any) -> None:
        self.tensor.imag = torch.as_tensor(getattr(value, "tensor", value))

    def is_integer(self) -> Any:
        """Whether the one element is a whole number."""
        try:
            return self.item() % 1 == 0
        except Exception:
            return False

    def item(self, *args: Any) -> Any:
        """The one element as a Python number; an array of that at a flat index, or at indices."""
        if args == ():
            return self.tensor.item()
        if len(args) == 1:
            return ndarray(self.tensor.ravel()[args[0]])
        return ndarray(self.tensor[args])

    def tolist(self) -> Any:
        """The elements in lists of Python numbers."""
        return self.tensor.tolist()

    def __str__(self) -> str:
        text = str(self.tensor)
        return text.replace("tensor", "torch.ndarray").replace("dtype=torch.", "dtype=")

    __repr__ = __str__

    __hash__ = None  # type: ignore[assignment]  # arrays are no keys

    def __bool__(self) -> bool:
        return bool(self.tensor)

    def __float__(self) -> float:
        return float(self.tensor)

    def __complex__(self) -> complex:
        return complex(self.tensor)

    def __int__(self) -> int:
        return int(self.tensor)

    def __index__(self) -> int:
        try:
            number: Any = self.tensor.item()
            return operator.index(number)
        except Exception as error:
            raise TypeError(
                "only integer scalar arrays can be converted to a scalar index"
            ) from error

    def __len__(self) -> int:
        return self.tensor.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (ndarray(element) for element in self.tensor.__iter__())

    def __contains__(self, x: Any) -> bool:
        return x in self.tensor

    def __dlpack__(self, *, stream: Any = None) -> Any:
        return self.tensor.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> Any:
        return self.tensor.__dlpack_device__()
