"""Following a gradient formula with stand-ins, which note what is done with them as text."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import tls

from ..call.dispatch_entry import OVERLOADS
from ..call.overload import FUNCTIONAL, Overload
from ..core.late_bound import LateBound
from .recording import Recording

fast_overload = LateBound("fast_overload")


class Untraceable(Exception):
    """A formula does something with a stand-in that cannot be written down."""


class Stand:
    """Stands for a value that is only known when the node runs; nothing may be asked of it."""

    def __init__(self, trace: Trace, text: str) -> None:
        self.trace = trace
        self.text = text

    def __getattr__(self, name: str) -> Any:
        raise Untraceable(name)

    def _unknown(self, *others: Any) -> Any:
        raise Untraceable

    __bool__ = __len__ = __iter__ = __index__ = __int__ = __float__ = _unknown
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _unknown
    __getitem__ = __contains__ = __neg__ = __invert__ = _unknown
    __mul__ = __add__ = __sub__ = __truediv__ = __pow__ = __matmul__ = _unknown
    __rmul__ = __radd__ = __rsub__ = __rtruediv__ = __rpow__ = _unknown
    __hash__ = None


class Facts(Stand):
    """Stands for a tensor of which only shape and dtype are known."""

    def __getattr__(self, name: str) -> Any:
        if name == "shape":
            return Shape(self.trace, f"{self.text}.sizes")
        if name == "dtype":
            return Stand(self.trace, f"{self.text}.dtype")
        raise Untraceable(name)


class Shape(Stand):
    """Stands for the shape of a tensor."""


#: Attributes that are no methods.
_ASKED = ("shape", "dtype", "device", "T", "H", "mT", "mH", "real", "imag")


class Value(Stand):
    """Stands for a tensor."""

    #: What ``conj`` asks: formulas of complex signatures are not traced.
    _sig = 0

    def __getattr__(self, name: str) -> Any:
        if name == "expand":
            return self._expanded
        if name.startswith("_") or name in _ASKED:
            raise Untraceable(name)
        return lambda *others: self.trace.method(name, (self, *others))

    def _expanded(self, shape: Any) -> Value:
        if type(shape) is not Shape:
            raise Untraceable
        return self.trace.call(OVERLOADS["aten::expand"], (self, shape, False))

    def __neg__(self) -> Value:
        return self.trace.method("neg", (self,))

    def __mul__(self, other: Any) -> Value:
        return self.trace.method("mul", (self, other))

    def __truediv__(self, other: Any) -> Value:
        return self.trace.method("div", (self, other))

    def __add__(self, other: Any) -> Value:
        return self.trace.method("add", (self, other))

    def __sub__(self, other: Any) -> Value:
        return self.trace.method("sub", (self, other))

    __hash__ = None


class Names:
    """Stands for ``ops``."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __getattr__(self, name: str) -> Any:
        return lambda *args: self._trace.function(name, args)


