"""``StridedNestedTensor``: samples of any sizes, one after the other in one buffer.

Elementwise ops of one tensor run on the buffer. All else runs on each sample, and a new buffer is
made of the results. See Note [Nested tensors] for how calls come here and autograd goes through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..._utils import _rebuild_nested_tensor
from ...aten import torch
from ...core.override_state import DisableTorchFunctionSubclass
from ...core.warning import warn_nested
from ...nn import functional as F
from ...tensor import Tensor
from .dims import wrapped
from .ops import is_elementwise
from .recording import change, values_of, wrapped_values

__all__ = ["StridedNestedTensor"]

#: Handlers by the name of the op, ``handler(func, *args, **kwargs)``.
HANDLERS: dict[str, Callable[..., Any]] = {}
#: Functions that are no ops, by name.
FUNCTIONS: dict[str, Callable[..., Any]] = {}


class StridedNestedTensor(Tensor):
    """A nested tensor with the layout ``torch.strided``.

    :param buffer: the elements of all samples, of one dimension.
    :param sizes: the shape of each sample.
    """

    _takes_calls_whole = True
    is_nested = True  # type: ignore[assignment]  # a property of tensors

    _values: Any
    _sizes: tuple[tuple[int, ...], ...]
    _places: tuple[Tensor, Tensor, Tensor] | None = None

    @staticmethod
    def __new__(cls: Any, buffer: Any, sizes: Any, requires_grad: bool = False) -> Any:
        warn_nested()
        largest = [max(n) for n in zip(*sizes, strict=True)]
        made = Tensor._make_wrapper_subclass(
            cls,
            (len(sizes), *largest),
            dtype=buffer.dtype,
            device=buffer.device,
            requires_grad=requires_grad,
            dispatch_sizes_strides_policy="sizes",
        )
        made._values, made._sizes = buffer, tuple([tuple(s) for s in sizes])
        return made

    def __init__(self, buffer: Any, sizes: Any, requires_grad: bool = False) -> None:
        """Everything is done where it is made."""

    def _structure(self) -> dict[str, Any]:
        return {"sizes": self._sizes}

    def values(self) -> Tensor:
        """Return the elements of all samples as a tensor of one dimension; differentiable."""
        return values_of(self)

    def to_padded_tensor(self, padding: float, output_size: Any = None) -> Tensor:
        """Return the samples as one tensor, filled up with *padding*; differentiable.

        :param output_size: its shape; by default as large as the largest sample.

        Raises RuntimeError where a sample is larger.
        """
        return _padded(self, padding, output_size)

    @staticmethod
    def of_samples(samples: Sequence[Any]) -> Any:
        """Return the nested tensor of *samples*, which are copied; differentiable."""
        return joined(samples)

    def _nested_tensor_size(self) -> Tensor:
        return _places_of(self)[0]

    def _nested_tensor_strides(self) -> Tensor:
        return _places_of(self)[1]

    def _nested_tensor_storage_offsets(self) -> Tensor:
        return _places_of(self)[2]

    def __repr__(self) -> str:  # type: ignore[override]  # as in torch, of no contents
        samples = [t.detach().requires_grad_(self.requires_grad) for t in samples_of(self.detach())]
        lines = ",\n  ".join([repr(t).replace("\n", "\n  ") for t in samples])
        said = ", requires_grad=True" if self.requires_grad else ""
        if self.grad_fn is not None:
            said = f", grad_fn=<{self.grad_fn.name()}>"
        body = f"  {lines}" if samples else ""
        return f"nested_tensor([\n{body}\n]{said})"

    def __reduce_ex__(self, proto: Any) -> Any:
        return _rebuild_nested_tensor, (self._values, *_places_of(self))

    def __deepcopy__(self, memo: Any) -> Any:
        made = StridedNestedTensor(self._values.clone(), self._sizes)
        return made.requires_grad_(self.requires_grad)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        with DisableTorchFunctionSubclass():
            taken = FUNCTIONS.get(getattr(func, "__name__", ""))
            if getattr(func, "__self__", None) is Tensor.shape:
                taken = size_of
            return (taken or func)(*args, **(kwargs or {}))


def _places_of(nt: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The size, the strides and the offset of each sample; made once.

    A process that is sent *nt* maps their memory, so they live as long as *nt*.
    """
    if nt._places is None:
        strides = [torch.empty(s, device="meta").stride() for s in nt._sizes]
        counts = torch.tensor([0, *[prod(s) for s in nt._sizes]], dtype=torch.int64)
        nt._places = (
            torch.tensor(nt._sizes, dtype=torch.int64),
            torch.tensor(strides, dtype=torch.int64),
            counts.cumsum(0)[:-1],
        )
    return nt._places


def strided_from_list(tensors: Sequence[Any], dtype: Any = None, device: Any = None) -> Any:
    """Return a nested tensor of copies of *tensors*; differentiable.

    Raises RuntimeError for tensors that differ in their number of dimensions.
    """
    if not tensors:
        return StridedNestedTensor(torch.empty(0, dtype=dtype, device=device), ())
    for i, t in enumerate(tensors):
        if t.dim() != tensors[0].dim():
            raise RuntimeError(
                "All Tensors given to nested_tensor must have the same dimension. Found dimension "
                f"{t.dim()} for Tensor at index {i} and dimension {tensors[0].dim()} for Tensor at "
                "index 0."
            )
    kind, place = dtype or tensors[0].dtype, device or tensors[0].device
    return joined([t.to(dtype=kind, device=place) for t in tensors])


