"""``autograd.Function`` in forward mode: the user's ``jvp``.

Source: torch csrc/autograd/custom_function.cpp, _process_forward_mode_AD.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from mindtorch_autograd import Function

from ..functionality.tangents import below, enabled, set_tangent, tangent_of, tangents
from ..ops.call import ops
from ..tensor import Tensor

__all__ = ["jvp_function"]

#: The context of the call that runs.
_context: ContextVar[list[Any] | None] = ContextVar("mindtorch_function_context", default=None)
_noting: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def jvp_function(function: Any, args: tuple[Any, ...]) -> Any:
    """``function.apply(*args)``, where a tensor among *args* has tangents.

    Raises NotImplementedError for a Function without ``jvp``.
    """
    levels = sorted({n for a in args for n in tangents(a)})
    found: list[Any] = []
    noted = _context.set(found)
    quiet = enabled.set(False)
    try:
        output = _that_notes(function).apply(*args)
    finally:
        enabled.reset(quiet)
        _context.reset(noted)
    context = found[0]
    results = output if isinstance(output, (tuple, list)) else (output,)
    for level in levels:
        given = []
        for a in args:
            tangent = tangent_of(a, level)
            if tangent is None and isinstance(a, Tensor) and _differentiable(a):
                if context._materialize:
                    tangent = ops.zeros_like(below(a, level))
            given.append(tangent)
        made = function.jvp(context, *given)
        parts = made if isinstance(made, (tuple, list)) else (made,)
        if len(parts) != len(results):
            raise RuntimeError(
                f"{function.__name__}Backward's jvp: Expected {len(results)} gradients but got "
                f"{len(parts)}"
            )
        for r, t in zip(results, parts, strict=True):
            if t is not None and isinstance(r, Tensor) and _differentiable(r):
                set_tangent(r, level, t)
    return output


def _differentiable(t: Any) -> bool:
    return bool(t.is_floating_point() or t.is_complex())


def _that_notes(function: Any) -> Any:
    """*function*, whose calls note their context."""
    made = _noting.get(function)
    if made is not None:
        return made
    separate = function.setup_context is not Function.setup_context
    name = "setup_context" if separate else "forward"
    method = getattr(function, name)

    def noting(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        found = _context.get()
        if found is not None:
            found.append(ctx)
        return method(ctx, *args, **kwargs)

    body = {name: staticmethod(noting), "__module__": function.__module__}
    made = type(function)(function.__name__, (function,), body)
    _noting[function] = made
    return made
