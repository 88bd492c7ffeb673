"""Limits on gradients."""

from __future__ import annotations

import math
from collections.abc import Iterable
from types import GeneratorType
from typing import Any

from mindtorch_autograd import no_grad

from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from ...utils._foreach_utils import _group_tensors_by_device_and_dtype

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
]


def _listed(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def get_total_norm(
    tensors: Any,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """The norm of all tensors' numbers together, as a 0-d tensor."""
    with no_grad():
        listed = _listed(tensors)
        norm_type = float(norm_type)
        if not listed:
            return ops.tensor(0.0)
        device = listed[0].device
        norms = [ops.linalg_vector_norm(t, norm_type).to(device) for t in listed]
        total = ops.linalg_vector_norm(ops.stack(norms), norm_type)
        if error_if_nonfinite and not math.isfinite(total.item()):
            raise RuntimeError(
                f"The total norm of order {norm_type} for gradients from `parameters` is "
                "non-finite, so it cannot be clipped. To disable this error and scale the "
                "gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
            )
        return total


def clip_grads_with_norm_(
    parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None
) -> None:
    """Scale gradients whose total norm is *total_norm* down to *max_norm*."""
    with no_grad():
        grads = [p.grad for p in _listed(parameters) if p.grad is not None]
        limit = float(max_norm)
        if not grads:
            return
        # Multiplying by 1 where nothing is to do needs no look at the norm, so no waiting.
        factor = ops.clamp(limit / (total_norm + 1e-6), max=1.0)
        for grad in grads:
            grad.mul_(factor.to(grad.device))


def clip_grad_norm_(
    parameters: Iterable[Any] | Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Scale the gradients of *parameters* in place so that their total norm is at most *max_norm*.

    :returns: the norm that they had.
    """
    lazily = isinstance(parameters, GeneratorType)
    listed = _listed(parameters)
    if lazily and not listed:
        warn("`parameters` is an empty generator, no gradient clipping will occur.")
    grads = [p.grad for p in listed if p.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(listed, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Iterable[Any] | Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Old name of :func:`clip_grad_norm_`."""
    warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(
    parameters: Iterable[Any] | Any, clip_value: float, foreach: bool | None = None
) -> None:
    """Hold the gradients of *parameters* between ``-clip_value`` and ``clip_value``, in place."""
    limit = float(clip_value)
    with no_grad():
        grads = [p.grad for p in _listed(parameters) if p.grad is not None]
        # An empty list cannot be parted, so a call before any backward is an error, as in torch.
        _group_tensors_by_device_and_dtype([grads])
        for grad in grads:
            if foreach is False:
                grad.clamp_(min=-limit, max=limit)
            else:  # as of a list: one bound after the other
                grad.clamp_(min=-limit).clamp_(max=limit)
