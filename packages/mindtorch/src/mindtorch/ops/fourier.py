"""Fourier transforms: three kernels, and the functions of ``torch.fft`` that they make up.

Source of checks and texts: torch aten/src/ATen/native/SpectralOps.cpp; of the memory order of
results: aten/src/ATen/native/mkl/SpectralOps.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from ..errors import scalar_type
from .call import ops
from .dims import element_strides, laid_out, wrap_dim
from .meta import not_implemented
from .row import Out, op

__all__: list[str] = []

Array = np.ndarray[Any, Any]
#: How a result is scaled: not at all, by the root of the number of points, by that number.
NONE, BY_ROOT, BY_NUMBER = 0, 1, 2


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


def _fitted(a: Array, strides: tuple[int, ...]) -> Array:
    return a if element_strides(a) == strides else laid_out(a, strides)


# -- kernels -------------------------------------------------------------------------------------


def _scaled(a: Array, points: int, how: int) -> Array:
    if how == NONE or not points:
        return a
    factor = 1.0 / (math.sqrt(points) if how == BY_ROOT else points)
    return np.asarray(a * a.real.dtype.type(factor))


def _points(shape: Sequence[int], dim: Sequence[int]) -> int:
    return math.prod([shape[d] for d in dim])


def _c2c_meta(self: Any, dim: Any, normalization: int, forward: bool) -> Out:
    if not self.dtype.is_complex:
        raise not_implemented("_fft_c2c", self.dtype)
    shape, strides = tuple(self.shape), tuple(self.stride())
    if not dim:
        return Out(shape, self.dtype)
    _check_half(self)
    return Out(shape, self.dtype, _strides_after(shape, strides, _ordered(dim, strides, False)))


def _check_half(self: Any) -> None:
    if self.dtype.name == "complex32" and self.device.type != "meta":
        raise RuntimeError("MKL FFT doesn't support tensors of type: Half")


def _c2c(self: Array, dim: Any, normalization: int, forward: bool) -> Array:
    from scipy import fft  # loaded when something is first transformed

    if not dim:
        return self.copy()
    if not self.size:
        return np.empty(self.shape, self.dtype)
    found = fft.fftn(self, axes=dim) if forward else fft.ifftn(self, axes=dim, norm="forward")
    strides = element_strides(self)
    found = _scaled(found, _points(self.shape, dim), normalization)
    return _fitted(found, _strides_after(self.shape, strides, _ordered(dim, strides, False)))


op(
    "_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor",
    meta=_c2c_meta,
    kernel=_c2c,
    variants="function",
    half=False,
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
    shape = _r2c_shape(self.shape, dim, onesided)
    strides = tuple(self.stride())
    return Out(
        shape, self.dtype.to_complex(), _strides_after(shape, strides, _ordered(dim, strides, True))
    )


def _r2c(self: Array, dim: Any, normalization: int, onesided: bool) -> Array:
    from scipy import fft  # loaded when something is first transformed

    shape = _r2c_shape(self.shape, dim, onesided)
    strides = element_strides(self)
    if not self.size:
        return np.zeros(shape, np.complex64 if self.dtype.char == "f" else np.complex128)
    found = fft.rfftn(self, axes=dim) if onesided else fft.fftn(self, axes=dim)
    found = _scaled(found, _points(self.shape, dim), normalization)
    return _fitted(found, _strides_after(shape, strides, _ordered(dim, strides, True)))


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
    kernel=_r2c,
    variants="function",
    half=False,
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


def _c2r(self: Array, dim: Any, normalization: int, last_dim_size: int) -> Array:
    from scipy import fft  # loaded when something is first transformed

    shape = _c2r_shape(self.shape, dim, last_dim_size)
    if not self.size:
        return np.zeros(shape, self.real.dtype)
    a = self
    if len(dim) > 1:
        a = fft.ifftn(a, axes=dim[:-1], norm="forward")
    found = fft.irfft(a, n=last_dim_size, axis=dim[-1], norm="forward")
    found = _scaled(found, _points(shape, dim), normalization)
    return _fitted(found, _c2r_strides(self.shape, shape, element_strides(self), dim))


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
    kernel=_c2r,
    variants="function",
    half=False,
    grad={"self": _c2r_gradient},
    samples="_fft_c2r",
    tags=("rounds",),
)


# -- arguments -----------------------------------------------------------------------------------


def _promoted(self: Any, to_complex: bool) -> Any:
    """*self* in a dtype that is transformed. Source: promote_tensor_fft."""
    dtype = self.dtype
    if dtype.is_complex:
        return self
    if not dtype.is_floating_point:
        dtype = get_default_dtype()
    if dtype.name not in ("float32", "float64"):
        raise RuntimeError(f"Unsupported dtype {dtype.scalar_type}")
    return self.to(dtype.to_complex() if to_complex else dtype)


def _normalization(norm: str | None, forward: bool) -> int:
    if norm is None or norm == "backward":
        return NONE if forward else BY_NUMBER
    if norm == "forward":
        return BY_NUMBER if forward else NONE
    if norm == "ortho":
        return BY_ROOT
    raise RuntimeError(f'Invalid normalization mode: "{norm}"')


def _check_points(n: int) -> None:
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def _resized(x: Any, dims: Sequence[int], sizes: Sequence[int]) -> Any:
    """*x* cut or filled with zeros at the end of *dims*. Source: resize_fft_input."""
    pad = [0] * (2 * x.dim())
    grows = False
    for d, size in zip(dims, sizes, strict=True):
        if size == -1:
            continue
        have = x.size(d)
        if have < size:
            grows = True
            pad[len(pad) - 2 * d - 1] = size - have
        elif have > size:
            x = x.narrow(d, 0, size)
    return ops.constant_pad_nd(x, pad, 0) if grows else x


def _one_dim(x: Any, dim: int) -> int:
    if not x.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, x.dim())


# -- one dimension -------------------------------------------------------------------------------


def _forward_or_back(forward: bool) -> Any:
    def transform(self: Any, n: int | None, dim: int, norm: str | None) -> Any:
        x = _promoted(self, to_complex=False)
        d = _one_dim(x, dim)
        size = x.size(d) if n is None else n
        _check_points(size)
        if n is not None:
            x = _resized(x, (d,), (n,))
        how = _normalization(norm, forward)
        if x.is_complex():
            return ops._fft_c2c(x, [d], how, forward)
        found = ops._fft_r2c(x, [d], how, False)
        return found if forward else found.conj()

    return transform


def _real_forward(name: str, forward: bool) -> Any:
    def transform(self: Any, n: int | None, dim: int, norm: str | None) -> Any:
        if self.is_complex():
            kind = scalar_type(self.dtype)
            raise RuntimeError(f"{name} expects a real input tensor, but got {kind}")
        x = _promoted(self, to_complex=False)
        d = _one_dim(x, dim)
        size = x.size(d) if n is None else n
        _check_points(size)
        if n is not None:
            x = _resized(x, (d,), (n,))
        found = ops._fft_r2c(x, [d], _normalization(norm, forward), True)
        return found if forward else found.conj()

    return transform


def _real_back(forward: bool) -> Any:
    def transform(self: Any, n: int | None, dim: int, norm: str | None) -> Any:
        x = _promoted(self, to_complex=True)
        d = _one_dim(x, dim)
        size = 2 * (x.size(d) - 1) if n is None else n
        _check_points(size)
        if n is not None:
            x = _resized(x, (d,), (n // 2 + 1,))
        x = x.conj() if forward else x
        return ops._fft_c2r(x, [d], _normalization(norm, forward), size)

    return transform


for _name, _composite in (
    ("fft", _forward_or_back(True)),
    ("ifft", _forward_or_back(False)),
    ("rfft", _real_forward("rfft", True)),
    ("ihfft", _real_forward("ihfft", False)),
    ("irfft", _real_back(False)),
    ("hfft", _real_back(True)),
):
    op(
        f"fft_{_name}(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
        composite=_composite,
        module="fft",
        variants="function",
        out=True,
        samples="fft_real" if _name in ("rfft", "ihfft") else "fft_one",
    )


# -- several dimensions --------------------------------------------------------------------------


def _shape_and_dims(x: Any, s: Any, dim: Any) -> tuple[list[int], list[int]]:
    """The sizes and dims meant. Source: canonicalize_fft_shape_and_dim_args."""
    ndim = x.dim()
    s = [s] if isinstance(s, int) else s
    dim = [dim] if isinstance(dim, int) else dim
    if dim is not None:
        dims = [wrap_dim(d, ndim) if ndim else _one_dim(x, d) for d in dim]
        if len(set(dims)) != len(dims):
            raise RuntimeError("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(dim) != len(s):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(s) > ndim:
            raise RuntimeError(
                f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions."
            )
        if dim is None:
            dims = list(range(ndim - len(s), ndim))
        sizes = [x.size(d) if n == -1 else n for d, n in zip(dims, s, strict=True)]
    elif dim is None:
        dims = list(range(ndim))
        sizes = [x.size(d) for d in dims]
    else:
        sizes = [x.size(d) for d in dims]
    for n in sizes:
        _check_points(n)
    return sizes, dims


def _last_size(x: Any, s: Any, dims: list[int]) -> int:
    s = [s] if isinstance(s, int) else s
    return 2 * (x.size(dims[-1]) - 1) if s is None or s[-1] == -1 else s[-1]


def _many(forward: bool) -> Any:
    def transform(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
        sizes, dims = _shape_and_dims(self, s, dim)
        x = _resized(_promoted(self, to_complex=True), dims, sizes)
        return ops._fft_c2c(x, dims, _normalization(norm, forward), forward)

    return transform


def _rfftn(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    if self.is_complex():
        kind = scalar_type(self.dtype)
        raise RuntimeError(f"rfftn expects a real-valued input tensor, but got {kind}")
    x = _promoted(self, to_complex=False)
    sizes, dims = _shape_and_dims(x, s, dim)
    if not dims:
        raise RuntimeError("rfftn must transform at least one axis")
    return ops._fft_r2c(_resized(x, dims, sizes), dims, _normalization(norm, True), True)


def _halved(x: Any, s: Any, dim: Any, name: str) -> tuple[Any, list[int], int]:
    """The input of a transform to real numbers, its dims, and the size of the last one."""
    sizes, dims = _shape_and_dims(x, s, dim)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    last = _last_size(x, s, dims)
    _check_points(last)
    sizes[-1] = last // 2 + 1
    return _resized(x, dims, sizes), dims, last


def _irfftn(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    x, dims, last = _halved(_promoted(self, to_complex=True), s, dim, "irfftn")
    return ops._fft_c2r(x, dims, _normalization(norm, False), last)


def _hfftn(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    x, dims, last = _halved(_promoted(self, to_complex=True), s, dim, "hfftn")
    how = _normalization(norm, True)
    if len(dims) > 1:
        x = ops._fft_c2c(x, dims[:-1], how, True)
    return ops._fft_c2r(x.conj(), dims[-1:], how, last)


def _ihfftn(self: Any, s: Any, dim: Any, norm: str | None) -> Any:
    sizes, dims = _shape_and_dims(self, s, dim)
    if not dims:
        raise RuntimeError("ihfftn must transform at least one axis")
    if self.is_complex():
        kind = scalar_type(self.dtype)
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {kind}")
    x = _promoted(self, to_complex=False)
    how = _normalization(norm, False)
    found = ops._fft_r2c(_resized(x, dims, sizes), dims[-1:], how, True)
    if len(dims) == 1:
        return found.conj()
    return ops._fft_c2c(found.conj_physical(), dims[:-1], how, False)


for _name, _composite in (
    ("fft", _many(True)),
    ("ifft", _many(False)),
    ("rfft", _rfftn),
    ("irfft", _irfftn),
    ("hfft", _hfftn),
    ("ihfft", _ihfftn),
):
    _samples = "fft_many_real" if _name in ("rfft", "ihfft") else "fft_many"
    op(
        f"fft_{_name}n(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        composite=_composite,
        module="fft",
        variants="function",
        out=True,
        samples=_samples,
    )
    op(
        f"fft_{_name}2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) "
        "-> Tensor",
        composite=_composite,
        module="fft",
        variants="function",
        out=True,
        samples=_samples,
    )


# -- frequencies and shifts ----------------------------------------------------------------------


def _frequencies(name: str, onesided: bool) -> Any:
    def frequencies(n: int, d: float, dtype: Any, layout: Any, device: Any, pin_memory: Any) -> Any:
        kind = get_default_dtype() if dtype is None else dtype
        if not (kind.is_floating_point or kind.is_complex):
            raise RuntimeError(f"{name} requires a floating point or complex dtype")
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
        half = n // 2 + 1 if onesided else (n + 1) // 2
        found = ops.arange(0, half if onesided else n, dtype=dtype, device=device)
        if found.dtype is not kind:
            found = found.to(kind)
        if not onesided and n > half:
            found.narrow(0, half, n - half).sub_(n)
        return found.mul_(1.0 / (n * d) if n * d else math.inf)

    return frequencies


for _name, _onesided in (("fftfreq", False), ("rfftfreq", True)):
    op(
        f"fft_{_name}(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None) -> Tensor",
        composite=_frequencies(_name, _onesided),
        kinds={"functional": "explicit"},
        module="fft",
        variants="function",
        samples="fftfreq",
    )


def _shift(back: bool) -> Any:
    def shift(self: Any, dim: Any) -> Any:
        ndim = self.dim()
        dims = [dim] if isinstance(dim, int) else dim
        dims = list(range(ndim)) if dims is None else [wrap_dim(d, ndim) for d in dims]
        steps = [(self.size(d) + 1) // 2 if back else self.size(d) // 2 for d in dims]
        return self.roll(steps, dims)

    return shift


for _name, _back in (("fftshift", False), ("ifftshift", True)):
    op(
        f"fft_{_name}(Tensor self, int[1]? dim=None) -> Tensor",
        composite=_shift(_back),
        module="fft",
        variants="function",
        samples="fftshift",
    )
