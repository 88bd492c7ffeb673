"""How storages and tensors go to another process: as handles of their shared memory.

A process remembers, weakly, which storages it has sent or received, by what identifies their
memory: one that comes twice, or comes back, is the same storage.

Source of the rules: torch/multiprocessing/reductions.py.
"""

from __future__ import annotations

import multiprocessing.reduction
import os
import threading
from multiprocessing.reduction import ForkingPickler
from multiprocessing.util import register_after_fork
from typing import Any

from mindtorch_autograd.hooks import warn_if_has_hooks
from mindtorch_npu.events import Event, reduce_event
from mindtorch_storage import TypedStorage, UntypedStorage
from mindtorch_storage.memory import Strategy

from mindtorch.core.unavailable import offer_listed

from .._utils import _rebuild_nested_tensor
from ..aten import torch
from ..core import signature as S
from ..nn import Parameter
from ..tensor import Tensor, is_leaf
from ..tensor.storage_windows import look_at, tensor_over
from .descriptor_queue import carried

__all__ = [
    "SharedCache",
    "StorageWeakRef",
    "fd_id",
    "init_reductions",
    "rebuild_meta_tensor",
    "rebuild_nested_tensor",
    "rebuild_sparse_compressed_tensor",
    "rebuild_sparse_coo_tensor",
    "rebuild_storage_empty",
    "rebuild_storage_fd",
    "rebuild_storage_filename",
    "rebuild_tensor",
    "rebuild_typed_storage",
    "reduce_nested_tensor",
    "reduce_sparse_tensor",
    "reduce_storage",
    "reduce_tensor",
    "reduce_typed_storage",
    "shared_cache",
    "storage_from_cache",
]


class StorageWeakRef:
    """A weak reference to a storage, equal to another one to the same."""

    __slots__ = ("_free_weak_ref", "cdata")

    def __init__(self, storage: Any) -> None:
        self.cdata: int = storage._weak_ref()
        # Kept here: at the end of the process the class may be gone before this is.
        self._free_weak_ref = UntypedStorage._free_weak_ref

    @classmethod
    def from_weakref(cls, cdata: int) -> StorageWeakRef:
        """The reference that a number is already held for."""
        made = cls.__new__(cls)
        made.cdata = cdata
        made._free_weak_ref = UntypedStorage._free_weak_ref
        return made

    def expired(self) -> bool:
        """Whether the storage is gone."""
        return UntypedStorage._expired(self.cdata)

    def __del__(self) -> None:
        self._free_weak_ref(self.cdata)

    def __hash__(self) -> int:
        return self.cdata

    def __eq__(self, other: object) -> bool:
        if id(self) == id(other):
            return True
        return isinstance(other, StorageWeakRef) and self.cdata == other.cdata


class SharedCache(dict[Any, StorageWeakRef]):
    """What identifies shared memory -> the storage over it; the dead are dropped now and then."""

    def __init__(self) -> None:
        self.limit = 128
        self._after_fork()
        register_after_fork(self, SharedCache._after_fork)

    def _after_fork(self) -> None:
        self.lock = threading.Lock()

    def get(self, key: Any) -> Any:  # type: ignore[override]  # as torch declares it
        """The reference under *key*; None if there is none."""
        with self.lock:
            return dict.get(self, key)

    def __setitem__(self, key: Any, storage_ref: StorageWeakRef) -> None:
        with self.lock:
            dict.__setitem__(self, key, storage_ref)
            if len(self) > self.limit:
                self.free_dead_references()

    def free_dead_references(self) -> None:
        """Drop the dead; look again when there are twice as many as now."""
        alive = 0
        for key, reference in list(self.items()):
            if reference.expired():
                del self[key]
            else:
                alive += 1
        self.limit = max(128, alive * 2)


shared_cache = SharedCache()


def fd_id(fd: int) -> tuple[int, int]:
    """What identifies the memory of a descriptor, however often that was copied."""
    stat = os.fstat(fd)
    return stat.st_ino, stat.st_dev


def storage_from_cache(cls: Any, key: Any) -> Any:
    """The storage that this process has under *key*; None if none."""
    reference = shared_cache.get(key)
    return None if reference is None else cls._new_with_weak_ptr(reference.cdata)


# Storages -----------------------------------------------------------------------------------------


