"""``torch.cond`` in exported programs: a call of two graphs, whatever the example takes."""

from __future__ import annotations

import importlib
import io
from typing import Any

import mindtorch
import pytest
import torch

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]


def by_sums(t: Any) -> Any:
    class Net(t.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = t.nn.Linear(2, 2)
            with t.no_grad():
                self.linear.weight.copy_(t.arange(4.0).view(2, 2))
                self.linear.bias.zero_()

        def forward(self, x: Any, n: Any) -> Any:
            return t.cond(n.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,)), self.linear(x)

    return Net()


def nested(t: Any) -> Any:
    class Net(t.nn.Module):
        def forward(self, x: Any, n: Any) -> Any:
            def inner(y: Any) -> Any:
                return t.cond(y.max() > 2, lambda z: z.exp(), lambda z: z.neg(), (y,))

            pair = t.cond(n.sum() > 0, lambda y: (y + 1, y * 2), lambda y: (y - 1, y * 3), (x,))
            return t.cond(x.sum() > 0, inner, lambda y: y.cos(), (pair[0],)) + pair[1]

    return Net()


def by_sizes(t: Any) -> Any:
    class Net(t.nn.Module):
        def forward(self, x: Any, n: Any) -> Any:
            return t.cond(x.shape[0] > 3, lambda y: y.sin(), lambda y: y + 1, (x,)) + n.sum()

    return Net()


def looped(t: Any) -> Any:
    """A loop whose body uses an argument of the program, which it does not carry."""
    while_loop = importlib.import_module(f"{t.__name__}._higher_order_ops").while_loop

    class Net(t.nn.Module):
        def forward(self, x: Any, n: Any) -> Any:
            def small(turn: Any, y: Any) -> Any:
                return turn < 3

            def grown(turn: Any, y: Any) -> Any:
                return turn + 1, y * 2 + n

            return while_loop(small, grown, (t.zeros((), dtype=t.int64), x))

    return Net()


def mapped(t: Any) -> Any:
    """A function of each row, of rows and of something that is the same for all of them."""
    each = importlib.import_module(f"{t.__name__}._higher_order_ops").map

    class Net(t.nn.Module):
        def forward(self, x: Any, n: Any) -> Any:
            return each(lambda row, other: (row.sin() + other[0], row * 2), x, n)

    return Net()


def scanned(t: Any) -> Any:
    """Running sums from the end, which use an argument that they are not given."""
    scan = importlib.import_module(f"{t.__name__}._higher_order_ops").scan

    class Net(t.nn.Module):
        def forward(self, x: Any, n: Any) -> Any:
            def step(carry: Any, row: Any) -> Any:
                return carry + row, carry * row + n[0]

            return scan(step, t.zeros(2), x, reverse=True)

    return Net()


MODELS = {
    "by sums": by_sums, "nested": nested, "by sizes": by_sizes, "loop": looped, "map": mapped,
    "scan": scanned,
}  # fmt: skip


def exported(t: Any, model: Any) -> Any:
    x = t.arange(8.0).view(4, 2)
    rows = {0: t.export.Dim("rows", min=2)} if "by_sizes" in type(model).__qualname__ else {}
    return t.export.export(model, (x, x + 1), strict=False, dynamic_shapes={"x": rows, "n": {}})


def sources(program: Any) -> list[str]:
    """The source of a program and of all graphs inside."""
    return [part.code for _, part in program.graph_module.named_modules() if hasattr(part, "graph")]


@pytest.mark.parametrize("name", MODELS)
def test_both_branches_are_graphs_of_the_program(name: str) -> None:
    ours, theirs = (exported(t, MODELS[name](t)) for t in (mindtorch, torch))
    assert sources(ours) == sources(theirs)
    if name != "by sizes":
        assert sources(ours.run_decompositions()) == sources(theirs.run_decompositions())


@pytest.mark.parametrize("name", MODELS)
def test_the_predicate_of_each_call_chooses(name: str) -> None:
    model = MODELS[name](mindtorch)
    program = exported(mindtorch, model)
    file = io.BytesIO()
    mindtorch.export.save(program, file)
    file.seek(0)
    ways = [program.module(), mindtorch.export.load(file).module()]
    if name != "by sizes":
        ways.append(program.run_decompositions().module())
    n = mindtorch.arange(8.0).view(4, 2)
    given = [n[:2], n] if name == "by sizes" else [n, -n]
    for x in given:
        for way in ways:
            for found, wanted in zip(way(x, -n), model(x, -n), strict=True):
                assert mindtorch.equal(found, wanted)


def test_what_branches_use_of_the_module_are_operands() -> None:
    class Net(mindtorch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = mindtorch.nn.Linear(2, 2)
            self.register_buffer("scale", mindtorch.full((2,), 3.0))

        def forward(self, x: Any) -> Any:
            return mindtorch.cond(
                x.sum() > 0, lambda y: self.linear(y) + x, lambda y: y * self.scale + x, (x,)
            )

    model, x = Net(), mindtorch.ones(1, 2)
    program = mindtorch.export.export(model, (x,))
    for way in (program.module(), program.run_decompositions().module()):
        for given in (x, -x):
            assert mindtorch.allclose(way(given), model(given))


def test_branches_that_change_their_operands_are_refused() -> None:
    def program(t: Any) -> Any:
        class Net(t.nn.Module):
            def forward(self, x: Any) -> Any:
                return t.cond(x.sum() > 0, lambda y: y.add_(1).sin(), lambda y: y + 1, (x,))

        return t.export.export(Net(), (t.ones(2),), strict=False)

    for t in (mindtorch, torch):
        with pytest.raises(RuntimeError):
            program(t)
