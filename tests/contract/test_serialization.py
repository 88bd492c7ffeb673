"""Files go both ways between mindtorch and torch, and hostile files do no harm."""

from __future__ import annotations

import io
import struct
import zipfile
from collections import Counter, OrderedDict
from typing import Any

import mindtorch as mt
import pytest
import torch
from mindtorch.nn.parameter import Parameter

from .checkpoints import archive, saved
from .helpers import assert_same_value, assert_torch_error, differences

DTYPES = (
    "uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
    "complex128 bool float8_e4m3fn float8_e5m2"
).split()
#: Also dtypes of which torch makes no tensors, or only quantized ones: a file may name them.
NAMES = [
    *DTYPES,
    *"complex32 bits8 bits16 quint8 qint32 quint4x2 int1 uint7 float8_e8m0fnu".split(),
]


def tensors(t: Any) -> dict[str, Any]:
    """Tensors of every kind, of the library *t*."""
    base = t.arange(24.0).reshape(4, 6)
    made = {name: t.arange(6).to(getattr(t, name)).reshape(2, 3) for name in DTYPES}
    return made | {
        "0-d": t.tensor(2.5),
        "0-d int": t.tensor(7),
        "empty": t.empty(0),
        "empty 2-d": t.empty((0, 3)),
        "leaf": t.ones(3).requires_grad_(),
        "non-leaf": t.ones(3).requires_grad_() * 2,
        "transposed": base.t(),
        "window": base[1:3, 2:5],
        "steps": base[::2, ::3],
        "expanded": t.ones(1, 3).expand(5, 3),
        "bool": t.tensor([True, False]),
        "parameter": t.nn.Parameter(t.ones(2, 2)),
        "frozen parameter": t.nn.Parameter(t.ones(2, 2), requires_grad=False),
        "special": t.tensor([float("nan"), float("inf"), -0.0]),
        "meta": t.empty((2, 3), device="meta"),
    }


def containers(t: Any) -> Any:
    """Nested containers and plain values around tensors."""
    state = OrderedDict(weight=t.ones(2, 2), bias=t.zeros(2))
    state._metadata = OrderedDict([("", {"version": 1})])
    return {
        "state": state,
        "list": [1, -1, 300, 70000, 2**40, 2**70, -(2**70), 1.5, True, False, None, "text", "ü€😀"],
        "tuple": ((), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [t.ones(1), (t.zeros(1),)]),
        "set": {1, 2},
        "bytes": b"\x00\xff",
        "complex": 1 + 2j,
        "counter": Counter("aab"),
        "size": t.ones(2, 3).shape,
        "device": t.device("cpu"),
        "dtypes": [getattr(t, name) for name in NAMES],
        "layout": t.strided,
        5: {"nested": {"deep": [t.arange(3)]}},
    }


# both ways -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize("kind", sorted(tensors(torch)))
def test_torch_reads_what_we_save(kind: str, weights_only: bool) -> None:
    """torch loads our file and finds the same tensor: values, strides, offset, storage, class."""
    ours, theirs = tensors(mt)[kind], tensors(torch)[kind]
    back = torch.load(saved(mt, ours), weights_only=weights_only)
    want = torch.load(saved(torch, theirs))
    assert not differences(back, want)
    assert type(back) is type(want)
    assert back.storage_offset() == want.storage_offset()
    if kind != "meta":
        assert back.untyped_storage().nbytes() == want.untyped_storage().nbytes()


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize("kind", sorted(tensors(torch)))
def test_we_read_what_torch_saves(kind: str, weights_only: bool) -> None:
    """We load torch's file and find the same tensor."""
    theirs = tensors(torch)[kind]
    back = mt.load(saved(torch, theirs), weights_only=weights_only)
    want = torch.load(saved(torch, theirs))
    assert not differences(back, want)
    assert type(back).__name__ == type(want).__name__
    assert back.storage_offset() == want.storage_offset()
    if kind != "meta":
        assert back.untyped_storage().nbytes() == want.untyped_storage().nbytes()


def test_the_bytes_of_a_file_are_torchs() -> None:
    """Every record, offset, checksum and name is torch's; the fingerprint's digits are ours."""
    for build in (tensors, containers):
        ours, theirs = build(mt), build(torch)
        if build is containers:
            for d in (ours, theirs):
                del d["device"]  # torch makes its type's name anew each time, so it comes twice
        got, want = saved(mt, ours).getvalue(), saved(torch, theirs).getvalue()
        read = zipfile.ZipFile(io.BytesIO(got)).read
        assert read("archive/data.pkl") == zipfile.ZipFile(io.BytesIO(want)).read(
            "archive/data.pkl"
        )
        assert _without_id(got) == _without_id(want)


