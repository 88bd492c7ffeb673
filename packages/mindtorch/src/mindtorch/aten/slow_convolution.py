"""Convolutions by the loops of torch's own: one op for each number of dimensions and each kind.

``convolution`` is what layers call. These are there for whoever names them; their numbers are the
same, what they refuse and what they lay out otherwise is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from mindtorch_storage.promotion import can_cast, promote_types

from ..call.elementwise_meta import wanted
from ..call.forms import PLAIN_DEVICES, SCALAR_TYPE, DeviceRule, OutForm
from ..call.row import Out, op
from ..core.dims import laid_out
from ..core.errors import cannot_cast
from ..core.operators import of, ops
from ..core.warning import warn_discarded
from . import device_rules
from .convolution import twice
from .convolution_kernel import prepare_backward, prepare_convolution
from .convolution_layout import Kind, channels_last, suggests_channels_last, weight_strides
from .slow_convolution_check import (
    check_dilated,
    check_dtypes,
    check_lists,
    check_planes,
    check_transposed_images,
    check_transposed_volumes,
    check_volumes,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_KIND: Final = Kind(strided=True, groups=1)
_PLANES: Final = "{n}D {name} expected"
_EQUAL: Final = "It is expected {name} equals to {n}, but got size {found}"
_LENGTH: Final = "{name}s length should be {n}, but got {found}"


# -- kernels ------------------------------------------------------------------------------------


def _window(a: Array, starts: Sequence[int], sizes: Sequence[int]) -> Array:
    """The part of images of *sizes* from *starts* on; zeros where *a* has no numbers."""
    out = np.zeros((*a.shape[:2], *sizes), a.dtype)
    taken, put = [slice(None)] * 2, [slice(None)] * 2
    for size, start, length in zip(a.shape[2:], starts, sizes, strict=True):
        first, last = max(start, 0), min(start + length, size)
        taken.append(slice(first, max(last, first)))
        put.append(slice(first - start, max(last, first) - start))
    out[tuple(put)] = a[tuple(taken)]
    return out


def _plus(out: Array, bias: Array | None) -> Array:
    """*out* and what *bias* is in its dtype, which is real."""
    if bias is not None:
        out += bias.real.astype(out.dtype).reshape((-1,) + (1,) * (out.ndim - 2))
    return out


def _cut(images: Array, padding: Sequence[int], starts: Sequence[int] = ()) -> Array:
    """What a *padding* that is negative somewhere leaves of *images*.

    :param starts: where that begins, if not where the border that is left out ends.
    """
    sizes = [s + 2 * p for s, p in zip(images.shape[2:], padding, strict=True)]
    return _window(images, starts or [-p for p in padding], sizes)


def _starts(padding: Sequence[int]) -> tuple[int, ...]:
    """Where the loop over planes begins: at the first element if it sees nothing to pad.

    Source: torch aten/src/ATen/native/cpu/Unfold2d.cpp, unfolded2d_copy and unfolded2d_acc.
    """
    return (0, 0) if max(padding) <= 0 else tuple([-p for p in padding])


def _convolve(
    input: Array, weight: Array, bias: Array | None, sizes: Sequence[int], *lists: Any
) -> Array:
    """The convolution of batched images, of which *sizes* are the spatial ones of the result."""
    stride, padding, dilation, groups = lists
    none = (0,) * len(sizes)
    if not input.size or 0 in sizes:
        out = np.zeros((input.shape[0], weight.shape[0], *sizes), input.dtype)
        return _plus(out, bias)
    if min(padding) < 0:
        input, padding = _cut(input, padding), none
    convolve = prepare_convolution(
        input, weight, None, stride, padding, dilation, False, none, groups
    )
    return _plus(convolve(input, weight, None), bias)


def _spread(
    input: Array, weight: Array, bias: Array | None, sizes: Sequence[int], *lists: Any
) -> Array:
    """The transposed convolution, of which a negative padding adds borders of zeros."""
    stride, padding, more, dilation = lists
    none = (0,) * len(sizes)
    odd = min(*padding, *more) < 0
    pads, adds = (none, none) if odd else (padding, more)
    convolve = prepare_convolution(input, weight, None, stride, pads, dilation, True, adds, 1)
    out = convolve(input, weight, None)
    return _plus(_window(out, padding, sizes) if odd else out, bias)


def _laid(out: Array, input: Array, weight: Array) -> Array:
    """*out* as the result of the loops is laid out: that of images follows the operands."""
    strides = channels_last(out.shape, input, weight, _KIND) if out.ndim == 4 else None
    return out if strides is None else laid_out(out, strides)


def _result(shape: Sequence[int], input: Any, weight: Any) -> Out:
    strides = channels_last(shape, input, weight, _KIND) if len(shape) == 4 else None
    return Out(tuple(shape), input.dtype, strides)


# -- planes and volumes -------------------------------------------------------------------------


def _planes_meta(
    self: Any, weight: Any, kernel_size: Any, bias: Any, stride: Any, padding: Any
) -> Out:
    check_lists(_PLANES, 2, kernel_size=kernel_size, stride=stride, padding=padding)
    sizes = check_planes(self, weight, bias, kernel_size, stride, padding)
    check_dtypes("slow_conv2d_cpu", self, weight)
    return _result((self.shape[0], weight.shape[0], *sizes), self, weight)


def _volumes_onto(target: Any, *args: Any) -> Out:
    out = _volumes_meta(*args)
    if tuple(target.shape) == out.shape and not target.is_contiguous():
        raise RuntimeError("slow_conv3d output must be contiguous")
    return out


def _volumes_meta(
    self: Any, weight: Any, kernel_size: Any, bias: Any, stride: Any, padding: Any
) -> Out:
    check_lists(_EQUAL, 3, kernel_size=kernel_size, stride=stride, padding=padding)
    sizes = check_volumes(self, weight, bias, kernel_size, stride, padding)
    check_dtypes("compute_columns3d", self, weight)
    return _result((self.shape[0], weight.shape[0], *sizes), self, weight)


def _in_channels(weight: Array, kernel_size: Sequence[int]) -> Array:
    """A weight that may be a matrix, of which a row makes one channel of the result."""
    return weight.reshape((weight.shape[0], -1, *kernel_size))


def _plain_kernel(
    self: Array, weight: Array, kernel_size: Any, bias: Any, stride: Any, padding: Any
) -> Array:
    filters, images, pads = _in_channels(weight, kernel_size), self, padding
    lists = zip(self.shape[2:], kernel_size, stride, padding, strict=True)
    sizes = [(i + 2 * p - k) // s + 1 for i, k, s, p in lists]
    if len(sizes) == 2 and min(padding) < 0:
        images, pads = _cut(self, padding, _starts(padding)), (0, 0)
    ones, groups = (1,) * len(sizes), max(self.shape[1] // filters.shape[1], 1)
    out = _convolve(images, filters, bias, sizes, stride, pads, ones, groups)
    return _laid(out, self, weight)


def _planes_backward_meta(
    grad_output: Any, self: Any, weight: Any, kernel_size: Any, stride: Any, padding: Any,
    output_mask: Any,
) -> tuple[Out | None, ...]:  # fmt: skip
    check_lists(_PLANES, 2, kernel_size=kernel_size, stride=stride, padding=padding)
    check_planes(self, weight, None, kernel_size, stride, padding, grad_output)
    check_dtypes("slow_conv2d_cpu_grad_input", self, weight, grad_output)
    like_images = channels_last(self.shape, self, weight, _KIND) is not None
    if like_images and weight.dim() == 2:
        raise RuntimeError("required rank 4 tensor to use channels_last format")
    of_weight = weight_strides(self, weight, _KIND)
    if output_mask[1] and of_weight and not suggests_channels_last(weight):
        raise RuntimeError("slow_conv2d: grad_weight must be contiguous")
    return wanted(
        output_mask,
        _result(self.shape, self, weight),
        Out(tuple(weight.shape), self.dtype, of_weight),
        Out((weight.shape[0],), self.dtype),
    )


def _planes_backward(
    grad_output: Array, self: Array, weight: Array, kernel_size: Any, stride: Any, padding: Any,
    output_mask: Any,
) -> tuple[Array | None, ...]:  # fmt: skip
    filters, images, pads = _in_channels(weight, kernel_size), self, padding
    if min(padding) < 0:
        images, pads = _cut(self, padding, _starts(padding)), (0, 0)
    run = prepare_backward(
        grad_output, images, filters, weight.shape[:1], stride, pads, (1, 1), False, (0, 0), 1,
        output_mask,
    )  # fmt: skip
    g_input, g_weight, g_bias = run(grad_output, images, filters)
    if g_input is not None:
        if pads is not padding:
            g_input = _window(g_input, [-n for n in _starts(padding)], self.shape[2:])
        g_input = _laid(g_input, self, weight)
    if g_weight is not None:
        g_weight = laid_out(g_weight.reshape(weight.shape), weight_strides(self, weight, _KIND))
    return g_input, g_weight, g_bias


def _planes_grad(g: Any, c: Any) -> Any:
    return of("_slow_conv2d_backward.output_mask")(
        g, c.self, c.weight, c.kernel_size, c.stride, c.padding, c.mask
    )


def _planes_twice(g: Any, c: Any) -> Any:
    """The gradient of the gradients, which is that of any convolution's."""
    same = SimpleNamespace(
        grad_output=c.grad_output, input=c.self, weight=c.weight, stride=c.stride,
        padding=c.padding, dilation=(1, 1), transposed=False, output_padding=(0, 0), groups=1,
        mask=c.mask,
    )  # fmt: skip
    return twice(g, same)


