"""``torch.jit.annotations``: what annotations of scripts are made of."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple  # noqa: UP035  (offered to programs)

from mindtorch.core.unavailable import offer_listed

from .internal import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
    is_dict,
    is_list,
    is_optional,
    is_tuple,
    is_union,
)

__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "List",
    "Tuple",
    "is_dict",
    "is_list",
    "is_optional",
    "is_tuple",
    "is_union",
]

offer_listed(globals())
