"""``torch.compile``: functions and modules whose calls a backend of the program's own may have.

torch compiles a function for speed, not for other results. With one of torch's own backends the
function runs as it is. A backend that is a function, or was registered, is given graphs of torch
calls, and what it returns runs in their place: see :mod:`mindtorch._dynamo.function_recorder`. The
arguments are checked as in torch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .default_backend import get_default_backend

__all__ = ["compile"]


def _check_options(mode: Any, options: dict[str, Any] | None) -> None:
    """Raise RuntimeError for a mode or an option that torch's own backend does not have."""
    from .. import _inductor

    modes = _inductor.list_mode_options()
    if mode is not None and mode not in modes:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(modes)}")
    if options:
        known = _inductor.config.shallow_copy_dict()
        for key, value in options.items():
            name = key.replace("-", "_")
            if name not in known:
                raise RuntimeError(
                    f"Unexpected optimization option {key}, known options are {list(known)}"
                )
            kind = type(known[name])
            if known[name] is not None and not callable(value) and type(value) is not kind:
                raise RuntimeError(
                    f"Unexpected type of attr {key}, got {type(value).__name__} should be "
                    f"{kind.__name__}"
                )


def compile(
    model: Callable[..., Any] | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] | None = None,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """A function or module that computes what *model* does, by what *backend* makes of it.

    Without *model* it is a decorator. A module is wrapped in an ``OptimizedModule``, whose keys of
    ``state_dict()`` begin with ``_orig_mod.``.

    :param backend: called with a ``torch.fx.GraphModule`` and its inputs, once for each structure
        of a graph; returns the function that is called with the inputs in its place. By a name, one
        that was registered; torch's own change nothing: *model* runs as it is.
    :param fullgraph: raise ``torch._dynamo.exc.Unsupported`` where more than one graph is needed.

    Raises RuntimeError for an unknown mode or option, or both together, and
    ``torch._dynamo.exc.InvalidBackend`` for the name of an unknown backend.
    """
    if model is None:
        return functools.partial(
            compile,
            fullgraph=fullgraph,
            dynamic=dynamic,
            backend=backend,
            mode=mode,
            options=options,
            name=name,
            disable=disable,
            recompile_limit=recompile_limit,
            isolate_recompiles=isolate_recompiles,
            shapes_spec=shapes_spec,
        )
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    from .. import _dynamo  # few programs compile

    chosen = get_default_backend() if backend is None else backend
    if chosen == "inductor":
        _check_options(mode, options)
    return _dynamo.optimize(backend=chosen, nopython=fullgraph, dynamic=dynamic, disable=disable)(
        model
    )
