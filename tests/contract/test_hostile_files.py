"""Files that ask for too much, or are damaged: refused in torch's words, and nothing is run."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from collections import OrderedDict
from typing import Any

import mindtorch as mt
import pytest
import torch
from mindtorch import serialization

from .checkpoints import archive, saved
from .helpers import assert_torch_error

HOSTILE = {
    "system": b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R.",
    "posix": b"\x80\x02cposix\nsystem\nX\x02\x00\x00\x00ls\x85R.",
    "eval": b"\x80\x02c__builtin__\neval\nX\x02\x00\x00\x00ls\x85R.",
    "getattr": b"\x80\x02cbuiltins\ngetattr\n.",
    "path": b"\x80\x02cos.path\njoin\n.",
    "unknown": b"\x80\x02cfoo\nbar\n.",
    "module": b"\x80\x02ctorch.nn.modules.linear\nLinear\n.",
    "reduce of None": b"\x80\x02NN\x85R.",
    "object of None": b"\x80\x02N)\x81.",
    "state of None": b"\x80\x02NNb.",
    "append to None": b"\x80\x02NNa.",
    "extend None": b"\x80\x02N(Ne.",
    "item of None": b"\x80\x02NNNs.",
    "items of None": b"\x80\x02N(NNu.",
    "frame": b"\x80\x02\x95.",
    "persistent text": b"\x80\x02P.",
    "persistent None": b"\x80\x02NQ.",
    "persistent tuple of None": b"\x80\x02N\x85Q.",
    "persistent other": b"\x80\x02X\x03\x00\x00\x00foo\x85Q.",
    "persistent int": b"\x80\x02K\x01Q.",
    "protocol 4": pickle.dumps([1], 4),
    "unhashable key": b"\x80\x02}]Ns.",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_what_is_not_allowed_is_refused_with_torchs_text(kind: str) -> None:
    """Names, calls and opcodes outside the list run nothing."""
    assert_torch_error(
        lambda: mt.load(archive(HOSTILE[kind])), lambda: torch.load(archive(HOSTILE[kind]))
    )


@pytest.mark.parametrize(
    "pickled",
    [b"\x80\x02J\x01", b"\x80\x02X\xff\xff\x00\x00abc.", b"\x80\x02cabc"],
    ids=repr,
)
def test_a_truncated_pickle_is_an_end_of_file(pickled: bytes) -> None:
    """Lengths that the data does not have take no memory."""
    with pytest.raises(EOFError, match="truncated"):
        mt.load(archive(pickled))


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("pickled", [b"", b"\x80\x02", b"\x80\x02N"], ids=repr)
def test_a_pickle_that_ends_between_two_opcodes(pickled: bytes, packed: bool, safe: bool) -> None:
    """The text is pickle's own, or none; an empty file is such a pickle."""
    data = archive(pickled).getvalue() if packed else pickled
    assert_torch_error(
        lambda: mt.load(io.BytesIO(data), weights_only=safe),
        lambda: torch.load(io.BytesIO(data), weights_only=safe),
    )


@pytest.mark.parametrize(
    "pickled", [b"\x80\x02R.", b"\x80\x02h\x05.", b"\x80\x02}(Nu.", b"\x80\x02.", b"\x80\x02u."]
)
def test_a_senseless_pickle_says_where(pickled: bytes) -> None:
    """Where torch fails by accident the error names the byte."""
    with pytest.raises(pickle.UnpicklingError, match="the pickle is corrupt at byte"):
        mt.load(archive(pickled))


def test_a_stored_state_cannot_reach_the_memory_of_tensors() -> None:
    """Attributes of tensors come back; slots that hold memory cannot be set."""
    evil = (
        b"\x80\x02ctorch._tensor\n_rebuild_from_type_v2\n(ctorch\nTensor\nctorch\nTensor\n)"
        b"N}X\x04\x00\x00\x00_sigK\x00s\x86tR."
    )
    with pytest.raises(RuntimeError, match="Invalid serialized state"):
        mt.load(archive(evil))
    with pytest.raises(pickle.UnpicklingError, match="Can only build Tensor"):
        mt.load(archive(b"\x80\x02ctorch.storage\nUntypedStorage\n)R}b."))


