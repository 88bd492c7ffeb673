"""Fused operators of the hardware, of torch's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch._ops import ops
from mindtorch.aten import torch
from mindtorch.nn import functional as F

__all__ = [
    "fast_gelu",
    "npu_add_rms_norm",
    "npu_bmmV2",
    "npu_broadcast",
    "npu_confusion_transpose",
    "npu_fast_gelu",
    "npu_gelu",
    "npu_linear",
    "npu_max",
    "npu_min",
    "npu_mish",
    "npu_reshape",
    "npu_rms_norm",
    "npu_rotary_mul",
    "npu_scaled_masked_softmax",
    "npu_silu",
    "npu_silu_",
    "npu_swiglu",
    "npu_transpose",
    "one_",
]


# -- normalisation and attention -------------------------------------------------------------------


def npu_rms_norm(self: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[Any, Any]:
    """``x / rms(x) * gamma`` over the dimensions of *gamma*, the last of ``self``; and 1 / rms(x).

    ``rms(x)`` is the root of the mean of squares plus *epsilon*; its reciprocal is float32.
    """
    found: tuple[Any, Any] = ops.aten._fused_rms_norm(self, list(gamma.shape), gamma, epsilon)
    return found


def npu_add_rms_norm(x1: Any, x2: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[Any, Any, Any]:
    """:func:`npu_rms_norm` of ``x1 + x2``, and the sum."""
    x = x1 + x2
    return (*npu_rms_norm(x, gamma, epsilon), x)


def npu_rotary_mul(input: Any, r1: Any, r2: Any, rotary_mode: str = "half") -> Any:
    """``r1 * input + r2 * turned``: a rotary embedding of queries or keys.

    :param rotary_mode: ``"half"``: the last dimension's halves are turned against each other;
        ``"interleave"``: each pair of neighbours.
    """
    if rotary_mode == "half":
        first, second = input.chunk(2, -1)
        turned = torch.cat((-second, first), -1)
    elif rotary_mode == "interleave":
        turned = torch.stack((-input[..., 1::2], input[..., ::2]), -1).flatten(-2)
    else:
        raise RuntimeError(f"rotary_mode must be half or interleave, but got {rotary_mode}")
    return r1 * input + r2 * turned


def npu_scaled_masked_softmax(
    x: Any, mask: Any, scale: Any = 1.0, fixed_triu_mask: bool = False
) -> Any:
    """The softmax of ``x * scale`` over the last dimension, where *mask* is True of -10000.

    :param fixed_triu_mask: what lies above the diagonal is masked, whatever *mask* says.
    """
    if fixed_triu_mask:
        mask = torch.ones(x.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax((x * scale).masked_fill(mask, -10000.0), -1)


# -- activations -----------------------------------------------------------------------------------


def npu_swiglu(self: Any, dim: int = -1) -> Any:
    """``silu(a) * b`` of the two halves of a dimension."""
    a, b = self.chunk(2, dim)
    return F.silu(a) * b


def fast_gelu(self: Any) -> Any:
    """``x * sigmoid(1.702 x)``, which is close to gelu."""
    return self * torch.sigmoid(self * 1.702)


npu_fast_gelu = fast_gelu


def npu_gelu(self: Any, *, approximate: str = "none") -> Any:
    """``torch.nn.functional.gelu``."""
    return F.gelu(self, approximate=approximate)


def npu_silu(self: Any) -> Any:
    """``torch.nn.functional.silu``."""
    return F.silu(self)


def npu_silu_(self: Any) -> Any:
    """``torch.nn.functional.silu`` in place."""
    return F.silu(self, inplace=True)


def npu_mish(self: Any) -> Any:
    """``torch.nn.functional.mish``."""
    return F.mish(self)


# -- products, shapes ------------------------------------------------------------------------------


def npu_linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """``torch.nn.functional.linear``."""
    return F.linear(input, weight, bias)


def npu_bmmV2(self: Any, mat2: Any, output_sizes: Sequence[int]) -> Any:
    """The products of two batches of matrices, of *output_sizes* unless that is empty."""
    product = torch.matmul(self, mat2)
    return product.view(output_sizes) if len(output_sizes) else product


def npu_transpose(self: Any, perm: Sequence[int], require_contiguous: bool = True) -> Any:
    """The dimensions in another order; contiguous unless that is not required."""
    moved = self.permute(perm)
    return moved.contiguous() if require_contiguous else moved


def npu_confusion_transpose(
    self: Any, perm: Sequence[int], shape: Sequence[int], transpose_first: bool
) -> Any:
    """A permutation and a change of shape, in this order or (False) the other; contiguous."""
    if transpose_first:
        return self.permute(perm).reshape(shape)
    return self.reshape(shape).permute(perm).contiguous()


def npu_broadcast(self: Any, size: Sequence[int]) -> Any:
    """The numbers broadcast to *size*, in memory of their own."""
    return self.expand(size).clone()


def npu_reshape(self: Any, shape: Sequence[int], can_refresh: bool = False) -> Any:
    """``torch.reshape``."""
    return self.reshape(shape)


def npu_max(self: Any, dim: int, keepdim: bool = False) -> Any:
    """``torch.max`` along a dimension."""
    return torch.max(self, dim, keepdim)


def npu_min(self: Any, dim: int, keepdim: bool = False) -> Any:
    """``torch.min`` along a dimension."""
    return torch.min(self, dim, keepdim)


def one_(self: Any) -> Any:
    """Fill the tensor with ones."""
    return self.fill_(1)
