"""Tensors over memory that others see too: numpy, buffers, DLPack, files; against torch."""

from __future__ import annotations

import array
import copy
import re

import mindtorch
import numpy as np
import pytest
import torch

from .batches import every
from .hearing import hearing
from .helpers import describe

#: Expressions over ``t`` (the framework), ``np``, ``x`` (3 floats), ``m`` (2x3 ints), ``g`` (a leaf
#: that requires grad), ``a`` (3 doubles of numpy's), ``b`` (8 writable bytes), ``path`` (a file).
EXPRESSIONS = r"""
t.frombuffer(b, dtype=t.uint8) | t.frombuffer(b, dtype=t.int16) | t.frombuffer(b, dtype=t.int32)
t.frombuffer(b, dtype=t.int32, count=1) | t.frombuffer(b, dtype=t.int32, count=3)
t.frombuffer(b, dtype=t.int16, offset=2) | t.frombuffer(b, dtype=t.int16, offset=1)
t.frombuffer(b, dtype=t.int16, offset=1, count=2) | t.frombuffer(b, dtype=t.int16, offset=8)
t.frombuffer(b, dtype=t.int16, offset=-1) | t.frombuffer(b, dtype=t.int16, count=0)
t.frombuffer(b, dtype=t.int16, count=-2) | t.frombuffer(bytearray(), dtype=t.int16)
t.frombuffer(3, dtype=t.int16) | t.frombuffer(b) | t.frombuffer(b, dtype=3)
t.frombuffer("a", dtype=t.int8) | t.frombuffer(b, dtype=t.float32, requires_grad=True).requires_grad
t.frombuffer(b, dtype=t.int32, requires_grad=True) | t.frombuffer(b, dtype=t.bool)
t.frombuffer(array.array("i", [1, 2]), dtype=t.int32) | t.frombuffer(b"abcd", dtype=t.uint8)
t.frombuffer(b, dtype=t.bfloat16).shape | t.frombuffer(b, dtype=t.complex64).shape
t.frombuffer(memoryview(b)[::2], dtype=t.uint8)
t.frombuffer(b, dtype=t.uint8).untyped_storage().resizable() | t.from_numpy(a)
t.from_numpy(a).data_ptr() == a.ctypes.data | t.from_numpy(a[::2]).stride() | t.from_numpy(a[::-1])
t.from_numpy(3) | t.from_numpy([1]) | t.from_numpy(a.astype("U3"))
t.from_numpy(np.zeros(2, "c16")).dtype | t.from_numpy(np.zeros(2, "u2")).dtype
t.from_numpy(np.float32(3)) | t.from_numpy(np.zeros(2, "O")) | t.from_numpy(np.zeros(2, ">f4"))
t.from_numpy(np.zeros(2, "f2")).dtype | t.from_numpy(np.zeros((), "f4")).shape
t.from_numpy(a.reshape(3, 1).T).stride() | t.from_numpy(np.zeros(2, dtype="datetime64[s]"))
t.from_numpy(np.lib.stride_tricks.as_strided(a, (2, 3), (0, 8))).stride()
t.from_numpy(np.zeros(4, "u1")[1:3].view("u1")).storage_offset()
t.from_numpy(np.frombuffer(b"abcdefghi", "u1")[1:].view("f4")) | t.from_numpy(a).resize_(9)
t.from_numpy(a).untyped_storage().nbytes() | t.from_numpy(a[1:]).untyped_storage().nbytes()
t.from_numpy(np.zeros(3, [("a", "f4"), ("b", "f4")])["b"]) | t.from_numpy(np.zeros(5, "V3"))
t.asarray(x) is x | t.asarray(x, copy=True) is x | t.asarray(x, dtype=t.float64).dtype
t.asarray(x, copy=False) is x | t.asarray(x, dtype=t.float64, copy=False)
t.asarray(x, device="meta", copy=False) | t.asarray(x, device="meta").device | t.asarray(a).dtype
t.asarray(a).data_ptr() == a.ctypes.data | t.asarray(a, copy=True).data_ptr() == a.ctypes.data
t.asarray(a, dtype=t.float32) | t.asarray(a, dtype=t.float32, copy=False) | t.asarray(b)
t.asarray(b, dtype=t.int16) | t.asarray(b).dtype | t.asarray([1, 2]).dtype
t.asarray([1, 2], copy=False) | t.asarray([1.5, 2], dtype=t.int32) | t.asarray(3)
t.asarray(3, copy=True) | t.asarray(3, copy=False) | t.asarray((1, 2), dtype=t.float16)
t.asarray(None) | t.asarray("ab") | t.asarray(g).requires_grad
t.asarray(g, requires_grad=True) is g | t.asarray(x, requires_grad=True).requires_grad
t.asarray(x, requires_grad=True) is x | t.asarray(g * 2, requires_grad=True).is_leaf
t.asarray(g).grad_fn | t.asarray([1, 2], requires_grad=True) | t.asarray([[1, 2], [3, 4]])
t.asarray(np.float32(2)).dtype | t.asarray(np.int64(3)) | t.asarray(array.array("f", [1, 2]))
t.asarray(a[::-1]) | t.asarray(x, foo=1) | t.asarray() | t.asarray(range(3))
t.asarray(memoryview(b), dtype=t.uint8) | t.asarray(b, copy=True).tolist() | t.as_tensor(x) is x
t.as_tensor(a).data_ptr() == a.ctypes.data | t.as_tensor(a, dtype=t.float32) | t.as_tensor([1, 2.5])
t.as_tensor(g) is g | t.as_tensor(b) | t.as_tensor(x, dtype=t.int64) | t.as_tensor(None)
t.as_tensor("a") | t.as_tensor(x, device="meta").device
t.utils.dlpack.from_dlpack(x).data_ptr() == x.data_ptr()
t.from_dlpack(x).data_ptr() == x.data_ptr() | t.from_dlpack(a).data_ptr() == a.ctypes.data
t.from_dlpack(3) | t.from_dlpack(x.__dlpack__()).tolist()
t.utils.dlpack.to_dlpack(x).__class__.__name__ | t.from_dlpack(t.utils.dlpack.to_dlpack(m)).tolist()
x.__dlpack_device__() | m.__dlpack_device__() | np.from_dlpack(x).tolist()
np.from_dlpack(m.t()).strides | g.__dlpack__() | t.from_dlpack(g)
np.from_dlpack(x).ctypes.data == x.data_ptr() | t.ones(2, dtype=t.complex64).conj().__dlpack__()
t.from_dlpack(x.bool()).dtype | t.from_dlpack(x.bfloat16()).dtype | t.from_dlpack(x.half()).tolist()
t.from_dlpack(x.to(t.complex64)).tolist() | t.from_dlpack(t.tensor(3)).shape
t.from_dlpack(t.ones(2, 3)[:, ::2]).stride() | t.from_dlpack(t.empty(0, 3)).shape
[t.from_dlpack(t.ones(s)).stride() for s in ((0, 3), (3, 0), (2, 0, 3), (0,), ())]
t.from_dlpack(t.ones(4, 3)[:0, ::2]).stride() | t.from_dlpack(np.ones((0, 3))).stride()
t.from_dlpack(t.ones(0, 3).bfloat16()).stride() | t.from_dlpack(t.ones(3, 0).t()).stride()
t.from_dlpack(t.ones(2, 0, 3))._is_view() | t.from_dlpack(t.ones(0, 3))._version
x.__dlpack__(stream=1) | x.__dlpack__(stream="a") | x.__dlpack__(stream=-1).__class__.__name__
x.__dlpack__(max_version=(1, 0)).__class__.__name__ | x.__dlpack__(copy=True).__class__.__name__
x.__dlpack__(dl_device=(1, 0)).__class__.__name__ | t.from_dlpack(x, device="cpu").tolist()
t.from_dlpack(x, copy=True).data_ptr() == x.data_ptr()
t.from_dlpack(x, copy=False).data_ptr() == x.data_ptr() | t.ones(2, device="meta").__dlpack__()
t.ones(2, device="meta").__dlpack_device__()
[(c := x.__dlpack__()), t.from_dlpack(c), t.from_dlpack(c)] | np.asarray(x).tolist() | np.asarray(g)
np.array(x, dtype="i4").tolist() | x.__array__().dtype | x.__array__("f8").dtype
np.add(x, 1).__class__.__name__ | np.asarray(x.bfloat16()) | x.__array_priority__
x.__array_wrap__(np.ones(2)) | x.__array_wrap__(np.array([True])).dtype
np.sin(x).__class__.__name__ | hasattr(x, "__array_interface__")
hasattr(x, "__cuda_array_interface__") | memoryview(x) | bytes(x) | list(x.numpy())
x.numpy(force=True).tolist() | g.numpy() | g.numpy(force=True).tolist() | x.new().shape
x.new(2, 3).shape | x.new([1, 2]) | x.new(x).shape | x.new((1, 2)) | m.new([1.5])
x.new(t.Size([2])).shape | x.new(2.5) | x.new("a") | x.new(x.untyped_storage()).tolist()
x.new(x.storage()).data_ptr() == x.data_ptr() | x.new(m) | x.new(m.storage())
x.new(device="cpu").shape | x.new(2, device="meta") | x.new(None) | t.Tensor(2, 3).shape
t.Tensor([1, 2]) | t.Tensor(x).data_ptr() == x.data_ptr() | t.Tensor(m) | t.Tensor() | t.Tensor(2.5)
t.Tensor([[1], [2]]).shape | t.Tensor("a") | t.Tensor(-1) | t.Tensor(2, 2.5)
t.Tensor(x.untyped_storage()).tolist() | t.Tensor(x.storage()).tolist() | t.Tensor(m.storage())
t.Tensor(t.Size([2])).shape | t.Tensor(device="meta") | t.Tensor([1], device="cpu") | t.Tensor(None)
t.Tensor(np.ones(2)).dtype | t.FloatTensor(2).shape | t.FloatTensor([1, 2]) | t.IntTensor([1.5, 2])
t.LongTensor(m).data_ptr() == m.data_ptr() | t.FloatTensor(m) | t.ByteTensor([1, 255])
t.BoolTensor([0, 2]) | t.DoubleTensor(2, 2).dtype | t.HalfTensor([1]).dtype
t.CharTensor([1]).dtype | t.ShortTensor([1]).dtype | t.BFloat16Tensor([1]).dtype | t.FloatTensor
t.FloatTensor.dtype | isinstance(x, t.FloatTensor) | isinstance(x, t.DoubleTensor)
t.IntTensor(2, 3, device="cpu").shape | t.FloatTensor(device="meta") | t.FloatTensor.__name__
t.FloatTensor.layout | t.FloatTensor.is_cuda | t.FloatTensor(x.storage()).tolist()
t.IntTensor(x.storage()) | t.tensor(x.tolist()).type() | m.type()
x.type("torch.DoubleTensor").dtype | x.type(t.IntTensor).dtype | x.type(t.int32).dtype
x.type(t.FloatTensor) is x | x.type("torch.FooTensor") | x.type(3) | x.type(int)
x.type(t.Tensor).dtype | m.bool().type() | x.type(dtype="torch.LongTensor").dtype
x.type(t.float64, non_blocking=True).dtype | x.apply_(lambda v: v + 1) | m.apply_(lambda v: v * 2)
g.apply_(lambda v: v) | x.apply_(3) | x.apply_(lambda v: "a") | m.t().apply_(lambda v: v + 1)
x.map_(t.ones(3), lambda u, v: u + v) | x.map_(m, lambda u, v: u)
x.map_(t.ones(2), lambda u, v: u) | x.map_(3, 4) | x.map_(t.ones(1), lambda u, v: u + v)
x.map2_(t.ones(3), t.ones(3), lambda u, v, w: u + v + w) | x.map2_(t.ones(3), m, lambda u, v, w: u)
g.map_(x, lambda u, v: u) | t.ones(2, device="meta").apply_(lambda v: v) | x.apply_(lambda v: 1 / 0)
x.bool().apply_(lambda v: not v) | t.ones(2, dtype=t.complex64).apply_(lambda v: v * 1j)
m.apply_(lambda v: 1.5) | x.dim_order() | t.ones(1, 2, 3, 4).dim_order()
[t.ones(2, 3, 4, 5).mT.to(memory_format=f).stride() for f in (t.channels_last, t.preserve_format)]
t.ones(2, 3, 4, 5).permute(0, 3, 1, 2).to(memory_format=t.contiguous_format).stride()
(y := t.ones(2, 3, 4, 5)[:, :, ::2]).to(memory_format=t.contiguous_format) is y
(y := t.ones(2, 3, 4, 5)[:, :, ::2]).to(memory_format=t.preserve_format) is y
t.ones(2, 3, 4, 5)[:, :, ::2].to(memory_format=t.channels_last).stride()
t.ones(2, 3).to(memory_format=t.channels_last) | t.ones(2, 3).clone(memory_format=t.channels_last)
t.ones(2, 3).to(memory_format=t.channels_last_3d) | m.contiguous(memory_format=t.channels_last)
t.ones(2, 3, 4, 5, 6).to(t.float64, memory_format=t.channels_last_3d).stride()
(y := t.ones(2, 3, 4, 5).permute(0, 3, 1, 2)).to(memory_format=t.channels_last) is y
(y := t.ones(2, 3, 4, 5, 6).permute(0, 4, 1, 2, 3)).to(memory_format=t.channels_last_3d) is y
t.ones(2, 6)[:, ::2].double().double(memory_format=t.contiguous_format).stride()
t.ones(2, 6)[:, ::2].float(memory_format=t.contiguous_format).stride()
t.ones(1, 2, 3, 4).to(memory_format=t.channels_last).dim_order() | m.t().dim_order()
m.dim_order(ambiguity_check=True) | t.ones(1, 1).dim_order(ambiguity_check=True)
m.dim_order(ambiguity_check=[t.contiguous_format]) | m.dim_order(ambiguity_check="a") | x.name
t.eye(3).fill_diagonal_(5) | t.zeros(7, 3).fill_diagonal_(1, wrap=True)
t.zeros(7, 3).fill_diagonal_(1) | t.zeros(2, 2, 2).fill_diagonal_(3)
t.zeros(2, 3, 2).fill_diagonal_(3) | t.zeros(3).fill_diagonal_(1) | m.fill_diagonal_(2.5)
t.zeros(3, 7).fill_diagonal_(1, True) | x.fill_diagonal_() | x._lazy_clone()
x._lazy_clone().data_ptr() == x.data_ptr() | g._lazy_clone().grad_fn.__class__.__name__
x._lazy_clone().add_(1), x | m.t()._lazy_clone().stride()
x._lazy_clone().untyped_storage()._cdata == x.untyped_storage()._cdata | x.module_load(t.ones(3))
x.module_load(t.ones(2)) | x.module_load(t.ones(3), assign=True) | x.module_load(3)
x.module_load(t.nn.Parameter(t.ones(3)), assign=True) | t.from_file(path, size=2)
t.from_file(path, size=2, dtype=t.int16).tolist()
t.from_file(path, shared=True, size=2, dtype=t.uint8).fill_(65).tolist()
t.from_file(path, size=99) | t.from_file("/nonexistent", size=2) | t.from_file(path, size=-1)
t.from_file(path) | t.from_file(path, False, 2).shape | t.from_file(path, size=2).resize_(9)
t.from_file(path, size=2).untyped_storage().filename
t.from_file(path, shared=True, size=1).is_shared() | t.from_file(path, size=2, device="meta")
t.from_file(3) | t.from_file(path, shared=True, size=2).untyped_storage().resize_(3) | x._is_view()
x[1:]._is_view() | x[1:]._base is x | x.detach()._is_view() | x.data._is_view()
x.view(3)._base is x | x[1:][1:]._base is x | g[1:]._base is g | g.detach()._base
(g * 2)[1:]._base.shape | x.T._base is x | x.clone()._base | x.data.data_ptr() == x.data_ptr()
g.data.requires_grad | g.data._version | setattr(x, "data", t.ones(2)) or x.shape
setattr(x, "data", m) or x.dtype | setattr(g, "data", m) | setattr(x, "data", 3)
setattr(x, "data", t.ones(2, device="meta")) or x.device | setattr(g, "data", t.ones(5)) or g.shape
x.is_set_to(x) | x.is_set_to(x[:]) | x.is_set_to(x.clone()) | x.is_set_to(x[1:]) | x.is_set_to(3)
x.is_set_to(x.view(3)) | m.is_set_to(m.t()) | x.as_strided((2,), (1,))
x.as_strided((2, 2), (1, 1)) | x.as_strided((4,), (1,))
x.as_strided((2,), (1,), 1).storage_offset() | x.as_strided((2,), (1,), 2)
x.as_strided((2,), (-1,)) | x.as_strided((2,), (1, 1)) | x.as_strided((-2,), (1,))
x.as_strided((2,), (1,), -1) | x.as_strided((0,), (1,), 9) | x[1:].as_strided((2,), (1,)).tolist()
x[1:].as_strided((2,), (1,), 0).tolist() | x.storage_offset() | x[2:].storage_offset()
m[1, 1:].storage_offset() | m.storage().__class__.__name__ | m.untyped_storage().nbytes()
m.storage_type() | x.untyped_storage().data_ptr() == x.data_ptr()
x[1:].untyped_storage().data_ptr() == x.data_ptr() | x.is_shared() | x.share_memory_().is_shared()
x[1:].share_memory_() is x | t.ones(2, device="meta").share_memory_()
t.ones(2, device="meta").is_shared() | x.is_pinned() | x.is_pinned("cpu") | x.storage().is_shared()
[c := copy.deepcopy([x, x[1:]]), c[0].fill_(9), c[1].tolist()] | copy.deepcopy(g).requires_grad
copy.deepcopy(g * 2) | copy.copy(x) is x | copy.copy(x).data_ptr() == x.data_ptr()
m.median(0)[1].storage_offset() | m.median(0)[1].untyped_storage().nbytes()
m.nanmedian(0, True)[1].storage_offset() | m.nanmedian(0, True)[1].untyped_storage().nbytes()
m.kthvalue(2, 0)[1].storage_offset() | m.kthvalue(2, 0)[1].untyped_storage().nbytes()
m.kthvalue(1, 1)[1].stride() | m.kthvalue(1, 1)[1].untyped_storage().nbytes()
copy.deepcopy(x[1:]).storage_offset() | copy.deepcopy(x[1:]).untyped_storage().nbytes()
copy.deepcopy(m.t()).stride() | t.set_default_tensor_type(t.FloatTensor)
t.set_default_tensor_type("torch.FloatTensor") | t.set_default_tensor_type(3)
t.set_default_tensor_type(t.IntTensor) | t.set_default_tensor_type("torch.FooTensor")
t.set_default_dtype(t.int32) | t.set_default_dtype("a") | t.get_default_dtype()
"""


