"""``torch._dynamo.backends.registry``: backends by name; with torch's own, functions run as is."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..exc import InvalidBackend

__all__ = ["list_backends", "lookup_backend", "register_backend"]

#: The names of torch, and whether they are for debugging.
_NAMES = {
    "cudagraphs": (),
    "inductor": (),
    "openxla": (),
    "tvm": (),
    **dict.fromkeys(
        (
            "aot_eager aot_eager_decomp_partition aot_eager_decomp_partition_crossref "
            "aot_eager_decomp_partition_with_mode aot_eager_default_partitioner aot_ts "
            "dynamo_accuracy_minifier_backend dynamo_minifier_backend eager eager_debug "
            "eager_noexcept invoke_subgraph non_leaf_compile_error_TESTING_ONLY openxla_eval "
            "pre_dispatch_eager relu_accuracy_error_TESTING_ONLY relu_compile_error_TESTING_ONLY "
            "relu_runtime_error_TESTING_ONLY ts"
        ).split(),
        ("debug",),
    ),
}
_tags: dict[str, Sequence[str]] = dict(_NAMES)
_backends: dict[str, Callable[..., Any]] = {}


def eager(gm: Any, fake_tensor_inputs: Any, **kwargs: Any) -> Any:
    """The backend that runs a graph as it is."""
    return gm.forward


def register_backend(
    compiler_fn: Callable[..., Any] | None = None,
    name: str | None = None,
    tags: Sequence[str] = (),
) -> Callable[..., Any]:
    """Give a backend of the program's own a name. Without a function it is a decorator."""
    if compiler_fn is None:
        return functools.partial(register_backend, name=name, tags=tags)
    if not callable(compiler_fn):
        raise AssertionError("compiler_fn must be callable")
    own = name or compiler_fn.__name__
    if own in _backends:
        raise AssertionError(f"duplicate name: {own}")
    _backends[own] = compiler_fn
    _tags[own] = tuple(tags)
    return compiler_fn


def lookup_backend(compiler_fn: Any) -> Any:
    """The backend of that name; a function is one. Raises InvalidBackend for an unknown name."""
    if not isinstance(compiler_fn, str):
        return compiler_fn
    if compiler_fn not in _tags:
        raise InvalidBackend(name=compiler_fn)
    return _backends.get(compiler_fn, eager)


def is_built_in(backend: Any) -> bool:
    """Whether *backend* is one of torch's own: none of them would change a result."""
    return backend is eager


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names of the backends without those tags."""
    excluded = set(exclude_tags or ())
    return sorted(name for name, tags in _tags.items() if not excluded & set(tags))
