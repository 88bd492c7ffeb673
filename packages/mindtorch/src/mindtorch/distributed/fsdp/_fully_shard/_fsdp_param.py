"""One parameter that is split over processes, and whole while its module runs."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from .... import nn
from ....aten import torch
from ....autograd import _unsafe_preserve_version_counter
from ....tensor import Tensor
from ...device_mesh import DeviceMesh
from ...tensor import DTensor, Replicate, Shard
from ...tensor._dtensor_spec import DTensorSpec, TensorMeta
from ...tensor._lines import cut, cut_all
from ...tensor.placement_types import Placement, _StridedShard
from ._fsdp_api import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy
from ._fsdp_common import (
    DataParallelMeshInfo,
    FSDPMeshInfo,
    HSDPMeshInfo,
    resolve_shard_placement,
)

__all__ = ["FSDPParam", "ParamModuleInfo", "ShardedState"]

_uids = itertools.count()


class ShardedState(Enum):
    """What modules have of a parameter."""

    #: The part of this process.
    SHARDED = auto()
    #: A larger part, of those that fewer processes have between forward and backward.
    SHARDED_POST_FORWARD = auto()
    #: The whole.
    UNSHARDED = auto()


@dataclass
class ParamModuleInfo:
    """The module that has a parameter with its name there, and others that have it too."""

    module: nn.Module
    param_name: str
    shared_modules: list[nn.Module] = field(default_factory=list)
    shared_param_names: list[str] = field(default_factory=list)


@dataclass
class _Extension:
    """What a tensor's own ``fsdp_pre_all_gather`` has said of what it sends."""

    metadata: Any = None
    sizes: tuple[Any, ...] = ()


def _uid_of(param: Any) -> int:
    """A number of the parameter as the program made it."""
    known: int | None = getattr(param, "_fsdp_orig_param_uid", None)
    if known is None:
        known = param._fsdp_orig_param_uid = next(_uids)
    return known