_NUMBERS = "-1 -255 -256 300 70000 2**40 2**63 2**64 -2**63 -2**64 1.5 -0.5 -1.5 255.9 1e10".split()
_NUMBERS += ["float('nan')", "float('inf')", "1e30", "1j", "True"]
_TYPES = "uint8 int8 int16 int32 int64 uint16 uint32 uint64 bool float16 float32 complex64".split()


@pytest.mark.parametrize("dtype", _TYPES)
def test_numbers_become_elements_as_the_oracles(dtype):
    """Wrapping, truncation and overflow: alone, and in a list."""
    for number in _NUMBERS:
        for form in (number, f"[{number}]", f"[[0], [{number}]]"):
            code = f"t.tensor({form}, dtype=t.{dtype})"
            assert said(mindtorch, code, "") == said(torch, code, ""), code


def cases():
    """The expressions, one by one."""
    return [c.strip() for line in EXPRESSIONS.strip().splitlines() for c in line.split(" | ")]


def world(t, path):
    """What an expression may use; the same numbers in both frameworks."""
    return {
        "t": t,
        "np": np,
        "array": array,
        "copy": copy,
        "x": t.tensor([1.0, 2.0, 3.0]),
        "m": t.arange(6).reshape(2, 3),
        "g": t.tensor([1.0, 2.0], requires_grad=True),
        "a": np.array([1.0, 2.0, 3.0]),
        "b": bytearray(b"\1\0\2\0\3\0\4\0"),
        "path": path,
    }