def _without_id(data: bytes) -> bytes:
    archive = zipfile.ZipFile(io.BytesIO(data))
    digits = archive.read("archive/.data/serialization_id")
    crc = archive.getinfo("archive/.data/serialization_id").CRC
    assert len(digits) == 40 and digits.isdigit()
    return data.replace(digits, b"id").replace(struct.pack("<I", crc), b"crc")


def test_containers_go_both_ways() -> None:
    """Dictionaries, sets, bytes, sizes, dtypes, devices and layouts survive in both directions."""
    want = torch.load(saved(torch, containers(torch)))
    for back in (
        torch.load(saved(mt, containers(mt))),
        mt.load(saved(torch, containers(torch))),
        mt.load(saved(mt, containers(mt))),
        mt.load(saved(mt, containers(mt)), weights_only=False),
        mt.load(saved(mt, containers(mt), pickle_protocol=4), weights_only=False),
    ):
        assert repr(back) == repr(want)


@pytest.mark.parametrize(("writer", "reader"), [(mt, torch), (torch, mt), (mt, mt)])
@pytest.mark.parametrize("weights_only", [True, False])
def test_attributes_of_tensors_are_kept(writer: Any, reader: Any, weights_only: bool) -> None:
    """What users hang on tensors and parameters is part of the file."""
    x, p = writer.ones(2), writer.nn.Parameter(writer.ones(2))
    x.note, p.note = ["x"], ["p"]
    back = reader.load(saved(writer, [x, p]), weights_only=weights_only)
    assert [t.note for t in back] == [["x"], ["p"]]
    assert [type(t).__name__ for t in back] == ["Tensor", "Parameter"]


def test_metadata_of_a_state_dict_is_kept() -> None:
    """The attribute of an OrderedDict is part of it."""
    back = mt.load(saved(torch, containers(torch)))["state"]
    assert dict(back._metadata) == {"": {"version": 1}}
    assert list(back) == ["weight", "bias"]


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_protocol_is_read_without_weights_only(protocol: int) -> None:
    """torch reads what we write in any protocol, and we read it ourselves."""
    buffer = saved(mt, {"a": mt.ones(3), "p": Parameter(mt.ones(1))}, pickle_protocol=protocol)
    for lib in (torch, mt):
        buffer.seek(0)
        assert lib.load(buffer, weights_only=False)["a"].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("writer", "reader"), [(mt, torch), (torch, mt), (mt, mt)])
def test_shared_memory_is_saved_once_and_shared_again(writer: Any, reader: Any) -> None:
    """A view and its base are one record, and one storage after loading."""
    x = writer.arange(6.0)
    buffer = saved(writer, {"x": x, "view": x[2:4], "again": [x]})
    names = zipfile.ZipFile(buffer).namelist()
    assert sum("/data/" in name for name in names) == 1
    buffer.seek(0)
    back = reader.load(buffer)
    assert back["again"][0] is back["x"]
    back["view"][0] = 9.0
    assert back["x"].tolist() == [0.0, 1.0, 9.0, 3.0, 4.0, 5.0]
    assert back["x"].untyped_storage()._cdata == back["view"].untyped_storage()._cdata


@pytest.mark.parametrize(("writer", "reader"), [(mt, torch), (torch, mt), (mt, mt)])
def test_the_old_format_goes_both_ways(writer: Any, reader: Any) -> None:
    """Files from before torch 1.6 are read, and written on request."""
    x = writer.arange(6.0)
    obj = {"x": x, "view": x[2:4], "n": 3, "half": writer.ones(2).half()}
    buffer = saved(writer, obj, _use_new_zipfile_serialization=False)
    for weights_only in (True, False):
        buffer.seek(0)
        back = reader.load(buffer, weights_only=weights_only)
        back["view"][0] = 9.0
        assert back["x"].tolist() == [0.0, 1.0, 9.0, 3.0, 4.0, 5.0]
        assert back["half"].tolist() == [1.0, 1.0]


def test_a_conjugated_tensor_of_torchs_arrives_conjugated() -> None:
    """torch keeps conjugation as a bit in the file; here it is done."""
    x = torch.tensor([1 + 2j, 3 - 4j])
    assert mt.load(saved(torch, x.conj())).tolist() == [1 - 2j, 3 + 4j]
    assert mt.load(saved(torch, x.conj().imag)).tolist() == [-2.0, 4.0]


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_storages_themselves_can_be_saved() -> None:
    """An untyped storage is a record as well."""
    x = mt.arange(3, dtype=mt.uint8)
    for weights_only in (True, False):
        buffer = saved(mt, [x, x.untyped_storage()])
        back = mt.load(buffer, weights_only=weights_only)
        assert back[1].nbytes() == 3
        buffer.seek(0)
        theirs = torch.load(buffer, weights_only=weights_only)
        assert type(back[1]).__name__ == type(theirs[1]).__name__


def test_one_memory_with_two_dtypes_is_refused() -> None:
    """The format has one dtype per storage."""
    assert_torch_error(
        lambda: saved(mt, [x := mt.ones(4), x.view(mt.int32)]),
        lambda: saved(torch, [x := torch.ones(4), x.view(torch.int32)]),
    )


