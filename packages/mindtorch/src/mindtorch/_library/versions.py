"""Version counters of ops from ``torch.library`` that change their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKeySet

from .._ops import OpOverload
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import build
from ..core import functionality_keys
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of
from .foreign import with_builder

__all__ = ["version_kernel"]


def _count(value: Any) -> None:
    if isinstance(value, Tensor):
        alias_of(value).value += 1
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _count(inner)


def version_kernel(op: OpOverload) -> Callable[..., Any]:
    """The kernel at the ADInplaceOrView key: counts a change of every argument that is written."""
    arguments = op._schema.arguments
    places = [i for i, a in enumerate(arguments) if a.is_write]
    names = {arguments[i].name: i for i in places}

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        """The way through the general dispatcher."""
        for name, i in names.items():
            _count(args[i] if i < len(args) else kwargs.get(name))
        rest = DispatchKeySet.from_mask(keyset.mask & functionality_keys.BELOW_ADINPLACEORVIEW)
        return op.redispatch(rest, *args, **kwargs)

    def builder(overload: Overload, sig: int, mask: int) -> Call:
        """The way through the call table."""
        inner = build(overload, sig, mask & functionality_keys.BELOW_ADINPLACEORVIEW)

        def call(*args: Any) -> Any:
            for i in places:
                _count(args[i])
            return inner(*args)

        return call

    kernel.__name__ = "versions"
    return with_builder(kernel, builder)
