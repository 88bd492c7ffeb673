"""Generated damage: every byte of a file, every place to cut it, thousands of changed pickles.

What torch refuses in words of its own is refused in the same words; whatever else happens is an
ordinary error, at once, and nothing is run.
"""

from __future__ import annotations

import io
import pickle
import random
import re
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from struct import pack
from typing import Any

import mindtorch as mt
import pytest
import torch

from .checkpoints import archive, saved

#: What a refusal may be; anything else is a defect.
ORDINARY = (
    *(RuntimeError, ValueError, TypeError, LookupError, EOFError, pickle.UnpicklingError),
    *(AttributeError, AssertionError, OverflowError),
)

pytestmark = pytest.mark.filterwarnings("ignore")


def outcome(lib: Any, data: bytes) -> tuple[str, str]:
    """The name of the error and its text, or ``""`` and what was loaded."""
    try:
        return "", repr(lib.load(io.BytesIO(data))).replace("mindtorch", "torch")
    except ORDINARY as error:
        return type(error).__name__, str(error)


def content(lib: Any) -> Any:
    base = lib.arange(6.0)
    return {"a": base, "view": base[2:], "p": lib.nn.Parameter(lib.ones(2)), 3: ["x", (1.5, None)]}


def quick(lib: Any, data: bytes) -> tuple[str, str]:
    """:func:`outcome` of ours, which must not take long."""
    start = time.process_time()
    found = outcome(lib, data)
    assert time.process_time() - start < 2, "loading took too long"
    return found


def test_damage_to_any_byte_is_what_it_is_for_torch() -> None:
    """Where torch's reader refuses, the text is the same; where it reads, so are the numbers.

    It reads on where the directory of the archive is damaged, sometimes what is not in the file.
    Where the directory gives a record another size or compression, torch looks at memory that
    nobody wrote: once in thirty runs it finds "version 21" there. So of those refusals only the
    type is compared.
    """
    rng = random.Random(7)
    data = saved(torch, content(torch)).getvalue()
    directory = data.index(b"PK\1\2")
    entries = [found.start() for found in re.finditer(b"PK\1\2", data)]
    astray = {entry + place for entry in entries for place in (10, 11, *range(20, 28))}
    compared = 0
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << rng.randrange(8)
        ours, oracle = quick(mt, bytes(damaged)), outcome(torch, bytes(damaged))
        if oracle[0] == "RuntimeError" or oracle[0] == "" and at < directory:
            compared += 1
            if at in astray:
                ours, oracle = (ours[0], ""), (oracle[0], "")
            assert ours == oracle, f"byte {at} is {damaged[at]:#x} in place of {data[at]:#x}"
    assert compared > 1000


def places_to_cut(data: bytes) -> Iterator[int]:
    """Around the beginning of each record, of its data, of the directory; and near the end."""
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        for info in z.infolist():
            name = len(info.filename.encode())
            yield from (info.header_offset + d for d in (0, 1, 29, 30, 30 + name))
        yield from (z.start_dir, z.start_dir + 1, z.start_dir + 46)
    yield from (len(data) - d for d in (1, 21, 22, 23, 42, 98))


def test_a_file_cut_anywhere_is_torchs_error() -> None:
    """At each record, and inside of what makes one."""
    data = saved(torch, content(torch)).getvalue()
    for at in sorted(set(places_to_cut(data))):
        oracle = outcome(torch, data[:at])
        ours = quick(mt, data[:at])
        if at > 3:  # shorter, it is no archive but a pickle that ends too soon
            assert ours == oracle, at
        assert ours[0]


