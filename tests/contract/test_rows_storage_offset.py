"""Every row on tensors that lie elsewhere in their storage than those of the calls before.

A tensor's meta says nothing of its place in the storage, nor of the storage's size. What a call
looks up by metas has to be right wherever its tensors lie.
"""

from __future__ import annotations

import mindtorch
import torch
from mindtorch.call.row import ROWS

from .rows import (
    NAMES,
    Call,
    compare,
    forms,
    is_tensor,
    mapped,
    outcome,
    report,
    samples,
    writes_self,
)

#: So many calls make a layout known.
CALLS = 5
#: What comes of these is not defined: torch does not clear memory.
UNDEFINED = ("empty", "resize", "new_empty", "_efficientzerotensor", "from_file")


def placed(t, value, before: int, after: int):
    """A copy of a tensor with so many elements of its storage before and after it."""
    span = 1 + sum((n - 1) * s for n, s in zip(value.shape, value.stride(), strict=True))
    if not value.numel() or value.is_conj() or value.is_neg():
        return value
    whole = t.zeros(before + span + after, dtype=value.dtype)
    return whole.as_strided(value.shape, value.stride(), before).copy_(value)


def moved(t, call: Call, before: int, after: int) -> Call:
    """*call* on tensors that lie elsewhere."""
    return mapped(call, lambda value: placed(t, value.detach(), before, after))


def test_rows_on_tensors_elsewhere_in_their_storage():
    """Values, strides, errors and storage offsets of results."""
    lines, done = [], 0
    for name in NAMES:
        row = ROWS[name]
        if not row.samples or row.random or writes_self(row) or name.startswith(UNDEFINED):
            continue
        for form in forms(row)[:1]:
            for sample in samples(row, most=2):
                if not any(map(is_tensor, sample.ours.args)):
                    continue
                for _ in range(CALLS):
                    outcome(form.ours, moved(mindtorch, sample.ours, 0, 9))
                for before, after in ((1, 8), (2, 0)):
                    got = outcome(form.ours, moved(mindtorch, sample.ours, before, after))
                    want = outcome(form.oracle, moved(torch, sample.oracle, before, after))
                    done += 1
                    found = compare(got, want, tolerance=(1e-3, 1e-3))
                    lines += [f"{name} at {before} {sample.oracle!r:.80}: {x}" for x in found]
    report(lines)
    assert done > 1000
