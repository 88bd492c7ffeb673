"""The Pipeline key: record now, compute at the flush.

The kernel goes on with Pipeline removed and tells the backend below to *defer*: autograd records
its node at once (``grad_fn``, ``requires_grad`` and versions are right while numbers wait), and
``backends.deferral`` puts the work into the pipeline's queue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import call_kernel, current_pipeline, exclude_keys, redispatch

from .. import signature as S
from ..backends.deferral import pending, unsettled
from ..backends.meta import fresh
from ..backends.plan import store
from ..calls import BUILDERS, Call, boxed, build, tensors_of
from ..deferred import flush_current
from ..ops.overload import Overload
from ..ops.row import Out
from ..tensor import Tensor
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
        flush_current()
        for t in tensors_of(overload, args):
            if t._sig & S.PENDING:
                t._settle()
        return inner(*args)

    return call


pipeline = boxed(build_pipeline)


# Ops that are no rows -----------------------------------------------------------------------------


def foreign_op(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the key does for ops from ``torch.library``: the backend kernel is queued as a whole.

    Composite ops, and those with an autograd kernel to run, go on at once; the ops inside them are
    recorded. So do ops that write to an argument or return no tensors, after a flush.
    """
    below = keyset.mask & keys.BELOW_PIPELINE
    tensors = list(_tensors(args)) + list(_tensors(kwargs.values()))
    first = op.hop(below)
    if not tensors or first.rule.startswith("Composite") or first.key & _AUTOGRAD:
        return redispatch(op, below, *args, **kwargs)
    if not op.has_kernel(K.Meta):
        raise RuntimeError(f"pipeline requires meta kernel for op {op.name}")
    schema = op.schema
    if schema is not None and any(a.alias_info is not None for a in schema.arguments):
        return _at_once(op, below, tensors, args, kwargs)
    metas = call_kernel(op, K.Meta, *_on_meta(args), **dict(zip(kwargs, _on_meta(kwargs.values()))))
    many = isinstance(metas, (tuple, list))
    outs = list(metas) if many else [metas]
    if not all(isinstance(o, Tensor) for o in outs):
        return _at_once(op, below, tensors, args, kwargs)
    device = next((t.device for t in tensors if t._sig & S.NPU), None)
    results = [pending(Out(tuple(o.shape), o.dtype, o.stride()), device) for o in outs]
    targets = [r._a for r in results]
    pipe: Any = current_pipeline()

    def compute() -> None:
        with no_grad():
            made = call_kernel(op, first.key, *args, **kwargs)
        for target, value in zip(targets, made if many else [made], strict=True):
            store(target, value._host())

    storages = [r._shared.storage for r in results]  # type: ignore[union-attr]
    pipe.record(op.name, compute, storages, None, unsettled(pipe, tensors))
    return type(metas)(results) if many else results[0]


def _at_once(op: Any, below: int, tensors: Any, args: Any, kwargs: Any) -> Any:
    flush_current()
    for t in tensors:
        if t._sig & S.PENDING:
            t._settle()
    with exclude_keys(K.Pipeline):
        return redispatch(op, below, *args, **kwargs)


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for v in values:
        if isinstance(v, Tensor):
            yield v
        elif isinstance(v, (list, tuple)):
            yield from _tensors(v)


def _on_meta(values: Iterable[Any]) -> list[Any]:
    """The values with meta tensors in place of tensors."""
    found: list[Any] = []
    for v in values:
        if isinstance(v, Tensor):
            found.append(fresh(Out(tuple(v.shape), v.dtype, v.stride())))
        else:
            found.append(type(v)(_on_meta(v)) if type(v) in (list, tuple) else v)
    return found


def build_foreign_op(overload: Overload, sig: int, mask: int) -> Call:
    """For a row that is not registered at the key (a composite one): go on below."""
    return build(overload, sig, mask & keys.BELOW_PIPELINE)


BUILDERS[foreign_op] = build_foreign_op
