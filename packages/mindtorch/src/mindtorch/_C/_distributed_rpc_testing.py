"""``torch._C._distributed_rpc_testing``: a worker that loses messages, under the bindings' name."""

from __future__ import annotations

from ..distributed.rpc._testing import FaultyTensorPipeAgent, FaultyTensorPipeRpcBackendOptions

__all__ = ["FaultyTensorPipeAgent", "FaultyTensorPipeRpcBackendOptions"]
