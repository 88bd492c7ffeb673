"""What a gradient formula does for operands of known layouts, noted while it runs.

A formula is Python: it asks shapes, takes branches, calls ops that are made up of others. None of
that depends on more than the layouts of what it is given and on plain values. So it runs once with
:class:`Seen` tensors, which answer for their layout alone; each op that it comes to is called with
the real tensors and noted as a look into the op's table with the signature that stood there. The
text of those looks is the formula for all operands of these layouts.

Whatever asks a :class:`Seen` tensor for its numbers, whatever draws, and whatever is made past the
ops ends the attempt (:class:`Untraceable`): the formula goes on being called.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from mindtorch_dispatch import tls

from ..call.code import function
from ..call.dispatch_entry import Call, Direct
from ..call.overload import Overload
from ..call.specialize import specialize
from ..core import signature as S
from ..tensor import Tensor
from ..tensor.disabled import disabled_torch_function

__all__ = ["Noted", "Seen", "Tape", "Untraceable", "taped_call"]


class Untraceable(Exception):
    """A formula does something that its text could not do again."""


#: What may be asked of an array without looking at its numbers.
_LAYOUT = frozenset(
    ("shape", "strides", "dtype", "ndim", "size", "itemsize", "nbytes", "flags", "__len__")
)
#: What a tensor may not be for its formula to be noted.
_ODD = S.OF_CLASS | S.PENDING | S.BATCHED | S.FUNCTIONAL | S.DUAL | S.FREED | S.COW | S.NPU | S.META
#: Ops whose results have what shape their operands' numbers say.
_BY_NUMBERS = frozenset(("data_dependent_output", "dynamic_output_shape"))


class Layout:
    """Stands for an array of which only the layout may be asked."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getattr__(self, name: str) -> Any:
        if name not in _LAYOUT:
            raise Untraceable(name)
        return getattr(self._array, name)


class Noted:
    """A value of the text.

    :ivar real: the tensor that it is this time.
    :ivar tensor: the text of the tensor; empty where only its array is at hand.
    :ivar array: the text of its array; empty until it is asked for.
    """

    __slots__ = ("array", "layout", "real", "tensor")

    def __init__(self, real: Tensor, tensor: str, array: str = "") -> None:
        self.real = real
        self.layout = Layout(real._a)
        self.tensor = tensor
        self.array = array


class Seen(Tensor):
    """A tensor as a formula sees it that is being noted."""

    __torch_function__ = disabled_torch_function
    _noted: Noted

    @property
    def _a(self) -> Any:  # type: ignore[override]
        return self._noted.layout


def seen(noted: Noted) -> Seen:
    """What stands for the value."""
    t = object.__new__(Seen)
    t._noted = noted
    t._sig = noted.real._sig
    t._shared = t._edge = t._state = None
    return t


_tape: ContextVar[Tape | None] = ContextVar("mindtorch_formula_tape", default=None)
_TAPED = tls.with_extra(0, tls.TAPED)


