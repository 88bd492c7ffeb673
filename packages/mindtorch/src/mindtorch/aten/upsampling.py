"""Interpolation of images: ``upsample_nearest2d``, ``upsample_bilinear2d`` and their kin.

Each is a resampling per spatial axis (:mod:`.resampling`), and its gradient the transpose of it,
which is linear too: the gradient of the gradient is the op itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import layout

from mindtorch.aten import resampling
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import expect_sizes, laid_out
from mindtorch.core.operators import of, ops

from .symbolic_numbers import sym_int

__all__: list[str] = []

_SCALES = {1: ("scales",), 2: ("scales_h", "scales_w"), 3: ("scales_d", "scales_h", "scales_w")}
_NOT_FLOATS = INTEGRAL | BOOL | COMPLEX
_HALF = frozenset(("float16", "bfloat16"))
#: More taps are made each time: what is prepared is kept.
_FEW = 4096
#: Sizes before and after whose product is larger are worked on tap by tap.
_WIDE = 256


def _layout(shape: tuple[int, ...], like: Any) -> Any:
    """Strides of a result: the channels last where *like* has them there."""
    if len(shape) in (4, 5) and layout.is_channels_last(tuple(like.shape), tuple(like.stride())):
        return layout.channels_last_strides(shape)
    return None


def _named(sizes: Sequence[int]) -> str:
    letters = "DHW"[3 - len(sizes) :]
    return ", ".join(f"{letter}: {size}" for letter, size in zip(letters, sizes, strict=True))


def _check(output_size: Sequence[int], input_size: Sequence[int], n: int) -> tuple[int, ...]:
    """The shape of the result. Source: torch aten/src/ATen/native/UpSample.h, the common checks."""
    if len(output_size) != n:
        raise RuntimeError(
            f"It is expected output_size equals to {n}, but got size {len(output_size)}"
        )
    if len(input_size) != n + 2:
        raise RuntimeError(
            f"It is expected input_size equals to {n + 2}, but got size {len(input_size)}"
        )
    if any([size <= 0 for size in (*input_size[2:], *output_size)]):
        joint = "and output" if n == 1 else "output"
        raise RuntimeError(
            "Input and output sizes should be greater than 0, but got input "
            f"({_named(input_size[2:])}) {joint} ({_named(output_size)})"
        )
    return (*input_size[:2], *output_size)


class _Kind:
    """One interpolation: what its rows have in common."""

    def __init__(
        self, name: str, n: int, taps: Callable[..., resampling.Taps], *, corners: bool,
        kernel: str = "", backward: str = "", back_taps: Any = None, rounds: bool = False,
    ) -> None:  # fmt: skip
        self.name, self.n, self.taps, self.corners = name, n, taps, corners
        self.back_taps = back_taps or taps
        #: Whether torch's kernel rounds weights to a half type.
        self.rounds = rounds
        self.kernel = kernel
        self.backward = backward or f"{name}_backward"
        #: Whether a result of the input's size is made by copying.
        self.copies = name.endswith("_aa")
        #: Where among the arguments after the sizes the scales begin.
        self.at = 1 if corners else 0
        self.refused = _NOT_FLOATS | (_HALF if name.endswith("_aa") else frozenset())
        # Pixels of images may be bytes.
        bytes_too = "nearest" in name or (n == 2 and corners)
        self.lacks = self.refused - ({"uint8"} if bytes_too else frozenset())
        looped = "exact" in name or "lanczos" in name
        self.tags = ("loops: functional",) if looped else ()

    def meta(self, self_: Any, output_size: Any, *rest: Any) -> Out:
        shape = tuple(self_.shape)
        out = _check(output_size, shape, self.n)
        if math.prod(shape[1:]) == 0:
            raise RuntimeError(
                f"Non-empty {self.n + 2}D data tensor expected but got a tensor with sizes "
                f"{list(shape)}"
            )
        # Of the same size it is a copy, for which there is no kernel that could lack a dtype.
        if not (self.copies and out == shape):
            refuse(self_.dtype, {self.kernel: self.lacks}, self_)
        return Out(out, self_.dtype, _layout(out, self_))

    def taps_of(
        self, make: Any, dtype: Any, sizes: Sequence[int], outs: Sequence[int], rest: Any,
        *, rounds: bool,
    ) -> list[resampling.Taps]:  # fmt: skip
        """The taps along every axis."""
        corners = bool(rest[0]) if self.corners else False
        kind = np.float64 if dtype == np.float64 or dtype == np.uint8 else np.float32
        scales = zip(sizes, outs, rest[self.at :], strict=True)
        taps = [make(size, out, scale, corners, kind) for size, out, scale in scales]
        if rounds and dtype.itemsize == 2:
            taps = [resampling.rounded(t, dtype) for t in taps]
        return taps

    def each(
        self, make: Any, dtype: Any, sizes: Sequence[int], outs: Sequence[int], rest: Any,
        along: Callable[[resampling.Taps, int], resampling.Along], *, rounds: bool,
    ) -> Callable[[], list[resampling.Along]]:  # fmt: skip
        """What gives for every axis what works along it: kept if the taps are few."""

        def made() -> list[resampling.Taps]:
            return self.taps_of(make, dtype, sizes, outs, rest, rounds=rounds)

        def steps(taps: list[resampling.Taps]) -> list[resampling.Along]:
            return [along(t, axis) for axis, t in enumerate(taps, 2)]

        taps = made()
        if sum([t.indices.size for t in taps]) > _FEW:
            return lambda: steps(made())
        kept = steps(taps)
        return lambda: kept

    def prepare(self, self_: Any, output_size: Any, *rest: Any) -> Callable[..., Any]:
        dtype, sizes = self_.dtype, self_.shape[2:]
        if "nearest" in self.name or dtype == np.uint8 or _are_many(sizes, output_size):
            return self.prepare_axes(self_, output_size, *rest)
        taps = self.taps_of(self.taps, dtype, sizes, output_size, rest, rounds=self.rounds)
        parts = resampling.matrices(taps, sizes, _FEW)
        return _product(self.prepare_axes, self_, parts, output_size, _arranger(self_))

    def prepare_axes(self, self_: Any, output_size: Any, *rest: Any) -> Callable[..., Any]:
        dtype, ndim = self_.dtype, self_.ndim
        taken = resampling.taken_bytes if dtype == np.uint8 else resampling.taken
        steps = self.each(
            self.taps, dtype, self_.shape[2:], output_size, rest,
            lambda taps, axis: taken(taps, axis, ndim), rounds=self.rounds,
        )  # fmt: skip
        widens = dtype.itemsize == 2 and "nearest" not in self.name
        arrange = _arranger(self_)

        def along_axes(images: Any) -> Any:
            out = images.astype(np.float32) if widens else images
            for take in reversed(steps()):
                out = take(out)
            return out.astype(dtype, copy=False)

        by_planes = resampling.by_planes(along_axes, self_, tuple(output_size))
        return lambda self_, *_: arrange(by_planes(self_))

    def gradient_meta(self, grad: Any, output_size: Any, input_size: Any, *rest: Any) -> Out:
        full = _check(output_size, input_size, self.n)
        _check_gradient(grad, full)
        refuse(grad.dtype, {self.backward: self.refused}, grad)
        shape = tuple(input_size)
        return Out(shape, grad.dtype, _layout(shape, grad) if self.n == 2 else None)

    def prepare_gradient(
        self, grad: Any, output_size: Any, input_size: Any, *rest: Any
    ) -> Callable[..., Any]:
        sizes = input_size[2:]
        if _are_many(sizes, output_size):
            return self.prepare_gradient_axes(grad, output_size, input_size, *rest)
        taps = self.taps_of(self.back_taps, grad.dtype, sizes, output_size, rest, rounds=False)
        parts = [part.T for part in resampling.matrices(taps, sizes, _FEW)]
        arrange = _arranger(grad) if self.n == 2 else np.ascontiguousarray
        return _product(self.prepare_gradient_axes, grad, parts, sizes, arrange)

    def prepare_gradient_axes(
        self, grad: Any, output_size: Any, input_size: Any, *rest: Any
    ) -> Callable[..., Any]:
        grad_ndim, sizes = grad.ndim, input_size[2:]
        steps = self.each(
            self.back_taps, grad.dtype, input_size[2:], output_size, rest,
            lambda taps, axis: resampling.spread(taps, axis, grad_ndim, input_size[axis]),
            rounds=False,
        )  # fmt: skip
        arrange = _arranger(grad) if self.n == 2 else np.ascontiguousarray

        def along_axes(grad: Any) -> Any:
            for give in steps():
                grad = give(grad)
            return grad

        by_planes = resampling.by_planes(along_axes, grad, tuple(sizes))
        return lambda grad, *_: arrange(by_planes(grad))

    def vec(self, input: Any, output_size: Any, *rest: Any) -> Any:
        """With sizes, or with factors of which sizes are made."""
        factors = rest[-1]
        shape = tuple(input.shape)
        if (output_size is None) == (factors is None):
            raise RuntimeError("Must specify exactly one of output_size and scale_factors")
        name, given = "output_size", output_size
        if given is None:
            name, given = "scale_factors", factors
        if len(given) != len(shape) - 2:
            raise RuntimeError(
                f"Expected static_cast<int64_t>({name}->size()) == spatial_dimensions to be true, "
                "but got false.  (Could this error message be improved?  If so, please report an "
                "enhancement request to PyTorch.)"
            )
        if output_size is None:
            output_size = tuple(map(_scaled, shape[2:], factors))
        scales = (None,) * self.n if factors is None else tuple(factors)
        corners = rest[:1] if self.corners else ()
        return of(self.name)(input, output_size, *corners, *scales)

    def define(self) -> None:
        """The rows: the op, the one that takes factors, and the gradient."""
        n, name = self.n, self.name
        corners = "bool align_corners, " if self.corners else ""
        scales = ", ".join(f"float? {s}=None" for s in _SCALES[n])
        middle = ("align_corners",) if self.corners else ()
        names = (*middle, *_SCALES[n])
        gradient, forward = f"{name}_backward", name

        back, again = _FORMULAS[names](gradient, forward)
        op(
            f"{name}(Tensor self, SymInt[{n}] output_size, {corners}{scales}) -> Tensor",
            says=f"Resize the last {n} dimension{'s' * (n > 1)} by interpolation.",
            meta=self.meta,
            prepare=self.prepare,
            half=False,
            grad={"self": back},
            autocast="" if "lanczos" in name else ("", "float32"),
            module="nn",
            variants="function",
            out=OutForm(
                meta="native" if self.copies else "exact, laid out" if "nearest" in name else "",
                overlap="whole of self" if self.copies else "",
            ),
            samples=f"upsample_corners{n}d" if self.corners else f"upsample{n}d",
            tags=("rounds", *self.tags),
        )
        op(
            f"{name}.vec(Tensor input, SymInt[]? output_size, {corners}float[]? scale_factors)"
            " -> Tensor",
            composite=self.vec,
            module="nn",
            variants="function",
            samples=f"upsample_vec_corners{n}d" if self.corners else f"upsample_vec{n}d",
            tags=self.tags,
        )
        op(
            f"{gradient}(Tensor grad_output, SymInt[{n}] output_size, SymInt[{n + 2}] input_size, "
            f"{corners}{scales}) -> Tensor",
            meta=self.gradient_meta,
            prepare=self.prepare_gradient,
            grad={"grad_output": again},
            module="nn",
            variants="",
            out=OutForm("grad_input", meta="native"),
            samples=f"upsample_corners_backward{n}d" if self.corners else f"upsample_backward{n}d",
        )


def _scaled(size: Any, factor: float) -> Any:
    """A size times a factor, rounded down."""
    if type(size) is int:
        product = size * factor
        if not abs(product) < 2.0**63:  # NaN, too
            raise RuntimeError("value cannot be converted to type int64_t without overflow")
        return int(product)
    return size * int(factor) if factor == int(factor) else sym_int(size * factor)


def _are_many(sizes: Sequence[int], outs: Sequence[int]) -> bool:
    """Whether most elements along an axis count for nothing in most elements of the result."""
    return max([size * out for size, out in zip(sizes, outs, strict=True)]) > _WIDE


def _product(
    prepare: Callable[..., Callable[..., Any]], like: Any, parts: Any, sizes: Any, arrange: Any
) -> Callable[..., Any]:
    """What makes images of *sizes* by matrices, each for some axes, the last ones first.

    Elements that count for nothing are added as zeros, unless they are infinite or unknown: what
    *prepare* makes takes these.
    """
    shape, dtype = (*like.shape[:2], *sizes), like.dtype
    kind = np.float64 if dtype == np.float64 else np.float32
    last, *others = [part.astype(kind) for part in parts]
    steps, rest = [], last.shape[1]
    for part in others:
        steps.append((part.T.copy(), (-1, len(part), rest)))
        rest *= part.shape[1]
    rows, isfinite, matmul = (-1, len(last)), math.isfinite, np.matmul

    def run(a: Any, *rest: Any) -> Any:
        out = a.reshape(rows).astype(kind, copy=False).dot(last)
        for part, places in steps:
            out = matmul(part, out.reshape(places))
        flat = out.reshape(-1)
        if not isfinite(flat.dot(flat)):
            return prepare(a, *rest)(a, *rest)
        return arrange(out.reshape(shape).astype(dtype, copy=False))

    return run


def _arranger(like: Any) -> Callable[[Any], Any]:
    """Lays out a result: with the channels last where *like* has them there."""
    if like.ndim in (4, 5) and not like.flags.c_contiguous:
        strides = tuple([s // like.itemsize for s in like.strides])
        if layout.is_channels_last(like.shape, strides):
            return lambda a: laid_out(a, layout.channels_last_strides(a.shape))
    return np.ascontiguousarray


def _check_gradient(grad: Any, full: tuple[int, ...]) -> None:
    shape = tuple(grad.shape)
    if len(full) == 3:
        expect_sizes(grad, 3, 0, full)
        return
    if len(shape) != len(full):
        raise RuntimeError(
            f"Expected grad_output to be a tensor of dimension {len(full)} but got: "
            f"dimension {len(shape)}"
        )
    for d, (have, want) in enumerate(zip(shape, full, strict=True)):
        if have != want:
            raise RuntimeError(
                "Expected grad_output to have the same shape as output; "
                f"output.size({d}) = {want} but got grad_output.size({d}) = {have}"
            )


# What a formula saves is read off its code, so there is one for every list of arguments.


def _of_one(gradient: str, forward: str) -> Any:
    return (
        lambda g, c: getattr(ops, gradient)(g, c.output_size, c.self.shape, c.scales),
        lambda g, c: of(forward)(g, c.output_size, c.scales),
    )


def _of_two(gradient: str, forward: str) -> Any:
    return (
        lambda g, c: getattr(ops, gradient)(g, c.output_size, c.self.shape, c.scales_h, c.scales_w),
        lambda g, c: of(forward)(g, c.output_size, c.scales_h, c.scales_w),
    )


def _of_three(gradient: str, forward: str) -> Any:
    return (
        lambda g, c: getattr(ops, gradient)(
            g, c.output_size, c.self.shape, c.scales_d, c.scales_h, c.scales_w
        ),
        lambda g, c: of(forward)(g, c.output_size, c.scales_d, c.scales_h, c.scales_w),
    )


def _of_one_corners(gradient: str, forward: str) -> Any:
    return (
        lambda g, c: getattr(ops, gradient)(
            g, c.output_size, c.self.shape, c.align_corners, c.scales
        ),
        lambda g, c: of(forward)(g, c.output_size, c.align_corners, c.scales),
    )


def _of_two_corners(gradient: str, forward: str) -> Any:
    return (
        lambda g, c: getattr(ops, gradient)(
            g, c.output_size, c.self.shape, c.align_corners, c.scales_h, c.scales_w
        ),
        lambda g, c: of(forward)(g, c.output_size, c.align_corners, c.scales_h, c.scales_w),
    )


def _of_three_corners(gradient: str, forward: str) -> Any:
    return (
        lambda g, c: getattr(ops, gradient)(
            g, c.output_size, c.self.shape, c.align_corners, c.scales_d, c.scales_h, c.scales_w
        ),
        lambda g, c: of(forward)(
            g, c.output_size, c.align_corners, c.scales_d, c.scales_h, c.scales_w
        ),
    )


_FORMULAS = {
    _SCALES[1]: _of_one,
    _SCALES[2]: _of_two,
    _SCALES[3]: _of_three,
    ("align_corners", *_SCALES[1]): _of_one_corners,
    ("align_corners", *_SCALES[2]): _of_two_corners,
    ("align_corners", *_SCALES[3]): _of_three_corners,
}

for _n in (1, 2, 3):
    _kernel = "upsample_nearest2d_channels_last" if _n == 2 else "compute_indices_weights_nearest"
    for _name, _taps in (
        ("upsample_nearest", resampling.nearest_by_size if _n == 2 else resampling.nearest),
        ("_upsample_nearest_exact", resampling.nearest_exact),
    ):
        _back = _taps if _name[0] == "_" else resampling.nearest_by_size
        _Kind(f"{_name}{_n}d", _n, _taps, corners=False, kernel=_kernel, back_taps=_back).define()
for _name, _n, _taps, _kernel in (
    ("upsample_linear1d", 1, resampling.linear, "compute_indices_weights_linear"),
    ("upsample_bilinear2d", 2, resampling.linear, "upsample_bilinear2d_channels_last"),
    ("upsample_trilinear3d", 3, resampling.linear, "compute_indices_weights_linear"),
    ("upsample_bicubic2d", 2, resampling.cubic, "compute_indices_weights_cubic"),
):
    _Kind(
        _name,
        _n,
        _taps,
        corners=True,
        kernel=_kernel,
        back_taps=resampling.cubic_by_steps if _taps is resampling.cubic else None,
        rounds=_name != "upsample_bilinear2d",
    ).define()
for _filter in ("bilinear", "bicubic", "lanczos"):
    _name = f"_upsample_{_filter}2d_aa"
    _Kind(
        _name,
        2,
        resampling.antialiased(_filter),
        corners=True,
        kernel="compute_index_ranges_weights",
        backward=f"{_name[1:]}_backward_cpu",
    ).define()
