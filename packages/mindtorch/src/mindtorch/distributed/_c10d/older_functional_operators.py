"""The operators ``c10d_functional::…``: functional collectives whose group is a tag and ranks.

Each calls the operator of the same name in ``_c10d_functional`` for the group that was found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._library.library import Library
from ..._ops import ops
from . import functional_operators as _operators  # noqa: F401 - makes those that are called
from .groups import _resolve_group_name_by_ranks_and_tag

__all__: list[str] = []

_LIBRARY = Library("c10d_functional", "DEF")
_GROUP = "str tag, int[] ranks, int group_size"
#: The arguments before the group, what is given, and whether a call wants the size of the group.
_SCHEMAS = {
    "broadcast": ("Tensor self, int src", "Tensor", False),
    "all_reduce": ("Tensor self, str reduceOp", "Tensor", False),
    "all_reduce_coalesced": ("Tensor[] self, str reduceOp", "Tensor[]", False),
    "all_gather_into_tensor": ("Tensor shard", "Tensor", True),
    "all_gather_into_tensor_coalesced": ("Tensor[] input", "Tensor[]", True),
    "reduce_scatter_tensor": ("Tensor input, str reduceOp", "Tensor", True),
    "reduce_scatter_tensor_coalesced": ("Tensor[] inputs, str reduceOp", "Tensor[]", True),
}


def _passes_on(name: str, wants_size: bool) -> Callable[..., Any]:
    def kernel(*args: Any) -> Any:
        *given, tag, ranks, size = args
        group = _resolve_group_name_by_ranks_and_tag(ranks, tag)
        sized = (size,) if wants_size else ()
        return getattr(ops._c10d_functional, name)(*given, *sized, group)

    return kernel


def _all_to_all(
    input: Any, output_sizes: Any, input_sizes: Any, tag: str, ranks: list[int], size: int
) -> Any:
    equal = [input.shape[0] // size] * size
    group = _resolve_group_name_by_ranks_and_tag(ranks, tag)
    return ops._c10d_functional.all_to_all_single(
        input,
        equal if output_sizes is None else output_sizes,
        equal if input_sizes is None else input_sizes,
        group,
    )


for _name, (_takes, _gives, _wants_size) in _SCHEMAS.items():
    _LIBRARY.define(f"{_name}({_takes}, {_GROUP}) -> {_gives}")
    _LIBRARY.impl(_name, _passes_on(_name, _wants_size), "CompositeImplicitAutograd")
_LIBRARY.define(
    "all_to_all_single(Tensor input, SymInt[]? output_split_sizes, SymInt[]? input_split_sizes, "
    f"{_GROUP}) -> Tensor"
)
_LIBRARY.impl("all_to_all_single", _all_to_all, "CompositeImplicitAutograd")
_LIBRARY.define("wait_tensor(Tensor self) -> Tensor")
_LIBRARY.impl(
    "wait_tensor", lambda self: ops._c10d_functional.wait_tensor(self), "CompositeImplicitAutograd"
)
