"""``nonzero``, which gives a matrix of places or, asked for a tuple, an index per dimension.

torch reads its arguments by hand: the tuple form is an op of its own.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch.argument_parser import ArgumentParser

from ..call.argument_parser import TYPES
from ..call.dispatch_entry import OVERLOADS
from ..call.intercept import PARSED, overridable
from ..call.overload_entrance import call_again
from ..tensor import Tensor

__all__ = ["nonzero", "nonzero_of"]

_FUNCTION = ArgumentParser.from_signatures(
    "nonzero", ["nonzero(Tensor input, *, bool as_tuple=False, Tensor? out=None)"], types=TYPES
)
_METHOD = ArgumentParser.from_signatures(
    "nonzero", ["nonzero()", "nonzero(*, bool as_tuple)"], types=TYPES, method=True
)


def nonzero(*args: Any, **kwargs: Any) -> Any:
    """``nonzero(input, *, out=None, as_tuple=False)``: where the elements are not zero.

    A matrix of int64, a row for each element; with *as_tuple* a vector for each dimension, as
    indexing takes them. Raises RuntimeError for *out* with *as_tuple*.
    """
    if len(args) == 1 and not kwargs and isinstance(args[0], Tensor):
        return call_again(OVERLOADS["aten::nonzero"], args)  # as most calls are
    _, (input, as_tuple, out) = _FUNCTION.parse(args, kwargs)
    if as_tuple:
        if out is not None:
            raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
        return call_again(OVERLOADS["aten::nonzero_numpy"], (input,))
    if out is not None:
        return call_again(OVERLOADS["aten::nonzero.out"], (input, out))
    return call_again(OVERLOADS["aten::nonzero"], (input,))


def nonzero_of(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Tensor.nonzero``: see :func:`nonzero`."""
    if not args and not kwargs:
        return call_again(OVERLOADS["aten::nonzero"], (self,))
    which, bound = _METHOD.parse(args, kwargs, self)
    name = "aten::nonzero_numpy" if which and bound[1] else "aten::nonzero"
    return call_again(OVERLOADS[name], (self,))


nonzero = overridable(nonzero, PARSED)
