"""The table of what operators come to where a backend knows the core ones alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from mindtorch_dispatch import DispatchKey

from .. import _C
from .._ops import OpOverload, ops
from ..core.tags import Tag
from .decompositions import core_operators

__all__ = ["Composite", "CustomDecompTable", "is_preservable"]

_COMPOSITE = DispatchKey.CompositeImplicitAutograd


class Composite:
    """What a composite operator is written in."""

    def __init__(self, op: OpOverload) -> None:
        self.op = op

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the operators that it is written in."""
        return self.op.decompose(*args, **kwargs)


#: Composite here, and of torch's either not, or asked of the functional tensors themselves.
_FACTS = ("aten::native_batch_norm", "aten::sym_numel", "aten::sym_storage_offset")


def is_preservable(op: Any) -> bool:
    """Whether *op* is composite and can stay whole in a functional graph.

    It neither changes nor returns an argument, whatever the arguments are.
    """
    if not isinstance(op, OpOverload) or op.name() in _FACTS:
        return False
    if Tag.maybe_aliasing_or_mutating in op.tags:
        return False
    schema = op._schema
    if schema.is_mutable or any(a.alias_info is not None for a in schema.arguments):
        return False
    return _C._dispatch_has_kernel_for_dispatch_key(op.name(), _COMPOSITE)


@cache
def _composites() -> tuple[OpOverload, ...]:
    """torch's composite operators that can stay whole."""
    found = []
    for name in _C._dispatch_get_registrations_for_dispatch_key(_COMPOSITE):
        namespace, _, rest = name.partition("::")
        packet, _, overload = rest.partition(".")
        if namespace == "aten":
            op = getattr(getattr(ops.aten, packet), overload or "default")
            if is_preservable(op):
                found.append(op)
    return tuple(found)


class CustomDecompTable(dict[Any, Callable[..., Any]]):
    """Operators and what is called in their place: to begin with, all composite ones and more.

    An operator that is taken out stays whole.
    """

    def __init__(self) -> None:
        super().__init__((op, Composite(op)) for op in _composites())
        self.update(core_operators())

    def copy(self) -> CustomDecompTable:
        """A table of its own."""
        made = CustomDecompTable()
        made.clear()
        made.update(self)
        return made

    def materialize(self) -> dict[Any, Callable[..., Any]]:
        """The table as a dictionary."""
        return dict(self)
