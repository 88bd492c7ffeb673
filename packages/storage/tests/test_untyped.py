"""`UntypedStorage` over arrays, files, shared memory and a made-up accelerator."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import weakref

import numpy as np
import pytest
from mindtorch_storage import CPU, Device, UntypedStorage, float32, hooks, int16, uint8


class Block:
    """A block of an accelerator that only counts."""

    def __init__(self, address: int, nbytes: int) -> None:
        self.data_ptr, self.nbytes = address, nbytes

    def free(self) -> None:
        pass


class Accelerator:
    """Hands out ascending addresses."""

    def __init__(self) -> None:
        self.next = 4096

    def allocate(self, nbytes: int) -> Block:
        block = Block(self.next, nbytes)
        self.next += 4096
        return block


@pytest.fixture
def npu():
    """An accelerator, and the storages whose bytes the host asked for."""
    waited: list[UntypedStorage] = []
    accelerator = Accelerator()
    hooks.allocators["npu"] = lambda device: accelerator
    hooks.current_device = lambda kind: Device(kind, 1)
    hooks.before_read = waited.append
    return waited


def test_an_array_is_kept_and_not_copied():
    """Whoever writes the array writes the storage."""
    array = np.zeros((2, 3), np.float32)
    storage = UntypedStorage._from_array(array)
    array[0, 0] = 1.0
    assert storage.nbytes() == 24 and storage.tolist()[:4] == [0, 0, 128, 63]
    assert storage.data_ptr() == array.ctypes.data
    assert storage.device is CPU and storage.pending is None and storage.block is None


@pytest.mark.parametrize("order", ["C", "F"])
def test_bytes_are_in_memory_order(order):
    """Whatever the shape of the owner, byte i is the i-th of its memory."""
    array = np.array(np.arange(6, dtype=np.uint8).reshape(2, 3), order=order)
    assert UntypedStorage._from_array(array).tolist() == array.ravel("K").tolist()


def test_an_array_with_gaps_gives_all_bytes_between():
    """As torch.from_numpy of a slice: the storage reaches from the first to the last element."""
    base = np.arange(10, dtype=np.uint8)
    storage = UntypedStorage._from_array(base[1::3])
    assert storage.tolist() == [1, 2, 3, 4, 5, 6, 7]
    storage[1] = 99
    assert base[2] == 99


def test_memory_is_aligned():
    """Addresses are multiples of 64, as torch's are."""
    assert all(UntypedStorage(n).data_ptr() % 64 == 0 for n in (1, 100, 4097))
    assert UntypedStorage(0).data_ptr() == 0


def test_a_slice_shares_memory_and_keeps_it():
    """It is a storage of its own that cannot be resized."""
    whole = UntypedStorage([1, 2, 3, 4])
    part = whole[1:3]
    part.fill_(9)
    assert whole.tolist() == [1, 9, 9, 4]
    assert part.data_ptr() == whole.data_ptr() + 1 and part._cdata != whole._cdata
    with pytest.raises(RuntimeError, match="not resizable"):
        part.resize_(1)
    del whole
    gc.collect()
    assert part.tolist() == [9, 9]


def test_resizing_keeps_bytes_and_tells_who_has_views():
    """The owner is another array afterwards, so views must be made anew."""
    moved = []
    hooks.on_moved = moved.append
    storage = UntypedStorage([1, 2, 3])
    before = storage._owner
    assert storage.resize_(5) is storage
    assert storage.tolist()[:3] == [1, 2, 3] and storage.nbytes() == 5
    assert moved == [storage] and storage._owner is not before
    assert storage.resize_(2).tolist() == [1, 2]


def test_a_refused_resize_changes_nothing():
    """Neither size nor bytes."""
    storage = UntypedStorage([1, 2, 3])
    for wrong in (-1, "4", 2.0, None, 2**62):
        with pytest.raises(RuntimeError):
            storage.resize_(wrong)
    assert storage.tolist() == [1, 2, 3]


def test_pending_bytes_are_waited_for():
    """Reading and writing both call before_read; asking for the size does not."""
    calls = []

    def flush(storage):
        calls.append(storage)
        storage.pending = None

    hooks.before_read = flush
    for touch in (
        lambda s: s[0],
        lambda s: s.tolist(),
        lambda s: s.fill_(1),
        lambda s: s.__setitem__(0, 1),
        lambda s: s.data_ptr(),
        lambda s: s.clone(),
        lambda s: UntypedStorage(4).copy_(s),
        lambda s: s.copy_(UntypedStorage(4)),
        lambda s: s.resize_(8),
        lambda s: s[1:2],
        lambda s: s.share_memory_(),
        lambda s: repr(s),
        lambda s: pickle.dumps(s),
    ):
        storage = UntypedStorage(4)
        storage.pending = object()
        assert (storage.nbytes(), len(storage), storage.device) == (4, 4, CPU)
        assert not calls
        touch(storage)
        assert calls == [storage]
        calls.clear()


def test_a_pending_storage_that_nobody_can_flush_is_an_error(monkeypatch):
    """Wrong numbers would be worse."""
    monkeypatch.setattr(hooks, "before_read", hooks._nothing_to_wait_for)
    storage = UntypedStorage(4)
    storage.pending = object()
    with pytest.raises(RuntimeError, match="hooks.before_read"):
        storage.tolist()


def test_meta_has_a_size_and_no_bytes():
    """Whatever needs bytes is refused; what only needs the size works."""
    storage = UntypedStorage(4, device="meta")
    assert storage.nbytes() == 4 and storage.data_ptr() == 0
    assert storage.resize_(9).nbytes() == 9
    assert storage.clone().nbytes() == 9 and storage.fill_(1) is storage
    assert pickle.loads(pickle.dumps(storage)).device == Device("meta")
    for touch in (storage.tolist, lambda: storage[0], storage.cpu):
        with pytest.raises(NotImplementedError):
            touch()


