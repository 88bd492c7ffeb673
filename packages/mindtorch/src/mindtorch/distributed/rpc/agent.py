"""The worker of this process: it makes calls in others and runs those that are made to it."""

from __future__ import annotations

from itertools import count
from typing import Any

from ..._C._thread_profiler import set_node_id
from ...core.module_names import living_in
from ...futures import Future
from ...futures._future import Future as AnyFuture
from ...tensor import Tensor
from .. import _gradient_contexts as contexts
from . import internal
from .handlers import Handlers
from .marshalling import Marshalling
from .membership import Membership
from .options import RpcBackendOptions
from .profiling import CallProfile
from .references import References
from .requests import Requests
from .retries import retried
from .worker_info import WorkerInfo

__all__ = ["TensorPipeAgent"]


class TensorPipeAgent:
    """The worker *name* of this process, and its place among the workers that *store* connects.

    :param world_size: how many workers there are; None: they come and go.
    """

    def __init__(
        self,
        store: Any,
        name: str,
        rank: int,
        world_size: int | None,
        options: RpcBackendOptions,
    ) -> None:
        self.info, self.options = WorkerInfo(name, rank), options
        self.timeout = options.rpc_timeout
        self.membership = Membership(store, self.info, world_size)
        self.references = References(rank, self._retried)
        self.marshalling = Marshalling(self.membership, options, self.request)
        self._handlers = Handlers(self.info, self.references, self.marshalling, self._retried)
        threads = getattr(options, "num_worker_threads", 16)
        self._requests = self._new_requests(threads)

    def _new_requests(self, threads: int) -> Requests:
        return Requests(self.membership, threads, self._handlers.handle)

    # Who is there

    @property
    def is_static_group(self) -> bool:
        """Whether all workers are known from the beginning."""
        return self.membership.is_static

    def begin(self) -> None:
        """Let the others know of this worker, and find them."""
        set_node_id(self.info.id)
        self.membership.enter(self._requests.address)

    def get_worker_infos(self) -> list[WorkerInfo]:
        """All workers."""
        return self.membership.workers()

    def get_worker_info(self, worker: str | int | None = None) -> WorkerInfo:
        """The worker of a name or number, or this one. Raises RuntimeError if there is none."""
        return self.membership.find(worker)

    # What is sent

    def request(self, to: Any, kind: str, content: Any, timeout: float = 0) -> AnyFuture:
        """Send a message; a future of the answer.

        :param timeout: after how many seconds an error takes its place; 0 for never, below it the
            worker's own.
        """
        limit = self.timeout if timeout < 0 else timeout
        return self._requests.request(self.membership.destination(to), kind, content, limit)

    def _retried(self, to: Any, kind: str, content: Any) -> AnyFuture:
        """The same for a message that is sent again where it fails."""
        return retried(lambda: self.request(to, kind, content), self._requests.after)

    def call(
        self,
        to: Any,
        kind: str,
        call: tuple[bytes, list[Tensor]],
        timeout: float,
        *more: Any,
        profile: CallProfile | None = None,
    ) -> Future[Any]:
        """Have a worker make a call that is written down; a future of what it gives.

        :param more: what goes before the call in a message of this kind.
        :param profile: shows the call, and what the worker runs for it.
        """
        worker = self.membership.destination(to)
        written = self.marshalling.wrap(worker.id, *call, contexts.current_number())
        if profile is not None:
            written = written._replace(config=profile.config)
        content = (*more, written) if more else written
        answer = self.request(worker, kind, content, timeout)
        check = internal._handle_exception_of_call
        made = self.marshalling.answer_of(worker, answer, check, profile)
        return made if profile is None else profile.until(made)

    def forget_context(self, context: int, workers: set[int]) -> None:
        """Tell *workers* that a context of gradients is closed."""
        self._handlers.forget_context(context, workers)

    # The end

    def join(self, shutdown: bool = False, timeout: float = 0) -> None:
        """Wait until no worker has a call under way."""
        before = None
        for turn in count():
            self._requests.wait_until_quiet(timeout)
            if not self.is_static_group:
                return
            made = self.membership.total(f"join {turn}", self._requests.made)
            if made == before:  # nobody has made a call since all were quiet
                return
            before = made

    def close(self) -> None:
        """Take and make no more calls."""
        if not self._requests.closed:
            self.membership.leave()
            self._requests.close()

    shutdown = close

    # What is told of it

    def measure_waits(self, on: bool) -> None:
        """Measure, or do not, how long requests of others wait for a thread that runs Python."""
        self._requests.measures_waits = on

    def get_debug_info(self) -> dict[str, str]:
        """How many threads and calls there are."""
        made, active = self._requests.counts()
        threads, wait = self._requests.threads, self._requests.average_wait()
        waits = {} if wait is None else {"agent.gil_average_wait_time_us": str(wait)}
        return {
            **waits,
            "agent.num_idle_threads": str(max(0, threads - active)),
            "agent.thread_pool_size": str(threads),
            "agent.client_active_calls": str(made),
            "agent.server_active_calls": str(active),
            "agent.server_active_async_calls": str(self._handlers.later),
        }

    def get_metrics(self) -> dict[str, str]:
        """The numbers of :meth:`get_debug_info`."""
        return self.get_debug_info()

    def _get_device_map(self, to: WorkerInfo) -> dict[Any, Any]:
        return self.marshalling.device_map(to)

    def _get_backend_options(self) -> RpcBackendOptions:
        return self.options


living_in("mindtorch._C._distributed_rpc", TensorPipeAgent)
