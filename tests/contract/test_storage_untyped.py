"""`UntypedStorage` and `TypedStorage` against torch's: values, texts and random programs."""

from __future__ import annotations

import array
import copy
import io
import pickle
import random
import re
import sys
from types import SimpleNamespace
from typing import Any

import mindtorch_storage as ms
import pytest
import torch
from mindtorch_storage import legacy, typed

from tests.contract.hearing import hearing

from .batches import every

pytestmark = pytest.mark.filterwarnings("ignore")

OURS = SimpleNamespace(
    **{n: getattr(ms, n) for n in ms.__all__}, device=ms.Device, dtype=ms.DType, storage=legacy
)


def world(T: Any) -> dict[str, Any]:
    """What an expression may use; the same names and numbers on both sides."""
    U, TS = T.UntypedStorage, T.TypedStorage
    return {
        **{"T": T, "U": U, "TS": TS, "copy": copy, "pickle": pickle, "array": array},
        "B0": io.BytesIO(),
        "s": U([1, 2, 3, 255]),
        "e": U([0] * 8),
        "m": U(4, device="meta"),
        "f": T.FloatStorage([1, 2.5, 3]),
        "b": T.BoolStorage([True, False]),
        "c": T.ComplexFloatStorage([1 + 2j, 0]),
        "h": T.BFloat16Storage([1.0, 0.1]),
        "i": T.IntStorage([1, -2, 3]),
        "B": T.ByteStorage([1, 2, 3]),
        "F": T.FloatStorage([3.7, -1.5, 300, float("nan"), 1e20]),
        "tm": TS(3, device="meta"),
    }


def outcome(T: Any, code: str) -> str:
    """The repr of what *code* gives, or its error."""
    try:
        value = eval(code, world(T))
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    else:
        value = repr(value)
    text = value.replace("privateuseone", "npu").replace("mindtorch_storage.legacy.", "torch.")
    return re.sub(r"0x[0-9a-f]+", "0x", text)


