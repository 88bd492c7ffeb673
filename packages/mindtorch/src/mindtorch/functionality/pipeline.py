"""The Pipeline key: record now, compute at the flush.

The kernel goes on with Pipeline removed and tells the backend below to *defer*: autograd records
its node at once (``grad_fn``, ``requires_grad`` and versions are right while numbers wait), and
``backends.deferral`` puts the work into the pipeline's queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import call_kernel, current_pipeline, exclude_keys, redispatch
from mindtorch_dispatch.pipeline_journal import Operands
from mindtorch_storage import Device

from ..backends.deferral import mark_pending, pending, prepare_target, unsettled
from ..backends.functionality_kernels import makes_tensors
from ..backends.launch import Launch
from ..backends.meta import fresh
from ..call.arguments import full_arguments, split_keywords, tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.row import Out
from ..call.specialize import BUILDERS, boxed, build
from ..core import functionality_keys
from ..core import signature as S
from ..core.backend_registry import BACKENDS, complete
from ..core.copies import store
from ..tensor import Tensor
from ..tensor.array_memory import storage_of
from ..tensor.pending import flush_current
from ..tensor.tensor_impl import alias_of

_AUTOGRAD = functionality_keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView)


def build_pipeline(overload: Overload, sig: int, mask: int) -> Call:
    """Defer the call, unless it must read data now."""
    row = overload.row
    below = mask & functionality_keys.BELOW_PIPELINE
    if overload.composed_on(sig) or sig & S.META:
        return build(overload, sig, below)
    kernel = overload.operator.lookup(below & ~_AUTOGRAD)
    if kernel.fn not in BUILDERS or makes_tensors(kernel.fn) or must_run_now(overload):
        return _flushing(overload, build(overload, sig, below))
    if row.view is None and row.meta is None and row.promote is None:
        raise no_meta_kernel(overload)
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
            if t._sig_ & S.PENDING:
                t._settle_()
        return inner(*args)

    return call


pipeline = boxed(build_pipeline)


# Ops that are no rows -----------------------------------------------------------------------------


def foreign_op(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the key does for ops from ``torch.library``: the backend kernel is queued as a whole.

    Composite ops go on at once; the ops inside them are recorded. So do ops with an autograd
    kernel of the user's, and, after a flush, ops that return no tensors.
    """
    below = keyset.mask & functionality_keys.BELOW_PIPELINE
    first = op.hop(below)
    if first.key & _AUTOGRAD or not _deferrable(op, below):
        return redispatch(op, below, *args, **kwargs)
    return _queued(op, partial(call_kernel, op, first.key), args, kwargs, first.key)


def build_foreign_op(overload: Overload, sig: int, mask: int) -> Call:
    """For a row that is not registered at the key (a composite one): go on below.

    For others the same as :func:`foreign_op`, but autograd records its node first.
    """
    below = mask & functionality_keys.BELOW_PIPELINE
    op = overload.operator
    if overload.row.name or sig & S.META or not sig & S.BACKENDS or not _deferrable(op, below):
        return build(overload, sig, below)
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
        if not launch.targets:
            return
        for target, value in zip(launch.targets, made if launch.many else [made], strict=True):
            if target is not None:  # else it is what the kernel has written to
                store(target, value._host_())


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
    if hop.rule.startswith("CompositeImplicit") or hop.key == K.Meta:
        return False
    if op.has_kernel(K.Meta):
        return True
    schema = op.schema
    if hop.rule.startswith("Composite") or schema is not None and not _gives_tensors(schema):
        return False
    raise no_meta_kernel(op)


def no_meta_kernel(op: Any) -> RuntimeError:
    """Our own text: the queue must know what an op will give, and nobody can tell."""
    return RuntimeError(f"pipeline requires meta kernel for op {op.name.removeprefix('aten::')}")


def _gives_tensors(schema: Any) -> bool:
    return any("Tensor" in str(each.type) for each in schema.returns)


