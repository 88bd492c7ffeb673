"""``torch._decomp``: functions that take the place of ops in a trace.

Tables are kept as torch keeps them, for ``make_fx(decomposition_table=…)``. To begin with they have
the ops of ``torch._decomp.decompositions``; who asks for another is told that there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from .._ops import OpOverload, OpOverloadPacket
from ..utils._pytree import tree_leaves
from .core_aten import CustomDecompTable
from .decompositions import core_operators

__all__ = [
    "core_aten_decompositions",
    "decomposition_table",
    "get_decompositions",
    "register_decomposition",
    "remove_decompositions",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: The tables by the names of their kinds: what stands for an op below autograd, above it, on meta.
global_decomposition_table: dict[str, dict[Any, Callable[..., Any]]] = {
    "post_autograd": core_operators(),
    "pre_autograd": {},
    "meta": {},
}
decomposition_table = global_decomposition_table["post_autograd"]


def _check_kind(kind: str) -> None:
    if kind not in global_decomposition_table:
        raise AssertionError(
            f"type must be one of post_autograd, pre_autograd, or meta, got {kind}"
        )


def _overloads(op: Any) -> Iterator[OpOverload]:
    """*op* itself, or all overloads of a packet."""
    if isinstance(op, OpOverload):
        yield op
        return
    if not isinstance(op, OpOverloadPacket):
        raise AssertionError(f"expected OpOverloadPacket, got {type(op)}")
    for name in op.overloads():
        yield getattr(op, name)


def register_decomposition(
    aten_op: Any,
    registry: dict[Any, Callable[..., Any]] | None = None,
    *,
    type: str = "post_autograd",
    unsafe: bool = False,
) -> Callable[[_Function], _Function]:
    """Let the decorated function stand for an op.

    :param aten_op: an op, all overloads of one (``torch.ops.aten.cos``), or several in a container.
    :param registry: the table; by default the one of *type*.
    :param unsafe: part of the interface: functions are called as they are in either case.

    Raises RuntimeError for an overload that the table has.
    """
    _check_kind(type)
    table = global_decomposition_table[type] if registry is None else registry

    def register(fn: _Function) -> _Function:
        for op in tree_leaves(aten_op):
            for overload in _overloads(op):
                if overload in table:
                    raise RuntimeError(f"duplicate registrations for {overload}")
                table[overload] = fn
        return fn

    return register


def get_decompositions(
    aten_ops: Sequence[OpOverload | OpOverloadPacket], type: str = "post_autograd"
) -> dict[OpOverload, Callable[..., Any]]:
    """What was registered for *aten_ops*, as a table of its own.

    Raises NotImplementedError for an op of torch that has none here.
    """
    _check_kind(type)
    table, found = global_decomposition_table[type], {}
    for op in aten_ops:
        known = {overload: table[overload] for overload in _overloads(op) if overload in table}
        if not known and next(_overloads(op)).namespace == "aten":
            raise NotImplementedError(
                f"get_decompositions: {op} has no decomposition here; register_decomposition takes "
                "one of your own"
            )
        found.update(known)
    return found


def remove_decompositions(
    decompositions: dict[OpOverload, Callable[..., Any]],
    aten_ops: Sequence[OpOverload | OpOverloadPacket],
) -> None:
    """Take *aten_ops* out of a table; what it does not have is no error."""
    for op in aten_ops:
        if isinstance(op, (OpOverload, OpOverloadPacket)):
            for overload in _overloads(op):
                decompositions.pop(overload, None)


def core_aten_decompositions() -> CustomDecompTable:
    """The table of ``torch.export.default_decompositions``: what comes to core operators."""
    return CustomDecompTable()
