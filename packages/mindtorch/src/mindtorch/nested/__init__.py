"""``torch.nested``: tensors of samples that differ in length.

The jagged layout packs samples one after the other along their ragged dimension; the strided one
holds samples of any sizes.
"""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..tensor import Tensor
from ._internal import copies, functions, products, reductions, sdpa, strided_ops, views
from ._internal.nested_tensor import (
    jagged_from_list,
    jagged_from_tensor_and_lengths,
    nested_view_from_values_offsets,
    nested_view_from_values_offsets_lengths,
)
from ._internal.strided import strided_from_list

__all__ = [
    "as_nested_tensor",
    "masked_select",
    "narrow",
    "nested_tensor",
    "nested_tensor_from_jagged",
    "to_padded_tensor",
]


def nested_tensor(
    tensor_list: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Return a nested tensor of copies of the tensors in a list, a leaf.

    :param tensor_list: tensors, or what :func:`torch.tensor` makes tensors of, with the same number
        of dimensions; with ``layout=torch.jagged`` they may differ in one size.
    :param layout: ``torch.strided``, which None means, or ``torch.jagged``.

    Raises TypeError for what is no list, RuntimeError for tensors that do not belong together.
    """
    if layout is None or layout is torch.strided:
        if not isinstance(tensor_list, (list, tuple)):
            raise TypeError(
                "Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in nested_tensor"
            )
        made = strided_from_list([_detached(t) for t in tensor_list], dtype, device)
    elif layout is torch.jagged:
        tensors = [t if isinstance(t, Tensor) else torch.as_tensor(t) for t in tensor_list]
        with torch.no_grad():
            made, _ = jagged_from_list(tensors, None, device=device, dtype=dtype)
    else:
        raise RuntimeError(f"Specified layout is unsupported for nested tensors: {layout}")
    made.requires_grad_(requires_grad)
    return made.pin_memory() if pin_memory else made


def _detached(t: Any) -> Tensor:
    if isinstance(t, Tensor) and t.is_nested:
        raise RuntimeError("We do not accept nested tensors as input to nested tensors")
    return t.detach() if isinstance(t, Tensor) else torch.tensor(t)


def as_nested_tensor(
    ts: Tensor | list[Tensor] | tuple[Tensor, ...],
    dtype: Any = None,
    device: Any = None,
    layout: Any = None,
) -> Tensor:
    """Return a nested tensor of tensors through which these are differentiated.

    :param ts: a list of tensors, which are copied; or one tensor, whose rows are the samples.

    Raises TypeError for anything else, RuntimeError for a nested tensor of another layout.
    """
    listed = isinstance(ts, (list, tuple)) and all(isinstance(t, Tensor) for t in ts)
    if not isinstance(ts, Tensor) and not listed:
        raise TypeError(
            "as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of "
            "tensors "
        )
    if isinstance(ts, Tensor):
        if ts.dim() < 2:
            raise RuntimeError("as_nested_tensor(): Expected tensor argument to have dim() > 1")
        if ts.is_nested:
            if layout is ts.layout:
                return ts.to(device=device, dtype=dtype)
            raise RuntimeError(
                "as_nested_tensor(): Converting between nested tensor layouts is not supported"
            )
    if layout is None or layout is torch.strided:
        return strided_from_list(list(ts), dtype, device)
    if layout is not torch.jagged:
        raise RuntimeError(f"Specified layout is unsupported for nested tensors: {layout}")
    if not isinstance(ts, Tensor):
        return jagged_from_list(list(ts), None, device=device, dtype=dtype)[0]
    values = ts.contiguous().flatten(0, 1).to(device=device or ts.device, dtype=dtype)
    samples, length = ts.shape[:2]
    offsets = torch.arange(0, samples * length + 1, length, device=values.device, dtype=torch.int64)
    return nested_view_from_values_offsets(values, offsets, 1, length, length)


def to_padded_tensor(
    input: Any, padding: float, output_size: Any = None, out: Any = None
) -> Tensor:
    """Return the samples of a nested tensor as one tensor, filled up with *padding*.

    :param output_size: the shape of the result; by default as large as the largest sample.

    Raises NotImplementedError for a tensor that is not nested.
    """
    if not input.is_nested or out is not None:
        raise NotImplementedError(
            "Could not run 'aten::to_padded_tensor' with arguments from the 'CPU' backend."
        )
    return input.to_padded_tensor(padding, output_size)


def narrow(
    tensor: Tensor, dim: int, start: Any, length: Any, layout: Any = torch.strided
) -> Tensor:
    """Return a nested tensor of parts of the rows of *tensor*: from *start*, *length* elements.

    :param start: a number, or with ``layout=torch.jagged`` a tensor of one for each row.
    :param length: the same.

    Raises RuntimeError for a dimension that the layout does not take.
    """
    numbers = (int, torch.SymInt)
    for name, value in (("start", start), ("length", length)):
        if not isinstance(value, (*numbers, Tensor)):
            raise RuntimeError(f"{name} must be an integer or a tensor")
    if layout is torch.strided:
        if isinstance(start, Tensor) or isinstance(length, Tensor):
            raise RuntimeError("start and length must be integers for the strided layout NT impl")
        return as_nested_tensor(torch.unbind(tensor)).narrow(dim, start, length)
    if layout is not torch.jagged:
        raise RuntimeError(f"Specified layout is unsupported for nested narrow: {layout}")
    if dim != 1:
        raise RuntimeError("jagged layout only supports dim=1")
    start, length = [
        torch.tensor([n], device=tensor.device, dtype=torch.int64) if isinstance(n, numbers) else n
        for n in (start, length)
    ]
    return jagged_from_tensor_and_lengths(tensor, start, length)[0]


def nested_tensor_from_jagged(
    values: Tensor,
    offsets: Tensor | None = None,
    lengths: Tensor | None = None,
    jagged_dim: int | None = None,
    min_seqlen: int | None = None,
    max_seqlen: int | None = None,
) -> Tensor:
    """Return a nested tensor over the memory of *values*.

    :param values: samples one after the other, along dimension ``jagged_dim - 1``.
    :param offsets: where samples begin, and the end of the last.
    :param lengths: of the samples; with *offsets*, where samples end before the next begins.
    :param jagged_dim: the ragged dimension of the result, 1 by default.

    Raises RuntimeError if neither *offsets* nor *lengths* is given.
    """
    if offsets is None:
        if lengths is None:
            raise RuntimeError(
                "nested_tensor_from_jagged(): At least one of offsets or lengths is required."
            )
        offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        lengths = None
    if jagged_dim is None:
        jagged_dim = 1
    elif jagged_dim < 1:
        raise ValueError(f"Expected jagged_dim >=1, but got {jagged_dim}.")
    return nested_view_from_values_offsets_lengths(
        values, offsets, lengths, jagged_dim, min_seqlen, max_seqlen
    )


def masked_select(tensor: Tensor, mask: Tensor) -> Tensor:
    """Return what *mask* keeps of the rows of *tensor*, each row a sample of its own length."""
    if tensor.layout is not torch.strided:
        raise RuntimeError(
            f"torch.nested.masked_select requires a strided tensor, given {tensor.layout}"
        )
    if mask.layout is not torch.strided:
        raise RuntimeError(
            f"torch.nested.masked_select requires a strided mask, given: {mask.layout}"
        )
    lengths = mask.expand(tensor.shape).sum(dim=tensor.ndim - 1).view(-1)
    offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
    return nested_view_from_values_offsets(tensor.masked_select(mask), offsets)


def __dir__() -> list[str]:
    return sorted(__all__)
