"""numpy's Fourier transforms, by torch's."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .. import fft as _fft
from . import _dtypes_impl, _util
from ._normalizations import ArrayLike, normalizer


def upcast(func: Callable[..., Any]) -> Any:
    """Let a transform compute in double precision, as numpy's do."""

    @wraps(func)
    def wrapped(tensor: Any, *args: Any, **kwds: Any) -> Any:
        defaults = _dtypes_impl.default_dtypes()
        target = defaults.complex_dtype if tensor.is_complex() else defaults.float_dtype
        return func(_util.cast_if_needed(tensor, target), *args, **kwds)

    return wrapped


def _line(name: str) -> Any:
    """The transform along one axis."""
    transform = getattr(_fft, name)

    def along(a: ArrayLike, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        return transform(a, n, dim=axis, norm=norm)

    return _named(along, name)


def _grid(name: str, default: Any = None) -> Any:
    """The transform along several axes."""
    transform = getattr(_fft, name)

    def along(a: ArrayLike, s: Any = None, axes: Any = default, norm: Any = None) -> Any:
        return transform(a, s, dim=axes, norm=norm)

    return _named(along, name)


def _named(along: Callable[..., Any], name: str) -> Any:
    """A transform under numpy's name."""
    along.__name__ = along.__qualname__ = name
    along.__doc__ = f"numpy's ``fft.{name}``, by torch's."
    return normalizer(upcast(along))


fft, ifft, rfft, irfft = (_line(name) for name in ("fft", "ifft", "rfft", "irfft"))
hfft, ihfft = _line("hfft"), _line("ihfft")
fftn, ifftn, rfftn, irfftn = (_grid(name) for name in ("fftn", "ifftn", "rfftn", "irfftn"))
fft2, ifft2, rfft2, irfft2 = (
    _grid(name, (-2, -1)) for name in ("fft2", "ifft2", "rfft2", "irfft2")
)


@normalizer
def fftfreq(n: Any, d: Any = 1.0) -> Any:
    """The frequencies of a transform's elements."""
    return _fft.fftfreq(n, d)


@normalizer
def rfftfreq(n: Any, d: Any = 1.0) -> Any:
    """The frequencies of the elements of a real transform."""
    return _fft.rfftfreq(n, d)


@normalizer
def fftshift(x: ArrayLike, axes: Any = None) -> Any:
    """The elements with frequency zero in the middle."""
    return _fft.fftshift(x, axes)


@normalizer
def ifftshift(x: ArrayLike, axes: Any = None) -> Any:
    """The elements with frequency zero in front again."""
    return _fft.ifftshift(x, axes)
