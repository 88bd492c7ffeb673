"""How the ``.grad`` of a leaf is laid out: torch's gradient layout contract.

Every order of dimensions of small shapes, by every kind of way that a gradient comes to a leaf.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import mindtorch
import pytest
import torch

from tests.contract.batches import every

pytestmark = pytest.mark.filterwarnings("ignore:Using backward:UserWarning")

Way = Callable[[Any, Any], Any]


def _flipped(x: Any) -> Any:
    return x.permute(*range(x.dim())[::-1]) if x.dim() else x


def _sparse_steps(ns: Any, x: Any) -> Any:
    """A gradient of the shape of *x* with gaps in its memory."""
    g = ns.ones(1000).as_strided(x.shape, [7 * 4**i for i in range(x.dim())])
    return (x * 1).backward(g)


def _held(ns: Any, x: Any) -> Any:
    g = ns.ones(x.shape)
    x.view_as(x).backward(g)
    x.grad.add_(1)
    return g


#: What brings a gradient to a leaf; each runs ``backward``.
WAYS: dict[str, Way] = {
    "expanded": lambda ns, x: x.sum().backward(),
    "its own": lambda ns, x: x.backward(ns.ones(x.shape)),
    "its own, transposed": lambda ns, x: x.backward(_flipped(ns.ones(x.shape[::-1]))),
    "of a product": lambda ns, x: (x * ns.ones(x.shape)).backward(ns.ones(x.shape)),
    "of a square": lambda ns, x: (x * x).sum().backward(),
    "of a clone": lambda ns, x: x.clone().backward(ns.ones(x.shape)),
    "of a view": lambda ns, x: x.view_as(x).backward(ns.ones(x.shape)),
    "of a transposed view": lambda ns, x: _flipped(x).backward(ns.ones(x.shape[::-1])),
    "of an expanded one": lambda ns, x: x.expand(2, *x.shape).sum().backward(),
    "of a reshaped one": lambda ns, x: (x.reshape(-1) * 2).sum().backward(),
    "of a part": lambda ns, x: x.reshape(-1)[:1].sum().backward(),
    "broadcast": lambda ns, x: (x + ns.ones(2, *x.shape)).sum().backward(),
    "with gaps": _sparse_steps,
    "held by the caller": _held,
    "recorded": lambda ns, x: (x * x).sum().backward(create_graph=True),
    "twice": lambda ns, x: [(x * 2).sum().backward() for _ in range(2)],
    "of another dtype": lambda ns, x: x.double().sum().backward(),
    "shown to a hook": lambda ns, x: (x.register_hook(lambda g: g * 1), x.sum().backward()),
    "of joined ones": lambda ns, x: ns.stack([x, x], -1).sum().backward(),
}

SHAPES = [shape for n in range(4) for shape in itertools.product((1, 3), repeat=n)]
LAYOUTS = [(s, order) for s in SHAPES for order in itertools.permutations(range(len(s)))]


def leaf(ns: Any, shape: tuple[int, ...], order: tuple[int, ...]) -> Any:
    """A leaf over memory of *shape*, whose dimensions are then put into *order*."""
    return ns.ones(shape).permute(order).detach().requires_grad_()


@every("way", WAYS)
def test_strides_of_a_gradient(way):
    for shape, order in LAYOUTS:
        seen = []
        for ns in (torch, mindtorch):
            x = leaf(ns, shape, order)
            WAYS[way](ns, x)
            seen.append((x.stride(), x.grad.stride(), x.grad.requires_grad))
        assert seen[1] == seen[0], (shape, order)


#: Leaves that are no permutation of contiguous memory: their gradient is contiguous.
ODD_LEAVES = {
    "expanded": lambda ns: ns.ones(1).expand(3),
    "expanded rows": lambda ns: ns.ones(3, 1).expand(3, 2),
    "a step of two": lambda ns: ns.ones(3, 4)[:, ::2],
    "columns": lambda ns: ns.ones(3, 4)[:, 1:3].t(),
    "one number, expanded": lambda ns: ns.ones(()).expand(1),
    "channels last": lambda ns: ns.ones(2, 3, 2, 2).contiguous(memory_format=ns.channels_last),
    "empty": lambda ns: ns.ones(0, 3),
}


@every("way", [w for w in WAYS if w != "of a part"])
def test_strides_of_the_gradient_of_an_odd_leaf(way):
    for name, make in ODD_LEAVES.items():
        seen = []
        for ns in (torch, mindtorch):
            x = make(ns).detach().requires_grad_()
            WAYS[way](ns, x)
            seen.append((x.stride(), x.grad.stride()))
        assert seen[1] == seen[0], name


def test_a_gradient_is_never_memory_of_the_caller():
    """Unlike torch, whose leaves share the caller's tensor here and add to it twice over."""
    g = mindtorch.ones(3)
    a, b = (mindtorch.ones(3, requires_grad=True) for _ in range(2))
    for _ in range(2):
        (a.view_as(a) + b.view_as(b)).backward(g)
    assert (a.grad.tolist(), b.grad.tolist(), g.tolist()) == ([2.0] * 3, [2.0] * 3, [1.0] * 3)
    assert _held(mindtorch, a.detach().requires_grad_()).tolist() == [1.0] * 3
