"""Tensors on real hardware: memory and kernels of torch's, through the module that drives it.

A tensor's array says shape, strides and offset and is never read; its numbers lie in the block of
its storage, a tensor of torch's. Every op that is no composite of ours runs torch's own op of that
name on the device. What torch lacks raises torch's error; nothing falls back to the host. All that
torch is asked for, copies and reads too, goes to the streams that are current here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_npu import backend as npu_backend
from mindtorch_npu import runtime, thread_state
from mindtorch_npu.hardware import HardwareBlock, HardwareDriver
from mindtorch_storage import Device, DType, UntypedStorage
from mindtorch_storage.layout import contiguous_strides

from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.copies import cast
from ..tensor import Tensor
from ..tensor.array_memory import empty_array, owner_of
from ..tensor.construction import wrap
from ..tensor.drawing_generator import check_generator
from ..tensor.generator import Generator
from ..tensor.resizing import resize_out
from ..tensor.tensor_impl import Alias
from .composites import composite_call
from .devices import device_of
from .launch import Launch
from .launching import into, number
from .memory import untouched
from .notices import noticing
from .views import build_apart, build_view

__all__ = [
    "adopt",
    "copy_bytes",
    "default_generator",
    "hardware",
    "into",
    "number",
    "numbers",
    "read",
    "run",
    "to_device",
    "to_host",
    "within",
]


def _driver() -> HardwareDriver:
    driver: Any = runtime.driver()
    return driver


def _dtype(dtype: DType) -> Any:
    return getattr(_driver().torch, str(dtype).removeprefix("torch."))


def run(launch: Launch, device: Device) -> None:
    """Run a function of the host after all that the current stream of *device* was given before."""
    npu_backend.wait_current(device.index)
    launch()


@contextmanager
def _on_streams(*devices: Device) -> Iterator[None]:
    """What torch is asked for goes to this thread's current streams of *devices*.

    The first is torch's current device meanwhile. Errors are ours.
    """
    driver = _driver()
    with driver.own_errors(), ExitStack() as stack:
        for device in reversed(devices):
            queue: Any = npu_backend.current_queue(device.index)
            stack.enter_context(driver.module.device(device.index))
            stack.enter_context(driver.module.stream(queue.stream))
        yield


def theirs(t: Tensor) -> Any:
    """torch's tensor over the memory of *t*, on the device or the host, with its lazy bits."""
    if t._sig_ & S.NPU:
        block = t.untyped_storage().block
        item = t._a_.itemsize
        whole = block.tensor[: block.nbytes // item * item].view(_dtype(t.dtype))
        shape = tuple(t._a_.shape)
        found = _driver().torch.as_strided(whole, shape, t.stride(), t.storage_offset())
    else:
        found = _of_host(t._a_, t.dtype)
    if t._sig_ & S.CONJ:
        found = found.conj()
    return _driver().torch._neg_view(found) if t._sig_ & S.NEG else found


#: Bytes of a number -> the integer of that size, for dtypes that numpy or torch alone knows.
_BITS = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}


def _of_host(array: np.ndarray[Any, Any], dtype: DType) -> Any:
    """torch's tensor over the memory of an array of the host."""
    torch = _driver().torch
    if array.dtype.isbuiltin == 1:
        return torch.from_numpy(array)
    return torch.from_numpy(array.view(_BITS[array.itemsize])).view(_dtype(dtype))


def _to_host(t: Any) -> np.ndarray[Any, Any]:
    """The array over the memory of *t*, a tensor of torch's on the host."""
    np_dtype = _np_dtype(t.dtype)
    if np_dtype.isbuiltin == 1:
        return t.numpy()
    bits = getattr(_driver().torch, _BITS[np_dtype.itemsize])
    return t.view(bits).numpy().view(np_dtype)


