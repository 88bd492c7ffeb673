"""The one MPI of this process: how it is found, begun, asked for communicators, and ended."""

from __future__ import annotations

import contextlib
import ctypes
import math
import multiprocessing.util
import os
import socket
import sys
import time
import uuid
import zlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from ...core.mpiexec import launched
from .errors import DistBackendError
from .lifelines import cut_all
from .mpi_session import Session, has_sessions, is_alone
from .pmi import ENDED, Link, managed
from .stores import PrefixStore, Store

__all__ = ["World", "launched_variables", "leave", "world"]

MISSING = (
    "a process group of world_size {size} needs MPI, which is not installed: "
    'pip install "mindtorch[distributed]", or mpi4py and an MPI of your own'
)
STRANGERS = (
    "the processes of this group are not of one MPI world. A process joins one world, when it "
    "makes its first group of more than one process; its later groups can have only processes of "
    "that world. Start the processes anew, with `mindtorch run --nproc-per-node N SCRIPT`, or with "
    "`mpiexec -n N mindtorch run SCRIPT`"
)
BEGUN = (
    "the program has begun MPI in this process alone before its first group (an import of "
    "mpi4py.MPI does so), and {library} has no sessions, in which it could begin again. Start all "
    "processes by `mindtorch run "
    "--nproc-per-node {size} SCRIPT` or `mpiexec -n {size} mindtorch run SCRIPT`, or make the "
    "first group before"
)
ALONE = (
    "{library} takes part in a world only where its own launcher has started the process: "
    "`mpiexec -n {size} mindtorch run SCRIPT`. With MPICH (pip install mpich) processes may be "
    "started in any way, `mindtorch run --nproc-per-node {size} SCRIPT` for one"
)
FORKED = (
    "this process was forked from one that had begun MPI, and cannot use it. Start processes with "
    'the method "spawn", or before the first group is made'
)
#: Who of those that speak the protocol of ``pmi.py`` this MPI may call itself.
_ASKS_A_MANAGER = ("MPICH", "Intel", "MVAPICH")
#: The level of MPI_Init_thread that lets all threads call MPI at any time.
_MULTIPLE = 3
#: What processes say of themselves: in a world already; not yet; not yet, but MPI has begun alone.
_MEMBER, _NEW, _ALONE = b"member", b"new", b"alone"
#: How long the end of a process waits for the others, in seconds.
_PARTING = 5.0


def _mpi4py() -> Any:
    """The module ``mpi4py.MPI``, which does not begin MPI unless the program has done so."""
    import mpi4py  # where several processes are asked for only

    mpi4py.rc.initialize = mpi4py.rc.finalize = False
    from mpi4py import MPI

    return MPI


