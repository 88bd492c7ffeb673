"""A call: signature in, result out.

``run(overload, arguments)`` joins the signatures of the tensor arguments with the thread's state
and looks the joined integer up in the overload's table. What stands there is a plain function
over the arguments, built once per signature: see ``specialize``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from mindtorch_dispatch import registry

from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor
from . import generation, lazy_registration
from .arguments import default_backend, device_bit, layout_bit, number_sig
from .overload import Overload

Call = Callable[..., Any]


class _Overloads(dict[str, Overload]):
    """Overloads by qualified name; a family that was put off is registered when asked for.

    None is ever taken out.
    """

    __slots__ = ("_by_base", "_sorted")

    def __init__(self) -> None:
        super().__init__()
        #: Overloads by the name of their op, of as many as were sorted so far.
        self._by_base: dict[str, list[Overload]] = {}
        self._sorted = 0

    def __missing__(self, name: str) -> Overload:
        if lazy_registration.load(name) and name in self:
            return self[name]
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The overload *name*, or *default*."""
        try:
            return self[name]
        except KeyError:
            return default

    def named(self, base: str) -> list[Overload]:
        """The overloads of the op *base*, in order of registration."""
        lazy_registration.load(base)
        with registry.lock:  # under which they are registered
            for overload in islice(self.values(), self._sorted, None):
                self._by_base.setdefault(overload.base, []).append(overload)
            self._sorted = len(self)
            return self._by_base.get(base, []).copy()


#: Every overload by its qualified name.
OVERLOADS = _Overloads()


def forget_resolved_calls(concerned: Callable[[Overload], bool] | None = None) -> None:
    """Empty the tables of the overloads that are *concerned*, by default of all.

    For switches that resolved calls have built in.
    """
    for overload in OVERLOADS.values():
        if concerned is None or concerned(overload):
            overload.table.clear()
            overload.api.clear()
            for entrance in overload.entrances:
                entrance.forget()
    generation.begin()


def run(overload: Overload, args: tuple[Any, ...]) -> Any:
    """Call *overload* with all its arguments in schema order."""
    return overload.table[signature(overload, args) | grad_state() | tls_state()](*args)


def signature(overload: Overload, args: tuple[Any, ...]) -> int:
    """The joined signature of the arguments."""
    if overload._schema is None:
        overload._analyse()
    sig = 0
    for i in overload.tensor_positions:
        a = args[i]
        if isinstance(a, Tensor):
            sig |= a._sig_
        elif a is not None:
            sig |= number_sig(a)
    for i in overload.list_positions:
        if args[i] is not None:
            for a in args[i]:
                if a is not None:
                    sig |= a._sig_
    if overload.device_position >= 0:
        device = args[overload.device_position]
        if device is not None:
            sig = sig & ~S.BACKENDS | device_bit(device)
    if not sig & S.BACKENDS:
        sig |= default_backend()
    if overload.layout_position >= 0:
        layout = args[overload.layout_position]
        if layout is not None:
            sig |= layout_bit(layout)
    return sig
