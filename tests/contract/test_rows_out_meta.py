"""``out=`` on meta: sizes, strides, dtypes, warnings and refusals are the oracle's."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.call.overload import out_names
from mindtorch.call.row import ROWS

from ..samples import Call
from .batches import every
from .known import ORACLE_DIES, check_all_differ, expected
from .rows import NAMES, compare, derived, forms, mapped, outcome, report, samples, show
from .test_rows_out import (
    as_bool,
    as_float,
    as_int,
    empty,
    fitting,
    fresh,
    larger,
    larger_complex,
    larger_int,
    strided,
)

WITH_OUT = [n for n in NAMES if ROWS[n].out]
TARGETS = [
    empty, fitting, larger, strided, as_int, as_float, as_bool, larger_int, larger_complex
]  # fmt: skip


def on_meta(home, value):
    """Tensors of *value* on meta, with the strides that they have."""
    return mapped(value, lambda t: t.to("meta"))


def turned(home, value):
    """The same, with the memory of each tensor in the reverse order of its dimensions."""

    def turn(t):
        order = tuple(reversed(range(t.dim())))
        shape = tuple(reversed(tuple(t.shape)))
        return home.empty(shape, dtype=t.dtype, device="meta").permute(order)

    return mapped(value, turn)


def calls(row):
    """How the form with ``out=`` is called on both sides, and what the targets are called.

    There are no names where its function is called, which takes all in ``out=``.
    """
    form, names = forms(row)[0], out_names(row)
    if form.name == "function" and row.out_form.function:
        return form.ours, form.oracle, None
    home = derived(row, "out")
    base, _, overload = home.name.removeprefix("aten::").partition(".")
    pair = [getattr(getattr(h.ops.aten, base), overload) for h in (mindtorch, torch)]
    return *pair, tuple(names)


def looks(found, function):
    """What a target looks like afterwards, or the error, and what was warned of.

    What torch's kernels in C++ warn of comes last, and is not heard through ``torch.ops``.
    """
    warned = sorted(found.warned) if function else ()
    if found.error is not None:
        return f"{type(found.error).__name__}: {found.error}".splitlines()[0], warned
    values = found.value if isinstance(found.value, (tuple, list)) else (found.value,)
    return (
        [(tuple(v.shape), str(v.dtype).rpartition(".")[2], tuple(v.stride())) for v in values],
        warned,
    )


@every("name", WITH_OUT)
@every("laid", [on_meta, turned])
def test_out_on_meta_is_given_shape_or_refused_as_in_the_oracle(name, laid):
    """Operands and targets are all on meta."""
    row, lines = ROWS[name], []
    ours, oracle, names = calls(row)
    for sample in samples(row, most=1) + samples(row, "int64", most=1):
        if "out" in sample.oracle.kwargs:
            continue
        pair = [laid(h, c) for h, c in ((mindtorch, sample.ours), (torch, sample.oracle))]
        plain = outcome(forms(row)[0].oracle, pair[1])
        results = plain.value if isinstance(plain.value, (tuple, list)) else (plain.value,)
        if plain.error is not None or not isinstance(results[0], torch.Tensor):
            continue
        for target in TARGETS:
            if (name, target.__name__) in ORACLE_DIES:
                continue
            found = []
            for home, call, run in ((mindtorch, pair[0], ours), (torch, pair[1], oracle)):
                made = fresh(home, results, lambda h, r, t=target: turned(h, t(h, r)))
                if target is not strided:
                    made = mapped(made, lambda t: t.contiguous())
                given = {"out": made} if names is None else named(names, made)
                found.append(outcome(run, call._replace(kwargs={**call.kwargs, **given})))
            mine, wanted = (looks(o, names is None) for o in found)
            if mine != wanted:
                lines.append(f"{show(pair[1])} to {target.__name__}: {mine}, torch has {wanted}")
    report(expected("meta_out", name, lines))


@every("name", [n for n in WITH_OUT if ROWS[n].reduces is None])
def test_a_target_on_the_host_is_refused_as_it_is(name):
    """Operands are on meta; what the oracle refuses before it resizes it keeps its shape here."""
    row, lines = ROWS[name], []
    ours, oracle, names = calls(row)
    for sample in samples(row, most=1):
        pair = [on_meta(h, c) for h, c in ((mindtorch, sample.ours), (torch, sample.oracle))]
        plain = outcome(forms(row)[0].oracle, pair[1])
        results = plain.value if isinstance(plain.value, (tuple, list)) else (plain.value,)
        if plain.error is not None or not isinstance(results[0], torch.Tensor):
            continue
        found, targets = [], []
        for home, call, run in ((mindtorch, pair[0], ours), (torch, pair[1], oracle)):
            made = fresh(home, results, larger)
            given = {"out": made} if names is None else named(names, made)
            found.append(outcome(run, call._replace(kwargs={**call.kwargs, **given})))
            targets.append(show(made))
        mine, wanted = (str(o.error) for o in found)
        if "cross-device" in wanted and targets[1] in (
            targets[0],
            show(fresh(torch, results, larger)),
        ):
            if (mine, *found[0].warned) != (wanted, *found[1].warned) or targets[0] != targets[1]:
                lines.append(f"{mine} {targets[0]}, torch has {wanted} {targets[1]}")
    report(lines)


def named(names, made):
    """The targets by their keywords."""
    made = made if isinstance(made, tuple) else (made,)
    return dict(zip(names, made, strict=True))


@pytest.mark.parametrize("how", [{"dtype": "int64"}, {"device": "cpu"}, {"dtype": "float64"}])
def test_a_loss_on_meta_takes_and_refuses_the_oracles_targets(how):
    """In its words: of another dtype, and on the host."""
    found = []
    for home in (mindtorch, torch):
        x = home.empty(2, 3, device="meta")
        options = {"device": "meta", **how}
        if "dtype" in how:
            options["dtype"] = getattr(home, how["dtype"])
        call = Call((x, x), {"out": home.empty((), **options)})
        found.append(outcome(home.ops.aten.binary_cross_entropy.out, call))
    assert not compare(*found)


SHAPES = [
    ((3, 4), (1, 3, 4), None), ((3, 1), (3,), None), ((1, 3), (3, 1), None), ((3,), (), None),
    ((3,), (3, 1), (3, 1)), ((2, 3, 1), (2, 1, 3), None), ((3, 1), (3, 3), None),
    ((3, 4), (3, 4), (3, 1, 1)), ((3, 4), (3, 4, 1), None), ((2, 3), (4,), None),
    ((3, 4), (3, 4), (5,)),
]  # fmt: skip


DTYPES = [("float32",) * 3, ("float32", "float64", "float64"), ("float16", "int64", "bool")]


@every("shapes", SHAPES)
@every("dtypes", DTYPES)
def test_a_loss_on_meta_broadcasts_and_promotes_as_the_oracle_does(shapes, dtypes):
    """Its operands, as in the decomposition; the host's kernel takes out sizes of one."""
    found = []
    for home in (mindtorch, torch):
        given = [
            None if shape is None else home.empty(shape, dtype=getattr(home, d), device="meta")
            for shape, d in zip(shapes, dtypes, strict=True)
        ]
        for reduction in (0, 1):
            call = Call((*given, reduction), {})
            found.append(looks(outcome(home.ops.aten.binary_cross_entropy, call), False))
    assert found[:2] == found[2:]


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)


@pytest.mark.parametrize("name", ["upsample_nearest2d", "_upsample_nearest_exact2d"])
def test_images_that_are_resized_keep_their_memory_format(name):
    """A target that has its size has its format; an empty one gets that of the images."""
    for target in ((0,), (2, 3, 8, 8)):
        strides = []
        for t in (mindtorch, torch):
            images = t.empty(2, 3, 4, 4, device="meta", memory_format=t.channels_last)
            out = t.empty(target, device="meta")
            getattr(t._C._nn, name)(images, (8, 8), out=out)
            strides.append(out.stride())
        assert strides[0] == strides[1], target