def _written(op: Any, args: Any, kwargs: Any) -> tuple[list[Tensor], list[Any]]:
    """The tensors that a call writes to; and for each result the argument that it is, or None."""
    schema = op.schema
    if schema is None:
        return [], []
    given = {**{a.name: v for a, v in zip(schema.arguments, args)}, **kwargs}
    of_set: dict[str, Any] = {}
    written: list[Tensor] = []
    for argument in schema.arguments:
        info, value = argument.alias_info, given.get(argument.name)
        if info is not None and info.is_write:
            written += _tensors([value])
            of_set.update(dict.fromkeys(info.after_set, value))
    return written, [
        next((of_set[each] for each in r.alias_info.before_set if each in of_set), None)
        if r.alias_info is not None
        else None
        for r in schema.returns
    ]


def _queued(op: Any, kernel: Any, args: Any, kwargs: Any, key: int = 0) -> Any:
    """Put *kernel* into the queue; what it will return is known from the op's Meta kernel.

    :param key: of the backend that runs it, where no tensor says so.
    """
    metas = call_kernel(op, K.Meta, *_on_meta(args), **dict(zip(kwargs, _on_meta(kwargs.values()))))
    tensors = [*_tensors(args), *_tensors(kwargs.values())]
    many = isinstance(metas, (tuple, list)) and not isinstance(metas, Out)
    outs = list(metas) if many else [metas]
    written, same = _written(op, args, kwargs)
    if not (outs or written) or not all(isinstance(o, (Tensor, Out)) for o in outs):
        return _at_once(tensors, lambda: kernel(*args, **kwargs))
    for t in written:
        prepare_target(t)
    device = next((t.device for t in tensors if t._sig_ & S.ACCELERATORS), None)
    if not tensors:
        device = _device_of(key)
    results: list[Any] = []
    targets: list[Any] = []
    storages = [storage_of(t) for t in written]
    for out, argument in zip_longest(outs, same[: len(outs)]):
        if argument is None:
            result = pending(_as_out(out), device)
            storages.append(storage_of(result))
        results.append(result if argument is None else argument)
        targets.append(result._a_ if argument is None else None)
    values = [*_with_own_versions(args, written)]
    keywords = dict(zip(kwargs, _with_own_versions(kwargs.values(), written), strict=True))
    launch = Launch(op.name, None, [*values, keywords], targets, _Kernel(kernel), many)
    pipe: Any = current_pipeline()
    operands = None
    if pipe.journal is not None:
        reads = tuple(storage_of(t) for t in tensors if not any(t is w for w in written))
        operands = Operands(_HOST if device is None else device.type, reads)
    pipe.record(op.name, launch, storages, None, unsettled(pipe, tensors), operands)
    for t in written:
        mark_pending(t)
        alias_of(t).value += 1
    return type(metas)(results) if many else results[0]


#: The type of the device of tensors that no accelerator has.
_HOST = "cpu"


def _device_of(key: int) -> Device | None:
    """The current device of the accelerator whose backend has *key*; None for the host's."""
    name = next((name for name, backend in BACKENDS.items() if backend.key == key), "")
    return complete(Device(name)) if S.DEVICE_BITS.get(name, 0) & S.ACCELERATORS else None


def _as_out(meta: Tensor | Out) -> Out:
    if isinstance(meta, Out):
        return meta
    return Out(tuple(meta.shape), meta.dtype, meta.stride())


def _with_own_versions(values: Iterable[Any], written: list[Tensor]) -> Iterator[Any]:
    """The values, where what is written counts its versions apart: they were counted already."""
    for v in values:
        if isinstance(v, Tensor):
            yield v.data if any(v is t for t in written) else v
        elif type(v) in (list, tuple):
            yield type(v)(_with_own_versions(v, written))
        else:
            yield v


def _at_once(tensors: Iterable[Tensor], kernel: Any) -> Any:
    flush_current()
    for t in tensors:
        if t._sig_ & S.PENDING:
            t._settle_()
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
