"""Sequences of several lengths: packed without gaps, and padded to one length.

Source: torch aten/src/ATen/native/PackedSequence.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import op
from ..core.dims import scalar_name
from ..core.operators import of, ops

__all__: list[str] = []


def _sizes_of(lengths: Any, batch: int) -> list[int]:
    """The lengths as numbers, checked: positive and never growing."""
    if lengths.dim() != 1 or lengths.device.type != "cpu" or lengths.dtype.name != "int64":
        raise RuntimeError(
            "'lengths' argument should be a 1D CPU int64 tensor, but got "
            f"{lengths.dim()}D {lengths.device} {scalar_name(lengths.dtype)} tensor"
        )
    found: list[int] = lengths.tolist()
    if len(found) != batch:
        raise RuntimeError(
            "Expected `len(lengths)` to be equal to batch_size, but got "
            f"{len(found)} (batch_size={batch})"
        )
    if found[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if any(a < b for a, b in zip(found, found[1:], strict=False)):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
            "can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )
    return found


def _runs(sizes: list[int]) -> list[tuple[int, int, int]]:
    """Steps with one number of sequences: from, to, number."""
    found = []
    start = 0
    for t in range(1, len(sizes) + 1):
        if t == len(sizes) or sizes[t] != sizes[start]:
            found.append((start, t, sizes[start]))
            start = t
    return found


def _places(sizes: Any, steps: int, batch: int, batch_first: bool, device: Any) -> Any:
    """Where packed elements are among padded ones: at each step the first so many of the batch."""
    at, which = (np.arange(batch) < np.asarray(sizes)[:, None]).nonzero()
    places = which * steps + at if batch_first else at * batch + which
    return ops.tensor(places, dtype=ops.int64, device=device)


def _pack(input: Any, lengths: Any, batch_first: bool) -> tuple[Any, Any]:
    shape = tuple(input.shape)
    batch, steps = shape[:2] if batch_first else shape[1::-1]
    if not input.numel():
        raise RuntimeError("Cannot pack empty tensors.")
    found = np.asarray(_sizes_of(lengths, batch))
    sizes = (found > np.arange(found[0])[:, None]).sum(1)
    if input.dtype.np.names:  # torch copies each run by itself, which not all bytes allow
        x = input.transpose(0, 1) if batch_first else input
        for start, stop, count in _runs(sizes.tolist()):
            x[start:stop, :count].contiguous()
    # As in torch, of a sequence that is longer than all steps there is no more than these.
    places = _places(sizes[:steps], steps, batch, batch_first, input.device)
    data = ops.index_select(input.reshape((-1, *shape[2:])), 0, places)
    return data, ops.tensor(sizes, dtype=ops.int64)


def _pack_backward(grad: Any, input_size: Any, batch_sizes: Any, batch_first: bool) -> Any:
    size = list(input_size)
    if batch_first:
        size[0], size[1] = size[1], size[0]
    sizes = batch_sizes.tolist()
    rows = []
    offset = 0
    for start, stop, count in _runs(sizes):
        part = grad.narrow(0, offset, (stop - start) * count)
        part = part.view((stop - start, count, *size[2:]))
        missing = size[1] - count
        if missing:
            empty = part.new_zeros((stop - start, missing, *size[2:]))
            part = ops.cat([part, empty], 1)
        rows.append(part)
        offset += (stop - start) * count
    if size[0] > len(sizes):
        rows.append(grad.new_zeros((size[0] - len(sizes), *size[1:])))
    found = ops.cat(rows, 0)
    return found.transpose(0, 1) if batch_first else found


op(
    "_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)",
    composite=_pack,
    kinds={"functional": "explicit", "out": "explicit"},
    variants="function",
    out=OutForm(function=False),
    grad={
        "input": lambda g, c: ops._pack_padded_sequence_backward(
            g[0], list(c.input.shape), c.result1, c.batch_first
        )
    },
    samples="_pack_padded_sequence",
    tangent="not implemented",
    tags=("real_only", "loops: functional"),
)
op(
    "_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, "
    "bool batch_first) -> Tensor",
    composite=_pack_backward,
    variants="",
)


def _part(x: Any, dim: int, start: int, stop: int) -> Any:
    return of("slice.Tensor")(x, dim, start, stop, 1)


def _pad_packed(
    data: Any, batch_sizes: Any, batch_first: bool, padding_value: Any, total_length: int
) -> tuple[Any, Any]:
    sizes: list[int] = batch_sizes.tolist()
    longest = len(sizes)
    if total_length > 0:
        if total_length < longest:
            raise RuntimeError(
                "Expected total_length to be at least the length of the longest sequence in input, "
                f"but got total_length={total_length} and max sequence length being {longest}"
            )
        steps = total_length
    else:
        steps = longest
    batch, rest = sizes[0], tuple(data.shape[1:])
    out = ops.full((steps, batch, *rest), padding_value, dtype=data.dtype, device=data.device)
    offset = 0
    for start, stop, count in _runs(sizes):
        part = _part(data, 0, offset, offset + (stop - start) * count)
        part = part.view((stop - start, count, *rest))
        _part(_part(out, 0, start, stop), 1, 0, count).copy_(part)
        offset += (stop - start) * count
    counts = np.asarray(sizes)
    lengths = (counts[:, None] > np.arange(batch)).sum(0)
    found = out.transpose(0, 1) if batch_first else out
    return found, ops.tensor(lengths, dtype=ops.int64)


op(
    "_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, "
    "int total_length) -> (Tensor, Tensor)",
    composite=_pad_packed,
    variants="function",
    samples="_pad_packed_sequence",
)


def _pad_sequence(
    sequences: Any, batch_first: bool, padding_value: float, padding_side: str
) -> Any:
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    first = sequences[0]
    if not first.dim():
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    longest = max(s.size(0) for s in sequences)
    count, rest = len(sequences), tuple(first.shape[1:])
    shape = (count, longest, *rest) if batch_first else (longest, count, *rest)
    out = ops.full(shape, padding_value, dtype=first.dtype, device=first.device)
    for i, sequence in enumerate(sequences):
        length = sequence.size(0)
        start = longest - length if padding_side == "left" else 0
        if batch_first:
            _part(out.select(0, i), 0, start, start + length).copy_(sequence)
        else:
            _part(out, 0, start, start + length).select(1, i).copy_(sequence)
    return out


op(
    "pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., "
    'str padding_side="right") -> Tensor',
    says="""Stack sequences of different lengths, padded to the longest.

    >>> torch.nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(1)], batch_first=True)
    tensor([[1., 1.],
            [1., 0.]])
    """,
    composite=_pad_sequence,
    module="nn",
    variants="function",
    samples="pad_sequence",
)
