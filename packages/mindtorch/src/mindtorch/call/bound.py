"""What arguments of one pattern mean: an overload, and where its arguments come from.

What stands in the table of an entrance has the parameters of the entrance; a :class:`Bound` says
how the arguments of the overload come of them. For a layout :mod:`.known_call` makes the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from ..core import signature as S
from .entrance_text import same
from .fragments import Form, call_text
from .known_call import KnownCall
from .overload import Overload

__all__ = ["Bound", "call_of_layout"]


class Bound:
    """See the module.

    :ivar table: signature, state included -> the call of the overload.
    :ivar sig: the joined signature of the arguments.
    :ivar cells: what the texts of *form* name.
    :ivar composed: whether other ops make the overload up.
    :ivar changes_look: whether its target looks at its memory in another way afterwards.
    :ivar whole: whether functions have the parameters of the entrance, and may stand in its table.
    """

    __slots__ = (
        "_constants",
        "_outer",
        "_pick",
        "cells",
        "changes_look",
        "composed",
        "form",
        "overload",
        "sig",
        "table",
        "whole",
    )

    def __init__(
        self,
        overload: Overload,
        table: Mapping[int, Callable[..., Any]],
        sig: int,
        form: Form,
        cells: dict[str, Any],
        whole: bool,
    ) -> None:
        self.overload, self.table, self.sig = overload, table, sig
        self.form, self.cells, self.whole = form, cells, whole
        self.composed, self.changes_look = bool(overload.composed_on(sig)), overload.changes_look
        self._outer = [cells[name] for name in ("pack", "requiring") if name in form.outer]
        self._constants = tuple(cells.values())
        #: What is given, and behind it the constants -> the arguments of the overload; made when
        #: it is first needed.
        self._pick: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None = None

    def run(self, state: int, given: tuple[Any, ...]) -> Any:
        """What such a call comes to in a *state* of the thread, without writing it out."""
        pick = self._pick or self._picker()
        result = self.table[self.sig | state](*pick(given + self._constants))
        for make in self._outer:
            result = make(result)
        return result

    def call(self, state: int, given: tuple[Any, ...], result: Any) -> Callable[..., Any]:
        """What serves calls of the layout of the *given* arguments, of which *result* came."""
        return self.laid_out(state, given, result) or self.general(state, given)

    def looking(self, state: int, given: tuple[Any, ...]) -> Callable[..., Any] | None:
        """:meth:`call` of what changes how its target looks, made before it is called."""
        return self._known(state, given).looking(state)

    def general(self, state: int, given: tuple[Any, ...], result: Any = None) -> Callable[..., Any]:
        """What looks at everything in each call, of which *result* was changed in place."""
        return self._known(state, given).general(result)

    def laid_out(
        self, state: int, given: tuple[Any, ...], result: Any
    ) -> Callable[..., Any] | None:
        """:meth:`call`; None where the layout makes no difference."""
        return self._known(state, given).laid_out(state, result)

    def arguments(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of the overload."""
        return (self._pick or self._picker())(given + self._constants)

    def _known(self, state: int, given: tuple[Any, ...]) -> KnownCall:
        sig = self.sig | state
        inner, arguments = self.table[sig], self.arguments(given)
        return KnownCall(self.overload, sig, inner, self.form, given, arguments, self.cells)

    def _picker(self) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
        """Make the function from what is given to the arguments of the overload."""
        self._pick = made = self._made_picker()
        return made

    def _made_picker(self) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
        form, given = self.form, len(self.form.parameters)
        names = (*form.parameters, *self.cells)
        if all([text in names for text in form.arguments]):
            places = [names.index(text) for text in form.arguments]
            if len(places) > 1:
                return itemgetter(*places)
            at = places[0] if places else len(names)
            return itemgetter(slice(at, at + 1))  # a tuple, even of one
        text = f"return ({', '.join(form.arguments)},)"
        read = call_text(form.parameters, [text], self.cells)
        return lambda values: read(*values[:given])


def call_of_layout(
    overload: Overload, sig: int, args: tuple[Any, ...], result: Any
) -> Callable[..., Any] | None:
    """A call of *overload* for arguments of the layout of *args*, of which it gave *result*.

    None where the look into its table is all that there is.

    :param sig: the signature of the arguments and the grad mode.
    """
    names = [f"a{i}" for i in range(overload.arity)]
    state = sig & S.GRAD_STATE
    form = Form(names, (), "", names, "{}")
    bound = Bound(overload, overload.table, sig & ~S.GRAD_STATE, form, {"same": same}, True)
    return bound.laid_out(state, args, result)
