"""Convolutions of one to three spatial dims, their transposes and gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch.aten.convolution_kernel import out_shape, prepare_backward, prepare_convolution
from mindtorch.aten.convolution_layout import (
    channels_last,
    kind_of,
    nothing_strides,
    weight_strides,
)
from mindtorch.call.convolution_check import check_kernel, check_same_type, check_sizes, expanded
from mindtorch.call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    empty_like_out,
    refuse,
    wanted,
)
from mindtorch.call.row import Out, op
from mindtorch.core.constants import contiguous_format
from mindtorch.core.dims import expect_sizes, laid_out
from mindtorch.core.errors import c_type_name, expected_scalar_type
from mindtorch.core.operators import conj, of, ops
from mindtorch.core.warning import warn_once

from ..call.forms import DeviceRule, OutForm
from . import device_rules

__all__ = ["twice"]


def _prepare(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Callable[..., Any]:  # fmt: skip
    lists = (stride, padding, dilation, transposed, output_padding, groups)
    convolve = prepare_convolution(input, weight, bias, *lists)
    kind = kind_of(stride, dilation, transposed, output_padding, groups)
    if not all(input.shape[:2]):

        def of_nothing(input: Any, weight: Any, bias: Any, *_: Any) -> Any:
            out = convolve(input, weight, bias)
            return laid_out(out, nothing_strides(out.shape, input))

        return of_nothing
    if channels_last(weight.shape, input, weight, kind) is None:
        return lambda input, weight, bias, *_: convolve(input, weight, bias)

    def kernel(input: Any, weight: Any, bias: Any, *_: Any) -> Any:
        out = convolve(input, weight, bias)
        return laid_out(out, channels_last(out.shape, input, weight, kind))

    return kernel


def _prepare_backward(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
    dilation: Any, *rest: Any,
) -> Callable[..., tuple[Any, Any, Any]]:  # fmt: skip
    run = prepare_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, *rest)
    kind, shape = kind_of(stride, dilation, *rest[:3]), tuple(input.shape)
    strides = channels_last(shape, input, weight, kind)
    of_weight = weight_strides(input, weight, kind)
    if strides is None:
        return lambda grad_output, input, weight, *_: run(grad_output, input, weight)

    def kernel(grad_output: Any, input: Any, weight: Any, *_: Any) -> tuple[Any, Any, Any]:
        g_input, g_weight, g_bias = run(grad_output, input, weight)
        if g_input is not None:
            g_input = laid_out(g_input, strides)
        if g_weight is not None:
            g_weight = laid_out(g_weight, of_weight)
        return g_input, g_weight, g_bias

    return kernel


def _meta(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Out:  # fmt: skip
    check_sizes(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    n = len(weight.shape) - 2
    stride, padding, dilation, more = (
        expanded(v, n) for v in (stride, padding, dilation, output_padding)
    )
    shape = out_shape(
        input.shape, weight.shape, stride, padding, dilation, transposed, more, groups
    )
    check_kernel(input, weight, bias, stride, dilation, transposed, more, groups, shape)
    _check_elements(input.shape, weight.shape)
    if not all(input.shape[:2]):
        return Out(shape, input.dtype, nothing_strides(shape, input))
    kind = kind_of(stride, dilation, transposed, more, groups)
    return Out(shape, input.dtype, channels_last(shape, input, weight, kind))


def _gradient_strides(input: Any, weight: Any, kind: Any) -> tuple[Any, Any]:
    """Strides of the gradients of input and weight; without elements they are like these."""
    if all(input.shape[:2]):
        shape = tuple(input.shape)
        return channels_last(shape, input, weight, kind), weight_strides(input, weight, kind)
    return empty_like_out(input).strides, empty_like_out(weight).strides


def _check_elements(shape: Sequence[int], kernel: Sequence[int]) -> None:
    """Source: torch aten/src/ATen/native/Convolution.cpp, and oneDNN's refusal."""
    if 0 in shape[2:] and 0 not in shape[:2]:
        seen = [*shape[:2], *[1] * (len(shape) == 3), *shape[2:]]  # one dimension runs as two
        raise RuntimeError(
            f"Only zero batch or zero channel inputs are supported, but got input shape: {seen}"
        )
    if 0 in kernel[2:] and 0 not in shape:
        raise RuntimeError(
            "could not create a primitive descriptor for the convolution forward propagation "
            "primitive. Run workload with environment variable ONEDNN_VERBOSE=all to get "
            "additional diagnostic information."
        )


