"""What ``torch.autograd.functional`` asks of its arguments, in torch's words.

Source: torch/autograd/functional.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import func as _func  # noqa: F401  (see Note [Packages first])
from ..core.operators import ops
from ..func.whole import gradients_of_samples, wants_grad
from ..tensor import Tensor

#: In which part of a computation a gradient was missing -> the words before and after its index.
_MISSING = {
    "back": ("The output of the user-provided function is independent of input", ""),
    "back_trick": (
        "The gradient with respect to the input is independent of entry",
        " in the grad_outputs when using the double backward trick to compute forward mode "
        "gradients",
    ),
    "double_back": ("The jacobian of the user-provided function is independent of input", ""),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry",
        " in the grad_jacobian",
    ),
}


def as_tuple(values: Any, what: str, function: str) -> tuple[bool, tuple[Any, ...]]:
    """Whether *values* is a tuple, and the tuple; TypeError for anything but tensors."""
    is_tuple = isinstance(values, tuple)
    made = values if is_tuple else (values,)
    for i, value in enumerate(made):
        if isinstance(value, Tensor):
            continue
        must = f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but "
        if is_tuple:
            raise TypeError(f"{must}the value at index {i} has type {type(value)}.")
        raise TypeError(f"{must}the given {what} has type {type(value)}.")
    return is_tuple, made


def fresh(values: Sequence[Any], create_graph: bool, need_graph: bool) -> tuple[Any, ...]:
    """*values* as the beginning of a graph; joined to theirs if *create_graph*."""
    return tuple(
        [
            v.view_as(v)
            if create_graph and wants_grad(v)
            else v.detach().requires_grad_(need_graph)
            for v in values
        ]
    )


def finished(values: Any, create_graph: bool) -> Any:
    """*values*, detached unless *create_graph*."""
    if create_graph:
        return values
    if isinstance(values, Tensor):
        return values.detach()
    return tuple([finished(v, create_graph) for v in values])


def check_vector(v: Sequence[Any], like: Sequence[Any], is_tuple: bool) -> None:
    """Raise RuntimeError unless *v* has the sizes of *like*."""
    if len(v) != len(like):
        if is_tuple:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (have, want) in enumerate(zip(v, like, strict=True)):
        if have.size() != want.size():
            entry = f"Entry {i} in " if is_tuple else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {want.size()} but got {have.size()}."
            )


def check_requires_grad(values: Sequence[Any], kind: str, strict: bool) -> None:
    """In strict mode, raise RuntimeError for a value that does not depend on the inputs."""
    if not strict:
        return
    for i, value in enumerate(values):
        if value is None:
            raise RuntimeError(
                f"The output of the user-provided function is independent of input {i}. This is "
                "not allowed in strict mode."
            )
        if wants_grad(value):
            continue
        if kind == "hessian":
            raise RuntimeError(
                f"The hessian of the user-provided function with respect to input {i} is "
                "independent of the input. This is not allowed in strict mode. You should ensure "
                "that your function is thrice differentiable and that the hessian depends on the "
                "inputs."
            )
        if kind == "jacobian":
            raise RuntimeError(
                "While computing the hessian, found that the jacobian of the user-provided "
                f"function with respect to input {i} is independent of the input. This is not "
                "allowed in strict mode. You should ensure that your function is twice "
                "differentiable and that the jacobian depends on the inputs (this would be "
                "violated by a linear function for example)."
            )
        if kind == "grad_inputs":
            raise RuntimeError(
                f"The gradient with respect to input {i} is independent of the inputs of the "
                "user-provided function. This is not allowed in strict mode."
            )
        raise RuntimeError(
            f"Output {i} of the user-provided function does not require gradients. The outputs "
            "must be computed in a differentiable manner from the input when running in strict "
            "mode."
        )


def gradients(
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    seeds: Sequence[Any] | None = None,
    **options: Any,
) -> tuple[Any, ...]:
    """``autograd.grad`` of those *outputs* that require gradients; None where none comes."""
    given = (None,) * len(outputs) if seeds is None else seeds
    pairs = [
        (out, seed)
        for out, seed in zip(outputs, given, strict=True)
        if out is not None and wants_grad(out)
    ]
    if not pairs:
        return (None,) * len(inputs)
    outs, begin = zip(*pairs, strict=True)
    return gradients_of_samples(outs, inputs, begin, allow_unused=True, **options)


def filled(
    grads: Sequence[Any], like: Sequence[Any], strict: bool, create_graph: bool, stage: str
) -> tuple[Any, ...]:
    """*grads* with zeros like *like* for None; in strict mode RuntimeError for those."""
    made = []
    for i, g in enumerate(grads):
        if g is None:
            if strict:
                before, after = _MISSING[stage]
                text = f"{before} {i}{after}. This is not allowed in strict mode"
                if stage == "double_back_trick":
                    text += (
                        " as it prevents from using the double backward trick to replace forward "
                        "mode AD"
                    )
                raise RuntimeError(text + ".")
            g = ops.zeros_like(like[i])
        elif strict and create_graph and not g.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {i}. This is "
                "not allowed in strict mode when create_graph=True."
            )
        made.append(g)
    return tuple(made)