class World:
    """All processes that this one can ever exchange tensors with."""

    def __init__(self, store: Store | None, rank: int, size: int, timeout: timedelta) -> None:
        try:
            self.mpi: Any = _mpi4py()
        except (ImportError, RuntimeError) as e:  # the second where there is mpi4py and no MPI
            raise RuntimeError(MISSING.format(size=size)) from e
        self._process = os.getpid()
        self._launched = launched() == size
        self._link: Link | None = None
        #: Whether no group was made since its processes told each other that they are new.
        self._fresh = False
        #: Where MPI has begun for the second time.
        self._session: Session | None = None
        self.name = self._begin(store, rank, size, timeout)
        #: The communicator of all processes.
        self.everybody: Any = self._session.world if self._session else self.mpi.COMM_WORLD
        everybody = self.everybody
        everybody.Set_errhandler(self.mpi.ERRORS_RETURN)
        self.mpi.COMM_SELF.Set_errhandler(self.mpi.ERRORS_RETURN)
        self.rank, self.size = everybody.Get_rank(), everybody.Get_size()
        #: The highest tag of a message.
        self.tags = int(everybody.Get_attr(self.mpi.TAG_UB))
        self._group = everybody.Get_group()
        #: How many groups are not ended.
        self.groups = 0
        #: Whether an exchange was given up, which MPI would wait for at its end.
        self.broken = False

    def _begin(self, store: Store | None, rank: int, size: int, timeout: timedelta) -> str:
        """Begin MPI unless the program has; the name of the world, which all its processes have."""
        mpi = self.mpi
        alone = is_alone(mpi)
        if mpi.Is_initialized() and not alone:
            return "begun by the program"
        if store is None or (self._launched and not alone):
            self._initialise()
            return "launched"
        library = mpi.Get_library_version().strip("\0").split("\n")[0]
        if not library.startswith(_ASKS_A_MANAGER):
            raise RuntimeError(ALONE.format(library=library, size=size))
        if alone and not has_sessions(mpi):
            raise RuntimeError(BEGUN.format(library=library, size=size))
        if rank == 0:
            store.set("name", uuid.uuid4().hex)
        told = _told(store, rank, size, _ALONE if alone else _NEW, timeout)
        self._fresh = True
        store.wait(["name"], timeout)
        name = store.get("name").decode()
        again = _ALONE in told  # all have to begin in one way
        with managed(store, name, rank, size, timeout) as self._link:
            if again:
                self._session = Session(mpi)
                multiprocessing.util.Finalize(
                    None, self._end, (self._session.finish,), exitpriority=0
                )
            else:
                self._initialise()
        return name

    def _initialise(self) -> None:
        # mpi4py holds the interpreter's lock in this call, and the manager's thread needs it.
        library = ctypes.CDLL(self.mpi.__file__)
        provided = ctypes.c_int()
        code = library.MPI_Init_thread(None, None, _MULTIPLE, ctypes.byref(provided))
        if code or provided.value != _MULTIPLE:
            raise DistBackendError(
                f"MPI could not begin with MPI_THREAD_MULTIPLE (error {code}, level "
                f"{provided.value})"
            )
        # Processes of multiprocessing run no functions of atexit.
        multiprocessing.util.Finalize(None, self._end, (library.MPI_Finalize,), exitpriority=0)

    def check_process(self) -> None:
        """Raise RuntimeError in a process that was forked from the one that began MPI."""
        if os.getpid() != self._process:
            raise RuntimeError(FORKED)

    def communicator(self, ranks: Sequence[int], name: str) -> Any:
        """The communicator of those processes, in this order; all of them call for it."""
        group = self._group.Incl(list(ranks))
        try:
            tag = zlib.crc32(name.encode()) % self.tags
            made = self.everybody.Create_group(group, tag)
        finally:
            group.Free()
        made.Set_errhandler(self.mpi.ERRORS_RETURN)
        return made

    def members(self, store: Store, rank: int, size: int, timeout: timedelta) -> list[int]:
        """The ranks in the world of the processes of a group, by their ranks in the group."""
        if not self._fresh:  # others may be new: all are to hear of it at once
            apart = PrefixStore("mpi", store)
            if size > self.size:
                apart.set(f"who/{rank}", _MEMBER)
                raise RuntimeError(STRANGERS)
            _told(apart, rank, size, _MEMBER, timeout)
        self._fresh = False
        store.set(f"member/{rank}", f"{self.name}/{self.rank}")
        keys = [f"member/{i}" for i in range(size)]
        store.wait(keys, timeout)
        found = [store.get(key).decode().rpartition("/") for key in keys]
        if any(name != self.name for name, _, _ in found) or not (
            len({number for _, _, number in found}) == size
        ):
            raise RuntimeError(STRANGERS)
        _forget_shared_memory()
        return [int(number) for _, _, number in found]

    def _end(self, finish: Callable[[], object]) -> None:
        """End MPI by *finish* with all others; leave it where they cannot be waited for."""
        if os.getpid() != self._process:
            return
        cut_all()  # who waits for this process notices, before this one waits for all
        # A launcher of MPI's own takes a process for dead that leaves without ending MPI. Others
        # need not wait for each other, but where the program has ended its groups it is usual.
        failed = self.broken or hasattr(sys, "last_type")
        waits = not failed and (self._launched or not self.groups)
        if waits and self._all_are_here(math.inf if self._launched else _PARTING):
            if self._link is not None:
                self._link.answer(*ENDED)
            finish()
        else:
            _forget_shared_memory()

    def _all_are_here(self, seconds: float) -> bool:
        meeting = self.everybody.Ibarrier()
        until, pause = time.monotonic() + seconds, 1e-5
        while not meeting.Test():
            if time.monotonic() > until:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 1e-3)
        return True


def _told(store: Store, rank: int, size: int, own: bytes, timeout: timedelta) -> list[bytes]:
    """What each process of a group says of itself. Raises RuntimeError where only some are new."""
    store.set(f"who/{rank}", own)
    keys = [f"who/{i}" for i in range(size)]
    store.wait(keys, timeout)
    told = [store.get(key) for key in keys]
    if _MEMBER in told and set(told) != {_MEMBER}:
        raise RuntimeError(STRANGERS)
    return told


def leave() -> None:
    """Note that this process fails: at its end it does not wait for others."""
    if _world is not None:
        _world.broken = True


def launched_variables() -> dict[str, str]:
    """What ``torchrun`` would tell this process, which ``mpiexec`` has started; begins MPI."""
    global _world
    if _world is None:
        _world = World(None, 0, launched(), timedelta(0))
    everybody = _world.everybody
    near = everybody.Split_type(_world.mpi.COMM_TYPE_SHARED)
    first = None
    if _world.rank == 0:
        with socket.socket() as probe:
            probe.bind(("", 0))
            port = probe.getsockname()[1]
        host = "127.0.0.1" if near.Get_size() == _world.size else socket.gethostname()
        first = (host, port)
    host, port = everybody.bcast(first)
    found = {"RANK": _world.rank, "WORLD_SIZE": _world.size, "MASTER_ADDR": host}
    found |= {"LOCAL_RANK": near.Get_rank(), "LOCAL_WORLD_SIZE": near.Get_size()}
    found |= {"MASTER_PORT": port}
    near.Free()
    return {name: str(value) for name, value in found.items()}


def _forget_shared_memory() -> None:
    """Take the names from the memory that processes of a world share, once all have it.

    MPI does so at its end. A process that is killed would leave the memory behind.
    """
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split()[-1] for line in maps if "/mpich_shm_" in line}
    except OSError:
        return  # not Linux
    for path in paths:
        with contextlib.suppress(OSError):  # another process was faster
            os.unlink(path)


_world: World | None = None


def world(store: Store, rank: int, size: int, timeout: timedelta) -> World:
    """The world of this process; it is joined where there is none yet.

    Raises RuntimeError where MPI is missing, or cannot be used by this process, in words.
    """
    global _world
    if _world is None:
        _world = World(PrefixStore("mpi", store), rank, size, timeout)
    _world.check_process()
    return _world