def test_a_bytearray_comes_with_its_bytes() -> None:
    """A size alone would take memory that the file does not have."""
    assert mt.load(saved(torch, bytearray(b"abc"))) == bytearray(b"abc")
    with pytest.raises(TypeError, match="must come with its bytes"):
        mt.load(archive(b"\x80\x02cbuiltins\nbytearray\nJ\xff\xff\xff\x7f\x85R."))


class Point:
    """A class of the user's."""

    def __init__(self, x: int) -> None:
        self.x = x


def test_users_may_allow_their_classes() -> None:
    """Only while they are listed; torch's list has the same entries."""
    data = saved(mt, Point(3)).getvalue()
    with pytest.raises(pickle.UnpicklingError, match="Unsupported global: GLOBAL .*Point"):
        mt.load(io.BytesIO(data))
    assert serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(data)) == [
        f"{Point.__module__}.Point"
    ]
    with serialization.safe_globals([Point]):
        assert mt.load(io.BytesIO(data)).x == 3
    before = serialization.get_safe_globals()  # those of distributed tensors, where they are loaded
    assert Point not in before
    serialization.add_safe_globals([(Point, f"{Point.__module__}.Point")])
    assert mt.load(io.BytesIO(data)).x == 3
    serialization.clear_safe_globals()
    assert serialization.get_safe_globals() == []
    serialization.add_safe_globals(before)
    assert mt.load(io.BytesIO(data), weights_only=False).x == 3


def rebuild(
    size: Any = (4,),
    stride: Any = (1,),
    offset: Any = 0,
    numel: Any = 4,
    key: Any = "0",
    location: Any = "cpu",
    requires_grad: Any = False,
) -> bytes:
    """A pickle that calls torch's rebuild function with any arguments."""

    class Storage:
        pass

    class Call:
        def __reduce__(self) -> Any:
            args = (Storage(), offset, size, stride, requires_grad, OrderedDict())
            return torch._utils._rebuild_tensor_v2, args

    class Pickler(pickle.Pickler):
        def persistent_id(self, obj: Any) -> Any:
            if type(obj) is Storage:
                return ("storage", torch.FloatStorage, key, location, numel)
            return None

    buffer = io.BytesIO()
    Pickler(buffer, 2).dump(Call())
    return buffer.getvalue()


RECORD = {"data/0": b"\0" * 16}


@pytest.mark.parametrize(
    "facts",
    [
        {"size": (100,)},
        {"size": (1 << 42,)},
        {"size": (1 << 62, 4)},
        {"stride": (-1,)},
        {"stride": (1 << 62,)},
        {"stride": (1, 1)},
        {"offset": -1},
        {"offset": 2},
        {"numel": 1 << 40},
        {"numel": 2, "size": (2,)},
        {"key": "7"},
        {"key": 7},
        {"key": "../data.pkl"},
        {"location": "cuda:0"},
        {"location": "weird"},
        {"location": 3},
        {"requires_grad": "x"},
    ],
    ids=repr,
)
def test_declared_sizes_are_checked(facts: dict[str, Any]) -> None:
    """Windows outside the storage, and records of another size, are torch's errors."""
    data = rebuild(**facts)
    assert_torch_error(
        lambda: mt.load(archive(data, RECORD)), lambda: torch.load(archive(data, RECORD))
    )


@pytest.mark.parametrize(
    "facts",
    [
        {"size": (-4,)},
        {"size": (1 << 70,)},
        {"size": (4.0,)},
        {"size": "abc"},
        {"numel": -4},
        {"numel": "x"},
        {"offset": 1 << 70},
        {"offset": None},
        {"stride": (1 << 63,)},
        {"key": None},
    ],
    ids=repr,
)
def test_nonsense_in_a_tensor_is_an_error(facts: dict[str, Any]) -> None:
    """What torch reports from deep inside is an ordinary error here."""
    with pytest.raises((RuntimeError, TypeError, OverflowError)):
        mt.load(archive(rebuild(**facts), RECORD))


def test_expanded_tensors_need_no_more_than_their_storage() -> None:
    """A step of 0 makes a large shape harmless."""
    x = mt.load(archive(rebuild(size=(1 << 40,), stride=(0,)), RECORD))
    assert x.shape == (1 << 40,)
    assert x[123].item() == 0.0


# damaged archives ----------------------------------------------------------------------------


def _plain(lib: Any) -> bytes:
    return saved(lib, {"a": lib.ones(4)}).getvalue()


