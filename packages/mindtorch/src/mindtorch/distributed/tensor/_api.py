"""``DTensor``: a tensor whose parts lie on a mesh of processes.

How results lie and what has to be exchanged for them says :mod:`._sharding`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ...aten import torch
from ...autograd.function import Function
from ...core.module_names import living_in
from ...tensor import Tensor
from ...tensor.disabled import disabled_torch_function
from ...utils._debug_mode._utils import kinds
from ..checkpoint.metadata import ChunkStorageMetadata
from ..checkpoint.planner_helpers import _create_write_items
from ..device_mesh import DeviceMesh, _mesh_resources
from ..distributed_c10d import all_gather_object
from ._dispatch import dispatch
from ._dtensor_spec import DTensorSpec, TensorMeta
from ._lines import cut, here, line_of
from ._redistribute import Redistribute, redistribute_local_tensor, without_partial
from ._utils import compute_global_tensor_info, compute_local_shape, local_chunks
from .placement_types import (
    Partial,
    Placement,
    Replicate,
    _Parts,
    assert_no_mixed_partial_types,
)

__all__ = [
    "DTensor",
    "distribute_tensor",
    "empty",
    "full",
    "ones",
    "rand",
    "randn",
    "zeros",
]

_HOME = "mindtorch.distributed.tensor"


def _counted(placement: Placement, ndim: int) -> Placement:
    """*placement* with a dimension that counts from the front."""
    if isinstance(placement, _Parts) and placement.dim < 0:
        return placement.at(placement.dim + ndim)
    return placement


def _mesh(given: DeviceMesh | None) -> DeviceMesh:
    found: DeviceMesh = given or _mesh_resources.get_current_mesh()
    return found


class _ToTorchTensor(Function):
    @staticmethod
    def forward(ctx: Any, input: DTensor, grad_placements: Any) -> Tensor:
        ctx.spec, ctx.grad_placements = input._spec, grad_placements
        ctx.set_materialize_grads(False)
        local = input._local_tensor
        return local.view_as(local)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor | None) -> Any:
        if grad_output is None:
            return None, None
        spec = ctx.spec
        placements = ctx.grad_placements or without_partial(spec.placements)
        _, stride = compute_global_tensor_info(grad_output, spec.mesh, placements)
        meta = TensorMeta(spec.shape, tuple(stride), grad_output.dtype)
        return _placed(grad_output, DTensorSpec(spec.mesh, placements, meta)), None


def _check_alike(tensor: Tensor, mesh: DeviceMesh) -> None:
    """Raise ValueError where processes of a mesh have parts of another kind."""
    own = tuple(tensor.shape), tensor.stride(), str(tensor.dtype), tensor.requires_grad
    for dim in range(mesh.ndim):
        found: list[Any] = [None] * mesh.size(dim)
        all_gather_object(found, own, group=mesh.get_group(dim))
        if any(other != own for other in found):
            raise ValueError(
                "Inconsistent tensor metadata (including shape and stride) across ranks."
            )


class _FromTorchTensor(Function):
    @staticmethod
    def forward(
        ctx: Any,
        input: Tensor,
        mesh: DeviceMesh,
        placements: tuple[Placement, ...],
        run_check: bool,
        meta: TensorMeta,
        grad_placements: tuple[Placement, ...] | None,
    ) -> DTensor:
        ctx.mesh, ctx.placements = mesh, grad_placements or without_partial(placements)
        ctx.set_materialize_grads(False)
        local = input.view_as(input)
        if mesh.get_coordinate() is None:
            local = input.new_empty(0)
        elif run_check:
            _check_alike(input, mesh)
            for i, p in enumerate(placements):
                if p.is_replicate() and mesh.size(i) > 1:
                    local = line_of(mesh, i).broadcast(local, 0)
        return DTensor(
            local, DTensorSpec(mesh, placements, meta), requires_grad=input.requires_grad
        )

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        if grad_output is None:
            return (None,) * 6
        local, spec = grad_output._local_tensor, grad_output._spec
        if spec.placements != ctx.placements:
            want = spec.with_placements(ctx.placements)
            local = redistribute_local_tensor(local, spec, want, True)
        return local, *(None,) * 5


def _placed(local: Tensor, spec: DTensorSpec, requires_grad: bool = False) -> DTensor:
    """The tensor of *spec* whose part here is *local*; outside of autograd."""
    local = local.detach() if local.requires_grad else local
    return DTensor(local, spec, requires_grad=requires_grad)


class DTensor(Tensor):
    """A tensor whose parts lie on a mesh of processes."""

    _local_tensor: Tensor
    _spec: DTensorSpec
    #: Whether it is a view with memory of its own, for parts had to be exchanged for it.
    _apart = False

    @staticmethod
    def __new__(
        cls: type, local_tensor: Tensor, spec: DTensorSpec, *, requires_grad: bool = False
    ) -> Any:
        if local_tensor.requires_grad and not requires_grad:
            warnings.warn(
                "To construct DTensor from torch.Tensor, it's recommended to use "
                "local_tensor.detach() and make requires_grad consistent."
            )
        meta: Any = spec.tensor_meta
        made = Tensor._make_wrapper_subclass(
            cls,
            meta.shape,
            strides=meta.stride,
            dtype=local_tensor.dtype,
            device=local_tensor.device,
            layout=local_tensor.layout,
            requires_grad=requires_grad,
        )
        made._spec = spec
        made._local_tensor = local_tensor
        return made

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]  # as torch
        return (
            f"DTensor(local_tensor={self._local_tensor}, device_mesh={self._spec.mesh}, "
            f"placements={self._spec.placements})"
        )

    def __tensor_flatten__(self) -> Any:
        return ["_local_tensor"], (self._spec, self.requires_grad)

    @staticmethod
    def __tensor_unflatten__(inner: Any, meta: Any, size: Any, stride: Any) -> DTensor:
        spec, requires_grad = meta
        return DTensor(inner["_local_tensor"], spec, requires_grad=requires_grad)

    __torch_function__ = disabled_torch_function

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return dispatch(DTensor, func, args, kwargs or {})

    @staticmethod
    def from_local(
        local_tensor: Tensor,
        device_mesh: DeviceMesh | None = None,
        placements: Sequence[Placement] | None = None,
        *,
        run_check: bool = False,
        shape: Any = None,
        stride: Any = None,
        grad_placements: Any = None,
    ) -> DTensor:
        """The tensor of which *local_tensor* is the part of this process; differentiable.

        :param placements: how it lies on each dimension of the mesh; all have all, if not given.
        :param run_check: take what all have from the first process.
        :param shape: of the whole tensor, with *stride*; if not given, all parts are alike.
        :param grad_placements: how the gradient lies that goes back to *local_tensor*.

        Raises RuntimeError for a distributed tensor, ValueError for more than one reduction.
        """
        if isinstance(local_tensor, DTensor):
            raise RuntimeError(
                "the local_tensor argument only accepts torch.Tensor but got "
                f"{type(local_tensor)} value."
            )
        mesh = _mesh(device_mesh)
        if local_tensor.device.type not in (mesh.device_type, "meta"):
            local_tensor = local_tensor.to(mesh.device_type)
        ndim = local_tensor.ndim
        placements = placements or [Replicate() for _ in range(mesh.ndim)]
        placed = tuple(_counted(p, ndim) for p in placements)
        assert_no_mixed_partial_types(placed)
        if shape and stride:
            meta = TensorMeta(torch.Size(shape), tuple(stride), local_tensor.dtype)
        elif shape or stride:
            raise RuntimeError(
                f"Found shape:{shape}, stride:{stride}.",
                "Please pass both shape and stride at the same time.",
            )
        else:
            size, steps = compute_global_tensor_info(local_tensor, mesh, placed)
            meta = TensorMeta(torch.Size(size), tuple(steps), local_tensor.dtype)
        grad = tuple(grad_placements) if grad_placements is not None else None
        return _FromTorchTensor.apply(local_tensor, mesh, placed, run_check, meta, grad)

    def to_local(self, *, grad_placements: Any = None) -> Tensor:
        """The part of this process; differentiable.

        :param grad_placements: how the gradient of the part lies, if not as this tensor.
        """
        if not torch.is_grad_enabled():
            return self._local_tensor
        return _ToTorchTensor.apply(self, tuple(grad_placements) if grad_placements else None)

    def redistribute(
        self,
        device_mesh: DeviceMesh | None = None,
        placements: Sequence[Placement] | None = None,
        *,
        async_op: bool = False,
        forward_dtype: Any = None,
        backward_dtype: Any = None,
    ) -> DTensor:
        """The tensor with other placements, by exchanges of all processes; differentiable.

        :param forward_dtype: the dtype of the exchange and of the result.
        :param backward_dtype: the dtype in which the gradient is exchanged.

        Raises RuntimeError where something that is whole would have to be reduced again.
        """
        if placements is None:
            raise RuntimeError("placements is needed for redistribute!")
        wanted = tuple(_counted(p, self.ndim) for p in placements)
        self._spec.with_placements(wanted)  # refuses dimensions that are not there
        for have, want in zip(self._spec.placements, wanted, strict=False):
            if want.is_partial() and have != want:
                raise RuntimeError(
                    f"Can not redistribute from {have} to {want}, redistributing to Partial is "
                    "for internal use only!"
                )
        mesh = device_mesh or self.device_mesh
        return Redistribute.apply(self, mesh, wanted, async_op, forward_dtype, backward_dtype)

    def full_tensor(self, *, grad_placements: Any = None) -> Tensor:
        """The whole tensor."""
        placements = [Replicate()] * self.device_mesh.ndim
        return self.redistribute(placements=placements).to_local(grad_placements=grad_placements)

    @property
    def device_mesh(self) -> DeviceMesh:
        """The mesh."""
        return self._spec.mesh

    @property
    def placements(self) -> tuple[Placement, ...]:
        """How the tensor lies on each dimension of the mesh."""
        return self._spec.placements

    def _placing(self, whole: Tensor) -> DTensor:
        """A tensor that all processes have, placed as this one."""
        mesh, placements = self._spec.mesh, self._spec.placements
        return distribute_tensor(whole.detach(), mesh, placements, src_data_rank=None)

    def __create_write_items__(self, fqn: str, object: Any) -> Any:
        return _create_write_items(fqn, self)

    def __create_chunk_list__(self) -> Any:
        """The parts here as a checkpoint has them: where in the whole, and how large."""
        return [
            ChunkStorageMetadata(torch.Size(offsets), torch.Size(sizes))
            for offsets, sizes, _ in local_chunks(self._spec)
        ]

    def __get_tensor_shard__(self, index: Any) -> Tensor:
        """The part here that begins in the whole where *index* says."""
        for offsets, sizes, places in local_chunks(self._spec):
            if index.offset is None or tuple(index.offset) == offsets:
                part = self._local_tensor
                for dim, (start, n) in enumerate(zip(places, sizes, strict=True)):
                    part = part.narrow(dim, start, n)
                return part
        raise ValueError(f"{index} is not a part of this process of a tensor of {self._spec}")


def distribute_tensor(
    tensor: Tensor,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
    *,
    src_data_rank: int | None = 0,
) -> DTensor:
    """Lay a tensor on a mesh.

    :param tensor: a leaf, of which all processes know the shape.
    :param src_data_rank: the number, along each dimension of the mesh, of the process whose numbers
        are taken; None: each takes its part of its own.

    Raises ValueError for another number of placements than the mesh has dimensions.
    """
    mesh = _mesh(device_mesh)
    if not tensor.is_leaf:
        raise RuntimeError(
            "`distribute_tensor` should be used to distribute leaf tensors! but found non-leaf "
            "tensor!"
        )
    placements = [Replicate()] * mesh.ndim if placements is None else list(placements)
    if len(placements) != mesh.ndim:
        raise ValueError(
            "`placements` must have the same length as `device_mesh.ndim`! Found placements "
            f"length: {len(placements)}, and device_mesh.ndim: {mesh.ndim}."
        )
    if isinstance(tensor, DTensor):
        if tensor.device_mesh != mesh:
            raise ValueError(
                f"Cannot distribute a DTensor with device mesh {tensor.device_mesh} to a different "
                f"device mesh {mesh}."
            )
        if tensor.placements != tuple(placements):
            raise ValueError(
                f"Cannot distribute a DTensor with placements {tensor.placements} to a different "
                f"placements {placements}. do you want to call `redistribute` instead?"
            )
        return tensor
    placed = tuple(_counted(p, tensor.ndim) for p in placements)
    assert_no_mixed_partial_types(placed)
    local = tensor.detach()
    if local.device.type not in (mesh.device_type, "meta"):
        local = local.to(mesh.device_type)
    spec = DTensorSpec(mesh, placed, TensorMeta(tensor.shape, tensor.stride(), tensor.dtype))
    for i, p in enumerate(placed):
        local = _distributed(local, p, spec, i, src_data_rank)
    return DTensor(local, spec, requires_grad=tensor.requires_grad)


def _distributed(
    local: Tensor, p: Placement, spec: DTensorSpec, i: int, source: int | None
) -> Tensor:
    """What is here of a tensor that is laid on one dimension of the mesh."""
    if not isinstance(p, _Parts | Replicate | Partial):
        raise RuntimeError(
            f"Trying to distribute tensor with unsupported placements {p} on device mesh "
            f"dimension {i}!"
        )
    if isinstance(p, _Parts) and not spec.shape:
        raise AssertionError("Expected tensor.dim() > 0, got 0")
    if isinstance(p, _Parts) and p.dim >= len(spec.shape):
        raise AssertionError(f"Sharding dim {p.dim} greater than tensor ndim {len(spec.shape)}")
    mesh = spec.mesh
    if mesh.get_coordinate() is None:
        return local.new_empty(0)
    line = line_of(mesh, i)
    if isinstance(p, _Parts):
        if source is None or line.size == 1 or local.is_meta:
            return cut(local, p, line.size, line.index)
        return line.scatter(local, p, source)
    if source is not None and line.size > 1 and not local.is_meta:
        local = line.broadcast(local, source)
    return p.share(local, line.size) if isinstance(p, Partial) else local


def _shard_tensor(
    full_tensor: Tensor, placements: Sequence[Placement], device_mesh: DeviceMesh | None = None
) -> DTensor:
    """Cut what each process has whole, without an exchange."""
    return distribute_tensor(full_tensor, device_mesh, placements, src_data_rank=None)


def _made(
    op: Callable[..., Tensor], size: Any, device_mesh: Any, placements: Any, **kw: Any
) -> DTensor:
    mesh = _mesh(device_mesh)
    placements = tuple(placements or [Replicate()] * mesh.ndim)
    if len(placements) != mesh.ndim:
        raise AssertionError("mesh dimension does not match the length of placements")
    if kw["layout"] != torch.strided:
        raise AssertionError("layout value not supported!")
    if len(size) == 1 and isinstance(size[0], Sequence):
        size = size[0]
    shape = torch.Size(size)
    requires_grad = kw.pop("requires_grad")
    placed = tuple(_counted(p, len(shape)) for p in placements)
    stride = tuple(math.prod(shape[d + 1 :]) for d in range(len(shape)))
    dtype = kw["dtype"] or torch.get_default_dtype()
    spec = DTensorSpec(mesh, placed, TensorMeta(shape, stride, dtype))
    kw["device"] = mesh.device_type
    if op in (torch.rand, torch.randn):  # as one process draws
        local = here(op(shape, **kw), spec).clone(memory_format=torch.contiguous_format)
    else:
        local = op(compute_local_shape(shape, mesh, placed), **kw)
        if local.dtype != dtype:
            spec = DTensorSpec(mesh, placed, TensorMeta(shape, stride, local.dtype))
    return DTensor(local, spec, requires_grad=requires_grad)


def _factory(name: str) -> Callable[..., DTensor]:
    def make(
        *size: Any,
        dtype: Any = None,
        layout: Any = torch.strided,
        requires_grad: bool = False,
        device_mesh: DeviceMesh | None = None,
        placements: Sequence[Placement] | None = None,
    ) -> DTensor:
        return _made(
            getattr(torch, name),
            size,
            device_mesh,
            placements,
            dtype=dtype,
            layout=layout,
            requires_grad=requires_grad,
        )

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"``torch.{name}`` on a mesh."
    make.__module__ = _HOME
    return make


ones, empty, rand, randn, zeros = map(_factory, ("ones", "empty", "rand", "randn", "zeros"))


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    requires_grad: bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor:
    """``torch.full`` on a mesh."""
    size = (size,) if isinstance(size, int) else tuple(size)

    def op(shape: Any, **kw: Any) -> Tensor:
        return torch.full(shape, fill_value, **kw)

    given = {"dtype": dtype, "layout": layout, "requires_grad": requires_grad}
    return _made(op, size, device_mesh, placements, **given)


living_in(_HOME, DTensor, distribute_tensor, full)


kinds["distributed"] = DTensor
