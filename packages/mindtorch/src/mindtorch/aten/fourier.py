"""The functions of ``torch.fft``, made of three kernels.

Source of checks and texts: torch aten/src/ATen/native/SpectralOps.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from ..call.row import op
from ..core.dims import wrap_dim
from ..core.errors import scalar_type
from ..core.operators import of, onto, ops
from .fourier_kernels import BY_NUMBER, BY_ROOT, NONE

__all__: list[str] = []

Array = np.ndarray[Any, Any]


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


def _transformed(kernel: str, *args: Any, out: Any) -> Any:
    """What *kernel* gives, in *out* where one is given."""
    if out is None:
        return of(kernel)(*args)
    return of(f"{kernel}.out")(*args, out=out)


def _check_out(out: Any, name: str, to_complex: bool) -> None:
    """Refuse a target of another kind than the results of *name*."""
    if out is None:
        return
    kind = "a complex" if to_complex else "a floating point"
    if not (out.is_complex() if to_complex else out.is_floating_point()):
        raise RuntimeError(f"{name} expects {kind} output tensor, but got {scalar_type(out.dtype)}")


def _conjugated(found: Any, out: Any) -> Any:
    return found.conj() if out is None else ops.conj_physical(found, out=out)


def _one_dim(x: Any, dim: int) -> int:
    if not x.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, x.dim())


# -- one dimension -------------------------------------------------------------------------------


def _forward_or_back(name: str, forward: bool) -> Any:
    def transform(self: Any, n: int | None, dim: int, norm: str | None, out: Any = None) -> Any:
        _check_out(out, name, to_complex=True)
        x = _promoted(self, to_complex=False)
        d = _one_dim(x, dim)
        size = x.size(d) if n is None else n
        _check_points(size)
        if n is not None:
            x = _resized(x, (d,), (n,))
        how = _normalization(norm, forward)
        if x.is_complex():
            return _transformed("_fft_c2c", x, [d], how, forward, out=out)
        if forward:
            return _transformed("_fft_r2c", x, [d], how, False, out=out)
        return _conjugated(ops._fft_r2c(x, [d], how, False), out)

    return transform


def _real_forward(name: str, forward: bool) -> Any:
    def transform(self: Any, n: int | None, dim: int, norm: str | None, out: Any = None) -> Any:
        _check_out(out, name, to_complex=True)
        if self.is_complex():
            kind = scalar_type(self.dtype)
            raise RuntimeError(f"{name} expects a real input tensor, but got {kind}")
        x = _promoted(self, to_complex=False)
        d = _one_dim(x, dim)
        size = x.size(d) if n is None else n
        _check_points(size)
        if n is not None:
            x = _resized(x, (d,), (n,))
        how = _normalization(norm, forward)
        if forward:
            return _transformed("_fft_r2c", x, [d], how, True, out=out)
        return _conjugated(ops._fft_r2c(x, [d], how, True), out)

    return transform


def _real_back(name: str, forward: bool) -> Any:
    def transform(self: Any, n: int | None, dim: int, norm: str | None, out: Any = None) -> Any:
        _check_out(out, name, to_complex=False)
        x = _promoted(self, to_complex=True)
        d = _one_dim(x, dim)
        size = 2 * (x.size(d) - 1) if n is None else n
        _check_points(size)
        if n is not None:
            x = _resized(x, (d,), (n // 2 + 1,))
        x = x.conj() if forward else x
        return _transformed("_fft_c2r", x, [d], _normalization(norm, forward), size, out=out)

    return transform


for _name, _composite, _says in (
    (
        "fft",
        _forward_or_back("fft", True),
        """Return the discrete Fourier transform along one dimension.
        The result is complex.

        >>> torch.fft.fft(torch.tensor([1., 2., 3., 4.])).abs()
        tensor([10.0000,  2.8284,  2.0000,  2.8284])
        """,
    ),
    (
        "ifft",
        _forward_or_back("ifft", False),
        "Return the inverse discrete Fourier transform along one dimension.",
    ),
    (
        "rfft",
        _real_forward("rfft", True),
        "Return the Fourier transform of real numbers, without the half that follows by symmetry.",
    ),
    (
        "ihfft",
        _real_forward("ihfft", False),
        "Return the inverse of hfft: half the spectrum of real numbers.",
    ),
    (
        "irfft",
        _real_back("irfft", False),
        "Return the real numbers whose half spectrum is given: the inverse of rfft.",
    ),
    (
        "hfft",
        _real_back("hfft", True),
        "Return the Fourier transform of a Hermitian signal, of which half is given; it is real.",
    ),
):
    op(
        f"fft_{_name}(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
        says=_says,
        composite=_composite,
        module="fft",
        variants="function",
        out=True,
        out_kernel=onto(_composite),
        autocast=("float32", ""),
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
    def transform(self: Any, s: Any, dim: Any, norm: str | None, out: Any = None) -> Any:
        _check_out(out, "fftn", to_complex=True)
        sizes, dims = _shape_and_dims(self, s, dim)
        x = _resized(_promoted(self, to_complex=True), dims, sizes)
        how = _normalization(norm, forward)
        return _transformed("_fft_c2c", x, dims, how, forward, out=out)

    return transform


def _rfftn(self: Any, s: Any, dim: Any, norm: str | None, out: Any = None) -> Any:
    _check_out(out, "rfftn", to_complex=True)
    if self.is_complex():
        kind = scalar_type(self.dtype)
        raise RuntimeError(f"rfftn expects a real-valued input tensor, but got {kind}")
    x = _promoted(self, to_complex=False)
    sizes, dims = _shape_and_dims(x, s, dim)
    if not dims:
        raise RuntimeError("rfftn must transform at least one axis")
    x, how = _resized(x, dims, sizes), _normalization(norm, True)
    return _transformed("_fft_r2c", x, dims, how, True, out=out)


def _halved(x: Any, s: Any, dim: Any, name: str) -> tuple[Any, list[int], int]:
    """The input of a transform to real numbers, its dims, and the size of the last one."""
    sizes, dims = _shape_and_dims(x, s, dim)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    last = _last_size(x, s, dims)
    _check_points(last)
    sizes[-1] = last // 2 + 1
    return _resized(x, dims, sizes), dims, last


def _irfftn(self: Any, s: Any, dim: Any, norm: str | None, out: Any = None) -> Any:
    _check_out(out, "irfftn", to_complex=False)
    x, dims, last = _halved(_promoted(self, to_complex=True), s, dim, "irfftn")
    return _transformed("_fft_c2r", x, dims, _normalization(norm, False), last, out=out)


def _hfftn(self: Any, s: Any, dim: Any, norm: str | None, out: Any = None) -> Any:
    _check_out(out, "hfftn", to_complex=False)
    x, dims, last = _halved(_promoted(self, to_complex=True), s, dim, "hfftn")
    how = _normalization(norm, True)
    if len(dims) > 1:
        x = ops._fft_c2c(x, dims[:-1], how, True)
    return _transformed("_fft_c2r", x.conj(), dims[-1:], how, last, out=out)


def _ihfftn(self: Any, s: Any, dim: Any, norm: str | None, out: Any = None) -> Any:
    _check_out(out, "ihfftn", to_complex=True)
    sizes, dims = _shape_and_dims(self, s, dim)
    if not dims:
        raise RuntimeError("ihfftn must transform at least one axis")
    how = _normalization(norm, False)
    if self.is_complex():
        kind = scalar_type(self.dtype)
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {kind}")
    x = _promoted(self, to_complex=False)
    found = ops._fft_r2c(_resized(x, dims, sizes), dims[-1:], how, True)
    if len(dims) == 1:
        return _conjugated(found, out)
    return _transformed("_fft_c2c", found.conj_physical(), dims[:-1], how, False, out=out)


for _name, _composite, _what in (
    ("fft", _many(True), "discrete Fourier transform"),
    ("ifft", _many(False), "inverse discrete Fourier transform"),
    ("rfft", _rfftn, "half Fourier transform of real numbers"),
    ("irfft", _irfftn, "real numbers of a half spectrum"),
    ("hfft", _hfftn, "real Fourier transform of half a Hermitian signal"),
    ("ihfft", _ihfftn, "inverse of the real Fourier transform"),
):
    _samples = "fft_many_real" if _name in ("rfft", "ihfft") else "fft_many"
    op(
        f"fft_{_name}n(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        says=f"Return the {_what}, over all dimensions or the given ones.",
        composite=_composite,
        module="fft",
        variants="function",
        out=True,
        out_kernel=onto(_composite),
        autocast="" if _name.endswith("hfft") else ("float32", ""),
        samples=_samples,
    )
    op(
        f"fft_{_name}2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) "
        "-> Tensor",
        says=f"Return the {_what}, over two dimensions.",
        composite=_composite,
        module="fft",
        variants="function",
        out=True,
        out_kernel=onto(_composite),
        autocast="" if _name.endswith("hfft") else ("float32", ""),
        samples=_samples,
    )


# -- frequencies and shifts ----------------------------------------------------------------------


def _frequencies(name: str, onesided: bool) -> Any:
    def frequencies(n: int, d: float, dtype: Any, layout: Any, device: Any, pin_memory: Any) -> Any:
        kind = get_default_dtype() if dtype is None else dtype
        if not (kind.is_floating_point or kind.is_complex):
            raise RuntimeError(f"{name} requires a floating point or complex dtype")
        half = n // 2 + 1 if onesided else (n + 1) // 2
        size = half if onesided else n
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: [{size}]")
        found = ops.arange(0, half if onesided else n, dtype=dtype, device=device)
        if found.dtype is not kind:
            found = found.to(kind)
        if not onesided and n > half:
            found.narrow(0, half, n - half).sub_(n)
        return found.mul_(1.0 / (n * d) if n * d else math.inf)

    return frequencies


for _name, _onesided, _says in (
    (
        "fftfreq",
        False,
        """Return the frequencies that the places of a Fourier transform stand for.

    >>> torch.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """,
    ),
    ("rfftfreq", True, "Return the frequencies that the places of a half spectrum stand for."),
):
    op(
        f"fft_{_name}(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None) -> Tensor",
        says=_says,
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


for _name, _back, _says in (
    (
        "fftshift",
        False,
        """Move the zero frequency to the middle.

    >>> torch.fft.fftshift(torch.tensor([0, 1, -2, -1]))
    tensor([-2, -1,  0,  1])
    """,
    ),
    ("ifftshift", True, "Move the zero frequency from the middle to the front."),
):
    op(
        f"fft_{_name}(Tensor self, int[1]? dim=None) -> Tensor",
        says=_says,
        composite=_shift(_back),
        module="fft",
        variants="function",
        samples="fftshift",
    )
