"""Joins the packages: what the islands ask for is given here, once, at import."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import mindtorch_npu
import numpy as np
from mindtorch_autograd import errors as autograd_errors
from mindtorch_autograd import is_grad_enabled, set_space
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import (
    argument_errors,
    registry,
    set_default_device_source,
    set_grad_mode_source,
    watch_failures,
    watch_flushes,
)
from mindtorch_npu import backend as npu_backend
from mindtorch_npu import captures, runtime, thread_state
from mindtorch_npu import errors as npu_errors
from mindtorch_npu import random as npu_random
from mindtorch_npu.pinned import host_allocator
from mindtorch_storage import ACCELERATOR, Device, hooks
from mindtorch_storage import errors as storage_errors
from mindtorch_storage.storage_errors import accelerator_missing

from .aten import tensor_methods
from .aten.method_ops import register_methods
from .aten.operators import attach_methods
from .aten.register import register_rows
from .aten.subscript import getitem
from .aten.subscript_assignment import setitem
from .autograd.grad_ops import TensorSpace
from .backends.devices import seed_generators
from .call import intercept, known_call, lazy_registration, specialize, torch_function
from .call.lazy_registration import load, load_all
from .core import (
    collector,
    compiling,
    missing_backends,
    operators,
    script_object,
    warning,
)
from .core.backend_registry import backend_at, complete
from .functionality import batching as batching_key
from .functionality import python_dispatcher as python_dispatcher_key
from .functionality.batching import batching, vmap_mode
from .functionality.conj_neg import lazy_bits
from .functionality.functionalize_key import functionalize_key
from .functionality.meta import meta_fallback
from .functionality.pipeline import foreign_op
from .functionality.python import passed_on, pre_dispatch_fallback, python_fallback
from .functionality.python_dispatcher import python_dispatcher
from .tensor import (
    Tensor,
    conversion,
    defaults,
    device_modes,
    disabled,
    edges,
    gradient,
    legacy,
    named_as_tensors,
    policies,
    protocol,
    resizing,
    set_storage,
)
from .tensor.default_generator import seed_hooks
from .tensor.defaults import DeviceContext, default_device
from .tensor.generator import Generator
from .tensor.legacy import npu_type_of_old
from .tensor.pending import flush_current
from .tensor.pipelines import mark_failed, settle_early

_PACKAGE = __package__ or "mindtorch"


def _before_read(storage: Any) -> None:
    flush_current()  # queued kernels may read what is about to be changed
    pending = storage.pending
    if pending is not None:
        pending.pipeline.settle(pending)
    if storage.block is not None:
        backend_at(storage.device).before_bytes(storage)


def _hardware() -> Any:
    from .backends import hardware  # loads torch

    return hardware


def _default_generator(index: int) -> Generator:
    if npu_backend.HARDWARE:
        return _hardware().default_generator(index)
    generator = Generator(Device(ACCELERATOR, index))
    generator.seed()  # as on the cpu, each process has numbers of its own
    return generator


def _copy_hardware(target: Any, source: Any) -> bool:
    return _hardware().copy_bytes(target, source)


def _pinned_bytes(nbytes: int) -> Any:
    if not runtime.is_available():
        raise accelerator_missing()
    runtime.lazy_init()  # a forked child cannot
    return host_allocator.allocate(nbytes)


def _current_device(kind: str) -> Device:
    return complete(Device(kind))


def _streamed() -> Any:
    from .functionality import streamed  # not before streams, or another device, are used

    return streamed


def _streams_changed(left: bool) -> None:
    _streamed().left_default_streams(left)


def _other_device() -> None:
    _streamed().used_another_device()


def _held(operator: Any) -> Any:
    from ._ops import handle_of  # not at import: most programs call no fallback

    return handle_of(operator)


#: What a lower layer calls of a higher one: by the module that calls, where its functions are.
_LATE_BOUND: tuple[tuple[ModuleType, dict[str, str]], ...] = (
    (
        operators,
        {
            "call_for_objects": ".call.torch_function",
            "function_named": ".aten.named_functions",
            "grad": ".autograd",
            "operator_named": "._ops",
            "straight_named": ".call.overload_entrance",
            "written_parser": ".call.argument_parser",
        },
    ),
    (missing_backends, {"load_sparse": ".call.lazy_registration"}),
    (compiling, {"compile": ".compiler.compiling"}),
    (
        conversion,
        {
            "apply_": ".aten.python_loops",
            "freed": ".functionality.freed",
            "inside_of_its_vmap": ".functionality.batching",
            "legacy_new": ".aten.legacy_constructors",
            "lu": ".linalg.factorizations",
            "map2_": ".aten.python_loops",
            "map_": ".aten.python_loops",
            "nonzero_of": ".aten.nonzeros",
            "sparse_new": ".aten.sparse.construction",
            "norm": ".aten.norms",
            "stft": ".aten.spectral",
            "unique_consecutive": ".aten.uniques",
            "value_tensor": ".aten.subscript_assignment",
        },
    ),
    (defaults, {"forget_resolved_calls": ".call.dispatch_entry"}),
    (device_modes, {"device_mode": ".utils._device"}),
    (
        disabled,
        {
            "default_torch_function": ".call.torch_function",
            "watch_for_good": ".call.points",
        },
    ),
    (
        gradient,
        {
            "is_handed_over": ".autograd._overriding_inputs",
            "refresh": ".functionality.view_history",
        },
    ),
    (
        legacy,
        {
            "legacy_new": ".aten.legacy_constructors",
            "legacy_tensor": ".aten.legacy_constructors",
            "legacy_sparse": ".aten.sparse.construction",
        },
    ),
    (policies, {"hand_over": ".functionality.python"}),
    (
        protocol,
        {
            "deepcopy": ".io.copying",
            "device_of": ".aten.dlpack",
            "exported": ".aten.dlpack",
            "reduce": ".io.copying",
            "set_state": ".io.copying",
            "tensor_str": ".io.printing",
        },
    ),
    (resizing, {"resize_functional": ".functionality.functionalization_ops"}),
    (script_object, {"class_of": ".aten.quantized.packed_weights"}),
    (lazy_registration, {"register_rows": ".aten.register"}),
    (known_call, {"composite_text": ".functionality.composite_plans"}),
    (
        specialize,
        {
            "capturing_call": ".functionality.transform_guards",
            "copy_on_write_call": ".functionality.copy_on_write",
            "bits_call": ".functionality.conj_neg",
            "dual_call": ".functionality.forward_mode",
            "freed_call": ".functionality.freed",
            "inference_call": ".functionality.inference",
            "moving": ".functionality.argument_preparation",
            "refreshing": ".functionality.argument_preparation",
            "result_converter": "._library.results",
            "settling": ".functionality.argument_preparation",
            "streamed_call": ".functionality.streamed",
            "taped_call": ".functionality.call_tape",
            "traced_call": ".functionality.tracing",
            "traced_kernel": ".functionality.tracing",
            "up_to_date": ".functionality.argument_preparation",
            "whole_call": ".functionality.whole_calls",
        },
    ),
    (
        torch_function,
        {
            "device_constructors": "._library.overridable",
            "get_default_nowrap_functions": "._library.overridable",
            "resolve_name": "._library.overridable",
        },
    ),
    (
        batching_key,
        {
            "falling_back": ".functionality.batching_fallbacks",
            "random_op": ".functionality.batching_random",
            "rule_of": ".functionality.batching_rules",
        },
    ),
    (edges, {"describe": ".tensor.tensor_meta"}),
    (
        intercept,
        {
            "call_for_objects": ".call.torch_function",
            "call_overridden": ".call.torch_function",
            "object_among": ".call.torch_function",
        },
    ),
    (python_dispatcher_key, {"handle_of": "._ops"}),
)

#: Of these, what nearly every program calls: a first call of an op is not to pay for the import.
_NEEDED_SOON = (operators.function_named, specialize.refreshing)

#: What a key does with ops that have no kernel for it (None: it falls through).
_FALLBACKS: tuple[tuple[K, Any], ...] = (
    (K.Pipeline, foreign_op),
    (K.FuncTorchBatched, batching),
    (K.FuncTorchVmapMode, vmap_mode),
    (K.Functionalize, functionalize_key),
    (K.Conjugate, lazy_bits),
    (K.Negative, lazy_bits),
    (K.Python, python_fallback),
    *[(key, passed_on(key)) for key in (K.PythonTLSSnapshot, K.Tracer, K.FuncTorchGradWrapper)],
    (K.Meta, meta_fallback),
    (K.PythonDispatcher, python_dispatcher),
    (K.PreDispatch, pre_dispatch_fallback),
)


def install() -> None:
    """Register the rows, put methods on Tensor, install space and hooks."""
    collector.guard_contexts()
    for module, places in _LATE_BOUND:
        for name, place in places.items():
            vars(module)[name].bind(_PACKAGE + place)
    for function in _NEEDED_SOON:
        function.resolve()
    for key, kernel in _FALLBACKS:  # before there are ops, each of which would be told
        registry.register_fallback(key, kernel)
    register_rows()
    registry.later, registry.all_later = load, load_all
    register_methods()
    for name in ("resize", "resize_as", "record_stream"):
        named_as_tensors(getattr(resizing, name), name)
        setattr(Tensor, name, getattr(resizing, name))
    getitem.__name__, setitem.__name__ = "__getitem__", "__setitem__"
    named_as_tensors(getitem, "__getitem__")
    named_as_tensors(setitem, "__setitem__")
    Tensor.__getitem__ = getitem
    Tensor.__setitem__ = setitem
    attach_methods()
    tensor_methods.attach()
    set_space(TensorSpace())
    npu_backend.on_worker_start(lambda: np.seterr(all="ignore"))
    npu_random.set_generator_factory(_default_generator)
    mindtorch_npu._types_of_old = npu_type_of_old
    for name in ("graphed_callables", "graph_inputs"):
        mindtorch_npu._with_tensors[name] = f"{_PACKAGE}.utils.{name}"
    captures.launch_what_waits.append(flush_current)
    thread_state.on_stream_change = _streams_changed
    thread_state.on_other_device = _other_device
    seed_hooks.extend((npu_random.manual_seed_all, seed_generators))
    Device.enter_hooks.append(DeviceContext.enter)
    Device.exit_hooks.append(lambda device, *_: DeviceContext.exit())
    hooks.before_read = _before_read
    watch_failures(mark_failed)
    watch_flushes(settle_early)
    registry.held = _held
    registry.said = warning.said
    for errors in (argument_errors, autograd_errors, npu_errors, storage_errors):
        errors.said = warning.said
    set_grad_mode_source(is_grad_enabled)
    set_default_device_source(lambda: default_device() or "cpu")
    hooks.on_moved = set_storage.rebind
    hooks.current_device = _current_device
    hooks.pinned_bytes = _pinned_bytes
    if npu_backend.HARDWARE:
        hooks.copy_elsewhere = _copy_hardware
