"""Which ops are linear, which have no tangent, which torch does not offer in forward mode."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..call.row import ROWS
from ..core.operators import conj, ops
from ..core.reduction import NONE, reduce
from .matrix_tangents import OF_MATRICES

#: Ops whose tangent is the op of the tangents, whatever the values are.
LINEAR = frozenset(
    ("add.Tensor", "sub.Tensor", "rsub.Tensor", "neg", "sum", "sum.dim_IntList", "mean", "mean.dim",
     "block_diag", "cat", "stack", "clone", "_to_copy", "copy_", "flip", "roll", "repeat",
     "index_select", "tril", "triu", "cumsum", "trace", "positive", "index.Tensor", "take",
     "gather", "real", "imag",
     "embedding", "embedding_dense_backward", "pixel_shuffle", "pixel_unshuffle",
     "nll_loss_forward", "nll_loss2d_forward", "as_strided_scatter", "select_scatter",
     "slice_scatter")
)  # fmt: skip

#: Of backward ops, those whose result has a tangent of zeros where the gradient they are given has
#: none: torch's formulas of the others ask for the gradient's tangent alone.
WITH_ZEROS = frozenset(
    ("adaptive_max_pool2d_backward", "adaptive_max_pool3d_backward",
     "fractional_max_pool2d_backward", "fractional_max_pool3d_backward",
     "max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward",
     "smooth_l1_loss_backward", "threshold_backward")
)  # fmt: skip

#: Ops whose results torch leaves without tangents.
WITHOUT_TANGENT = frozenset(("detach", "alias_no_grad", "view.dtype"))

#: Ops of which only the first result has a tangent.
FIRST_ONLY = frozenset(
    ("native_batch_norm", "native_layer_norm", "nll_loss_forward", "nll_loss2d_forward")
)

#: Ops that torch has a gradient of, but no tangent.
_NOT_YET = frozenset(
    (
        "segment_reduce",
        "_ctc_loss",
        "_embedding_bag",
        "_embedding_bag_forward_only",
        "_pack_padded_sequence",
        "_pdist_forward",
        "_weight_norm_interface",
        "cholesky",
        "geqrf",
        "_cdist_backward",
        "_cdist_forward",
        "_euclidean_dist",
        "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
        "_pin_memory",
        "_standard_gamma",
        "_standard_gamma_grad",
        "_unique",
        "_unique2",
        "fake_quantize_per_channel_affine_cachemask",
        "fake_quantize_per_tensor_affine_cachemask",
        "grid_sampler_2d",
        "grid_sampler_3d",
        "igamma",
        "igammac",
        "index_reduce",
        "huber_loss_backward",
        "multi_margin_loss",
        "multilabel_margin_loss_forward",
        "soft_margin_loss_backward",
        "special_zeta",
        "special_zeta.other_scalar",
        "special_zeta.self_scalar",
        "unique_consecutive",
        "unique_dim",
    )
)
#: Ops that torch has neither of.
_REFUSED = frozenset(
    ("nonzero_static", "_segment_reduce_backward", "_dirichlet_grad", "_histogramdd_bin_edges",
     "_histogramdd_from_bin_cts",
     "_histogramdd_from_bin_tensors", "_linalg_eigvals",
     "_sample_dirichlet", "addmm.dtype", "baddbmm.dtype", "bernoulli.p", "bincount", "binomial",
     "bitwise_and.Scalar",
     "bitwise_and.Scalar_Tensor", "bitwise_and.Tensor", "bitwise_left_shift.Scalar_Tensor",
     "bitwise_left_shift.Tensor", "bitwise_left_shift.Tensor_Scalar", "bitwise_not",
     "bitwise_or.Scalar", "bitwise_or.Scalar_Tensor", "bitwise_or.Tensor",
     "bitwise_right_shift.Scalar_Tensor", "bitwise_right_shift.Tensor",
     "bitwise_right_shift.Tensor_Scalar", "bitwise_xor.Scalar", "bitwise_xor.Scalar_Tensor",
     "bitwise_xor.Tensor", "bmm.dtype", "copy", "detach_copy", "floor_divide",
     "floor_divide.Scalar", "hardsigmoid_backward", "heaviside", "histogram.bin_ct",
     "histogram.bins_tensor", "linalg_ldl_factor_ex", "linalg_ldl_solve", "logit_backward",
     "mish_backward", "mm.dtype", "multi_margin_loss_backward",
     "multilabel_margin_loss_backward", "native_group_norm_backward", "normal_functional",
     "remainder.Scalar_Tensor", "scatter.reduce", "scatter.value_reduce", "silu_backward")
)  # fmt: skip
UNSUPPORTED = _NOT_YET | _REFUSED


def _logcumsumexp(c: Any) -> Any:
    """Of real numbers by their distance to the largest, and never divided by nothing."""
    x, tangent = c.self, c.tangents["self"]
    if x.is_complex() or not x.dim():
        weights = ops.exp(x)
        return ops.cumsum(weights * tangent, c.dim) / ops.cumsum(weights, c.dim)
    weights = ops.exp(x - ops.max(x, c.dim, True)[0])
    return ops.cumsum(weights * tangent, c.dim) / (ops.cumsum(weights, c.dim) + 1e-13)


def _logsumexp(c: Any) -> Any:
    """The mean of the tangents by weight, of no element at all NaN."""
    x = c.self
    top = ops.real(x) if x.is_complex() else x
    weights = ops.exp(x - ops.amax(top, c.dim, True) if x.numel() else x)
    total = ops.sum(weights, c.dim, c.keepdim)
    return ops.sum(weights * c.tangents["self"], c.dim, c.keepdim) / total


def _product(name: str) -> Callable[[Any], Any]:
    """Of a product in another dtype the tangent stays in that of the factors, unless it drops."""

    def rule(c: Any) -> Any:
        g = ROWS[name].grad["self"](ops.ones_like(c.result), c)
        each = g * conj(c.tangents["self"])
        along = () if name == "prod" else (c.dim, c.keepdim)
        found = ops.sum(each, *along).conj()
        real = found.is_complex() and not c.result.is_complex()
        return ops.real(found).to(c.result.dtype) if real else found

    return rule


def _binary_cross_entropy(c: Any) -> Any:
    """The gradient formulas at the tangents, of each element; then what the reduction makes."""
    each = SimpleNamespace(self=c.self, target=c.target, weight=c.weight, reduction=NONE)
    parts = [
        formula(c.tangents[name], each)
        for name, formula in (ROWS["binary_cross_entropy"].grad or {}).items()
        if c.tangents[name] is not None
    ]
    return reduce(parts[0] if len(parts) == 1 else parts[0] + parts[1], c.reduction)


def _pair_loss(slope: str) -> Callable[[Any], Any]:
    """The slope of each element times its tangent, for both sides; then what the reduction makes.

    torch's formula takes zeros for a tangent that is not there, and its slopes broadcast.
    """

    def rule(c: Any) -> Any:
        rest = () if slope.startswith("mse") else (c.args[3],)
        one, two = (
            ops.zeros_like(value) if tangent is None else tangent
            for tangent, value in (
                (c.tangents["self"], c.self),
                (c.tangents["target"], c.target),
            )
        )
        backward = getattr(ops, slope)
        own = backward(one, c.self, c.target, NONE, *rest)
        other = backward(two, c.target, c.self, NONE, *rest)
        return reduce(own + other, c.reduction)

    return rule


def _no_numbers(name: str) -> Callable[[Any], Any]:
    """Zeros of the shape of the argument *name*, where that has a tangent: what was drawn."""

    def rule(c: Any) -> Any:
        return None if c.tangents[name] is None else ops.zeros_like(c.tangents[name])

    return rule


def _of_equals(c: Any) -> Any:
    """The mean of the tangents of all elements that are the one chosen."""
    mask = ops.eq(c.self, c.result)
    return ops.sum(mask * (c.tangents["self"] / mask.sum()))


def _of_larger(chosen: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The tangent of ``self`` where *chosen* gives 1, that of ``other`` where it gives 0."""

    def rule(c: Any) -> Any:
        one, two = (
            ops.zeros_like(value) if tangent is None else tangent
            for tangent, value in ((c.tangents["self"], c.self), (c.tangents["other"], c.other))
        )
        return two + chosen(c.self, c.other).to(c.result.dtype) * (one - two)

    return rule


