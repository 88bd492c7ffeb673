"""What ``t[index]`` comes to, known for tensors of one layout and indices of one form.

An index is Python: ints, slices, ``None``, ``...`` and tensors, which view ops and ``index`` stand
for. Which, the layout of the tensor and the index say, unless a tensor in it is a mask or a number.
So they are noted once (see ``functionality.call_tape``) and stand in a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mindtorch_autograd import grad_mode

from ..call.argument_kinds import TENSORS
from ..call.bound import Bound
from ..call.code import function
from ..call.dispatch_entry import OVERLOADS
from ..call.entrance_text import same
from ..call.fragments import Form
from ..call.generation import generation, keep
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..functionality.composite_plans import noted
from ..functionality.stand_in import ODD
from ..tensor import Tensor
from ..tensor.interning import meta_of
from .basic_indexing import basic_view

__all__ = ["SubscriptPlans", "key_of"]

#: So many indices are remembered.
_MOST: Final = 4096
#: While there are few, an index is known the second time. A loop over ``t[:, i]`` has a new one
#: at each step, though, and what is written for it costs as much as a hundred calls.
_FEW: Final = 64
_OFTEN: Final = 2
_RATHER_OFTEN: Final = 40
_ENDS: Final = frozenset((int, type(None)))


def _of_slice(item: slice) -> tuple[Any, Any, Any]:
    start, stop, step = item.start, item.stop, item.step
    if {start.__class__, stop.__class__, step.__class__} <= _ENDS:
        return start, stop, step
    raise TypeError("what gives the end may give another the next time")


#: What a key has of an item, by its class; items of other classes are worked out each time.
_PARTS: Final[dict[type, Callable[[Any], Any]]] = {
    int: lambda item: item,
    slice: _of_slice,
    type(None): lambda item: None,
    type(Ellipsis): lambda item: Ellipsis,
    Tensor: lambda item: item._meta_,
}


def key_of(self: Any, index: Any) -> tuple[Any, ...]:
    """What ``self[index]`` depends on.

    Raises KeyError or TypeError for indices that are worked out each time, AttributeError for
    tensors without a meta.
    """
    state = grad_state() | tls_state()
    kind = index.__class__
    if kind is tuple:
        return self._meta_, state, tuple([_PARTS[i.__class__](i) for i in index])
    return self._meta_, state, int if kind is int else _PARTS[kind](index)


class SubscriptPlans:
    """What *code* does for tensors and indices that came before.

    :param basic: gives the same of ``t``, ``index`` and the view that basic indexing makes of them.
    :param outer: the text of what it gives for one int, with the view where ``{}`` stands.
    """

    def __init__(
        self,
        code: Callable[[Any, Any], Any],
        basic: Callable[[Any, Any, Any], Any],
        outer: str = "{}",
    ) -> None:
        self._code, self._basic = code, basic
        self._outer = outer
        self.table: dict[Any, Callable[[Any, Any], Any]] = {}
        #: How often indices came that are not known yet.
        self._seen: dict[Any, int] = {}

    def miss(self, t: Any, index: Any) -> Any:
        """``code(t, index)``; when it has come often enough it is remembered.

        Not what a tensor comes to that has no meta: no known call made it, so sizes keep changing,
        or it has one the next time.
        """
        view = basic_view(t, index, grad_state() | tls_state())
        fresh = getattr(t, "_meta_", S.STALE) is S.STALE
        if fresh and view is not None:
            meta_of(t)
            return self._basic(t, index, view)
        key = self._key(t, index)
        found = None if key is None else self.table.get(key)
        if found is not None:  # all that was missing was a meta
            return found(t, index)
        result = self._code(t, index) if view is None else self._basic(t, index, view)
        if key is None or fresh:
            return result
        seen = self._seen
        times = seen.get(key, 0) + 1
        if times < (_OFTEN if len(self.table) < _FEW else _RATHER_OFTEN):
            if len(seen) >= _MOST:
                seen.clear()
            seen[key] = times
            return result
        if self._key(t, index) != key:  # the view learnt of its base what it was not known for
            return result
        seen.pop(key, None)
        if len(self.table) >= _MOST:
            self.table.clear()
        begun = generation()
        keep(self.table, key, self._plan(t, index) or self._code, begun)
        return result

    def _key(self, t: Any, index: Any) -> tuple[Any, ...] | None:
        """The key of an index that may be remembered."""
        items = index if index.__class__ is tuple else (index,)
        tensors = [t, *[i for i in items if i.__class__ is Tensor]]
        state = grad_state() | tls_state()
        if t.__class__ not in TENSORS or state & ~grad_mode.GRAD_ENABLED:
            return None
        if any(x._sig_ & ODD or meta_of(x) is None for x in tensors):
            return None
        try:
            return key_of(t, index)
        except (KeyError, TypeError):
            return None

    def _plan(self, t: Any, index: Any) -> Callable[[Any, Any], Any] | None:
        """A function that does the same for all tensors of the layouts of these.

        One int may be any.
        """
        if index.__class__ is int:
            return self._selection(t, index)
        items = index if index.__class__ is tuple else (index,)
        texts = [f"index[{n}]" for n in range(len(items))]
        if index.__class__ is not tuple:
            texts = ["index"]
        state = grad_state()

        def code(t: Any, *items: Any) -> Any:
            return self._code(t, items if index.__class__ is tuple else items[0])

        found = noted(code, state, (t, *items), ("t", *texts))
        if found is None:
            return None
        lines = [*found.lines, f"return {found.result}"]
        if t._sig_ & S.VIEW and state:  # its base may have come to require grad
            lines.insert(0, "if t._shared_.touched: return code(t, index)")
        body = "\n".join([f"    {line}" for line in lines])
        cells = {**found.cells, "code": self._code}
        made: Callable[[Any, Any], Any]
        made = function(f"def subscript(t, index):\n{body}\nreturn subscript", cells)
        return made

    def _selection(self, t: Any, index: int) -> Callable[[Any, Any], Any] | None:
        """A function that gives any part of tensors of this layout along the first dimension."""
        overload, n = OVERLOADS["aten::select.int"], t._a_.shape[0]
        outside = f"not {-n} <= index < {n}"
        form = Form(
            ["t", "index"],
            [outside],
            "code(t, index)",
            ["t", "0", "index"],
            self._outer,
            place="index",
        )
        cells = {"code": self._code, "same": same}
        bound = Bound(overload, overload.table, t._sig_, form, cells, True)
        given = self._code(t, index)
        view = given if isinstance(given, Tensor) else given[0]
        return bound.laid_out(grad_state(), (t, index), view)
