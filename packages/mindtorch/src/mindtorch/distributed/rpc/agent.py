"""The worker of this process: it runs the calls that are made to it, in threads of its own.

There is one engine, the single process, so every call is one to oneself. Its function and
arguments are pickled all the same, as they would be on their way to another process: what a call
changes, its caller does not see.
"""

from __future__ import annotations

import io
import pickle
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ...futures import Future
from ...tensor import Tensor
from .._gradient_contexts import is_open
from .options import RpcBackendOptions

__all__ = ["Agent", "WorkerInfo", "current", "set_current"]


class WorkerInfo:
    """A process by name and number."""

    __module__ = "torch._C._distributed_rpc"

    def __init__(self, name: str, id: int) -> None:
        self.name, self.id = name, id

    def __repr__(self) -> str:
        return f"WorkerInfo(id={self.id}, name={self.name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WorkerInfo) and (self.name, self.id) == (other.name, other.id)

    def __hash__(self) -> int:
        return hash((self.name, self.id))


class _Pickler(pickle.Pickler):
    """Writes what is not pickled by its number: tensors, which are copied, and references."""

    def __init__(self, file: Any, kept: tuple[type, ...], connected: bool) -> None:
        super().__init__(file)
        self.kept, self.connected = kept, connected
        self.table: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._alive: list[Any] = []

    def persistent_id(self, obj: Any) -> Any:
        """The number of a tensor or a reference."""
        if not isinstance(obj, self.kept) or isinstance(obj, type):
            return None
        number = self._numbers.get(id(obj))
        if number is None:
            number = self._numbers[id(obj)] = len(self.table)
            self._alive.append(obj)  # so that its id stays its own
            self.table.append(self._sent(obj))
        return number

    def _sent(self, obj: Any) -> Any:
        if not isinstance(obj, Tensor):
            return obj
        if self.connected:
            return obj.clone()
        return obj.detach().clone().requires_grad_(obj.requires_grad)


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: Any, table: list[Any]) -> None:
        super().__init__(file)
        self.table = table

    def persistent_load(self, pid: Any) -> Any:
        """What was written by this number."""
        return self.table[pid]


class _Message:
    """What is sent to a worker, or back.

    :param connected: whether gradients flow through it, as within a context of gradients.
    """

    def __init__(self, content: Any, kept: tuple[type, ...], connected: bool) -> None:
        self._file = io.BytesIO()
        pickler = _Pickler(self._file, kept, connected)
        pickler.dump(content)
        self._table = pickler.table

    def read(self) -> Any:
        """What was sent."""
        self._file.seek(0)
        return _Unpickler(self._file, self._table).load()


class Agent:
    """The worker *name* of this process.

    :param kept: the classes whose objects are handed over as they are.
    """

    def __init__(self, name: str, options: RpcBackendOptions, kept: tuple[type, ...]) -> None:
        self.info = WorkerInfo(name, 0)
        self.timeout = options.rpc_timeout
        self._kept = (Tensor, *kept)
        threads = getattr(options, "num_worker_threads", 16)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="rpc")
        self._lock = threading.Lock()
        self._references = 0

    def number(self) -> int:
        """The number of one more reference."""
        with self._lock:
            self._references += 1
            return self._references - 1

    def worker(self, to: Any) -> WorkerInfo:
        """The worker called *to*, by name, number or info. Raises RuntimeError for another."""
        if isinstance(to, WorkerInfo):
            to = to.id
        if isinstance(to, str):
            if to == self.info.name:
                return self.info
            what = f"name {to}"
        elif isinstance(to, int):
            if to == self.info.id:
                return self.info
            what = f"id {to}"
        else:
            raise ValueError(f"Cannot get WorkerInfo from name {to}")
        raise RuntimeError(
            f"name:{self.info.name},rank:{self.info.id} could not find destination {what}"
        )

    def call(
        self,
        func: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        timeout: float,
        stays: bool = False,
    ) -> Future[Any]:
        """Run *func* in a thread; its result, or what it raised, is there later.

        :param timeout: after how many seconds an error takes its place; 0 for never, below it the
            worker's own.
        :param stays: whether the result stays in the worker.
        """
        connected = is_open()
        message = _Message((func, args, kwargs), self._kept, connected)
        future: Future[Any] = Future()
        settled = _Once(future)
        limit = self.timeout if timeout < 0 else timeout
        timer: threading.Timer | None = None
        if limit:
            timer = threading.Timer(limit, settled.fail, (_late(limit),))
            timer.daemon = True
            timer.start()

        def run() -> None:
            try:
                function, arguments, named = message.read()
                value = function(*arguments, **named)
                if getattr(function, "_wrapped_async_rpc_function", None) is not None:
                    value = _awaited(value)
                if not stays:
                    value = _Message(value, self._kept, connected).read()
            except Exception as error:
                settled.fail(self._told(error))
            else:
                settled.give(value)
            finally:
                if timer is not None:
                    timer.cancel()

        self._pool.submit(run)
        return future

    def _told(self, error: Exception) -> Exception:
        """*error* with the place where it was raised in its text."""
        text = f"On {self.info!r}:\n{error!r}\n{traceback.format_exc()}"
        try:
            return type(error)(text)
        except TypeError:  # it takes other arguments
            return RuntimeError(text)

    def close(self, wait: bool) -> None:
        """Take no more calls.

        :param wait: until those that run have ended.
        """
        self._pool.shutdown(wait=wait, cancel_futures=not wait)


class _Once:
    """Gives a future its value or error, whichever comes first."""

    def __init__(self, future: Future[Any]) -> None:
        self._future, self._lock, self._open = future, threading.Lock(), True

    def _first(self) -> bool:
        with self._lock:
            first, self._open = self._open, False
        return first

    def give(self, value: Any) -> None:
        """The value."""
        if self._first():
            self._future.set_result(value)

    def fail(self, error: Exception) -> None:
        """The error."""
        if self._first():
            self._future.set_exception(error)


def _awaited(value: Any) -> Any:
    """What a function that gives a future gives in the end."""
    if not hasattr(value, "wait"):
        raise RuntimeError(
            "Functions decorated with @rpc.async_function must return a torch.futures.Future "
            f"object, but got {type(value).__module__}.{type(value).__qualname__}"
        )
    return value.wait()


def _late(limit: float) -> RuntimeError:
    return RuntimeError(
        f"RPCErr:1:RPC ran for more than set timeout ({round(limit * 1000)} ms) and will now be "
        "marked with an error"
    )


_current: Agent | None = None


def current() -> Agent | None:
    """The agent of this process, None before RPC is begun."""
    return _current


def set_current(agent: Agent | None) -> None:
    """Make *agent* that of this process."""
    global _current
    _current = agent
