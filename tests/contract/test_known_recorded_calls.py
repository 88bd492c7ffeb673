"""A recorded call that is known does what a first one does, for every row and sample."""

from __future__ import annotations

from typing import Any

import mindtorch
import numpy as np
import pytest
from mindtorch.call.row import ROWS

from .rows import cotangent, forms, samples, writes_self
from .test_entrances import told

#: From then on the calls of a layout are known, composites too.
CALLS = 9
#: Whose result is its argument, so that the first call gives that a history.
_ITSELF = "_foobar"
NAMES = [
    name
    for name, row in sorted(ROWS.items())
    if row.samples and not row.random and not writes_self(row) and name != _ITSELF
]


def history(value: Any) -> Any:
    """The nodes behind results: their names, and where they lead."""
    if isinstance(value, mindtorch.Tensor):
        node = value.grad_fn
        if node is None:
            return value.requires_grad
        return node.name(), value.output_nr, [n and (n.name(), i) for n, i in node.next_functions]
    return list(map(history, value)) if isinstance(value, (tuple, list)) else None


def outcome(call: Any, args: Any, kwargs: Any) -> Any:
    """What a call came to, its history, and the gradients of the tensors that it was given."""
    try:
        result = call(*args, **kwargs)
        results = result if isinstance(result, (tuple, list)) else (result,)
        made = [r for r in results if isinstance(r, mindtorch.Tensor) and r.grad_fn is not None]
        leaves = [t for a in args for t in (a if isinstance(a, (tuple, list)) else (a,))]
        leaves = [t for t in leaves if isinstance(t, mindtorch.Tensor) and t.requires_grad]
        grads: Any = None
        if made and leaves:
            along = [cotangent(r.detach(), i) for i, r in enumerate(made)]
            grads = mindtorch.autograd.grad(made, leaves, along, allow_unused=True)
            grads = (
                [None if g is None else told(g)[:4] for g in grads],
                [None if g is None else g.detach().numpy(force=True) for g in grads],
            )
        return told(result), history(result), grads
    except Exception as error:  # a refusal is an outcome, too, and has to be the same
        return type(error), str(error)


def assert_same(known: Any, first: Any, name: str) -> None:
    """Equal in all that a caller sees; gradients may be added up in another order."""
    assert known[:2] == first[:2], name
    for a, b in zip(known[2:], first[2:], strict=True):
        assert (a is None) is (b is None), name
        if a is not None:
            assert [g and g[1] for g in a[0]] == [g and g[1] for g in b[0]], name
            for x, y in zip(a[1], b[1], strict=True):
                if x is not None:
                    np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("letter", sorted({name[0] for name in NAMES}))
def test_it_does_what_a_first_one_does(letter: str) -> None:
    """Values, layouts, nodes, edges and gradients, of leaves and of what has a history."""
    for name in (n for n in NAMES if n[0] == letter):
        row = ROWS[name]
        for form in forms(row)[:1]:
            for sample in samples(row, "float32", grad=True, most=3):
                args, kwargs = sample.ours.args, sample.ours.kwargs
                first = outcome(form.ours, args, kwargs)
                for _ in range(CALLS):
                    known = outcome(form.ours, args, kwargs)
                assert_same(known, first, name)


def test_a_view_of_what_was_changed_is_known() -> None:
    """The versions that saved tensors had are looked at in each call."""
    w = mindtorch.rand(3, 4, requires_grad=True)
    with mindtorch.no_grad():
        w.mul_(2)
    for _ in range(CALLS):
        y = w.t().exp()
        y.sum().backward()
    y = w.t().sin()
    for _ in range(CALLS):
        y = w.t().sin()
    with mindtorch.no_grad():
        w.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_edges_are_looked_up_in_each_call() -> None:
    """A leaf, a result and a tensor without gradients of one layout in turn."""
    a, b, c = (mindtorch.rand(3, requires_grad=i < 2) for i in range(3))
    for _ in range(CALLS):
        made = [x * y for x, y in ((a, b), (b, a), (a, a), (a * 1, b), (a, c), (c, b))]
        names = [[n and n.name() for n, _ in m.grad_fn.next_functions] for m in made]
        leaf = "torch::autograd::AccumulateGrad"
        assert names == [
            [leaf, leaf], [leaf, leaf], [leaf, leaf], ["MulBackward0", leaf], [leaf, None],
            [None, leaf],
        ]  # fmt: skip


@pytest.mark.parametrize("parts", [1, 2, 16, 17, 40])
@pytest.mark.parametrize(
    "split",
    [
        lambda x, n: x.unbind(0),
        lambda x, n: x.split(1),
        lambda x, n: x.chunk(n),
        lambda x, n: x.tensor_split(n),
        lambda x, n: x.split([1] * n),
        lambda x, n: mindtorch.unsafe_split(x, 1),
        lambda x, n: mindtorch.unsafe_chunk(x, n),
        lambda x, n: mindtorch._foreach_mul(list(x.unbind(0)), 2.0),
    ],
)
@pytest.mark.parametrize("of", ["leaf", "result", "view"])
def test_it_does_so_whatever_the_number_of_results(split: Any, parts: int, of: str) -> None:
    """Steps of a recurrent net, for one, are the parts of a product."""
    leaf = mindtorch.arange(6.0 * parts).reshape(parts, 2, 3).requires_grad_()

    def call(leaf: Any) -> Any:
        source = {"leaf": lambda: leaf, "result": lambda: leaf * 2, "view": lambda: leaf.mT}[of]()
        return split(source, parts)

    first = outcome(call, [leaf], {})
    for _ in range(CALLS):
        known = outcome(call, [leaf], {})
    assert_same(known, first, f"{parts} parts of a {of}")
