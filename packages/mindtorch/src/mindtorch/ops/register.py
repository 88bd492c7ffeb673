"""From rows to the API: overloads, dispatcher registrations, functions and methods.

Everything loops over :data:`mindtorch.ops.row.ROWS`. A function or method is a closure over its
overloads; the common calls (one or two tensors, the rest default) go straight to the overload's
call table, all others through the argument parser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import registry
from mindtorch_dispatch.operator import BOXED, Kernel

from .. import signature as S
from ..backends.cpu import cpu
from ..backends.meta import meta
from ..backends.npu import npu
from ..backends.transfer import transfer_cpu, transfer_meta, transfer_npu
from ..calls import (
    OVERLOADS,
    CallTable,
    LeadTable,
    full_arguments,
    grad_state,
    run,
    tls_state,
)
from ..functionality.autograd import autograd
from ..functionality.backend_select import backend_select
from ..functionality.inplace_or_view import inplace_or_view
from ..functionality.pipeline import pipeline
from ..tensor import Tensor
from .arguments import parser_of
from .overload import FUNCTIONAL, INPLACE, OUT, Overload, inplace_schema, out_schema
from .row import ROWS, Row

#: ``torch.x`` functions, and those of torch's ``python_module``s, by name.
FUNCTIONS: dict[str, Callable[..., Any]] = {}
#: ``Tensor.x`` methods by name.
METHODS: dict[str, Callable[..., Any]] = {}
NUMBER_SIG = S.NUMBER_SIG


def register_rows() -> None:
    """Register every row that is not registered yet."""
    functions: dict[str, list[Overload]] = {}
    methods: dict[str, list[Overload]] = {}
    for row in ROWS.values():
        for overload in overloads_of(row):
            if overload.name in OVERLOADS:
                continue
            _register(overload)
            if "function" in row.variants:
                functions.setdefault(overload.base, []).append(overload)
            if "method" in row.variants and overload.kind != OUT:
                methods.setdefault(overload.base, []).append(overload)
    for base, group in functions.items():
        FUNCTIONS[base] = make_function(base, group)
    for base, group in methods.items():
        METHODS[base] = make_method(base, group)


def overloads_of(row: Row) -> list[Overload]:
    """The overloads that a row makes."""
    if "(a!)" in row.schema:
        kind = OUT if ", Tensor(a!) out" in row.schema else INPLACE
        return [Overload(row, kind, row.schema)]
    found = [Overload(row, FUNCTIONAL, row.schema)]
    if row.inplace:
        found.append(Overload(row, INPLACE, inplace_schema(row)))
    if row.out:
        found.append(Overload(row, OUT, out_schema(row)))
    return found


_BACKENDS = ((K.CPU, cpu), (K.NPU, npu), (K.Meta, meta))
_TRANSFERS = ((K.CPU, transfer_cpu), (K.NPU, transfer_npu), (K.Meta, transfer_meta))


def _register(overload: Overload) -> None:
    """Give the dispatcher the overload's schema and its kernels at each key."""
    row = overload.row
    operator = registry.register_op("aten::" + overload.schema_text, {}, where=row.where)
    overload.operator = operator
    overload.table = operator.call_table = CallTable(overload)
    overload.lead = LeadTable(overload)
    operator.on_change = [_forget]
    OVERLOADS[overload.name] = overload
    entries = operator.entries
    where = row.where

    def put(key: K, fn: Callable[..., Any]) -> None:
        entries[key] = Kernel(fn, key, BOXED, where, operator)

    if row.composite is not None:
        put(K.CompositeImplicitAutograd, cpu)
        return
    for key, fn in _TRANSFERS if "transfer" in row.tags else _BACKENDS:
        put(key, fn)
    put(K.Autograd, autograd)
    put(K.Pipeline, pipeline)
    if overload.kind != FUNCTIONAL or row.view is not None:
        put(K.ADInplaceOrView, inplace_or_view)
    if "Tensor" not in overload.schema_text.partition(" -> ")[0]:
        put(K.BackendSelect, backend_select)


def _forget(operator: Any) -> None:
    """The dispatcher empties an op's call table when its registrations change; so do we ours."""
    OVERLOADS[operator.name].lead.clear()


# Functions and methods ----------------------------------------------------------------------------


def fast_overload(group: list[Overload], n: int) -> Overload | None:
    """The overload that a call with *n* tensors and nothing else means."""
    for overload in group:
        if overload.kind != OUT and overload.leading == n:
            return None if overload.structure_name() else overload
    return None


