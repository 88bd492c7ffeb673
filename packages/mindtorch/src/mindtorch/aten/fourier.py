"""The functions of ``torch.fft``, made of three kernels.

Source of checks and texts: torch aten/src/ATen/native/SpectralOps.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from ..call.elementwise_meta import not_implemented
from ..call.forms import made
from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.errors import scalar_type
from ..core.operators import of, onto, ops
from .fourier_kernels import BY_NUMBER, BY_ROOT, NONE
from .options import OPTIONS, on_meta
from .prepared import constant
from .ranges import filled

__all__: list[str] = []

Array = np.ndarray[Any, Any]


# -- arguments -----------------------------------------------------------------------------------


def _promoted_dtype(dtype: Any, to_complex: bool) -> Any:
    """The dtype that is transformed. Source: promote_tensor_fft."""
    if dtype.is_complex:
        return dtype
    if not dtype.is_floating_point:
        dtype = get_default_dtype()
    if dtype.name not in ("float32", "float64"):
        raise RuntimeError(f"Unsupported dtype {dtype.scalar_type}")
    return dtype.to_complex() if to_complex else dtype


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


class Steps(NamedTuple):
    """What a transform does with its operand, one after the other."""

    #: The dtype that it is cast to; None: it has it.
    dtype: Any
    #: Dims and the sizes to which they are cut or filled up with zeros, -1 for as it is.
    resized: tuple[tuple[int, ...], tuple[int, ...]] | None
    #: Kernels with the arguments after their operand.
    kernels: tuple[tuple[str, tuple[Any, ...]], ...]


#: The view that is conjugated when it is read: as a result, for the next kernel; and the copy.
_CONJ: Final = ("conj", ())
_CONJ_VIEW: Final = ("_conj", ())
_CONJUGATED: Final = ("conj_physical", ())


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
    return ops.constant_pad_nd(x, tuple(pad), 0) if grows else x


def _resizing(shape: Sequence[int], dims: Sequence[int], sizes: Sequence[int]) -> Any:
    """What :class:`Steps` says of it; None where nothing is to do."""
    if all(size in (-1, shape[d]) for d, size in zip(dims, sizes, strict=True)):
        return None
    return tuple(dims), tuple(sizes)


def _done(steps: Steps, x: Any, out: Any) -> Any:
    """What *steps* make of *x*, in *out* where one is given."""
    if steps.dtype is not None:
        x = x.to(steps.dtype)
    if steps.resized is not None:
        x = _resized(x, *steps.resized)
    *first, (last, args) = steps.kernels
    for name, rest in first:
        x = of(name)(x, *rest)
    if last == "conj":
        return x.conj() if out is None else ops.conj_physical(x, out=out)
    return of(last)(x, *args) if out is None else of(f"{last}.out")(x, *args, out=out)


def _transform(name: str, plan: Callable[..., Steps], to_complex: bool) -> Any:
    """The composite of *plan*, which sees dtype and shape and is asked once for each call like it.

    :param to_complex: whether its results are complex
    """
    kept = lru_cache(_MOST_PLANS)(plan)

    def transform(self: Any, size: Any, dim: Any, norm: str | None, out: Any = None) -> Any:
        if out is not None:
            _check_out(out, name, to_complex)
        dtype = self.dtype
        size = tuple(size) if isinstance(size, list) else size
        dim = tuple(dim) if isinstance(dim, list) else dim
        # Of integers the result depends on the default dtype, too.
        known = kept if dtype.is_floating_point or dtype.is_complex else plan
        try:
            steps = known(dtype, tuple(self.shape), size, dim, norm)
        except TypeError:  # sizes that are symbols have no hash
            steps = plan(dtype, tuple(self.shape), size, dim, norm)
        return _done(steps, self, out)

    return transform


#: Plans that are kept of each transform.
_MOST_PLANS: Final = 1024


def _check_out(out: Any, name: str, to_complex: bool) -> None:
    """Refuse a target of another kind than the results of *name*."""
    kind = "a complex" if to_complex else "a floating point"
    if not (out.is_complex() if to_complex else out.is_floating_point()):
        raise RuntimeError(f"{name} expects {kind} output tensor, but got {scalar_type(out.dtype)}")


def _cast(dtype: Any, to_complex: bool) -> tuple[Any, Any]:
    """The dtype that is transformed, and the one to cast to, if any."""
    found = _promoted_dtype(dtype, to_complex)
    return found, None if found is dtype else found


def _one_dim(shape: Sequence[int], dim: int) -> int:
    if not shape:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, len(shape))


# -- one dimension -------------------------------------------------------------------------------


def _forward_or_back(forward: bool) -> Callable[..., Steps]:
    def plan(dtype: Any, shape: Any, n: int | None, dim: int, norm: str | None) -> Steps:
        found, cast = _cast(dtype, to_complex=False)
        d = _one_dim(shape, dim)
        _check_points(shape[d] if n is None else n)
        resized = None if n is None else _resizing(shape, (d,), (n,))
        how = _normalization(norm, forward)
        if found.is_complex:
            return Steps(cast, resized, (("_fft_c2c", ((d,), how, forward)),))
        real = ("_fft_r2c", ((d,), how, False))
        return Steps(cast, resized, (real,) if forward else (real, _CONJ))

    return plan


def _real_forward(name: str, forward: bool) -> Callable[..., Steps]:
    def plan(dtype: Any, shape: Any, n: int | None, dim: int, norm: str | None) -> Steps:
        if dtype.is_complex:
            kind = scalar_type(dtype)
            raise RuntimeError(f"{name} expects a real input tensor, but got {kind}")
        _, cast = _cast(dtype, to_complex=False)
        d = _one_dim(shape, dim)
        _check_points(shape[d] if n is None else n)
        resized = None if n is None else _resizing(shape, (d,), (n,))
        real = ("_fft_r2c", ((d,), _normalization(norm, forward), True))
        return Steps(cast, resized, (real,) if forward else (real, _CONJ))

    return plan


def _real_back(forward: bool) -> Callable[..., Steps]:
    def plan(dtype: Any, shape: Any, n: int | None, dim: int, norm: str | None) -> Steps:
        _, cast = _cast(dtype, to_complex=True)
        d = _one_dim(shape, dim)
        size = 2 * (shape[d] - 1) if n is None else n
        _check_points(size)
        resized = None if n is None else _resizing(shape, (d,), (n // 2 + 1,))
        back = ("_fft_c2r", ((d,), _normalization(norm, forward), size))
        return Steps(cast, resized, (_CONJ_VIEW, back) if forward else (back,))

    return plan


for _name, _composite, _says in (
    (
        "fft",
        _transform("fft", _forward_or_back(True), True),
        """Return the discrete Fourier transform along one dimension.
        The result is complex.

        >>> torch.fft.fft(torch.tensor([1., 2., 3., 4.])).abs()
        tensor([10.0000,  2.8284,  2.0000,  2.8284])
        """,
    ),
    (
        "ifft",
        _transform("ifft", _forward_or_back(False), True),
        "Return the inverse discrete Fourier transform along one dimension.",
    ),
    (
        "rfft",
        _transform("rfft", _real_forward("rfft", True), True),
        "Return the Fourier transform of real numbers, without the half that follows by symmetry.",
    ),
    (
        "ihfft",
        _transform("ihfft", _real_forward("ihfft", False), True),
        "Return the inverse of hfft: half the spectrum of real numbers.",
    ),
    (
        "irfft",
        _transform("irfft", _real_back(False), False),
        "Return the real numbers whose half spectrum is given: the inverse of rfft.",
    ),
    (
        "hfft",
        _transform("hfft", _real_back(True), False),
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


def _shape_and_dims(shape: Any, s: Any, dim: Any) -> tuple[list[int], list[int]]:
    """The sizes and dims meant. Source: canonicalize_fft_shape_and_dim_args."""
    ndim = len(shape)
    s = [s] if isinstance(s, int) else s
    dim = [dim] if isinstance(dim, int) else dim
    if dim is not None:
        dims = [_one_dim(shape, d) for d in dim]
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
        sizes = [shape[d] if n == -1 else n for d, n in zip(dims, s, strict=True)]
    elif dim is None:
        dims = list(range(ndim))
        sizes = list(shape)
    else:
        sizes = [shape[d] for d in dims]
    for n in sizes:
        _check_points(n)
    return sizes, dims


def _some_dims(shape: Any, s: Any, dim: Any, name: str) -> tuple[list[int], list[int]]:
    sizes, dims = _shape_and_dims(shape, s, dim)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    return sizes, dims


def _many(forward: bool) -> Callable[..., Steps]:
    def plan(dtype: Any, shape: Any, s: Any, dim: Any, norm: str | None) -> Steps:
        sizes, dims = _shape_and_dims(shape, s, dim)
        _, cast = _cast(dtype, to_complex=True)
        resized = _resizing(shape, dims, sizes)
        how = _normalization(norm, forward)
        return Steps(cast, resized, (("_fft_c2c", (tuple(dims), how, forward)),))

    return plan


def _rfftn(dtype: Any, shape: Any, s: Any, dim: Any, norm: str | None) -> Steps:
    if dtype.is_complex:
        kind = scalar_type(dtype)
        raise RuntimeError(f"rfftn expects a real-valued input tensor, but got {kind}")
    sizes, dims = _some_dims(shape, s, dim, "rfftn")
    _, cast = _cast(dtype, to_complex=False)
    resized, how = _resizing(shape, dims, sizes), _normalization(norm, True)
    return Steps(cast, resized, (("_fft_r2c", (tuple(dims), how, True)),))


def _halved(shape: Any, s: Any, dim: Any, name: str) -> tuple[Any, tuple[int, ...], int]:
    """How the input of a transform to real numbers is resized, its dims, the size of the last."""
    sizes, dims = _some_dims(shape, s, dim, name)
    s = [s] if isinstance(s, int) else s
    last = 2 * (shape[dims[-1]] - 1) if s is None or s[-1] == -1 else s[-1]
    _check_points(last)
    sizes[-1] = last // 2 + 1
    return _resizing(shape, dims, sizes), tuple(dims), last


def _irfftn(dtype: Any, shape: Any, s: Any, dim: Any, norm: str | None) -> Steps:
    resized, dims, last = _halved(shape, s, dim, "irfftn")
    _, cast = _cast(dtype, to_complex=True)
    return Steps(cast, resized, (("_fft_c2r", (dims, _normalization(norm, False), last)),))


def _hfftn(dtype: Any, shape: Any, s: Any, dim: Any, norm: str | None) -> Steps:
    resized, dims, last = _halved(shape, s, dim, "hfftn")
    _, cast = _cast(dtype, to_complex=True)
    how = _normalization(norm, True)
    first = (("_fft_c2c", (dims[:-1], how, True)),) if len(dims) > 1 else ()
    return Steps(cast, resized, (*first, _CONJ_VIEW, ("_fft_c2r", (dims[-1:], how, last))))


def _ihfftn(dtype: Any, shape: Any, s: Any, dim: Any, norm: str | None) -> Steps:
    sizes, dims = _some_dims(shape, s, dim, "ihfftn")
    _, cast = _cast(dtype, to_complex=False)
    how = _normalization(norm, False)
    if dtype.is_complex:
        kind = scalar_type(dtype)
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {kind}")
    real = ("_fft_r2c", (tuple(dims[-1:]), how, True))
    resized = _resizing(shape, dims, sizes)
    if len(dims) == 1:
        return Steps(cast, resized, (real, _CONJ))
    back = ("_fft_c2c", (tuple(dims[:-1]), how, False))
    return Steps(cast, resized, (real, _CONJUGATED, back))


for _name, _plan, _what in (
    ("fft", _many(True), "discrete Fourier transform"),
    ("ifft", _many(False), "inverse discrete Fourier transform"),
    ("rfft", _rfftn, "half Fourier transform of real numbers"),
    ("irfft", _irfftn, "real numbers of a half spectrum"),
    ("hfft", _hfftn, "real Fourier transform of half a Hermitian signal"),
    ("ihfft", _ihfftn, "inverse of the real Fourier transform"),
):
    _refuser = "fftn" if _name == "ifft" else f"{_name}n"
    _composite = _transform(_refuser, _plan, _name not in ("irfft", "hfft"))
    _samples = "fft_many_real" if _name in ("rfft", "ihfft") else "fft_many"
    _tags = ("loops: functional",) if _name == "ihfft" else ()
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
        tags=_tags,
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
        tags=_tags,
    )


# -- frequencies and shifts ----------------------------------------------------------------------


def _half(n: int) -> int:
    return int(n / 2) + 1  # as C divides numbers below 0


def _frequencies(name: str, onesided: bool) -> Any:
    """Meta, ``prepare`` and ``out_kernel`` of frequencies, of half a spectrum if *onesided*."""

    def meta(n: int, d: float, dtype: Any, *rest: Any) -> Out:
        kind = get_default_dtype() if dtype is None else dtype
        if not (kind.is_floating_point or kind.is_complex):
            raise RuntimeError(f"{name} requires a floating point or complex dtype")
        if kind.is_complex and not on_meta(rest[1]):
            raise not_implemented("arange_cpu", kind)
        size = _half(n) if onesided else n
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: [{size}]")
        return Out((size,), kind)

    def numbers(n: int, d: float, kind: Any) -> Array:
        found = np.arange(_half(n) if onesided else n).astype(kind)
        if not onesided:
            found[(n + 1) // 2 :] -= n
        return (found * kind.type(1.0 / (n * d) if n * d else math.inf)).astype(kind)

    def prepare(n: int, d: float, dtype: Any, *rest: Any) -> Callable[..., Array]:
        kind = (get_default_dtype() if dtype is None else dtype).np
        return constant(lambda: numbers(n, d, kind))

    def written(target: Array, *args: Any) -> Array:
        return prepare(*args)().reshape(target.shape)

    return meta, prepare, written


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
    _meta, _prepare, _onto = _frequencies(_name, _onesided)
    op(
        f"fft_{_name}(int n, float d=1., *, {OPTIONS}) -> Tensor",
        says=_says,
        meta=_meta,
        prepare=_prepare,
        half=False,
        module="fft",
        variants="function",
        out=made(once=True),
        out_meta=lambda target, *args, _meta=_meta: filled(target, _meta(*args)),
        out_kernel=_onto,
        samples="fftfreq",
        tags=("rounds", "out_has_no_formula"),
    )


def _shift(back: bool) -> Any:
    def shift(self: Any, dim: Any) -> Any:
        ndim = self.dim()
        dims = [dim] if isinstance(dim, int) else dim
        dims = list(range(ndim)) if dims is None else [_one_dim(self.shape, d) for d in dims]
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