def _volumes_grad(g: Any, c: Any) -> Any:
    try:
        sizes = tuple(c.bias.shape)
    except AttributeError:  # there is none, of which C++ says that it has no elements
        sizes = (0,)
    return ops.convolution_backward(
        g, c.self, c.weight, sizes, c.stride, c.padding, (1, 1, 1), False, (0, 0, 0), 1, c.mask
    )


def _warn_discarded(self: Any, bias: Any, times: int = 1) -> None:
    """Each copy of a complex *bias* into real numbers tells of it."""
    if bias is not None and bias.dtype.is_complex and not self.dtype.is_complex:
        for _ in range(times):
            warn_discarded()


_COMPLEX: Final = ("complex32", "complex64", "complex128")
_NO_META: Final = DeviceRule(meta=device_rules.no_kernel)
_HOST: Final = ("not_on_meta",)
_LOOPS: Final = ("loops: functional", *_HOST)
for _name, _n, _meta, _onto_meta, _grad in (
    ("_slow_conv2d_forward", 2, _planes_meta, None, _planes_grad),
    ("slow_conv3d_forward", 3, _volumes_meta, _volumes_onto, _volumes_grad),
):
    op(
        f"{_name}(Tensor self, Tensor weight, SymInt[{_n}] kernel_size, Tensor? bias, "
        f"SymInt[{_n}] stride, SymInt[{_n}] padding) -> Tensor",
        meta=_meta,
        kernel=_plain_kernel,
        module="nn",
        variants="",
        grad={"self, weight, bias": _grad},
        tangent="not implemented",
        out=OutForm("output", names=("output",), text=SCALAR_TYPE, quiet=True),
        out_meta=_onto_meta,
        warns=lambda self, weight, kernel_size, bias, *rest: _warn_discarded(self, bias),
        warns_of=_COMPLEX,
        devices=_NO_META,
        samples=_name.removeprefix("_"),
        tags=_HOST,
    )
