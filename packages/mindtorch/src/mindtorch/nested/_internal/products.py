"""Products of matrices, and layers made of them."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...nn import functional as F
from .nested_int import as_number
from .nested_tensor import NestedTensor, nested_from_padded
from .ops import alike, handles, raggedness_matches
from .recording import values_of

__all__: list[str] = []


@handles("linear", contiguous="input: jt, weight: t, bias: t?")
def linear_default(func: Any, input: Any, weight: Any, bias: Any = None) -> Any:
    """A linear map of each row."""
    return alike(input, F.linear(values_of(input), weight, bias))


def _by_padding(nt: Any, run: Any) -> Any:
    """``run(padded)`` over samples padded with zeros; a nested tensor of the samples again."""
    longest = nt._maybe_max_seqlen
    length = nt._values.shape[nt._ragged_idx - 1] if longest is None else longest
    r = nt._ragged_idx
    size = (*nt._size[:r], length, *nt._size[r + 1 :])
    result = run(nt.to_padded_tensor(0.0, output_size=size))
    return nested_from_padded(result, nt._offsets, r, nt._maybe_min_seqlen, longest)


@handles("matmul")
def matmul_default(func: Any, self: Any, other: Any) -> Any:
    """Products of nested tensors with tensors and with each other."""
    a, b = self, other
    n, m = a.dim(), b.dim()
    if isinstance(a, NestedTensor) and not isinstance(b, NestedTensor):
        if a._ragged_idx < n - 1:
            if n >= 3 and n == m:
                return _by_padding(a, lambda padded: torch.matmul(padded, b))
            if m == 2 and n > m:
                return alike(a, torch.matmul(values_of(a), b))
    elif isinstance(b, NestedTensor) and not isinstance(a, NestedTensor):
        if b._ragged_idx >= 2:
            if m >= 3 and n == m:
                return _by_padding(b, lambda padded: torch.matmul(a, padded))
            if n == 2 and m > n:
                return alike(b, torch.matmul(a, values_of(b)))
    elif n > 3 and m > 3 and raggedness_matches(a, [as_number(s) for s in b._size]):
        return alike(a, torch.matmul(values_of(a), values_of(b)))
    elif n == m == 3 and a._ragged_idx == 2 and b._ragged_idx == 1 and a._size[2] == b._size[1]:
        pairs = zip(a.unbind(), b.unbind(), strict=True)
        return torch.stack([torch.matmul(x, y) for x, y in pairs])
    sizes = [tuple(t._size) if isinstance(t, NestedTensor) else t.shape for t in (a, b)]
    shown = torch.Size(sizes[1])
    raise RuntimeError(f"matmul(): not supported between inputs of shapes {sizes[0]} and {shown}")


@handles("bmm")
def bmm_default(func: Any, self: Any, mat2: Any) -> Any:
    """Products of the samples with matrices, one each."""
    if self.dim() != 3:
        raise ValueError("bmm(): input must be 3D")
    if mat2.dim() != 3:
        raise ValueError("bmm(): mat2 must be 3D")
    return matmul_default(func, self, mat2)


@handles("convolution", contiguous="input: jt, weight: t, bias: t?, stride: any, padding: any, "
         "dilation: any, transposed: any, output_padding: any, groups: any")  # fmt: skip
def convolution_default(func: Any, input: Any, *args: Any) -> Any:
    """A convolution of each row."""
    return alike(input, func(values_of(input), *args))


@handles(
    "embedding",
    contiguous="weight: t, indices: jt, padding_idx: any?, scale_grad_by_freq: any?, sparse: any?",
)
def embedding_default(func: Any, weight: Any, indices: Any, *args: Any, **kwargs: Any) -> Any:
    """The vectors of the indices."""
    return alike(indices, func(weight, values_of(indices), *args, **kwargs))


@handles("layer_norm", "native_layer_norm")
def native_layer_norm_default(
    func: Any, input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None,
    eps: float = 1e-5, *rest: Any, **kwargs: Any,
) -> Any:  # fmt: skip
    """Each row normalized; or each sample, where *normalized_shape* has the ragged size."""
    n = input.dim()
    if n <= 2:
        raise RuntimeError(
            "layer_norm(): not supported for NestedTensor objects with 2 or fewer dimensions"
        )
    if n == len(normalized_shape):
        raise RuntimeError(
            "layer_norm(): not supported when normalizing over the batch dimension for NestedTensor"
        )
    if as_number(input._size[input._ragged_idx]) not in normalized_shape:
        result = func(values_of(input), normalized_shape, weight, bias, eps)
        if isinstance(result, tuple):
            return (alike(input, result[0]), *result[1:])
        return alike(input, result)
    if input._lengths is not None:
        raise RuntimeError(
            "layer_norm(): not supported where lengths is not None if operating on the ragged "
            "dimension for NestedTensor"
        )
    return _over_samples(input, eps)


def _over_samples(nt: Any, eps: float) -> Any:
    """Each sample without its mean, over its deviation."""
    parts = []
    for sample in nt.unbind():
        off = sample - sample.mean()
        parts.append(off / torch.sqrt(off.square().mean() + eps))
    return alike(nt, torch.cat(parts, nt._ragged_idx - 1))


@handles("rms_norm")
def rms_norm(
    func: Any, input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None
) -> Any:
    """Each row over the root of the mean of its squares."""
    if len(normalized_shape) > input.dim() - input._ragged_idx - 1:
        raise ValueError(
            "rms_norm(): Normalization over the ragged dim not supported for nested tensors"
        )
    return alike(input, func(values_of(input), normalized_shape, weight, eps))
