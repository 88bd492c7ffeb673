"""Shared memory and ``torch.multiprocessing`` against torch's, each in processes of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mindtorch
import mindtorch.multiprocessing as ours
import pytest
import torch
import torch.multiprocessing as theirs
from mindtorch_storage.sharing import ByDescriptor, ByName

from .helpers import assert_torch_error

_PROGRAMS = Path(__file__).with_name("sharing_programs.py")


def printed(framework, strategy):
    """What the programs print."""
    done = subprocess.run(
        [sys.executable, str(_PROGRAMS), framework, strategy],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def oracle():
    """What torch prints, which both its strategies agree on but for what a killed process left."""
    return printed("torch", "file_descriptor")


def test_programs_see_what_they_see_with_torch(oracle):
    """By descriptors: every line is the oracle's."""
    assert printed("mindtorch", "file_descriptor") == oracle


def test_names_do_as_descriptors(oracle):
    """By names too; only what a killed process held waits for the end of the family."""
    got = printed("mindtorch", "file_system")
    assert got[:-1] == oracle[:-1]
    left = [p.name for p in Path("/dev/shm").glob("torch_*")]
    assert not [name for name in left if name.split("_")[1] in got[-1]]


def test_strategies_are_torchs():
    """Names, the default, and the refusal of another."""
    assert ours.get_all_sharing_strategies() == theirs.get_all_sharing_strategies()
    assert ours.get_sharing_strategy() == theirs.get_sharing_strategy()
    with pytest.raises(AssertionError, match="invalid sharing strategy 'x', expected one of"):
        ours.set_sharing_strategy("x")


def test_names_of_the_namespace_are_torchs():
    """Everything that ``from torch.multiprocessing import *`` brings, and what spawning needs."""
    assert sorted(ours.__all__) == sorted(theirs.__all__)
    more = "spawn start_processes ProcessContext SpawnContext ProcessRaisedException pool queue"
    for name in [*theirs.__all__, *more.split(), "ProcessExitedException", "_set_thread_name"]:
        assert hasattr(ours, name), name


def test_names_in_use_are_counted_and_can_be_removed():
    """Not torch's: what is mapped stays so, also in a child, and nobody opens it any more."""
    before = ours.shared_files_count()
    a = mindtorch.tensor([1.0, 2.0])
    name = a.untyped_storage()._share_filename_cpu_()[1].decode()
    path = Path("/dev/shm") / name[1:]
    by_fd = mindtorch.ones(2).share_memory_()
    assert path.exists() and ours.shared_files_count() == before + 1
    second = ByName.of(name, 8)
    assert ours.shared_files_count() == before + 2
    del second
    told = ours.SimpleQueue()
    child = ours.get_context("fork").Process(target=_count_names, args=(told,))
    child.start()
    child.join()
    assert told.get() == 0 and path.exists()
    ours.cleanup_shared_files()
    assert not path.exists() and ours.shared_files_count() == 0
    a += 1
    assert a.tolist() == [2.0, 3.0] and by_fd.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="unable to open shared memory object"):
        ByName.of(name, 8)
    ours.cleanup_shared_files()


def _count_names(told):
    told.put(ours.shared_files_count())
    ours.cleanup_shared_files()


def test_exceptions_of_processes_are_torchs():
    """They survive pickling, with all they know."""
    for lib in (ours, theirs):
        exited = lib.ProcessExitedException("text", 1, 2, 3, "SIGX")
        assert exited.__reduce__()[1] == ("text", 1, 2, 3, "SIGX")
        assert (exited.error_index, exited.error_pid, exited.exit_code) == (1, 2, 3)
        raised = lib.ProcessRaisedException("text", 1, 2)
        assert raised.__reduce__()[1] == ("text", 1, 2)
        assert vars(raised) == {"msg": "text"}


def _raise(i):
    raise ValueError(f"no {i}")


def _leave(i):
    raise SystemExit(3)


@pytest.mark.parametrize("body", [_raise, _leave])
def test_failures_of_processes_read_as_torchs(body):
    """The text, but for the lines of the module that called the function."""

    def text(lib):
        with pytest.raises(Exception) as found:
            lib.start_processes(body, nprocs=1, start_method="fork")
        lines = str(found.value).splitlines()
        frame = next((i for i, line in enumerate(lines) if "in _wrap" in line), None)
        return type(found.value).__name__, lines if frame is None else lines[:frame] + lines[-4:]

    assert text(ours) == text(theirs)


def test_spawn_takes_one_start_method():
    """Another one is warned about."""
    seen = []
    for lib in (ours, theirs):
        with pytest.warns(FutureWarning) as warned:
            lib.spawn(_raise, nprocs=0, start_method="fork")
        seen.append(str(warned[0].message))
    assert seen[0] == seen[1]


BAD = """
U([1])._get_shared_fd() | U(4, device="meta")._share_fd_cpu_() | U(4, device="meta").share_memory_()
U(4, device="meta")._share_filename_cpu_() | U._new_shared_fd_cpu(9999, 4)
U._new_shared_filename_cpu(b"", b"/nothing_there", 4) | T.ones(2).share_memory_().resize_(9)
T.FloatStorage._new_shared_filename(b"", b"/nothing_there", 4)
"""


@pytest.mark.parametrize(
    "code", [c.strip() for c in BAD.replace("\n", "|").split("|") if c.strip()]
)
def test_refusals_read_as_torchs(code):
    """Type and text; shared memory is not resized, which torch documents (and then crashes)."""

    def run(t):
        return lambda: eval(code, {"T": t, "U": t.UntypedStorage})

    if "resize_" in code:
        with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
            run(mindtorch)()
        return
    assert_torch_error(run(mindtorch), run(torch))


@pytest.mark.parametrize("kind", [ByDescriptor, ByName])
def test_memory_is_freed_with_its_last_user(kind):
    """The second user of a memory keeps it when the first is gone."""
    first = kind.make(8)
    second = kind.of(first.fd if kind is ByDescriptor else first.name, 8)
    first.array[:] = 5
    del first
    assert second.array.tolist() == [5] * 8
    if kind is ByName:
        path = Path("/dev/shm") / second.name[1:]
        assert path.exists()
        del second
        assert not path.exists()
