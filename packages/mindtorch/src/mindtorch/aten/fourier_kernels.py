"""The three kernels of Fourier transforms: complex, from real numbers, to real numbers.

Source of the memory order of results: torch aten/src/ATen/native/mkl/SpectralOps.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch_storage import bool as bool_
from mindtorch_storage.layout import contiguous_strides

from ..backends.parallel import transform_threads
from ..call.elementwise_meta import not_implemented
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import element_strides, laid_out, scalar_name
from ..core.errors import scalar_type
from ..core.operators import ops
from ..core.scipy_extensions import extension, folder
from ..core.warning import warn_discarded

__all__ = ["BY_NUMBER", "BY_ROOT", "NONE"]

Array = np.ndarray[Any, Any]

#: How a result is scaled: not at all, by the root of the number of points, by that number.
NONE, BY_ROOT, BY_NUMBER = 0, 1, 2


def _copied_onto(meta: Callable[..., Out]) -> Callable[..., Out]:
    """What *meta* says, with the strides of a copy into a target that is given."""

    def onto(target: Any, *args: Any) -> Out:
        found = meta(*args)
        if found.dtype.is_complex and not target.dtype.is_complex and target.dtype is not bool_:
            warn_discarded()
        return found._replace(strides=None)

    return onto


def _copied(prepare: Callable[..., Callable[..., Array]]) -> Callable[..., Array]:
    """What the kernel gives, of which a real target gets the real part."""

    def into(target: Array, *args: Any) -> Array:
        found = prepare(*args)(*args)
        return found.real if target.dtype.kind not in "cb" else found

    return into


def _r2c_onto(target: Any, self: Any, dim: Any, normalization: int, onesided: bool) -> Out:
    found = _copied_onto(_r2c_meta)(target, self, dim, normalization, onesided)
    if not onesided and not target.dtype.is_complex:
        raise not_implemented("_fft_fill_with_conjugate_symmetry", target.dtype)
    return found


# -- the memory order of results -----------------------------------------------------------------


def _by_strides(dims: Sequence[int], strides: Sequence[int]) -> list[int]:
    return sorted(dims, key=lambda d: -strides[d])


def _strides_after(
    shape: Sequence[int], strides: Sequence[int], dims: Sequence[int]
) -> tuple[int, ...]:
    """The strides of a result of *shape*: the transformed *dims* innermost, in this order."""
    order = [*_by_strides([d for d in range(len(shape)) if d not in dims], strides), *dims]
    found = [0] * len(shape)
    step = 1
    for d in reversed(order):
        found[d] = step
        step *= max(shape[d], 1)
    return tuple(found)


def _ordered(dim: Sequence[int], strides: Sequence[int], last: bool) -> list[int]:
    """The dims in the order of their strides; with *last* the last one stays where it is."""
    if last:
        return [*_by_strides(dim[:-1], strides), dim[-1]]
    return _by_strides(dim, strides)


def _c2r_strides(
    whole: Sequence[int], shape: Sequence[int], strides: Sequence[int], dim: Sequence[int]
) -> tuple[int, ...]:
    """Strides after all dims but the last were transformed, and then the last."""
    if len(dim) > 1:
        strides = _strides_after(whole, strides, _by_strides(dim[:-1], strides))
    return _strides_after(shape, strides, dim[-1:])


# -- kernels -------------------------------------------------------------------------------------


def _transforms() -> Any:
    """scipy's compiled transforms, loaded when something is first transformed.

    Without the functions around them, which take ten times as long. Their last numbers are those
    by which a result is scaled here.
    """
    since_1_18 = folder("fft", "_duccfft").exists()
    return extension("fft._duccfft.pyduccfft" if since_1_18 else "fft._pocketfft.pypocketfft")


def _fitted(
    transform: Callable[[Array], Array], shape: tuple[int, ...], strides: tuple[int, ...]
) -> Callable[..., Array]:
    """The kernel of *transform*, whose results it lays out by *strides*."""
    if strides == contiguous_strides(shape):
        return lambda self, *rest: transform(self)
    return lambda self, *rest: laid_out(transform(self), strides)


def _c2c_meta(self: Any, dim: Any, normalization: int, forward: bool) -> Out:
    if not self.dtype.is_complex:
        raise RuntimeError(f"Only supports complex dtypes, but found: {scalar_type(self.dtype)}")
    shape, strides = tuple(self.shape), tuple(self.stride())
    if not dim:
        return Out(shape, self.dtype)
    _check_half(self)
    return Out(shape, self.dtype, _strides_after(shape, strides, _ordered(dim, strides, False)))


def _check_half(self: Any) -> None:
    if self.dtype.name == "complex32" and self.device.type != "meta":
        raise RuntimeError("MKL FFT doesn't support tensors of type: Half")


def _prepare_c2c(self: Array, dim: Any, normalization: int, forward: bool) -> Callable[..., Array]:
    shape, dtype = self.shape, self.dtype
    if not dim:
        return lambda self, *rest: self.copy()
    if not self.size:
        return lambda self, *rest: np.empty(shape, dtype)
    c2c, dims, strides = _transforms().c2c, tuple(dim), element_strides(self)
    return _fitted(
        lambda a: c2c(a, dims, forward, normalization, None, transform_threads(a.size)),
        shape,
        _strides_after(shape, strides, _ordered(dim, strides, False)),
    )


op(
    "_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor",
    meta=_c2c_meta,
    prepare=_prepare_c2c,
    variants="function",
    half=False,
    out=OutForm(dtype="copied"),
    out_meta=_copied_onto(_c2c_meta),
    out_kernel=_copied(_prepare_c2c),
    grad={"self": lambda g, c: ops._fft_c2c(g, c.dim, c.normalization, not c.forward)},
    samples="_fft_c2c",
    tags=("rounds",),
)


def _r2c_shape(shape: Sequence[int], dim: Any, onesided: bool) -> tuple[int, ...]:
    found = list(shape)
    if onesided:
        found[dim[-1]] = found[dim[-1]] // 2 + 1
    return tuple(found)


def _r2c_meta(self: Any, dim: Any, normalization: int, onesided: bool) -> Out:
    if not self.dtype.is_floating_point:
        kind = scalar_name(self.dtype)
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {kind}")
    shape = _r2c_shape(self.shape, dim, onesided)
    strides = tuple(self.stride())
    return Out(
        shape, self.dtype.to_complex(), _strides_after(shape, strides, _ordered(dim, strides, True))
    )


def _prepare_r2c(self: Array, dim: Any, normalization: int, onesided: bool) -> Callable[..., Array]:
    shape = _r2c_shape(self.shape, dim, onesided)
    if not self.size:
        dtype = np.complex64 if self.dtype.char == "f" else np.complex128
        return lambda self, *rest: np.zeros(shape, dtype)
    transforms, dims, strides = _transforms(), tuple(dim), element_strides(self)
    real = [] if onesided else _real_places(shape, dims)

    def transform(a: Array) -> Array:
        run = transforms.r2c if onesided else transforms.c2c
        made: Array = run(a, dims, True, normalization, None, transform_threads(a.size))
        for place in real:
            made.imag[place] = 0.0
        return made

    return _fitted(
        transform,
        shape,
        _strides_after(shape, strides, _ordered(dim, strides, True)),
    )


def _real_places(shape: Sequence[int], dims: Sequence[int]) -> list[tuple[Any, ...]]:
    """Where the transform of real numbers is its own conjugate, which scipy takes of it."""
    own: list[list[Any]] = [[slice(None)] for _ in shape]
    for d in dims:
        own[d] = [0, shape[d] // 2] if shape[d] % 2 == 0 else [0]
    return list(product(*own))


def _r2c_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, fft_r2c_backward."""
    if c.onesided:
        last = c.dim[-1]
        shape = tuple(g.shape)
        missing = c.self.shape[last] - shape[last]
        if missing > 0:
            pad = [0, 0] * (g.dim() - 1 - last % g.dim()) + [0, missing]
            g = ops.constant_pad_nd(g, pad, 0)
    return ops.real(ops._fft_c2c(g, c.dim, c.normalization, False))


