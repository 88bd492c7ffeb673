"""Unpooling and fractional pooling."""

from __future__ import annotations

from typing import Any

from ...core.module_names import spelled_out
from .. import functional as F
from .module import Module
from .utils import _pair, _single, _triple

__all__ = [
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]


@spelled_out()
class _MaxUnpoolNd(Module):
    """Puts elements back where a max pooling found them; all others are zero."""

    _tuple_: Any
    _n_: int

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        several = type(self)._tuple_
        self.kernel_size = several(kernel_size)
        self.stride = several(stride if stride is not None else kernel_size)
        self.padding = several(padding)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        return getattr(F, f"max_unpool{self._n_}d")(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool1d(_MaxUnpoolNd):
    """Undoes :class:`MaxPool1d`, as far as its indices tell."""

    _tuple_ = staticmethod(_single)
    _n_ = 1


class MaxUnpool2d(_MaxUnpoolNd):
    """Undoes :class:`MaxPool2d`, as far as its indices tell."""

    _tuple_ = staticmethod(_pair)
    _n_ = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """Undoes :class:`MaxPool3d`, as far as its indices tell."""

    _tuple_ = staticmethod(_triple)
    _n_ = 3


@spelled_out()
class _FractionalMaxPoolNd(Module):
    """The largest element of each window, where windows are placed at random.

    :param output_size: the result's size; or
    :param output_ratio: how much smaller it is.
    :param return_indices: return where the elements are, too.
    """

    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _tuple_: Any
    _n_: int

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._check_kernel_size_(kernel_size)
        several = type(self)._tuple_
        self.kernel_size = several(kernel_size)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = several(output_size) if output_size is not None else None
        self.output_ratio = several(output_ratio) if output_ratio is not None else None
        kind = type(self).__name__
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{kind} requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < r < 1 for r in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def _check_kernel_size_(self, kernel_size: Any) -> None:
        """Nothing to refuse yet: the op does."""

    def forward(self, input: Any) -> Any:
        return getattr(F, f"fractional_max_pool{self._n_}d")(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """Fractional max pooling of (N, C, H, W) or (C, H, W)."""

    _tuple_ = staticmethod(_pair)
    _n_ = 2


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """Fractional max pooling of (N, C, D, H, W) or (C, D, H, W)."""

    _tuple_ = staticmethod(_triple)
    _n_ = 3

    def _check_kernel_size_(self, kernel_size: Any) -> None:
        sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,)
        if not all(k > 0 for k in sizes if isinstance(kernel_size, (tuple, list, int))):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
