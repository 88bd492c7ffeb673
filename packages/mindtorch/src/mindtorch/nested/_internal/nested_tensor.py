"""``NestedTensor``: samples that differ in length along one dimension, packed one after the other.

Note [Nested tensors]
~~~~~~~~~~~~~~~~~~~~~
A nested tensor of shape ``(B, j1, D)`` holds *values* of shape ``(sum of lengths, D)`` and
*offsets*, where samples begin. It takes calls whole (``functionality.whole_calls``): the handlers
of ``ops`` work on the values and make a nested tensor of the result. Autograd is in between: the
values that a handler works on come from the nested tensor by :class:`NestedGetValues`, and the
result comes from new values by :class:`NestedViewFromJagged`, so what is recorded are these two and
the ops on plain tensors.

To code that reads sizes as numbers the ragged size looks like the number of packed rows. Programs
see a nested int (``nested_int``).
"""

from __future__ import annotations

from itertools import count
from math import prod
from threading import Lock
from typing import Any

from ..._utils import _get_obj_state, _rebuild_from_type_v2
from ...aten import torch
from ...aten.symbolic_numbers import SymInt
from ...autograd.function import Function
from ...core.override_state import DisableTorchFunctionSubclass
from ...tensor import Tensor
from ...utils.weak import WeakTensorKeyDictionary
from .nested_int import NestedIntNode
from .recording import NestedGetValues, values_of, wrapped_values

__all__ = ["NestedTensor"]

#: Offsets (lengths, where there are) -> the nested int of tensors with them.
_tensor_symint_registry = WeakTensorKeyDictionary()
_numbers = count(1)
_lock = Lock()


def get_tensor_symint(tensor: Any, *, coeff: int = 1) -> SymInt:
    """Return the nested int of tensors with these offsets; a new one for new offsets."""
    with _lock:
        found: Any = _tensor_symint_registry.get(tensor)
        if found is None:
            found = SymInt(NestedIntNode(next(_numbers), coeff))
            _tensor_symint_registry[tensor] = found
    return found


def _store_val_in_tensor(val: int) -> Tensor:
    """A number as the size of a tensor without elements, as torch keeps it."""
    return torch.zeros(val, 0)


def _load_val_from_tensor(t: Tensor) -> int:
    return t.shape[0]


def _rebuild_njt(constructor_kwargs: dict[str, Any]) -> NestedTensor:
    """Make a nested tensor that was pickled."""
    return NestedTensor(**constructor_kwargs)


