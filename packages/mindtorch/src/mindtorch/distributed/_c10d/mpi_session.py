"""MPI that begins in processes of which one has begun, and ended, an MPI of its own.

Programs begin MPI to see whether they run under ``mpiexec``: an import of ``mpi4py.MPI`` does. A
process that nobody has launched is alone then, and MPI_Init begins once. Since MPI 4 a session may
begin after that end, and asks the process manager anew. Source: MPI 4.1, sections 11.2 and 11.3.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import DistBackendError

__all__ = ["Session", "has_sessions", "is_alone"]

#: MPICH knows once and for all how much memory the processes of a machine share: none, if one of
#: them was alone. With this variable they exchange messages only.
_NO_SHARED_MEMORY = "MPIR_CVAR_NOLOCAL"


def is_alone(mpi: Any) -> bool:
    """Whether the program has begun MPI in this process alone, or has ended it already."""
    if not mpi.Is_initialized():
        return False
    return bool(mpi.Is_finalized()) or mpi.COMM_WORLD.Get_size() == 1


def has_sessions(mpi: Any) -> bool:
    """Whether MPI and mpi4py know sessions."""
    return hasattr(mpi, "Session") and mpi.Get_version() >= (4, 0)


class Session:
    """A session of MPI, in which a process manager says who is in the world.

    What the program has had of MPI ends. It goes on to see a world of this process alone: its
    ``MPI.COMM_WORLD`` is one of the session.

    Raises DistBackendError where MPI cannot begin.
    """

    def __init__(self, mpi: Any) -> None:
        if mpi.Is_initialized() and not mpi.Is_finalized():
            mpi.Finalize()
        with _no_shared_memory():
            self._session = _begun(mpi)
            #: The communicator of all processes.
            self.world: Any = self._communicator(mpi, "mpi://WORLD")
        alone = self._communicator(mpi, "mpi://SELF")
        mpi.COMM_WORLD = mpi.COMM_SELF = alone

    def _communicator(self, mpi: Any, processes: str) -> Any:
        group = self._session.Create_group(processes)
        try:
            return mpi.Intracomm.Create_from_group(
                group, processes, mpi.INFO_NULL, mpi.ERRORS_RETURN
            )
        finally:
            group.Free()

    def finish(self) -> None:
        """End MPI, together with the others."""
        self._session.Finalize()


def _begun(mpi: Any) -> Any:
    info = mpi.Info.Create()
    info.Set("thread_level", "MPI_THREAD_MULTIPLE")
    made = mpi.Session()

    def handle(x: Any) -> ctypes.c_int:  # of MPICH and its kin, which number their objects
        return ctypes.c_int.from_address(mpi._addressof(x))

    # mpi4py holds the interpreter's lock in this call, and the manager's thread needs it.
    library = ctypes.CDLL(mpi.__file__)
    code = library.MPI_Session_init(
        handle(info), handle(mpi.ERRORS_RETURN), ctypes.c_void_p(mpi._addressof(made))
    )
    info.Free()
    if code or made.Get_info().Get("thread_level") != "MPI_THREAD_MULTIPLE":
        raise DistBackendError(f"MPI could not begin again in a session (error {code})")
    return made


@contextmanager
def _no_shared_memory() -> Iterator[None]:
    """Let MPI that begins inside exchange messages only."""
    before = os.environ.get(_NO_SHARED_MEMORY)
    os.environ[_NO_SHARED_MEMORY] = "1"
    try:
        yield
    finally:
        del os.environ[_NO_SHARED_MEMORY]
        if before is not None:
            os.environ[_NO_SHARED_MEMORY] = before
