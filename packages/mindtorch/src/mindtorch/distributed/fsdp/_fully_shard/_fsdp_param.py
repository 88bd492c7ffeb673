"""One parameter that is split over processes, and whole while its module runs."""

from __future__ import annotations

import math
from typing import Any

from .... import nn
from ....aten import torch
from ....autograd import _unsafe_preserve_version_counter
from ....tensor import Tensor
from ...device_mesh import DeviceMesh
from ...tensor import DTensor, Replicate, Shard
from ...tensor._dtensor_spec import DTensorSpec, TensorMeta
from ...tensor._lines import Line, cut, cut_all, line_of
from ...tensor.placement_types import Placement, _StridedShard

__all__ = ["DataParallel", "ShardedParameter"]


class DataParallel:
    """The processes over which parameters are split, and those which have the same parts.

    :param mesh: of one dimension, or of two: processes with the same parts, then those that split.
    """

    def __init__(self, mesh: DeviceMesh) -> None:
        self.mesh = mesh
        kind = mesh.device_type
        #: Where this process has its parts.
        self.device: Any = torch.device(kind)
        if kind != "cpu":
            self.device = torch.device(kind, torch.get_device_module(kind).current_device())
        self.here = mesh.get_coordinate() is not None
        last = mesh.ndim - 1
        self.shards: Line | None = line_of(mesh, last) if self.here else None
        self.replicas: Line | None = line_of(mesh, 0) if self.here and last else None
        self.size = mesh.size(last)
        self.world = mesh.size()


