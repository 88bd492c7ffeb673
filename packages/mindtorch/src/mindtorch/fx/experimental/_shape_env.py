"""Where symbols of sizes live: their values in this run, their ranges, and what was assumed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sympy

from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt
from ...utils._sympy.functions import FloorDiv, Mod
from ...utils._sympy.numbers import int_oo
from ...utils._sympy.solve import try_solve
from ...utils._sympy.symbol import SymT, make_symbol
from ...utils._sympy.value_ranges import ValueRanges, bound_sympy
from ._shape_errors import ConstraintViolationError, asked_by_assert, data_dependent_error
from ._symbolic_context import (
    DimDynamic,
    RuntimeAssert,
    ShapeEnvSettings,
    ShapeGuard,
    Source,
    StrictMinMaxConstraint,
)
from ._unbacked import UnbackedSymbols
from ._value_solver import known_truth, matters, whole
from .sym_node import SymNode

__all__ = ["RuntimeAssert", "ShapeEnv", "ShapeGuard"]


class ShapeEnv(UnbackedSymbols):
    """The symbols of one program.

    :param specialize_zero_one: sizes of 0 and 1 are numbers, and symbols are 2 at least.
    :param duck_shape: sizes that are equal in this run are the same symbol.
    :param assume_static_by_default: sizes of which nothing was said are numbers.
    :param allow_scalar_outputs: numbers read from tensors are symbols without a value.
    :param allow_dynamic_output_shape_ops: so are sizes that depend on data.
    :param trace_asserts: what the program asserts of data is checked in each run.
    """

    def __init__(
        self,
        *,
        should_record_events: bool | None = None,
        tracked_fakes: list[Any] | None = None,
        specialize_zero_one: bool = True,
        duck_shape: bool | None = None,
        assume_static_by_default: bool = False,
        allow_scalar_outputs: bool = True,
        allow_dynamic_output_shape_ops: bool = True,
        prefer_deferred_runtime_asserts_over_guards: bool = False,
        co_fields: Mapping[str, Any] | None = None,
        trace_asserts: bool = False,
    ) -> None:
        super().__init__()
        self.tracked_fakes = tracked_fakes
        self.settings = ShapeEnvSettings(
            allow_scalar_outputs,
            allow_dynamic_output_shape_ops,
            assume_static_by_default,
            specialize_zero_one,
            True if duck_shape is None else duck_shape,
            prefer_deferred_runtime_asserts_over_guards,
            trace_asserts,
        )
        self.guards: list[ShapeGuard] = []
        self.axioms: set[Any] = set()
        self.backed_var_to_val: dict[Any, Any] = {}
        self.var_to_range: dict[Any, ValueRanges] = {}
        self.var_to_sources: dict[Any, list[Any]] = {}
        self.source_name_to_debug_name: dict[str, str] = {}
        self.replacements: dict[Any, Any] = {}
        self.divisible: set[Any] = set()
        self.val_to_var: dict[int, Any] = {0: sympy.S.Zero, 1: sympy.S.One}
        self.unique_ids: set[int] = set()
        self.frozen = False
        self.runtime_asserts_frozen = False
        self._suppressed = 0
        self.inside_operators = 0

    @property
    def var_to_val(self) -> dict[Any, Any]:
        """The value of each symbol in this run."""
        return self.backed_var_to_val

    @property
    def allow_scalar_outputs(self) -> bool:
        """Whether numbers read from tensors are symbols."""
        return self.settings.allow_scalar_outputs

    @property
    def allow_dynamic_output_shape_ops(self) -> bool:
        """Whether sizes that depend on data are symbols."""
        return self.settings.allow_dynamic_output_shape_ops

    @property
    def assume_static_by_default(self) -> bool:
        """Whether sizes of which nothing was said are numbers."""
        return self.settings.assume_static_by_default

    @property
    def specialize_zero_one(self) -> bool:
        """Whether sizes of 0 and 1 are numbers."""
        return self.settings.specialize_zero_one

    @property
    def duck_shape(self) -> bool:
        """Whether sizes that are equal in this run are the same symbol."""
        return self.settings.duck_shape

    @property
    def prefer_deferred_runtime_asserts_over_guards(self) -> bool:
        """Whether what is assumed of sizes is checked in each run where it can be."""
        return self.settings.prefer_deferred_runtime_asserts_over_guards

    def __deepcopy__(self, memo: Any) -> ShapeEnv:
        return self

    # -- symbols -----------------------------------------------------------------------------------

    def create_symbol(
        self,
        val: Any,
        source: Any,
        dynamic_dim: Any = DimDynamic.DUCK,
        constraint_dim: Any = None,
        positive: bool | None = True,
        do_not_specialize_zero_one: bool = False,
        symbolic_context: Any = None,
    ) -> Any:
        """The symbol of a size that is *val* in this run; a number where it is to be one.

        Raises ConstraintViolationError where *val* is not in the range that it is to have.
        """
        if constraint_dim is not None:
            dynamic_dim = DimDynamic.DYNAMIC
        if dynamic_dim is DimDynamic.STATIC:
            return sympy.Integer(val)
        if val in (0, 1) and self.specialize_zero_one and not do_not_specialize_zero_one:
            return sympy.Integer(val)
        duck = dynamic_dim is DimDynamic.DUCK and self.duck_shape
        if duck and val in self.val_to_var:
            symbol = self.val_to_var[val]
        else:
            kind = SymT.SIZE if isinstance(val, int) else SymT.FLOAT
            told = {"integer": True} if isinstance(val, int) else {"real": True}
            number = self._generate_unique_id(source.name)
            symbol = make_symbol(kind, number, positive=positive, **told)
            self.backed_var_to_val[symbol] = sympy.sympify(val)
            self.var_to_sources[symbol] = []
            if duck:
                self.val_to_var[val] = symbol
            least = 2 if self.specialize_zero_one and not do_not_specialize_zero_one else 0
            if not positive:
                least = -int_oo
            known = ValueRanges(least, int_oo)
            if isinstance(constraint_dim, StrictMinMaxConstraint):
                known = known & constraint_dim.vr
            self.var_to_range[symbol] = known
            if val not in known:
                raise ConstraintViolationError(f"{val} not in range [{known.lower}, {known.upper}]")
        if isinstance(symbol, sympy.Symbol):
            self.var_to_sources[symbol].append(source)
        return symbol

    def create_unspecified_symbol(
        self, val: Any, source: Any, dynamic_dim: Any = DimDynamic.DUCK, constraint_dim: Any = None
    ) -> Any:
        """The symbol of a number that is no size."""
        return self.create_symbol(val, source, dynamic_dim, constraint_dim, None, True)

    def symbol_of_number(self, value: Any, source: Any) -> Any:
        """The number of a tensor that comes from *source*, as a symbol."""
        item = Source(f"{source.name}.item()")
        symbol = self.create_unspecified_symbol(value, item, DimDynamic.DYNAMIC)
        make = self.create_symintnode if isinstance(value, int) else self.create_symfloatnode
        return make(symbol, hint=value, source=item)

    def create_unspecified_symint_and_symbol(
        self, value: int, source: Any, dynamic_dim: Any
    ) -> Any:
        """The number of a symbol that is no size."""
        symbol = self.create_unspecified_symbol(value, source, dynamic_dim)
        return self.create_symintnode(symbol, hint=value, source=source)

    def _generate_unique_id(self, source_name: str) -> int:
        """A number for a symbol of this source: the same in each run."""
        number = int(hashlib.sha256(source_name.encode()).hexdigest(), 16) % 100
        while number in self.unique_ids:
            number += 1
        self.unique_ids.add(number)
        return number

    def create_symintnode(self, sym: Any, *, hint: int | None = None, source: Any = None) -> Any:
        """The number of an expression: an int where it is one."""
        if isinstance(sym, sympy.Integer):
            return int(sym)
        return SymInt(SymNode(sym, self, int))

    def create_symfloatnode(self, sym: Any, *, hint: Any = None, source: Any = None) -> Any:
        """The float of an expression."""
        return SymFloat(SymNode(sym, self, float))

    def create_symboolnode(self, sym: Any) -> SymBool:
        """The truth of an expression."""
        return SymBool(SymNode(sym, self, bool))

    # -- what is known -----------------------------------------------------------------------------

    def replace(self, expr: Any) -> Any:
        """*expr* with what symbols are known to be."""
        while self.replacements:
            found = expr.xreplace(self.replacements)
            if found == expr:
                break
            expr = found
        return expr

    def simplify(self, expr: Any, size_oblivious: bool = False) -> Any:
        """The same in a simpler form."""
        expr = self.replace(expr)
        if self.divisible and expr.has(Mod):
            expr = expr.xreplace({self.replace(m): sympy.S.Zero for m in self.divisible})
        return expr

    def _exact(self, expr: Any) -> Any:
        """*expr* with plain divisions for those that are known to have no remainder."""
        if not self.divisible or not expr.has(FloorDiv):
            return expr
        exact = {
            a: sympy.expand(a.base / a.divisor)
            for a in expr.atoms(FloorDiv)
            if Mod(a.base, a.divisor) in self.divisible and a.divisor.is_number
        }
        return expr.xreplace(exact)

    def _known(self, expr: Any, axioms: Any = None) -> bool | None:
        """Whether *expr* is true whatever the sizes; None where that depends on them."""
        return known_truth(
            self._exact(expr), self.var_to_range, self.axioms if axioms is None else axioms
        )

    def is_redundant(self, expr: Any) -> bool:
        """Whether what was assumed follows from the ranges of symbols."""
        return known_truth(self.replace(expr), self.var_to_range, ()) is not None

    def hint(self, expr: Any) -> Any:
        """The value of *expr* in this run; None where it depends on data."""
        found = expr.xreplace(self.backed_var_to_val)
        return None if found.free_symbols else found

    def size_hint(self, expr: Any, *, allow_none: bool = False) -> Any:
        """The value of *expr* in this run. Raises GuardOnDataDependentSymNode without one."""
        found = self.hint(self.replace(sympy.sympify(expr)))
        if found is None and not allow_none:
            raise self.data_dependent(expr)
        return found

    def bound_sympy(self, expr: Any, size_oblivious: bool = False) -> ValueRanges:
        """The range of an expression."""
        return bound_sympy(expr, self.var_to_range)

    def _maybe_evaluate_static(self, expr: Any, **how: Any) -> Any:
        """The truth or number that *expr* is whatever the sizes; None if there is none."""
        expr = self.simplify(sympy.sympify(expr))
        if isinstance(expr, (sympy.logic.boolalg.Boolean, sympy.Rel)):
            found = self._known(expr, how.get("axioms"))
            return None if found is None else sympy.true if found else sympy.false
        return expr if expr.is_number else None

    def data_dependent(self, expr: Any, unhinted: Any = None) -> Exception:
        """The error of a decision that depends on data."""
        return data_dependent_error(self, expr)

    # -- what is assumed ---------------------------------------------------------------------------

    def evaluate_number(self, expr: Any) -> Any:
        """The value of *expr* in this run, which it has from now on."""
        expr = self.simplify(expr)
        if expr.is_number:
            return expr
        value = self.hint(expr)
        if value is None:
            known = self.bound_sympy(expr)
            if known.is_singleton():
                return known.lower
            raise self.data_dependent(expr)
        if isinstance(value, sympy.Integer):
            self._assume(sympy.Eq(expr, value))
        else:  # a float: what it was computed of is known
            for symbol in expr.free_symbols:
                self._assume(sympy.Eq(symbol, self.backed_var_to_val[symbol]))
        return value

    def evaluate_expr(
        self, orig_expr: Any, hint: Any = None, fx_node: Any = None, fallback_value: Any = None
    ) -> Any:
        """The truth of an expression in this run, which it has from now on.

        :param fallback_value: what it is where it depends on data. Raises
            GuardOnDataDependentSymNode there without one, unless an operator asks: it has the
            answer for the sizes that it runs on.
        """
        expr = self.simplify(sympy.sympify(orig_expr))
        if not isinstance(expr, (sympy.logic.boolalg.Boolean, sympy.Rel)):
            return self.evaluate_number(expr)
        known = self._known(expr)
        if known is not None:
            return known
        value = self.hint(expr)
        if value is None:
            if fallback_value is not None:
                return fallback_value
            if self.inside_operators:
                return bool(self.representatives.of(expr))
            if self.settings.trace_asserts and asked_by_assert():
                return self.guard_or_defer_runtime_assert(expr)
            raise self.data_dependent(expr)
        truth = bool(value)
        self._assume(expr if truth else sympy.Not(expr))
        return truth

    def guard_or_defer_runtime_assert(
        self, orig_expr: Any, msg: str = "", fx_node: Any = None
    ) -> bool:
        """Assume an expression; where it depends on data, it is checked in each run."""
        expr = self.simplify(orig_expr)
        known = self._known(expr)
        if known is not None:
            return known
        if self.hint(expr) is not None:
            return bool(self.evaluate_expr(expr))
        self.axioms.add(expr)
        self._learn(expr)
        self._defer(orig_expr, msg)
        return True

    def _assume(self, expr: Any) -> None:
        if self._suppressed or self.frozen or self.inside_operators and not matters(expr):
            return
        self.guards.append(ShapeGuard(expr))
        self.axioms.add(expr)
        self._learn(expr)

    def _learn(self, expr: Any) -> None:
        """Conclude from *expr*, which is true, what symbols are and in which range."""
        if isinstance(expr, sympy.And):
            for arg in expr.args:
                self._learn(arg)
            return
        if not isinstance(expr, sympy.Rel) or isinstance(expr, sympy.Ne):
            return
        free = sorted(expr.free_symbols, key=self._order, reverse=True)
        if not free or len(free) > 5:
            return
        self._refine_ranges(expr)
        if not isinstance(expr, sympy.Eq):
            return
        if expr.has(Mod):
            remainder = next(iter(expr.atoms(Mod)))
            if expr in (sympy.Eq(remainder, 0), sympy.Eq(0, remainder, evaluate=False)):
                self.divisible.add(remainder)
            return
        if any(a.divisor != 1 for a in expr.atoms(FloorDiv)):
            return
        for symbol in free[:1]:
            solved = try_solve(expr, symbol, floordiv_inequality=False)
            if solved is not None and whole(solved[1]) is not None:
                target = self.replace(solved[1])
                # What depends on data may come to be only after what would be replaced by it.
                if not any(map(self.is_unbacked_symint, target.free_symbols)):
                    self._set_replacement(symbol, target)

    def _order(self, symbol: Any) -> tuple[int, str]:
        value = self.backed_var_to_val.get(symbol)
        return (1 << 62 if value is None else int(value), symbol.name)

    def _refine_ranges(self, expr: Any) -> None:
        expr = self.simplify(expr)
        for symbol in expr.free_symbols:
            solved = try_solve(expr, symbol)
            if solved is None or not (symbol.is_integer and solved[1].is_integer):
                continue
            relation, right = solved
            known, limit = self.var_to_range[symbol], bound_sympy(right, self.var_to_range)
            low, high = known.lower, known.upper
            if isinstance(relation, (sympy.Eq, sympy.Ge, sympy.Gt)):
                low = max(low, limit.lower + int(isinstance(relation, sympy.Gt)))
            if isinstance(relation, (sympy.Eq, sympy.Le, sympy.Lt)):
                high = min(high, limit.upper - int(isinstance(relation, sympy.Lt)))
            refined = ValueRanges(low, high)
            if refined != known:
                self.var_to_range[symbol] = refined
                if refined.is_singleton():
                    self._set_replacement(symbol, sympy.Integer(refined.lower))

    def _set_replacement(self, symbol: Any, target: Any, msg: str = "") -> None:
        """Let *symbol* be *target* from now on."""
        if symbol in target.free_symbols or self.replacements.get(symbol) == target:
            return
        known = self.var_to_range.get(symbol)
        if known is not None and target.is_Symbol and target in self.var_to_range:
            self.var_to_range[target] = self.var_to_range[target] & known
        elif known is not None and len(target.free_symbols) == 1:
            other = next(iter(target.free_symbols))
            solved = try_solve(sympy.Eq(symbol, target, evaluate=False), other)
            if solved is not None and other in self.var_to_range:
                limit = bound_sympy(solved[1], self.var_to_range)
                low, high = sympy.ceiling(limit.lower), sympy.floor(limit.upper)
                self.var_to_range[other] = self.var_to_range[other] & ValueRanges(low, high)
        self.replacements[symbol] = target
        if known is not None:
            self.var_to_range[symbol] = bound_sympy(target, self.var_to_range)

    def freeze(self) -> None:
        """Take no more guards."""
        self.frozen = True

    def freeze_runtime_asserts(self) -> None:
        """Take no more checks of runs."""
        self.runtime_asserts_frozen = True

    @contextmanager
    def suppress_guards(self) -> Iterator[None]:
        """Inside, what is asked is not assumed."""
        self._suppressed += 1
        try:
            yield
        finally:
            self._suppressed -= 1

    @contextmanager
    def inside_operator(self) -> Iterator[None]:
        """Inside, an operator asks, not the program; see :func:`matters`."""
        self.inside_operators += 1
        try:
            yield
        finally:
            self.inside_operators -= 1

    # -- tensors -----------------------------------------------------------------------------------

    def create_symbolic_sizes_strides_storage_offset(
        self, ex: Any, source: Any, *, symbolic_context: Any = None
    ) -> tuple[tuple[Any, ...], tuple[Any, ...], Any]:
        """Sizes, strides and offset of a tensor like *ex*, as symbols."""
        from ..._subclasses.symbolic_layout import dense_strides
        from ._symbolic_context import SizeSource, StatelessSymbolicContext

        if symbolic_context is None:
            kind = DimDynamic.STATIC if self.assume_static_by_default else DimDynamic.DUCK
            symbolic_context = StatelessSymbolicContext(dynamic_sizes=[kind] * ex.dim())
        shape = [int(size) for size in ex._a_.shape]
        symbols = [
            self.create_symbol(size, SizeSource(source, i), kind, constraint)
            for i, (size, kind, constraint) in enumerate(
                zip(
                    shape,
                    symbolic_context.dynamic_sizes,
                    symbolic_context.constraint_sizes,
                    strict=True,
                )
            )
        ]
        sizes = tuple(map(self.create_symintnode, symbols))
        item = ex._a_.itemsize
        strides = tuple(s // item for s in ex._a_.strides) if ex.numel() else ex.stride()
        return sizes, dense_strides(sizes, tuple(shape), tuple(map(int, strides))), None

    # -- results -----------------------------------------------------------------------------------

    def format_guards(self, verbose: bool = False) -> str:
        """What was assumed, line by line."""
        return "\n".join(f" - {guard.expr}" for guard in self.guards)

    def get_nontrivial_guards(self) -> list[Any]:
        """What was assumed and does not follow from ranges."""
        return [
            self.simplify(guard.expr)
            for guard in self.guards
            if self._maybe_evaluate_static(guard.expr, axioms=()) is None
        ]

    def bind_symbols(self, placeholders: Sequence[Any], args: Sequence[Any]) -> dict[Any, int]:
        """What symbols are where *args* come in place of *placeholders*."""
        bound: dict[Any, int] = {}

        def bind(size: Any, value: Any) -> None:
            if isinstance(size, SymInt) and isinstance(size.node.expr, sympy.Symbol):
                bound.setdefault(size.node.expr, value)

        for placeholder, value in zip(placeholders, args, strict=True):
            if isinstance(placeholder, SymInt):
                bind(placeholder, value)
            elif hasattr(placeholder, "shape"):
                for size, number in zip(placeholder.shape, value.shape, strict=True):
                    bind(size, number)
        return bound

    def evaluate_guards_for_args(
        self, placeholders: Sequence[Any], args: Sequence[Any], *, ignore_static: bool = True
    ) -> bool:
        """Whether all that was assumed holds of *args*."""
        bound = self.bind_symbols(placeholders, args)
        truths = [self.simplify(guard.expr).xreplace(bound) for guard in self.guards]
        ranges = [bound[s] in self.var_to_range[s] for s in bound]
        return all(map(bool, truths)) and all(ranges)