UNTYPED = r"""
U() | U(0) | U(3).nbytes() | U([1, 2, 3]) | U((1, 2)) | U([1, 300, -1, -2, -130, 2**40]) | U([])
U([True]) | U(range(3)) | U(b"ab") | U(bytearray(b"ab")) | U(s) | U(sequence=[1]) | U([[1]])
U([1.5]) | U(["a"]) | U([None]) | U("a") | U(1.0) | U(None) | U(True) | U(-1) | U(2**63)
U(2**62) | U(f) | U(1, 2) | U(3, foo=1) | U(3, dtype=T.float32) | U(foo=1, bar=2)
U(3, device="foo") | U([1], device="cpu") | U(3, device="meta") | U([1], device="meta")
U(device="cpu") | U(device="meta") | U(3, device="cpu:1").device
U(3, device="mps") | U(3, device="xpu") | str(s) | m | s.nbytes() | s.size() | len(s) | s[0]
s[-1] | s[4] | s[-5] | s["a"] | s[1.0] | s[None] | s[True] | s[0, 1] | s[1:3] | s[::2] | s[::-1]
s[3:1] | s[10:20] | s[:]._cdata == s._cdata | s[2**63] | s[-2:] | s[1:3].data_ptr() - s.data_ptr()
s[1:3].resizable() | s[1:3].resize_(1) | s[1:3].fill_(9).tolist() | m[0] | m[0:2] | m.tolist()
m.nbytes() | m.data_ptr() | m.device | list(m) | m.clone() | m.cpu() | m.__setitem__(0, 1)
m.fill_(1) | m.fill_(1.5) | m.resizable() | m.resize_(8).size() | m.type() | m.copy_(s)
m.copy_(m) | s.copy_(m) | m.is_shared() | m.is_pinned() | m.pin_memory()
[e.__setitem__(0, 300), e.__setitem__(1, -1), e.__setitem__(2, True), e.__setitem__(3, -129), e]
[e.__setitem__(slice(1, 3), 7), e.__setitem__(slice(5, 99), 8), e.__setitem__(slice(4, 2), 9), e]
s.__setitem__(0, 1.5) | s.__setitem__(0, "a") | s.__setitem__(9, 1) | s.__setitem__(-1, 1)
s.__setitem__(slice(0, 2), [7, 8]) | s.__setitem__(slice(0, 4, 2), 7) | s.__setitem__("a", 1)
s.__setitem__(None, 1) | s.__setitem__(True, 1) | s.__setitem__("a", "b") | s.__setitem__(1.0, 1)
s.fill_(3) | s.fill_(300).tolist() | s.fill_(-1).tolist() | s.fill_(True).tolist() | s.fill_(1.5)
s.resizable() | s.resize_(2) | s.resize_(0) | s.resize_(6).tolist()[:4] | s.resize_(-1)
s.resize_("a") | s.resize_(1.0) | s.resize_(True) | s.resize_(2**70) | e.copy_(s)
U([0] * 4).copy_(s) | U([0] * 4).copy_(s, True) | U([0] * 4).copy_(s, non_blocking=True)
s.copy_([1]) | s.copy_(3) | s.copy_(T.FloatStorage([1.0])) | s.copy_(f)
s.copy_(T.ByteStorage([1] * 4)) | s.clone() | s.clone()._cdata == s._cdata | s.cpu() is s
s.to(device="cpu") is s | s.to(device="foo") | s.to(device=T.device("meta")) | s.element_size()
s.is_shared() | s.is_pinned() | s.is_pinned("cpu") | s.pin_memory("cpu") | s.is_cuda | s.is_hpu
s.is_sparse | s.is_sparse_csr | s.type() | s.get_device() | s.type(T.UntypedStorage) is s
s.type(T.float32) | s.type("torch.ByteStorage").tolist() | s.type("torch.FloatStorage")
s.type("foo") | s.device | s.filename | s.untyped() is s | s.new() | s.dtype | s.foo | s.numpy()
s.float() | s.int() | s.bool().tolist() | s.half() | s.complex_double() | s.bfloat16() | s.char()
s.byte() | s.byte()._cdata == s._cdata | type(s) | type(s._cdata) | hash(s) == hash(s.clone())
s == s | s == s.clone() | s != s | bool(s) | bool(U(0)) | list(s) | 3 in s | sorted(s) | bytes(s)
copy.copy(s)._cdata == s._cdata | copy.copy(s) | copy.deepcopy(s)
[x._cdata for x in copy.deepcopy([s, s])][0] == s._cdata
(lambda x: x[0] is x[1])(copy.deepcopy([s, s])) | [s.byteswap(T.float32), s]
[s.byteswap(T.int16), s] | [s.byteswap(T.int8), s] | s.byteswap(T.int64)
[e.byteswap(T.complex64), e] | [s.byteswap(T.bool), s] | s.byteswap(1)
U.from_buffer(b"abcdefgh", dtype=T.uint8) | U.from_buffer(b"abcdefgh", dtype=T.int8)
U.from_buffer(b"abcdefgh", "native", dtype=T.int16)
U.from_buffer(b"abcdefgh", "big", dtype=T.int16)
U.from_buffer(b"abcdefgh", "little", dtype=T.int16)
U.from_buffer(b"abcdefgh", "foo", dtype=T.int16)
U.from_buffer(b"abcdefgh", byte_order="big", dtype=T.float64) | U.from_buffer(b"abcd", "native")
U.from_buffer(b"abcdefgh", dtype=T.int16) | U.from_buffer(b"abcdefg", "native", dtype=T.int16)
U.from_buffer(b"abcdefg", "native", 0, 2, dtype=T.int16)
U.from_buffer(b"", "native", dtype=T.int16)
U.from_buffer(b"abcdefg", "native", count=2, offset=2, dtype=T.int16)
U.from_buffer("abc", dtype=T.uint8) | U.from_buffer(b"abcdefg", "native", 9, 2, dtype=T.int16)
U.from_buffer(b"abcdefg", "native", -1, 2, T.int16)
U.from_buffer(b"abcdefg", "native", 0, 9, dtype=T.int16)
U.from_buffer(b"abc", "native", 0, -2, T.int16) | U.from_buffer(b"\0\2\1", "native", dtype=T.bool)
U.from_buffer(b"abcdefgh", "big", dtype=T.complex64)
U.from_buffer(b"abcd", "big", dtype=T.bfloat16) | U.from_buffer(1, dtype=T.uint8)
U.from_buffer(b"a", dtype=3) | U.from_buffer(memoryview(b"abcd")[::2], dtype=T.uint8)
U.from_buffer(b"abcdefgh", "native", dtype=T.uint16)
U.from_buffer(b"abcdefgh", "native", dtype=T.uint64)
U.from_buffer(array.array("i", [1, 2]), "native", dtype=T.int32)
U.from_file("/nonexistent", False, 4) | U.from_file("/nonexistent/a", True, 4)
U.from_file("/tmp", False, 4) | U.from_file(3) | U.from_file("x", True, "y")
U.from_file("/nonexistent") | U.from_file("/nonexistent/a", True, 0) | U([1, 2]).share_memory_()
U([1, 2]).share_memory_().is_shared() | s._write_file(B0, False, True, 2) or B0.getvalue()
s._write_file(B0, False, False, 1) or B0.getvalue() | s._write_file(3, False, True, 1)
s._write_file(B0, False, True, 1) or B0.seek(0) or s.fill_(0)._set_from_file(B0, None, False, 1)
s._write_file(B0, False, True, 1) or B0.seek(0) or e._set_from_file(B0, None, False, 1)
s._set_from_file(3, None, False, 1) | s._byteswap(2) or s | s._byteswap(3) | e._byteswap(8) or e
U(3)._byteswap(2) | s._byteswap("a") | s.hpu() | s.mps() | s._share_cuda_() | s._to(T.float32)
s._release_ipc_counter() | s._fake_device | s._checkpoint_offset | setattr(s, "x", 3) or s.x
s._weak_ref() == s._cdata | U._expired(s._weak_ref()) | U._new_with_weak_ptr(s._weak_ref()) is s
U._free_weak_ref(s._weak_ref()) | s._fix_weakref() | s._get_filename() | s._shared_incref()
s._shared_decref() is s | type(s._share_fd_cpu_()[0]), s._share_fd_cpu_()[1], s.is_shared()
U(0)._share_fd_cpu_() | U(0).share_memory_().is_shared() | U._new_shared(4)
U._new_using_fd_cpu(2) | U._new_using_filename_cpu(2) | U._new_shared(4, device="meta")
type(U._new_shared(4)._get_shared_fd()) | U._new_shared(4).resizable() | s.share_memory_() is s
U._new_shared_fd_cpu(s._share_fd_cpu_()[0], 4) | U([1, 2]).share_memory_().clone().is_shared()
U([1, 2]).share_memory_().is_shared() | U([1]).share_memory_().resizable()
U([1]).share_memory_().filename
"""

