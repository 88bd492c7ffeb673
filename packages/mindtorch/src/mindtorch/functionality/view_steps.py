"""How a view was made of its base: a call that is made again of another base, and undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.dispatch_entry import OVERLOADS, run
from ..call.overload import Overload
from ..tensor import Tensor

__all__ = ["CallAgain", "called"]


def called(name: str, *args: Any) -> Any:
    """The overload *name* with these arguments, then its defaults."""
    overload = OVERLOADS["aten::" + name]
    overload.analyse()
    return run(overload, (*args, *overload.defaults[len(args) :]))


class _Strided:
    """What an inverse makes a base with that is to be a view of the view: views alone.

    :ivar reapply: views stay views.
    :ivar places: what an inverse would copy elements for is looked at by strides.
    """

    reapply = places = True

    __call__ = call = staticmethod(called)


_STRIDED = _Strided()


class CallAgain:
    """A view op with its arguments, of whichever base.

    :ivar index: which of several results the view is, -1 where there is one.
    """

    __slots__ = ("index", "overload", "rest")

    def __init__(self, overload: Overload, rest: tuple[Any, ...], index: int = -1) -> None:
        self.overload = overload
        self.rest = rest
        self.index = index

    def __call__(self, base: Any) -> Any:
        """The view of *base*."""
        made = run(self.overload, (base, *self.rest))
        return made if self.index < 0 else made[self.index]

    def undone(self, base: Any, view: Any) -> Any:
        """A view of *view* that lies as *base* does, of which this step would make *view*.

        Raises RuntimeError where nothing is known that undoes the op.
        """
        inverse = self.overload.row.inverse
        if inverse is None:
            raise RuntimeError("No _rev_view_func() found")
        return inverse(_STRIDED, base, view, max(self.index, 0), *self.rest)

    def changed(
        self, number: Callable[[Any], Any] | None, tensor: Callable[[Any], Any] | None
    ) -> CallAgain:
        """This step with what these functions make of its sizes and tensors."""
        arguments = self.overload.schema.arguments[1:]
        rest = [
            _visited(value, argument.real_type.str(), number, tensor)
            for argument, value in zip(arguments, self.rest, strict=False)
        ]
        return CallAgain(self.overload, (*rest, *self.rest[len(rest) :]), self.index)


def _visited(value: Any, kind: str, number: Any, tensor: Any) -> Any:
    """*value*, an argument of type *kind*, after the function for it."""
    if isinstance(value, Tensor):
        return value if tensor is None else tensor(value)
    if number is None or value is None or "SymInt" not in kind:
        return value
    if isinstance(value, (tuple, list)):
        return tuple([number(n) for n in value])
    return number(value)
