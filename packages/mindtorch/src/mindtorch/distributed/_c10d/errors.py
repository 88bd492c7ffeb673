"""The exceptions of process groups and stores."""

from __future__ import annotations

from ...core.module_names import living_in

__all__ = [
    "DistBackendError",
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "QueueEmptyError",
]

_HOME = "mindtorch.distributed"


class DistError(RuntimeError):
    """Raised for what goes wrong between processes."""


class DistBackendError(DistError):
    """Raised for what goes wrong in a backend."""


class DistNetworkError(DistError):
    """Raised for what goes wrong on the network."""


class DistStoreError(DistError):
    """Raised for what goes wrong in a store."""


class QueueEmptyError(DistStoreError):
    """Raised where a queue of a store has nothing to give."""


living_in(_HOME, DistError, DistBackendError, DistNetworkError, DistStoreError, QueueEmptyError)