op(
    "_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, "
    "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) "
    "-> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)",
    meta=_planes_backward_meta,
    kernel=_planes_backward,
    module="nn",
    variants="",
    grad={"grad_output, self, weight": _planes_twice},
    tangent="not implemented",
    out=OutForm("output_mask_out", names=("out0", "out1", "out2"), function=False),
    samples="slow_conv2d_backward",
    tags=_HOST,
)


def _onto(forward: str) -> Callable[..., None]:
    def out_kernel(target: Any, *args: Any) -> None:
        self, weight, kernel_size, bias, stride, padding = args
        of(f"{forward}.output")(self, weight, kernel_size, bias, stride, padding, output=target)

    return out_kernel


for _name, _forward, _n in (
    ("thnn_conv2d", "_slow_conv2d_forward", 2),
    ("slow_conv3d", "slow_conv3d_forward", 3),
):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    op(
        f"{_name}(Tensor self, Tensor weight, SymInt[{_n}] kernel_size, Tensor? bias=None, "
        f"SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}]) -> Tensor",
        says=f"Convolve the input with a weight over {_n} dimensions, by a product of matrices.",
        composite=lambda *args, _forward=_forward: of(_forward)(*args),
        module="nn",
        variants="function",
        out=True,
        out_kernel=_onto(_forward),
        samples=_name,
        tags=("loops: functional",),
    )