TYPED = r"""
f | str(f) | b | c | h | i | tm | TS(0) | TS(3).dtype | TS() | TS([1, 2]).dtype
TS([1, 2], dtype=T.int64) | TS((1, 2)) | TS("ab") | TS(3.0) | TS(1, 2) | TS(3, dtype=3)
TS(3, device="foo") | TS(3, foo=1) | TS(True).size() | TS(wrap_storage=s)
TS(wrap_storage=s, dtype=3) | TS(wrap_storage=s, dtype=T.int32)
TS(wrap_storage=s, dtype=T.float32, device="cpu") | TS(3, wrap_storage=s, dtype=T.float32)
TS(wrap_storage=3, dtype=T.float32) | TS(wrap_storage=U([1] * 5), dtype=T.int32)
TS([1], device="meta") | T.FloatStorage() | T.FloatStorage(2).size() | T.FloatStorage(2, 3)
T.FloatStorage(2.0) | T.FloatStorage | T.FloatStorage(2, dtype=T.int8)
T.FloatStorage(2, device="cpu") | T.FloatStorage(2, wrap_storage=s)
T.FloatStorage(wrap_storage=s).size() | T.FloatStorage(wrap_storage=3) | T.FloatStorage.dtype
T.FloatStorage(wrap_storage=U(3, device="meta")) | isinstance(f, T.FloatStorage)
isinstance(f, T.DoubleStorage) | isinstance(s, T.FloatStorage) | type(f)
T.storage._LegacyStorage() | isinstance(tm, T.FloatStorage) | f[0] | f[-1] | f[3] | f[-4] | f["a"]
f[True] | f[1.0] | f[None] | f[0:1] | f[0, 1] | tm[0] | b[0] | c[0] | h[1]
[f.__setitem__(0, 9), f.__setitem__(-1, 8), f] | [f.__setitem__(slice(0, 2), 7), f]
[f.__setitem__(True, 4), f] | [f.__setitem__(slice(0, 3, 2), 4), f]
f.__setitem__(slice(0, 2), [1, 2]) | f.__setitem__(5, 1) | f.__setitem__("a", 1)
f.__setitem__(0, "a") | f.__setitem__(0, 1j) | f.__setitem__(0, s) | f.__setitem__(0, None)
f.__setitem__(-4, 0) | f.__setitem__(slice(None, None, -1), 0) | f.__setitem__(0, 1e39)
f.__setitem__(0, 2**70) | [f.__setitem__(0, float("inf")), f] | [b.__setitem__(1, 5), b]
[c.__setitem__(0, 1), c] | [b.__setitem__(1, 1j), b] | B.__setitem__(0, 300)
[B.__setitem__(0, -1), B] | B.__setitem__(0, -256) | [B.__setitem__(0, 1.5), B]
T.CharStorage([0]).__setitem__(0, 200) | T.ShortStorage([0]).__setitem__(0, 2**20)
i.__setitem__(0, 2**40) | T.LongStorage([0]).__setitem__(0, 2**63) | b.__setitem__(0, 2**70)
T.DoubleStorage([0]).__setitem__(0, 1j) | h.__setitem__(0, 1j) | h.__setitem__(0, 1e39)
c.__setitem__(0, 1e39) | c.__setitem__(0, "a") | h.fill_("a")
TS([1], dtype=T.uint16).__setitem__(0, 70000) | f.tolist() | f.fill_(2) | f.fill_("a")
tm.fill_(1) | f.copy_(f) | f.copy_(T.FloatStorage([1] * 2)) | f.copy_(T.DoubleStorage([1, 2, 3]))
f.copy_(i) | f.copy_(s) | f.copy_(3) | f.resize_(2) | f.size() | f.resize_("a") | f.resizable()
f.nbytes() | f.element_size() | len(f) | f.dtype | f.device | f.untyped()
f.untyped() is f.untyped() | f.type() | f.type("torch.DoubleStorage") | f.type(T.float64)
tm.type() | f.type("torch.cuda.FloatStorage") | f.type("foo") | TS([1], dtype=T.uint16).type()
f.double() | f.int() | f.bool() | f.half() | f.char() | f.complex_float() | c.float()
f.bfloat16() | f.float() is f | f.float()._cdata == f._cdata | F.byte() | F.int() | F.long()
F.char() | F.short() | F.bool() | F.half() | c.bool() | c.int() | h.int() | h.double() | i.byte()
f.new() | f.sort | f.byteswap(T.float32) | f.cpu() is f | f.cpu()._cdata == f._cdata | f.clone()
f.pickle_storage_type() | TS([1], dtype=T.uint16).pickle_storage_type() | f.is_shared()
f.is_pinned() | f.is_sparse | f.filename | f.is_cuda | f.get_device() | hash(f) == hash(f)
f == f | f == TS(wrap_storage=f.untyped(), dtype=T.float32) | f == 3 | f != f.clone()
f._cdata == f.untyped()._cdata | 3.0 in f | bool(f) | copy.copy(f)._cdata == f._cdata
copy.deepcopy(f).tolist() | pickle.loads(pickle.dumps(f)) | pickle.loads(pickle.dumps(h))
f.data_ptr() == f.untyped().data_ptr() | f.to(device="cpu") | f.to("cpu") | f.share_memory_() is f
f._new_shared(2) | T.FloatStorage._new_shared(3) | f._new_wrapped_storage(e)
f._maybe_wrap_index(1)
f._maybe_wrap_index(-1) | f._maybe_wrap_index(3) | f._maybe_wrap_index("a") | f._share_fd_cpu_()[1]
f._maybe_wrap_index(None, True) | f._maybe_wrap_index(9, True) | f._get_legacy_storage_class()
T.FloatStorage._new_shared_filename(b"", b"/nothing", 3) | f._share_filename_cpu_()[2] | f.hpu()
f._weak_ref() == f._cdata | TS._expired(f._weak_ref()) | TS._free_weak_ref(f._weak_ref())
f._shared_decref() is f | f._share_cuda_() | f._release_ipc_counter() | f._shared_incref()
f._write_file(B0, False, True, 4) or B0.getvalue() | f._set_from_file(3, None, False, 4)
f.from_buffer(b"abcd", "native") | T.FloatStorage.from_buffer(b"abcd", "native")
T.FloatStorage.from_buffer(b"abcd", "native", dtype=T.int8)
T.FloatStorage.from_buffer(b"abcd", "native", device="cpu")
TS.from_buffer(b"abcdefgh", "native", dtype=T.float64)
TS.from_buffer(b"abcdefgh", "native", device="meta") | TS.from_file("x", False, 3)
f.from_file("x", False, 3) | T.FloatStorage.from_file("/nonexistent", False, 3)
T.ByteStorage([300]) | T.CharStorage([1.5]) | T.IntStorage(["a"]) | T.IntStorage([None])
T.FloatStorage([[1]]) | T.FloatStorage([1, [2]]) | T.BoolStorage([2, 0]) | T.HalfStorage([1e9])
T.IntStorage([2**40]) | T.FloatStorage([1j]) | T.FloatStorage(range(3)) | T.FloatStorage(b"ab")
T.FloatStorage("") | T.ByteStorage([-1]) | T.ByteStorage([-256]) | T.ByteStorage([float("nan")])
T.IntStorage([1e10]) | T.IntStorage([1j]) | T.BoolStorage([1j]) | T.BoolStorage(["a"])
T.BoolStorage([None]) | T.ComplexFloatStorage(["a"]) | T.ComplexFloatStorage([None])
T.ComplexFloatStorage([1, 2.0, 3j]) | T.FloatStorage([True]) | T.FloatStorage([[1, 2], [3]])
T.FloatStorage([[1, 2], [3, 4]]) | T.FloatStorage([None]) | T.LongStorage([2**63])
T.CharStorage([200]) | T.ShortStorage([1e5]) | T.FloatStorage([2**200])
T.FloatStorage([2**2000]) | TS([70000], dtype=T.uint16) | T.FloatStorage(-1)
T.LongStorage([-(2**63), 2**63 - 1]) | TS([1, 2], dtype=T.uint64)
"""


