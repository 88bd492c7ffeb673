"""Gradient formulas as straight-line text.

A formula such as ``lambda g, c: g * conj(c.other)`` costs a dozen frames of Python each time: its
own, a property per saved value, operators that look at what they were given. So where it only
passes saved values to ops, that is found out once, by calling it with stand-ins that note what is
done with them, and the node's ``apply`` is written out: it reads the saved values, checks their
versions, and looks the ops up in their tables as any call does. Whatever registers a kernel or
changes the thread's state is therefore heeded; the numbers are those of the formula, since the
same table entries give them.

What the stand-ins cannot follow (branches on values, numbers made from shapes) stays a call of the
formula; and so does everything while the backward itself is recorded, or anybody watches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode

from ..call.code import function
from ..call.overload import FUNCTIONAL
from ..call.validate_gradients import conform
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor
from .array_gradients import ArrayTrace
from .formula_trace import Trace, Untraceable
from .recording import Recording
from .version_checks import check_saved

#: What a formula raises that cannot be followed: by itself, or of an op that was given a stand-in.
REFUSED = (Untraceable, TypeError, RuntimeError)
#: Signatures whose saved values or gradients may be more than plain memory.
_UNUSUAL = S.COMPLEX | S.OF_CLASS | S.LAZY | S.PENDING | S.BATCHED


def compiled(recorder: Recording, formulas: Callable[..., Any]) -> Callable[..., Any]:
    """The function for ``apply`` of the nodes of *recorder*; *formulas* calls the formulas.

    Returns *formulas* itself where none of them can be followed.
    """
    sig = recorder.sig
    inputs = recorder.inputs
    if (
        recorder.multi
        or recorder.overload.kind != FUNCTIONAL
        or sig & _UNUSUAL
        or sig >> S.TLS_SHIFT
        or sig & S.GRAD_STATE & ~grad_mode.GRAD_ENABLED
        or any(a in recorder.lists for a in inputs)
        or any(len(f.arguments) > 1 for f in recorder.formulas)
    ):
        return formulas
    scope: dict[str, Any] = {
        # Of others than the cpu there may be several devices, which ``conform`` compares.
        "ON_CPU": S.BACKENDS if sig & S.BACKENDS == S.CPU else 0,
        "Tensor": Tensor,
        "check_saved": check_saved,
        "conform": conform,
        "formulas": formulas,
        "grad_state": grad_state,
        "ndarray": np.ndarray,
        "new": object.__new__,
        "tls_state": tls_state,
    }
    several = len(inputs) > 1
    given, passed = (", edges=None", ", edges") if several else ("", "")
    body = [
        f"def quick(node, grad{given}):",
        "    if type(grad) is not Tensor:",
        f"        return formulas(node, grad{passed})",
        f"    saved = node.{recorder.store}",
        *(["    kept = node.kept"] if recorder.apart else []),
    ]
    if several:
        names = ", ".join(f"e{i}" for i in range(len(inputs)))
        body += [f"    {names} = node._edges if edges is None else check_saved(node, edges)"]
        body += ["    " + " = ".join(f"r{i}" for i in range(len(inputs))) + " = None"]
    followed = 0
    # torch's generated nodes compute the gradients in the order of the arguments' names.
    for f in sorted(recorder.formulas, key=lambda f: f.arguments[0]):
        i = inputs.index(f.arguments[0])
        trace = Trace(recorder, scope, f"v{i}_")
        scope[f"f{i}"] = f.function
        plain = f"r{i} = f{i}(grad, node)"
        try:
            result = trace.follow(f.function)
        except REFUSED:
            lines = [plain]
        else:
            followed += 1
            lines = [*trace.lines, f"r{i} = {result.text}"]
            if trace.guards:
                lines = [
                    f"if {' and '.join(trace.guards)}:",
                    *(f"    {line}" for line in lines),
                    "else:",
                    f"    {plain}",
                ]
        lines = in_arrays(recorder, scope, f.function, i, lines)
        lines += conforming(i, len(inputs))
        if several:
            lines = [f"if e{i} is not None:", *(f"    {line}" for line in lines)]
        body += [f"    {line}" for line in lines]
    if not followed:
        return formulas
    body += [
        f"    return {', '.join(f'r{i}' for i in range(len(inputs)))}",
        f"def apply(node, grad{given}):",
        "    if grad_state() or tls_state():",
        f"        return formulas(node, grad{passed})",
        f"    return quick(node, grad{passed})",
        "apply.quick = quick",  # which the engine calls where it has asked the same
        "return apply",
    ]
    made: Any = function("\n".join(body), scope)
    return made


def in_arrays(
    recorder: Recording,
    scope: dict[str, Any],
    formula: Callable[..., Any],
    number: int,
    otherwise: list[str],
) -> list[str]:
    """The lines that give gradient *number*: by array functions where that is possible."""
    try:
        trace = ArrayTrace(recorder, scope, f"x{number}_")
        lines = trace.text_of(formula, f"r{number}")
    except REFUSED:
        return otherwise
    return [
        *trace.reads,
        f"if {' and '.join(trace.guards)}:",
        *(f"    {line}" for line in lines),
        "else:",
        *(f"    {line}" for line in otherwise),
    ]


def conforming(number: int, count: int) -> list[str]:
    """The text that fits gradient *number* of *count* to its argument, where it has to be."""
    r = f"r{number}"
    return [
        f"m = saved[{number - count}]",
        f"if m is not None and {r} is not None:",
        f"    a = {r}._a",
        f"    if a.shape != m.sizes or a.dtype is not m.np_dtype or {r}._sig & ON_CPU != m.sig:",
        f"        {r} = conform({r}, m, node, {number})",
    ]