def test_without_an_accelerator_its_memory_is_refused(monkeypatch):
    """Each kind of device in torch's words."""
    monkeypatch.delitem(hooks.allocators, "npu", raising=False)
    with pytest.raises(RuntimeError, match="Cannot access accelerator device when none"):
        UntypedStorage(3, device="npu")
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        UntypedStorage(3, device="cuda")
    with pytest.raises(RuntimeError, match="Storage device not recognized: vulkan"):
        UntypedStorage(3, device="vulkan")


def test_accelerator_memory_comes_from_its_allocator(npu):
    """The address is the block's; a type without index means the current device."""
    storage = UntypedStorage([1, 2, 3], device="npu")
    assert storage.device is Device("npu:1") and storage.block is not None
    assert storage.data_ptr() == storage.block.data_ptr
    part = storage[1:]
    assert part.data_ptr() == storage.data_ptr() + 1
    npu.clear()
    assert storage.cpu().tolist() == [1, 2, 3]
    assert npu == [storage]


def test_copies_between_devices(npu):
    """To the same device is the storage itself; elsewhere a copy."""
    host = UntypedStorage([1, 2, 3])
    there = host.to(device="npu:0")
    assert there.device is Device("npu:0") and there.to(device="npu") is there
    assert there.to(device="npu:1") is not there
    assert there.to(device="cpu").tolist() == [1, 2, 3] and host.to(device="cpu") is host
    address = there.data_ptr()
    there.resize_(9)
    assert there.data_ptr() != address and there.tolist()[:3] == [1, 2, 3]


def test_pinning_needs_an_accelerator(npu):
    """A pinned copy is pinned, resizable, and not pinned again."""
    host = UntypedStorage([1, 2])
    pinned = host.pin_memory()
    assert pinned.is_pinned() and not host.is_pinned() and pinned.tolist() == [1, 2]
    assert pinned.pin_memory() is pinned
    with pytest.raises(RuntimeError, match="CPU device type not an accelerator"):
        host.pin_memory("cpu")
    del hooks.allocators["npu"]
    with pytest.raises(RuntimeError, match="Cannot access accelerator"):
        host.pin_memory()


def test_shared_memory_is_seen_by_children():
    """A forked child writes, the parent reads; the storage cannot move any more."""
    moved = []
    hooks.on_moved = moved.append
    storage = UntypedStorage([1, 2, 3])
    assert storage.share_memory_() is storage and storage.is_shared()
    assert moved == [storage] and storage.share_memory_() is storage and len(moved) == 1
    child = os.fork()
    if child == 0:
        storage[0] = 77
        os._exit(0)
    os.waitpid(child, 0)
    assert storage.tolist() == [77, 2, 3]
    with pytest.raises(RuntimeError, match="not resizable"):
        storage.resize_(8)


def test_a_private_mapping_leaves_the_file_alone(tmp_path):
    """Writes stay in memory; the file must be large enough."""
    path = tmp_path / "data"
    path.write_bytes(b"abcdef")
    storage = UntypedStorage.from_file(str(path), False, 4)
    storage[0] = 0
    assert path.read_bytes() == b"abcdef" and storage.filename is None
    with pytest.raises(RuntimeError, match="size <6> is smaller than the required mapping size"):
        UntypedStorage.from_file(str(path), False, 7)


def test_a_shared_mapping_writes_the_file(tmp_path):
    """The file is made and grown as needed, and is named by the storage."""
    path = tmp_path / "data"
    storage = UntypedStorage.from_file(str(path), True, 4)
    storage[0] = 65
    assert path.read_bytes() == b"A\0\0\0"
    assert storage.filename == str(path) and storage.is_shared() and not storage.resizable()


def test_growing_a_mapped_file_keeps_its_bytes(tmp_path):
    """What is added is zero (torch 2.13 also clears the first byte; that is not repeated here)."""
    path = tmp_path / "data"
    path.write_bytes(b"ab")
    assert UntypedStorage.from_file(str(path), True, 4).tolist() == [97, 98, 0, 0]
    assert path.read_bytes() == b"ab\0\0"


def test_from_buffer_swaps_to_this_machines_order():
    """The buffer is copied: later changes to it do not show."""
    data = bytearray(b"abcd")
    storage = UntypedStorage.from_buffer(data, "big", dtype=int16)
    data[:] = b"\0\0\0\0"
    assert storage.tolist() == [98, 97, 100, 99]
    assert UntypedStorage.from_buffer(b"ab", dtype=uint8).tolist() == [97, 98]


def test_byteswap_twice_is_nothing():
    """In place, by element."""
    storage = UntypedStorage([1, 2, 3, 4])
    storage.byteswap(float32)
    assert storage.tolist() == [4, 3, 2, 1]
    storage.byteswap(float32)
    assert storage.tolist() == [1, 2, 3, 4]


def test_deepcopy_keeps_sharing_and_pickle_keeps_bytes():
    """Two references to one storage stay references to one."""
    storage = UntypedStorage([1, 2])
    a, b = copy.deepcopy([storage, storage])
    assert a is b and a is not storage and a.tolist() == [1, 2]
    a, b = pickle.loads(pickle.dumps([storage, storage]))
    assert a is b and a.tolist() == [1, 2]


def test_a_storage_can_be_referred_to_weakly_and_dies_with_its_last_user():
    """No cycle keeps memory."""
    storage = UntypedStorage(10)
    array = weakref.ref(storage._owner)
    there = weakref.ref(storage)
    gc.disable()
    try:
        del storage
        assert there() is None and array() is None
    finally:
        gc.enable()