def cases(text: str) -> list[str]:
    return [c.strip() for line in text.strip().splitlines() for c in line.split(" | ")]


@every("code", cases(UNTYPED))
def test_untyped_storage_equals_torch(code):
    """The same repr, or an error of the same type and text."""
    assert outcome(OURS, code) == outcome(torch, code)


@every("code", cases(TYPED))
def test_typed_storage_equals_torch(code):
    """The same repr, or an error of the same type and text."""
    assert outcome(OURS, code) == outcome(torch, code)


def test_the_deprecation_is_torchs():
    """Text, category and count of TypedStorage's warning."""

    def warned(T: Any) -> list[tuple[type, str]]:
        with hearing() as seen:
            storage = T.TypedStorage([1.0])
            storage.size(), storage.tolist()
        return [(w.category, str(w.message)) for w in seen if w.filename == __file__]

    torch.storage._reset_warn_typed_storage_removal()
    typed._reset_warn_typed_storage_removal()
    want = warned(torch)
    assert len(want) == 1
    assert warned(OURS) == want


@pytest.mark.parametrize("shared", [False, True])
def test_mapped_files_equal_torch(shared, tmp_path):
    """Sizes, texts, and what the file holds afterwards."""

    def program(T: Any, path: Any) -> list[Any]:
        path.write_bytes(b"abcdef")
        seen: list[Any] = []
        # Growing a shared file is left out: torch 2.13 then overwrites its first byte with 0.
        for nbytes in (0, 3, 6, -3) if shared else (0, 3, 6, 8, -3):
            try:
                storage = T.UntypedStorage.from_file(str(path), shared, nbytes)
                facts = (storage.is_shared(), storage.resizable(), storage.filename == str(path))
                seen.append((storage.tolist(), facts))
                if nbytes:
                    storage[0] = 65
                    storage.resize_(10)
            except RuntimeError as error:
                seen.append(str(error).replace(str(path), "PATH"))
        return [*seen, path.read_bytes()]

    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    assert program(OURS, ours) == program(torch, theirs)


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_leave_the_same_bytes(seed):
    """Storages, slices and typed views changed through each other, step by step."""
    rnd = random.Random(seed)
    data = [rnd.randrange(256) for _ in range(24)]
    dtypes = ("uint8", "int8", "int16", "int32", "int64", "float32", "float64", "bool")
    steps = []
    for _ in range(120):
        a, b = rnd.randrange(6), rnd.randrange(6)
        lo, hi = rnd.randrange(-26, 26), rnd.randrange(-26, 26)
        value, dtype = rnd.randrange(-300, 300), rnd.choice(dtypes)
        steps.append((rnd.choice(KINDS), a, b, lo, hi, value, dtype))

    def run(T: Any) -> list[Any]:
        pool = Pool(T.UntypedStorage(data) for _ in range(6))
        seen: list[Any] = []
        for kind, a, b, lo, hi, value, dtype in steps:
            try:
                result = ACTIONS[kind](T, pool, a, b, lo, hi, value, getattr(T, dtype))
            except Exception as error:
                result = f"{type(error).__name__}: {error}"
            seen.append((kind, result, [s.tolist() for s in pool], [s.resizable() for s in pool]))
        return seen

    for ours, theirs in zip(run(OURS), run(torch), strict=True):
        assert ours == theirs


