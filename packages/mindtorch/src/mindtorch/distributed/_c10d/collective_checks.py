"""Checks of what collectives are called with, and the words of their refusals."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...core.warning import warn
from ...tensor import Tensor
from .world import GroupMember


def _check_single_tensor(param: Any, param_name: str) -> None:
    if not isinstance(param, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{param_name}` of type torch.Tensor\n"
            f"             but got {type(param)} instead."
        )


def _check_tensor_list(param: Any, param_name: str) -> None:
    if not isinstance(param, list | tuple) or not all(isinstance(p, Tensor) for p in param):
        kind = "list" if isinstance(param, list) else type(param)
        raise TypeError(
            f"Invalid function argument. Expected parameter `{param_name}` of type "
            f"List[torch.Tensor]\n             but got {type(param)} instead."
            if kind != "list"
            else f"Invalid function argument. Expected parameter `{param_name}` of type "
            f"List[torch.Tensor]\n             but got {type(param)} with elements of type "
            f"{[type(p) for p in param]}."
        )


def _as_iterable(obj: Any) -> Any:
    return obj if isinstance(obj, list) else (obj,)


def _ensure_all_tensors_same_dtype(*tensors: Any) -> None:
    last = None
    for tensor in (t for each in tensors for t in _as_iterable(each)):
        dtype = tensor.dtype
        # A complex tensor may go beside a real one: their memory is the same.
        if dtype.is_complex:
            dtype = torch.float32 if dtype == torch.complex64 else torch.complex128
        if last is None:
            last = dtype
        elif last != dtype:
            raise ValueError(
                f"Invalid usage of tensors with different dtypesFound {last} and  {tensor.dtype}"
            )


def _warn_not_in_group(op_name: str) -> None:
    rank = -1 if GroupMember.WORLD is None else GroupMember.WORLD.rank()
    warn(
        f"Running {op_name} on global rank {rank} which does not belong to the given group.",
    )


def _check_all(**given: Any) -> None:
    """Refuse what is no tensor, or under the name of a list none of them, or not of one dtype."""
    for name, value in given.items():
        (_check_tensor_list if name.endswith("list") else _check_single_tensor)(value, name)
    _ensure_all_tensors_same_dtype(*given.values())


def _validate_output_list_for_rank(my_rank: int, dst: int, gather_list: Any) -> None:
    here = my_rank == dst
    if here == bool(gather_list):
        return
    where = "specified on destination rank" if here else "NOT be specified on non-destination ranks"
    raise ValueError(f"Argument ``gather_list`` must {'be ' if here else ''}{where}.")
