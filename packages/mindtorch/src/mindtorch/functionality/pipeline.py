"""The Pipeline key: record now, compute at the flush.

The kernel goes on with Pipeline removed and tells the backend below to *defer*: autograd records
its node at once (``grad_fn``, ``requires_grad`` and versions are right while numbers wait), and
``backends.deferral`` puts the work into the pipeline's queue.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import current_pipeline

from .. import signature as S
from ..calls import BUILDERS, Call, boxed, build, tensors_of
from ..ops.overload import Overload
from . import keys

_AUTOGRAD = keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView)


def build_pipeline(overload: Overload, sig: int, mask: int) -> Call:
    """Defer the call, unless it must read data now."""
    row = overload.row
    below = mask & keys.BELOW_PIPELINE
    if row.composite is not None or sig & S.META:
        return build(overload, sig, below)
    kernel = overload.operator.lookup(below & ~_AUTOGRAD)
    if kernel.fn not in BUILDERS or _must_run_now(overload):
        return _flushing(overload, build(overload, sig, below))
    if row.view is None and row.meta is None and row.promote is None:
        raise RuntimeError(f"pipeline requires meta kernel for op {overload.name}")
    return build(overload, sig | S.DEFER, below)


def _must_run_now(overload: Overload) -> bool:
    row = overload.row
    return "data_dependent_output" in row.tags or overload.schema_text.endswith(
        ("-> bool", "-> Scalar", "-> int", "-> float")
    )


def _flushing(overload: Overload, inner: Call) -> Call:
    def call(*args: Any) -> Any:
        pipe = current_pipeline()
        if pipe is not None:
            pipe.flush()
        for t in tensors_of(overload, args):
            if t._sig & S.PENDING:
                t._settle()
        return inner(*args)

    return call


pipeline = boxed(build_pipeline)