def _gradient(absent: Any) -> Callable[[Any, Any], Any]:
    """The formula of all gradients; *absent* is what the backward is told of no bias."""

    def formula(g: Any, c: Any) -> Any:
        try:
            sizes = tuple(c.bias.shape)
        except AttributeError:
            sizes = absent
        return ops.convolution_backward(
            g, conj(c.input), conj(c.weight), sizes, c.stride, c.padding, c.dilation, c.transposed,
            c.output_padding, c.groups, c.mask,
        )  # fmt: skip

    return formula


op(
    "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    says="Convolve the input with a weight: of any number of dimensions, also transposed.",
    meta=_meta,
    prepare=_prepare,
    variants="function",
    grad={"input, weight, bias": _gradient((0,))},  # no bias has no elements, in C++
    samples="convolution",
    batch=("folded", 1, 2),
    devices=DeviceRule(here=device_rules.of_convolution),
    autocast=("", "lower precision"),
)


def _chosen(*args: Any) -> Any:
    return ops.convolution(*args[:9])


_CHOICES = "SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled"
op(
    "_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool transposed, SymInt[] output_padding, "
    f"{_CHOICES}, bool allow_tf32) -> Tensor",
    says="Convolve as convolution does; what a vendor's library may choose changes nothing.",
    composite=_chosen,
    kinds={"functional": "explicit", "out": "explicit"},
    variants="function",
    grad={"input, weight, bias": _gradient(None)},
    node=1,
    out=OutForm(function=False, meta="native"),
    samples="_convolution",
    autocast=("", "lower precision"),
)
op(
    "_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
    "SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, "
    f"{_CHOICES}) -> Tensor",
    composite=lambda *args: of("_convolution")(*args, True),
    variants="function",
    samples="_convolution_deprecated",
    tags=("loops: functional",),
    autocast="lower precision",
)


# -- gradients ----------------------------------------------------------------------------------


def _backward_meta(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
    dilation: Any, transposed: bool, output_padding: Any, groups: int, output_mask: Any,
) -> tuple[Out | None, ...]:  # fmt: skip
    dtype, ndim, n = grad_output.dtype, len(input.shape), len(weight.shape) - 2
    check_sizes(input, weight, None, stride, padding, dilation, transposed, output_padding, groups)
    if len(grad_output.shape) != ndim:
        raise RuntimeError(
            "Expected input and grad_output to have the same number of dimensions, but got: "
            f"{ndim} and {len(grad_output.shape)}"
        )
    lists = [expanded(v, n) for v in (stride, padding, dilation, output_padding)]
    sizes = list(out_shape(input.shape, weight.shape, *lists[:3], transposed, lists[3], groups))
    if n == 1:  # one dimension runs as two
        expect_sizes(grad_output.unsqueeze(2), 4, 1, [sizes[1], 1, sizes[2]])
    else:
        expect_sizes(grad_output, ndim, 1, sizes[1:])
    expect_sizes(grad_output, ndim, 0, sizes[:1])
    if n < 3:
        refuse(input.dtype, {"slow_conv2d_cpu_grad_input": INTEGRAL | BOOL | COMPLEX}, input)
    for t in (weight, grad_output):
        if t.dtype is not input.dtype:
            raise expected_scalar_type(input.dtype, t.dtype)
    kind = kind_of(stride, dilation, transposed, output_padding, groups)
    of_input, of_weight = _gradient_strides(input, weight, kind)
    channels = (grad_output.shape[1],)
    return wanted(
        output_mask,
        Out(tuple(input.shape), dtype, of_input),
        Out(tuple(weight.shape), dtype, of_weight),
        Out(tuple(bias_sizes or channels) if 0 in input.shape[:2] else channels, dtype),
    )


def twice(g: Any, c: Any) -> Any:
    """Gradient of the gradients: both are bilinear, so each part is a convolution again."""
    gg_input, gg_weight, gg_bias = g
    if not c.input.numel():
        gg_input = gg_weight = None
    lists = (c.stride, c.padding, c.dilation, c.transposed, c.output_padding, c.groups)
    total = None
    if gg_input is not None:
        total = ops.convolution(gg_input, conj(c.weight), None, *lists)
    if gg_weight is not None:
        part = ops.convolution(conj(c.input), gg_weight, None, *lists)
        total = part if total is None else total + part
    if gg_bias is not None:
        n = c.weight.dim() - 2
        part = gg_bias.reshape((1, -1) + (1,) * n).expand(c.grad_output.shape)
        total = part if total is None else total + part
    g_input = g_weight = None
    if gg_weight is not None and c.mask[1]:
        g_input = ops.convolution_backward(
            conj(c.grad_output), c.input, gg_weight, None, *lists, (True, False, False)
        )[0]
    if gg_input is not None and c.mask[2]:
        g_weight = ops.convolution_backward(
            conj(c.grad_output), gg_input, c.weight, None, *lists, (False, True, False)
        )[1]
        g_weight = _laid_as_convolution(g_weight, c)
    return total, g_input, g_weight


