"""Operators that do the same to data and mask: they move elements and compute nothing.

Their rows have the tag ``"moves_mask"``.
"""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from ...call.dispatch_entry import OVERLOADS
from .core import TAGGED, _map_mt_args_kwargs, _wrap_result

__all__: list[str] = []

_TAG = "moves_mask"


def _is_pass_through_fn(fn: Any) -> bool:
    """Whether the operator *fn*, a packet of ``torch.ops.aten``, is applied to data and mask."""
    name = fn.__name__
    if getattr(ops.aten, name, None) is not fn:
        return False
    overloads = [f"aten::{name}.{o}".removesuffix(".default") for o in fn.overloads()]
    return any(_TAG in OVERLOADS[o].row.tags for o in overloads if o in OVERLOADS)


def _apply_pass_through_fn(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Run *fn* on the data and on the masks of its arguments."""
    data_args, data_kwargs = _map_mt_args_kwargs(args, kwargs, lambda x: x.get_data())
    mask_args, mask_kwargs = _map_mt_args_kwargs(args, kwargs, lambda x: x.get_mask())
    return _wrap_result(fn(*data_args, **data_kwargs), fn(*mask_args, **mask_kwargs))


TAGGED[_TAG] = _apply_pass_through_fn
