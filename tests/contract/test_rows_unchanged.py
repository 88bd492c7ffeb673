"""After an error nothing is half changed: neither what a call reads nor what it would write.

torch leaves some tensors with another shape; mindtorch none. So there is no oracle here but the
state before the call.
"""

from __future__ import annotations

import mindtorch
import pytest
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import INPLACE, OUT
from mindtorch.call.row import ROWS

from .bad_calls import KINDS
from .rows import (
    NAMES,
    forms,
    is_internal,
    mapped,
    outcome,
    report,
    samples,
    tensors_in,
)

#: The bytes of the ``out=`` below, and the most that are compared.
LARGEST = 56
#: Wrong calls that come far enough to change something.
_FAR = ("declared", "shape")


def state(t):
    """Everything of a tensor that a call can change, its memory included."""
    storage = t.untyped_storage()
    # A storage may have grown: what it has grown by, no tensor sees.
    memory = None if t.device.type == "meta" else bytes(storage.tolist()[:LARGEST])
    return {
        "shape": (tuple(t.shape), t.stride(), t.storage_offset(), t.dtype, t.device),
        "storage": (storage._cdata, storage.resizable()),
        "memory": memory,
        "version": t._version,
        "gradients": (t.requires_grad, id(t.grad_fn), t.grad is None, t.is_leaf),
        "view": (t._is_view(), t.is_conj(), t.is_neg()),
    }


def changes(function, call, what):
    """One line for each fact that a call which fails has changed."""
    tensors = [t for t in tensors_in(call) if isinstance(t, mindtorch.Tensor)]
    before = [state(t) for t in tensors]
    if outcome(function, call).error is None:
        return []
    after = [state(t) for t in tensors]
    return [
        f"{what} {call!r}: argument {i}: {fact} was {old[fact]!r:.80}, is {new[fact]!r:.80}"
        for i, (old, new) in enumerate(zip(before, after, strict=True))
        for fact in old
        if old[fact] != new[fact]
    ]


WRITING = [n for n in NAMES if not is_internal(ROWS[n]) and not ROWS[n].random and ROWS[n].samples]


@pytest.mark.parametrize("name", WRITING)
def test_a_refused_call_changes_nothing(name):
    """The function or method, the in-place method and ``out=`` of every row."""
    row, lines = ROWS[name], []
    base = row.base.removesuffix("_") + "_"
    kinds = {o.kind for o in OVERLOADS.values() if o.row is row}
    plain = forms(row)[-1]
    in_place = METHODS.get(base) if INPLACE in kinds else None
    with_out = MODULES[row.module].get(row.base) if OUT in kinds else None
    for kind in _FAR:
        for bad in KINDS[kind](row):
            call = bad.ours
            lines += changes(plain.ours, call, plain.name)
            if in_place is not None and call.args and isinstance(call.args[0], mindtorch.Tensor):
                lines += changes(in_place, call, base)
            if with_out is not None:
                target = mindtorch.ones(7, 1, 2)
                wrong = call._replace(kwargs={**call.kwargs, "out": target})
                lines += changes(with_out, wrong, "out=")
    report(lines)


def test_a_refused_call_leaves_its_target_on_the_npu():
    """The same for ``out=`` there, and for targets of other devices, dtypes and layouts."""

    def moved(t):
        return t.detach().to("npu")

    lines, refused = [], 0
    for name in WRITING:
        row = ROWS[name]
        kinds = {o.kind for o in OVERLOADS.values() if o.row is row}
        public = OUT in kinds and row.module != "nn"
        with_out = getattr(mindtorch, row.base, None) if public else None
        if with_out is None:
            continue
        calls = [s.ours for s in samples(row)[:1]] + [b.ours for b in list(KINDS["shape"](row))[:1]]
        for call in calls:
            there = mapped(call, moved)
            for target in (
                mindtorch.ones(7, 1, 2, device="npu", dtype=mindtorch.int32),
                mindtorch.ones(7, 1, 2),
                mindtorch.ones(1, device="npu").expand(7),
            ):
                wrong = there._replace(kwargs={**there.kwargs, "out": target})
                before = state(target)
                refusal = outcome(with_out, wrong).error
                try:
                    mindtorch.npu.synchronize()
                except (RuntimeError, IndexError):
                    continue  # what only the numbers tell is found when the kernel runs
                if refusal is None:
                    continue
                refused += 1
                after = state(target)
                lines += [f"{name} {wrong!r}: {k}" for k in before if before[k] != after[k]]
    report(lines)
    assert refused > 500