def _laid_as_convolution(g_weight: Any, c: Any) -> Any:
    """The weight's gradient as torch has it: a convolution of the transposed images, cut to size.

    Source: torch aten/src/ATen/native/Convolution.cpp, _convolution_double_backward.
    """
    kernel = c.weight.shape[2:]
    n = len(kernel)
    larger, smaller = c.input.shape[2:], c.grad_output.shape[2:]
    if c.transposed:
        larger, smaller = smaller, larger
    lists = (expanded(v, n) for v in (c.padding, c.stride, c.dilation))
    sizes = zip(larger, smaller, *lists, strict=True)
    whole = [(m + 2 * p - (s * (k - 1) + 1)) // d + 1 for m, k, p, s, d in sizes]
    turned = g_weight.transpose(0, 1)
    if any(w > k for w, k in zip(whole, kernel, strict=True)):
        pad = [
            v for w, k in zip(reversed(whole), reversed(kernel), strict=True) for v in (0, w - k)
        ]
        turned = ops.constant_pad_nd(turned, pad, 0)
    # A copy in any case: what a size of one has for a stride shows afterwards.
    out = turned.clone(memory_format=contiguous_format).transpose(0, 1)
    for i, (w, k) in enumerate(zip(whole, kernel, strict=True)):
        if w > k:
            out = out.narrow(i + 2, 0, k)
    return out


op(
    "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, "
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
    "SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    meta=_backward_meta,
    prepare=_prepare_backward,
    variants="",
    grad={"grad_output, input, weight": twice},
    samples="convolution_backward",
)


# -- the functions ------------------------------------------------------------------------------


def _batched(input: Any, n: int, name: str) -> tuple[Any, bool]:
    dims = input.dim()
    if dims not in (n + 1, n + 2):
        raise RuntimeError(
            f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {name}, "
            f"but got input of size: {list(input.shape)}"
        )
    return (input.unsqueeze(0), True) if dims == n + 1 else (input, False)


def _convolved(x: Any, weight: Any, bias: Any, *lists: Any) -> Any:
    """``convolution``; of complex numbers three real ones (Gauss).

    Source: torch aten/src/ATen/native/Convolution.cpp, complex_convolution.
    """
    if not x.is_complex():
        return ops.convolution(x, weight, bias, *lists)
    check_same_type(x, weight, bias)
    (a, b), (c, d) = _parts(x), _parts(weight)
    e, f = (None, None) if bias is None else _parts(bias)
    real = ops.convolution(a, c, e, *lists)
    crossed = ops.convolution(b, d, None, *lists)
    both = ops.convolution(a + b, c + d, None if bias is None else e + f, *lists)
    return real - crossed + of("mul.Scalar")(both - real - crossed, 1j)


def _parts(x: Any) -> tuple[Any, Any]:
    pairs = ops.view_as_real(x.resolve_conj())
    return pairs.select(-1, 0), pairs.select(-1, 1)


def _plain(n: int) -> Any:
    zeros = (0,) * n

    def composite(
        input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
    ) -> Any:
        if bias is not None and bias.dtype != input.dtype:
            raise RuntimeError(
                f"Input type ({_c_name(input)}) and bias type ({_c_name(bias)}) should be the same"
            )
        x, single = _batched(input, n, f"conv{n}d")
        out = _convolved(x, weight, bias, stride, padding, dilation, False, zeros, groups)
        return out.squeeze(0) if single else out

    return composite


def _c_name(t: Any) -> str:
    return c_type_name(t.dtype)


def _named(n: int) -> Any:
    zeros = (0,) * n

    def composite(
        input: Any, weight: Any, bias: Any, stride: Any, padding: str, dilation: Any, groups: int
    ) -> Any:
        x, single = _batched(input, n, f"conv{n}d")
        if padding == "valid":
            sides = nothing = (0,)
        elif padding == "same":
            sides, x = _same(x, weight, stride, dilation)
            nothing = zeros
        else:
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        out = _convolved(x, weight, bias, stride, sides, dilation, False, nothing, groups)
        return out.squeeze(0) if single else out

    return composite


def _same(
    x: Any, weight: Any, stride: Sequence[int], dilation: Sequence[int]
) -> tuple[tuple[int, ...], Any]:
    """Padding that keeps the size; what does not halve is added on the far side first.

    Source: torch aten/src/ATen/native/Convolution.cpp, _convolution_same.
    """
    k = weight.dim()
    n = k - 2
    if n <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    if x.dim() != k:
        raise RuntimeError(
            f"Expected {k}-dimensional input for {k}-dimensional weight{list(weight.shape)}, but "
            f"got {x.dim()}-dimensional input of size {list(x.shape)} instead"
        )
    for name, values in (("stride", stride), ("dilation", dilation)):
        if len(values) not in (1, n):
            raise RuntimeError(f"{name} cannot broadcast to {n} dimensions")
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    dilation = expanded(dilation, n)
    totals = [d * (k - 1) for k, d in zip(weight.shape[2:], dilation, strict=True)]
    sides = tuple(t // 2 for t in totals)
    if any(t % 2 for t in totals):
        # torch convolves real tensors, and refuses mixed ones before or after it warned
        times = {(True, True): 3, (True, False): 0}.get((x.is_complex(), weight.is_complex()), 1)
        for _ in range(times):
            warn_once(
                "Using padding='same' with even kernel lengths and odd dilation may require a "
                "zero-padded copy of the input be created",
            )
        pad: list[int] = []
        for t in reversed(totals):
            pad += [0, t % 2]
        x = ops.constant_pad_nd(x, pad, 0)
    return sides, x


def _by_mode(
    input: Any, weight: Any, bias: Any, stride: Any, padding: str, dilation: Any, groups: int
) -> Any:
    zeros = (0,) * (weight.dim() - 2)
    if padding == "valid":
        lists = (stride, (0,), dilation, False, (0,), groups)
        return ops.convolution(input, weight, bias, *lists)
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    sides, x = _same(input, weight, stride, dilation)
    return ops.convolution(x, weight, bias, stride, sides, dilation, False, zeros, groups)


op(
    "_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, "
    "SymInt[] dilation, SymInt groups) -> Tensor",
    says='Convolve with the padding that "same" or "valid" mean.',
    composite=_by_mode,
    variants="function",
    samples="_convolution_mode",
)
for _n in (1, 2, 3):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    _lists = f"SymInt[{_n}] dilation=[{_ones}], SymInt groups=1"
    op(
        f"conv{_n}d(Tensor input, Tensor weight, Tensor? bias=None, "
        f"SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}], {_lists}) -> Tensor",
        says=f"Convolve the input with a weight over {_n} dimension{'s' * (_n > 1)}.",
        composite=_plain(_n),
        variants="function",
        autocast="lower precision",
        samples=f"conv{_n}d",
    )
    op(
        f"conv{_n}d.padding(Tensor input, Tensor weight, Tensor? bias=None, "
        f'SymInt[{_n}] stride=[{_ones}], str padding="valid", {_lists}) -> Tensor',
        composite=_named(_n),
        variants="function",
        autocast=("lower precision", ""),
        samples=f"conv{_n}d_padding",
    )


def _transposed(n: int) -> Any:
    def composite(
        input: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any,
        groups: int, dilation: Any,
    ) -> Any:  # fmt: skip
        x, single = _batched(input, n, f"conv_transpose{n}d")
        out = _convolved(x, weight, bias, stride, padding, dilation, True, output_padding, groups)
        return out.squeeze(0) if single else out

    return composite


for _n, _overload in ((1, ""), (2, ".input"), (3, ".input")):
    _ones, _zeros = (", ".join([v] * _n) for v in ("1", "0"))
    op(
        f"conv_transpose{_n}d{_overload}(Tensor input, Tensor weight, Tensor? bias=None, "
        f"SymInt[{_n}] stride=[{_ones}], SymInt[{_n}] padding=[{_zeros}], "
        f"SymInt[{_n}] output_padding=[{_zeros}], SymInt groups=1, "
        f"SymInt[{_n}] dilation=[{_ones}]) -> Tensor",
        says=f"Apply the transpose of a convolution over {_n} dimension{'s' * (_n > 1)}.",
        composite=_transposed(_n),
        variants="function",
        autocast="lower precision",
        samples=f"conv_transpose{_n}d",
    )
