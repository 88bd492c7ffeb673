"""Context managers that decorate functions, generators among them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..core.warning import warn

FuncType = Callable[..., Any]
F = TypeVar("F", bound=FuncType)


def _wrap_generator(ctx_factory: Callable[[], Any], func: Any) -> Any:
    """A generator function whose generator runs in the context, and whose caller does not."""

    def within(step: Callable[..., Any], *given: Any) -> Any:
        with ctx_factory():
            return step(*given)

    @functools.wraps(func)
    def generator_context(*args: Any, **kwargs: Any) -> Any:
        inner = func(*args, **kwargs)
        try:
            answer = within(next, inner)
            while True:
                try:
                    given = yield answer
                except GeneratorExit:
                    within(inner.close)
                    raise
                except BaseException as error:
                    answer = within(inner.throw, error)
                else:
                    answer = within(inner.send, given)
        except StopIteration as end:
            return end.value

    return generator_context


def context_decorator(ctx: Any, func: Any) -> Any:
    """*func* in the context that *ctx*, a context manager or what makes one, gives."""
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(
            f"Passed in {ctx} is both callable and also a valid context manager "
            "(has __enter__), making it ambiguous which interface to use.  If you "
            "intended to pass a context manager factory, rewrite your call as "
            "context_decorator(lambda: ctx()); if you intended to pass a context "
            "manager directly, rewrite your call as context_decorator(lambda: ctx)"
        )
    ctx_factory = ctx if callable(ctx) else lambda: ctx
    if inspect.isclass(func):
        raise RuntimeError(
            "Cannot decorate classes; it is ambiguous whether or not only the "
            "constructor or all methods should have the context manager applied; "
            "additionally, decorating a class at definition-site will prevent "
            "use of the identifier as a conventional type.  "
            "To specify which methods to decorate, decorate each of them "
            "individually."
        )
    if inspect.isgeneratorfunction(func):
        return _wrap_generator(ctx_factory, func)

    @functools.wraps(func)
    def decorate_context(*args: Any, **kwargs: Any) -> Any:
        with ctx_factory():
            return func(*args, **kwargs)

    return decorate_context


class _DecoratorContextManager:
    """A context manager that also decorates functions."""

    def __call__(self, orig_func: F) -> F:
        if inspect.isclass(orig_func):
            warn(
                "Decorating classes is deprecated and will be disabled in "
                "future versions. You should only decorate functions or methods. "
                "To preserve the current behavior of class decoration, you can "
                "directly decorate the `__init__` method and nothing else.",
                FutureWarning,
            )
            made: Any = orig_func

            def func(*args: Any, **kwargs: Any) -> Any:
                return made(*args, **kwargs)

            return cast(F, context_decorator(self.clone, func))
        return cast(F, context_decorator(self.clone, orig_func))

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        raise NotImplementedError

    def clone(self) -> Any:
        """Another one, for another block."""
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """The same for context managers without parameters: ``@no_grad`` is ``@no_grad()``."""

    def __new__(cls, orig_func: Any = None) -> Any:
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)
