"""Batch normalisation that says in its schema what it writes: ``_native_batch_norm_legit`` and kin.

They compute what ``native_batch_norm`` does. The functional ones return the running statistics;
those with a reserve return memory that other backends pass to the gradient, which is empty here.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage.dtype import uint8

from ..call.device_checks import refuse_apart
from ..call.row import op
from ..core.constants import strided
from ..core.operators import of, ops
from .norm_tangent import batch_norm_tangent

__all__: list[str] = []

_INPUTS = "Tensor input, Tensor? weight, Tensor? bias"
_WRITTEN = "Tensor(a!) running_mean, Tensor(b!) running_var"
_READ = "Tensor running_mean, Tensor running_var"
_NUMBERS = "float momentum, float eps"
_STATISTICS_OUT = "Tensor running_mean_out, Tensor running_var_out"


def _reserve(input: Any) -> Any:
    return of("empty.memory_format")((0,), dtype=uint8, layout=strided, device=input.device)


def _legit(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float,
    eps: float,
) -> Any:  # fmt: skip
    return ops.native_batch_norm(input, weight, bias, mean, var, training, momentum, eps)


def _no_stats(
    input: Any, weight: Any, bias: Any, training: bool, momentum: float, eps: float
) -> Any:
    if not training:
        raise RuntimeError("running_mean must be defined in evaluation mode")
    return ops.native_batch_norm(input, weight, bias, None, None, training, momentum, eps)


def _no_training(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, momentum: float, eps: float
) -> Any:
    return ops.native_batch_norm(input, weight, bias, mean, var, False, momentum, eps)


def _functional(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float,
    eps: float,
) -> Any:  # fmt: skip
    mean, var = mean.clone(), var.clone()
    found = ops.native_batch_norm(input, weight, bias, mean, var, training, momentum, eps)
    return (*found, mean, var)


def _with_update(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, momentum: float, eps: float
) -> Any:
    found = ops.native_batch_norm(input, weight, bias, mean, var, True, momentum, eps)
    return (*found, _reserve(input))


def _with_update_functional(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, momentum: float, eps: float
) -> Any:
    mean, var = mean.clone(), var.clone()
    found = ops.native_batch_norm(input, weight, bias, mean, var, True, momentum, eps)
    return (*found, _reserve(input), mean, var)


def _no_update(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, momentum: float, eps: float
) -> Any:
    found = ops.native_batch_norm(input, weight, bias, mean, var, False, momentum, eps)
    return (*found, _reserve(input))


def _backward(
    grad_out: Any, input: Any, weight: Any, mean: Any, var: Any, save_mean: Any, save_var: Any,
    update: bool, eps: float, mask: Any, reserve: Any,
) -> Any:  # fmt: skip
    return ops.native_batch_norm_backward(
        grad_out, input, weight, mean, var, save_mean, save_var, update, eps, mask
    )


# A formula names itself what it needs of the call: only that is kept.


def _as_told(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None, None, None
    return ops.native_batch_norm_backward(
        g[0], c.input, c.weight, c.running_mean, c.running_var, c.result1, c.result2, c.training,
        c.eps, c.mask,
    )  # fmt: skip


def _without_running(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None, None, None
    return ops.native_batch_norm_backward(
        g[0], c.input, c.weight, None, None, c.result1, c.result2, c.training, c.eps, c.mask
    )


def _by_batch(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None, None, None
    return ops.native_batch_norm_backward(
        g[0], c.input, c.weight, None, None, c.result1, c.result2, True, c.eps, c.mask
    )


def _by_running(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None, None, None
    return ops.native_batch_norm_backward(
        g[0], c.input, c.weight, c.running_mean, c.running_var, c.result1, c.result2, False,
        c.eps, c.mask,
    )  # fmt: skip


#: Whether the batch's statistics are taken, where the op does not say.
_TRAINING = {_by_batch: True, _by_running: False}


def _on_one_device(schema: str, composite: Any) -> Any:
    """*composite*, after the op's own look at the devices of its tensors."""
    name = f"aten::{schema.partition('(')[0]}"

    def checked(*args: Any) -> Any:
        refuse_apart(name, args)
        return composite(*args)

    return checked


def _op(
    schema: str, gradient: Any, composite: Any, tags: tuple[str, ...] = (), **fields: Any
) -> None:
    """A row of this family; *gradient* is that of the first result."""
    op(
        schema,
        composite=_on_one_device(schema, composite),
        kinds={"functional": "explicit", "inplace": "explicit"},
        grad={"input, weight, bias": gradient},
        tangent=batch_norm_tangent(_TRAINING.get(gradient)),
        tags=("one_gradient", "one_tangent", *tags),
        **fields,
    )


_op(
    f"_native_batch_norm_legit({_INPUTS}, {_WRITTEN}, bool training, {_NUMBERS})"
    " -> (Tensor, Tensor, Tensor)",
    _as_told,
    _legit,
    says="Normalise each channel over the batch and move the running statistics.",
    variants="function",
    samples="native_batch_norm_legit",
)
_op(
    f"_native_batch_norm_legit.no_stats({_INPUTS}, bool training, {_NUMBERS})"
    " -> (Tensor, Tensor, Tensor)",
    _without_running,
    _no_stats,
    variants="function",
    samples="native_batch_norm_no_stats",
    node=1,
)
_op(
    f"_native_batch_norm_legit_no_training({_INPUTS}, {_READ}, {_NUMBERS})"
    " -> (Tensor, Tensor, Tensor)",
    _by_running,
    _no_training,
    says="Normalise each channel by the running statistics.",
    variants="function",
    samples="native_batch_norm_running",
    tags=("loops: functional",),
)
_op(
    f"_native_batch_norm_legit_functional({_INPUTS}, {_READ}, bool training, {_NUMBERS})"
    f" -> (Tensor, Tensor, Tensor, {_STATISTICS_OUT})",
    _as_told,
    _functional,
    variants="",
)
_op(
    f"_batch_norm_with_update({_INPUTS}, {_WRITTEN}, {_NUMBERS})"
    " -> (Tensor, Tensor, Tensor, Tensor)",
    _by_batch,
    _with_update,
    variants="",
)
_op(
    f"_batch_norm_with_update_functional({_INPUTS}, {_READ}, {_NUMBERS})"
    f" -> (Tensor, Tensor, Tensor, Tensor, {_STATISTICS_OUT})",
    _by_batch,
    _with_update_functional,
    variants="",
)
_op(
    f"_batch_norm_no_update({_INPUTS}, Tensor? running_mean, Tensor? running_var, {_NUMBERS})"
    " -> (Tensor, Tensor, Tensor, Tensor)",
    _by_running,
    _no_update,
    variants="",
)
op(
    "batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, "
    "Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, "
    "bool[3] output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor)",
    composite=_on_one_device("batch_norm_backward(", _backward),
    kinds={"functional": "explicit"},
    variants="",
)
