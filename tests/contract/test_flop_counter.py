"""``torch.utils.flop_counter`` counts what torch counts, in each module."""

from __future__ import annotations

import pytest
import torch.utils.flop_counter
import torch.utils.module_tracker  # noqa: F401

from .both_frameworks import BOTH, agree, ours, outcome, refuse, same


def counted(t, run, **options):
    """All operations, and those of each operator in each module."""
    mode = t.utils.flop_counter.FlopCounterMode(display=False, **options)
    with mode:
        run()
    counts = mode.get_flop_counts()
    return mode.get_total_flops(), {m: {str(k): n for k, n in c.items()} for m, c in counts.items()}


def leaf(t, *shape):
    return t.ones(*shape, requires_grad=True)


PROGRAMS = {
    "mm": lambda t: (leaf(t, 3, 4) @ leaf(t, 4, 5)).sum().backward(),
    "addmm": lambda t: t.addmm(t.ones(5), leaf(t, 3, 4), leaf(t, 4, 5)).sum().backward(),
    "bmm": lambda t: t.bmm(leaf(t, 2, 3, 4), t.ones(2, 4, 5)).sum().backward(),
    "baddbmm": lambda t: t.baddbmm(t.ones(2, 3, 5), t.ones(2, 3, 4), t.ones(2, 4, 5)),
    "matmul": lambda t: t.matmul(t.ones(2, 3, 4), t.ones(4, 5)),
    "einsum": lambda t: t.einsum("bij,bjk->bik", t.ones(2, 3, 4), t.ones(2, 4, 5)),
    "conv1d": lambda t: t.nn.Conv1d(4, 6, 3)(leaf(t, 2, 4, 8)).sum().backward(),
    "conv2d": lambda t: t.nn.Conv2d(4, 6, 3, padding=1)(leaf(t, 2, 4, 8, 8)).sum().backward(),
    "grouped": lambda t: t.nn.Conv2d(4, 8, 3, groups=2)(t.ones(2, 4, 8, 8)).sum().backward(),
    "transposed": lambda t: t.nn.ConvTranspose2d(4, 6, 3, 2)(leaf(t, 2, 4, 8, 8)).sum().backward(),
    "nothing": lambda t: t.ones(3).add(1),
    "encoder": lambda t: t.nn.TransformerEncoderLayer(8, 2, 16)(t.ones(3, 2, 8)).sum().backward(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_counts(name):
    """Forward and backward."""
    assert agree(lambda t: counted(t, lambda: PROGRAMS[name](t)))


def test_attention_is_counted():
    """Its two products; torch's kernel for the CPU is not among those that torch counts."""
    q = ours.ones(2, 3, 5, 4)

    def run():
        return ours.nn.functional.scaled_dot_product_attention(q, q, q)

    assert counted(ours, run)[0] == 2 * (2 * 3 * 5 * 5 * 4 * 2)
    agree(lambda t: part_of_sdpa(t))


def part_of_sdpa(t):
    m = t.utils.flop_counter
    q, k, v = (2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 6)
    return m.sdpa_flop_count(q, k, v), m.sdpa_backward_flop_count((2, 3, 5, 6), q, k, v)


@pytest.mark.parametrize("size", [2, 10, 300])
def test_modules_have_their_counts(size):
    """Nested modules, forward and backward, and what is outside of them."""

    def both(t):
        model = t.nn.Sequential(t.nn.Linear(size, 3), t.nn.Sequential(t.nn.Linear(3, 5)))

        def run():
            t.ones(2, 3) @ t.ones(3, 2)
            model(t.ones(size, size)).sum().backward()

        return counted(t, run)

    total, counts = agree(both)
    assert "Sequential.1.0" in dict(counts)
    del total


def test_table():
    """A row for each module and operator, indented in torch's way (read from a run of torch)."""
    model = ours.nn.Sequential(ours.nn.Linear(2, 3))
    mode = ours.utils.flop_counter.FlopCounterMode(display=False, depth=1)
    with mode:
        model(ours.ones(4, 2))
    want = """
Module          FLOP    % Total
------------  ------  ---------
Sequential        48    100.00%
- aten.addmm      48    100.00%"""[1:]
    assert mode.get_table() == want
    assert "Sequential.0" in mode.get_table(depth=2)
    same(lambda t: [t.utils.flop_counter.get_suffix_str(10**i) for i in range(16)])
    same(
        lambda t: [
            t.utils.flop_counter.convert_num_with_suffix(12345678, s) for s in ("", "K", "M")
        ]
    )
    same(lambda t: [t.utils.flop_counter.convert_to_percent_str(*a) for a in ((0, 0), (1, 3))])


def test_formulas_of_ones_own():
    """For a call that is not counted otherwise; each operator has one formula."""

    def custom(t):
        mapping = {t.ops.aten.relu: lambda shape, out_shape=None: 7 * shape[0]}
        return counted(t, lambda: t.relu(t.ones(3)), custom_mapping=mapping)

    agree(custom)

    def twice(t):
        t.utils.flop_counter.register_flop_formula(t.ops.aten.mm)(lambda *a, **k: 0)

    refuse(twice)
    for t in BOTH:
        result, _ = outcome(lambda t: t.utils.flop_counter.register_flop_formula(3)(len), t)
        assert result[0] == "ValueError"


def test_module_tracker():
    """Which modules run, forward and backward."""

    def seen(t):
        model = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU())
        tracker, found = t.utils.module_tracker.ModuleTracker(), []
        model[0].register_forward_hook(lambda *a: found.append(sorted(tracker.parents)))
        x = t.ones(1, 2, requires_grad=True)
        with tracker:
            y = model(x)
            y.register_hook(lambda g: found.append((sorted(tracker.parents), tracker.is_bw)))
            y.sum().backward()
        return found, sorted(tracker.parents)

    agree(seen)


def parents_of(t, run):
    """The modules that the tracker names where *run*'s modules and their gradients are computed."""
    tracker, found = t.utils.module_tracker.ModuleTracker(), []

    class Told(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            found.append(("backward", sorted(tracker.parents)))
            return grad

    class Inner(t.nn.Module):
        def forward(self, x):
            found.append(("forward", sorted(tracker.parents), tracker.is_bw))
            return Told.apply(x) * 1

    class Outer(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = Inner(), Inner()

        def forward(self, x, reentrant=None):
            if reentrant is None:
                return self.second(self.first(x)).sum()
            kept = t.utils.checkpoint.checkpoint(self.first, x, use_reentrant=reentrant)
            return (kept + self.second(x)).sum()

    with tracker:
        run(Outer(), leaf(t, 2, 2))
        found.append(sorted(tracker.parents))
    return found, sorted(tracker.parents)


def refusing(module, x):
    """A module whose forward fails is not left."""
    try:
        module(x, 3, 4)
    except TypeError:
        pass


RUNS = {
    "its result is the root": lambda module, x: module(x).backward(),
    "a root beside": lambda module, x: (module(x) * 2).backward(),
    "computed again": lambda module, x: (module(x, False) * 2).backward(),
    "computed again inside": lambda module, x: (module(x, True) * 2).backward(),
    "no gradients of the input": lambda module, x: module(x.detach()),
    "it fails": refusing,
}


@pytest.mark.parametrize("name", RUNS)
def test_modules_of_a_backward(name):
    """A module is entered by the gradients of what it gave, unless these are where it begins."""
    assert agree(lambda t: parents_of(t, RUNS[name]))