class NestedTensor(Tensor):
    """A nested tensor with the layout ``torch.jagged``.

    :param values: samples one after the other, along dimension ``_ragged_idx - 1``.
    :param offsets: where samples begin, and the end: one more number than samples.
    :param lengths: of samples that end before the next begins; None where none does.
    """

    _takes_calls_whole = True
    #: ``ops.run``, which is put here for it needs this class.
    _serve: Any
    #: ``padding.to_padded_tensor_default``.
    _serve_padded: Any
    is_nested = True  # type: ignore[assignment]  # a property of tensors

    _values: Any
    _offsets: Any
    _lengths: Any
    _ragged_idx: int
    _size: tuple[Any, ...]
    _strides: tuple[Any, ...]
    _metadata_cache: dict[str, Any]

    @staticmethod
    def __new__(
        cls: Any,
        values: Any,
        offsets: Any,
        *,
        lengths: Any = None,
        requires_grad: bool = False,
        _ragged_idx: int = 1,
        _metadata_cache: dict[str, Any] | None = None,
    ) -> Any:
        if offsets is None:
            raise AssertionError("offsets must not be None")
        if offsets.ndim != 1:
            raise AssertionError(f"offsets must be 1D, but got {offsets.ndim}D")
        if isinstance(values, NestedTensor):
            raise AssertionError("values must not be a NestedTensor")
        if values.device != offsets.device:
            raise AssertionError(
                f"values and offsets must be on the same device, but got values.device="
                f"{values.device} and offsets.device={offsets.device}"
            )
        batch, r = offsets.shape[0] - 1, _ragged_idx - 1
        if lengths is not None and batch != lengths.shape[0]:
            raise AssertionError(
                "offsets and lengths batch sizes must match: "
                f"offsets.shape[0] - 1 = {batch}, lengths.shape[0] = {lengths.shape[0]}"
            )
        ragged: Any = get_tensor_symint(offsets if lengths is None else lengths)
        shape, strides = values.shape, values.stride()
        made = Tensor._make_wrapper_subclass(
            cls,
            (batch, *shape),
            strides=(shape[r] * strides[r], *strides),
            dtype=values.dtype,
            device=values.device,
            layout=torch.jagged,
            requires_grad=requires_grad,
            dispatch_sizes_strides_policy="sizes",
            dispatch_layout=True,
        )
        made._ragged_idx = _ragged_idx
        made._size = (batch, *shape[:r], ragged, *shape[r + 1 :])
        made._strides = (ragged * strides[r], *strides)
        return made

    def __init__(
        self,
        values: Any,
        offsets: Any,
        *,
        lengths: Any = None,
        requires_grad: bool = False,
        _ragged_idx: int = 1,
        _metadata_cache: dict[str, Any] | None = None,
    ) -> None:
        self._values, self._offsets, self._lengths = values, offsets, lengths
        self._metadata_cache = _metadata_cache or {}

    def values(self) -> Tensor:
        """Return the samples one after the other, over the same memory; differentiable."""
        return values_of(self)

    def offsets(self) -> Tensor:
        """Return where samples begin in the values, and where the last ends."""
        return self._offsets

    def lengths(self) -> Tensor | None:
        """Return the lengths of samples that end before the next begins; else None."""
        return self._lengths

    def _structure(self) -> dict[str, Any]:
        """What a nested tensor of the same samples is made with beside its values."""
        return {
            "offsets": self._offsets,
            "lengths": self._lengths,
            "_metadata_cache": self._metadata_cache,
            "_ragged_idx": self._ragged_idx,
        }

    def to_padded_tensor(self, padding: float, output_size: Any = None) -> Tensor:
        """Return the samples as rows of one tensor, filled up with *padding*; differentiable.

        :param output_size: its shape; by default rows are as long as the longest sample.

        Raises RuntimeError for a tensor with holes.
        """
        return self._serve_padded(padding, output_size)

    def _seqlens(self) -> Any:
        return self._offsets.diff() if self._lengths is None else self._lengths

    def _seqlen(self, name: str) -> int:
        found = self._metadata_cache.get(f"{name}_seqlen")
        if found is None:
            number = int(getattr(torch, name)(self._seqlens()).item())
            found = self._metadata_cache[f"{name}_seqlen"] = _store_val_in_tensor(number)
        return _load_val_from_tensor(found)

    def _get_max_seqlen(self) -> int:
        return self._seqlen("max")

    def _get_min_seqlen(self) -> int:
        return self._seqlen("min")

    _max_seqlen, _min_seqlen = property(_get_max_seqlen), property(_get_min_seqlen)

    @property
    def _max_seqlen_tensor(self) -> Any:
        return self._metadata_cache.get("max_seqlen")

    @property
    def _min_seqlen_tensor(self) -> Any:
        return self._metadata_cache.get("min_seqlen")

    @property
    def _maybe_max_seqlen(self) -> int | None:
        found = self._max_seqlen_tensor
        return None if found is None else _load_val_from_tensor(found)

    @property
    def _maybe_min_seqlen(self) -> int | None:
        found = self._min_seqlen_tensor
        return None if found is None else _load_val_from_tensor(found)

    def __repr__(self) -> str:  # type: ignore[override]  # as in torch, of no contents
        recorded = f", requires_grad={self.requires_grad}" if self.requires_grad else ""
        if self.grad_fn:
            recorded = f", grad_fn={self.grad_fn}"
        whole = self._lengths is None and self._values.is_contiguous()
        where = f"offsets={self._offsets}{recorded}"
        return f"NestedTensor(size={self._size}, {where}, contiguous={whole})"

    def __reduce_ex__(self, proto: Any) -> Any:
        state = dict(_get_obj_state(self))
        del state["_size"], state["_strides"]  # nested ints are those of one process
        told = {
            "values": self._values,
            "offsets": self._offsets,
            "lengths": self._lengths,
            "_ragged_idx": self._ragged_idx,
            "_metadata_cache": self._metadata_cache,
            "requires_grad": self.requires_grad,
        }
        return _rebuild_from_type_v2, (_rebuild_njt, type(self), (told,), state)

    def __tensor_flatten__(self) -> tuple[list[str], dict[str, Any]]:
        inner = ["_values", "_offsets"]
        optional = ("_lengths", "_min_seqlen_tensor", "_max_seqlen_tensor")
        inner += [name for name in optional if getattr(self, name) is not None]
        return inner, {"requires_grad": self.requires_grad, "ragged_idx": self._ragged_idx}

    @staticmethod
    def __tensor_unflatten__(
        inner_tensors: dict[str, Any], meta: Any, outer_size: Any, outer_stride: Any
    ) -> NestedTensor:
        if not 2 <= len(inner_tensors) <= 5:
            raise AssertionError(f"Expected 2-5 inner tensors, but got {len(inner_tensors)}")
        cache = {
            name: inner_tensors[f"_{name}_tensor"]
            for name in ("min_seqlen", "max_seqlen")
            if inner_tensors.get(f"_{name}_tensor") is not None
        }
        return NestedTensor(
            inner_tensors["_values"],
            inner_tensors["_offsets"],
            lengths=inner_tensors.get("_lengths"),
            requires_grad=meta["requires_grad"],
            _ragged_idx=meta["ragged_idx"],
            _metadata_cache=cache,
        )

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return cls._serve(func, args, kwargs or {})

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        taken = FUNCTIONS.get(getattr(func, "__name__", ""))
        with DisableTorchFunctionSubclass():
            if taken is not None:
                return taken(func, *args, **(kwargs or {}))
            return func(*args, **(kwargs or {}))