class Tape:
    """The text of one run of a formula.

    :ivar lines: its lines so far; *cells* are the names in it.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.cells: dict[str, Any] = {"Tensor": Tensor, "new": object.__new__}
        self._stand_ins: dict[int, Seen] = {}
        self._count = 0

    def follow(self, formulas: Callable[..., Any], *args: Any) -> Any:
        """``formulas(*args)``, with the ops that it calls noted."""
        token = _tape.set(self)
        try:
            tls.state.set(_TAPED)
            return formulas(*args)
        finally:
            tls.state.set(0)
            _tape.reset(token)

    def stand_in(self, real: Tensor, tensor: str, array: str = "") -> Seen:
        """What stands for *real*, which has these texts."""
        known = self._stand_ins.get(id(real))
        if known is None:
            if real._sig & _ODD:
                raise Untraceable
            known = self._stand_ins[id(real)] = seen(Noted(real, tensor, array))
        return known

    def name(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def cell(self, letter: str, value: Any) -> str:
        """A name for *value*."""
        for known, other in self.cells.items():
            if other is value and known[0] == letter:
                return known
        name = self.name(letter)
        self.cells[name] = value
        return name

    def tensor(self, noted: Noted) -> str:
        """The text of a value as a tensor."""
        if not noted.tensor:
            t = noted.tensor = self.name("t")
            self.lines += [
                f"{t} = new(Tensor)",
                f"{t}._a = {noted.array}",
                f"{t}._sig = {self.cell('s', noted.real._sig)}",
                f"{t}._shared = {t}._edge = {t}._state = None",
            ]
        return noted.tensor

    def array(self, noted: Noted) -> str:
        """The text of a value as an array."""
        if not noted.array:
            noted.array = f"{noted.tensor}._a"
        return noted.array

    def result(self, value: Any) -> str:
        """The text of what the formula gave."""
        if value is None:
            return "None"
        if type(value) is Seen:
            return self.tensor(value._noted)
        if type(value) is tuple:
            return f"({', '.join(map(self.result, value))},)"
        if type(value) is list:
            return f"[{', '.join(map(self.result, value))}]"
        raise Untraceable(type(value))

    def compiled(self, parameters: str, result: str) -> Callable[..., Any]:
        """The function whose lines were noted, which returns *result*."""
        lines = [f"def plan({parameters}):", *(f"    {line}" for line in self.lines)]
        made: Callable[..., Any] = function(
            "\n".join([*lines, f"    return {result}", "return plan"]), self.cells
        )
        return made

    # -- ops -----------------------------------------------------------------------------------

    def call(self, overload: Overload, sig: int, args: tuple[Any, ...]) -> Any:
        """Call *overload*, in whose table *sig* was looked up, and note that."""
        row = overload.row
        if sig & S.GRAD_STATE or row.random or not _BY_NUMBERS.isdisjoint(row.tags):
            raise Untraceable(overload.name)
        if overload.device_position >= 0 and args[overload.device_position] is None:
            if not any(type(a) is Seen for a in args):  # made on the default device
                raise Untraceable(overload.name)
        real = tuple([_real(a) for a in args])
        word = tls.state.get()
        tls.state.set(0)
        try:
            found = overload.table[sig]
            result = found(*real)
        finally:
            tls.state.set(word)
        known = self._stand_ins.get(id(result))
        array = self._in_arrays(overload, getattr(found, "direct", None), args, real, result)
        if array and known is None:
            return self.stand_in(result, "", array)
        text = self._look(overload, sig, args)
        if known is not None:  # changed in place
            self.lines.append(text)
            return known
        t = self.name("t")
        self.lines.append(f"{t} = {text}")
        if isinstance(result, Tensor):
            return self.stand_in(result, t)
        if type(result) not in (tuple, list):
            raise Untraceable(overload.name)
        members = [
            None if r is None else self.stand_in(r, f"{t}[{i}]") for i, r in enumerate(result)
        ]
        return type(result)(members)

    def _look(self, overload: Overload, sig: int, args: tuple[Any, ...]) -> str:
        """The text of the call through the table."""
        table, key = self.cell("T", overload.table), self.cell("s", sig)
        return f"{table}[{key}]({', '.join(map(self._argument, args))})"

    def _argument(self, value: Any) -> str:
        if type(value) is Seen:
            return self.tensor(value._noted)
        if type(value) in (tuple, list) and any(type(v) is Seen for v in value):
            items = "".join(f"{self._argument(v)}, " for v in value)
            return f"({items})" if type(value) is tuple else f"[{items}]"
        if value is None or value is True or value is False:
            return str(value)
        return self.cell("k", value)

    def _in_arrays(
        self,
        overload: Overload,
        direct: Direct | None,
        args: tuple[Any, ...],
        real: tuple[Any, ...],
        result: Any,
    ) -> str:
        """The array that the call's array function gives, if it is one; else nothing."""
        if direct is None or type(result) is not Tensor or result._sig != direct.sig:
            return ""
        n = direct.operands
        if not all(type(a) is Seen for a in args[:n]):
            return ""
        rest = args[n:]
        if direct.takes_rest:
            if n == 2 and real[0]._a.shape != real[1]._a.shape:
                return ""
        elif rest != overload.tail or list(map(type, rest)) != list(map(type, overload.tail)):
            return ""
        texts = [self.array(a._noted) for a in args[:n]]
        if direct.takes_rest:
            texts += map(self._argument, rest)
        a = self.name("a")
        self.lines.append(f"{a} = {self.cell('r', direct.run)}({', '.join(texts)})")
        return a


def _real(value: Any) -> Any:
    """An argument with the tensors that are meant. Raises Untraceable for tensors of unknown
    origin."""
    if type(value) is Seen:
        return value._noted.real
    if isinstance(value, Tensor):
        raise Untraceable("a tensor that no op made")
    if type(value) in (tuple, list):
        return type(value)([_real(v) for v in value])
    return value


def taped_call(overload: Overload, sig: int) -> Call:
    """The call of *overload* for a formula that is being noted."""
    if overload.composed:  # the ops inside are noted
        return specialize(overload, sig, after="taping")
    plain = sig & S.OWN

    def call(*args: Any) -> Any:
        tape = _tape.get()
        if tape is None:
            raise Untraceable(overload.name)
        return tape.call(overload, plain, args)

    return call