class FSDPParam:
    """A parameter of one or more modules.

    :param param: the parameter as the program made it; its part becomes a distributed tensor.
    :param post_forward_mesh_info: the processes that have it between forward and backward; None:
        it stays whole there.
    :param shard_placement_fn: gives for the parameter the dimension that is split.

    Raises AssertionError for a dimension that it does not have, NotImplementedError for strides
    that are not contiguous and for another dimension than the first that does not split evenly.
    """

    def __init__(
        self,
        param: Any,
        module_info: ParamModuleInfo,
        mesh_info: DataParallelMeshInfo,
        post_forward_mesh_info: FSDPMeshInfo | None,
        device: Any,
        shard_placement_fn: Any,
        mp_policy: MixedPrecisionPolicy,
        offload_policy: OffloadPolicy,
    ) -> None:
        self._module_info = module_info
        self._orig_param_uid = _uid_of(param)
        self.mesh_info, self.post_forward_mesh_info = mesh_info, post_forward_mesh_info
        self.device, self.mp_policy = device, mp_policy
        self.offload_to_cpu = isinstance(offload_policy, CPUOffloadPolicy)
        self.pin_memory = bool(
            self.offload_to_cpu and getattr(offload_policy, "pin_memory", False)
        ) and (device.type != "cpu")
        self.grad_offload_event: Any = None
        self._param_fqn: str | None = None
        self.unsharded_accumulated_grad: Any = None
        #: What was gathered, one line for each tensor that is sent; its memory is there while the
        #: parameter is whole.
        self.all_gather_outputs: list[Any] = []
        self._bytes: list[int] = []
        self._unsharded_param: Any = None
        self._sharded_post_forward_param: Any = None
        self._sharded_post_forward_param_data: Any = None
        self._extension: _Extension | None = None
        placement = None
        if shard_placement_fn is not None:
            placement = resolve_shard_placement(shard_placement_fn(param), mesh_info).placement
        self._split(param, placement)
        self.sharded_state = ShardedState.SHARDED
        self.init_dtype_attrs(mp_policy)

    # The part of this process

    @property
    def shard_mesh_size(self) -> int:
        """How many parts there are."""
        return self.mesh_info.shard_mesh_size if isinstance(self.mesh_info, FSDPMeshInfo) else 1

    @property
    def shard_mesh_rank(self) -> int:
        """Which of them this process has."""
        return self.mesh_info.shard_mesh_rank if isinstance(self.mesh_info, FSDPMeshInfo) else 0

    def _split(self, param: Any, placement: Any) -> None:
        if param.device != self.device and param.device.type != "meta":
            raise AssertionError(
                f"Expects the parameter to already be moved to device {self.device} but got "
                f"{param.device}"
            )
        whole: Any = param.detach()
        #: Of a parameter that lies on another mesh too, how; None of a plain one.
        self.inner: DTensorSpec | None = None
        if isinstance(whole, DTensor):
            self.inner, whole = whole._spec, whole._local_tensor
        self.is_dtensor = self.inner is not None
        if not whole.is_contiguous():
            raise NotImplementedError(
                "FSDP does not support non-contiguous parameters yet: "
                f"param.shape={param.shape} param.stride()={param.stride()}"
            )
        dim = 0 if placement is None else placement.dim
        self.fsdp_placement = Shard(dim + param.ndim if dim < 0 else dim)
        dim = self.fsdp_placement.dim
        if dim >= whole.ndim:
            raise AssertionError(
                f"Shard dim {dim} is invalid for {whole.ndim}D tensor: {param.shape}"
            )
        count = self.shard_mesh_size
        if dim and whole.shape[dim] % count:
            raise NotImplementedError(
                f"FSDP does not support uneven sharding on dim {dim}: {whole.size()} "
                f"(world size: {count})"
            )
        self._orig_size = whole.size()
        local = cut(whole, self.fsdp_placement, count, self.shard_mesh_rank)
        self.sharded_size = local.size()
        self._sharding_spec = self._spec(param)
        if self.offload_to_cpu and not local.is_meta:
            local = local.cpu()
            local = local.pin_memory() if self.pin_memory else local
        made: Any = DTensor(local, self._sharding_spec)
        self.sharded_param: Any = nn.Parameter(made, param.requires_grad)
        self._setattr_on_modules(self.sharded_param)

    def _spec(self, param: Any) -> DTensorSpec:
        shards = isinstance(self.mesh_info, FSDPMeshInfo)
        repeats: tuple[Placement, ...] = (Replicate(),) * (
            not shards or isinstance(self.mesh_info, HSDPMeshInfo)
        )
        meta = TensorMeta(param.shape, param.stride(), param.dtype)
        own: Placement = self.fsdp_placement
        if self.inner is None:
            return DTensorSpec(self.mesh_info.mesh, (*repeats, own) if shards else repeats, meta)
        inner, dim = self.inner.placements, self.fsdp_placement.dim
        cuts = math.prod(self.inner.mesh.size(i) for i, p in enumerate(inner) if p.is_shard(dim))
        if cuts > 1:
            own = _StridedShard(dim, split_factor=cuts)
        mesh = DeviceMesh._concatenate([self.mesh_info.mesh, self.inner.mesh])
        placed = (*repeats, own, *inner) if shards else (*repeats, *inner)
        return DTensorSpec(mesh, placed, meta)

    def init_dtype_attrs(self, mp_policy: MixedPrecisionPolicy) -> None:
        """Note in which dtypes it is used and reduced; None: in the one that it would be anyway."""
        self.orig_dtype = self.sharded_param.dtype
        used, reduced = mp_policy.param_dtype, mp_policy.reduce_dtype
        self.reduce_dtype = None if reduced == used else reduced
        same = used == self.orig_dtype or not self.orig_dtype.is_floating_point
        self.param_dtype = None if same else used

    @property
    def registered(self) -> Any:
        """What modules have of it now; a program may have put another in its place."""
        return self._module_info.module._parameters[self._module_info.param_name]

    def reset_sharded_param(self) -> None:
        """Take note of a parameter that was put in the place of the split one.

        Raises AttributeError for one that is not distributed.
        """
        if self.sharded_state is not ShardedState.SHARDED:
            return
        found: Any = self.registered
        local = found._local_tensor
        changed = found is not self.sharded_param or found.dtype != self.orig_dtype
        self.sharded_param = found
        self._sharding_spec = found._spec
        if self.pin_memory and local.device.type == "cpu" and not local.is_pinned():
            found._local_tensor = local.pin_memory()
        if changed:
            self._setattr_on_modules(found)
            self.init_dtype_attrs(self.mp_policy)
            self._unsharded_param, self.all_gather_outputs = None, []

    def _setattr_on_modules(self, param: Any) -> None:
        info = self._module_info
        info.module._parameters[info.param_name] = param
        for module, name in zip(info.shared_modules, info.shared_param_names, strict=True):
            module._parameters[name] = param

    @property
    def _sharded_local_tensor(self) -> Any:
        return self.sharded_param._local_tensor

    def padded_shape(self) -> list[int]:
        """The shape of the longest part, which all parts have when they are exchanged."""
        shape, dim = list(self._orig_size), self.fsdp_placement.dim
        shape[dim] = max(self.fsdp_placement.lengths(shape[dim], self.shard_mesh_size))
        return shape

    @property
    def padded_sharded_param_size(self) -> Any:
        """The shape of the longest part."""
        return torch.Size(self.padded_shape())

    # Exchange

    @property
    def all_gather_inputs(self) -> list[Any]:
        """What this process sends of it, each in one line, zeros behind it."""
        dtype = self.param_dtype
        if self.sharded_state is ShardedState.SHARDED_POST_FORWARD:
            kept = self._sharded_post_forward_param_data
            return [kept if dtype is None else kept.to(dtype)]
        local = self._sharded_local_tensor
        if hasattr(local, "fsdp_pre_all_gather"):
            return self._extended(local)
        if self.offload_to_cpu:
            local = local.to(self.device, non_blocking=True)
        shape = self.padded_shape()
        if list(local.shape) == shape:
            line = local.reshape(-1)
            return [line if dtype is None else line.to(dtype)]
        made = local.new_zeros(shape, dtype=dtype or local.dtype)
        made.narrow(self.fsdp_placement.dim, 0, local.shape[self.fsdp_placement.dim]).copy_(local)
        return [made.reshape(-1)]

    def _extended(self, local: Any) -> list[Any]:
        """What the tensor itself says that is to be sent."""
        function = local.fsdp_pre_all_gather
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        mesh = self._shard_mesh()
        if code is not None and code.co_argcount <= 2:
            sent, metadata = function(mesh)
        else:
            outer = self._sharding_spec
            size, stride = self._orig_size, outer.stride
            sent, metadata = function(mesh, size, stride, self._module_info.module, self.mp_policy)
        sent = (sent,) if isinstance(sent, Tensor) else tuple(sent)
        self._extension = _Extension(metadata, tuple(t.size() for t in sent))
        return [t.to(self.device).reshape(-1) for t in sent]

    def _shard_mesh(self) -> DeviceMesh:
        mesh = self.mesh_info.mesh
        if mesh.ndim == 1:
            return mesh
        assert mesh.mesh_dim_names is not None and self.mesh_info.shard_mesh_dim is not None
        return mesh[mesh.mesh_dim_names[self.mesh_info.shard_mesh_dim]]

    def init_all_gather_outputs(
        self, numels: list[int], dtypes: list[Any], world_size: int, device: Any
    ) -> None:
        """Make lines for what *world_size* processes send, and have their memory again."""
        if not self.all_gather_outputs:
            self.all_gather_outputs = [
                torch.empty(n * world_size, dtype=dtype, device=device)
                for n, dtype in zip(numels, dtypes, strict=True)
            ]
            self._note_bytes()
        for line, size in zip(self.all_gather_outputs, self._bytes, strict=True):
            if line.untyped_storage().size() != size:
                line.untyped_storage().resize_(size)

    def use_memory(self, lines: list[Any]) -> None:
        """Have *lines*, of a memory that others have parts of too, for what is gathered."""
        self.all_gather_outputs = lines
        self._unsharded_param = None
        self._note_bytes()

    def _note_bytes(self) -> None:
        self._bytes = [line.untyped_storage().size() for line in self.all_gather_outputs]

    def receive(self, parts: list[list[Any]]) -> None:
        """Write what was sent into the whole.

        :param parts: for each line that was sent, what each process has sent.
        """
        for line, pieces in zip(self.all_gather_outputs, parts, strict=True):
            with _unsafe_preserve_version_counter(line):
                line.copy_(self._ordered(pieces))

    def _ordered(self, pieces: list[Any]) -> Any:
        dim = self.fsdp_placement.dim
        if dim == 0 or self.sharded_state is ShardedState.SHARDED_POST_FORWARD:
            return torch.cat(pieces)
        shape = self.padded_shape()
        return torch.cat([piece.reshape(shape) for piece in pieces], dim).reshape(-1)

    def init_unsharded_param(self) -> None:
        """Make the whole parameter over the lines that were gathered."""
        if self._extension is not None:
            self._init_extended()
            return
        if self._unsharded_param is not None:
            return
        (line,) = self.all_gather_outputs
        whole = line[: math.prod(self._orig_size)].view(self._orig_size)
        self._unsharded_param = self._made(whole)

    def _made(self, whole: Any) -> Any:
        whole = whole.detach()
        if self.inner is not None:
            outer = self._sharding_spec
            meta = TensorMeta(outer.shape, outer.stride, whole.dtype)
            whole = DTensor(whole, DTensorSpec(self.inner.mesh, self.inner.placements, meta))
        return nn.Parameter(whole, self.sharded_param.requires_grad)

    def _init_extended(self) -> None:
        extension = self._extension
        assert extension is not None
        local = self._sharded_local_tensor
        outputs = tuple(
            line.view(-1, *size[1:])
            for line, size in zip(self.all_gather_outputs, extension.sizes, strict=True)
        )
        dtype = self.param_dtype or self.orig_dtype
        known = self._unsharded_param
        if known is not None:
            inner = known._local_tensor if isinstance(known, DTensor) else known
            for x in self._kept_by_extension:
                x.untyped_storage().resize_(x.numel() * x.itemsize)
            local.fsdp_post_all_gather(outputs, extension.metadata, dtype, out=inner)
            return
        whole, kept = local.fsdp_post_all_gather(outputs, extension.metadata, dtype)
        lines = {line.untyped_storage().data_ptr() for line in self.all_gather_outputs}
        self._kept_by_extension = [x for x in kept if x.untyped_storage().data_ptr() not in lines]
        whole = whole.narrow(0, 0, self._orig_size[0]) if whole.ndim else whole
        self._unsharded_param = self._made(whole)

    _kept_by_extension: Any = ()

    # States

    def to_sharded(self) -> None:
        """Let go of what others have."""
        self._setattr_on_modules(self.sharded_param)
        self.free_unsharded_param()
        self._drop_post_forward()
        self.sharded_state = ShardedState.SHARDED

    def to_unsharded(self) -> None:
        """Let modules see the whole."""
        self._unsharded_param.requires_grad_(self.sharded_param.requires_grad)
        self._setattr_on_modules(self._unsharded_param)
        self._drop_post_forward()
        self.sharded_state = ShardedState.UNSHARDED

    def to_sharded_post_forward(self) -> None:
        """Keep the part that fewer processes have between forward and backward.

        The memory of the whole stays, for other parameters have theirs in it.

        Raises NotImplementedError for a parameter that lies on another mesh too.
        """
        if self.is_dtensor:
            raise NotImplementedError(
                "Resharding to smaller mesh is not supported for DTensor parameters yet"
            )
        info = self.post_forward_mesh_info
        assert info is not None
        (line,) = self.all_gather_outputs
        count = line.numel() // info.shard_mesh_size
        kept = line.narrow(0, count * info.shard_mesh_rank, count).clone()
        shape = list(self._orig_size)
        shape[0] = Shard(0).lengths(shape[0], info.shard_mesh_size)[info.shard_mesh_rank]
        local = kept[: math.prod(shape)].view(shape)
        outer = self._sharding_spec
        meta = TensorMeta(outer.shape, outer.stride, kept.dtype)
        made: Any = DTensor(local, DTensorSpec(info.mesh, (Replicate(), Shard(0)), meta))
        self._sharded_post_forward_param_data = kept
        self._sharded_post_forward_param = nn.Parameter(made, self.sharded_param.requires_grad)
        self._setattr_on_modules(self._sharded_post_forward_param)
        self.sharded_state = ShardedState.SHARDED_POST_FORWARD

    def _drop_post_forward(self) -> None:
        self._sharded_post_forward_param = self._sharded_post_forward_param_data = None

    def free_unsharded_param(self) -> None:
        """Have no memory for the whole; views of it, in graphs too, have none either."""
        for line in (*self.all_gather_outputs, *self._kept_by_extension):
            if line.untyped_storage().size():
                line.untyped_storage().resize_(0)

    @property
    def unsharded_param(self) -> Any:
        """The whole parameter; its memory is there while modules see it."""
        return self._unsharded_param

    # Gradients

    def _plain(self, grad: Any) -> Any:
        """A gradient of the whole as a plain tensor, reduced over the other mesh."""
        if self.inner is None or not isinstance(grad, DTensor):
            return grad
        wanted = tuple(Replicate() if p.is_partial() else p for p in self.inner.placements)
        return grad.redistribute(placements=wanted)._local_tensor

    @property
    def unsharded_grad_data(self) -> Any:
        """The gradient of the whole parameter here."""
        return self._plain(self.unsharded_param.grad)

    @property
    def unsharded_accumulated_grad_data(self) -> Any:
        """What earlier backwards have left that were not reduced."""
        return self._plain(self.unsharded_accumulated_grad)

    @property
    def unsharded_zero_grad_data(self) -> Any:
        """Zeros, for a parameter that no gradient has come to."""
        return self._plain(torch.zeros_like(self.unsharded_param))

    def to_accumulated_grad_if_needed(self) -> None:
        """Keep a gradient that is not reduced in the dtype in which it will be."""
        whole = self._unsharded_param
        if (
            self.reduce_dtype is None
            or whole is None
            or whole.grad is None
            or whole.grad.dtype == self.reduce_dtype
        ):
            return
        grad, whole.grad = whole.grad, None
        self.unsharded_accumulated_grad = grad.to(self.reduce_dtype)

    def accumulate_unsharded_grad_if_needed(self) -> None:
        """Add a gradient to those of earlier backwards that were not reduced."""
        whole = self._unsharded_param
        if self.unsharded_accumulated_grad is not None and whole.grad is not None:
            self.unsharded_accumulated_grad += whole.grad
            whole.grad = None

    def gradient_parts(self, grad: Any, dtype: Any) -> list[Any]:
        """What is sent of a gradient to each process: its part in one line, zeros behind it."""
        shape, dim = self.padded_shape(), self.fsdp_placement.dim
        sent = []
        for part in cut_all(grad, self.fsdp_placement, self.shard_mesh_size):
            if list(part.shape) == shape:
                sent.append(part.reshape(-1).to(dtype))
                continue
            made = grad.new_zeros(shape, dtype=dtype)
            made.narrow(dim, 0, part.shape[dim]).copy_(part)
            sent.append(made.reshape(-1))
        return sent

    def take_gradient(self, line: Any) -> None:
        """Add the reduced part of the gradient to that of the split parameter."""
        local, dim = self._sharded_local_tensor, self.fsdp_placement.dim
        part = line.view(self.padded_shape()).narrow(dim, 0, self.sharded_size[dim])
        part = part.to(device=local.device, dtype=self.orig_dtype)
        if self.sharded_param.grad is None:
            made: Any = DTensor(part.contiguous(), self._sharding_spec)
            self.sharded_param.grad = made
        else:
            self.sharded_param.grad._local_tensor.add_(part)
        hooks = getattr(self.sharded_param, "_post_accumulate_grad_hooks", None) or {}
        for hook in list(hooks.values()):
            hook(self.sharded_param)

    def __repr__(self) -> str:
        return f"FSDPParam(fqn={self._param_fqn}, orig_size={self._orig_size})"
