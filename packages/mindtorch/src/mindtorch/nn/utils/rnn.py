"""Sequences of several lengths for recurrent layers: packed together, or padded to one length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mindtorch_storage.device import CUDA

from ... import _C
from ...aten import torch
from ...aten.torch import Tensor

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class PackedSequence_(NamedTuple):
    """The four fields of a packed sequence."""

    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


def bind(optional: Any, fn: Any) -> Any:
    """``fn(optional)``, and None for None."""
    return None if optional is None else fn(optional)


class PackedSequence(PackedSequence_):
    """The elements of several sequences, step by step, and how many sequences each step has.

    Made by :func:`pack_padded_sequence` and :func:`pack_sequence`.
    """

    def __new__(
        cls,
        data: Any,
        batch_sizes: Any = None,
        sorted_indices: Any = None,
        unsorted_indices: Any = None,
    ) -> PackedSequence:
        fields = _packed_fields(data, batch_sizes, sorted_indices, unsorted_indices)
        return super().__new__(cls, *fields)

    def pin_memory(self) -> PackedSequence:
        """The same in memory that does not move."""
        orders = (
            bind(t, lambda t: t.pin_memory()) for t in (self.sorted_indices, self.unsorted_indices)
        )
        return type(self)(self.data.pin_memory(), self.batch_sizes, *orders)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same with ``data.to(*args)``; itself where that changes nothing.

        The sizes stay on the host; of indices only the device changes.
        """
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        kept = {k: v for k, v in kwargs.items() if k not in ("device", "dtype")}

        def move(t: Any) -> Any:
            return t.to(data.device, **kept)

        return type(self)(
            data,
            self.batch_sizes,
            bind(self.sorted_indices, move),
            bind(self.unsorted_indices, move),
        )

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same on a CUDA device."""
        target = torch.tensor((), dtype=self.data.dtype, device=self.data.device)
        if target.to(*args, **kwargs).is_cuda:
            return self.to(*args, **kwargs)
        kwargs["device"] = CUDA
        return self.to(*args, **kwargs)

    def cpu(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same on the host."""
        target = torch.tensor((), dtype=self.data.dtype, device=self.data.device)
        if target.to(*args, **kwargs).device.type == "cpu":
            return self.to(*args, **kwargs)
        kwargs["device"] = "cpu"
        return self.to(*args, **kwargs)

    def double(self) -> PackedSequence:
        """The same in float64."""
        return self.to(dtype=torch.double)

    def float(self) -> PackedSequence:
        """The same in float32."""
        return self.to(dtype=torch.float)

    def half(self) -> PackedSequence:
        """The same in float16."""
        return self.to(dtype=torch.half)

    def long(self) -> PackedSequence:
        """The same in int64."""
        return self.to(dtype=torch.long)

    def int(self) -> PackedSequence:
        """The same in int32."""
        return self.to(dtype=torch.int)

    def short(self) -> PackedSequence:
        """The same in int16."""
        return self.to(dtype=torch.short)

    def char(self) -> PackedSequence:
        """The same in int8."""
        return self.to(dtype=torch.int8)

    def byte(self) -> PackedSequence:
        """The same in uint8."""
        return self.to(dtype=torch.uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a CUDA device."""
        return bool(self.data.is_cuda)

    def is_pinned(self) -> bool:
        """Whether the data is in memory that does not move."""
        return bool(self.data.is_pinned())


def _packed_fields(
    data: Any, batch_sizes: Any, sorted_indices: Any, unsorted_indices: Any
) -> tuple[Any, Any, Any, Any]:
    """The fields, of which one way back follows from the other."""
    back = invert_permutation(sorted_indices) if unsorted_indices is None else unsorted_indices
    if batch_sizes is None:  # both come as a pair
        if not (isinstance(data, (list, tuple)) and len(data) == 2):
            raise AssertionError("Expected data to be a list or tuple of length 2")
        return *data, sorted_indices, back
    if batch_sizes.device.type != "cpu":
        raise ValueError(
            "batch_sizes should always be on CPU. "
            "Instances of PackedSequence should never be created manually. "
            "They should be instantiated by functions like pack_sequence "
            "and pack_padded_sequences in nn.utils.rnn. "
            "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence"
        )
    return data, batch_sizes, sorted_indices, back


def invert_permutation(permutation: Any) -> Any:
    """The permutation that undoes *permutation*; None for None."""
    if permutation is None:
        return None
    output = torch.empty_like(permutation, memory_format=torch.contiguous_format)
    output.scatter_(0, permutation, torch.arange(0, permutation.numel(), device=permutation.device))
    return output


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack a padded batch of sequences, of which *lengths* says how long each is.

    :param enforce_sorted: take the sequences as sorted, longest first; else they are sorted here.
    """
    if not isinstance(lengths, Tensor):
        lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    else:
        lengths = lengths.to(dtype=torch.int64)
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = torch._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, None)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Any, Any]:
    """The padded batch that was packed, and the lengths of the sequences.

    :param total_length: the length to pad to, at least that of the longest sequence.
    """
    longest = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in "
                f"input, but got total_length={total_length} and max sequence length being "
                f"{longest}"
            )
        longest = total_length
    padded, lengths = torch._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, longest
    )
    unsorted = sequence.unsorted_indices
    if unsorted is not None:
        return padded.index_select(0 if batch_first else 1, unsorted), lengths[unsorted.cpu()]
    return padded, lengths


def pad_sequence(
    sequences: Any,
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Any:
    """Stack sequences of several lengths, filled up with *padding_value* to the longest."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    listed = sequences.unbind(0) if isinstance(sequences, Tensor) else tuple(sequences)
    return _C._nn.pad_sequence(listed, batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """The sequences of a padded batch, each of its own length.

    A batch that is not *batch_first* is so afterwards: it is transposed in place, as torch does.
    """
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    longest = padded_sequences.shape[1]
    steps = torch.arange(longest, device=lengths.device)
    return [
        sequence[steps < length] for sequence, length in zip(padded_sequences, lengths, strict=True)
    ]


def pack_sequence(sequences: list[Any], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences of several lengths."""
    lengths = torch.as_tensor([v.size(0) for v in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """The sequences that were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