def reduce_storage(storage: Any) -> Any:
    """How an untyped storage goes."""
    if storage.device.type == "meta":
        raise RuntimeError("Cannot pickle meta storage; try pickling a meta tensor instead")
    if Strategy.current == "file_system":
        manager, name, size = storage._share_filename_cpu_()
        shared_cache[name] = StorageWeakRef(storage)
        storage._shared_incref()  # for the time on the way
        return rebuild_storage_filename, (_STORAGE, manager, name, size)
    if storage.size() == 0:
        return rebuild_storage_empty, (_STORAGE,)
    fd, size = storage._share_fd_cpu_()
    handle = carried(fd) or multiprocessing.reduction.DupFd(fd)
    shared_cache[fd_id(fd)] = StorageWeakRef(storage)
    return rebuild_storage_fd, (_STORAGE, handle, size)


#: Stands for the class of storages: its own name lies in torch, where pickle must not look for it.
_STORAGE = None


def rebuild_storage_fd(cls: Any, df: Any, size: int) -> Any:
    """The storage whose descriptor came."""
    cls = cls or UntypedStorage
    fd = df.detach()
    try:
        storage = storage_from_cache(cls, fd_id(fd))
        if storage is None:
            storage = cls._new_shared_fd_cpu(fd, size)
            shared_cache[fd_id(fd)] = StorageWeakRef(storage)
        return storage
    finally:
        os.close(fd)


def rebuild_storage_filename(
    cls: Any, manager: bytes, handle: bytes, size: int, dtype: Any = None
) -> Any:
    """The storage whose name came."""
    cls = cls or UntypedStorage
    storage = storage_from_cache(cls, handle)
    if storage is None:
        storage = cls._new_shared_filename_cpu(manager, handle, size)
        shared_cache[handle] = StorageWeakRef(storage)
    return storage._shared_decref()


def rebuild_storage_empty(cls: Any) -> Any:
    """A storage of nothing."""
    return (cls or UntypedStorage)()


def reduce_typed_storage(storage: Any) -> Any:
    """How a typed storage goes: by the one under it."""
    return rebuild_typed_storage, (storage._untyped_storage, storage.dtype)


def rebuild_typed_storage(storage: Any, dtype: Any) -> Any:
    """*storage* as elements of *dtype*."""
    return TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)


# Tensors ------------------------------------------------------------------------------------------


def reduce_tensor(tensor: Any) -> Any:
    """How a tensor or parameter goes: by its storage and its window on it.

    Raises RuntimeError for a tensor with a history.
    """
    if tensor.requires_grad and not is_leaf(tensor):
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, "
            "since autograd does not support crossing process boundaries.  "
            "If you just want to transfer the data, call detach() on the tensor "
            "before serializing (e.g., putting it on the queue)."
        )
    warn_if_has_hooks(tensor)
    if tensor._sig_ & S.SPARSE_LAYOUTS:
        return reduce_sparse_tensor(tensor)
    kind = "Parameter" if isinstance(tensor, Parameter) else "Tensor"
    size, stride, wants = tuple(tensor.shape), tensor.stride(), tensor.requires_grad
    offset, dtype = tensor.storage_offset(), tensor.dtype
    if tensor._sig_ & S.META:
        nbytes = tensor.untyped_storage().nbytes()
        return rebuild_meta_tensor, (kind, size, stride, offset, dtype, nbytes, wants)
    if tensor._sig_ & S.LAZY:
        tensor = tensor.detach().resolve_conj().resolve_neg()
        stride, offset = tensor.stride(), tensor.storage_offset()
    if tensor._sig_ & S.CPU and not tensor.is_shared():
        # Here it is often known that no other tensor is over the storage, which costs nothing then.
        tensor.share_memory_()
    storage = tensor.untyped_storage()
    return rebuild_tensor, (kind, storage, (offset, size, stride, wants, dtype))


def rebuild_tensor(cls: Any, storage: Any, metadata: Any) -> Any:
    """The tensor of *storage* that *metadata* describes.

    :param cls: "Tensor" or "Parameter", or the class.
    """
    offset, size, stride, requires_grad, dtype = metadata
    return _finished(cls, tensor_over(storage, dtype, offset, size, stride), requires_grad)


