"""Custom ops with results whose sizes depend on data: fake implementations and ``opcheck``."""

from __future__ import annotations

import importlib
import itertools
from types import ModuleType
from typing import Any

import pytest
import torch

from .both_frameworks import BOTH, ours, outcome

_numbers = itertools.count()


def made(t: ModuleType, real: str, fake: str) -> Any:
    """An op of one tensor ``x``; *real* is what it gives, *fake* what its fake implementation does.

    ``new`` makes a size there.
    """

    def kernel(x: Any) -> Any:
        return eval(real, {"t": t, "x": x})

    def without_numbers(x: Any) -> Any:
        context = t.library.get_ctx()
        return eval(fake, {"t": t, "x": x, "new": context and context.new_dynamic_size})

    name = f"fake_sizes::op{next(_numbers)}_{t.__name__}"
    op = t.library.custom_op(name, kernel, mutates_args=(), schema="(Tensor x) -> Tensor")
    op.register_fake(without_numbers if "new" in fake else lambda x: eval(fake, {"t": t, "x": x}))
    return op


OPS = {
    "open": ("x.nonzero()", "x.new_empty((new(), x.dim()), dtype=t.int64)"),
    "made of one": ("x.repeat(2)", "x.new_empty(2 * new(min=1, max=9))"),
    "another known size": ("x.nonzero()", "x.new_empty((new(), x.dim() + 1), dtype=t.int64)"),
    "another dtype": ("x.nonzero()", "x.new_empty((new(), x.dim()))"),
    "another dimension": ("x.nonzero()", "x.new_empty((new(),), dtype=t.int64)"),
    "known": ("x.clone()", "t.empty_like(x)"),
    "its argument": ("x.clone()", "x"),
    "a view of its argument": ("x.clone()", "x.view(-1)"),
    "another shape": ("x.clone()", "x.new_empty(7)"),
}


def told(check: Any) -> list[Any]:
    """What both say, with the ops' names replaced."""
    names = {}
    found = []
    for t in BOTH:
        result, _ = outcome(lambda t: check(t, names), t)
        found.append(str(result).replace(names[t], "op").replace("mindtorch", "torch"))
    return found


@pytest.mark.parametrize("name", OPS)
def test_opcheck(name):
    """A size that is left open is no mismatch; what is known must be so."""

    def check(t: ModuleType, names: dict[Any, str]) -> Any:
        op = made(t, *OPS[name])
        names[t] = op._opoverload.name().partition("::")[2]
        return {k: str(v) for k, v in t.library.opcheck(op, (t.ones(3),)).items()}

    got, want = told(check)
    assert got == want


@pytest.mark.parametrize("name", ["open", "known"])
def test_fake_tensors(name):
    """Without symbols for sizes, one that depends on data is refused."""

    def check(t: ModuleType, names: dict[Any, str]) -> Any:
        op = made(t, *OPS[name])
        names[t] = op._opoverload.name().partition("::")[2]
        mode = importlib.import_module(f"{t.__name__}._subclasses.fake_tensor").FakeTensorMode()
        with mode:
            return repr(op(t.ones(3)))

    got, want = told(check)
    assert got == want


@pytest.mark.parametrize(
    "call",
    [
        lambda t: (t.ops.aten.nonzero.default, (t.ones(3),)),
        lambda t: (t.ops.aten.masked_select.default, (t.ones(3), t.ones(3).bool())),
        lambda t: (t.ops.aten._local_scalar_dense.default, (t.ones(1),)),
        lambda t: (t.ops.aten.unique_dim.default, (t.ones(2, 2), 0)),
        lambda t: (t.ops.aten.view.default, (t.ones(2), [2, 1])),
        lambda t: (t.ops.aten.sort.default, (t.ones(2, requires_grad=True),)),
    ],
)
def test_opcheck_of_torchs_own(call):
    """Ops that say that their results depend on data have nothing to compare."""
    found = [t.library.opcheck(*call(t)) for t in (ours, torch)]
    assert found[0] == found[1]
