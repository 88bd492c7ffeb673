"""Collectives of Python objects, which travel as pickles in tensors of bytes."""

from __future__ import annotations

import io
import pickle
from typing import Any

from ...aten import torch
from ...tensor import Tensor
from . import collectives as c
from . import point_to_point as p
from .collective_checks import _warn_not_in_group
from .collectives import _public
from .fake import others_are_imagined
from .process_group import ProcessGroup
from .world import (
    _canonicalize_group_rank,
    _check_not_self_rank,
    _get_object_coll_device,
    _group_or_default_group,
    _rank_not_in_group,
)

__all__ = [
    "_object_to_tensor",
    "_tensor_to_object",
    "all_gather_object",
    "broadcast_object_list",
    "gather_object",
    "recv_object_list",
    "scatter_object_list",
    "send_object_list",
]


def _object_to_tensor(obj: Any, device: Any, group: Any) -> tuple[Tensor, Tensor]:
    stream = io.BytesIO()
    pickle.Pickler(stream).dump(obj)
    # A copy, for the memory of a buffer cannot grow to the length of the longest object.
    data = torch.frombuffer(bytearray(stream.getvalue()), dtype=torch.uint8).clone().to(device)
    return data, torch.tensor([data.numel()], dtype=torch.int64, device=device)


def _tensor_to_object(tensor: Tensor, tensor_size: Any, group: Any) -> Any:
    data = tensor.cpu().numpy().tobytes()[: int(tensor_size)]
    return pickle.loads(data)


def _copy(obj: Any) -> Any:
    return pickle.loads(pickle.dumps(obj))


def _put_copies(obj: Any, objects: list[Any], group: ProcessGroup) -> None:
    """Have in *objects* what all processes would give that have what this one has."""
    for i in range(group.size() if objects else 0):
        objects[i] = _copy(obj)


def _gathered(obj: Any, group: ProcessGroup) -> tuple[Tensor, list[Tensor], int]:
    """The bytes of *obj*, as long as the longest, and how long all are."""
    device = _get_object_coll_device(group)
    data, size = _object_to_tensor(obj, device, group)
    sizes = [torch.zeros(1, dtype=torch.int64, device=device) for _ in range(group.size())]
    c.all_gather(sizes, size, group=group)
    longest = int(max(int(s.item()) for s in sizes))
    data.resize_(longest)
    return data, sizes, longest


@_public
def all_gather_object(object_list: Any, obj: Any, group: Any = None) -> None:
    """Put the object of each into the list of all."""
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_gather_object")
    pg = _group_or_default_group(group)
    if others_are_imagined():
        return _put_copies(obj, object_list, pg)
    data, sizes, longest = _gathered(obj, pg)
    parts = [torch.empty(longest, dtype=torch.uint8, device=data.device) for _ in sizes]
    c.all_gather(parts, data, group=pg)
    for i, part in enumerate(parts):
        object_list[i] = _tensor_to_object(part, sizes[i].item(), pg)


@_public
def gather_object(
    obj: Any,
    object_gather_list: list[Any] | None = None,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    group_dst: int | None = None,
) -> None:
    """Put the object of each into the list of one."""
    group = _group_or_default_group(group)
    if dst is None and group_dst is None:
        dst = 0
    group_dst = _canonicalize_group_rank(group, dst, group_dst, return_global=False)
    if _rank_not_in_group(group):
        return _warn_not_in_group("gather_object")
    c._validate_output_list_for_rank(group.rank(), group_dst, object_gather_list)
    if others_are_imagined():
        return _put_copies(obj, object_gather_list or [], group)
    data, sizes, longest = _gathered(obj, group)
    mine = group.rank() == group_dst
    new = [torch.empty(longest, dtype=torch.uint8, device=data.device) for _ in sizes]
    c.gather(data, gather_list=new if mine else None, group_dst=group_dst, group=group)
    if mine and object_gather_list is not None:
        for i, part in enumerate(new):
            object_gather_list[i] = _tensor_to_object(part, sizes[i].item(), group)


def _packed(object_list: Any, device: Any, group: Any) -> tuple[Tensor, Tensor]:
    """The bytes of all objects in one tensor, and how long each is."""
    pairs = [_object_to_tensor(obj, device, group) for obj in object_list]
    if not pairs:
        return torch.empty(0, dtype=torch.uint8), torch.empty(0, dtype=torch.int64)
    return torch.cat([p[0] for p in pairs]), torch.cat([p[1] for p in pairs])


def _unpack(object_list: Any, data: Tensor, sizes: Tensor, group: Any) -> None:
    at = 0
    for i, size in enumerate(sizes.tolist()):
        object_list[i] = _tensor_to_object(data[at : at + size], size, group)
        at += size


