"""``torch.utils._functools``: functions whose results are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, wraps
from typing import Any

__all__ = ["cache_method", "prefetchable_cache"]

_NOTHING = object()


def cache_method(f: Callable[..., Any]) -> Callable[..., Any]:
    """A method whose results are kept by its arguments, on the object itself.

    What the object is does not count. Raises AssertionError for keyword arguments.
    """
    name = f"_cache_method_{f.__name__}"

    @wraps(f)
    def wrap(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise AssertionError("cache_method does not accept keyword arguments")
        known = vars(self).setdefault(name, {})
        if args not in known:
            known[args] = f(self, *args)
        return known[args]

    return wrap


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=2)


class _Kept:
    """A function without arguments that computes once."""

    def __init__(self, func: Callable[[], Any]) -> None:
        self._func = func
        self._lock = threading.Lock()
        self._value: Any = _NOTHING
        self._future: Future[Any] | None = None

    def __call__(self) -> Any:
        """The value."""
        with self._lock:
            if self._value is _NOTHING:
                future, self._future = self._future, None
                self._value = self._func() if future is None else future.result()
            return self._value

    def set(self, val: Any) -> None:
        """Say the value. Raises RuntimeError if it is known."""
        with self._lock:
            if self._value is not _NOTHING:
                raise RuntimeError("prefetchable_cache value already set")
            self._value = val

    def clear(self) -> None:
        """Forget the value."""
        with self._lock:
            self._value, self._future = _NOTHING, None

    def prefetch(self) -> None:
        """Begin to compute it in another thread."""
        with self._lock:
            if self._value is _NOTHING and self._future is None:
                self._future = _threads().submit(self._func)


def prefetchable_cache(func: Callable[[], Any]) -> Any:
    """A function that computes once, and may begin before it is called."""
    return _Kept(func)
