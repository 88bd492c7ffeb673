"""What a worker does for the requests of others: run functions, hold values, pass gradients."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..._ops import OpOverloadPacket
from ...futures._future import Future as AnyFuture
from ...jit._errors import told_by_script
from ...jit._script import ScriptFunction
from ...tensor import Tensor
from .. import _gradient_contexts as contexts
from . import internal, profiling
from .internal import PythonUDF, RemoteException
from .marshalling import Marshalling, Written
from .profiling import Events
from .references import References
from .requests import Answer
from .worker_info import WorkerInfo

__all__ = ["Handlers"]


#: Gives what a function returned, and the events of its profile.
_Give = Callable[[Any, Events | None], None]


def _nothing() -> None:
    """What is answered where only the answer counts."""


def _check_future(value: Any) -> None:
    """Raise RuntimeError for what is no future."""
    if not isinstance(value, AnyFuture):
        raise RuntimeError(
            "Functions decorated with @rpc.async_function must return a torch.futures.Future "
            f"object, but got {type(value).__module__}.{type(value).__qualname__}"
        )


class Handlers:
    """Answers the requests that come to the worker *info*, each by its kind.

    :param retried: sends a message of a kind to a worker, again where it fails; a future of the
        answer.
    """

    def __init__(
        self,
        info: WorkerInfo,
        references: References,
        marshalling: Marshalling,
        retried: Callable[..., AnyFuture],
    ) -> None:
        self._info, self._references, self._marshalling = info, references, marshalling
        self._retried = retried
        self._lock = threading.Lock()
        #: How many functions have returned a future that is not done yet.
        self.later = 0

    def handle(self, sender: int, kind: str, content: Any, answer: Answer) -> None:
        """Do what *sender* asks for in a request of a kind, and answer it."""
        getattr(self, f"_on_{kind}")(sender, content, answer)

    # Functions

    def _on_call(self, sender: int, written: Written, answer: Answer) -> None:
        def give(value: Any, events: Events | None) -> None:
            answer(lambda: self._marshalling.write(sender, value, written.context, events))

        self._run(sender, written, give)

    def _on_remote(self, sender: int, content: Any, answer: Answer) -> None:
        value, fork, written = content
        held = self._references.value(value)
        if fork is not None:
            self._references.add_fork(value, fork)

        def give(result: Any, events: Events | None) -> None:
            held.set_result(result)
            told = result if isinstance(result, RemoteException) else None
            answer(lambda: self._marshalling.write(sender, told, written.context, events))

        try:
            self._run(sender, written, give)
        except Exception as error:
            held._complete(None, RuntimeError(f"{error}"))  # for those that ask for the value
            raise

    # Operators and scripts: the same under names that transports tell apart
    _on_script_call, _on_script_remote = _on_call, _on_remote

    def _run(self, sender: int, written: Written, give: _Give) -> None:
        """Run a function that was sent, and give what it returns, or tells of."""
        with contexts.entered(written.context):
            udf = self._udf(sender, written)
            later = getattr(udf.func, "_wrapped_async_rpc_function", None) is not None
            with profiling.served(written.config) as events:
                try:
                    value = udf.func(*udf.args, **udf.kwargs)
                    if later:
                        _check_future(value)
                except Exception as error:
                    if isinstance(udf.func, OpOverloadPacket):
                        raise  # the caller knows of no types of errors
                    value, later = self._raised(udf.func, error), False
            if later:
                self._give_later(value, lambda result: give(result, events()))
            else:
                give(value, events())

    def _raised(self, func: Any, error: Exception) -> RemoteException:
        """What the caller is told of an error. Raises one of a script, which has no types."""
        if isinstance(func, ScriptFunction):
            raise RuntimeError(told_by_script(error)) from error
        return internal._told(self._info, error)

    def _udf(self, sender: int, written: Written) -> PythonUDF:
        """The function that was sent, with what it is given. Raises AttributeError for none."""
        with self._references.taking() as taken:
            udf = self._marshalling.read(sender, written)
        for known in taken:  # by their owners: functions are given references that are safe
            known.wait()
        if isinstance(udf, AttributeError):  # there is no such function here
            raise AttributeError(*udf.args) from udf.__cause__
        found: PythonUDF = udf
        return found

    def _give_later(self, value: AnyFuture, give: Callable[[Any], None]) -> None:
        """Give what a future holds, once it is there."""
        context = contexts.current_number()
        with self._lock:
            self.later += 1

        def run() -> None:
            with self._lock:
                self.later -= 1
            with contexts.entered(context):
                try:
                    result = value.value()
                except Exception as error:
                    result = internal._told(self._info, error)
                give(result)

        value._when_done(run)

    # Values and references to them

    def _on_fetch(self, sender: int, content: Any, answer: Answer) -> None:
        value, context = content
        held = self._references.value(value)
        write = self._marshalling.write
        held._when_done(lambda: answer(lambda: write(sender, held.value(), context)))

    _on_script_fetch = _on_fetch

    def _on_fork(self, sender: int, content: Any, answer: Answer) -> None:
        self._references.add_fork(*content)
        answer(_nothing)

    def _on_dropped(self, sender: int, content: Any, answer: Answer) -> None:
        self._references.drop_fork(*content)
        answer(_nothing)

    def _on_accepted(self, sender: int, fork: Any, answer: Answer) -> None:
        self._references.accepted(fork)
        answer(_nothing)

    # Gradients and their contexts

    def _on_gradients(self, sender: int, content: Any, answer: Answer) -> None:
        try:
            contexts.propagate(*content)
        except Exception as error:
            raise RuntimeError(f"Error on Node {self._info.id}: {error}") from error
        answer(_nothing)

    def _on_backward(self, sender: int, content: Any, answer: Answer) -> None:
        value, context, retain_graph = content
        root = self._references.value(value).wait()
        if not isinstance(root, Tensor):
            raise RuntimeError("RRef should contain a tensor for .backward()")
        contexts.backward(context, [root], retain_graph)
        answer(_nothing)

    def _on_forget(self, sender: int, context: int, answer: Answer) -> None:
        self.forget_context(context, contexts.release(context))
        answer(_nothing)

    def forget_context(self, context: int, workers: set[int]) -> None:
        """Tell *workers* that a context is closed."""
        for worker in workers:
            try:
                self._retried(worker, "forget", context)
            except RuntimeError:
                pass  # it is gone, and so is its part of the context