# -- with gaps ----------------------------------------------------------------------------------


def _dilated_meta(
    self: Any, weight: Any, kernel_size: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    n: int,
) -> Out:  # fmt: skip
    named = {
        "kernel size": kernel_size, "stride": stride, "dilation": dilation, "pad": padding
    }  # fmt: skip
    check_lists(_LENGTH, n, **named)
    sizes = check_dilated(self, weight, bias, kernel_size, stride, padding, dilation)
    check_dtypes("slow_conv_dilated<>", self, weight)
    return _result((*self.shape[: -n - 1], weight.shape[0], *sizes), self, weight)


def _dilated_kernel(
    self: Array, weight: Array, kernel_size: Any, bias: Any, stride: Any, padding: Any,
    dilation: Any,
) -> Array:  # fmt: skip
    n = len(kernel_size)
    lists = zip(self.shape[-n:], kernel_size, stride, padding, dilation, strict=True)
    sizes = [(i + 2 * p - d * (k - 1) - 1) // s + 1 for i, k, s, p, d in lists]
    images = self if self.ndim == n + 2 else self[None]
    out = _convolve(images, weight, bias, sizes, stride, padding, dilation, 1)
    return _laid(out, self, weight) if images is self else out[0]


def _dilated_grad(g: Any, c: Any) -> Any:
    try:
        sizes = tuple(c.bias.shape)
    except AttributeError:  # there is none
        sizes = None
    none = (0,) * len(c.stride)
    return ops.convolution_backward(
        g, c.self, c.weight, sizes, c.stride, c.padding, c.dilation, False, none, 1, c.mask
    )


for _n in (2, 3):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    op(
        f"slow_conv_dilated{_n}d(Tensor self, Tensor weight, SymInt[{_n}] kernel_size, "
        f"Tensor? bias=None, SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}], "
        f"SymInt[{_n}] dilation=[{_ones}]) -> Tensor",
        says=f"Convolve the input with a weight whose windows have gaps, over {_n} dimensions.",
        meta=lambda *args, _n=_n: _dilated_meta(*args, _n),
        kernel=_dilated_kernel,
        module="nn",
        variants="function",
        warns=lambda self, weight, kernel_size, bias, *rest, _n=_n: _warn_discarded(
            self, bias, 1 if bias is None else prod(self.shape[: -_n - 1]) * bias.shape[0]
        ),
        warns_of=_COMPLEX,
        devices=_NO_META,
        grad={"self, weight, bias": _dilated_grad},
        tangent="not implemented",
        out=OutForm(function=False),
        samples=f"slow_conv_dilated{_n}d",
        tags=_LOOPS,
    )


# -- transposed ---------------------------------------------------------------------------------

_CHECKS: Final[dict[int, Callable[..., list[int]]]] = {
    2: check_transposed_images,
    3: check_transposed_volumes,
}


def _transposed_sizes(
    self: Any, weight: Any, kernel_size: Any, bias: Any, stride: Any, padding: Any,
    output_padding: Any, dilation: Any, n: int,
) -> list[int]:  # fmt: skip
    check_lists(_EQUAL, n, kernel_size=kernel_size, dilation=dilation, padding=padding)
    check_lists(_EQUAL, n, stride=stride)
    check_lists(_EQUAL.format(name="stride", n=n, found="{found}"), n, _=output_padding)
    lists = (stride, padding, output_padding, dilation)
    return _CHECKS[n](self, weight, bias, kernel_size, *lists)


def _transposed_meta(*args: Any) -> Out:
    self, weight, _, bias, *_, n = args
    sizes = _transposed_sizes(*args)
    check_dtypes(f"slow_conv_transpose{n}d_out_cpu", self, weight, bias if n == 3 else None)
    if bias is not None and not can_cast(promote_types(self.dtype, bias.dtype), self.dtype):
        raise cannot_cast(bias.dtype, self.dtype)
    # The loop over planes gives an image without a batch the batch of one that it makes of it.
    images = (1,) if n == 2 and self.dim() == 3 else self.shape[: -n - 1]
    return _result((*images, weight.shape[1], *sizes), self, weight)


def _transposed_kernel(
    self: Array, weight: Array, kernel_size: Any, bias: Any, stride: Any, padding: Any,
    output_padding: Any, dilation: Any,
) -> Array:  # fmt: skip
    n = len(kernel_size)
    lists = zip(
        self.shape[-n:], kernel_size, stride, padding, output_padding, dilation, strict=True
    )
    sizes = [(i - 1) * s - 2 * p + d * (k - 1) + 1 + o for i, k, s, p, o, d in lists]
    filters = weight.reshape((*weight.shape[:2], *kernel_size))
    images = self if self.ndim == n + 2 else self[None]
    out = _spread(images, filters, bias, sizes, stride, padding, output_padding, dilation)
    return out[0] if n == 3 and images is not self else _laid(out, self, weight)


def _transposed_grad(g: Any, c: Any) -> Any:
    try:
        sizes = tuple(c.bias.shape)
    except AttributeError:  # there is none
        sizes = None
    images, n = c.self, len(c.stride)
    alone = n == 2 and images.dim() == 3
    if alone:
        images = images.unsqueeze(0)
    g_images, *others = ops.convolution_backward(
        g, images, c.weight, sizes, c.stride, c.padding, c.dilation, True, c.output_padding, 1,
        c.mask,
    )  # fmt: skip
    if alone and g_images is not None:
        g_images = g_images.squeeze(0)
    return g_images, *others


for _n in (2, 3):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    op(
        f"slow_conv_transpose{_n}d(Tensor self, Tensor weight, SymInt[{_n}] kernel_size, "
        f"Tensor? bias=None, SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}], "
        f"SymInt[{_n}] output_padding=[{_zeros}], SymInt[{_n}] dilation=[{_ones}]) -> Tensor",
        says=f"Apply the transpose of a convolution over {_n} dimensions, by a product of "
        "matrices.",
        meta=lambda *args, _n=_n: _transposed_meta(*args, _n),
        kernel=_transposed_kernel,
        module="nn",
        variants="function",
        grad={"self, weight, bias": _transposed_grad},
        tangent="not implemented",
        out=OutForm(meta="native")
        if _n == 2
        else OutForm(text=SCALAR_TYPE, quiet=True, overlap="unchecked"),
        devices=PLAIN_DEVICES if _n == 2 else _NO_META,
        samples=f"slow_conv_transpose{_n}d",
        tags=_LOOPS[:1] if _n == 2 else _LOOPS,
    )
