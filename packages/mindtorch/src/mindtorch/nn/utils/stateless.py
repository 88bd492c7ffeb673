"""Modules called with other parameters than their own: the older name of ``torch.func``'s."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from ... import func
from ...aten.torch import Tensor
from ...core.warning import warn
from ...func.modules import _exchanged, _with_ties

__all__ = ["functional_call"]


def _untie_named_tensors_map(
    module: Any, parameters_and_buffers: dict[str, Tensor]
) -> dict[str, Tensor]:
    """*parameters_and_buffers* under all names of what the module has under several."""
    named = dict(module.named_parameters(remove_duplicate=False))
    named.update(module.named_buffers(remove_duplicate=False))
    return _with_ties(named, parameters_and_buffers)


def _reparametrize_module(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    tie_weights: bool = False,
    strict: bool = False,
    stack_weights: bool = False,
) -> AbstractContextManager[None]:
    """A block in which *module* has other parameters and buffers.

    :param stack_weights: put them back in the opposite order, which they always are here.
    """
    return _exchanged(module, parameters_and_buffers, tie_weights, strict)


def functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call *module* with other parameters and buffers; ``torch.func.functional_call`` is newer."""
    warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be "
        "removed in a future version of PyTorch. Please use `torch.func.functional_call` instead "
        "which is a drop-in replacement.",
        FutureWarning,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def _functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    return func.functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )
