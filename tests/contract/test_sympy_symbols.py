"""Names of symbols, and dtypes of expressions, where sympy is installed."""

from __future__ import annotations

import pytest

from .both_frameworks import agree, part, refuse

sympy = pytest.importorskip("sympy")


def symbols(t):
    """The module of names."""
    return part(t, "utils._sympy.symbol")


def test_names_of_all_kinds():
    def told(t):
        s = symbols(t)
        made = [s.make_symbol(kind, i, integer=True) for i, kind in enumerate(s.SymT)]
        return [
            [(k.name, k.value, s.prefix_str[k]) for k in s.SymT],
            [(symbol.name, symbol.is_integer) for symbol in made],
            [[s.symbol_is_type(symbol, kind) for kind in s.SymT] for symbol in made],
            [s.symbol_is_type(symbol, (s.SymT.SIZE, s.SymT.INDEX)) for symbol in made],
            s.symbol_is_type(sympy.Symbol("XBLOCK"), s.SymT.XBLOCK),
            s.free_symbol_is_type(made[0] + made[2] * 2, s.SymT.UNBACKED_INT),
            s.free_symbol_is_type(made[0] * 2, [s.SymT.TMP]),
        ]

    agree(told)


def test_what_is_no_symbol():
    refuse(lambda t: symbols(t).symbol_is_type(sympy.Integer(3), symbols(t).SymT.SIZE))


def test_dtypes_of_expressions():
    def told(t):
        common, found = part(t, "_prims_common"), []
        n, x = sympy.Symbol("n", integer=True), sympy.Symbol("x")
        for operand in (n, x, n + 1, x * 2, n > 3, sympy.true):
            found.append(common.expr_type(operand).__name__)
            for kind in common.ELEMENTWISE_TYPE_PROMOTION_KIND:
                both = common.elementwise_dtypes(
                    operand, t.ones(2, dtype=t.int32), type_promotion_kind=kind
                )
                found.append(str(both))
        return found

    agree(told)
