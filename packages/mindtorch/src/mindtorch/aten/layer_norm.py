"""Layer normalisation.

The gradients have two ways: a fast kernel, and, where the backward pass is itself recorded
(``create_graph``), the same formula over tensors, so that any order of derivative is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import float32

from mindtorch.aten.centred_rows import centred_rows, operand
from mindtorch.aten.derivatives import no_formula_for
from mindtorch.aten.norm_curvature import layer_norm_twice
from mindtorch.aten.norm_tangent import layer_norm_tangent
from mindtorch.aten.normal_check import FLOATS_ONLY, check_mixed, expect_count
from mindtorch.aten.summation import MANY, sums
from mindtorch.call.elementwise_meta import refuse, wanted
from mindtorch.call.row import Out, op
from mindtorch.core.dims import numel_of
from mindtorch.core.errors import expected_scalar_type
from mindtorch.core.operators import of, ops

__all__: list[str] = []


def check_layer(input: Any, normalized_shape: Sequence[int], weight: Any, bias: Any) -> None:
    """Refuse sizes that do not fit together.

    Source: torch aten/src/ATen/native/layer_norm.h, _check_layer_norm_inputs.
    """
    shape, norm = tuple(input.shape), tuple(normalized_shape)
    if not norm:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            f"one element, but got normalized_shape = {list(norm)}"
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and tuple(p.shape) != norm:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of "
                f"shape {list(p.shape)} and normalized_shape = {list(norm)}"
            )
    if shape[-len(norm) :] != norm:
        raise RuntimeError(
            f"Given normalized_shape={list(norm)}, expected input with shape "
            f"[*, {', '.join(map(str, norm))}], but got input of size{list(shape)}"
        )


def _layer_norm_meta(
    input: Any, normalized_shape: Sequence[int], weight: Any, bias: Any, eps: float
) -> tuple[Out, Out, Out]:
    check_layer(input, normalized_shape, weight, bias)
    shape, norm = tuple(input.shape), tuple(normalized_shape)
    check_mixed(input, weight, bias)
    refuse(input.dtype, {"LayerNormKernelImpl": FLOATS_ONLY}, input)
    kept = (*shape[: len(shape) - len(norm)], *([1] * len(norm)))
    mixed = weight if weight is not None else bias
    kind = mixed.dtype if mixed is not None else input.dtype
    if input.device.type == "meta" and kind.itemsize == 2:  # there as an accelerator has it
        kind = float32
    stats = Out(kept, kind)
    return Out(shape, input.dtype), stats, stats


def _prepare_layer_norm(
    input: Any, normalized_shape: Sequence[int], weight: Any, bias: Any, eps: float
) -> Callable[..., tuple[Any, Any, Any]]:
    shape, dtype = input.shape, input.dtype
    outer = shape[: len(shape) - len(normalized_shape)]
    kept = (*outer, *([1] * len(normalized_shape)))
    rows = (numel_of(outer), numel_of(normalized_shape))
    centred, many = centred_rows(*rows, dtype, eps), input.size >= MANY
    add, multiply, dense = np.add, np.multiply, input.flags.c_contiguous
    by_row, by_column = operand(rows, (rows[0], 1)), operand(rows, (1, rows[1]))
    row, flat, as_column = (1, rows[1]), shape == rows, kept == (rows[0], 1)

    def kernel(
        input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float
    ) -> tuple[Any, Any, Any]:
        if not dense:
            input = input.copy()
        out, mean, rstd = centred(input if flat else input.reshape(rows))
        if weight is None or many:
            multiply(out, by_row(rstd), out)
            if weight is not None:
                multiply(out, by_column(weight), out)
        else:
            multiply(out, rstd.dot(weight.reshape(row)), out)
        if bias is not None:
            add(out, by_column(bias), out)
        if not flat:
            out = out.reshape(shape)
        if as_column:
            return out, mean, rstd
        return out, mean.reshape(kept), rstd.reshape(kept)

    return kernel


def _layer_norm_grad(g: Any, c: Any) -> Any:
    out = g[0]
    if out is None:
        return None, None, None
    return ops.native_layer_norm_backward(
        out, c.input, c.normalized_shape, c.result1, c.result2, c.weight, c.bias, c.mask
    )


op(
    "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
    "float eps) -> (Tensor, Tensor, Tensor)",
    says="Normalise over the last dimensions and return means and inverse deviations, too.",
    meta=_layer_norm_meta,
    prepare=_prepare_layer_norm,
    variants="function",
    grad={"input, weight, bias": _layer_norm_grad},
    tangent=layer_norm_tangent,
    samples="native_layer_norm",
    tags=("one_gradient", "one_tangent"),
    autocast=("", "float32"),
)


def _check_gradient(
    grad_out: Any, input: Any, norm: Any, mean: Any, rstd: Any, weight: Any, bias: Any
) -> None:
    """Refuse what is not of the forward call, beside which torch's kernel would read memory."""
    refuse(input.dtype, {"LayerNormBackwardKernelImpl": FLOATS_ONLY}, input)
    narrow = input.dtype.itemsize == 2  # beside which statistics and parameters may be wide
    for t in (grad_out, mean, rstd, weight, bias):
        same = t is None or t.dtype is input.dtype
        if not same and (t is grad_out or not narrow):
            raise expected_scalar_type(input.dtype, t.dtype)
    rows = numel_of(input.shape[: input.dim() - len(norm)])
    for name, t, count in (
        ("grad_out", grad_out, input.numel()),
        ("mean", mean, rows),
        ("rstd", rstd, rows),
    ):
        expect_count(name, t, count, input)


