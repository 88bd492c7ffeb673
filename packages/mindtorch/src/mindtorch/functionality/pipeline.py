"""The Pipeline key: record now, compute at the flush.

The kernel goes on with Pipeline removed and tells the backend below to *defer*: autograd records
its node at once (``grad_fn``, ``requires_grad`` and versions are right while numbers wait), and
``backends.deferral`` puts the work into the pipeline's queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import call_kernel, current_pipeline, exclude_keys, redispatch

from ..backends.deferral import pending, unsettled
from ..backends.functionality_kernels import makes_tensors
from ..backends.launch import Launch
from ..backends.meta import fresh
from ..backends.plan import store
from ..call.arguments import full_arguments, split_keywords, tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.row import Out
from ..call.specialize import BUILDERS, boxed, build
from ..core import functionality_keys
from ..core import signature as S
from ..tensor import Tensor
from ..tensor.pending import flush_current

_AUTOGRAD = functionality_keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView)


def build_pipeline(overload: Overload, sig: int, mask: int) -> Call:
    """Defer the call, unless it must read data now."""
    row = overload.row
    below = mask & functionality_keys.BELOW_PIPELINE
    if overload.composed or sig & S.META:
        return build(overload, sig, below)
    kernel = overload.operator.lookup(below & ~_AUTOGRAD)
    if kernel.fn not in BUILDERS or makes_tensors(kernel.fn) or must_run_now(overload):
        return _flushing(overload, build(overload, sig, below))
    if row.view is None and row.meta is None and row.promote is None:
        raise RuntimeError(f"pipeline requires meta kernel for op {overload.name}")
    return build(overload, sig | S.DEFER, below)


def must_run_now(overload: Overload) -> bool:
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

    Composite ops go on at once; the ops inside them are recorded. So do ops with an autograd
    kernel of the user's, and, after a flush, ops that write to an argument or return no tensors.
    """
    below = keyset.mask & functionality_keys.BELOW_PIPELINE
    tensors = [*_tensors(args), *_tensors(kwargs.values())]
    first = op.hop(below)
    if not tensors or first.key & _AUTOGRAD or not _deferrable(op, below):
        return redispatch(op, below, *args, **kwargs)
    if _writes(op):
        return _at_once(tensors, lambda: redispatch(op, below, *args, **kwargs))
    return _queued(op, partial(call_kernel, op, first.key), args, kwargs)


def build_foreign_op(overload: Overload, sig: int, mask: int) -> Call:
    """For a row that is not registered at the key (a composite one): go on below.

    For others the same as :func:`foreign_op`, but autograd records its node first.
    """
    below = mask & functionality_keys.BELOW_PIPELINE
    op = overload.operator
    if overload.row.name or sig & S.META or not sig & S.BACKENDS or not _deferrable(op, below):
        return build(overload, sig, below)
    if _writes(op):
        inner = build(overload, sig, below)
        return lambda *args: _at_once(list(tensors_of(overload, args)), lambda: inner(*args))
    return build(overload, sig | S.DEFER, below)


BUILDERS[foreign_op] = build_foreign_op


def queued(overload: Overload, inner: Call) -> Call:
    """Record the call of a backend's kernel *inner* in place of making it."""
    op = overload.operator

    def call(*args: Any) -> Any:
        positional, keywords = split_keywords(overload, args)
        return _queued(op, _Inner(overload, inner), positional, keywords)

    return call


class _Kernel:
    """Computes a launch by a kernel over tensors, which somebody else registered."""

    __slots__ = ("kernel",)

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self.kernel = kernel

    def __call__(self, launch: Launch) -> None:
        *args, keywords = launch.values
        with no_grad():
            made = self.kernel(*args, **keywords)
        for target, value in zip(launch.targets, made if launch.many else [made], strict=True):
            store(target, value._host())


class _Inner:
    """The specialised call below the key, called as the operator is."""

    __slots__ = ("call", "overload")

    def __init__(self, overload: Overload, call: Call) -> None:
        self.overload, self.call = overload, call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(*full_arguments(self.overload, args, kwargs))


def _deferrable(op: Any, below: int) -> bool:
    """Whether a backend kernel waits at the bottom. Raises RuntimeError without a Meta kernel."""
    hop = op.hop(below & ~_AUTOGRAD)
    if hop.rule.startswith("CompositeImplicit"):
        return False
    if op.has_kernel(K.Meta):
        return True
    if hop.rule.startswith("Composite"):
        return False
    raise RuntimeError(f"pipeline requires meta kernel for op {op.name}")


def _writes(op: Any) -> bool:
    schema = op.schema
    return schema is not None and any(a.alias_info is not None for a in schema.arguments)


def _queued(op: Any, kernel: Any, args: Any, kwargs: Any) -> Any:
    """Put *kernel* into the queue; what it will return is known from the op's Meta kernel."""
    metas = call_kernel(op, K.Meta, *_on_meta(args), **dict(zip(kwargs, _on_meta(kwargs.values()))))
    tensors = [*_tensors(args), *_tensors(kwargs.values())]
    many = isinstance(metas, (tuple, list))
    outs = list(metas) if many else [metas]
    if not outs or not all(isinstance(o, Tensor) for o in outs):
        return _at_once(tensors, lambda: kernel(*args, **kwargs))
    device = next((t.device for t in tensors if t._sig & S.ACCELERATORS), None)
    results = [pending(Out(tuple(o.shape), o.dtype, o.stride()), device) for o in outs]
    targets = [r._a for r in results]
    pipe: Any = current_pipeline()

    storages = [r._shared.storage for r in results]
    launch = Launch(op.name, None, [*args, kwargs], targets, _Kernel(kernel), many)
    pipe.record(op.name, launch, storages, None, unsettled(pipe, tensors))
    return type(metas)(results) if many else results[0]


def _at_once(tensors: Iterable[Tensor], kernel: Any) -> Any:
    flush_current()
    for t in tensors:
        if t._sig & S.PENDING:
            t._settle()
    with exclude_keys(K.Pipeline):
        return kernel()


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
