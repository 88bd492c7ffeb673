"""Which handler serves an op of nested tensors: its own, or that of elementwise ops.

A handler gets the operator and the arguments of its schema, as the program gave them, and works on
values by :func:`values_of` and :func:`alike`. The modules of this package register theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._ops import ops
from ...aten import torch
from ...call.dispatch_entry import OVERLOADS
from ...tensor import Tensor
from .nested_int import as_size, is_ragged
from .nested_tensor import NestedTensor, nested, nested_from_padded
from .recording import change, values_of

__all__: list[str] = []

Handler = Callable[..., Any]
#: Handlers by the name of the op.
HANDLERS: dict[str, Handler] = {}
#: Elementwise ops whose rows do not say so: they write what they are given.
_ELEMENTWISE = ("fill", "masked_fill", "zero")


def handles(*names: str, contiguous: str = "") -> Callable[[Handler], Handler]:
    """Register what follows for ops of these *names*.

    :param contiguous: the arguments as torch lists them, where it takes no holes and wants the
        samples side by side: ``"input: jt, weight: t"``.
    """

    def register(handler: Handler) -> Handler:
        served = _only_contiguous(handler, contiguous) if contiguous else handler
        HANDLERS.update(dict.fromkeys(names, served))
        return handler

    return register


def _only_contiguous(handler: Handler, listed: str) -> Handler:
    kinds = [part.split(": ") for part in listed.split(", ")]

    def served(func: Any, *args: Any, **kwargs: Any) -> Any:
        for (name, kind), value in zip(kinds, args, strict=False):
            plain = isinstance(value, Tensor) and not isinstance(value, NestedTensor)
            wanted = "tensor"
            if kind.startswith("jt"):
                right = isinstance(value, NestedTensor) and value._lengths is None
                right = right and value._ragged_idx == 1
                wanted = "contiguous jagged layout NestedTensor"
            else:
                right = plain or kind == "any" or kind.endswith("?")
            if not right:
                raise ValueError(
                    f"NestedTensor {handler.__name__}({listed}): expected {name} to be a {wanted}"
                )
        return handler(func, *args, **kwargs)

    return served


def is_elementwise(func: Any) -> bool:
    """Whether the operator does the same to each element, or fills a tensor with random numbers."""
    name = func._opname.removesuffix("_")
    row = getattr(OVERLOADS.get(func.name()), "row", None)
    if name in _ELEMENTWISE or row is not None and "pointwise" in row.tags:
        return True
    if name == func._opname:
        return False
    packet = getattr(ops.aten, name, None)  # whose form in place it is
    functional = getattr(packet, func._overloadname, None)
    tags = (*func.tags, *(functional.tags if functional else ()))
    return torch.Tag.pointwise in tags or torch.Tag.nondeterministic_seeded in func.tags


def run(func: Any, args: Any, kwargs: Any) -> Any:
    """Serve a call of the operator *func* that has a nested tensor among its arguments.

    Raises NotImplementedError for what nothing is known of.
    """
    name = func._opname
    handler = HANDLERS.get(name)
    if handler is not None:
        return handler(func, *args, **kwargs)
    if is_elementwise(func):
        return (in_place if name.endswith("_") else elementwise)(func, *args, **kwargs)
    found = func.decompose(*args, **kwargs)
    if found is NotImplemented:
        raise NotImplementedError(func)
    return found


NestedTensor._serve = staticmethod(run)


def alike(nt: NestedTensor, values: Any, **changed: Any) -> Any:
    """The nested tensor of *values* whose samples begin where those of *nt* do."""
    return nested(values, **(nt._structure() | changed))


def raggedness_matches(nt: NestedTensor, size: Any) -> bool:
    """Whether *size* begins as the shape of *nt* does, up to its ragged dimension."""
    end = nt._ragged_idx + 1
    own, other = nt._size[:end], [as_size(n) for n in size[:end]]
    pairs = zip(own, other, strict=False)
    return len(own) == len(other) and all(a == b or b == -1 for a, b in pairs)


# Elementwise ops ----------------------------------------------------------------------------------


def _mismatch(func: Any, a: Any, b: Any) -> RuntimeError:
    both = isinstance(a, NestedTensor) and isinstance(b, NestedTensor)
    sizes = [a._size, b._size] if both else [a.shape, b.shape]
    return RuntimeError(
        f"cannot call binary pointwise function {func.__name__} with inputs of shapes {sizes[0]} "
        f"and {sizes[1]}"
    )


def _beside(func: Any, nt: NestedTensor, t: Any, a: Any, b: Any) -> Any:
    """The values of *t* as an operand beside those of *nt*; *a* and *b* stand in errors."""
    if isinstance(t, NestedTensor):
        if not raggedness_matches(nt, t._size):
            raise _mismatch(func, a, b)
        return values_of(t)
    if t.dim() > nt.dim():
        raise NotImplementedError("NYI: broadcasting NT with T with larger dim")
    small = t
    while small.dim() and small.shape[0] == 1:
        small = small.squeeze(0)
    if nt.dim() >= small.dim() + 2:
        return small
    if t.dim() != nt.dim() or t.shape[0] != nt._size[0]:
        raise _mismatch(func, a, b)
    r = nt._ragged_idx
    longest = nt._values.shape[r - 1] if nt._maybe_max_seqlen is None else nt._maybe_max_seqlen
    wide = t.expand([longest if i == r else n for i, n in enumerate(t.shape)])
    return values_of(nested_from_padded(wide, nt._offsets, r))


@handles("native_dropout", "native_dropout_backward")
def elementwise(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Run *func* on the values of nested tensors with the same samples, and of tensors beside."""
    for arg in args:
        if is_ragged(arg):
            raise RuntimeError(f"NestedTensor {func.__name__}: invalid argument {as_size(arg)}")
    if any(isinstance(v, Tensor) for v in kwargs.values()):
        raise NotImplementedError(func)
    tensors = [a for a in args if isinstance(a, Tensor)]
    first = next(t for t in tensors if isinstance(t, NestedTensor))
    a, b = tensors[0], tensors[-1]
    given = [
        values_of(x)
        if x is first
        else _beside(func, first, x, a, b)
        if isinstance(x, Tensor)
        else x
        for x in args
    ]
    result = func(*given, **kwargs)
    if isinstance(result, (tuple, list)):
        return type(result)([alike(first, r) for r in result])
    return alike(first, result)


def in_place(func: Any, nt: Any, *args: Any, **kwargs: Any) -> Any:
    """Change *nt*. Raises RuntimeError for a leaf that requires a gradient."""
    beside = [_beside(func, nt, x, nt, x) if isinstance(x, Tensor) else x for x in args]
    others = [a for a in args if isinstance(a, Tensor)]
    return change(nt, lambda values: func(values, *beside, **kwargs), others)