def ours(result: Any, device: Device) -> Tensor:
    """A tensor over the memory of torch's *result*."""
    torch = _driver().torch
    storage = result.untyped_storage()
    flat = torch.empty(0, dtype=torch.uint8, device=result.device).set_(storage)
    block = HardwareBlock(flat, device.index)
    np_dtype = _np_dtype(result.dtype)
    array = untouched(tuple(result.shape), np_dtype, tuple(result.stride()), block)
    t = wrap(array, S.NPU)
    alias = t._shared_ = Alias()
    alias.value = 0
    owner = owner_of(array)
    alias.storage = UntypedStorage._from_array(owner, device=device)
    alias.storage.block = block
    return t


def _np_dtype(dtype: Any) -> Any:
    found: DType = getattr(st, str(dtype).removeprefix("torch."))
    return found.np


def build_hardware(overload: Overload, sig: int, mask: int) -> Call:
    """Run torch's op of the same name on the current stream of the tensors' device."""
    return noticing(overload, sig, _built(overload, sig))


def _built(overload: Overload, sig: int) -> Call:
    if overload.composed:
        return composite_call(overload)
    if overload.row.view is not None:
        return build_view(overload, sig)
    if overload.row.apart is not None:
        return build_apart(overload)
    name = overload.name
    schema = overload.schema
    keyword = {a.name for a in schema.arguments if a.kwarg_only}
    names = [a.name for a in schema.arguments]
    written = [
        i
        for i, a in enumerate(schema.arguments)
        if a.alias_info is not None and a.alias_info.is_write
    ]
    found: Any = None
    copies = overload.row.name == "copy_"

    def call(*args: Any) -> Any:
        nonlocal found
        if found is None:
            found = _operator(name)
        others: list[Device] = []
        if copies:  # it may come from another device: torch orders the current streams of both
            device = args[0].device
            if isinstance(args[1], Tensor) and args[1]._sig_ & S.NPU:
                others.append(args[1].device)
        else:
            device = device_of(overload, args)
        values = [_argument(value) for value in args]
        named = {n: v for n, v in zip(names, values, strict=False) if n in keyword}
        plain = [v for n, v in zip(names, values, strict=False) if n not in keyword]
        with _on_streams(device, *others):
            result = found(*plain, **named)
            if overload.kind == OUT:
                for i in written:
                    _fit(args[i], values[i])
        if overload.kind != FUNCTIONAL and written:
            targets = [args[i] for i in written]
            return targets[0] if len(targets) == 1 else tuple(targets)
        return _result(result, device)

    return call


hardware = boxed(build_hardware)


def _operator(name: str) -> Callable[..., Any]:
    space, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    packet = getattr(getattr(_driver().torch.ops, space), base)
    found: Callable[..., Any] = getattr(packet, overload or "default")
    return found


def _fit(target: Tensor, written: Any) -> None:
    """Give *target* the shape that torch gave *written*, its own for it, and the numbers."""
    shape, strides = tuple(written.shape), tuple(written.stride())
    if shape != target._a_.shape:
        resize_out(target, Out(shape, target.dtype, strides), quiet=True)  # torch has warned
        theirs(target).copy_(written)


def _argument(value: Any) -> Any:
    if isinstance(value, Tensor):
        return theirs(value)
    if isinstance(value, DType):
        return _dtype(value)
    if isinstance(value, Generator):
        check_generator(value, st.ACCELERATOR)
        return value.philox.theirs
    if isinstance(value, Device):
        if value.type == "cpu":
            return _driver().torch.device("cpu")
        index = thread_state.tls.device if value.index is None else value.index
        return _driver().torch.device(_driver().device_name(index))
    if isinstance(value, (list, tuple)):
        return [_argument(each) for each in value]
    kind = type(value).__name__
    if kind in ("memory_format", "layout"):
        return getattr(_driver().torch, str(value).removeprefix("torch."))
    return value


def _result(result: Any, device: Device) -> Any:
    if isinstance(result, _driver().torch.Tensor):
        return ours(result, device)
    if isinstance(result, (tuple, list)):
        return type(result)([_result(each, device) for each in result])
    return result


