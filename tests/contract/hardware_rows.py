"""Runs the rows' samples on the recording accelerator and prints what did not agree, as JSON.

A program of its own, since the driver is fixed at import; see ``test_npu_hardware.py``.
"""

from __future__ import annotations

import json
import warnings

import mindtorch

from .helpers import differences
from .rows import NAMES, ROWS, forms, outcome, own_self
from .test_rows_backends import moved, runs


def main() -> None:
    """Rows that ran, and of those that failed the reason."""
    warnings.simplefilter("ignore")
    ran, failed = 0, {}
    for name in NAMES:
        row = ROWS[name]
        if row.random:
            continue
        try:
            form = forms(row)[0]
            for sample, here in runs(row, 1, ("float32",)):
                ran += 1
                there = outcome(form.ours, moved(own_self(row, sample.ours), "npu"))
                reason = disagreement(here, there)
                if reason:
                    failed[name] = reason
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"[:160]
    print(json.dumps({"ran": ran, "failed": failed}))


def disagreement(here: object, there: object) -> str:
    """Why the outcome on the device is not the host's; empty where it is."""
    error = there.error
    if error is not None:
        return f"{type(error).__name__}: {error}"[:160]
    for ours, device in zip(flat(here.value), flat(there.value), strict=True):
        if isinstance(ours, mindtorch.Tensor):
            found = differences(device.cpu(), ours, rtol=1e-4, atol=1e-5, strides=False)
            if found:
                return str(found)[:160]
    return ""


def flat(value: object) -> list[object]:
    """The values of a result."""
    if isinstance(value, (tuple, list)):
        return [each for part in value for each in flat(part)]
    return [value]


if __name__ == "__main__":
    main()