class ShardedParameter:
    """A parameter of one or more modules.

    :param original: the parameter as the program made it; its part becomes a distributed tensor.
    :param places: the modules that have it, with its name there.
    :param dim: the dimension that is split.

    Raises ValueError for a parameter without dimensions, NotImplementedError for another dimension
    than the first that does not split evenly.
    """

    def __init__(
        self, original: Tensor, places: list[tuple[Any, str]], dim: int, over: DataParallel
    ) -> None:
        self.places, self.dim, self.over = places, dim, over
        if original.ndim == 0:
            name = places[0][1]
            raise ValueError(
                "fully_shard doesn't support scalar parameters. Change "
                f"{name} to a 1D tensor with numel equal to 1."
            )
        whole: Any = original.detach()
        #: Of a parameter that lies on another mesh too, how; None of a plain one.
        self.inner: DTensorSpec | None = None
        if isinstance(whole, DTensor):
            self.inner, whole = whole._spec, whole._local_tensor
        if not whole.is_contiguous():
            raise NotImplementedError(
                "FSDP does not support non-contiguous parameters yet: "
                f"param.shape={original.shape} param.stride()={original.stride()}"
            )
        if dim and whole.shape[dim] % over.size:
            raise NotImplementedError(
                f"FSDP does not support uneven sharding on dim {dim}: {whole.size()} "
                f"(world size: {over.size})"
            )
        #: Shape and dtype of what the modules use, here.
        self.shape, self.dtype = tuple(whole.shape), whole.dtype
        self.part = Shard(dim)
        assert over.shards is not None
        local = cut(whole, self.part, over.size, over.shards.index)
        if not local.is_meta:
            local = local.to(over.device)
        self.spec = self._spec(original)
        made: Any = DTensor(local, self.spec)
        self.sharded = nn.Parameter(made, original.requires_grad)
        #: What modules use; its memory is there while it is whole.
        self.unsharded: Any = None
        #: The whole parameter that tells of its gradient.
        self.watched: Any = None
        self.register(self.sharded)

    def _spec(self, original: Tensor) -> DTensorSpec:
        placements: tuple[Placement, ...] = (Replicate(),) * (self.over.mesh.ndim - 1)
        meta = TensorMeta(original.shape, original.stride(), original.dtype)
        if self.inner is None:
            return DTensorSpec(self.over.mesh, (*placements, self.part), meta)
        inner = self.inner.placements
        cuts = math.prod(
            self.inner.mesh.size(i) for i, p in enumerate(inner) if p.is_shard(self.dim)
        )
        own = _StridedShard(self.dim, split_factor=cuts) if cuts > 1 else self.part
        mesh = DeviceMesh._concatenate([self.over.mesh, self.inner.mesh])
        return DTensorSpec(mesh, (*placements, own, *inner), meta)

    def to_host(self) -> None:
        """Keep the part of this process on the host."""
        made: Any = DTensor(self.local.cpu(), self.spec)
        self.sharded = nn.Parameter(made, self.sharded.requires_grad)
        self.register(self.sharded)

    def register(self, tensor: Any) -> None:
        """Let the modules see *tensor* as their parameter."""
        for module, name in self.places:
            module._parameters[name] = tensor

    def refresh(self) -> None:
        """Take note of a parameter that was put in the place of the split one."""
        module, name = self.places[0]
        found = module._parameters[name]
        if isinstance(found, DTensor) and found is not self.sharded:
            self.sharded = found
            self.dtype = found.dtype
            self.unsharded = None
            self.register(found)

    @property
    def local(self) -> Any:
        """The part of this process."""
        return self.sharded._local_tensor

    def lengths(self) -> list[int]:
        """How much each process has along the split dimension."""
        return self.part.lengths(self.shape[self.dim], self.over.size)

    def padded_shape(self) -> list[int]:
        """The shape of the longest part, which all parts have when they are exchanged."""
        shape = list(self.shape)
        shape[self.dim] = max(self.lengths())
        return shape

    def sent(self, dtype: Any) -> Any:
        """What this process sends of it: its part in one line, zeros behind it."""
        shape = self.padded_shape()
        local = self.local
        made = local.new_zeros(shape, dtype=dtype)
        made.narrow(self.dim, 0, local.shape[self.dim]).copy_(local)
        return made.reshape(-1)

    def made_in(self, memory: Any) -> None:
        """Make the whole parameter over *memory*, a line of as many numbers as it has."""
        inner: Any = memory.view(self.shape).detach()
        if self.inner is not None:
            spec = self.inner
            meta = TensorMeta(self.spec.shape, spec.stride, inner.dtype)
            inner = DTensor(inner, DTensorSpec(spec.mesh, spec.placements, meta))
        self.unsharded = nn.Parameter(inner, self.sharded.requires_grad)

    def receive(self, parts: list[Any]) -> None:
        """Write what each process has sent into the whole parameter, and let modules see it."""
        shape = self.padded_shape()
        pieces = [
            part.reshape(shape).narrow(self.dim, 0, n)
            for part, n in zip(parts, self.lengths(), strict=True)
        ]
        data = self._data()
        with _unsafe_preserve_version_counter(data):
            data.copy_(torch.cat(pieces, self.dim))
        self.unsharded.requires_grad_(self.sharded.requires_grad)
        self.register(self.unsharded)

    def _data(self) -> Any:
        return self.unsharded._local_tensor if self.inner is not None else self.unsharded

    def gradient(self) -> Any:
        """The gradient of the whole parameter here, as a plain tensor; None if there is none."""
        grad = None if self.unsharded is None else self.unsharded.grad
        if grad is None or self.inner is None:
            return grad
        wanted = tuple(Replicate() if p.is_partial() else p for p in self.inner.placements)
        return grad.redistribute(placements=wanted)._local_tensor

    def gradient_parts(self, grad: Any, dtype: Any) -> list[Any]:
        """What is sent of a gradient to each process: its part in one line, zeros behind it."""
        shape, sent = self.padded_shape(), []
        for part in cut_all(grad, self.part, self.over.size):
            made = grad.new_zeros(shape, dtype=dtype)
            made.narrow(self.dim, 0, part.shape[self.dim]).copy_(part)
            sent.append(made.reshape(-1))
        return sent

    def take_gradient(self, line: Any) -> None:
        """Add the reduced part of the gradient to that of the split parameter."""
        local = self.local
        part = line.reshape(self.padded_shape()).narrow(self.dim, 0, local.shape[self.dim])
        part = part.to(device=local.device, dtype=local.dtype)
        if self.sharded.grad is None:
            made: Any = DTensor(part.contiguous(), self.spec)
            self.sharded.grad = made
        else:
            self.sharded.grad._local_tensor.add_(part)
