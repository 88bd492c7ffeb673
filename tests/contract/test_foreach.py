"""``torch._foreach_*``: every op over lists that torch has, on the host and on an NPU."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.lazy_registration import load_all

from ..samples import Maker
from .both_frameworks import same
from .foreach_calls import CALLS
from .hearing import hearing
from .helpers import differences

load_all()
FAMILY = sorted(n for n in dir(torch) if n.startswith("_foreach_"))
DTYPES = ("float32", "int64", "bool", "complex64", "float16", "bfloat16", "float64")

#: A place of the half types: torch's kernels over lists round otherwise than those over tensors.
ROUNDING = {"float16": 1e-3, "bfloat16": 8e-3}
#: torch's kernel of norms warns of a cast that nobody asked for.
CAST = "Casting complex values to real"


def overloads(home):
    """Names of all overloads of the family; those with ``out`` are for functionalization alone."""
    found = set()
    for name in FAMILY:
        packet = getattr(home.ops.aten, name)
        found |= {f"{name}.{o}" for o in packet.overloads() if "out" not in o}
    return found


def test_every_name_and_overload_is_there():
    """``torch._foreach_*`` and ``torch.ops.aten._foreach_*``."""
    assert [n for n in FAMILY if not hasattr(mindtorch, n)] == []
    assert overloads(mindtorch) == overloads(torch)


def test_every_functional_form_has_calls():
    """A new op of the family without calls here would be untested."""
    rows = [n.removeprefix("aten::_foreach_") for n in OVERLOADS if "aten::_foreach_" in n]
    forms = {n.replace(".", "_") for n in rows if not n.partition(".")[0].endswith("_")}
    assert forms - set(CALLS) == {"copy", "zero"}  # those of torch.ops alone, see below


def ran(home, function, sample):
    """What a call gives or raises, and what it warns of."""
    with hearing() as heard:
        try:
            value, error = function(*sample.args, **sample.kwargs), None
        except Exception as e:
            value, error = None, e
    return value, error, [str(w.message) for w in heard if CAST not in str(w.message)]


def compare(name, function, generator, dtype, grad=False, exact=False):
    """Run all calls of *generator* on both sides; returns what differs."""
    makers = [Maker(home, dtype, grad=grad) for home in (mindtorch, torch)]
    lines = []
    for mine, theirs in zip(*map(generator, makers), strict=True):
        got, error, heard = ran(mindtorch, lambda *a, **k: function(mindtorch, *a, **k), mine)
        want, refusal, told = ran(torch, lambda *a, **k: function(torch, *a, **k), theirs)
        if heard != told:
            lines.append(f"{name} {dtype}: warns {heard}, torch {told}")
        if error or refusal:
            pair = [(type(e).__name__, str(e)) for e in (error, refusal)]
            if pair[0] != pair[1]:
                lines.append(f"{name} {dtype}: {pair}")
            continue
        assert type(got) is type(want)
        for a, b in zip(got, want, strict=True):
            near = ROUNDING.get(dtype, 1e-6)
            lines += [f"{name} {dtype}: {d}" for d in differences(a, b, rtol=near, atol=near)]
    return lines


def called(name):
    """``function(home, *args)`` that calls the op of the family."""
    return lambda home, *args, **kwargs: getattr(home, name)(*args, **kwargs)


def base(key):
    """``_foreach_add`` of ``add_Scalar``; ``clamp_min`` has a bar of its own."""
    for name in FAMILY:
        stem = name.removeprefix("_foreach_")
        if key == stem or key.startswith(stem + "_") and key[len(stem) + 1].isupper():
            return name
    raise KeyError(key)


@pytest.mark.parametrize("key", CALLS)
def test_results_and_refusals(key):
    """Values, dtypes and strides of all results; or the error."""
    lines = []
    for dtype in DTYPES:
        for generator in CALLS[key]:
            lines += compare(key, called(base(key)), generator, dtype)
    assert lines == []


@pytest.mark.parametrize("key", [k for k in CALLS if base(k) + "_" in FAMILY])
def test_in_place(key):
    """What the tensors of the list hold then; the list itself comes back."""
    name = base(key) + "_"

    def change(home, *args, **kwargs):
        result = getattr(home, name)(*args, **kwargs)
        assert result is args[0]
        return tuple(args[0])

    lines = []
    for dtype in DTYPES:
        for generator in CALLS[key]:
            lines += compare(key, change, generator, dtype)
    assert lines == []


#: torch's own formulas of these fail where the call itself does not.
NO_GRADIENT = {
    "add_Tensor": "inconsistent range for TensorList output",
    "addcdiv_Scalar": "select() cannot be applied to a 0-dim tensor",
    "addcdiv_ScalarList": "select() cannot be applied to a 0-dim tensor",
    "addcdiv_Tensor": "not implemented",
    "addcmul_Tensor": "not implemented",
    "div_Tensor": "inconsistent range for TensorList output",
    "mul_Tensor": "inconsistent range for TensorList output",
    "powsum_Scalar": "not implemented",
}


@pytest.mark.parametrize("key", [k for k in CALLS if k not in NO_GRADIENT])
def test_gradients(key):
    """Gradients flow through every tensor of the lists."""

    def gradients(home, *args, **kwargs):
        results = getattr(home, base(key))(*args, **kwargs)
        tensors = [t for a in args if isinstance(a, list) for t in a if isinstance(t, home.Tensor)]
        leaves = [t for t in tensors if t.requires_grad]
        total = sum((r * r).sum() for r in results)
        found = home.autograd.grad(total, leaves, allow_unused=True)
        return tuple(home.zeros(()) if g is None else g for g in found)

    assert compare(key, gradients, CALLS[key][0], "float64", grad=True) == []


@pytest.mark.parametrize("key", CALLS)
def test_on_an_npu(key):
    """The same numbers as on the host."""
    for sample in CALLS[key][0](Maker(mindtorch, "float32")):
        if key.endswith("_Tensor") and "addc" in key:
            continue  # whose packed numbers must be the host's
        want, refusal, _ = ran(mindtorch, getattr(mindtorch, base(key)), sample)
        if refusal:  # the same on every device
            continue
        moved = [
            [t.to("npu") if isinstance(t, mindtorch.Tensor) else t for t in a]
            if isinstance(a, list)
            else (a.to("npu") if isinstance(a, mindtorch.Tensor) else a)
            for a in sample.args
        ]
        got = getattr(mindtorch, base(key))(*moved, **sample.kwargs)
        assert [g.device.type for g in got] == ["npu"] * len(want)
        for g, w in zip(got, want, strict=True):
            mindtorch.testing.assert_close(g.cpu(), w, equal_nan=True)


PROGRAMS = [
    lambda t: t._foreach_zero_([t.ones(2), t.ones(())]),
    lambda t: t._foreach_zero_([]),
    lambda t: t._foreach_copy_([t.ones(2), t.ones(3)], [t.zeros(1), t.arange(3)]),
    lambda t: t._foreach_copy_([t.ones(2)], [t.ones(3)]),
    lambda t: t._foreach_copy_([t.ones(2)], []),
    lambda t: t.ops.aten._foreach_zero([t.ones(2)]),
    lambda t: t.ops.aten._foreach_copy([t.ones(2)], [t.zeros(2)]),
    lambda t: t.ops.aten._foreach_add_.Scalar([t.ones(2)], 1),
    lambda t: t.ops.aten._foreach_add.List([t.ones(2)], [t.ones(2)], alpha=3),
    lambda t: t._foreach_max([t.ones(0)]),
    lambda t: t._foreach_norm([t.ones(0)], float("inf")),
    lambda t: t._foreach_norm([t.ones(2, requires_grad=True)])[0].grad_fn is not None,
    lambda t: t._foreach_mul_([t.ones(2, requires_grad=True)], 2),
    lambda t: t._foreach_add(self=[t.ones(2)], scalar=3),
    lambda t: t._foreach_add([t.ones(2)], 1, alpha=2),
    lambda t: t._foreach_add(),
    lambda t: t._foreach_exp_(t.ones(2)),
    lambda t: type(t._foreach_sqrt((t.ones(2),))),
]


@pytest.mark.parametrize("case", range(len(PROGRAMS)))
def test_odd_calls(case):
    """The forms without generators; lists that are none."""
    same(PROGRAMS[case])
