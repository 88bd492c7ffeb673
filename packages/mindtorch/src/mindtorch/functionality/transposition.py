"""The tangent of an op from its gradient formulas alone.

A formula gives, for a gradient *v* of the result, the gradient of an argument: the transposed
Jacobian times *v*. That is linear in *v*, and formulas are made of ops that have gradients
themselves; so its own gradient with respect to *v*, at the tangent of the argument, is the Jacobian
times the tangent.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad, grad_mode

from ..call.validate_gradients import sum_to
from ..core.operators import ops
from .batching import bottom
from .recording import Recording
from .tangents import without_history

grad_state = grad_mode.state.get


def transposed(recorder: Recording, context: Any) -> Any:
    """The tangents of the results, one or a list; None where torch has none."""
    recording = bool(grad_state() & grad_mode.GRAD_ENABLED)
    token = grad_mode.state.get()
    try:
        grad_mode.state.set(grad_state() | grad_mode.GRAD_ENABLED)
        seeds = [
            ops.zeros(r.shape, dtype=r.dtype, device=r.device, requires_grad=True)
            if r is not None and r._a_.dtype.kind in "fcVW"
            else None
            for r in context.results
        ]
        v: Any = tuple(seeds) if recorder.multi else seeds[0]
        outputs, tangents = [], []
        for formula in recorder.formulas:
            names = formula.arguments
            if not any(context.has(name) for name in names):
                continue
            if "mask" not in context.tangents:  # no argument of the op is called so
                context.mask = tuple([context.has(name) for name in names])
            found = formula.function(v, context)
            for name, g in zip(names, found if len(names) > 1 else (found,), strict=True):
                _collect(context, name, g, outputs, tangents)
        wanted = [s for s in seeds if s is not None]
        if outputs:
            made = list(
                grad(
                    outputs,
                    wanted,
                    tangents,
                    create_graph=recording,
                    retain_graph=True,
                    allow_unused=True,
                )
            )
        else:
            made = [None] * len(wanted)
    finally:
        grad_mode.state.set(token)
    # The seeds' history is nobody's business. What lower levels know of the tangents is.
    if not recording or not any(bottom(t).requires_grad for t in context.tensors()):
        made = [None if m is None else without_history(m) for m in made]
    parts = iter(made)
    every = [None if s is None else next(parts) for s in seeds]
    backward = "_backward" in recorder.overload.row.base
    backward = backward and "zero_tangents" not in recorder.overload.row.tags
    backward = backward and all(t._a_.size for t in (*context.tensors(), *wanted))
    for i, (r, s) in enumerate(zip(context.results, seeds, strict=True)):
        if s is not None and every[i] is None and not backward:
            every[i] = ops.zeros_like(r)
    return every if recorder.multi else every[0]


def _collect(context: Any, name: str, g: Any, outputs: list[Any], tangents: list[Any]) -> None:
    """Note what a formula gave for argument *name*, fitted to it, and the argument's tangent."""
    tangent = context.tangents.get(name)
    value = getattr(context, name)
    if isinstance(tangent, list):
        pairs = list(zip(g, tangent, value, strict=True))
    else:
        pairs = [(g, tangent, value)]
    for g, tangent, value in pairs:
        if g is None or tangent is None:
            continue
        if g._a_.shape != value._a_.shape:
            g = sum_to(g, value._a_.shape)
        if g.dtype is not value.dtype:
            if g.is_complex() and not value.is_complex():
                g = ops.real(g)
            g = g.to(value.dtype)
        if g.requires_grad:
            outputs.append(g)
            tangents.append(tangent)