def to_device(t: Tensor, out: Out, device: Device, non_blocking: bool) -> Tensor:
    """A copy of *t*, from the host or from another device, on *device*."""
    driver = _driver()
    runtime.check_ordinal(device.index)
    torch = driver.torch
    shape, dtype = tuple(out.shape), _dtype(out.dtype)
    strides = contiguous_strides(shape) if out.strides is None else tuple(out.strides)
    source = theirs(t)
    if source.is_complex() and not (dtype.is_complex or dtype is torch.bool):
        source = source.real  # who copies has warned
    with _on_streams(device, *([t.device] if t._sig_ & S.NPU else [])):
        made = torch.empty_strided(
            shape, strides, dtype=dtype, device=driver.device_name(device.index)
        )
        made.copy_(source, non_blocking=non_blocking)
    return ours(made, device)


within = to_device


def adopt(array: np.ndarray[Any, Any], device: Device) -> Tensor:
    """A tensor on *device* with the numbers of *array*."""
    t = wrap(array)
    return to_device(t, Out(t._a_.shape, t.dtype, t.stride()), device, False)


def to_host(t: Tensor, out: Out, non_blocking: bool) -> Tensor:
    """A copy of *t* on the host; waits."""
    array = empty_array(tuple(out.shape), out.dtype.np, out.strides)
    np.copyto(array, cast(read(t), array.dtype))
    return wrap(array)


def read(t: Tensor) -> Any:
    """The numbers of *t*, on the host; waits. In debug mode torch's own op warns or raises."""
    runtime.lazy_init()  # a forked child cannot
    with _on_streams(t.device):
        found = theirs(t).detach().resolve_conj().resolve_neg().cpu()
    return _to_host(found)


def copy_bytes(target: UntypedStorage, source: UntypedStorage) -> bool:
    """Copy what fits between storages of which one is on the device; False where none is."""
    there, here = target.block, source.block
    devices = [s.device for s in (target, source) if isinstance(s.block, HardwareBlock)]
    if not devices:
        return False
    with _on_streams(*devices):
        if isinstance(there, HardwareBlock):
            if isinstance(here, HardwareBlock):
                bytes_of = here.tensor
            else:
                bytes_of = _driver().torch.from_numpy(source._data().copy())
            kept = min(len(there.tensor), len(bytes_of))
            there.tensor[:kept].copy_(bytes_of[:kept])
        elif isinstance(here, HardwareBlock):
            target._writable()[:] = here.tensor.cpu().numpy()
    return True


class HardwareNumbers:
    """The numbers of a generator of torch's, in place of :class:`CountedNumbers`."""

    __slots__ = ("theirs",)

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs

    @property
    def seed(self) -> int:
        """What the stream was started with."""
        return int(self.theirs.initial_seed())

    @property
    def offset(self) -> int:
        """How many numbers were drawn."""
        return int(self.theirs.get_offset())

    def restart(self, seed: int) -> None:
        """Begin the stream of *seed*."""
        self.theirs.manual_seed(seed)

    def move(self, offset: int) -> None:
        """Go on from *offset*."""
        self.theirs.set_offset(offset)

    def words(self, n: int) -> Any:
        """Raises RuntimeError: kernels of the device draw."""
        raise RuntimeError("numbers of real hardware are drawn by kernels of the device")

    def to_bytes(self) -> bytes:
        """The state, in the device's format."""
        return bytes(self.theirs.get_state().numpy())

    def load(self, data: bytes) -> None:
        """Take over a state."""
        self.theirs.set_state(_driver().torch.from_numpy(np.frombuffer(data, np.uint8).copy()))


def numbers(device: Device) -> HardwareNumbers:
    """Those of a new generator on *device*."""
    driver = _driver()
    return HardwareNumbers(driver.torch.Generator(driver.device_name(device.index or 0)))


def default_generator(index: int) -> Generator:
    """The generator that ops of a device draw from: the module's own."""
    driver = _driver()
    made = Generator(Device(st.ACCELERATOR, index))
    generators = getattr(driver.module, "default_generators", None)
    own = generators[index] if generators else driver.torch.default_generator
    made.philox = HardwareNumbers(own)
    return made
