"""Operators that do the same to data and mask: they move elements and compute nothing."""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from .core import OPERATORS, _map_mt_args_kwargs, _wrap_result

__all__: list[str] = []

PASSTHROUGH_FNS = [
    getattr(ops.aten, name)
    for name in (
        "select transpose split t slice slice_backward select_backward index expand view "
        "_unsafe_view _reshape_alias cat unsqueeze unfold unfold_backward im2col col2im stack"
    ).split()
]


def _is_pass_through_fn(fn: Any) -> bool:
    """Whether the operator *fn* is applied to data and mask alike."""
    return fn in PASSTHROUGH_FNS


def _apply_pass_through_fn(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Run *fn* on the data and on the masks of its arguments."""
    data_args, data_kwargs = _map_mt_args_kwargs(args, kwargs, lambda x: x.get_data())
    mask_args, mask_kwargs = _map_mt_args_kwargs(args, kwargs, lambda x: x.get_mask())
    return _wrap_result(fn(*data_args, **data_kwargs), fn(*mask_args, **mask_kwargs))


def _handler(fn: Any) -> Any:
    return lambda *args, **kwargs: _apply_pass_through_fn(fn, *args, **kwargs)


OPERATORS.update((fn, _handler(fn)) for fn in PASSTHROUGH_FNS)
