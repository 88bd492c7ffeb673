"""``autograd.Function`` in forward mode: the user's ``jvp``.

Source: torch csrc/autograd/custom_function.cpp, _process_forward_mode_AD.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from mindtorch_autograd import Function, SavedVariable

from ..core import signature as S
from ..core.operators import ops
from ..functionality.tangents import (
    attach,
    below,
    enabled,
    laid_out_like,
    pass_on,
    set_tangent,
    size_of_tangent,
    tangent_of,
    tangents,
)
from ..tensor import Tensor, base_of

__all__ = ["jvp_function"]

#: Of the call that runs: its context, and which results it called constant.
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
    context, constant = found
    many = isinstance(output, tuple)
    for level in levels:
        results = output if many else (output,)
        _Jvp(function, context, constant, args, results, level).give_tangents()
    _give_saved(context, output if many else (output,))
    return output


def _give_saved(context: Any, results: tuple[Any, ...]) -> None:
    """What was saved of the results has their tangents; it was saved before they came."""
    for kept in context._saved_ if isinstance(context._saved_, tuple) else ():
        if type(kept) is SavedVariable and kept.is_output and kept.hooks is None:
            result = results[kept.nr]
            if not kept.data._sig_ & S.DUAL:
                pass_on(result, kept.data)


class _Jvp:
    """The tangents of one level that a Function's ``jvp`` gives its results."""

    def __init__(
        self,
        function: Any,
        context: Any,
        constant: tuple[Any, ...],
        args: tuple[Any, ...],
        results: tuple[Any, ...],
        level: int,
    ) -> None:
        self.function, self.context, self.level = function, context, level
        self.constant = constant
        self.args, self.results = args, results
        self.tangents = [tangent_of(a, level) for a in args]
        self.versions = [None if t is None else t._version for t in self.tangents]

    def give_tangents(self) -> None:
        """Call ``jvp`` and attach what it gives, checked as torch does."""
        parts = self._made()
        if len(parts) != len(self.results):
            raise RuntimeError(
                "Function's jvp returned an invalid number of forward gradients (expected "
                f"{len(self.results)} but got {len(parts)})"
            )
        for i, (r, t) in enumerate(zip(self.results, parts, strict=True)):
            if isinstance(r, Tensor):
                self._give(i, r, t)

    def _made(self) -> tuple[Any, ...]:
        given = []
        for a, tangent in zip(self.args, self.tangents, strict=True):
            if tangent is None and isinstance(a, Tensor) and _differentiable(a):
                if self.context._materialize_:
                    tangent = ops.zeros_like(below(a, self.level))
            given.append(tangent)
        # Of levels below this one, which are those of transforms, tangents are wanted.
        quiet = enabled.set(enabled.get() and self.level > 0)
        self.context._pushes_forward_ = True
        try:
            made = self.function.jvp(self.context, *given)
        finally:
            self.context._pushes_forward_ = False
            enabled.reset(quiet)
        parts = made if isinstance(made, tuple) else (made,)
        for i, part in enumerate(parts):
            if part is not None and not isinstance(part, Tensor):
                raise RuntimeError(
                    f"expected Variable or None (got {type(part).__name__}) for grad output {i}."
                )
        return parts

    def _give(self, number: int, result: Any, tangent: Any) -> None:
        if not _differentiable(result) or any(result is c for c in self.constant):
            if tangent is not None:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {number}, but  the "
                    "corresponding forward output is not a differentiable Tensor.You should "
                    "return None at that position instead."
                )
            return
        same = next((i for i, a in enumerate(self.args) if a is result), None)
        if same is not None and self.tangents[same] is not None:
            _check_changed(tangent, self.tangents[same], self.versions[same])
            return
        shows_tangent = same is None and self._check_view(result, tangent)
        if tangent is None:
            raise RuntimeError(_NO_TANGENT)
        if tangent.shape != result.shape:
            raise size_of_tangent(result, tangent)
        if shows_tangent:  # the base's tangent has it already
            attach(result, self.level, laid_out_like(tangent, result))
        else:
            set_tangent(result, self.level, tangent)

    def _check_view(self, result: Any, tangent: Any) -> bool:
        """Whether *result* is a view of an argument with a tangent.

        Raises RuntimeError where its own is no view of that.
        """
        base = base_of(result)
        found = False
        if base is None:
            return found
        for a, t in zip(self.args, self.tangents, strict=True):
            if t is None or (a is not base and base_of(a) is not base):
                continue
            shown = None if tangent is None else base_of(tangent)
            if shown is None:
                raise RuntimeError(
                    "A custom Function's forward is returning a view (or an input as-is) but the "
                    "jvp is not returning a view."
                )
            of_tangent = base_of(t)
            if shown is not (t if of_tangent is None else of_tangent):
                raise RuntimeError(
                    "A custom Function is returning a view but the jvp is not returning a view of "
                    + (
                        "the given grad input."
                        if of_tangent is None
                        else "the same base as the given grad input."
                    )
                )
            found = True
        return found


def _check_changed(made: Any, before: Any, version: Any) -> None:
    """The tangent of an argument that was changed in place is changed in place, and returned."""
    must = "If the forward is modifying an input inplace, then the jvp function must modify the "
    if made is None or made._version == version:
        raise RuntimeError(
            "An inplace custom Function is not modifying the forward mode gradients inplace. "
            f"{must}corresponding gradient inplace."
        )
    if made is not before:
        raise RuntimeError(
            "An inplace custom Function is not returning the forward mode gradients as-is. "
            f"{must}gradient inplace and return it as-is."
        )


#: torch csrc/autograd/autograd_meta.cpp, of a tangent that is not there.
_NO_TANGENT = (
    "(new_grad_base.is_floating_point() || new_grad_base.is_complex()) && "
    "(self_base.is_floating_point() || self_base.is_complex()) INTERNAL ASSERT FAILED at "
    '"/__w/pytorch/pytorch/torch/csrc/autograd/autograd_meta.cpp":159, please report a bug to '
    "PyTorch. Expected both tensor and its forward grad to be floating point or complex"
)


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
        made = method(ctx, *args, **kwargs)
        if found is not None:
            found += [ctx, ctx.non_differentiable or ()]
        return made

    body = {name: staticmethod(noting), "__module__": function.__module__}
    made = type(function)(function.__name__, (function,), body)
    _noting[function] = made
    return made
