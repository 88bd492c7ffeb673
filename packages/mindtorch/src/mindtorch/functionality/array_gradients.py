"""Gradient formulas as calls of array functions.

The second, shorter text of :mod:`.compiled_gradients`: where every op of a formula is one function
of arrays (``Direct``) for the signatures that plain training has, the node
calls that function itself, without a look into the op's table and without a frame. The text says
under which conditions that is true; where one fails, the ops are called as before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.dispatch_entry import Direct
from ..call.overload import Overload
from ..core import signature as S
from .formula_trace import Facts, Stand, Trace, Untraceable, Value
from .recording import Recording

#: What may be set on a saved tensor without changing what its array function is.
_HARMLESS = S.REQUIRES_GRAD


class Array(Value):
    """Stands for an array of which the signature is known."""

    def __init__(self, trace: Trace, text: str, sig: int) -> None:
        super().__init__(trace, text)
        self.sig = sig


class ArrayTrace(Trace):
    """The text of one formula in arrays.

    :ivar reads: what is read before the conditions can be asked.
    """

    def __init__(self, recorder: Recording, scope: dict[str, Any], prefix: str) -> None:
        super().__init__(recorder, scope, prefix)
        self.reads: list[str] = []
        self.operand = _operand_sig(recorder.sig)
        direct = recorder.direct
        if not self.operand or direct is None:
            raise Untraceable
        self.gradient = Array(self, "grad._a", direct.sig)
        # Whether it is a view is nothing to an op that is not recorded; and a line without gaps is
        # laid out anew by any array function.
        view = direct.sig | S.VIEWS
        scope |= {"SIG": direct.sig, "VIEW": view, "VIEWS": S.VIEWS, "LINE": view | S.STRIDED}
        self.guards.append(
            "(grad._sig == SIG or grad._sig == VIEW"
            " or grad._sig | VIEWS == LINE and grad._a.ndim == 1)"
        )

    def text_of(self, function: Callable[..., Any], name: str) -> list[str]:
        """The lines that give *name* by *function*, under the conditions in :attr:`guards`."""
        result = self.follow(function)
        if type(result) is not Array or result is self.gradient:
            raise Untraceable
        return [
            *self.lines,
            f"{name} = new(Tensor)",
            f"{name}._a = {result.text}",
            f"{name}._sig = {self.constant(result.sig)}",
            f"{name}._shared = {name}._edge = {name}._state = None",
        ]

    def _saved(self, name: str) -> Any:
        recorder = self.recorder
        if name in recorder.facts or name not in {*recorder.tensors, *recorder.results}:
            return super()._saved(name)
        place = recorder.places[name]
        text = f"{self.prefix}x{len(self.reads)}"
        self.reads.append(f"{text} = saved[{place}]")
        if name in recorder.results:
            self.guards.append(f"type({text}) is ndarray")
            self.lines.append(f"if saved[{place + 1}].value: node.{name}")
            assert recorder.direct is not None
            return Array(self, text, recorder.direct.sig)
        if not recorder.surely_tensor(name):
            raise Untraceable(name)
        self.scope |= {"HARMLESS": ~_HARMLESS, "OPERAND": self.operand}
        self.guards.append(f"{text}._sig & HARMLESS == OPERAND")
        self.lines += [
            f"alias = {text}._shared",
            f"if alias is not None and alias.value != saved[{place + 1}]: {self.refusal(name)}",
        ]
        return Array(self, f"{text}._a", self.operand)

    def call(self, overload: Overload, args: tuple[Any, ...]) -> Value:
        """Note a call with all the arguments of the schema, as that of its array function."""
        arrays = [a for a in args if type(a) is Array]
        joined = 0
        for a in arrays:
            joined |= a.sig
        operator = overload.operator
        version = operator.version
        direct: Direct | None = getattr(overload.table[joined], "direct", None)
        if direct is None or direct.operands != len(arrays):
            raise Untraceable
        rest = args[direct.operands :]
        if any(isinstance(a, (Stand, Facts)) for a in rest):
            raise Untraceable
        if direct.takes_rest:
            arguments = [a.text for a in arrays] + [self.constant(a) for a in rest]
        elif rest == overload.tail:
            arguments = [a.text for a in arrays]
        else:
            raise Untraceable
        # Registrations change the version of an operator.
        self.guards.append(f"{self.cell('O', operator)}.version == {self.constant(version)}")
        text = self.name()
        self.lines.append(f"{text} = {self.cell('run', direct.run)}({', '.join(arguments)})")
        return Array(self, text, direct.sig)


def _operand_sig(sig: int) -> int:
    """The signature that each argument of a call has, 0 where they may differ."""
    if sig & (S.BACKENDS | S.STRIDED | S.ZERO_MASK | S.NUMBERS) != S.CPU:
        return 0
    plain = sig & (S.DIM_MASK | S.CPU)
    return plain if len(S.dtypes_in(sig, S.DIM_SHIFT)) == 1 else 0
