"""What a launcher of MPI's own tells the processes that it starts."""

from __future__ import annotations

import os

__all__ = ["launched"]


def launched() -> int:
    """How many processes a launcher of MPI's own, ``mpiexec``, has started; 0 without one."""
    names = ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE"]
    if "PMIX_RANK" in os.environ:
        names.append("SLURM_NTASKS")
    return next((int(os.environ[name]) for name in names if name in os.environ), 0)
