"""Sizes of arguments that vary: their symbols, and what a program made of them.

Imported for programs of which something is said of sizes: symbols need sympy.
"""

from __future__ import annotations

from typing import Any

import sympy

from .._dynamo.exc import UserError, UserErrorType
from .._subclasses.fake_tensor import FakeTensorMode
from ..aten.symbolic_numbers import SymInt
from ..fx import GraphModule
from ..fx.experimental._shape_env import ShapeEnv
from ..fx.experimental._symbolic_context import (
    DimDynamic,
    RelaxedUnspecConstraint,
    SizeSource,
    Source,
    StatelessSymbolicContext,
    StrictMinMaxConstraint,
)
from ..fx.experimental.symbolic_shapes import ConstraintViolationError
from ..tensor import Tensor
from ..utils._pytree import keystr
from ..utils._sympy.numbers import int_oo
from ..utils._sympy.printers import python_text
from ..utils._sympy.solve import try_solve
from ..utils._sympy.value_ranges import ValueRangeError, ValueRanges
from ._said_of_shapes import check_shapes, named, of_each_leaf
from ._violations import Promise, Violations
from .dynamic_shapes import Dim, _DerivedDim, _DimHint, _DimHintType

__all__ = ["VaryingSizes"]


class VaryingSizes:
    """What is said of the arguments of one program.

    :param arguments: them, by the names of parameters.
    :param said: what is said, nested as they are.
    :param sources: the code that gives each leaf of them, flat.

    Raises UserError where what is said does not fit.
    """

    def __init__(
        self, arguments: dict[str, Any], said: Any, sources: list[str], prefer_deferred: bool
    ) -> None:
        check_shapes(arguments, said)
        self.said = said
        self.leaves = [
            (named(path, arguments), value, shape)
            for path, value, shape in of_each_leaf(arguments, said)
        ]
        self.sources = sources
        self.env = ShapeEnv(
            tracked_fakes=[],
            prefer_deferred_runtime_asserts_over_guards=prefer_deferred,
            trace_asserts=True,
        )
        self.mode = FakeTensorMode(
            allow_non_fake_inputs=True, export=True, shape_env=self.env, static_shapes=True
        )
        #: What was promised of each size, in order.
        self.promises: list[Promise] = []
        self._fakes: list[Any] = []

    # -- before the program runs -------------------------------------------------------------------

    def stand_ins(self) -> list[Any]:
        """What stands for each leaf of the arguments; tensors that are the same are one."""
        made: dict[int, Any] = {}
        for (_, value, shape), name in zip(self.leaves, self.sources, strict=True):
            source = Source(name)
            if isinstance(value, Tensor):
                if id(value) not in made:
                    made[id(value)] = self._of_tensor(value, shape, source)
                self._fakes.append(made[id(value)])
            elif isinstance(shape, _DimHint) and shape.type is not _DimHintType.STATIC:
                self._fakes.append(self._of_number(value, shape, source))
            else:
                self._fakes.append(value)
        self._unify()
        return self._fakes

    def _of_number(self, value: int, hint: _DimHint, source: Source) -> Any:
        symbol = self.env.create_symbol(value, source, DimDynamic.DYNAMIC)
        return self.env.create_symintnode(symbol, hint=value, source=source)

    def _of_tensor(self, value: Tensor, shape: Any, source: Source) -> Any:
        rank = value.dim()
        items = dict(enumerate(shape)) if isinstance(shape, (list, tuple)) else shape or {}
        kinds, constraints = [DimDynamic.STATIC] * rank, [None] * rank
        for i, dim in items.items():
            place = SizeSource(source, i)
            if isinstance(dim, int) and dim != value.shape[i]:
                raise ConstraintViolationError(f"{value.shape[i]} not in range [{dim}, {dim}]")
            kinds[i], constraint = self._of_size(dim)
            constraints[i] = constraint
            if isinstance(dim, Dim):
                self.env.source_name_to_debug_name[place.name] = dim.__name__
                self.promises.append(Promise(place, dim, constraint, value.shape[i]))
            elif isinstance(dim, _DimHint):
                self.promises.append(Promise(place, None, constraint, value.shape[i]))
        context = StatelessSymbolicContext(dynamic_sizes=kinds, constraint_sizes=constraints)
        try:
            made = self.mode.from_tensor(value, source=source, symbolic_context=context)
        except ConstraintViolationError as error:
            raise ConstraintViolationError(str(error)) from None
        for promise in self.promises:
            if promise.source.base == source:
                promise.size = made.shape[promise.source.idx]
        return made

    def _of_size(self, dim: Any) -> tuple[DimDynamic, Any]:
        if isinstance(dim, Dim):
            return DimDynamic.DYNAMIC, StrictMinMaxConstraint(False, ValueRanges(dim.min, dim.max))
        if not isinstance(dim, _DimHint) or dim.type is _DimHintType.STATIC:
            return DimDynamic.STATIC, None
        strict = dim.type is _DimHintType.DYNAMIC
        return DimDynamic.DYNAMIC, RelaxedUnspecConstraint(False) if strict else None

    def _unify(self) -> None:
        """Let sizes of one name be one symbol, and derived ones follow from their roots."""
        roots: dict[str, Any] = {}
        named = [p for p in self.promises if p.dim is not None]
        for promise in named:
            if not isinstance(promise.dim, _DerivedDim):
                known = roots.setdefault(promise.dim.__name__, promise.size)
                if known is not promise.size:
                    self._same(promise, known)
        for promise in named:
            if isinstance(promise.dim, _DerivedDim):
                root = promise.dim.root.__name__
                if root not in roots:
                    roots[root] = self._phantom(promise)
                self._same(promise, promise.dim.fn(roots[root]))

    def _phantom(self, promise: Promise) -> Any:
        """The symbol of a root that is no size itself. Raises UserError where it has no value."""
        dim = promise.dim
        value, rest = divmod(promise.value - dim.addend, dim.factor)
        if rest:
            name = dim.root.__name__
            raise UserError(
                UserErrorType.CONSTRAINT_VIOLATION,
                f"Expected shape[{promise.source.idx}] = {promise.value} of input Tensor to be "
                f"of the form {dim.__name__}, where {name} is an integer",
            )
        limits = StrictMinMaxConstraint(False, ValueRanges(dim.root.min, dim.root.max))
        symbol = self.env.create_symbol(
            value, Source(dim.root.__name__), DimDynamic.DYNAMIC, limits
        )
        return self.env.create_symintnode(symbol, hint=value)

    def _same(self, promise: Promise, other: Any) -> None:
        size = promise.size
        if not isinstance(size, SymInt) or not isinstance(other, SymInt):
            return
        a, b = size.node.expr, other.node.expr
        if self.env.hint(a) != self.env.hint(b):
            raise ConstraintViolationError(
                f"{promise.dim.__name__} = {self.env.hint(a)} is not equal to {self.env.hint(b)}"
            )
        first = max(a.free_symbols | b.free_symbols, key=self.env._order)
        if b.is_Symbol and first == b:
            self.env._set_replacement(b, a)
        elif a.is_Symbol:
            self.env._set_replacement(a, b)

    # -- afterwards --------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise UserError where the program made something else of sizes than was promised."""
        self.env.freeze()
        found = Violations(self.env, self.promises).text()
        if found:
            raise UserError(UserErrorType.CONSTRAINT_VIOLATION, found)

    def guards_code(self) -> list[str]:
        """What was assumed and does not follow from ranges, as code."""
        names = {symbol: found[0].name for symbol, found in self.env.var_to_sources.items()}
        guards = dict.fromkeys(self.env.replace(guard.expr) for guard in self.env.guards)
        return [python_text(expr, names) for expr in guards if not self.env.is_redundant(expr)]

    def ranges(self, gm: GraphModule, skipped: int) -> dict[Any, ValueRanges]:
        """The range of each size of the arguments that varies.

        :param skipped: how many inputs of the graph come before the arguments.

        Raises ValueError where a size is in no range that was given without a name.
        """
        env, found, conflicts = self.env, {}, []
        symbols: dict[Any, None] = {}
        placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"][skipped:]
        for node, (path, value, shape) in zip(placeholders, self.leaves, strict=True):
            meta = node.meta.get("val")
            if isinstance(meta, SymInt):
                sizes: list[Any] = [meta]
                items: dict[Any, Any] = {0: shape}
                hints, places = [value], [f"inputs{keystr(path)}"]
            elif isinstance(meta, Tensor):
                sizes = list(meta.shape)
                items = dict(enumerate(shape)) if isinstance(shape, (list, tuple)) else shape or {}
                hints = list(value.shape)
                places = [f"inputs{keystr(path)}.shape[{i}]" for i in range(len(sizes))]
            else:
                continue
            for i, size in enumerate(sizes):
                dim = items.get(i)
                expr = size.node.expr if isinstance(size, SymInt) else sympy.Integer(size)
                if not expr.is_number:
                    symbols.update(dict.fromkeys(sorted(expr.free_symbols, key=str)))
                    named = isinstance(dim, Dim)
                    limit = ValueRanges(dim.min, dim.max) if named else env.bound_sympy(expr)
                    known = found.get(expr, ValueRanges(0, int_oo))
                    found[expr] = known & limit
                if isinstance(dim, _DimHint):
                    conflicts += self._bounded(dim, expr, found, hints[i], places[i])
        if conflicts:
            told = (
                "Found the following conflicts between user-specified ranges and inferred ranges "
                "from model tracing:\n"
            )
            raise ValueError(told + "\n".join(conflicts))
        for symbol in symbols:
            found.setdefault(symbol, env.var_to_range[symbol])
        return found

    def _bounded(
        self, dim: _DimHint, expr: Any, found: dict[Any, Any], hint: int, place: str
    ) -> list[str]:
        """Keep a size in the bounds that its hint has; what is wrong with that."""
        traced = ValueRanges(expr, expr) if expr.is_number else found[expr]
        wanted = ValueRanges(dim.min or 0, int_oo if dim.max is None else dim.max)
        told = "- Received user-specified "
        try:
            kept = traced & wanted
        except ValueRangeError:
            return [
                f"{told}min/max range of [{dim.min}, {dim.max}], conflicting with the inferred "
                f"min/max range of [{traced.lower}, {traced.upper}], for {place}."
            ]
        if not expr.is_number:
            found[expr] = kept
            if expr.is_Symbol:
                self.env.var_to_range[expr] = self.env.var_to_range[expr] & wanted
        if dim.type is _DimHintType.DYNAMIC and kept.is_singleton():
            what = (
                f"export 0/1 specialized due to hint of {hint}"
                if traced.is_singleton() and hint in (0, 1)
                else f"tracing inferred a static shape of {kept.lower}"
            )
            return [
                f"{told}dim hint Dim.DYNAMIC(min={dim.min}, max={dim.max}), but {what} for "
                f"dimension {place}."
            ]
        return []


def solved_for(expr: Any, value: Any, symbol: Any) -> Any:
    """What *symbol* is where *expr* is *value*; None where that is not told."""
    found = try_solve(sympy.Eq(expr, value, evaluate=False), symbol)
    return None if found is None else found[1]
