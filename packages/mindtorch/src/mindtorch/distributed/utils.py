"""Helpers of parallel modules: tensors of nested arguments, states of modules."""

from __future__ import annotations

import dataclasses
import traceback
from collections import OrderedDict
from collections.abc import Callable, Container
from typing import Any

from .. import nn
from ..aten import torch
from ..tensor import Tensor
from ._c10d.buckets import _broadcast_coalesced, _verify_params_across_processes

__all__: list[str] = []


def _pack_kwargs(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    return (*args, *kwargs.values()), tuple(kwargs)


def _unpack_kwargs(
    flat_args: tuple[Any, ...], kwarg_keys: tuple[str, ...]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if len(kwarg_keys) > len(flat_args):
        raise AssertionError(f"too many keys {len(kwarg_keys)} vs. {len(flat_args)}")
    if not kwarg_keys:
        return flat_args, {}
    count = len(kwarg_keys)
    return flat_args[:-count], dict(zip(kwarg_keys, flat_args[-count:]))


def _apply_to_tensors(fn: Callable[[Tensor], Any], container: Any) -> Any:
    def apply(x: Any) -> Any:
        if isinstance(x, Tensor):
            return fn(x)
        if dataclasses.is_dataclass(x) and not isinstance(x, type):
            fields = {f.name: apply(getattr(x, f.name)) for f in dataclasses.fields(x)}
            return dataclasses.replace(x, **fields)
        if isinstance(x, OrderedDict):
            made = type(x)()
            for key, value in x.items():
                made[key] = apply(value)
            return made
        if isinstance(x, nn.utils.rnn.PackedSequence):
            apply(x.data)
            return x
        if isinstance(x, dict):
            return {key: apply(value) for key, value in x.items()}
        if isinstance(x, tuple) and hasattr(x, "_asdict"):
            return type(x)(*(apply(v) for v in x))
        if isinstance(x, list | tuple | set):
            return type(x)(apply(v) for v in x)
        return x

    return apply(container)


def _cast_forward_inputs(dtype: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    if dtype is None:
        return args, kwargs

    def cast(x: Tensor) -> Tensor:
        return x.to(dtype) if x.is_floating_point() and x.dtype != dtype else x

    return _apply_to_tensors(cast, args), _apply_to_tensors(cast, kwargs)


def _recursive_to(
    inputs: Any, target_device: Any, use_side_stream_for_tensor_copies: bool
) -> list[Any]:
    def move(x: Any) -> Any:
        if isinstance(x, Tensor):
            return x if x.device == target_device else x.to(target_device)
        if isinstance(x, tuple) and hasattr(x, "_asdict"):
            return type(x)(*map(move, x))
        if isinstance(x, list | tuple):
            return type(x)(map(move, x))
        if isinstance(x, dict):
            return type(x)({k: move(v) for k, v in x.items()})
        return x

    return [move(inputs)]


def _to_kwargs(
    inputs: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    target_device: Any,
    use_side_stream_for_tensor_copies: bool,
) -> tuple[tuple[Any, ...], tuple[dict[str, Any], ...]]:
    moved = _recursive_to(inputs, target_device, use_side_stream_for_tensor_copies)
    named = _recursive_to(kwargs or {}, target_device, use_side_stream_for_tensor_copies)
    return tuple(moved), tuple(named)


def _alloc_storage(tensor: Tensor, size: Any) -> None:
    storage = tensor.untyped_storage()
    want = torch.Size(size).numel() * tensor.element_size()
    if storage.size() != want:
        storage.resize_(want)


def _free_storage(tensor: Tensor) -> None:
    storage = tensor.untyped_storage()
    if storage.size():
        storage.resize_(0)


def _data_ptr_allocated(tensor: Tensor) -> bool:
    return tensor.untyped_storage().data_ptr() > 0


def _p_assert(cond: Any, s: str, raise_assertion_error: bool = True) -> None:
    if not cond:
        print(s)
        traceback.print_stack()
        if raise_assertion_error:
            raise AssertionError(s)


def _verify_param_shape_across_processes(
    process_group: Any, tensors: list[Tensor], logger: Any = None
) -> None:
    _verify_params_across_processes(process_group, tensors, logger)


def _sync_params_and_buffers(
    process_group: Any, module_states: list[Tensor], broadcast_bucket_size: int, src: int
) -> None:
    if module_states:
        _broadcast_coalesced(process_group, module_states, broadcast_bucket_size, src)


def _sync_module_states(
    module: nn.Module,
    process_group: Any,
    broadcast_bucket_size: int,
    src: int,
    params_and_buffers_to_ignore: Container[str],
    broadcast_buffers: bool = True,
) -> None:
    states = [
        p.detach() for n, p in module.named_parameters() if n not in params_and_buffers_to_ignore
    ]
    if broadcast_buffers:
        states += [
            b.detach() for n, b in module.named_buffers() if n not in params_and_buffers_to_ignore
        ]
    _sync_params_and_buffers(process_group, states, broadcast_bucket_size, src)


def _replace_by_prefix(state_dict: dict[str, Any], old_prefix: str, new_prefix: str) -> None:
    if old_prefix == new_prefix:
        raise ValueError("old_prefix and new_prefix must be distinct")
    for key in list(state_dict):
        if key.startswith(old_prefix):
            state_dict[new_prefix + key[len(old_prefix) :]] = state_dict.pop(key)


def _get_root_modules(modules: list[nn.Module]) -> list[nn.Module]:
    inner = {id(m) for each in modules for m in each.modules() if m is not each}
    return [m for m in modules if id(m) not in inner]
