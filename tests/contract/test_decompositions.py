"""``torch._decomp``: tables of functions that stand for ops, and traces that use them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import pytest

from .both_frameworks import BOTH, agree, ours, refuse


def twice(x: Any) -> Any:
    return x * 2


def decomp(t: ModuleType) -> Any:
    return importlib.import_module(f"{t.__name__}._decomp")


def names(table: dict[Any, Any]) -> list[str]:
    return sorted(map(str, table))


def traced(t: ModuleType, f: Any, table: dict[Any, Any]) -> str:
    proxies = importlib.import_module(f"{t.__name__}.fx.experimental.proxy_tensor")
    return str(proxies.make_fx(f, decomposition_table=table)(t.ones(2)).code)


@pytest.mark.parametrize(
    "ops",
    [
        lambda a: a.cos,
        lambda a: a.cos.default,
        lambda a: [a.sin.default, a.tan],
        lambda a: {"x": a.log, "y": (a.exp.out,)},
        lambda a: [],
    ],
)
def test_tables_of_ones_own(ops):
    """All overloads of a packet; containers of ops; a trace calls what is there."""

    def program(t: ModuleType) -> Any:
        table: dict[Any, Any] = {}
        same = decomp(t).register_decomposition(ops(t.ops.aten), table)(twice) is twice
        code = traced(t, lambda x: x.cos() + x.tan() + x.log() + x.sin(), table)
        return same, names(table), code

    agree(program)


@pytest.mark.parametrize(
    "call",
    [
        lambda t, r: decomp(t).register_decomposition(t.ops.aten.cos, r)(twice),
        lambda t, r: decomp(t).register_decomposition([t.ops.aten.exp, t.ops.aten.cos], r)(twice),
        lambda t, r: decomp(t).register_decomposition(t.ops.aten.exp, r, type="nothing"),
        lambda t, r: decomp(t).register_decomposition(3, r)(twice),
        lambda t, r: decomp(t).register_decomposition("aten::exp", r)(twice),
        lambda t, r: decomp(t).get_decompositions([], "nothing"),
    ],
)
def test_refused(call):
    """Overloads that are there, kinds that are not, and what is no op."""

    def program(t: ModuleType) -> Any:
        return call(t, {t.ops.aten.cos.default: twice})

    refuse(program)


def test_removed():
    """Of packets all overloads; what is not there, or is no op, is passed over."""

    def program(t: ModuleType) -> Any:
        a, table = t.ops.aten, {}
        decomp(t).register_decomposition([a.cos, a.sin, a.tan.default], table)(twice)
        decomp(t).remove_decompositions(table, [a.cos, a.sin.out, a.exp, 3])
        return names(table)

    agree(program)


@pytest.mark.parametrize("kind", ["post_autograd", "pre_autograd", "meta"])
def test_the_table_of_a_kind(kind):
    """Ops of a program's own are found where they were registered."""

    def program(t: ModuleType) -> Any:
        with t.library._scoped_library("decomposed", "FRAGMENT") as library:
            library.define(f"{kind}(Tensor x) -> Tensor")
            library.define(f"{kind}.more(Tensor x, int y) -> Tensor")
            library.impl(kind, lambda x: x.clone(), "CompositeExplicitAutograd")
            op = getattr(t.ops.decomposed, kind)
            before = names(decomp(t).get_decompositions([op], kind))
            decomp(t).register_decomposition(op, type=kind)(twice)
            found = decomp(t).get_decompositions([op], kind)
            other = "meta" if kind == "pre_autograd" else "pre_autograd"
            elsewhere = names(decomp(t).get_decompositions([op], other))
            decomp(t).remove_decompositions(decomp(t).global_decomposition_table[kind], [op])
            return before, names(found), elsewhere, traced(t, op, found)

    agree(program)


@pytest.mark.parametrize("name", ["silu", "mse_loss", "addcmul", "softplus", "linear"])
def test_tables_of_torchs_own_serve_traces(name: str) -> None:
    """The table of core operators, and the functions of single ones."""

    times = {"mse_loss": 2, "addcmul": 3, "linear": 2}.get(name, 1)

    def program(t: ModuleType) -> list[str]:
        op = t.addcmul if name == "addcmul" else getattr(t.nn.functional, name)
        chosen = decomp(t).get_decompositions([t.ops.aten.silu, t.ops.aten.mse_loss])
        tables = decomp(t).core_aten_decompositions(), chosen
        return [traced(t, lambda x: op(*[x] * times), table) for table in tables]

    agree(program)


def test_who_asks_for_one_that_is_not_here_is_told() -> None:
    assert decomp(BOTH[1]).get_decompositions([BOTH[1].ops.aten.silu_backward])
    with pytest.raises(NotImplementedError, match=r"aten\.silu_backward has no decomposition here"):
        decomp(ours).get_decompositions([ours.ops.aten.silu_backward])
