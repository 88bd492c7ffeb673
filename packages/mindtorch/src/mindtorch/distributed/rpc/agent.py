"""The worker of this process: it makes calls in others and runs those that are made to it.

What a call takes and gives is written down, also where the worker calls itself: what a call
changes, its caller does not see.
"""

from __future__ import annotations

import pickle
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, NamedTuple

from ...aten import torch
from ...core.module_names import living_in
from ...futures import Future
from ...futures._future import Future as AnyFuture
from ...tensor import Tensor
from .. import _gradient_contexts as contexts
from . import internal
from .deadlines import Deadlines
from .internal import RemoteException
from .options import RpcBackendOptions
from .references import References
from .wire import Wire
from .worker_info import WorkerInfo

__all__ = ["TensorPipeAgent", "WorkerInfo", "current", "set_current"]

#: How many answers may wait for each other at a time: callbacks of futures may make calls.
_ANSWERING = 512

#: From so many bytes on, a tensor that shows at most half of its memory is sent without the rest.
_COPIED = 8 * 1024


class _Written(NamedTuple):
    """What is sent: bytes and tensors, and the context of gradients that it is a part of.

    :ivar tensors: each with whether it needs gradients, and the device that it goes to.
    :ivar message: the number by which the context knows the tensors that need gradients; None where
        there is none of them.
    """

    data: bytes
    tensors: list[tuple[Tensor, bool, str | None]]
    context: int | None
    message: int | None


#: Sends what a function writes down, or why it could not.
_Answer = Callable[[Callable[[], Any]], None]


class _Expected(NamedTuple):
    """A message that is not answered yet."""

    future: AnyFuture
    to: int


def _nothing() -> None:
    """What is answered where only the answer counts."""


