"""``out=`` where something requires grad: refused, recorded as what refuses later, or let through.

Through ``torch.ops``, for torch makes an ``out=`` form of many ops whose functions take none.
"""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import every
from .rows import (
    NAMES,
    derived,
    error_text,
    is_tensor,
    outcome,
    overload_form,
    report,
    samples,
    show,
)

WITH_OUT = [n for n in NAMES if ROWS[n].out and derived(ROWS[n], "out") is not None]


def plain(t):
    """A target that requires no grad."""
    return t


def leaf(t):
    """A target that requires grad, and was made by no op."""
    return t.requires_grad_() if t.is_floating_point() or t.is_complex() else t


def non_leaf(t):
    """A target with a history."""
    return leaf(t).clone()


def view(t):
    """A view of a target with a history."""
    return non_leaf(t)[...]


def history(value):
    """What is to be seen of the graph behind results."""
    found = []
    for t in value if isinstance(value, (tuple, list)) else (value,):
        node = t.grad_fn
        names = None
        if node is not None:
            # Copies and views on the way of a composite are its own affair, refusals are not.
            refuses = node.name().endswith("NotImplemented")
            names = [node.name()]
            names += [n and n.name() for n, _ in node.next_functions] if refuses else []
        found.append((t.requires_grad, t.is_leaf, t._version, names))
    return found


def overload_of(home, overload):
    base, _, name = overload.name.partition("::")[2].partition(".")
    return getattr(getattr(home.ops.aten, base), name or "default")


@every("name", WITH_OUT)
@every("target", [plain, leaf, non_leaf, view])
def test_out_is_refused_or_recorded_as_the_oracle_does_it(name, target):
    row, lines = ROWS[name], []
    overload, oracle = derived(row, "out"), overload_form(row).oracle
    overload.analyse()
    kept = {a.name for a in overload.schema.arguments}
    names = [overload.names[i] for i in overload.out_positions]
    calls = [*samples(row, grad=True, most=4), *(samples(row, most=2) if target != plain else ())]
    for sample in calls:
        expected = outcome(oracle, sample.oracle, seed=row.random)
        value = expected.value
        results = value if isinstance(value, (tuple, list)) else (value,)
        if len(results) != len(names) or not all(map(is_tensor, results)):
            continue
        found = []
        for home, call in ((mindtorch, sample.ours), (torch, sample.oracle)):
            given = {k: v for k, v in call.kwargs.items() if k in kept}
            for key, r in zip(names, results, strict=True):
                dtype = getattr(home, str(r.dtype).removeprefix("torch."))
                given[key] = target(home.zeros(tuple(r.shape), dtype=dtype))
            call = call._replace(kwargs=given)
            got = outcome(overload_of(home, overload), call, seed=row.random)
            found.append(error_text(got.error) if got.error else history(got.value))
        if found[0] != found[1]:
            lines.append(f"{show(sample.oracle)}: {found[0]}, torch {found[1]}")
    report(lines)


#: What shows a target that an op in place would not be let change: by a view of no_grad, or of
#: several at once; and how the history goes on where the target is not the whole of its memory.
TARGETS = {
    "view of a leaf": lambda t: t.ones(3, requires_grad=True)[:],
    "view made in no_grad": lambda t: t.no_grad()(lambda x: x[:])(t.ones(3, requires_grad=True)),
    "one of several views": lambda t: t.ones(2, 3).unbind()[0],
    "one of several views that require grad": lambda t: (
        t.ones(2, 3, requires_grad=True) * 1
    ).unbind()[0],
    "window": lambda t: t.ones(6)[::2],
    "window with a history": lambda t: (t.ones(6, requires_grad=True) * 1)[::2],
    "empty": lambda t: t.ones(0),
    "empty with a history": lambda t: t.ones(0, requires_grad=True) * 1,
    "the input itself": None,
}
#: One written by a kernel, by other ops, from a list, and without inputs.
CALLS = {
    "alias_copy": lambda t, x, out: t.alias_copy(x, out=out),
    "floor_divide": lambda t, x, out: t.floor_divide(x, 2, out=out),
    "softmax": lambda t, x, out: t.softmax(x, 0, out=out),
    "adaptive_avg_pool2d": lambda t, x, out: t._C._nn.adaptive_avg_pool2d(
        x.view(1, 1, 1, 3), (1, 3), out=out.view(1, 1, 1, 3) if out.numel() == 3 else out
    ),
    "_chunk_cat": lambda t, x, out: t._chunk_cat([x, x], 0, 1, out=out),
    "ones": lambda t, x, out: t.ones(3, out=out),
}


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("target", TARGETS)
@every("name", CALLS)
def test_the_history_of_a_target_goes_on_at_what_refuses(target, name):
    def tried(t):
        x = t.ones(3, requires_grad=True) * 1
        out = x if TARGETS[target] is None else TARGETS[target](t)
        try:
            r = CALLS[name](t, x, out)
        except RuntimeError as error:
            return str(error)
        base = r._base
        found = [history(r), base is not None and history(base)]
        try:
            r.sum().backward()
        except RuntimeError as error:
            return [*found, str(error)]
        return [*found, "no error"]

    got, want = tried(mindtorch), tried(torch)
    assert got == want
