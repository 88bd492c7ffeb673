"""What pickles of tensors call: ``torch._utils``, whose function names are part of the format."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from mindtorch_dispatch.modes import DISPATCH
from mindtorch_npu import accelerator_device
from mindtorch_storage import Device, UntypedStorage

from .aten import torch
from .aten.from_data import from_numpy
from .call import lazy_registration
from .call.arguments import layout_bit
from .call.subclass import retyped
from .core import constants
from .core import signature as S
from .core.operators import ops
from .core.sparse_invariants import checks
from .core.warning import warn
from .tensor import Tensor
from .tensor.object_state import _get_obj_state as _get_obj_state
from .tensor.object_state import _set_obj_state
from .tensor.quantizer import PerTensor, Quantizer, channel_parameters, set_quantizer
from .tensor.storage_windows import tensor_over, whole_numbers
from .utils.call_text import render_call as render_call
from .utils.own_device import device_name
from .utils.process import CallbackRegistry as CallbackRegistry
from .utils.process import cpu_count as cpu_count
from .utils.process import try_import as try_import


def _element_size(dtype: Any) -> int:
    """The number of bytes of an element."""
    return int(dtype.itemsize)


def _untyped(storage: Any) -> UntypedStorage:
    """The bytes of a storage of either kind. Raises TypeError for anything else."""
    found = getattr(storage, "_untyped_storage", storage)
    if not isinstance(found, UntypedStorage):
        raise TypeError(f"expected a storage, not {type(storage).__name__}")
    return found


def _over(storage: Any, dtype: Any, offset: Any, size: Any, stride: Any) -> Any:
    """A tensor over *storage*: a fake one where its bytes were left out for a mode of these."""
    memory = _untyped(storage)
    t = tensor_over(memory, dtype, offset, size, stride)
    return t if memory._fake_device is None else _fake(t, _restored_device(memory._fake_device))


def _fake(t: Any, device: Any) -> Any:
    """The fake tensor for *t*, which is on meta; *t* itself without a mode of fake tensors."""
    mode = DISPATCH.get("FAKE")
    return t if mode is None else mode.in_memory_of(t, Device(device))


def _rebuild_tensor(storage: Any, storage_offset: Any, size: Any, stride: Any) -> Tensor:
    """A tensor of the dtype of the typed *storage*."""
    return _over(storage, storage.dtype, storage_offset, size, stride)


def _rebuild_tensor_v2(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    requires_grad: bool,
    backward_hooks: Any,
    metadata: Any = None,
) -> Any:
    """:func:`_rebuild_tensor` and more facts. *backward_hooks* are part of the format only."""
    t = _over(storage, storage.dtype, storage_offset, size, stride)
    return _with_facts(t, requires_grad, metadata)


def _rebuild_tensor_v3(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    requires_grad: bool,
    backward_hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Any:
    """As :func:`_rebuild_tensor_v2` for dtypes that have no legacy storage class."""
    t = _over(storage, dtype, storage_offset, size, stride)
    return _with_facts(t, requires_grad, metadata)


def _rebuild_qtensor(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    quantizer_params: Any,
    requires_grad: bool,
    backward_hooks: Any,
) -> Any:
    """A quantized tensor over the typed *storage*. *backward_hooks* are part of the format only.

    :param quantizer_params: the scheme; scale and zero point, or those of channels and their axis.

    Raises ValueError for scales that do not fit the size along the axis.
    """
    lazy_registration.load("quantize_per_tensor")
    scheme, *parameters = quantizer_params
    if str(scheme) == "torch.per_tensor_affine":
        quantizer: Quantizer = PerTensor(*parameters)
    elif str(scheme).startswith("torch.per_channel_affine"):
        quantizer = _channels(size, *parameters)
    else:
        raise RuntimeError(f"Can't deserialize quantized tensor with qscheme {scheme}")
    t = _over(storage, storage.dtype, storage_offset, size, stride)
    set_quantizer(t, quantizer)
    return _with_facts(t, requires_grad, None)


def _channels(size: Any, scales: Any, zero_points: Any, axis: int) -> Quantizer:
    if not 0 <= axis < len(size):
        raise ValueError(
            f"_rebuild_qtensor: per_channel axis {axis} out of range for size {tuple(size)}"
        )
    count = int(size[axis])
    given = [v if isinstance(v, list) else v._host_() for v in (scales, zero_points)]
    if any(len(v) != count for v in given):
        raise ValueError(
            "_rebuild_qtensor: per_channel scales/zero_points length must equal "
            f"size[axis]={count}, got scales={len(given[0])}, zero_points={len(given[1])}"
        )
    return channel_parameters(*given, axis)


def get_tensor_metadata(tensor: Any) -> dict[str, bool]:
    """What a pickled tensor says beside its window: ``neg`` and ``conj`` where they are set."""
    found = {"neg": tensor.is_neg(), "conj": tensor.is_conj()}
    return {name: True for name, is_set in found.items() if is_set}


def _with_facts(t: Any, requires_grad: Any, metadata: Any) -> Any:
    if metadata:
        # The bits of a tensor of its own: it is no view of another.
        bits = S.CONJ if metadata.get("conj") else 0
        t._sig_ |= bits | S.NEG if metadata.get("neg") else bits
        t._meta_ = S.STALE
    if requires_grad is not False:
        t.requires_grad = requires_grad
    return t


def _rebuild_meta_tensor_no_storage(dtype: Any, size: Any, stride: Any, requires_grad: bool) -> Any:
    """A meta tensor: only its description was saved."""
    storage = UntypedStorage._meta(0, Device("meta"))
    t = tensor_over(storage, dtype, 0, size, stride)
    t._shared_ = None
    return _with_facts(_fake(t, "meta"), requires_grad, None)


class _Restoring(threading.local):
    """The ``map_location`` of the load that this thread is in."""

    map_location: Any = None


RESTORING = _Restoring()


def _restored_device(device: Any) -> Any:
    """Where what was saved from *device* without a storage goes.

    Raises RuntimeError for a function: it would want a storage.
    """
    target = RESTORING.map_location
    if target is None:
        return device
    if isinstance(target, dict):
        return target.get(device, device)
    if isinstance(target, (str, Device)):
        return target
    raise RuntimeError(
        "Callable map_location not supported with _rebuild_wrapper_subclass or "
        "_rebuild_device_tensor_from_numpy"
    )


def _rebuild_wrapper_subclass(
    cls: Any,
    dtype: Any,
    size: Any,
    stride: Any,
    storage_offset: Any,
    layout: Any,
    device: Any,
    requires_grad: bool,
) -> Any:
    """A tensor of a class that keeps its data elsewhere: in the attributes, which come later."""
    device = _restored_device(device)
    return Tensor._make_wrapper_subclass(
        cls,
        whole_numbers(size, "size"),
        strides=whole_numbers(stride, "stride"),
        dtype=dtype,
        storage_offset=storage_offset,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )


_sparse_tensors_to_validate: list[Tensor] = []


def _rebuild_sparse_tensor(layout: Any, data: tuple[Any, ...]) -> Tensor:
    """A sparse tensor of its parts and its size; checked at the end of a load, if at all.

    Raises NotImplementedError for a layout that is not sparse.
    """
    if layout == constants.sparse_coo:
        indices, values, size, *more = data
        made = torch.sparse_coo_tensor(
            indices, values, size, check_invariants=False, is_coalesced=more[0] if more else None
        )
    elif layout_bit(layout):
        compressed, plain, values, size = data
        made = torch.sparse_compressed_tensor(
            compressed, plain, values, size, layout=layout, check_invariants=False
        )
    else:
        raise NotImplementedError(f"rebuilding sparse tensor for layout {layout}")
    _sparse_tensors_to_validate.append(made)
    return made


def _validate_loaded_sparse_tensors() -> None:
    """Check the sparse tensors of a load where ``check_sparse_tensor_invariants`` is on.

    Raises RuntimeError for one that is none.
    """
    loaded = _sparse_tensors_to_validate[:]
    _sparse_tensors_to_validate.clear()
    if not checks.enabled:
        return
    for t in loaded:
        content = t._content_
        if t.is_sparse:
            torch._validate_sparse_coo_tensor_args(
                content.indices, content.values, t.size(), content.coalesced
            )
        else:
            torch._validate_sparse_compressed_tensor_args(
                content.compressed, content.plain, content.values, t.size(), t.layout
            )


def _rebuild_device_tensor_from_cpu_tensor(
    data: Any, dtype: Any, device: str, requires_grad: bool
) -> Tensor:
    """A tensor of a backend without storages, which was saved from the host."""
    return _with_facts(data._to_(Device(_restored_device(device)), dtype), requires_grad, None)


def _rebuild_device_tensor_from_numpy(
    data: Any, dtype: Any, device: str, requires_grad: bool
) -> Tensor:
    """As :func:`_rebuild_device_tensor_from_cpu_tensor`, saved as an ndarray."""
    return _rebuild_device_tensor_from_cpu_tensor(from_numpy(data), dtype, device, requires_grad)


def _rebuild_nested_tensor(buffer: Any, sizes: Any, strides: Any, storage_offsets: Any) -> Any:
    """A nested tensor of the strided layout, of what a file has of it."""
    strided = import_module("mindtorch.nested._internal.strided")
    return strided.from_buffer(buffer, sizes, strides, storage_offsets)


def _rebuild_from_type_v2(func: Any, new_type: Any, args: Any, state: Any) -> Any:
    """A tensor of a subclass, or with attributes. *new_type* None means ``Tensor`` itself."""
    made = func(*args)
    if new_type is not None and type(made) is not new_type:
        made = _as_subclass(made, new_type)
    if type(made).__setstate__ is not Tensor.__setstate__:
        made.__setstate__(state)
        return made
    return _set_obj_state(made, state)


def _as_subclass(t: Any, new_type: Any) -> Any:
    if not (isinstance(new_type, type) and issubclass(new_type, Tensor)):
        raise TypeError(f"{new_type!r} is no subclass of Tensor")
    return retyped(t, new_type)


class KeyErrorMessage(str):
    """A text that a KeyError shows as it is, with its line breaks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class ExceptionWrapper:
    """An exception on its way from another thread or process, its traceback as text."""

    def __init__(self, exc_info: Any = None, where: str = "in background") -> None:
        # Frames hold whatever their functions hold, so only text is kept of them.
        kind, error, trace = sys.exc_info() if exc_info is None else exc_info
        self.exc_type = kind
        self.exc_msg = "".join(traceback.format_exception(kind, error, trace))
        self.where = where

    def reraise(self) -> NoReturn:
        """Raise it here: of the same type where that takes one text, else a RuntimeError."""
        msg = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            msg = KeyErrorMessage(msg)
        elif getattr(self.exc_type, "message", None):
            # Some exceptions take more than a text, and that by its name.
            raise self.exc_type(message=msg)
        try:
            made = self.exc_type(msg)
        except Exception:
            raise RuntimeError(msg) from None
        try:
            raise made
        finally:
            # Else it and this frame would keep each other, and all that the traceback knows.
            del made


