"""What ``torch.autograd.functional`` asks of its arguments, in torch's words.

Source: torch/autograd/functional.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import func as _func  # noqa: F401  (see Note [Packages first])
from ..core.operators import ops
from ..func.whole import gradients_of_samples, wants_grad
from ..functionality.batching import levels
from ..tensor import Tensor
from . import grad

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


def as_tuple(inp: Any, arg_name: str | None = None, fn_name: str | None = None) -> Any:
    """Whether *inp* is a tuple, and the tuple; TypeError for anything but tensors.

    Without names for a message anything will do, and the tuple comes alone.
    """
    if arg_name is None and fn_name is None:
        return tuple(inp) if isinstance(inp, tuple | list) else (inp,)
    is_tuple = isinstance(inp, tuple)
    made = inp if is_tuple else (inp,)
    for i, value in enumerate(made):
        if isinstance(value, Tensor):
            continue
        must = (
            f"The {arg_name} given to {fn_name} must be either a Tensor or a tuple of Tensors but "
        )
        if is_tuple:
            raise TypeError(f"{must}the value at index {i} has type {type(value)}.")
        raise TypeError(f"{must}the given {arg_name} has type {type(value)}.")
    return is_tuple, made


def fresh(inputs: Sequence[Any], create_graph: bool, need_graph: bool) -> tuple[Any, ...]:
    """*inputs* as the beginning of a graph; joined to theirs if *create_graph*."""
    made = []
    for inp in inputs:
        if create_graph and wants_grad(inp):
            made.append(inp.clone() if inp.is_sparse else inp.view_as(inp))
        else:
            made.append(inp.detach().requires_grad_(need_graph))
    return tuple(made)


def finished(inputs: Any, create_graph: bool) -> Any:
    """*inputs*, in tuples or tuples of tuples, detached unless *create_graph*."""
    if not isinstance(inputs[0], Tensor):
        return tuple([finished(each, create_graph) for each in inputs])
    return inputs if create_graph else tuple([each.detach() for each in inputs])


def unpacked(res: Any, to_unpack: bool | tuple[bool, ...]) -> Any:
    """Undo :func:`as_tuple`; *to_unpack* says what were tuples, outside and inside."""
    outer, inner = to_unpack if isinstance(to_unpack, tuple) else (to_unpack, True)
    if not inner:
        res = tuple([each[0] for each in res])
    return res if outer else res[0]


def check_vector(v: Sequence[Any], other: Sequence[Any], is_other_tuple: bool) -> None:
    """Raise RuntimeError unless *v* has the sizes of *other*."""
    if len(v) != len(other):
        if is_other_tuple:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(other)} but got {len(v)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (have, want) in enumerate(zip(v, other, strict=True)):
        if have.size() != want.size():
            entry = f"Entry {i} in " if is_other_tuple else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {want.size()} but got {have.size()}."
            )


def check_requires_grad(inputs: Sequence[Any], input_type: str, strict: bool) -> None:
    """In strict mode, raise RuntimeError for a value that does not depend on the inputs."""
    if not strict:
        return
    if input_type not in ("outputs", "grad_inputs", "jacobian", "hessian"):
        raise RuntimeError("Invalid input_type to _check_requires_grad")
    for i, value in enumerate(inputs):
        if value is None:
            raise RuntimeError(
                f"The output of the user-provided function is independent of input {i}. This is "
                "not allowed in strict mode."
            )
        if wants_grad(value):
            continue
        if input_type == "hessian":
            raise RuntimeError(
                f"The hessian of the user-provided function with respect to input {i} is "
                "independent of the input. This is not allowed in strict mode. You should ensure "
                "that your function is thrice differentiable and that the hessian depends on the "
                "inputs."
            )
        if input_type == "jacobian":
            raise RuntimeError(
                "While computing the hessian, found that the jacobian of the user-provided "
                f"function with respect to input {i} is independent of the input. This is not "
                "allowed in strict mode. You should ensure that your function is twice "
                "differentiable and that the jacobian depends on the inputs (this would be "
                "violated by a linear function for example)."
            )
        if input_type == "grad_inputs":
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
    grad_outputs: Sequence[Any] | None = None,
    create_graph: bool = False,
    retain_graph: bool | None = None,
    is_grads_batched: bool = False,
) -> tuple[Any, ...]:
    """``autograd.grad`` of those *outputs* that require gradients; None where none comes."""
    given = (None,) * len(outputs) if grad_outputs is None else grad_outputs
    pairs = [
        (out, seed)
        for out, seed in zip(outputs, given, strict=True)
        if out is not None and wants_grad(out)
    ]
    if not pairs:
        return (None,) * len(inputs)
    outs, begin = zip(*pairs, strict=True)
    call = gradients_of_samples if levels.get() else grad
    return call(
        outs,
        inputs,
        begin,
        allow_unused=True,
        create_graph=create_graph,
        retain_graph=retain_graph,
        is_grads_batched=is_grads_batched,
    )


def filled(
    grads: Sequence[Any], refs: Sequence[Any], strict: bool, create_graph: bool, stage: str
) -> tuple[Any, ...]:
    """*grads* with zeros like *refs* for None; in strict mode RuntimeError for those."""
    if stage not in _MISSING:
        raise RuntimeError(f"Invalid stage argument '{stage}' to _fill_in_zeros")
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
            g = ops.zeros_like(refs[i])
        elif strict and create_graph and not g.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {i}. This is "
                "not allowed in strict mode when create_graph=True."
            )
        made.append(g)
    return tuple(made)