class Context:
    """Stands for the node: ``c.name``."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __getattr__(self, name: str) -> Any:
        return self._trace.saved(name)


class Trace:
    """The text of one formula.

    :ivar lines: what computes the gradient.
    :ivar guards: what must be true for that.
    """

    def __init__(self, recorder: Recording, scope: dict[str, Any], prefix: str) -> None:
        self.recorder = recorder
        self.scope = scope
        self.prefix = prefix
        self.lines: list[str] = []
        self.guards: list[str] = []
        self.known: dict[str, Any] = {}
        self.cells = 0
        #: Stands for the gradient that comes in.
        self.gradient = Value(self, "grad")

    def follow(self, function: Callable[..., Any]) -> Value:
        """Call *function* with stand-ins; what stands for its result."""
        if not isinstance(function, FunctionType):
            raise Untraceable
        names = function.__globals__
        if "ops" in function.__code__.co_names:
            names = {**names, "ops": Names(self)}
        traced = FunctionType(
            function.__code__, names, None, function.__defaults__, function.__closure__
        )
        # What is written out runs where nothing is recorded and nobody watches: formulas that
        # ask are answered so.
        recording, watching = grad_mode.state.set(0), tls.state.set(0)
        try:
            result = traced(self.gradient, Context(self))
        finally:
            tls.state.reset(watching)
            grad_mode.state.reset(recording)
        if not isinstance(result, Value):
            raise Untraceable
        return result

    def name(self) -> str:
        return f"{self.prefix}{len(self.lines)}"

    def saved(self, name: str) -> Any:
        """The stand-in of a saved value."""
        if name not in self.known:
            self.known[name] = self._saved(name)
        return self.known[name]

    def _saved(self, name: str) -> Any:
        recorder = self.recorder
        if name not in recorder.places:
            raise Untraceable(name)
        place = recorder.place(name)
        if name in recorder.results:
            text = self.name()
            # The property makes a tensor of an array, or says what is wrong, in torch's words.
            self.lines += [
                f"{text} = {place}",
                f"if type({text}) is ndarray"
                f" or {text}._shared.value != saved[{recorder.places[name] + 1}]:",
                f"    {text} = node.{name}",
            ]
            return Value(self, text)
        if name in recorder.lists:
            raise Untraceable(name)
        if name in recorder.tensors:
            if not recorder.surely_tensor(name):
                raise Untraceable(name)
            if name in recorder.facts:
                return Facts(self, place)
            text = self.name()
            self.lines += [
                f"{text} = {place}",
                f"alias = {text}._shared",
                f"if alias is not None and alias.value != saved[{recorder.places[name] + 1}]:"
                f" {self.refusal(name)}",
            ]
            return Value(self, text)
        argument = recorder.overload.schema.arguments[recorder.names.index(name)]
        if not argument.has_default_value():
            return Stand(self, place)
        default = argument.default_value
        if type(default) not in (int, float, bool, type(None)):
            raise Untraceable(name)
        self.guards.append(f"{place} is {self.constant(default)}")
        return default

    def method(self, name: str, args: tuple[Any, ...]) -> Value:
        """The op that ``args[0].name(*args[1:])`` calls, for tensors only."""
        if not all(isinstance(a, Value) for a in args):
            raise Untraceable(name)
        group = OVERLOADS.named(name)
        overload = fast_overload(group, len(args))
        if overload is None or overload.kind != FUNCTIONAL or overload.row.composite is not None:
            raise Untraceable(name)
        overload.analyse()
        return self.call(overload, (*args, *overload.tail))

    def function(self, name: str, args: tuple[Any, ...]) -> Value:
        """``ops.name(*args)``: a helper of gradients, or an op of tensors only."""
        group = [o for o in OVERLOADS.named(name) if o.kind == FUNCTIONAL]
        helper = name.startswith("_") or name.endswith(("_backward", "_forward"))
        if not helper or len(group) != 1:
            return self.method(name, args)
        overload = group[0]
        overload.analyse()
        if len(args) != overload.arity or overload.row.composite is not None:
            raise Untraceable(name)
        return self.call(overload, args)

    def call(self, overload: Overload, args: tuple[Any, ...]) -> Value:
        """Note a call with all the arguments of the schema."""
        overload.analyse()
        texts, sigs = [], []
        for i, a in enumerate(args):
            if type(a) is Value:
                if i not in overload.tensor_positions:
                    raise Untraceable
                sigs.append(f"{a.text}._sig")
            elif i in overload.tensor_positions or i in overload.list_positions:
                raise Untraceable
            if isinstance(a, Stand) and type(a) is not Facts:
                texts.append(a.text)
            elif a is None or type(a) in (int, float, bool):
                texts.append(self.constant(a))
            else:
                raise Untraceable
        if overload.device_position >= 0:
            raise Untraceable
        table = self.cell("T", overload.table)
        text = self.name()
        self.lines.append(f"{text} = {table}[{' | '.join(sigs)}]({', '.join(texts)})")
        return Value(self, text)

    def refusal(self, name: str) -> str:
        """The text that reads a saved value that was changed: its property says so."""
        return f"getattr(node, {self.constant(name)})"

    def constant(self, value: Any) -> str:
        return self.cell("k", value)

    def cell(self, kind: str, value: Any) -> str:
        """The name by which the text has *value*, which other ops have another of."""
        self.cells += 1
        name = f"{self.prefix}{kind}{self.cells}"
        self.scope[name] = value
        return name