@pytest.mark.parametrize("keep", [6, 15, 30, 100, 400, 900, -50, -10, -1])
def test_a_truncated_archive_is_torchs_error(keep: int) -> None:
    """The directory is missing, says torch."""
    data = _plain(torch)[:keep]
    assert_torch_error(lambda: mt.load(io.BytesIO(data)), lambda: torch.load(io.BytesIO(data)))


@pytest.mark.filterwarnings("ignore:'torch.load' received a zip file")
@pytest.mark.parametrize(
    "records",
    [
        {"version": b"99"},
        {"version": b"0"},
        {"version": b"xx"},
        {"version": b""},
        {"byteorder": b"xx"},
        {"constants.pkl": b"x"},
        {"data/0": b"\0" * 8},
        {"data/0": b"\0" * 100},
    ],
    ids=repr,
)
def test_bad_records_are_torchs_errors(records: dict[str, bytes]) -> None:
    """Versions, byte orders and sizes that cannot be."""
    data = archive(rebuild(), RECORD | records).getvalue()
    assert_torch_error(lambda: mt.load(io.BytesIO(data)), lambda: torch.load(io.BytesIO(data)))


@pytest.mark.parametrize(
    "files",
    [
        [("foo", "x")],
        [("archive/foo", "x")],
        [("archive/version", "3")],
        [("a/version", "3"), ("b/data.pkl", "x")],
        [("b/data.pkl", "x"), ("a/version", "3")],
        [("a/b/data.pkl", "x"), ("a/b/version", "3")],
    ],
    ids=repr,
)
def test_other_zip_files_are_torchs_errors(files: list[tuple[str, str]]) -> None:
    """A zip file need not be a checkpoint."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as z:
        for name, data in files:
            z.writestr(name, data)
    data = buffer.getvalue()
    assert_torch_error(lambda: mt.load(io.BytesIO(data)), lambda: torch.load(io.BytesIO(data)))


def test_compressed_records_are_read_and_bombs_refused() -> None:
    """Other tools may have compressed; a record cannot unpack to more than deflate can do."""
    data = archive(rebuild(), RECORD, compression=zipfile.ZIP_DEFLATED)
    assert mt.load(data).tolist() == [0.0] * 4
    raw = bytearray(data.getvalue())
    at = raw.rindex(b"archive/data/0") - 46
    struct.pack_into("<I", raw, at + 24, 1 << 31)
    struct.pack_into("<I", raw, raw.index(b"archive/data/0") - 30 + 22, 1 << 31)
    with pytest.raises(RuntimeError, match="as those of no checkpoint do"):
        mt.load(io.BytesIO(bytes(raw)))


def test_what_is_no_checkpoint_says_so() -> None:
    """Empty files, tar files and texts are refused."""
    with pytest.raises(EOFError):
        mt.load(io.BytesIO(b""))
    with pytest.raises((pickle.UnpicklingError, EOFError)):
        mt.load(io.BytesIO(b"hello world"))
    with pytest.raises(RuntimeError, match="Invalid magic number"):
        mt.load(io.BytesIO(pickle.dumps(3, 2)))
    tar = b"\0" * 257 + b"ustar" + b"\0" * 300
    with pytest.raises(RuntimeError, match=r"legacy .tar format"):
        mt.load(io.BytesIO(tar))


def test_arguments_that_exclude_each_other_are_torchs_errors() -> None:
    """A pickle module is unsafe; mmap needs a path and the zip format."""
    for kwargs in ({"pickle_module": pickle, "weights_only": True}, {"mmap": True}):
        assert_torch_error(
            lambda k=kwargs: mt.load(io.BytesIO(_plain(mt)), **k),
            lambda k=kwargs: torch.load(io.BytesIO(_plain(torch)), **k),
        )
    old = saved(torch, 1, _use_new_zipfile_serialization=False).getvalue()
    assert_torch_error(
        lambda: mt.load(io.BytesIO(old), mmap=True), lambda: torch.load(io.BytesIO(old), mmap=True)
    )


def test_skipped_data_is_zeros() -> None:
    """Files can be made without their numbers."""
    with serialization.skip_data():
        data = saved(mt, mt.ones(3)).getvalue()
    assert torch.load(io.BytesIO(data)).tolist() == [0.0] * 3
    with serialization.skip_data():
        assert mt.load(saved(mt, mt.ones(3))).shape == (3,)
