"""A worker whose messages are lost or late, as its options say, by torch's names of messages."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ....core.module_names import living_in
from ....futures._future import Future
from ..agent import TensorPipeAgent
from ..membership import Membership
from ..options import RpcBackendOptions
from ..requests import Handler, Requests
from ..worker_info import WorkerInfo

__all__ = ["FaultyTensorPipeAgent", "FaultyTensorPipeRpcBackendOptions"]

#: torch's names of the kinds of requests.
_TYPES = {
    "call": "PYTHON_CALL",
    "script_call": "SCRIPT_CALL",
    "remote": "PYTHON_REMOTE_CALL",
    "script_remote": "SCRIPT_REMOTE_CALL",
    "fetch": "PYTHON_RREF_FETCH_CALL",
    "script_fetch": "SCRIPT_RREF_FETCH_CALL",
    "fork": "RREF_FORK_REQUEST",
    "accepted": "RREF_CHILD_ACCEPT",
    "dropped": "RREF_USER_DELETE",
    "forget": "CLEANUP_AUTOGRAD_CONTEXT_REQ",
    "gradients": "BACKWARD_AUTOGRAD_REQ",
    "backward": "RREF_BACKWARD_REQ",
}


class FaultyTensorPipeRpcBackendOptions(RpcBackendOptions):
    """Options of the worker: which messages are lost at first, and which are late.

    :param messages_to_fail: types of messages, each of which is lost *num_fail_sends* times.
    :param messages_to_delay: types of messages, and by how many seconds they are late.
    """

    def __init__(
        self,
        num_worker_threads: int,
        rpc_timeout: float,
        init_method: str,
        messages_to_fail: Sequence[str],
        messages_to_delay: Mapping[str, float],
        num_fail_sends: int,
    ) -> None:
        super().__init__(rpc_timeout, init_method)
        self.num_worker_threads, self.num_fail_sends = num_worker_threads, num_fail_sends
        self.messages_to_fail = list(messages_to_fail)
        self.messages_to_delay = dict(messages_to_delay)
        self.device_maps: dict[str, Any] = {}
        self.devices: list[Any] = []


class _FaultyRequests(Requests):
    """Requests that *options* let be lost or late."""

    def __init__(
        self,
        membership: Membership,
        threads: int,
        handle: Handler,
        options: FaultyTensorPipeRpcBackendOptions,
    ) -> None:
        super().__init__(membership, threads, handle)
        self._options = options
        self._lost_before: Counter[bytes] = Counter()

    def request(self, worker: WorkerInfo, kind: str, content: Any, limit: float) -> Future:
        """Send a message, or lose it; a future of the answer."""
        if _TYPES[kind] in self._options.messages_to_fail:
            message = pickle.dumps((worker.id, kind, content))
            if self._lost_before[message] < self._options.num_fail_sends:
                self._lost_before[message] += 1
                lost = Future([])
                attempt = self._lost_before[message]
                lost._complete(
                    None,
                    RuntimeError(
                        f"RPCErr:2:Send attempt {attempt} failed intentionally for {kind}"
                    ),
                )
                return lost
        return super().request(worker, kind, content, limit)

    def _transmit(self, worker: WorkerInfo, kind: str, number: int, content: Any) -> None:
        late = self._options.messages_to_delay.get(_TYPES[kind], 0)
        if late:
            transmit = super()._transmit
            self.after(late, lambda: transmit(worker, kind, number, content))
        else:
            super()._transmit(worker, kind, number, content)


class FaultyTensorPipeAgent(TensorPipeAgent):
    """A worker whose messages are lost or late."""

    options: FaultyTensorPipeRpcBackendOptions

    def _new_requests(self, threads: int) -> Requests:
        handle = self._handlers.handle
        return _FaultyRequests(self.membership, threads, handle, self.options)


living_in(
    "mindtorch._C._distributed_rpc_testing",
    FaultyTensorPipeAgent,
    FaultyTensorPipeRpcBackendOptions,
)