def _get_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index of *device*: of a ``torch.device``, a text, a number, or None.

    :param optional: a device without an index, and None, mean the current device.
    :param allow_cpu: -1 for the host.

    Raises ValueError for what has no index, as torch does.
    """
    given = device
    if isinstance(device, str):
        device = Device(device)
    index = None
    if isinstance(device, Device):
        if not allow_cpu and device.type == "cpu":
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        index = -1 if device.type == "cpu" else device.index
    elif isinstance(device, int):
        index = device
    if index is not None:
        return index
    if not optional:
        raise ValueError(
            "Expected a torch.device with a specified index or an integer, but got:" + str(given)
        )
    from .accelerator import current_device_index, is_available  # type: ignore[attr-defined]

    return int(current_device_index()) if is_available() else -1


def _get_available_device_type() -> str | None:
    """The type of the accelerator that programs are offered, None where there is none."""
    from .accelerator import current_accelerator, is_available  # type: ignore[attr-defined]

    return str(current_accelerator().type) if is_available() else None


def _get_device_module(device_type: str) -> ModuleType:
    """``torch.xpu`` of "xpu". Raises RuntimeError for a device that has no such module."""
    found: ModuleType | None = getattr(import_module(__package__), device_type, None)
    if found is None:
        raise RuntimeError(
            f"Device '{device_type}' does not have a corresponding module registered as "
            f"'torch.{device_type}'."
        )
    return found


def _flatten_dense_tensors(tensors: Any) -> Tensor:
    """The elements of all *tensors*, of one dtype, in one dimension."""
    return ops.flatten_dense_tensors(tensors)


def _unflatten_dense_tensors(flat: Tensor, tensors: Any) -> tuple[Tensor, ...]:
    """Views of *flat* with the sizes of *tensors*, one after the other."""
    return tuple(ops.unflatten_dense_tensors(flat, tensors))


def _flatten_sparse_tensors(tensors: Any) -> tuple[Tensor, Tensor]:
    """The coordinates and the elements of all *tensors*, of one dtype, each in one dimension."""
    flat = _flatten_dense_tensors
    return flat([t._indices() for t in tensors]), flat([t._values() for t in tensors])


def _unflatten_sparse_tensors(flat: Any, tensors: Any) -> tuple[Tensor, ...]:
    """Sparse tensors of coordinates and elements, with the sizes of *tensors*."""
    indices = _unflatten_dense_tensors(flat[0], [t._indices() for t in tensors])
    values = _unflatten_dense_tensors(flat[1], [t._values() for t in tensors])
    parts = zip(tensors, indices, values, strict=True)
    return tuple([t.new(i, v, t.size()) for t, i, v in parts])


def _kind(t: Tensor) -> str:
    """What tensors have in common that go into one buffer: device, layout and dtype."""
    return str(t.type())


def _reorder_tensors_as(tensors: Any, ordered_tensors: Any) -> tuple[Tensor, ...]:
    """*tensors*, which are in order kind by kind, so that kinds follow as in *ordered_tensors*."""
    of: dict[str, list[Tensor]] = {}
    for t in tensors:
        of.setdefault(_kind(t), []).append(t)
    rest = {kind: iter(found) for kind, found in of.items()}
    return tuple([next(rest[_kind(t)]) for t in ordered_tensors])


def _take_tensors(tensors: Any, size_limit: int) -> Iterator[list[Tensor]]:
    """*tensors* in lists of one kind, each of at most *size_limit* bytes or of one tensor."""
    begun: dict[str, tuple[list[Tensor], int]] = {}
    for t in tensors:
        parts = (t._indices(), t._values()) if t.is_sparse else (t,)
        size = sum(p.numel() * p.element_size() for p in parts)
        taken, held = begun.get(_kind(t), ([], 0))
        if taken and held + size > size_limit:
            yield taken
            taken, held = [], 0
        taken.append(t)
        begun[_kind(t)] = taken, held + size
    yield from [taken for taken, _ in begun.values() if taken]


def _of_accelerator() -> ModuleType | None:
    """The module of the accelerator that programs are offered."""
    kind = _get_available_device_type()
    return None if kind is None else _get_device_module(kind)


def _get_all_device_indices() -> list[int] | None:
    """The indices of all accelerators, None where there is none."""
    module = _of_accelerator()
    return None if module is None else list(range(module.device_count()))


def _get_current_device_index() -> int | None:
    """The index of the current accelerator, None where there is none."""
    module = _of_accelerator()
    return None if module is None else int(module.current_device())


def _get_devices_properties(device_ids: Any) -> list[Any]:
    """What is known of each of these accelerators, None where there is none."""
    module = _of_accelerator()
    return [None if module is None else module.get_device_properties(i) for i in device_ids]


class _ClassProperty:
    """A property of the class itself."""

    def __init__(self, fget: Any) -> None:
        self.fget = fget

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.fget.__get__(instance, type(instance) if owner is None else owner)()


def classproperty(func: Any) -> _ClassProperty:
    """A decorator for a method that is read as an attribute of the class."""
    return _ClassProperty(
        func if isinstance(func, (classmethod, staticmethod)) else classmethod(func)
    )


def is_compiling() -> bool:
    """Whether a graph is drawn of the program; torch.compiler has the newer name."""
    warn("`torch._utils.is_compiling` is deprecated. Use `torch.compiler.is_compiling` instead.")
    found: bool = import_module(f"{__package__}.compiler").is_compiling()
    return found


def __getattr__(name: str) -> Any:
    if name in ("_rebuild_parameter", "_rebuild_parameter_with_state"):
        from .nn import parameter  # who pickles no parameters needs no layers

        return getattr(parameter, name)
    raise AttributeError(f"module 'torch._utils' has no attribute '{name}'")


def _is_privateuse1_backend_available() -> Any:
    """Whether the accelerator of one's own can be used; None where it has no module to ask.

    The simulated one is not offered to programs that know torch alone, before they use it.
    """
    module = getattr(import_module(__package__), device_name(), None)
    available = getattr(module, "is_available", None)
    return available and available() and accelerator_device.is_available()