def from_buffer(buffer: Any, sizes: Any, strides: Any, offsets: Any) -> Any:
    """Return the nested tensor of samples that lie so in *buffer*, which are copied.

    Raises RuntimeError for more elements than the buffer has.
    """
    shapes = sizes.tolist()
    if sum(prod(shape) for shape in shapes) > buffer.numel():
        raise RuntimeError("the samples of a nested tensor have more elements than its buffer")
    places = zip(shapes, strides.tolist(), offsets.tolist(), strict=True)
    return joined([buffer.as_strided(*place) for place in places])


def joined(samples: Sequence[Any]) -> Any:
    """The nested tensor of *samples*; differentiable."""
    buffer = torch.cat([t.reshape(-1) for t in samples])
    return wrapped_values(buffer, StridedNestedTensor, {"sizes": [tuple(t.shape) for t in samples]})


def samples_of(nt: Any) -> list[Any]:
    """The samples of *nt*, views of its buffer."""
    parts = torch.split(values_of(nt), [prod(s) for s in nt._sizes]) if nt._sizes else ()
    return [part.view(size) for part, size in zip(parts, nt._sizes, strict=True)]


def _padded(nt: Any, padding: float, output_size: Any) -> Tensor:
    samples = samples_of(nt)
    if not samples:
        return values_of(nt).clone()
    count, size = len(samples), [max(n) for n in zip(*nt._sizes, strict=True)]
    if output_size is not None:
        wanted, *rest = output_size
        if len(rest) != len(size):
            raise RuntimeError(
                "Length of output_size does not match NestedTensor dims. Broadcasting is not "
                "supported."
            )
        if wanted < count or any(w < n for w, n in zip(rest, size, strict=True)):
            raise RuntimeError(
                "Value in output_size is less than NestedTensor padded size. "
                "Truncation is not supported."
            )
        count, size = wanted, rest
    rows = []
    for t in samples:
        missing = [n - own for n, own in zip(size, t.shape, strict=True)]
        rows.append(F.pad(t, [x for n in reversed(missing) for x in (0, n)], value=padding))
    rows += [torch.full_like(rows[0], padding)] * (count - len(rows))
    return torch.stack(rows)


# Calls --------------------------------------------------------------------------------------------


def _run(func: Any, args: Any, kwargs: Any) -> Any:
    name = func._opname
    handler = HANDLERS.get(name)
    if handler is not None:
        return handler(func, *args, **kwargs)
    if is_elementwise(func):
        return _elementwise(func, *args, **kwargs)
    found = func.decompose(*args, **kwargs)
    if found is NotImplemented:
        raise no_kernel(func)
    return found


def no_kernel(func: Any) -> NotImplementedError:
    return NotImplementedError(
        f"Could not run '{func.name()}' with arguments from the 'NestedTensorCPU' backend."
    )


def _elementwise(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Run *func* on the buffers of nested tensors of the same sizes, and of numbers."""
    tensors = [a for a in args if isinstance(a, Tensor)]
    first = next(t for t in tensors if isinstance(t, StridedNestedTensor))
    given = []
    for arg in args:
        if isinstance(arg, StridedNestedTensor):
            if arg._sizes != first._sizes:
                raise RuntimeError(
                    f"{func._opname} does not support broadcasting when given a NestedTensor"
                )
            arg = values_of(arg)
        elif isinstance(arg, Tensor) and arg.dim():
            kinds = [
                "nested" if isinstance(t, StridedNestedTensor) else "non-nested" for t in tensors
            ]
            raise RuntimeError(
                "Expected both self and other to be nested, but got a "
                f"{kinds[0]} self and {kinds[1]} other"
            )
        given.append(arg)
    if func._opname.endswith("_"):
        rest = given[1:]
        return change(first, lambda values: func(values, *rest, **kwargs), tensors[1:])
    result = func(*given, **kwargs)
    if isinstance(result, (tuple, list)):
        parts = [wrapped_values(r, type(first), first._structure()) for r in result]
        return type(result)(parts)
    return wrapped_values(result, type(first), first._structure())


def handles(*names: str) -> Callable[[Any], Any]:
    def register(handler: Any) -> Any:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return register


def unsupported(what: str) -> RuntimeError:
    return RuntimeError(
        f"Internal error: NestedTensorImpl doesn't support {what}. Please file an issue."
    )


def size_of(nt: Any, dim: int | None = None) -> int:
    if dim is None:
        raise unsupported("sizes")
    d = wrapped(nt.dim(), dim)
    if d == 0:
        return len(nt._sizes)
    found = {s[d - 1] for s in nt._sizes}
    if len(found) != 1:
        raise RuntimeError(f"Given dimension {dim} is irregular and does not have a size.")
    return found.pop()
