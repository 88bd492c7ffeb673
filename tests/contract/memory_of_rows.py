"""What each row asks of an NPU's memory, the first time and when it is known; prints it as JSON."""

from __future__ import annotations

import gc
import json
import sys
import warnings
from functools import partial

import mindtorch

from .rows import NAMES, ROWS, forms, samples
from .test_rows_backends import moved, usable

npu = mindtorch.npu
STEPS = 5  # a name is called, a layout is met, learnt, and known


def main() -> None:
    """Print the statistics of the steps of every row that runs on an NPU."""
    warnings.simplefilter("ignore")
    gc.disable()  # garbage would be given back in any of the steps
    found = {}
    for name in NAMES:
        sample = next(iter(samples(ROWS[name], most=1)), None)
        if sample is None or not usable(ROWS[name], sample):
            continue
        run, call = forms(ROWS[name])[0].ours, moved(sample.ours, "npu")
        try:
            found[name] = steps(run, call._replace(args=tuple(map(leaf, call.args))))
        except Exception as error:
            found[name] = type(error).__name__
    json.dump(found, sys.stdout)


def leaf(value):
    """*value*, which requires grad if it can."""
    if isinstance(value, mindtorch.Tensor) and (value.is_floating_point() or value.is_complex()):
        return value.detach().requires_grad_()
    return value


def steps(run, call):
    """The statistics of each step: of the call, and of its gradients if it has some."""
    leaves = [a for a in call.args if isinstance(a, mindtorch.Tensor) and a.requires_grad]
    found = []
    for _ in range(STEPS):
        result, booked = watched(partial(run, *call.args, **call.kwargs))
        results = result if isinstance(result, (tuple, list)) else (result,)
        roots = [r for r in results if isinstance(r, mindtorch.Tensor) and r.requires_grad]
        if roots and leaves:
            ones = [mindtorch.ones_like(r) for r in roots]
            grad = partial(mindtorch.autograd.grad, roots, leaves, ones, allow_unused=True)
            booked += watched(grad)[1]
            del grad
        found.append(booked)
        del result, results, roots
    return found


def watched(function):
    """What *function* gives; and blocks taken, their peak, those held, and bytes taken in it."""
    npu.synchronize()
    npu.reset_peak_memory_stats()
    before = npu.memory_stats_as_nested_dict()
    result = function()
    npu.synchronize()
    after = npu.memory_stats_as_nested_dict()
    (blocks, earlier), (taken, before_it) = (
        (after[name]["all"], before[name]["all"]) for name in ("active", "allocated_bytes")
    )
    return result, [
        blocks["allocated"] - earlier["allocated"],
        blocks["peak"] - earlier["current"],
        blocks["current"] - earlier["current"],
        taken["allocated"] - before_it["allocated"],
    ]


if __name__ == "__main__":
    main()
