"""``torch.compiler``: how programs talk to a compiler."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..core.compiling import is_compiling as _is_compiling
from ..core.compiling import is_exporting as _is_exporting
from ..core.compiling import recorder as _recorder
from ..core.submodules import reached as _reached
from ..core.unavailable import COMPILER, refusal
from ._cache import CacheInfo
from .default_backend import get_default_backend, set_default_backend

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "config",
    "cudagraph_mark_step_begin",
    "disable",
    "get_default_backend",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "keep_portable_guards_unsafe",
    "keep_tensor_guards_unsafe",
    "list_backends",
    "load_cache_artifacts",
    "load_compiled_function",
    "nested_compile_region",
    "reset",
    "save_cache_artifacts",
    "set_default_backend",
    "set_enable_guard_collectives",
    "set_stance",
    "skip_all_guards_unsafe",
    "skip_guard_on_all_nn_modules_unsafe",
    "skip_guard_on_globals_unsafe",
    "skip_guard_on_inbuilt_nn_modules_unsafe",
    "substitute_in_graph",
    "wrap_numpy",
]


def compile(*args: Any, **kwargs: Any) -> Any:
    """``torch.compile``: a function that computes what the given one does."""
    from .compiling import compile as compile_

    return compile_(*args, **kwargs)


def reset() -> None:
    """Forget what was compiled: backends are given their graphs anew."""
    from .. import _dynamo

    _dynamo.reset()


def allow_in_graph(fn: Any) -> Any:
    """Mark *fn*, or each of a list, as one op of a graph; returns it."""
    from .. import _dynamo

    return _dynamo.allow_in_graph(fn)


def substitute_in_graph(
    original_fn: Callable[..., Any],
    *,
    can_constant_fold_through: bool = False,
    skip_signature_check: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for a function that a compiler may take in place of *original_fn*."""
    from .. import _dynamo

    return _dynamo.substitute_in_graph(
        original_fn,
        can_constant_fold_through=can_constant_fold_through,
        skip_signature_check=skip_signature_check,
    )


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names of the backends without those tags."""
    from .. import _dynamo

    return _dynamo.list_backends(exclude_tags)


def assume_constant_result(fn: Any) -> Any:
    """Mark *fn* as returning the same at every call; it is called all the same."""
    from .. import _dynamo

    return _dynamo.assume_constant_result(fn)


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """Mark *fn* as never to be compiled; without it, a decorator."""
    from .. import _dynamo

    return _dynamo.disable(fn, recursive, reason=reason)


def set_stance(
    stance: str = "default",
    *,
    skip_guard_eval_unsafe: bool = False,
    force_backend: str | Callable[..., Any] | None = None,
) -> Any:
    """Say how functions are to be compiled from now on, or within a block: they are not."""
    from .. import _dynamo

    return _dynamo.set_stance(
        stance, skip_guard_eval_unsafe=skip_guard_eval_unsafe, force_backend=force_backend
    )


def set_enable_guard_collectives(enabled: bool) -> bool:
    """Set whether processes agree on what to compile; returns what was set before."""
    before = _State.guard_collectives
    _State.guard_collectives = enabled
    return before


class _State:
    guard_collectives = False


def cudagraph_mark_step_begin() -> None:
    """Say that a new step of a CUDA graph begins: nothing."""


def wrap_numpy(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors that calls *fn* with their arrays and returns tensors."""
    from .._dynamo.external_utils import wrap_numpy as wrap

    return wrap(fn)


def is_compiling() -> bool:
    """Whether a graph is drawn of the program, for a backend or by ``torch.export``."""
    return _is_compiling()


def is_dynamo_compiling() -> bool:
    """Whether a graph is drawn of the program for a backend."""
    return _recorder.get() is not None


def is_exporting() -> bool:
    """Whether ``torch.export`` draws the graph of the program."""
    return _is_exporting()


def save_cache_artifacts() -> tuple[bytes, CacheInfo] | None:
    """None: nothing was compiled that could be saved."""
    return None


def load_cache_artifacts(serialized_artifacts: bytes) -> CacheInfo | None:
    """None: nothing compiled can be loaded."""
    return None


def load_compiled_function(
    file: io.IOBase,
    *,
    f_globals: dict[str, object] | None = None,
    external_data: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    """Load compiled code: raises NotImplementedError, for it cannot run here."""
    refuse: Callable[..., Callable[..., Any]] = refusal(
        "torch.compiler.load_compiled_function", COMPILER
    )
    return refuse()


def nested_compile_region(
    fn: Any = None,
    *,
    options: Any = None,
    max_reuse_entries: int = 8,
    reuse_hash_fn: Any = None,
) -> Any:
    """Mark *fn* as compiled once for many calls; without it, a decorator."""
    from .._dynamo.external_utils import wrap_inline

    return wrap_inline if fn is None else wrap_inline(fn)


def skip_guard_on_inbuilt_nn_modules_unsafe(guard_entries: Any) -> list[bool]:
    """Which guards to keep: those that are not about torch's own modules."""
    return [
        not entry.orig_guard.source.is_unspecialized_builtin_nn_module() for entry in guard_entries
    ]


def skip_guard_on_all_nn_modules_unsafe(guard_entries: Any) -> list[bool]:
    """Which guards to keep: those that are not about modules."""
    return [not entry.orig_guard.source.is_unspecialized_nn_module() for entry in guard_entries]


def keep_tensor_guards_unsafe(guard_entries: Any, keep_parameters: bool = False) -> list[bool]:
    """Which guards to keep: those about tensors."""
    return [entry.guard_type == "TENSOR_MATCH" for entry in guard_entries]


def keep_portable_guards_unsafe(guard_entries: Any) -> list[bool]:
    """Which guards to keep: those that hold in another process."""
    return [not entry.is_global for entry in guard_entries]


def skip_guard_on_globals_unsafe(guard_entries: Any) -> list[bool]:
    """Which guards to keep: those that are not about globals."""
    return [not entry.is_global for entry in guard_entries]


def skip_all_guards_unsafe(guard_entries: Any) -> list[bool]:
    """Which guards to keep: none."""
    return [False for _ in guard_entries]


__getattr__ = _reached(__name__, ("config",))


def __dir__() -> list[str]:
    return sorted(__all__)
