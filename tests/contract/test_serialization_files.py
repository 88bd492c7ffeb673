"""Where ``save`` writes to and ``load`` reads from: paths, open files, buffers, mapped files."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import mindtorch as mt
import pytest
import torch

from .checkpoints import saved
from .helpers import assert_torch_error


@pytest.mark.parametrize("kind", ["str", "Path", "file", "unbuffered", "BytesIO", "gzip"])
def test_everything_that_holds_a_file_is_taken(kind: str, tmp_path: Path) -> None:
    """Paths, open files, buffers and files that only look like files."""
    obj = {"x": mt.arange(100.0), "y": mt.ones(3)}
    path = tmp_path / "a.b.pt"
    if kind in ("str", "Path"):
        where = str(path) if kind == "str" else path
        mt.save(obj, where)
        assert zipfile.ZipFile(path).namelist()[0] == "a.b/data.pkl"
        back, theirs = mt.load(where), torch.load(where)
    else:
        if kind == "BytesIO":
            file: Any = saved(mt, obj)
        elif kind == "gzip":
            with gzip.open(path, "wb") as g:
                mt.save(obj, g)
            file = gzip.open(path, "rb")
        else:
            buffering = 0 if kind == "unbuffered" else -1
            with open(path, "wb", buffering) as f:
                mt.save(obj, f)
            file = open(path, "rb", buffering)
        with file:
            back = mt.load(file)
            file.seek(0)
            theirs = torch.load(file)
    assert back["x"].tolist() == theirs["x"].tolist() == list(range(100))


def test_an_archive_may_begin_inside_a_file() -> None:
    """Reading starts where the file stands."""
    for lib in (mt, torch):
        buffer = io.BytesIO(b"head")
        buffer.seek(4)
        lib.save({"x": lib.ones(2)}, buffer)
        buffer.seek(4)
        assert mt.load(buffer)["x"].tolist() == [1.0, 1.0]


def test_a_buffer_can_be_written_again_after_loading() -> None:
    """No view of the buffer's memory is kept."""
    buffer = saved(mt, mt.ones(2))
    x = mt.load(buffer)
    buffer.write(b"more")
    buffer.close()
    assert x.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("writer", [mt, torch])
def test_mmap_reads_nothing_and_does_not_write_back(writer: Any, tmp_path: Path) -> None:
    """A mapped tensor may be changed; the file keeps its numbers."""
    path = tmp_path / "m.pt"
    writer.save({"x": writer.arange(6.0), "y": writer.arange(3)}, path)
    back = mt.load(path, mmap=True)
    back["x"].mul_(2)
    assert back["x"].tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert back["y"].tolist() == [0, 1, 2]
    assert mt.load(path)["x"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert back["x"].data_ptr() % 64 == 0


def test_mmap_reads_no_more_of_a_large_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the size of the tensors, only what describes them is read."""
    from mindtorch.serialization.reader import Source

    read: list[int] = []
    plain = Source.read
    monkeypatch.setattr(
        Source, "read", lambda self, *where: (d := plain(self, *where), read.append(len(d)))[0]
    )
    monkeypatch.setattr(Source, "read_into", lambda *args: pytest.fail("numbers were read"))
    path = tmp_path / "m.pt"
    totals = []
    for size in (1 << 16, 1 << 24):
        mt.save({"x": mt.zeros(size), "y": mt.ones(3)}, path)
        read.clear()
        back = mt.load(path, mmap=True)
        totals.append(sum(read))
        assert back["y"].tolist() == [1.0, 1.0, 1.0]
    assert totals[0] == totals[1] < 1 << 17


def test_saving_again_leaves_mapped_tensors_alone(tmp_path: Path) -> None:
    """A save puts a new file in place of the old one, which lives on while it is mapped."""
    path = tmp_path / "m.pt"
    mt.save(mt.ones(1000), path)
    back = mt.load(path, mmap=True)
    mt.save(mt.zeros(1000), path)
    assert back.sum().item() == 1000.0
    assert mt.load(path).sum().item() == 0.0


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    """What cannot be pickled is found out before the old file goes; nothing else is left."""
    path = tmp_path / "a.pt"
    mt.save(mt.ones(2), path)
    with pytest.raises(Exception, match="pickle"):
        mt.save({"x": mt.zeros(2), "f": lambda: 0}, path)
    assert mt.load(path).tolist() == [1.0, 1.0]
    assert os.listdir(tmp_path) == ["a.pt"]


@pytest.mark.parametrize("legacy", [False, True])
def test_a_full_disk_leaves_the_old_file(
    legacy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was written goes; the old file stays, in either format."""
    path = tmp_path / "a.pt"
    mt.save(mt.ones(2), path)
    write, left = os.write, [1 << 20]

    def failing(fd: int, data: Any) -> int:
        left[0] -= len(data)
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        return write(fd, data)

    monkeypatch.setattr(os, "write", failing)
    with pytest.raises(OSError, match="No space left"):
        mt.save(mt.zeros(1 << 20), path, _use_new_zipfile_serialization=not legacy)
    monkeypatch.undo()
    assert mt.load(path).tolist() == [1.0, 1.0]
    assert os.listdir(tmp_path) == ["a.pt"]


def test_a_killed_save_leaves_the_old_file(tmp_path: Path) -> None:
    """A process that ends in the middle of a save has not touched it."""
    path = tmp_path / "a.pt"
    mt.save(mt.ones(2), path)
    code = (
        "import os, sys, mindtorch as mt\n"
        "write = os.write\n"
        "os.write = lambda fd, data: write(fd, data[:1000]) and os._exit(7)\n"
        "mt.save(mt.zeros(1 << 20), sys.argv[1])\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 7
    assert mt.load(path).tolist() == [1.0, 1.0]


def test_permissions_and_links_survive_a_save(tmp_path: Path) -> None:
    """The file that takes the old one's place has its mode, and links still point to it."""
    path, link = tmp_path / "a.pt", tmp_path / "link.pt"
    mt.save(1, path)
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to(path)
    mt.save(2, link)
    assert link.is_symlink()
    assert mt.load(path) == 2
    assert path.stat().st_mode & 0o777 == 0o640


def test_what_is_no_regular_file_is_written_directly() -> None:
    """A device stays a device."""
    mt.save({"x": mt.ones(3)}, "/dev/null")
    assert not os.path.isfile("/dev/null")


class _NoFlush:
    def write(self, data: Any) -> int:
        return len(data)


class _BadWrite:
    write = 3


@pytest.mark.parametrize(
    "where",
    [
        *("/nonexistent/x.pt", tempfile.gettempdir(), tempfile.gettempdir() + os.sep, "", ".pt"),
        *(b"x.pt", 3, None, _NoFlush(), _BadWrite()),
    ],
    ids=lambda target: repr(target).partition(" object at")[0],
)
def test_bad_targets_are_torchs_errors(where: Any) -> None:
    """What cannot be written to is refused with torch's type and text."""
    assert_torch_error(lambda: mt.save(1, where), lambda: torch.save(1, where))


@pytest.mark.parametrize("where", ["/nonexistent.pt", "/tmp", 3, None], ids=repr)
def test_bad_sources_are_torchs_errors(where: Any) -> None:
    """What cannot be read is refused with torch's type and text."""
    assert_torch_error(lambda: mt.load(where), lambda: torch.load(where))
