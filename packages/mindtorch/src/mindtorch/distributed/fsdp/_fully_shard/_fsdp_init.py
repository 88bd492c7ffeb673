"""What ``fully_shard`` finds out of its arguments: processes, modules, parameters, buffers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from .... import accelerator, nn
from ....tensor import Tensor
from ... import distributed_c10d as c10d
from ..._contract import _get_registry
from ...device_mesh import DeviceMesh, init_device_mesh
from ...tensor import DTensor
from ._fsdp_common import FSDPMeshInfo, HSDPMeshInfo, resolve_shard_placement
from ._fsdp_common import _get_device_from_mesh as _get_device_from_mesh
from ._fsdp_param_group import FSDPParamGroup
from ._fsdp_state import FSDPState, _get_module_fsdp_state

__all__ = ["_get_managed_modules", "_get_managed_states", "_get_post_forward_mesh_info"]

logger = logging.getLogger("mindtorch.distributed.fsdp.fully_shard")
_warned: set[str] = set()


def _validate_module(module: Any, func_name: str) -> None:
    """Raise ValueError for containers without a forward."""
    for each in [module] if isinstance(module, nn.Module) else list(module):
        if isinstance(each, nn.ModuleList | nn.ModuleDict):
            raise ValueError(
                f"{func_name} does not support containers that do not implement forward: {each}"
            )


def _validate_mesh(mesh: DeviceMesh, dp_mesh_dims: Any = None) -> None:
    """Raise ValueError for more than two dimensions, AssertionError for two without names.

    Raises NotImplementedError where dimensions are chosen by name.
    """
    if dp_mesh_dims is not None:
        raise NotImplementedError(
            "fully_shard does not support dp_mesh_dims: give the mesh of those dimensions"
        )
    if mesh.ndim not in (1, 2):
        raise ValueError(f"fully_shard expects a 1D or 2D DeviceMesh but got {mesh}")
    if mesh.ndim == 2 and mesh.mesh_dim_names is None:
        raise AssertionError("Please init the 2D mesh for HSDP with mesh_dim_names specified")


def _get_mesh_info(mesh: DeviceMesh) -> FSDPMeshInfo:
    """The processes of a mesh that splits, or of one that repeats and splits."""
    if mesh.ndim == 1:
        return FSDPMeshInfo(mesh, shard_mesh_dim=0)
    return HSDPMeshInfo(mesh, shard_mesh_dim=1, replicate_mesh_dim=0)


def _get_post_forward_mesh_info(
    reshard_after_forward: bool | int, mesh_info: FSDPMeshInfo
) -> FSDPMeshInfo | None:
    """The processes that have a parameter between forward and backward; None: each has the whole.

    Raises ValueError for a number that does not divide that of the processes.
    """
    if not isinstance(reshard_after_forward, bool | int):
        raise ValueError(
            "reshard_after_forward should be a bool or an int representing the group size to "
            f"reshard to, not {reshard_after_forward}"
        )
    if isinstance(reshard_after_forward, bool):
        return mesh_info if reshard_after_forward else None
    size, count = mesh_info.shard_mesh_size, reshard_after_forward
    if count < 1 or count > size or size % count:
        raise ValueError(
            "If passing reshard_after_forward as an int, it should be a factor of "
            f"{size}, not {count}"
        )
    if count == 1:
        text = (
            "reshard_after_forward=1 (int) means resharding parameters to world size 1, instead "
            "of reshard_after_forward=True (bool)"
        )
        if text not in _warned:
            _warned.add(text)
            logger.warning(text, stacklevel=2)
        return None
    if count == size:
        return mesh_info
    mesh = DeviceMesh(mesh_info.mesh.device_type, mesh_info.mesh.mesh.view(-1, count))
    return HSDPMeshInfo(mesh, shard_mesh_dim=1, replicate_mesh_dim=0)


def _init_default_fully_shard_mesh(modules: Iterable[nn.Module] = ()) -> DeviceMesh:
    """The mesh of all processes: of the accelerator if parameters lie there, or will.

    Those that lie nowhere or on the host will where the default group was made for an accelerator:
    by a backend of its own. torch takes the accelerator wherever there is one.
    """
    if not c10d.is_initialized():
        c10d.init_process_group()
    kinds = {p.device.type for module in modules for p in module.parameters()} - {"cpu", "meta"}
    there = accelerator.current_accelerator()
    backends = c10d.get_backend_config().split(",") if c10d.get_backend() != "undefined" else ()
    meant = any(not each.endswith(":gloo") and not each.startswith("cpu:") for each in backends)
    kind = there.type if there is not None and (kinds or meant) else "cpu"
    return init_device_mesh(kind, (c10d.get_world_size(),))


def _is_composable(module: nn.Module) -> bool:
    registry = _get_registry(module)
    return registry is None or "replicate" not in registry


def _get_managed_modules(
    root_modules: tuple[nn.Module, ...], ignored_params: set[Any] | None = None
) -> list[nn.Module]:
    """The modules inside *root_modules*, leaves first, but those that something else manages.

    :param ignored_params: modules that have no other parameters are left out.
    """
    found: list[nn.Module] = []
    seen: set[nn.Module] = set()

    def visit(module: nn.Module, is_root: bool) -> None:
        if module in seen or not _is_composable(module):
            return
        if not is_root and _get_module_fsdp_state(module) is not None:
            return
        seen.add(module)
        for child in module.children():
            visit(child, child in root_modules)
        found.append(module)

    for root in root_modules:
        visit(root, True)
    if not ignored_params:
        return found

    def is_left(module: nn.Module) -> bool:
        return not list(module.buffers()) and all(p in ignored_params for p in module.parameters())

    return [module for module in found if not is_left(module)]


def _get_managed_states(
    modules: list[nn.Module], ignored_params: set[Any] | None = None
) -> tuple[list[Any], list[Tensor]]:
    """The parameters and buffers of *modules*, each once.

    Raises ValueError for a parameter without dimensions.
    """
    params: dict[Any, None] = {}
    buffers: dict[Tensor, None] = {}
    for module in modules:
        for name, p in module._parameters.items():
            if p is None or (ignored_params and p in ignored_params):
                continue
            if p.ndim == 0:
                raise ValueError(
                    "fully_shard doesn't support scalar parameters. Change "
                    f"{name} to a 1D tensor with numel equal to 1."
                )
            params[p] = None
        for buffer in module._buffers.values():
            if buffer is not None:
                buffers[buffer] = None
    return list(params), list(buffers)


def _move_states_to_device(params: list[Any], buffers: list[Tensor], device: Any) -> None:
    """Have parameters and buffers on *device*; those that lie nowhere stay there.

    Raises ValueError for a distributed tensor on a mesh of other devices.
    """
    for tensor in (*params, *buffers):
        if tensor.device == device or tensor.device.type == "meta":
            continue
        if isinstance(tensor, DTensor):
            kind = tensor.device_mesh.device_type
            if kind != device.type:
                raise ValueError(
                    "Requires DTensor to have mesh of the same type as the FSDP mesh but got "
                    f"{kind} for DTensor and {device.type} for FSDP"
                )
            raise AssertionError(f"Expects DTensor to be moved to {kind} but got {tensor.device}")
        tensor.data = tensor.to(device)


def _init_param_group(
    state: FSDPState,
    params: list[Any],
    modules: tuple[nn.Module, ...],
    mesh_info: FSDPMeshInfo,
    reshard_after_forward: bool | int,
    device: Any,
    shard_placement_fn: Callable[..., Any] | None,
    mp_policy: Any,
    offload_policy: Any,
) -> None:
    """Make a group of *params*; several, if they are split over several groups of processes.

    Raises ValueError where parameters of one group of processes have several descriptions of it.
    """
    by_processes: dict[Any, tuple[FSDPMeshInfo, list[Any]]] = {}
    for p in params:
        info = mesh_info
        if shard_placement_fn is not None:
            info = resolve_shard_placement(shard_placement_fn(p), mesh_info).mesh_info
        key = (info.shard_process_group, getattr(info, "replicate_process_group", None))
        known, members = by_processes.setdefault(key, (info, []))
        if known is not info:
            raise ValueError(
                "Params sharing the same process group must use the same FSDPMeshInfo object, but "
                f"got different objects: {known} vs {info}"
            )
        members.append(p)
    for info, members in by_processes.values():
        after = _get_post_forward_mesh_info(reshard_after_forward, info)
        state._fsdp_param_groups.append(
            FSDPParamGroup(
                members,
                modules,
                info,
                after,
                device,
                shard_placement_fn,
                mp_policy,
                offload_policy,
            )
        )