@_public
def send_object_list(
    object_list: list[Any],
    dst: int | None = None,
    group: ProcessGroup | None = None,
    device: Any = None,
    group_dst: int | None = None,
    use_batch: bool = False,
) -> None:
    """Send objects to one process."""
    group = _group_or_default_group(group)
    group_dst = _canonicalize_group_rank(group, dst, group_dst)
    _check_not_self_rank(group, group_dst, "destination")
    if _rank_not_in_group(group):
        return _warn_not_in_group("send_object_list")
    if others_are_imagined():
        return
    data, sizes = _packed(object_list, device or _get_object_coll_device(group), group)
    p.send(sizes, group_dst=group_dst, group=group)
    p.send(data, group_dst=group_dst, group=group)


@_public
def recv_object_list(
    object_list: list[Any],
    src: int | None = None,
    group: ProcessGroup | None = None,
    device: Any = None,
    group_src: int | None = None,
    use_batch: bool = False,
) -> int:
    """Receive objects; who sent them."""
    if _rank_not_in_group(group):
        _warn_not_in_group("recv_object_list")
        return -1
    group = _group_or_default_group(group)
    if others_are_imagined():  # what is in the list stays
        return 0 if src is None else src
    device = device or _get_object_coll_device(group)
    sizes = torch.empty(len(object_list), dtype=torch.int64, device=device)
    source = p.recv(sizes, src=src, group=group, group_src=group_src)
    data = torch.empty(int(sizes.sum()), dtype=torch.uint8, device=device)
    if p.recv(data, src=src, group=group, group_src=group_src) != source:
        raise AssertionError("Mismatch in return ranks for object sizes and objects.")
    _unpack(object_list, data, sizes, group)
    return source


@_public
def broadcast_object_list(
    object_list: list[Any],
    src: int | None = None,
    group: ProcessGroup | None = None,
    device: Any = None,
    group_src: int | None = None,
) -> None:
    """Put the objects of one into the list of all."""
    group = _group_or_default_group(group)
    if src is None and group_src is None:
        src = 0
    group_src = _canonicalize_group_rank(group, src, group_src, return_global=False)
    if _rank_not_in_group(group):
        return _warn_not_in_group("broadcast_object_list")
    if others_are_imagined():  # whoever receives has what it would send
        return
    device = device or _get_object_coll_device(group)
    mine = group.rank() == group_src
    if mine:
        data, sizes = _packed(object_list, device, group)
    else:
        sizes = torch.empty(len(object_list), dtype=torch.int64, device=device)
    c.broadcast(sizes, group_src=group_src, group=group)
    if not mine:
        data = torch.empty(int(sizes.sum()), dtype=torch.uint8, device=device)
    c.broadcast(data, group_src=group_src, group=group)
    if not mine:
        _unpack(object_list, data, sizes, group)


@_public
def scatter_object_list(
    scatter_object_output_list: list[Any],
    scatter_object_input_list: list[Any] | None = None,
    src: int | None = None,
    group: ProcessGroup | None = None,
    group_src: int | None = None,
) -> None:
    """Give each process one of the objects of one."""
    group = _group_or_default_group(group)
    if src is None and group_src is None:
        src = 0
    group_src = _canonicalize_group_rank(group, src, group_src)
    if _rank_not_in_group(group):
        return _warn_not_in_group("scatter_object_list")
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise ValueError(
            "Expected argument scatter_object_output_list to be a list of size at least 1."
        )
    if others_are_imagined():
        if scatter_object_input_list is not None:
            scatter_object_output_list[0] = _copy(scatter_object_input_list[group.rank()])
        return
    device = _get_object_coll_device(group)
    mine = group.rank() == group_src
    parts: list[Tensor] = []
    sizes: list[Tensor] = []
    longest = torch.zeros(1, dtype=torch.int64, device=device)
    if mine:
        if scatter_object_input_list is None:
            raise ValueError("source rank must provide non-None scatter_object_input_list")
        for obj in scatter_object_input_list:
            part, size = _object_to_tensor(obj, device, group)
            parts.append(part)
            sizes.append(size)
        longest[0] = max(int(s.item()) for s in sizes)
        for part in parts:
            part.resize_(int(longest.item()))
    c.broadcast(longest, group_src=group_src, group=group)
    output = torch.empty(int(longest.item()), dtype=torch.uint8, device=device)
    c.scatter(output, parts if mine else None, group_src=group_src, group=group)
    size = torch.zeros(1, dtype=torch.int64, device=device)
    c.scatter(size, sizes if mine else None, group_src=group_src, group=group)
    scatter_object_output_list[0] = _tensor_to_object(output, size.item(), group)