def make_function(base: str, group: list[Overload]) -> Callable[..., Any]:
    """``torch.base``."""
    parser = parser_of(base, group, method=False)
    one, two = fast_overload(group, 1), fast_overload(group, 2)
    table1 = one.lead if one else None
    table2 = two.lead if two else None

    def function(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            if len(args) == 2:
                if table2 is not None:
                    a, b = args
                    if isinstance(a, Tensor) and isinstance(b, Tensor):
                        call = table2[a._sig | b._sig | grad_state() | tls_state()]
                        return call(a, b)
            elif len(args) == 1 and table1 is not None:
                a = args[0]
                if isinstance(a, Tensor):
                    call = table1[a._sig | grad_state() | tls_state()]
                    return call(a)
        which, bound = parser.parse(args, kwargs)
        return run_bound(parser, which, group[which], bound)

    function.__name__ = function.__qualname__ = base
    function.__module__ = "torch"
    return function


def internal(name: str) -> Callable[..., Any] | None:
    """A helper of gradient formulas, called without the parser; None for any other name."""
    if not (name.endswith("_backward") or name.startswith("_")):
        return None
    group = [o for o in OVERLOADS.values() if o.base == name and o.kind != OUT]
    if len(group) != 1:
        return None
    overload = group[0]

    def call(*args: Any, **kwargs: Any) -> Any:
        return run(overload, full_arguments(overload, args, kwargs))

    return call


def aten_function(name: str) -> Callable[..., Any] | None:
    """The op *name* with its parser, also where torch offers neither function nor method."""
    group = [o for o in OVERLOADS.values() if o.base == name]
    return make_function(name, group) if group else None


def make_method(base: str, group: list[Overload]) -> Callable[..., Any]:
    """``Tensor.base``."""
    parser = parser_of(base, group, method=True)
    one, two = fast_overload(group, 1), fast_overload(group, 2)
    method: Callable[..., Any]

    def slow(self: Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        which, bound = parser.parse(args, kwargs, self)
        return run_bound(parser, which, group[which], bound)

    if one is not None:
        table = one.lead

        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            if args or kwargs:
                return slow(self, args, kwargs)
            return table[self._sig | grad_state() | tls_state()](self)

    elif two is not None:
        table = two.lead

        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            if len(args) == 1 and not kwargs:
                other = args[0]
                if isinstance(other, Tensor):
                    call = table[self._sig | other._sig | grad_state() | tls_state()]
                    return call(self, other)
            return slow(self, args, kwargs)

    elif base in ("view", "reshape", "expand", "permute"):
        method = _sizes_method(group, slow)
    else:

        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            return slow(self, args, kwargs)

    method.__name__ = base
    method.__qualname__ = f"Tensor.{base}"
    return method


def run_bound(parser: Any, which: int, overload: Overload, bound: tuple[Any, ...]) -> Any:
    """Call *overload* with what the parser made; ``requires_grad`` of factories comes last."""
    if overload._schema is None:
        overload._analyse()
    n = overload.arity
    pack = overload.pack
    if len(bound) == n:
        return run(overload, bound) if pack is None else pack(run(overload, bound))
    result = run(overload, bound[:n])
    extras = dict(zip(parser.extras(which), bound[n:], strict=True))
    if extras.get("requires_grad"):
        result.requires_grad_()
    return result


def _sizes_method(group: list[Overload], slow: Callable[..., Any]) -> Callable[..., Any]:
    """Methods that take ints, together or one by one: the usual calls skip the parser."""
    table = group[0].lead

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if args and not kwargs:
            size = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
            if size and type(size[0]) is int and type(size[-1]) is int:
                return table[self._sig | grad_state() | tls_state()](self, size)
        return slow(self, args, kwargs)

    return method


_BINARY = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
}
_UNARY = {"neg": "neg", "pos": "positive", "abs": "abs", "invert": "bitwise_not"}
_COMMUTATIVE = ("add", "mul", "and", "or", "xor")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def attach_methods() -> None:
    """Put methods and operators on ``Tensor``."""
    for name, method in METHODS.items():
        if not any(name in cls.__dict__ for cls in Tensor.__mro__[:-1]):
            setattr(Tensor, name, method)
    for dunder, base in _BINARY.items():
        operator = _binary_operator(base)
        if operator is None:
            continue
        _put(f"__{dunder}__", operator)
        if dunder in _COMMUTATIVE:
            _put(f"__r{dunder}__", operator)
        elif dunder not in _COMPARISONS:
            _put(f"__r{dunder}__", _reflected(dunder, base))
        if dunder not in _COMPARISONS and base + "_" in METHODS:
            _put(f"__i{dunder}__", _in_place_operator(base + "_"))
    for dunder, base in _UNARY.items():
        if base in METHODS:
            _put(f"__{dunder}__", METHODS[base])
    Tensor.__div__ = Tensor.__truediv__  # type: ignore[attr-defined]
    Tensor.__hash__ = lambda self: id(self)  # type: ignore[method-assign]


def _put(name: str, function: Any) -> None:
    setattr(Tensor, name, function)


def _binary_operator(base: str) -> Callable[..., Any] | None:
    group = [o for o in OVERLOADS.values() if o.base == base and o.kind != OUT]
    overload = fast_overload(group, 2)
    if overload is None:
        return None
    table = overload.lead
    function = FUNCTIONS.get(base) or METHODS[base]
    # Without an overload for numbers the tensor overload takes them as wrapped numbers.
    takes_numbers = not any(".Scalar" in o.name or "Tensor_Scalar" in o.name for o in group) or base in (
        "add", "sub", "mul", "div", "floor_divide",
    )  # fmt: skip

    def operator(self: Any, other: Any) -> Any:
        if isinstance(other, Tensor):
            call = table[self._sig | other._sig | grad_state() | tls_state()]
            return call(self, other)
        if takes_numbers:
            bit = NUMBER_SIG.get(type(other))
            if bit is not None:
                call = table[self._sig | bit | grad_state() | tls_state()]
                return call(self, other)
        try:
            return function(self, other)
        except TypeError:
            return NotImplemented

    return operator


def _reflected(dunder: str, base: str) -> Callable[..., Any]:
    if dunder == "truediv":

        def operator(self: Any, other: Any) -> Any:
            return self.reciprocal() * other

    elif dunder == "sub":

        def operator(self: Any, other: Any) -> Any:
            try:
                return FUNCTIONS["rsub"](self, other)
            except TypeError:
                return NotImplemented

    else:

        def operator(self: Any, other: Any) -> Any:
            function = FUNCTIONS[base]
            try:
                return function(other, self)
            except TypeError:
                return NotImplemented

    return operator


def _in_place_operator(base: str) -> Callable[..., Any]:
    method = METHODS[base]

    def operator(self: Any, other: Any) -> Any:
        try:
            return method(self, other)
        except TypeError:
            return NotImplemented

    return operator