def rebuild_meta_tensor(
    tensor_cls: Any,
    tensor_size: Any,
    tensor_stride: Any,
    tensor_offset: int,
    dtype: Any,
    storage_size_bytes: int,
    requires_grad: bool,
) -> Any:
    """The tensor without memory that the arguments describe."""
    storage = UntypedStorage(storage_size_bytes, device="meta")
    made = look_at(storage, dtype.np, tuple(tensor_size), tuple(tensor_stride), tensor_offset)
    return _finished(tensor_cls, made, requires_grad)


def _finished(cls: Any, made: Any, requires_grad: bool) -> Any:
    if cls is Parameter or cls == "Parameter":
        return Parameter(made, requires_grad=requires_grad)
    made.requires_grad = requires_grad
    return made


def _reduced(*parts: Any) -> tuple[Any, ...]:
    """The function and the arguments that make each of *parts* again, in a row."""
    return tuple([x for part in parts for x in reduce_tensor(part)])


def reduce_nested_tensor(nt: Any) -> Any:
    """How a nested tensor of the strided layout goes: by its buffer and what lies where in it."""
    return rebuild_nested_tensor, _reduced(
        nt.values(),
        nt._nested_tensor_size(),
        nt._nested_tensor_strides(),
        nt._nested_tensor_storage_offsets(),
    )


def rebuild_nested_tensor(
    rebuild_buffer_func: Any,
    rebuild_buffer_args: Any,
    rebuild_sizes_func: Any,
    rebuild_sizes_args: Any,
    rebuild_strides_func: Any,
    rebuild_strides_args: Any,
    rebuild_offsets_func: Any,
    rebuild_offsets_args: Any,
) -> Any:
    """The nested tensor of what :func:`reduce_nested_tensor` gave; its samples are copied."""
    return _rebuild_nested_tensor(
        rebuild_buffer_func(*rebuild_buffer_args),
        rebuild_sizes_func(*rebuild_sizes_args),
        rebuild_strides_func(*rebuild_strides_args),
        rebuild_offsets_func(*rebuild_offsets_args),
    )


def reduce_sparse_tensor(sparse: Any) -> Any:
    """How a sparse tensor goes: by its indices and its values, whose memory is shared then."""
    content, shape = sparse._content_, tuple(sparse.shape)
    if sparse.is_sparse:
        parts = _reduced(content.indices, content.values)
        return rebuild_sparse_coo_tensor, (*parts, shape, content.coalesced)
    parts = _reduced(content.compressed, content.plain, content.values)
    return rebuild_sparse_compressed_tensor, (*parts, shape, sparse.layout)


def rebuild_sparse_coo_tensor(
    rebuild_indices_func: Any,
    rebuild_indices_args: Any,
    rebuild_values_func: Any,
    rebuild_values_args: Any,
    shape: Any,
    is_coalesced: bool,
) -> Any:
    """The sparse tensor in coordinates of what :func:`reduce_sparse_tensor` gave."""
    indices = rebuild_indices_func(*rebuild_indices_args)
    values = rebuild_values_func(*rebuild_values_args)
    return torch.sparse_coo_tensor(indices, values, shape, is_coalesced=is_coalesced)


def rebuild_sparse_compressed_tensor(
    rebuild_compressed_indices_func: Any,
    rebuild_compressed_indices_args: Any,
    rebuild_plain_indices_func: Any,
    rebuild_plain_indices_args: Any,
    rebuild_values_func: Any,
    rebuild_values_args: Any,
    shape: Any,
    layout: Any,
) -> Any:
    """The tensor of a compressed layout of what :func:`reduce_sparse_tensor` gave."""
    compressed = rebuild_compressed_indices_func(*rebuild_compressed_indices_args)
    plain = rebuild_plain_indices_func(*rebuild_plain_indices_args)
    values = rebuild_values_func(*rebuild_values_args)
    return torch.sparse_compressed_tensor(compressed, plain, values, shape, layout=layout)


def init_reductions() -> None:
    """Teach every queue, pipe and pool of ``multiprocessing``."""
    ForkingPickler.register(UntypedStorage, reduce_storage)
    ForkingPickler.register(TypedStorage, reduce_typed_storage)
    ForkingPickler.register(Tensor, reduce_tensor)
    ForkingPickler.register(Parameter, reduce_tensor)
    ForkingPickler.register(Event, reduce_event)


offer_listed(globals())
