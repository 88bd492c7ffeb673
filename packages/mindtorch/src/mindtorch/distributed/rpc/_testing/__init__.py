"""``torch.distributed.rpc._testing``: a transport that loses and delays messages, for tests."""

from __future__ import annotations

from . import faulty_agent_backend_registry
from .faulty_agent import FaultyTensorPipeAgent, FaultyTensorPipeRpcBackendOptions

__all__ = [
    "FaultyTensorPipeAgent",
    "FaultyTensorPipeRpcBackendOptions",
    "faulty_agent_backend_registry",
    "is_available",
]


def is_available() -> bool:
    """Whether there is such a transport."""
    return True
