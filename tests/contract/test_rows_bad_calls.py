"""Wrong calls: type and full text of the error are the oracle's, for every row."""

from __future__ import annotations

import torch
from mindtorch.call.row import ROWS

from .bad_calls import KINDS
from .batches import every
from .bounds import bound
from .known import check_all_differ, deadly, expected
from .rows import (
    NAMES,
    compare,
    forms,
    is_internal,
    method_call,
    outcome,
    report,
    tensors_in,
)


def differing(row, form, kind):
    """One line for each wrong call that ends otherwise than the oracle's."""
    lines = []
    # What a function has shown of a row's parser, its method need not show for each sample.
    again = form.name == "method" and "function" in row.variants
    for bad in KINDS[kind](row, 1) if again else KINDS[kind](row):
        if form.name == "method" and not method_call(bad.oracle):
            continue
        if deadly(row.name, bad.what):
            continue
        theirs = outcome(form.oracle, bad.oracle, seed=row.random)
        mine = outcome(form.ours, bad.ours, seed=row.random)
        if theirs.error is None and kind == "device" and mine.error is not None:
            continue  # some of torch's kernels read meta tensors unawares; ours refuse them
        found = compare(mine, theirs)
        if found and theirs.error is None:
            # The call was fine after all. Its value counts, where dtypes have a tolerance.
            near = coarsest(row, bad.oracle, theirs.value)
            found = compare(mine, theirs, tolerance=near)
        lines += [f"{form.name} {bad!r}: {d}" for d in found]
    return lines


def coarsest(row, call, value):
    """What the result's dtype allows, or that of an argument: parts are computed in it.

    Numbers much smaller than the largest are what is left of larger terms, so they may differ by
    what those may.
    """
    results = value if isinstance(value, (tuple, list)) else (value,)
    found = [bound(row, dtype_name(r)) for r in results[:1]]
    tensors = [t for t in tensors_in(call) if t.is_floating_point() or t.is_complex()]
    relative, absolute = max(
        found + [bound(row, dtype_name(t)) for t in tensors], default=(0.0, 0.0)
    )
    return relative, absolute * max([1.0, *map(largest, results)])


def largest(value):
    """The largest finite number of a tensor of floating-point numbers, 0 for anything else."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return 0.0
    if value.layout is not torch.strided or value.device.type == "meta":
        return 0.0
    return value.detach().double().nan_to_num(0, 0, 0).abs().max().item() if value.numel() else 0.0


def dtype_name(value):
    """The name of a tensor's dtype, "" for anything else."""
    return str(getattr(value, "dtype", "")).removeprefix("torch.")


#: Rows that do what the installed torch, which has no accelerator, refuses whatever the arguments.
ACCELERATED = {"_pin_memory"}
PUBLIC = [n for n in NAMES if not is_internal(ROWS[n]) and n not in ACCELERATED]


@every("name", PUBLIC)
@every("kind", KINDS)
def test_wrong_call_raises_the_oracles_error(name, kind):
    """Each wrong call, generated or declared, raises torch's type and text (or is fine in both)."""
    row, lines = ROWS[name], []
    for form in forms(row):
        if form.name == "function" or kind in ("arity", "type") or "function" not in row.variants:
            lines += differing(row, form, kind)
    report(expected("bad", name, lines))


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)
