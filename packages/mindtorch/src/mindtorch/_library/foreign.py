"""Calls of ops that are no rows: those that ``torch.library`` defined.

They go the way of all calls: one signature, one lookup (:mod:`mindtorch.call.dispatch_entry`). Here
is only the step before it, compiled per schema: arguments that are as the schema wants them go
straight to the table, all others through :func:`mindtorch.call.schema_binding.bind`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import Function, grad_mode
from mindtorch_dispatch import DispatchKey, FunctionSchema, Hop, Operator, errors, registry

from ..call.code import function
from ..call.dispatch_entry import Call
from ..call.forms import NO_OUT, PLAIN_DEVICES, PLAIN_INPLACE
from ..call.intercept import ApiTable
from ..call.overload import FUNCTIONAL, Overload
from ..call.row import Row
from ..call.schema_binding import bind, taken
from ..call.specialize import Builder, CallTable, build
from ..core import functionality_keys
from ..core import signature as S
from ..core.key_sets import grad_state, key_mask, tls_state
from ..functionality.pipeline import queued
from ..functionality.tangents import enabled
from ..tensor import Tensor
from .results import result_converter
from .unregistered import says_nothing, warning_upon_backward

__all__ = ["Foreign", "foreign_of", "with_builder"]


def _row_of_nothing() -> Row:
    row = Row()
    absent = (
        *("composite", "copies", "functional", "grad", "infer", "into"),
        *(
            "apart",
            "inverse",
            "kernel",
            "looks",
            "meta",
            "promote",
            "reduces",
            "tangent",
            "ufunc",
            "view",
        ),
    )
    for field in absent:
        setattr(row, field, None)
    row.half = row.inplace = row.random = False
    row.scalar_text = ""
    row.base = row.name = row.overload = row.module = row.out = row.samples = row.schema = ""
    row.node, row.autocast = (0, 0), ("", "")
    row.batch, row.devices = "", PLAIN_DEVICES
    row.out_form, row.inplace_form = NO_OUT, PLAIN_INPLACE
    row.tags, row.variants, row.where, row.kinds = (), "", ("", 0), {}
    return row


_ROW = _row_of_nothing()


class Foreign(Overload):
    """An op without a row, as :mod:`mindtorch.call.dispatch_entry` sees overloads.

    :ivar entry: calls the op; takes what the user wrote.
    :ivar convert: makes of a kernel's result what the call returns.
    """

    __slots__ = ("convert", "entry")

    mixes_devices = True

    def __init__(self, operator: Operator) -> None:
        super().__init__(_ROW, FUNCTIONAL, operator.base.partition("::")[2], operator.overload)
        self.name = operator.name
        self.operator = operator
        self.table = operator.call_table = CallTable(self)
        self.api = ApiTable(self)
        self.entry: Callable[..., Any] = self._first
        if operator.on_change is None:
            operator.on_change = []
        operator.on_change.append(self._changed)

    @property
    def schema_text(self) -> str:
        """The schema without the namespace."""
        return str(self.operator.schema).partition("::")[2]

    def special(self, hop: Hop, sig: int, mask: int) -> Any:
        """Record that nobody registered a gradient; in a pipeline, the kernel as a whole."""
        if says_nothing(self.operator, hop, sig, mask):
            return warning_upon_backward(
                self, build(self, sig, mask & functionality_keys.BELOW_AUTOGRAD)
            )
        if sig & S.DEFER and hop.key < DispatchKey.Python:
            return queued(self, build(self, sig & ~S.DEFER, mask))
        builder = getattr(hop.kernel.fn, "builder", None)
        return None if builder is None else builder(self, sig, mask)

    def dual(self, sig: int) -> Call:
        """The call for tensors with tangents: what it gives has none, and may not be recorded.

        Raises NotImplementedError upon a call that would be: a registered gradient has no ``jvp``.
        """
        call = self.table[sig]
        hop = self.operator.hop(key_mask(sig))
        if not getattr(hop.kernel.fn, "records", False):
            return call
        recorded = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED

        def without_tangents(*args: Any) -> Any:
            if recorded and enabled.get():
                Function.jvp(None)
            token = enabled.set(False)
            try:
                return call(*args)
            finally:
                enabled.reset(token)

        return without_tangents

    def _analyse(self) -> None:
        schema = self.operator.schema
        if schema is None:
            successor = registry.find_exact(self.name)
            defined_anew = None if successor is None else foreign_of(successor)
            if defined_anew is None or defined_anew is self:
                raise errors.schema_went_away()
            # Who still holds the op of before calls the one of its name.
            self.entry = lambda *args, **kwargs: defined_anew.entry(*args, **kwargs)
            return
        self._derive(schema)
        self.convert = result_converter(self.name, schema)
        self.entry = compiled_entry(self, schema)

    def _changed(self, operator: Operator) -> None:
        self.api.clear()
        if self._schema is not None and operator.schema is not self._schema:
            self._schema = None  # defined anew
            self.entry = self._first

    def _first(self, *args: Any, **kwargs: Any) -> Any:
        self._analyse()
        return self.entry(*args, **kwargs)

    def call(self, full: tuple[Any, ...]) -> Any:
        """Call with all arguments, in schema order, as kernels take them."""
        sig = 0
        for i in self.tensor_positions:
            t = full[i]
            if t is not None:
                sig |= t._sig_
        for i in self.list_positions:
            for t in full[i] or ():
                if t is not None:
                    sig |= t._sig_
        return self.api[sig | grad_state() | tls_state()](*full)

    def general(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with whatever the user wrote. Raises torch's errors for what does not fit."""
        return self.call(bind(self.schema, args, kwargs, taken))


