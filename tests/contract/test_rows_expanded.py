"""Every in-place row on memory whose elements are there several times: refused, or written once."""

import mindtorch
import torch
from mindtorch.aten.register import METHODS
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import INPLACE
from mindtorch.call.row import ROWS

from .rows import (
    NAMES,
    Call,
    compare,
    is_tensor,
    mapped,
    outcome,
    report,
    samples,
    writes_self,
)

#: What comes of these is not defined: torch does not clear memory.
UNDEFINED = frozenset(("resize_", "resize_as_"))


def expanded(call):
    """*call* on a first argument whose first dimension repeats one row; None where it has none."""
    if not call.args or not is_tensor(call.args[0]):
        return None
    first = call.args[0].detach()
    if not first.dim() or first.shape[0] < 2 or not first.numel():
        return None
    wide = first[:1].clone().expand(first.shape)
    return mapped(Call((wide, *call.args[1:]), call.kwargs), lambda t: t.detach())


def method(name):
    """The method of the first argument's class."""

    def call(self, *args, **kwargs):
        return getattr(type(self), name)(self, *args, **kwargs)

    return call


def test_in_place_rows_on_expanded_memory():
    """Errors, warnings and what is in the memory afterwards."""
    in_place = {o.row.name for o in OVERLOADS.values() if o.kind == INPLACE}
    lines, done = [], 0
    for name in NAMES:
        row = ROWS[name]
        base = row.base.removesuffix("_") + "_"
        if name not in in_place and not writes_self(row) or row.base in UNDEFINED:
            continue
        if not row.samples or base not in METHODS or not hasattr(torch.Tensor, base):
            continue
        pairs = [(expanded(s.ours), expanded(s.oracle)) for s in samples(row)]
        for ours, oracle in [p for p in pairs if p[0] is not None][:2]:
            call = method(base)
            got, want = outcome(call, ours, seed=True), outcome(call, oracle, seed=True)
            done += 1
            found = compare(got, want, tolerance=(2e-6, 2e-6))
            said = [[w for w in o.warned if "expanded" in w] for o in (got, want)]
            if said[0] != said[1] and want.error is None:
                found.append(f"warned {said[0]}, torch {said[1]}")
            lines += [f"{name} {oracle!r:.80}: {line}" for line in found]
    report(lines)
    assert done > 300
    assert mindtorch.ones(1).expand(3).fill_(2).tolist() == [2, 2, 2]
