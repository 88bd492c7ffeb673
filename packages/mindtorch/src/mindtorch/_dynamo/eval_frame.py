"""``torch._dynamo.eval_frame``: the wrappers that ``torch.compile`` makes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from .. import nn
from ..core.compiling import eagerly
from ..core.compiling import recorder as _recorder
from . import config
from .backends.debugging import ExplainOutput
from .backends.registry import is_built_in, lookup_backend
from .compiled_graphs import CompiledGraphs
from .function_recorder import record
from .input_names import names_of_inputs
from .thread_switches import may_record

__all__ = ["DisableContext", "OptimizeContext", "OptimizedModule", "explain", "optimize"]


def is_dynamo_supported() -> bool:
    """Whether ``torch.compile`` may be used: yes, what it is given runs as it is."""
    return True


class OptimizedModule(nn.Module):
    """A module that was compiled: it runs the module it was made of, ``_orig_mod``.

    Attributes are those of that module, to read and to set; the keys of ``state_dict()`` and the
    names of parameters begin with ``_orig_mod.``.
    """

    _opt_mod_attributes = frozenset(("_forward", "_orig_mod", "dynamo_ctx", "forward"))

    def __init__(self, mod: nn.Module, dynamo_ctx: Any) -> None:
        super().__init__()
        self._orig_mod = mod
        self.dynamo_ctx = dynamo_ctx
        self.__dict__["_run"] = dynamo_ctx.runner()
        self.__dict__["_super_module_initialized"] = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module."""
        return self.__dict__["_run"](self._orig_mod, args, kwargs)

    def __len__(self) -> int:
        if not hasattr(type(self._orig_mod), "__len__"):
            raise TypeError(f"{type(self._orig_mod).__name__} does not support len()")
        return len(self._orig_mod)  # type: ignore[arg-type]  # it has a length, as was seen

    @property
    def training(self) -> bool:  # type: ignore[override]  # the wrapped module has it
        """Whether the module trains."""
        return self._orig_mod.training

    @training.setter
    def training(self, value: bool) -> None:
        if "_super_module_initialized" in self.__dict__:
            self._orig_mod.training = value

    def __getattr__(self, name: str) -> Any:
        if name == "_orig_mod":
            return self._modules["_orig_mod"]
        return getattr(self._orig_mod, name)

    def __setattr__(self, name: str, val: Any) -> None:
        made = "_super_module_initialized" in self.__dict__
        if name == "training" or not made or name in self._opt_mod_attributes:
            super().__setattr__(name, val)
        else:
            setattr(self._orig_mod, name, val)

    def __delattr__(self, name: str) -> None:
        if name in self._opt_mod_attributes:
            super().__delattr__(name)
        else:
            delattr(self._orig_mod, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._orig_mod)})

    def __reduce__(self) -> Any:
        return (type(self), (self._orig_mod, self.dynamo_ctx))


def _plainly(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)


class _Context:
    """A decorator that marks what it is given; a block in which nothing is different."""

    def runner(self) -> Callable[..., Any]:
        """What calls one function or module, given it and its arguments."""
        return _plainly

    def __call__(self, fn: Any) -> Any:
        if isinstance(fn, nn.Module):
            return OptimizedModule(fn, self)
        if inspect.isclass(fn):
            return fn
        if not callable(fn):
            raise AssertionError(f"A callable function is expected, but {type(fn)} is provided.")
        return self._wrapped(fn)

    def _wrapped(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        called = self.runner()

        @functools.wraps(fn)
        def run(*args: Any, **kwargs: Any) -> Any:
            return called(fn, args, kwargs)

        run.__dict__["_torchdynamo_orig_callable"] = fn
        run.__dict__["get_compiler_config"] = lambda: None
        return run

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        pass


class OptimizeContext(_Context):
    """What ``torch._dynamo.optimize`` returns.

    :param backend: what compiles graphs; one that is built in is not called.
    :param nopython: raise Unsupported where a function is more than one graph.
    """

    def __init__(self, backend: Any = None, nopython: bool = False) -> None:
        self.backend, self.nopython = backend, nopython

    def runner(self) -> Callable[..., Any]:
        """What calls one function or module and keeps its graphs."""
        if self.backend is None or is_built_in(self.backend):
            return _plainly
        return functools.partial(_recorded, CompiledGraphs(self.backend), self.nopython)


class Stance:
    """How functions are compiled: what :class:`torch.compiler.set_stance` has set."""

    now = "default"


def _recorded(
    graphs: CompiledGraphs,
    fullgraph: bool,
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Call *fn* with its calls in graphs: in those of a compiled function that calls it."""
    if config.disable or Stance.now == "force_eager" or _recorder.get() or not may_record():
        return fn(*args, **kwargs)
    names = functools.partial(names_of_inputs, fn, args, kwargs)
    return record(fn, args, kwargs, graphs, fullgraph, names)


class DisableContext(_Context):
    """What ``torch.compiler.disable()`` returns."""

    def __init__(self, msg: str | None = None, wrapping: bool = True) -> None:
        self.msg = msg

    def runner(self) -> Callable[..., Any]:
        """What calls one function or module eagerly."""
        return functools.partial(_disabled, self.msg)

    def __call__(self, fn: Any) -> Any:
        if isinstance(fn, nn.Module) or inspect.isclass(fn):
            return super().__call__(fn)
        if not callable(fn):
            raise AssertionError("fn must be callable")
        run = self._wrapped(fn)
        run.__dict__["_torchdynamo_disable"] = True
        run.__dict__["_torchdynamo_disable_msg"] = self.msg
        return run


def _disabled(
    msg: str | None, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if _recorder.get() is None:
        return fn(*args, **kwargs)
    with eagerly(
        "Skip calling `torch.compiler.disable()`d function\n"
        f"  Explanation: Skip calling function `{fn}` since it was wrapped with "
        f"`torch.compiler.disable` (reason: {msg})\n"
        "  Hint: Remove the `torch.compiler.disable` call\n\n"
        f"  Developer debug context: {fn}\n"
    ):
        return fn(*args, **kwargs)


def optimize(
    rebuild_ctx: Any = None,
    backend: Any = "inductor",
    *,
    nopython: bool = False,
    guard_export_fn: Any = None,
    guard_fail_fn: Any = None,
    disable: bool = False,
    dynamic: bool | None = None,
    **kwargs: Any,
) -> Any:
    """A decorator for what shall run as *backend* makes it run; a built-in one: as it is.

    Raises InvalidBackend for an unknown name.
    """
    if isinstance(rebuild_ctx, str) or rebuild_ctx is not None:
        backend = rebuild_ctx
    if disable:
        return _same
    return OptimizeContext(lookup_backend(backend), nopython)


def _same(fn: Any) -> Any:
    return fn


def explain(f: Callable[..., Any], *extra_args: Any, **extra_kwargs: Any) -> Any:
    """A function that runs *f* and tells in which graphs, and why there are so many."""

    def inner(*args: Any, **kwargs: Any) -> ExplainOutput:
        made: list[Any] = []

        def keep(gm: Any, example_inputs: list[Any]) -> Any:
            made.append(gm)
            return gm.forward

        graphs = CompiledGraphs(keep)
        called = getattr(f, "_torchdynamo_orig_callable", f)
        _recorded(graphs, False, called, args, kwargs)
        return ExplainOutput.of(made, graphs.breaks)

    return inner(*extra_args, **extra_kwargs) if extra_args or extra_kwargs else inner