def _clamp(c: Any) -> Any:
    """Of the limit that was taken; where they cross it is the upper one.

    Source: torch csrc/autograd/FunctionsManual.cpp, clamp_jvp.
    """
    x, low, high = c.self, c.min, c.max
    own, to_low, to_high = (
        ops.zeros_like(value) if tangent is None and value is not None else tangent
        for tangent, value in (
            (c.tangents.get("self"), x), (c.tangents.get("min"), low), (c.tangents.get("max"), high)
        )
    )  # fmt: skip
    if high is None:
        return ops.where(x > low, own, to_low)
    if low is None:
        return ops.where(x < high, own, to_high)
    inside = ops.where(x > high, to_high, own)
    return ops.where(low > high, to_high, ops.where(x < low, to_low, inside))


def _halved(larger: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """1 or 0 by *larger*, and a half where both are equal."""
    return lambda x, y: ops.where(ops.eq(x, y), 0.5, larger(x, y).to(x.dtype))


def _unless_nan(larger: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: ops.logical_or(larger(x, y), ops.isnan(y))


#: Ops with a rule of their own: from a ``Context`` to the tangent of the result. It says what torch
#: says where their gradient is not defined: at NaN and where elements are equal.
#: Source: torch tools/autograd/derivatives.yaml.
OWN_RULES: dict[str, Callable[[Any], Any]] = {
    **OF_MATRICES,
    "binary_cross_entropy": _binary_cross_entropy,
    "clamp.Tensor": _clamp,
    "huber_loss": _pair_loss("huber_loss_backward"),
    "logcumsumexp": _logcumsumexp,
    "logsumexp": _logsumexp,
    "masked_scatter_backward": lambda c: ops.masked_scatter_backward(
        c.tangents["grad_output"], c.mask, c.grad_output.shape
    ),
    "max": _of_equals,
    "median": _of_equals,
    "min": _of_equals,
    "mse_loss": _pair_loss("mse_loss_backward"),
    "nanmedian": _of_equals,
    "normal.Tensor_Tensor": _no_numbers("mean"),
    "normal.Tensor_float": _no_numbers("mean"),
    "normal.float_Tensor": _no_numbers("std"),
    "prod": _product("prod"),
    "prod.dim_int": _product("prod.dim_int"),
    "smooth_l1_loss": _pair_loss("smooth_l1_loss_backward"),
    "maximum": _of_larger(_halved(lambda x, y: ops.gt(x, y))),
    "minimum": _of_larger(_halved(lambda x, y: ops.lt(x, y))),
    "fmax": _of_larger(_unless_nan(lambda x, y: ops.gt(x, y))),
    "fmin": _of_larger(_unless_nan(lambda x, y: ops.le(x, y))),
}


def _zero_at_zero(found: Any, context: Any) -> Any:
    """No change where nothing varies, whatever the transposed gradient says."""
    if isinstance(found, list):
        return [_zero_at_zero(found[0], context), *found[1:]]
    return None if found is None else found.masked_fill(ops.eq(context.results[0], 0), 0)


def _not_of_products(found: Any, context: Any) -> Any:
    """torch has no tangent of them."""
    return None if context.reduce == "prod" else found


#: Ops of which torch has another tangent than the transposed gradient.
CORRECTED: dict[str, Callable[[Any, Any], Any]] = {
    "scatter_reduce.two": _not_of_products,
    "std.correction": _zero_at_zero,
    "std_mean.correction": _zero_at_zero,
}


def no_support(base: str) -> NotImplementedError:
    """torch csrc/autograd/autograd_not_implemented_fallback.cpp."""
    return NotImplementedError(
        f"Trying to use forward AD with aten::{base} that does not support it."
    )


def unsupported(name: str) -> NotImplementedError:
    """The same, or what torch's generated kernels say."""
    base = name.partition(".")[0]
    if name in _REFUSED:
        return no_support(base)
    return _not_implemented_yet(
        base, " or submit a PR adding the implementation to derivatives.yaml"
    )


def _not_implemented_yet(base: str, more: str) -> NotImplementedError:
    return NotImplementedError(
        f"Trying to use forward AD with {base} that does not support it because it has not been "
        "implemented yet.\nPlease file an issue to PyTorch at "
        "https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can "
        f"prioritize its implementation{more}"
    )


def _cannot_resize() -> RuntimeError:
    """torch csrc/autograd/VariableTypeManual.cpp, resize_."""
    return RuntimeError("cannot resize variables that has a forward grad")


#: Ops that change which memory a tensor looks at, and what is said if it has a tangent.
OF_MEMORY: dict[str, Callable[[], Exception]] = {
    "resize_": _cannot_resize,
    "resize_as_": _cannot_resize,
    "set_": lambda: _not_implemented_yet("set_", "."),
}
