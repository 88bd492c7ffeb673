"""Which ops are linear, which have no tangent, which torch does not offer in forward mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.call import ops

#: Ops whose tangent is the op of the tangents, whatever the values are.
LINEAR = frozenset(
    ("add.Tensor", "sub.Tensor", "neg", "sum", "sum.dim_IntList", "mean", "mean.dim", "cat",
     "stack", "clone", "_to_copy", "copy_", "flip", "roll", "repeat", "index_select", "tril",
     "triu", "cumsum", "trace", "positive", "index.Tensor", "take", "gather", "real", "imag",
     "embedding", "embedding_dense_backward", "pixel_shuffle", "pixel_unshuffle",
     "nll_loss_forward", "nll_loss2d_forward")
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
        "_standard_gamma",
        "_standard_gamma_grad",
        "_unique",
        "_unique2",
        "huber_loss_backward",
        "multi_margin_loss",
        "multilabel_margin_loss_forward",
        "soft_margin_loss_backward",
        "unique_consecutive",
        "unique_dim",
    )
)
#: Ops that torch has neither of.
_REFUSED = frozenset(
    ("_sample_dirichlet", "addmm.dtype", "baddbmm.dtype", "bernoulli.p", "bincount", "binomial",
     "bitwise_and.Scalar",
     "bitwise_and.Scalar_Tensor", "bitwise_and.Tensor", "bitwise_left_shift.Scalar_Tensor",
     "bitwise_left_shift.Tensor", "bitwise_left_shift.Tensor_Scalar", "bitwise_not",
     "bitwise_or.Scalar", "bitwise_or.Scalar_Tensor", "bitwise_or.Tensor",
     "bitwise_right_shift.Scalar_Tensor", "bitwise_right_shift.Tensor",
     "bitwise_right_shift.Tensor_Scalar", "bitwise_xor.Scalar", "bitwise_xor.Scalar_Tensor",
     "bitwise_xor.Tensor", "bmm.dtype", "copy", "detach_copy", "floor_divide",
     "floor_divide.Scalar", "hardsigmoid_backward", "heaviside", "logit_backward",
     "mish_backward", "mm.dtype", "multi_margin_loss_backward",
     "multilabel_margin_loss_backward", "native_group_norm_backward", "normal_functional",
     "remainder.Scalar_Tensor", "scatter.reduce", "scatter.value_reduce", "silu_backward")
)  # fmt: skip
UNSUPPORTED = _NOT_YET | _REFUSED


def _logcumsumexp(c: Any) -> Any:
    """Its gradient formula takes logarithms of the gradient, so it cannot be transposed at zero."""
    tangent, x = c.tangents["self"], c.self

    def part(t: Any) -> Any:
        return ops.exp(ops.logcumsumexp(ops.log(t) + x, c.dim) - c.result)

    if x.is_complex():
        return part(tangent)
    return part(ops.clamp_min(tangent, 0)) - part(ops.clamp_min(-tangent, 0))


#: Ops with a rule of their own: from a ``Context`` to the tangent of the result.
OWN_RULES: dict[str, Callable[[Any], Any]] = {"logcumsumexp": _logcumsumexp}


def unsupported(name: str) -> NotImplementedError:
    """torch csrc/autograd/autograd_not_implemented_fallback.cpp, and its generated kernels."""
    base = name.partition(".")[0]
    if name in _REFUSED:
        return NotImplementedError(
            f"Trying to use forward AD with aten::{base} that does not support it."
        )
    return NotImplementedError(
        f"Trying to use forward AD with {base} that does not support it because it has not been "
        "implemented yet.\nPlease file an issue to PyTorch at "
        "https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can "
        "prioritize its implementation or submit a PR adding the implementation to "
        "derivatives.yaml"
    )