def said(t, code, path):
    """What came of *code*: the value in words, or the error; and the warnings."""
    with hearing() as heard:
        try:
            value = eval(code, world(t, path))
            text = described(t, value)
        except Exception as error:
            text = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    words = [str(w.message).splitlines()[0] for w in heard if w.category is not DeprecationWarning]
    words = [re.sub(r" ?\(Triggered internally.*", "", w) for w in words]
    return re.sub(r"0x[0-9a-f]+", "0x", text).replace("mindtorch.", "torch."), words


def described(t, value):
    if isinstance(value, t.Tensor):
        return describe(value) + f" {value.requires_grad}"
    if isinstance(value, (list, tuple)):
        return type(value).__name__ + str([described(t, v) for v in value])
    return repr(value)


#: torch warns of these once in a process, whichever test comes first.
_ONCE = (
    "not writable",
    "unspecified requires_grad",
    "TypedStorage is deprecated",
    "deprecated as of PyTorch 2.1",
)


@every("code", cases())
def test_expression_is_the_oracles(code, tmp_path):
    """Value, dtype, strides, aliasing, warnings; or type and first line of the error."""
    path = tmp_path / "file"
    results = []
    for t in (mindtorch, torch):
        path.write_bytes(bytes(range(60, 76)))
        text, words = said(t, code, str(path))
        results.append((text, [w for w in words if not any(once in w for once in _ONCE)]))
    assert results[0] == results[1]