def _layer_norm_backward_meta(
    grad_out: Any, input: Any, norm: Any, mean: Any, rstd: Any, weight: Any, bias: Any, mask: Any
) -> tuple[Out | None, ...]:
    check_layer(input, norm, weight, bias)
    _check_gradient(grad_out, input, norm, mean, rstd, weight, bias)
    like = weight if weight is not None else input
    return wanted(
        mask,
        Out(tuple(input.shape), input.dtype),
        Out(tuple(norm), like.dtype),
        Out(tuple(norm), like.dtype),
    )


def _prepare_layer_norm_backward(
    grad_out: Any, input: Any, norm: Any, mean: Any, rstd: Any, weight: Any, bias: Any, mask: Any
) -> Callable[..., tuple[Any, Any, Any]]:
    shape, norm, dtype = input.shape, tuple(norm), input.dtype
    rows = (numel_of(shape[: len(shape) - len(norm)]), numel_of(norm))
    column, n = (rows[0], 1), np.array(max(rows[1], 1), dtype)
    like = np.empty(rows, dtype)
    along, across = sums(like, (1,), column), sums(like, (0,), norm)
    subtract, multiply, divide = np.subtract, np.multiply, np.divide
    wants_input, wants_weight, wants_bias = mask

    def kernel(
        grad_out: Any, input: Any, norm: Any, mean: Any, rstd: Any, weight: Any, *_: Any
    ) -> tuple[Any, Any, Any]:
        g = grad_out.reshape(rows)
        rstd = rstd.reshape(column)
        hat = subtract(input.reshape(rows), mean.reshape(column))
        multiply(hat, rstd, hat)
        g_input = g_weight = g_bias = None
        if wants_weight:
            g_weight = across(multiply(g, hat))
        if wants_bias:
            g_bias = across(g)
        if wants_input:
            scaled = g if weight is None else multiply(g, weight.reshape(-1))
            first, second = along(scaled), along(multiply(scaled, hat))
            multiply(hat, divide(second, n, second), hat)
            out = subtract(scaled, divide(first, n, first))
            subtract(out, hat, out)
            g_input = multiply(out, rstd, out).reshape(shape)
        return g_input, g_weight, g_bias

    return kernel


op(
    "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
    "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask)"
    " -> (Tensor, Tensor, Tensor)",
    meta=_layer_norm_backward_meta,
    prepare=_prepare_layer_norm_backward,
    variants="",
    grad={
        "grad_out, input, weight": layer_norm_twice,
        "bias": lambda g, c: None,
        **no_formula_for("native_layer_norm_backward mean", "mean"),
        **no_formula_for("native_layer_norm_backward rstd", "rstd"),
    },
    samples="native_layer_norm_backward",
)


def _layer_norm_function(
    input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float, cudnn_enable: bool
) -> Any:
    return of("native_layer_norm")(input, normalized_shape, weight, bias, eps)[0]


op(
    "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
    "Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
    says="Normalise over the last dimensions, then scale and shift."
    " The sizes of those dimensions are normalized_shape.",
    composite=_layer_norm_function,
    variants="function",
    samples="layer_norm",
    autocast=("", "float32"),
)