#: Functions that are no ops, by name: ``f(func, *args, **kwargs)``.
FUNCTIONS: dict[str, Any] = {}


def nested(values: Any, **told: Any) -> Any:
    """The jagged tensor of *values*, with their history, and of offsets and what else is told."""
    return wrapped_values(values, NestedTensor, told)


# What makes nested tensors ------------------------------------------------------------------------


def nested_view_from_values_offsets_lengths(
    values: Any,
    offsets: Any,
    lengths: Any,
    ragged_idx: int = 1,
    min_seqlen: int | None = None,
    max_seqlen: int | None = None,
) -> Any:
    """Return a nested tensor over the memory of *values*."""
    known = {"min_seqlen": min_seqlen, "max_seqlen": max_seqlen}
    cache = {name: _store_val_in_tensor(n) for name, n in known.items() if n is not None}
    return nested(
        values, offsets=offsets, lengths=lengths, _ragged_idx=ragged_idx, _metadata_cache=cache
    )


def nested_view_from_values_offsets(
    values: Any,
    offsets: Any,
    ragged_idx: int = 1,
    min_seqlen: int | None = None,
    max_seqlen: int | None = None,
) -> Any:
    """Return a nested tensor over the memory of *values* without holes."""
    return nested_view_from_values_offsets_lengths(
        values, offsets, None, ragged_idx, min_seqlen, max_seqlen
    )


#: The name that older programs have.
ViewBufferFromNested = NestedGetValues


class ViewNestedFromBuffer(Function):
    """From values and offsets to a nested tensor, as older programs make one."""

    @staticmethod
    def forward(ctx: Any, values: Any, offsets: Any, metadata_cache: Any = None) -> Any:
        cache = {
            name: n if isinstance(n, Tensor) else _store_val_in_tensor(n)
            for name, n in (metadata_cache or {}).items()
        }
        return NestedTensor(values.detach(), offsets, _metadata_cache=cache)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return values_of(grad), None, None


def buffer_from_jagged(jagged: Any) -> Any:
    """Return the values of a nested tensor, by the name that libraries call; differentiable."""
    return values_of(jagged)


