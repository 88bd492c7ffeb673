"""Grad modes: one integer per thread (and per asyncio task) that says what is recorded.

Note [State word]
    ``state`` is a ``ContextVar`` of an int, because ``ContextVar.get`` is the fastest
    thread-local there is (9 ns). A caller joins it with its own word: ``sig | state.get()``.
    Four bits, and the word of a fresh thread is 1:

    === ======================= ===============================================================
    bit name                    set while
    === ======================= ===============================================================
    0   ``GRAD_ENABLED``        ops are recorded
    1   ``INFERENCE``           ``inference_mode``
    2   ``RARE``                saved-tensor hooks or anomaly mode: take the slow, complete path
    3   ``FORWARD_AD``          a dual level is open
    === ======================= ===============================================================
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, ClassVar, TypeVar

from mindtorch_autograd import errors
from mindtorch_autograd.naming import Named

__all__ = [
    "FORWARD_AD",
    "GRAD_ENABLED",
    "INFERENCE",
    "RARE",
    "enable_grad",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_multithreading_enabled",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "state",
]

F = TypeVar("F", bound=Callable[..., Any])

GRAD_ENABLED = 1
INFERENCE = 2
RARE = 4
FORWARD_AD = 8

#: See Note [State word].
state: ContextVar[int] = ContextVar("mindtorch_autograd_state", default=GRAD_ENABLED)


def is_grad_enabled() -> bool:
    """Say whether ops are recorded in this thread."""
    return bool(state.get() & 1)


def is_inference_mode_enabled() -> bool:
    """Say whether this thread is in ``inference_mode``."""
    return bool(state.get() & 2)


def _begin(before: int, word: int) -> None:
    """Set *word* as a block begins; where an interrupt comes with it, *before* is set again.

    Note [Interrupts]
        A KeyboardInterrupt may come after any call, also after the one that sets a state. So what
        ends a state stands around what begins it: ``try`` comes before ``set``, and where
        ``__enter__`` fails, which nothing leaves again, it takes back what it did.
    """
    try:
        state.set(word)
    except BaseException:
        state.set(before)
        raise


def _set_grad(on: bool) -> None:
    word = state.get()
    state.set(word | 1 if on else word & ~1)


#: Whether views remember in this thread by which calls they were made.
view_replay: ContextVar[bool] = ContextVar("mindtorch_view_replay", default=False)


#: Each says whether it wants this thread on the complete path. Whoever adds one calls
#: :func:`refresh_rare` when its answer changes.
rare_conditions: list[Callable[[], bool]] = [view_replay.get]


def refresh_rare() -> None:
    """Set the ``RARE`` bit of this thread if any of :data:`rare_conditions` asks for it."""
    word = state.get()
    rare = any([asked() for asked in rare_conditions])
    state.set(word | RARE if rare else word & ~RARE)


class _Decorator:
    """Makes a context manager a decorator of functions, generators, coroutines and classes.

    Every call runs in a fresh ``clone()``, so recursion and threads are safe. A generator runs
    in the mode only while it runs: between its steps the caller's own mode is back.
    """

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        raise NotImplementedError

    def clone(self) -> _Decorator:
        """Return a fresh manager with the same setting."""
        return type(self)()

    def __call__(self, orig_func: F) -> F:
        decorated: F = _decorate(self.clone, orig_func)
        return decorated


class _Setting(_Decorator):
    """Sets a variable of the thread, at once; as a context manager until its end."""

    variable: ClassVar[ContextVar[bool]]

    def __init__(self, mode: bool) -> None:
        self.prev = self.variable.get()
        self.mode = mode
        self.variable.set(mode)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.variable.set(self.prev)

    def clone(self) -> _Setting:
        """Return a fresh manager with the same setting."""
        return type(self)(self.mode)


class _NoParamDecoratorContextManager(_Decorator):
    """Allows ``@no_grad`` without parentheses too."""

    def __new__(cls, orig_func: Any = None) -> Any:
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)


def _decorate(clone: Callable[[], _Decorator], func: Any) -> Any:
    # Not at import: only decorators need it.
    from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

    if isinstance(func, type):
        warnings.warn(
            "Decorating classes is deprecated and will be disabled in future versions. You should "
            "only decorate functions or methods. To preserve the current behavior of class "
            "decoration, you can directly decorate the `__init__` method and nothing else.",
            FutureWarning,
            stacklevel=3,
        )
        # A function of its own, so that instances are not tested against a class that is gone.
        return functools.wraps(func, updated=())(_plain(clone, lambda *a, **k: func(*a, **k)))
    if isgeneratorfunction(func):
        return _generator(clone, func)
    if iscoroutinefunction(func):

        @functools.wraps(func)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with clone():
                return await func(*args, **kwargs)

        return coroutine
    if isasyncgenfunction(func):

        @functools.wraps(func)
        async def async_generator(*args: Any, **kwargs: Any) -> Any:
            steps = func(*args, **kwargs)
            try:
                while True:
                    with clone():
                        try:
                            item = await steps.__anext__()
                        except StopAsyncIteration:
                            return
                    yield item
            finally:
                with clone():
                    await steps.aclose()

        return async_generator
    return functools.wraps(func)(_plain(clone, func))


def _plain(clone: Callable[[], _Decorator], func: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with clone():
            return func(*args, **kwargs)

    return wrapper


def _generator(clone: Callable[[], _Decorator], func: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        steps = func(*args, **kwargs)
        try:
            with clone():
                item = steps.send(None)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    with clone():
                        steps.close()
                    raise
                except BaseException as error:
                    with clone():
                        item = steps.throw(error)
                else:
                    with clone():
                        item = steps.send(sent)
        except StopIteration as stop:
            return stop.value

    return wrapper


class _Switch(_NoParamDecoratorContextManager):
    """Goes back to the mode before the body at its end."""

    prev: bool = False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _set_grad(self.prev)


class no_grad(_Switch):
    """Record nothing in the body."""

    def __init__(self) -> None:  # so that ``no_grad(None)`` is refused
        self.prev = False

    def __enter__(self) -> None:
        word = state.get()
        self.prev = bool(word & 1)
        _begin(word, word & ~1)


class enable_grad(_Switch):
    """Record in the body, also inside ``no_grad``."""

    def __enter__(self) -> None:
        word = state.get()
        self.prev = bool(word & 1)
        _begin(word, word | 1)


class set_grad_enabled(_Decorator, metaclass=Named):
    """Switch recording on or off: at once if called, for the body if entered, or as a decorator."""

    __module__ = "torch.autograd.grad_mode"  # which its text shows

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise errors.grad_mode_type(mode)
        self.prev = is_grad_enabled()
        self.mode = mode
        _set_grad(mode)

    def __call__(self, orig_func: F) -> F:
        # As a decorator it must not act on the line that decorates.
        _set_grad(self.prev)
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        _set_grad(self.mode)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _set_grad(self.prev)

    def __str__(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}(mode={self.mode})"

    def __repr__(self) -> str:
        return str(self)

    def clone(self) -> set_grad_enabled:
        """Return a fresh manager with the same mode, which does not act yet."""
        copy = type(self).__new__(type(self))
        copy.prev = is_grad_enabled()
        copy.mode = self.mode
        return copy


class inference_mode(_Decorator):
    """Record nothing, and make values that can never be recorded (no version counter)."""

    mode: bool

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode
        # The words to go back to, innermost last: one manager may be entered again.
        self._words: list[int] = []

    def __enter__(self) -> None:
        word = state.get()
        self._words.append(word)
        _begin(word, (word & ~1 | 2) if self.mode else (word & ~2 | 1))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        state.set(state.get() & ~3 | self._words.pop() & 3)

    def clone(self) -> inference_mode:
        """Return a fresh manager with the same mode."""
        return type(self)(self.mode)


_multithreading: ContextVar[bool] = ContextVar("mindtorch_autograd_threads", default=True)


def is_multithreading_enabled() -> bool:
    """Say whether a backward may use several threads."""
    return _multithreading.get()


class set_multithreading_enabled(_Setting):
    """Allow or forbid a backward to use several threads; the engine here uses one anyway."""

    variable = _multithreading

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise errors.switch_type("set_multithreading_enabled", "enabled", 1, mode)
        super().__init__(mode)