def with_builder(kernel: Callable[..., Any], builder: Builder) -> Callable[..., Any]:
    """*kernel*, for which *builder* makes the calls of ops without a row."""
    kernel.builder = builder
    return kernel


def foreign_of(operator: Operator) -> Foreign | None:
    """The calls of *operator*; None for a row."""
    table = operator.call_table
    known = getattr(table, "overload", None)
    if known is None:
        return Foreign(operator)
    return known if isinstance(known, Foreign) else None


#: Types whose values go to kernels as they are, if they are of exactly this class.
_EXACT = {"float": "float", "int": "int", "SymInt": "int", "bool": "bool", "str": "str"}


def compiled_entry(overload: Foreign, schema: FunctionSchema) -> Callable[..., Any]:
    """The function that takes the user's arguments; generated, for it is on the path of each call.

    Positional arguments of exactly the schema's types are looked up at once. Keywords, defaults
    and everything that must be converted take the general way.
    """
    names: list[str] = []
    checks: list[str] = []
    lists: list[str] = []
    sigs: list[str] = []
    for i, argument in enumerate(schema.arguments):
        if argument.kwarg_only:
            break
        name = f"a{i}"
        names.append(name)
        kind = str(argument.real_type)
        if kind == "Tensor":
            checks.append(f"isinstance({name}, Tensor)")
            sigs.append(f"{name}._sig_")
        elif kind == "Optional[Tensor]":
            checks.append(f"({name} is None or isinstance({name}, Tensor))")
            sigs.append(f"(0 if {name} is None else {name}._sig_)")
        elif kind == "List[Tensor]":
            checks.append(f"type({name}) is list")
            lists.append(name)
        elif kind in _EXACT:
            checks.append(f"type({name}) is {_EXACT[kind]}")
        else:
            checks.append("False")
    keyword_only = len(names) != len(schema.arguments)
    lines = ["def entry(*args, **kwargs):"]
    if not keyword_only and "False" not in checks:
        lines.append(f"    if not kwargs and len(args) == {len(names)}:")
        if names:
            lines.append(f"        {', '.join(names)}, = args")
        lines.append(f"        if {' and '.join(checks) or 'True'}:")
        lines.append(f"            sig = {' | '.join(sigs) or '0'}")
        for name in lists:
            lines.append(f"            {name} = {name}.copy()")
            lines.append(f"            for t in {name}:")
            lines.append("                if not isinstance(t, Tensor):")
            lines.append("                    return general(args, kwargs)")
            lines.append("                sig |= t._sig_")
        lines.append(f"            return table[sig | grad() | tls()]({', '.join(names)})")
    lines.append("    return general(args, kwargs)")
    scope: dict[str, Any] = {
        "Tensor": Tensor,
        "general": overload.general,
        "grad": grad_state,
        "table": overload.api,
        "tls": tls_state,
    }
    entry: Callable[..., Any] = function("\n".join([*lines, "return entry"]), scope)
    return entry