class Pool(list):
    """The storages of a program. Resizing one that has slices leaves torch's slices dangling."""

    def __init__(self, storages):
        super().__init__(storages)
        self.sliced = []

    def may_resize(self, storage):
        return all(storage is not whole for whole in self.sliced)


def _slice(T, pool, a, b, lo, hi, value, dtype):
    pool.sliced.append(pool[a])
    pool[b] = pool[a][lo:hi]


def _shrink(T, pool, a, b, lo, hi, value, dtype):
    if pool.may_resize(pool[a]):
        pool[a].resize_(max(0, pool[a].size() - abs(value) % 3))


def _grow(T, pool, a, b, lo, hi, value, dtype):
    old = pool[a].size()
    if not pool.may_resize(pool[a]):
        return
    pool[a].resize_(old + 4)
    for i in range(old, old + 4):  # new bytes are undefined until written
        pool[a][i] = value


def _typed_set(T, pool, a, b, lo, hi, value, dtype):
    T.TypedStorage(wrap_storage=pool[a], dtype=dtype, _internal=True)._setitem(lo, value)


def _convert(T, pool, a, b, lo, hi, value, dtype):
    pool[b] = T.TypedStorage([value % 100, 1], dtype=dtype, _internal=True)._to(dtype).untyped()


def _clone(T, pool, a, b, lo, hi, value, dtype):
    pool[b] = copy.copy(pool[a])