op(
    "_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor",
    meta=_r2c_meta,
    prepare=_prepare_r2c,
    variants="function",
    half=False,
    out=OutForm(dtype="copied"),
    out_meta=_r2c_onto,
    out_kernel=_copied(_prepare_r2c),
    grad={"self": _r2c_gradient},
    samples="_fft_r2c",
    tags=("rounds",),
)


def _c2r_shape(shape: Sequence[int], dim: Any, last_dim_size: int) -> tuple[int, ...]:
    found = list(shape)
    found[dim[-1]] = last_dim_size
    return tuple(found)


def _c2r_meta(self: Any, dim: Any, normalization: int, last_dim_size: int) -> Out:
    _check_half(self)
    shape = _c2r_shape(self.shape, dim, last_dim_size)
    strides = _c2r_strides(tuple(self.shape), shape, tuple(self.stride()), dim)
    return Out(shape, self.dtype.to_real(), strides)


def _prepare_c2r(
    self: Array, dim: Any, normalization: int, last_dim_size: int
) -> Callable[..., Array]:
    shape = _c2r_shape(self.shape, dim, last_dim_size)
    if not self.size:
        dtype = self.real.dtype
        return lambda self, *rest: np.zeros(shape, dtype)
    c2r, dims, strides = _transforms().c2r, tuple(dim), element_strides(self)
    resize = _resizer(self.shape, dim[-1], last_dim_size // 2 + 1)
    return _fitted(
        lambda a: c2r(
            resize(a), dims, last_dim_size, False, normalization, None, transform_threads(a.size)
        ),
        shape,
        _c2r_strides(self.shape, shape, strides, dim),
    )


def _resizer(shape: tuple[int, ...], axis: int, size: int) -> Callable[[Array], Array]:
    """Cuts an array of *shape* along *axis*, or fills it up with zeros."""
    have, at = shape[axis], axis % len(shape)
    if have >= size:
        part = (slice(None),) * at + (slice(size),)
        return lambda a: a[part]
    widths = [(0, (size - have) * (d == at)) for d in range(len(shape))]
    return lambda a: np.pad(a, widths)


def _c2r_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, fft_c2r_backward."""
    back = ops._fft_r2c(g, c.dim, c.normalization, True)
    last = c.dim[-1]
    double = g.size(last) - back.size(last)
    if double > 0:
        # All but the first, and the last of an even number, stand for two.
        weights = back.new_ones((back.size(last),))
        weights.narrow(0, 1, double).fill_(2)
        shape = [1] * back.dim()
        shape[last] = -1
        back = back * weights.view(shape)
    return back


op(
    "_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
    meta=_c2r_meta,
    prepare=_prepare_c2r,
    variants="function",
    half=False,
    out=OutForm(dtype="copied"),
    out_meta=_copied_onto(_c2r_meta),
    out_kernel=_copied(_prepare_c2r),
    grad={"self": _c2r_gradient},
    samples="_fft_c2r",
    tags=("rounds",),
)