def jagged_from_list(
    tensors: list[Any], offsets: Any, dtype: Any = None, device: Any = None
) -> tuple[Any, Any]:
    """Return a nested tensor of copies of *tensors*, and its offsets.

    Raises RuntimeError for tensors of several dtypes, devices or numbers of dimensions, and where
    they differ in more than one size.
    """
    if not tensors:
        raise RuntimeError("Cannot construct a nested tensor from an empty tensor list")
    for kinds, what in (
        ({t.dtype for t in tensors}, "have the same dtype"),
        ({t.device for t in tensors}, "be on the same device"),
        ({t.dim() for t in tensors}, "have the same dim"),
    ):
        if len(kinds) > 1:
            raise RuntimeError(
                f"When constructing a nested tensor, all tensors in list must {what}"
            )
    if tensors[0].dim() == 0:
        raise RuntimeError("Cannot construct a nested tensor from a list of zero-dim tensors")
    ragged = [d for d, sizes in enumerate(zip(*[t.shape for t in tensors], strict=True))
              if len(set(sizes)) > 1]  # fmt: skip
    if len(ragged) > 1:
        raise RuntimeError(
            "Cannot represent given tensor list as a nested tensor with the jagged layout. "
            "Note that the jagged layout only allows for a single ragged dimension. "
            "For example: (B, *, D_0, D_1, ..., D_N), with ragged * dim."
        )
    d = ragged[0] if ragged else 0
    values = torch.cat(tensors, dim=d).to(device=device, dtype=dtype)
    lengths = [t.shape[d] for t in tensors]
    if offsets is None:
        offsets = _ends(torch.tensor(lengths, dtype=torch.int64, device=values.device))
    made = nested_view_from_values_offsets(values, offsets, d + 1, min(lengths), max(lengths))
    return made, offsets


def _ends(lengths: Any) -> Any:
    """0, and where each of samples of these lengths ends."""
    return torch.cat([lengths.new_zeros(1), lengths.cumsum(dim=0)])


def jagged_from_tensor_and_lengths(tensor: Any, starts: Any, lengths: Any) -> tuple[Any, Any, Any]:
    """Return a nested tensor of parts of the rows of *tensor*, its offsets and its lengths.

    Raises RuntimeError where *starts* and *lengths* do not broadcast to the number of rows.
    """
    rows, longest = tensor.shape[0], tensor.shape[1]
    if any(t.shape not in ((rows,), (1,), ()) for t in (starts, lengths)):
        raise RuntimeError(
            "When constructing a jagged nested tensor using narrow(), "
            "your start and length must be Tensors that broadcast to input.shape[0]"
        )
    starts, lengths = starts.expand(rows), lengths.expand(rows)
    begins = starts + longest * torch.arange(rows, dtype=torch.int64, device=tensor.device)
    offsets = torch.cat([begins, (begins[-1] + lengths[-1]).unsqueeze(0)])
    values = tensor.view(-1, *tensor.shape[2:])
    shortest, largest = int(lengths.min().item()), int(lengths.max().item())
    whole = not (
        (lengths[1:-1] != longest).any()
        or (offsets[1:-2].diff() != longest).any()
        or starts[0] + lengths[0] != longest
    )
    if whole:
        part = values[int(offsets[0]) : int(offsets[-1])]
        made = nested_view_from_values_offsets(part, offsets - offsets[0], 1, shortest, largest)
        return made, offsets, None
    made = nested_view_from_values_offsets_lengths(values, offsets, lengths, 1, shortest, largest)
    return made, offsets, lengths


def nested_from_padded(
    padded: Any,
    offsets: Any,
    ragged_idx: int = 1,
    min_seqlen: int | None = None,
    max_seqlen: int | None = None,
    sum_S: int | None = None,
) -> Any:
    """Return the nested tensor whose samples begin the rows of *padded*; differentiable."""
    rows = padded.transpose(ragged_idx, 1) if ragged_idx > 1 else padded
    flat = rows.flatten(0, 1)
    values = flat.index_select(0, places(offsets) + _row_starts(offsets, rows.shape[1]))
    if ragged_idx > 1:
        values = values.transpose(ragged_idx - 1, 0)
    return nested_view_from_values_offsets(values, offsets, ragged_idx, min_seqlen, max_seqlen)


def owners(offsets: Any) -> Any:
    """To which sample each packed row belongs."""
    samples = torch.arange(offsets.shape[0] - 1, device=offsets.device)
    return samples.repeat_interleave(offsets.diff())


def places(offsets: Any) -> Any:
    """Where in its sample each packed row stands."""
    count = int(offsets[-1]) - int(offsets[0])
    rows = torch.arange(count, device=offsets.device) + offsets[0]
    return rows - offsets[owners(offsets)]


def _row_starts(offsets: Any, length: int) -> Any:
    return owners(offsets) * length


def _jagged_numel(nt: NestedTensor) -> int:
    """The number of elements, without those in holes."""
    if nt._lengths is None:
        return nt._values.numel()
    r = nt._ragged_idx
    return int(nt._lengths.sum().item()) * prod((*nt._size[1:r], *nt._size[r + 1 :]))