def test_memory_is_moved_under_views_wherever_python_keeps_attributes():
    """Views are found where the alias has a dict too, as it has once somebody has looked at it."""
    base = mindtorch.arange(12.0).reshape(3, 4)
    part = base[1:]
    base.add_(1)
    assert vars(base._shared_)["value"] == 1
    base.share_memory_()
    part.zero_()
    assert base.tolist() == [[1.0, 2.0, 3.0, 4.0], [0.0] * 4, [0.0] * 4]
    assert part.storage_offset() == 4


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_sums_with_a_factor_are_torchs_in_every_layout(dtype):
    """Blocks, what is left of the last one, the same memory twice, and memory in another order."""

    def sums(t):
        kind = getattr(t, dtype)
        found = []
        for n in (65536, 65537, 100_003):
            a = t.arange(n, dtype=kind) % 1000 - 300
            b = t.arange(n, dtype=kind) % 777 - 99
            found += [a.clone().add_(b, alpha=-0.5), a.clone().sub_(b, alpha=4)]
            c = a.clone()
            found.append(c.add_(c, alpha=2))
        d = (t.arange(90_000, dtype=kind) % 512).view(300, 300)
        found += [d.clone().t().add_(d, alpha=0.25), d.clone().add_(d.t(), alpha=0.25)]
        return [x.contiguous().numpy() for x in found]

    for ours, theirs in zip(sums(mindtorch), sums(torch), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("device", ["cuda", "cuda:0", "xpu", "mps", "xla", "vulkan"])
def test_no_tensor_goes_where_nothing_is(device):
    """Not with ``to``, in whichever form, nor as a number that is made there."""

    def attempts(t):
        x, found = t.ones(2), []
        for go in (
            lambda: x.to(device),
            lambda: x.to(t.device(device)),
            lambda: x.to(device=device, dtype=t.float64),
            lambda: x.to(device, t.float64, copy=True),
            lambda: t.tensor([1.0], device=device),
        ):
            with pytest.raises((AssertionError, RuntimeError)) as error:
                go()
            found.append((error.type, str(error.value)))
        return found

    assert attempts(mindtorch) == attempts(torch)