ACTIONS: dict[str, Any] = {
    "slice": _slice,
    "shrink": _shrink,
    "grow": _grow,
    "typed set": _typed_set,
    "convert": _convert,
    "clone": _clone,
    "copy": lambda T, pool, a, b, *_: pool[a].copy_(pool[b]).nbytes(),
    "set": lambda T, pool, a, b, lo, hi, value, _: pool[a].__setitem__(lo, value),
    "set slice": lambda T, pool, a, b, lo, hi, value, _: pool[a].__setitem__(slice(lo, hi), value),
    "get": lambda T, pool, a, b, lo, *_: pool[a][lo],
    "fill": lambda T, pool, a, b, lo, hi, value, _: pool[a].fill_(value).nbytes(),
    "byteswap": lambda T, pool, a, b, lo, hi, value, dtype: pool[a].byteswap(dtype),
    "typed size": lambda T, pool, a, b, lo, hi, value, dtype: T.TypedStorage(
        wrap_storage=pool[a], dtype=dtype, _internal=True
    )._size(),
}
KINDS = list(ACTIONS)


def test_bytes_are_in_this_machines_order():
    """The programs above compare raw bytes, which needs both sides on one machine."""
    assert ms.UntypedStorage.from_buffer(b"ab", sys.byteorder, dtype=ms.int16).tolist() == [97, 98]
