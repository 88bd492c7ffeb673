"""What a trace puts in place of other functions while it runs, and puts back when it ends.

Functions that meet proxies while a trace runs shall make nodes: those that ``wrap`` named, and
those of the modules that a tracer names. Libraries that write a ``trace`` of their own use these
parts under the names that torch.fx gives them.
"""

from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NamedTuple

from .node import map_aggregate
from .proxy import Proxy

#: Where ``wrap`` was called, and for which names.
_wrapped_fns_to_patch: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
#: Methods that are nodes when they are called on proxies.
_wrapped_methods_to_patch: list[tuple[type, str]] = []

#: A name that was not there before.
_ABSENT = object()


class _PatchedFn(NamedTuple):
    """One replacement: a name of a dictionary or class, what it meant and what it means."""

    frame_dict: dict[str, Any] | type
    fn_name: str
    orig_fn: Any
    new_fn: Any

    def _put(self, value: Any) -> None:
        if isinstance(self.frame_dict, type):
            setattr(self.frame_dict, self.fn_name, value)
        elif value is _ABSENT:
            del self.frame_dict[self.fn_name]
        else:
            self.frame_dict[self.fn_name] = value

    def patch(self) -> None:
        """Let the name mean the new function."""
        self._put(self.new_fn)

    def revert(self) -> None:
        """Let the name mean what it meant."""
        self._put(self.orig_fn)


class _Patcher:
    """Replaces functions of modules and methods of classes; at its end they are as they were."""

    def __init__(self) -> None:
        self.patches_made: list[_PatchedFn] = []
        self.visited: set[int] = set()

    def patch(
        self,
        frame_dict: dict[str, Any],
        name: str,
        new_fn: Callable[..., Any],
        deduplicate: bool = True,
    ) -> None:
        """Let *name* mean *new_fn* among the globals *frame_dict*, which may hide a builtin.

        :param deduplicate: without a meaning, as in torch: a later replacement hides an earlier.
        """
        before = frame_dict.get(name, _ABSENT)
        if before is _ABSENT and not hasattr(builtins, name):
            raise KeyError(name)
        self._replace(_PatchedFn(frame_dict, name, before, new_fn))

    def patch_method(
        self, cls: type, name: str, new_fn: Callable[..., Any], deduplicate: bool = True
    ) -> None:
        """Let the method *name* of *cls* be *new_fn*; *deduplicate* is as for :meth:`patch`."""
        self._replace(_PatchedFn(cls, name, getattr(cls, name), new_fn))

    def _replace(self, made: _PatchedFn) -> None:
        self.patches_made.append(made)
        made.patch()

    def visit_once(self, thing: object) -> bool:
        """Whether *thing* is shown for the first time."""
        count = len(self.visited)
        self.visited.add(id(thing))
        return len(self.visited) > count

    def revert_all_patches(self) -> list[_PatchedFn]:
        """Let all names mean what they meant; the replacements stay noted."""
        for made in reversed(self.patches_made):
            made.revert()
        return self.patches_made

    def reapply_all_patches(self) -> list[_PatchedFn]:
        """Put all noted replacements in their places again."""
        for made in self.patches_made:
            made.patch()
        return self.patches_made

    def __enter__(self) -> _Patcher:
        return self

    def __exit__(self, *error: object) -> None:
        self.revert_all_patches()
        self.patches_made.clear()
        self.visited.clear()


#: The replacements of the trace that runs, innermost last.
_running: list[_Patcher] = []


@contextmanager
def _new_patcher() -> Iterator[_Patcher]:
    """The replacements of a trace, which :func:`_maybe_revert_all_patches` finds."""
    with _Patcher() as patcher:
        _running.append(patcher)
        try:
            yield patcher
        finally:
            _running.pop()


@contextmanager
def _maybe_revert_all_patches() -> Iterator[None]:
    """Inside, functions are what they are outside of a trace."""
    patcher = _running[-1] if _running else None
    if patcher is not None:
        patcher.revert_all_patches()
    try:
        yield
    finally:
        if patcher is not None:
            patcher.reapply_all_patches()


def _patch_wrapped_functions(patcher: _Patcher) -> None:
    """Let what ``wrap`` named make nodes."""
    for scope, name in list(_wrapped_fns_to_patch.values()):
        original = scope.get(name, getattr(builtins, name, None))
        if original is not None:
            patcher.patch(scope, name, _create_wrapped_func(original))
    for cls, name in _wrapped_methods_to_patch:
        patcher.patch_method(cls, name, _create_wrapped_method(cls, name))


def _autowrap_check(patcher: _Patcher, frame_dict: dict[str, Any], function_ids: set[int]) -> None:
    """Let the functions with these ids make nodes where *frame_dict* names them."""
    if not patcher.visit_once(frame_dict):
        return
    for name, value in list(frame_dict.items()):
        if not name.startswith("_") and callable(value) and id(value) in function_ids:
            patcher.patch(frame_dict, name, _create_wrapped_func(value))


def _patch_function(fn: FunctionType, nargs: int) -> FunctionType:
    """*fn* with all its *nargs* arguments, ``*args`` and ``**kwargs`` among them, as plain ones."""
    stars = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    plain = fn.__code__.replace(
        co_argcount=nargs, co_kwonlyargcount=0, co_flags=fn.__code__.co_flags & ~stars
    )
    return FunctionType(plain, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)


def _find_proxy(*objects_to_search: object) -> Proxy | None:
    """A proxy among nested values."""
    found: list[Proxy] = []

    def look(a: Any) -> Any:
        if isinstance(a, Proxy):
            found.append(a)
        return a

    map_aggregate(objects_to_search, look)
    return found[0] if found else None


def _create_wrapped_func(orig_fn: Callable[..., Any]) -> Callable[..., Any]:
    """*orig_fn*, which is a node when it is called with proxies."""

    @functools.wraps(orig_fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        proxy = _find_proxy(args, kwargs)
        if proxy is None:
            return orig_fn(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", orig_fn, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return wrapped


def _create_wrapped_method(cls: type, name: str) -> Callable[..., Any]:
    """A method, which is a node when it is called with proxies."""
    original = getattr(cls, name)

    @functools.wraps(original)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        proxy = _find_proxy(args, kwargs)
        if proxy is None:
            return original(*args, **kwargs)
        return proxy.tracer.create_proxy("call_method", name, args, kwargs)

    return wrapped
