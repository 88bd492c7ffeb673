"""Whether what a node saved is still what it was: torch's refusals, in torch's order.

Note [Which is refused first]
    A node of torch unpacks all that it saved before it computes anything: the arguments in the
    order of their names, then the results; each is checked then. Ours read a value where a formula
    needs it. Where one does not fit, or where not all gradients are wanted and so not all formulas
    run, :func:`check_saved` goes over all of them, so that torch's first refusal is ours.

Source: torch tools/autograd/gen_autograd_functions.py; csrc/autograd/saved_variable.cpp, unpack.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mindtorch_autograd import anomaly
from mindtorch_autograd import errors as autograd_errors
from mindtorch_autograd.saved_variable import lost_history
from numpy import ndarray

from ..core import signature as S
from ..tensor import Tensor, blank
from .node_metadata import type_of_value
from .recording import Recording


class Place(NamedTuple):
    """Where a node keeps tensors."""

    name: str
    #: Its place in ``node._saved_``; that of the version is the next.
    slot: int
    #: The number of the result, -1 for an argument.
    result: int
    #: Whether it is a result without a gradient.
    constant: bool


def unpacking_order(recorder: Recording) -> tuple[Place, ...]:
    """Where nodes of *recorder* keep tensors, in the order in which torch's unpack them."""
    row = recorder.overload.row
    found = []
    for name in recorder.saved:
        if name in recorder.results:
            index = recorder.results.index(name)
            found.append(Place(name, recorder.places[name], index, row.is_leaf(index)))
        elif name in recorder.tensors | recorder.lists and name not in recorder.facts:
            found.append(Place(name, recorder.places[name], -1, False))
    return tuple(found)


def check_saved(node: Any, answer: Any = None) -> Any:
    """Refuse what *node* saved and what does not fit any more; else *answer*."""
    for place in node._unpacked:
        saved = node._saved_
        if place.result >= 0:
            t = kept_result(node, place.slot)
            if isinstance(t, Tensor):
                constant = place.constant or t._a_.dtype.kind in "biu"
                made_by = None if constant else _maker(node, place.result)
                _refuse_unfit(t, node._saved_[place.slot + 1], made_by)
        else:
            value, before = saved[place.slot], saved[place.slot + 1]
            if type(value) is not tuple:
                value, before = (value,), (before,)
            for t, number in zip(value, before, strict=True):
                if isinstance(t, Tensor):
                    _refuse_unfit(t, number)
    return answer


def _maker(node: Any, number: int) -> tuple[str, int]:
    """The node that texts name for a result, and which of its outputs the result is.

    One that *node* wrote through a view has, while the view lives, the history of the view.
    """
    view = None if node._extra_ is None else node._extra_.changed_view
    made = None if view is None else view()
    return (node.name(), number) if made is None else (made.name(), 0)


def _refuse_unfit(t: Tensor, before: int, made_by: Any = ()) -> None:
    """Refuse *t*, saved at version *before*, if it is another now.

    :param made_by: which output of which node it is, where *t* itself does not know it.
    """
    alias = t._shared_
    now = 0 if alias is None else alias.value
    if now == before:
        return
    if made_by == ():
        if t._edge_ is None and lost_history(now, before):
            raise autograd_errors.saved_detached()
        made_by = producer_text(t)
    if int(now) != int(before):
        raise autograd_errors.modified_in_place(type_text(t), made_by, now, before, anomaly.enabled)


def type_text(t: Tensor) -> str:
    """``torch.FloatTensor [2, 3]``."""
    return f"{type_of_value(t)} {list(t._a_.shape)}"


def producer_text(t: Tensor) -> tuple[str, int] | None:
    """Which output of which node *t* is, for the message; None for a leaf."""
    node = t.grad_fn
    return None if node is None else (node.name(), t.output_nr)


def kept_result(node: Any, slot: int) -> Any:
    """What is saved of a result; made a tensor where only its array is, and left so."""
    saved = node._saved_
    a = saved[slot]
    if type(a) is not ndarray:
        return a
    kept = blank()
    kept._a_ = a
    kept._sig_ = S.of_array(a)
    kept._shared_ = saved[slot + 1]
    kept._edge_ = kept._state_ = None
    node._saved_ = (*saved[:slot], kept, 0, *saved[slot + 2 :])
    return kept
