"""How the views of functional tensors are made, and how a change of one reaches its base.

Every view row has an ``inverse``: the base with the elements of a changed view in their place.
"""

from __future__ import annotations

from typing import Any

from ..call.dispatch_entry import OVERLOADS, run
from ..call.row import ROWS, copy_name
from ..tensor import Tensor
from .functional_tensor import Step
from .view_steps import called

__all__ = ["step_of", "view_overload"]


def view_overload(name: str, reapply: bool) -> Any:
    """The overload that makes the view, or the copy that stands for it."""
    if not reapply and ROWS[name].copies is not None:
        name = copy_name(name)
    return OVERLOADS["aten::" + name]


class _Views:
    """View ops by name: themselves, or their copying forms."""

    places = False

    def __init__(self, reapply: bool) -> None:
        self.reapply = reapply

    def __call__(self, name: str, *args: Any) -> Any:
        return called(name if self.reapply else copy_name(name), *args)

    #: Any other op, as it is.
    call = staticmethod(called)


_VIEWS, _COPIES = _Views(True), _Views(False)


def step_of(name: str, rest: tuple[Any, ...], index: int, reapply: bool, many: bool) -> Step:
    """The step of the view op *name* with the arguments *rest* after its base.

    :param index: which result it is, of an op with several.
    """
    overload = view_overload(name, reapply)
    inverse = ROWS[name].inverse
    assert inverse is not None
    views = _VIEWS if reapply else _COPIES

    def again(base: Tensor) -> Tensor:
        made = run(overload, (base, *rest))
        return made[index] if many else made

    def back(base: Tensor, view: Tensor) -> Tensor:
        return inverse(views, base, view, index, *rest)

    return Step(again, back, name == "as_strided")