def test_big_endian_files_are_swapped() -> None:
    """A file says its byte order; a file without one is little."""
    x = torch.arange(4, dtype=torch.int32)
    pickled = zipfile.ZipFile(saved(torch, x)).read("archive/data.pkl")
    big = {"byteorder": b"big", "data/0": struct.pack(">4i", 0, 1, 2, 3)}
    assert mt.load(archive(pickled, big)).tolist() == [0, 1, 2, 3]
    plain = {"data/0": struct.pack("<4i", 0, 1, 2, 3)}
    assert mt.load(archive(pickled, plain)).tolist() == [0, 1, 2, 3]


# devices -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "location",
    ["cpu", "meta", "cuda", "cuda:1", "xpu", "hpu", "mps", "weird", {"cpu": "meta"}, {}, 3],
    ids=repr,
)
def test_map_location_is_torchs(location: Any) -> None:
    """Strings and dictionaries place storages, or fail with torch's text."""
    obj = torch.arange(4.0)
    try:
        torch.load(saved(torch, obj), map_location=location)
    except Exception:
        assert_torch_error(
            lambda: mt.load(saved(mt, mt.arange(4.0)), map_location=location),
            lambda: torch.load(saved(torch, obj), map_location=location),
        )
    else:
        assert_same_value(
            lambda: mt.load(saved(torch, obj), map_location=location),
            lambda: torch.load(saved(torch, obj), map_location=location),
        )


def test_map_location_may_be_a_function() -> None:
    """It gets the storage on the host and its tag; None means the default."""
    seen: list[Any] = []

    def place(storage: Any, tag: str) -> Any:
        seen.append((type(storage).__name__, tag))

    assert mt.load(saved(torch, torch.ones(2)), map_location=place).tolist() == [1.0, 1.0]
    assert seen == [("UntypedStorage", "cpu")]
    device = mt.device("cpu")
    assert mt.load(saved(torch, torch.ones(2)), map_location=device).tolist() == [1.0, 1.0]


def test_npu_tensors_keep_their_device() -> None:
    """They come back to the NPU, and torch places them with map_location."""
    x = mt.arange(4.0).to("npu")
    buffer = saved(mt, {"x": x, "view": x[1:]})
    back = mt.load(buffer)
    assert str(back["x"].device) == "npu:0"
    assert back["view"].cpu().tolist() == [1.0, 2.0, 3.0]
    assert (back["x"] + 1).cpu().tolist() == [1.0, 2.0, 3.0, 4.0]
    buffer.seek(0)
    assert torch.load(buffer, map_location="cpu")["x"].tolist() == [0.0, 1.0, 2.0, 3.0]
    buffer.seek(0)
    assert mt.load(buffer, map_location="cpu")["x"].device.type == "cpu"
    moved = mt.load(saved(torch, torch.ones(2)), map_location="npu:0")
    assert str(moved.device) == "npu:0"


def test_an_npu_that_is_not_there_is_named() -> None:
    """The error says how many there are."""
    with pytest.raises(RuntimeError, match=r"NPU device 77 but torch.npu.device_count\(\) is"):
        mt.load(saved(torch, torch.ones(2)), map_location="npu:77")


def test_a_pending_tensor_is_computed_before_it_is_saved() -> None:
    """Saving inside a pipeline sees the numbers."""
    with mt.pipeline():
        buffer = saved(mt, mt.ones(3) + mt.ones(3))
    assert torch.load(buffer).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("zipped", [True, False])
def test_files_that_fill_memory_are_asked_to(zipped):
    """``readinto`` is called where a file has it, in both formats."""
    for t in (mt, torch):
        buffer = io.BytesIO()
        t.save(t.arange(20), buffer, _use_new_zipfile_serialization=zipped)

        class Filling:
            def __init__(self, data):
                self._file, self.filled = io.BytesIO(data), 0
                for name in ("read", "readline", "seek", "tell"):
                    setattr(self, name, getattr(self._file, name))

            def readinto(self, target):
                self.filled += 1
                return self._file.readinto(target)

        file = Filling(buffer.getvalue())
        assert t.load(file).tolist() == list(range(20))
        assert file.filled


def test_views_that_are_loaded_without_memory_begin_where_they_did():
    """With ``map_location="meta"`` there are no numbers, but all that says where they lay."""

    def run(t):
        x = t.arange(12.0)
        kept = [x[2:4], x.view(3, 4).t(), x[5:], x.view(3, 4)[1:, 1:], x[12:]]
        file = io.BytesIO()
        t.save(kept, file)
        file.seek(0)
        return [
            (tuple(y.shape), y.stride(), y.storage_offset(), y.untyped_storage().nbytes())
            for y in t.load(file, map_location="meta")
        ]

    got, want = (run(t) for t in (mt, torch))
    assert got == want