def test_damage_to_the_old_format_is_an_ordinary_error() -> None:
    """Every byte, with three changes; every length."""
    data = saved(mt, content(mt), _use_new_zipfile_serialization=False).getvalue()
    failed = 0
    for at in range(len(data)):
        for change in (0x01, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[at] ^= change
            failed += quick(mt, bytes(damaged))[0] != ""
        assert quick(mt, data[:at])[0], at
    assert failed > len(data)


#: Opcodes and pieces that make a pickle interesting when they come where they should not.
_PIECES = [bytes((c,)) for c in b"().0123NRabcdeghijlopqrstu]}\x81\x85\x86\x87\x88\x89\x8a\x8f"] + [
    *(b"K\xff", b"M\xff\xff", b"J\xff\xff\xff\xff", b"X\xff\xff\xff\xff", b"q\xff", b"h\xff"),
    *(b"r\xff\xff\xff\xff", b"j\xff\xff\xff\xff", b"\x8a\xff", b"\x80\x05", b"Q", b"(" * 50),
    *(b"cos\nsystem\n", b"cbuiltins\neval\n", b"ctorch\nTensor\n", b"cbuiltins\nset\n"),
    *(b"ctorch.storage\nUntypedStorage\n", b"ccollections\nCounter\n", b"c_codecs\nencode\n"),
    *(b"ctorch._utils\n_rebuild_tensor_v2\n", b"ctorch._utils\n_rebuild_parameter\n"),
    *(b"ctorch._tensor\n_rebuild_from_type_v2\n", b"ctorch\nFloatTensor\n"),
]


def test_changed_pickles_run_nothing_and_fail_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces cut out, doubled, moved, replaced: seeded, and the archive around them is whole."""
    monkeypatch.setattr("os.system", lambda *a: pytest.fail("a file ran a command"))
    rng = random.Random(11)
    file = saved(mt, content(mt))
    with zipfile.ZipFile(file) as z:
        pickled = z.read("archive/data.pkl")
        records = {f"data/{i}": z.read(f"archive/data/{i}") for i in range(2)}
    failed = 0
    for _ in range(3000):
        changed = bytearray(pickled)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(2, len(changed))
            end = min(len(changed), at + rng.randrange(0, 12))
            kind = rng.randrange(3)
            piece = rng.choice(_PIECES) if kind else bytes(changed[at:end]) * 2
            changed[at : end if kind < 2 else at] = piece
        failed += quick(mt, archive(bytes(changed), records).getvalue())[0] != ""
    assert failed > 1500


# files that ask for more than they are -----------------------------------------------------------


def _nested_key(depth: int) -> bytes:
    """A dictionary whose key is a tuple that holds one twice, which holds one twice …"""
    return b"\x80\x02})" + b"q\x00h\x00\x86" * depth + b"Ns."


def _overlapping(count: int) -> bytes:
    """Many records over the same bytes of the file."""
    file = archive(b"\x80\x02N.", {"data/0": b"\0" * 4000}).getvalue()
    start = file.index(b"PK\1\2")
    entry = file[file.index(b"PK\1\2", file.rindex(b"archive/data/0") - 60) :]
    entry = entry[: entry.index(b"PK\5\6")]
    directory = file[start : file.index(b"PK\5\6")] + entry * count
    end = pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 3 + count, 3 + count, len(directory), start, 0)
    return file[:start] + directory + end


def _bomb(size: int, pickled: bytes | None) -> bytes:
    """A record that unpacks to *size* zeros: a storage, or without a pickle the pickle itself."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as z:
        name = "archive/data.pkl"
        if pickled is not None:
            z.writestr(name, pickled)
            name = "archive/data/0"
        with z.open(name, "w") as record:
            for _ in range(size >> 20):
                record.write(bytes(1 << 20))
        z.writestr("archive/version", "3")
    return buffer.getvalue()


def _reading(key: str, numel: int) -> bytes:
    """The pickle of a storage of *numel* bytes."""
    return (
        b"\x80\x02(X\x07\x00\x00\x00storagectorch\nByteStorage\n"
        + b"X" + pack("<I", len(key)) + key.encode()
        + b"X\x03\x00\x00\x00cpuJ" + pack("<i", numel) + b"tQ."
    )  # fmt: skip


GREEDY = {
    "hash of tuples": archive(_nested_key(60)).getvalue(),
    "set of tuples": archive(
        b"\x80\x02cbuiltins\nset\n)" + b"q\x00h\x00\x86" * 60 + b"\x85\x85R."
    ).getvalue(),
    "tensor by size": archive(b"\x80\x02ctorch\nTensor\nJ\xff\xff\xff\x7f\x85R.").getvalue(),
    "typed tensor by size": archive(
        b"\x80\x02ctorch\nDoubleTensor\nJ\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86R."
    ).getvalue(),
    "storage by size": archive(
        b"\x80\x02ctorch.storage\nUntypedStorage\nJ\xff\xff\xff\x7f\x85R."
    ).getvalue(),
    "storage made anew": archive(
        b"\x80\x02ctorch.storage\nUntypedStorage\nJ\xff\xff\xff\x7f\x85\x81."
    ).getvalue(),
    "slow encoding": archive(
        b"\x80\x02c_codecs\nencode\nX\x40\x42\x0f\x00" + b"\xc3\xbc" * 500000
        + b"X\x08\x00\x00\x00punycode\x86R."
    ).getvalue(),
    "bytearray by size": archive(
        b"\x80\x02cbuiltins\nbytearray\nJ\xff\xff\xff\x7f\x85R."
    ).getvalue(),
    "overlapping records": _overlapping(20000),
    "long text": archive(b"\x80\x02X\xff\xff\xff\xffabc.").getvalue(),
    "huge index": archive(b"\x80\x02Nr\xff\xff\xff\xffj\xfe\xff\xff\xff.").getvalue(),
    "large storage": archive(_reading("0", 0x7FFFFFFF), {"data/0": b"abc"}).getvalue(),
    "negative storage": archive(_reading("0", -5), {"data/0": b"abc"}).getvalue(),
    "large storage, old": b"".join(pickle.dumps(x, 2) for x in (0x1950A86A20F9469CFC6C, 1001, {}))
    + _reading("0", 0x7FFFFFFF)[:-2] + b"NtQ.",
    "pickle of zeros": _bomb(128 << 20, None),
    "storage of zeros": _bomb(128 << 20, _reading("0", 128 << 20)),
}  # fmt: skip

#: Lists, tuples, marks and dictionaries.
_DEEP = [
    b"]" * 200_000 + b"a" * 199_999 + b".",
    b")" + b"\x85" * 200_000 + b".",
    b"(" * 200_000 + b"t" * 200_000 + b".",
    b"}" + b"Nq\x00}" * 100_000 + b"s" * 100_000 + b".",
]


@pytest.mark.parametrize("kind", sorted(GREEDY))
def test_a_file_gets_no_more_than_it_accounts_for(kind: str) -> None:
    """Refused at once."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert quick(mt, GREEDY[kind])[0], "this should not load"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10, "took memory"


def test_depth_takes_no_stack() -> None:
    """Files nested a hundred thousand times are read without a crash, in a process of their own."""
    code = (
        "import sys, io, pickle, mindtorch\n"
        "for file in pickle.load(sys.stdin.buffer):\n"
        "    try: x = mindtorch.load(io.BytesIO(file))\n"
        "    except Exception as error: print(type(error).__name__)\n"
        "    else: print('loaded')\n"
    )
    files = [archive(b"\x80\x02" + pickled).getvalue() for pickled in _DEEP]
    run = [sys.executable, "-c", code]
    found = subprocess.run(run, input=pickle.dumps(files), capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()
    assert found.stdout.split() == [b"loaded", b"loaded", b"loaded", b"loaded"]