def _late(limit: float) -> RuntimeError:
    return RuntimeError(
        f"RPCErr:1:RPC ran for more than set timeout ({round(limit * 1000)} ms) and will now be "
        "marked with an error"
    )


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
        self.info = WorkerInfo(name, rank)
        self.store, self.options = store, options
        self.timeout = options.rpc_timeout
        self.world_size = world_size
        self._later = 0
        threads = getattr(options, "num_worker_threads", 16)
        self._calls = ThreadPoolExecutor(threads, thread_name_prefix="rpc")
        self._answers = ThreadPoolExecutor(_ANSWERING, thread_name_prefix="rpc-answer")
        self._deadlines = Deadlines()
        self._numbers = count()
        self._expected: dict[int, _Expected] = {}
        self._active = 0
        self._made = 0
        self._lock = threading.Lock()
        self._quiet = threading.Condition(self._lock)
        self._closed = False
        self.references = References(rank, self.request)
        secret = self.store.compare_set("secret", "", secrets.token_hex(16))
        self._wire = Wire(rank, secret, self._arrived, self._lost)
        self._workers: dict[int, WorkerInfo] = {}
        self._addresses: dict[int, str] = {}

    # Who is there

    @property
    def is_static_group(self) -> bool:
        """Whether all workers are known from the beginning."""
        return self.world_size is not None

    def begin(self) -> None:
        """Let the others know of this worker, and find them.

        Raises RuntimeError where two have the same name.
        """
        kind = b"dynamic" if self.world_size is None else b"static"
        if self.store.compare_set("kind", "", kind.decode()) != kind:
            raise RuntimeError(
                "RPC group mixes statically and dynamically initialized members which is not "
                "supported."
            )
        self.store.set(f"worker {self.info.id}", f"{self.info.name} {self._wire.address}")
        if self.world_size is None:
            self.store.append("entered", f"{self.info.id} ")
            self._look()
            return
        self.store.wait([f"worker {i}" for i in range(self.world_size)])
        for i in range(self.world_size):
            self._note(i)
        self._check_names()
        # Nobody is called before he knows whom he may be told of.
        if self.store.add("begun", 1) == self.world_size:
            self.store.set("all begun", "")
        self.store.wait(["all begun"])

    def _look(self) -> None:
        """Note who has come and gone in a group without a fixed size."""
        gone = self.store.get("left").decode().split() if self.store.check(["left"]) else []
        for i in map(int, self.store.get("entered").decode().split()):
            if str(i) in gone:
                self._workers.pop(i, None)
            elif i not in self._workers:
                self._note(i)
        self._check_names()

    def _note(self, number: int) -> None:
        name, _, address = self.store.get(f"worker {number}").decode().partition(" ")
        self._workers[number], self._addresses[number] = WorkerInfo(name, number), address

    def _check_names(self) -> None:
        seen: dict[str, int] = {}
        for number, info in self._workers.items():
            if info.name in seen:
                raise RuntimeError(
                    f"RPC worker name {info.name} is not unique. Workers {seen[info.name]} and "
                    f"{number} share the same name."
                )
            seen[info.name] = number

    def get_worker_infos(self) -> list[WorkerInfo]:
        """All workers."""
        if not self.is_static_group:
            self._look()
        return list(self._workers.values())

    def get_worker_info(self, worker: str | int | None = None) -> WorkerInfo:
        """The worker of a name or number, or this one. Raises RuntimeError if there is none."""
        if worker is None:
            return self.info
        found = self._found(worker)
        if found is None and not self.is_static_group:
            self._look()
            found = self._found(worker)
        if found is None:
            what = f"name {worker}" if isinstance(worker, str) else f"id {worker}"
            raise RuntimeError(
                f"name:{self.info.name},rank:{self.info.id} could not find destination {what}"
            )
        return found

    def _found(self, worker: str | int) -> WorkerInfo | None:
        if isinstance(worker, int):
            return self._workers.get(worker)
        return next((w for w in self._workers.values() if w.name == worker), None)

    def worker(self, to: Any) -> WorkerInfo:
        """The worker called *to*, by name, number or info. Raises RuntimeError for another."""
        if isinstance(to, WorkerInfo):
            return self.get_worker_info(to.id)
        if not isinstance(to, str | int):
            raise ValueError(f"Cannot get WorkerInfo from name {to}")
        return self.get_worker_info(to)

    # What is sent

    def request(self, to: Any, kind: str, content: Any, timeout: float = 0) -> AnyFuture:
        """Send a message; a future of the answer.

        :param timeout: after how many seconds an error takes its place; 0 for never, below it the
            worker's own.
        """
        worker = self.worker(to)
        future: AnyFuture = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("RPC has been shut down")
            number = next(self._numbers)
            self._expected[number] = _Expected(future, worker.id)
        limit = self.timeout if timeout < 0 else timeout
        if limit:
            self._deadlines.after(limit, lambda: self._answered(number, None, _late(limit)))
        try:
            self._send(worker.id, (kind, number, content))
        except (OSError, EOFError) as error:
            self._answered(number, None, self._unreachable(worker, error))
        return future

    def _unreachable(self, worker: WorkerInfo, error: BaseException | str) -> RuntimeError:
        return RuntimeError(f"{self.info!r} cannot reach {worker!r}: {error}")

    def _send(self, to: int, message: Any) -> None:
        data = pickle.dumps(message)
        if to == self.info.id:
            self._arrived(to, data)
        else:
            if to not in self._addresses:  # it has come after this worker looked
                self._look()
            self._wire.send(to, self._addresses[to], data)

    def _answered(self, number: int, value: Any, error: BaseException | None) -> None:
        with self._lock:
            expected = self._expected.pop(number, None)
            self._quiet.notify_all()
        if expected is not None:  # else another answer has come before, or its time had passed
            expected.future._complete(value, error)

    def _lost(self, worker: int) -> None:
        """Let those that wait for an answer of *worker*, which is gone, wait no more."""
        with self._lock:
            waiting = [n for n, each in self._expected.items() if each.to == worker]
        if not waiting:
            return
        error = self._unreachable(self._workers[worker], "connection closed by the other end")
        for number in waiting:
            self._pass(self._answers, self._answered, number, None, error)

    # What arrives

    def _pass(self, pool: ThreadPoolExecutor, function: Any, *args: Any) -> None:
        try:
            pool.submit(function, *args)
        except RuntimeError:  # the pool is closed: so is this worker
            pass

    def _arrived(self, sender: int, data: bytes) -> None:
        kind, number, content = pickle.loads(data)
        if kind == "answer":
            self._pass(self._answers, self._answered, number, content, None)
        elif kind == "refusal":
            error = RuntimeError(content)
            self._pass(self._answers, self._answered, number, None, error)
        else:
            with self._lock:
                self._active += 1
            pool = self._calls if kind in ("call", "remote") else self._answers
            self._pass(pool, self._serve, sender, kind, number, content)

    def _serve(self, sender: int, kind: str, number: int, content: Any) -> None:
        def answer(write: Callable[[], Any]) -> None:
            try:
                message = "answer", number, write()
            except RuntimeError as error:
                message = "refusal", number, f"{error}"
            except Exception as error:  # pickle's, of what cannot be sent
                message = "refusal", number, f"{type(error).__name__}: {error}"
            self._reply(sender, message)

        try:
            getattr(self, f"_on_{kind}")(sender, content, answer)
        except Exception as error:
            self._reply(sender, ("refusal", number, f"{error}"))

    def _reply(self, to: int, message: Any) -> None:
        try:
            self._send(to, message)
        except (OSError, EOFError):
            pass  # who asked is gone
        with self._lock:
            self._active -= 1
            self._quiet.notify_all()

    def _on_call(self, sender: int, written: _Written, answer: _Answer) -> None:
        def give(value: Any) -> None:
            answer(lambda: self.write(sender, value, written.context))

        self._run(sender, written, give)

    def _on_remote(self, sender: int, content: Any, answer: _Answer) -> None:
        value, fork, written = content
        held = self.references.value(value)
        if fork is not None:
            self.references.add_fork(value, fork)

        def give(result: Any) -> None:
            held.set_result(result)
            told = result if isinstance(result, RemoteException) else None
            answer(lambda: self.write(sender, told, written.context))

        self._run(sender, written, give)

    def _run(self, sender: int, written: _Written, give: Callable[[Any], None]) -> None:
        """Run a function that was sent, and give what it returns, or tells of."""
        with contexts.entered(written.context):
            udf = self.read(sender, written)
            if isinstance(udf, AttributeError):  # there is no such function here
                raise AttributeError(*udf.args) from udf.__cause__
            try:
                value = udf.func(*udf.args, **udf.kwargs)
                if getattr(udf.func, "_wrapped_async_rpc_function", None) is not None:
                    self._give_later(value, give)
                    return
            except Exception as error:
                value = internal._told(self.info, error)
            give(value)

    def _give_later(self, value: Any, give: Callable[[Any], None]) -> None:
        """Give what a future holds, once it is there."""
        if not isinstance(value, AnyFuture):
            raise RuntimeError(
                "Functions decorated with @rpc.async_function must return a torch.futures.Future "
                f"object, but got {type(value).__module__}.{type(value).__qualname__}"
            )
        context = contexts.current_number()
        with self._lock:
            self._later += 1

        def run() -> None:
            with self._lock:
                self._later -= 1
            with contexts.entered(context):
                try:
                    result = value.value()
                except Exception as error:
                    result = internal._told(self.info, error)
                give(result)

        value._when_done(run)

    def _on_fetch(self, sender: int, content: Any, answer: _Answer) -> None:
        value, context = content
        held = self.references.value(value)
        held._when_done(lambda: answer(lambda: self.write(sender, held.value(), context)))

    def _on_fork(self, sender: int, content: Any, answer: _Answer) -> None:
        self.references.add_fork(*content)
        answer(_nothing)

    def _on_dropped(self, sender: int, content: Any, answer: _Answer) -> None:
        self.references.drop_fork(*content)
        answer(_nothing)

    def _on_accepted(self, sender: int, fork: Any, answer: _Answer) -> None:
        self.references.accepted(fork)
        answer(_nothing)

    def _on_gradients(self, sender: int, content: Any, answer: _Answer) -> None:
        try:
            contexts.propagate(*content)
        except Exception as error:
            raise RuntimeError(f"Error on Node {self.info.id}: {error}") from error
        answer(_nothing)

    def _on_backward(self, sender: int, content: Any, answer: _Answer) -> None:
        value, context, retain_graph = content
        root = self.references.value(value).wait()
        if not isinstance(root, Tensor):
            raise RuntimeError("RRef should contain a tensor for .backward()")
        contexts.backward(context, [root], retain_graph)
        answer(_nothing)

    def _on_forget(self, sender: int, context: int, answer: _Answer) -> None:
        self.forget_context(context, contexts.release(context))
        answer(_nothing)

    def forget_context(self, context: int, workers: set[int]) -> None:
        """Tell *workers* that a context is closed."""
        for worker in workers:
            try:
                self.request(worker, "forget", context)
            except RuntimeError:
                pass  # it is gone, and so is its part of the context

    # What calls take and give

    def write(self, to: int, value: Any, context: int | None = None) -> _Written:
        """*value* for worker *to*, in a context of gradients; tensors keep it where they need it.

        Raises RuntimeError for tensors of a device that the options do not map.
        """
        return self._written(to, *internal.serialize(value), context)

    def _written(
        self, to: int, data: bytes, tensors: list[Tensor], context: int | None
    ) -> _Written:
        message = None
        if context is not None:
            needing = [t for t in tensors if t.requires_grad]
            contexts.there(context).meet(to)
            if needing:
                message = contexts.there(context).send(needing)
        return _Written(data, [self._sent(to, t) for t in tensors], context, message)

    def _sent(self, to: int, tensor: Tensor) -> tuple[Tensor, bool, str | None]:
        """What is sent of *tensor*: on the host, without memory that it does not show."""
        sent, device = tensor.detach(), None
        if sent.device.type != "cpu":
            device = str(self._mapped(to, sent.device))
            sent = sent.cpu()
        elif sent.layout == torch.strided:
            memory, shown = sent.untyped_storage().nbytes(), sent.numel() * sent.element_size()
            if memory >= max(_COPIED, 2 * shown):
                sent = sent.clone()
        return sent, tensor.requires_grad, device

    def _mapped(self, to: int, device: Any) -> Any:
        """The device of worker *to* that stands for *device* of this one."""
        if to == self.info.id:
            return device
        name = self._workers[to].name
        known = getattr(self.options, "device_maps", {}).get(name, {})
        for here, there in known.items():
            if torch.device(here) == device:
                return torch.device(there)
        raise RuntimeError(
            "TensorPipe RPC backend only supports CPU tensors by default, please move your tensors "
            "to CPU before sending them over RPC, or call `set_device_map` on "
            "`TensorPipeRpcBackendOptions` to explicitly configure device mapping. Request device "
            f"mapping is not available for destination {name}"
        )

    def read(self, sender: int, written: _Written) -> Any:
        """What *sender* has written."""
        tensors = [t if device is None else t.to(device) for t, _, device in written.tensors]
        needing = [i for i, (_, needs, _) in enumerate(written.tensors) if needs]
        if written.context is not None:
            contexts.there(written.context).meet(sender)
        if written.context is not None and written.message is not None:
            number, message = written.context, written.message

            def give(grads: list[Tensor | None]) -> AnyFuture:
                return self.request(sender, "gradients", (number, message, grads), -1)

            made = contexts.there(number).receive(message, [tensors[i] for i in needing], give)
            for i, tensor in zip(needing, made, strict=True):
                tensors[i] = tensor
        else:
            for i in needing:
                tensors[i].requires_grad_()
        return internal.deserialize(written.data, tensors)

    def call(
        self, to: Any, kind: str, call: tuple[bytes, list[Tensor]], timeout: float, *more: Any
    ) -> Future[Any]:
        """Have a worker make a call that is written down; a future of what it gives.

        :param more: what goes before the call in a message of this kind.
        """
        worker = self.worker(to)
        written = self._written(worker.id, *call, contexts.current_number())
        with self._lock:
            self._made += 1
        content = (*more, written) if more else written
        answer = self.request(worker, kind, content, timeout)
        return self.answer_of(worker, answer, internal._handle_exception_of_call)

    def answer_of(
        self,
        worker: WorkerInfo,
        answer: AnyFuture,
        check: Callable[[Any], None] = internal._handle_exception,
    ) -> Future[Any]:
        """A future of what *worker* has written in *answer*.

        :param check: raises what that tells of, if it is an error.
        """
        future: Future[Any] = Future()

        def read() -> None:
            try:
                value = self.read(worker.id, answer.value())
                check(value)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(value)

        answer._when_done(read)
        return future

    # The end

    def join(self, shutdown: bool = False, timeout: float = 0) -> None:
        """Wait until no worker has a call under way."""
        if self.world_size is None:
            self._wait_until_quiet(timeout)
            return
        before = None
        for turn in count():
            self._wait_until_quiet(timeout)
            self.store.add(f"join {turn} calls", self._made)
            if self.store.add(f"join {turn}", 1) == self.world_size:
                self.store.set(f"join {turn} done", "")
            self.store.wait([f"join {turn} done"])
            made = self.store.add(f"join {turn} calls", 0)
            if made == before:  # nobody has made a call since all were quiet
                return
            before = made

    def _wait_until_quiet(self, timeout: float) -> None:
        end = time.monotonic() + timeout if timeout else None
        with self._quiet:
            while self._expected or self._active:
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return
                self._quiet.wait(1 if left is None else min(left, 1))

    def close(self) -> None:
        """Take and make no more calls."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            waiting = list(self._expected)
        if not self.is_static_group:
            self.store.append("left", f"{self.info.id} ")
        self._deadlines.close()
        self._wire.close()
        for number in waiting:
            self._answered(number, None, RuntimeError("RPC agent is shutting down"))
        self._calls.shutdown(wait=False, cancel_futures=True)
        self._answers.shutdown(wait=False, cancel_futures=True)

    shutdown = close

    # What is told of it

    def get_debug_info(self) -> dict[str, str]:
        """How many threads and calls there are."""
        with self._lock:
            active, later, waiting = self._active, self._later, len(self._expected)
        threads = self._calls._max_workers
        return {
            "agent.num_idle_threads": str(max(0, threads - active)),
            "agent.thread_pool_size": str(threads),
            "agent.client_active_calls": str(waiting),
            "agent.server_active_calls": str(active),
            "agent.server_active_async_calls": str(later),
        }

    def get_metrics(self) -> dict[str, str]:
        """The numbers of :meth:`get_debug_info`."""
        return self.get_debug_info()

    def _get_device_map(self, to: WorkerInfo) -> dict[Any, Any]:
        return dict(getattr(self.options, "device_maps", {}).get(to.name, {}))

    def _get_backend_options(self) -> RpcBackendOptions:
        return self.options


_current: TensorPipeAgent | None = None


def current() -> TensorPipeAgent | None:
    """The agent of this process, None before RPC is begun."""
    return _current


def set_current(agent: TensorPipeAgent | None) -> None:
    """Make *agent* that of this process."""
    global _current
    _current = agent


living_in("mindtorch._C._distributed_rpc", TensorPipeAgent)
