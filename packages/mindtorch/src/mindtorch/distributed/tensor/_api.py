"""``DTensor``: a tensor whose parts lie on a mesh of processes; here the mesh has one.

On a mesh of one the part of this process is the whole, so every operator runs on it as it is; the
placements that the result has are those that they would have on a larger mesh, where that is known
(elementwise operators, transposes, reductions, products), else ``Replicate``.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch.utils import _pytree as pytree

from ... import nn
from ..._ops import ops
from ...aten import torch
from ...autograd.function import Function
from ...core.module_names import living_in
from ...tensor import Tensor
from ...tensor.disabled import disabled_torch_function
from ..checkpoint.default_planner import _write_item
from ..checkpoint.metadata import ChunkStorageMetadata
from ..device_mesh import DeviceMesh, _mesh_resources
from ._dtensor_spec import DTensorSpec, TensorMeta
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = [
    "DTensor",
    "distribute_module",
    "distribute_tensor",
    "empty",
    "full",
    "ones",
    "rand",
    "randn",
    "zeros",
]

_HOME = "mindtorch.distributed.tensor"


def _one(mesh: DeviceMesh) -> DeviceMesh:
    if mesh.size() != 1:
        raise RuntimeError(
            f"a mesh of {mesh.size()} processes was given: several processes are not available yet"
        )
    return mesh


def _whole(placement: Placement, dim: int) -> Placement:
    """*placement* with a dimension that counts from the front."""
    if isinstance(placement, Shard) and placement.dim < 0:
        return Shard(placement.dim + dim)
    return placement


class _ToTorchTensor(Function):
    @staticmethod
    def forward(ctx: Any, input: DTensor, grad_placements: Any) -> Tensor:
        ctx.spec, ctx.grad_placements = input._spec, grad_placements
        local = input._local_tensor
        return local.view_as(local)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        placements = ctx.grad_placements or tuple(
            Replicate() if p.is_partial() else p for p in ctx.spec.placements
        )
        return _wrap(grad_output, ctx.spec.mesh, placements), None


class _FromTorchTensor(Function):
    @staticmethod
    def forward(ctx: Any, input: Tensor, device_mesh: DeviceMesh, placements: Any) -> DTensor:
        return _wrap(input.view_as(input), device_mesh, placements)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        if isinstance(grad_output, DTensor):
            grad_output = grad_output._local_tensor
        return grad_output, None, None


class _Redistribute(Function):
    @staticmethod
    def forward(ctx: Any, input: DTensor, device_mesh: DeviceMesh, placements: Any) -> DTensor:
        ctx.before = input._spec
        local = input._local_tensor
        return _wrap(local.view_as(local), device_mesh, placements)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        placements = tuple(Replicate() if p.is_partial() else p for p in ctx.before.placements)
        return _wrap(grad_output._local_tensor, ctx.before.mesh, placements), None, None


class DTensor(Tensor):
    """A tensor whose parts lie on a mesh of processes."""

    _local_tensor: Tensor
    _spec: DTensorSpec

    @staticmethod
    def __new__(
        cls: type, local_tensor: Tensor, spec: DTensorSpec, *, requires_grad: bool = False
    ) -> Any:
        if local_tensor.requires_grad and not requires_grad:
            warnings.warn(
                "To construct DTensor from torch.Tensor, it's recommended to use "
                "local_tensor.detach() and make requires_grad consistent."
            )
        made = Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]  # bound at load
            cls,
            local_tensor.size(),
            strides=local_tensor.stride(),
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

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        local = self._local_tensor
        shown = local.item() if local.dim() == 0 else local
        return (
            f"DTensor(local_tensor={shown}, device_mesh={self._spec.mesh}, "
            f"placements={self._spec.placements})"
        )

    def __tensor_flatten__(self) -> Any:
        return ["_local_tensor"], (self._spec, self.requires_grad)

    @staticmethod
    def __tensor_unflatten__(inner: Any, meta: Any, size: Any, stride: Any) -> DTensor:
        spec, requires_grad = meta
        return DTensor(inner["_local_tensor"], spec, requires_grad=requires_grad)

    def __reduce_ex__(self, protocol: Any) -> Any:
        spec = self._spec
        return _rebuild, (
            self._local_tensor.detach(),
            spec.mesh,
            spec.placements,
            self.requires_grad,
        )

    __torch_function__ = disabled_torch_function  # type: ignore[assignment]  # off

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _dispatch(func, args, kwargs or {})

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
        """The tensor of which *local_tensor* is the part of this process."""
        if placements is None and grad_placements is not None:
            raise ValueError("grad_placements needs placements")
        mesh = _one(device_mesh or _mesh_resources.get_current_mesh())
        placements = list(placements or [Replicate() for _ in range(mesh.ndim)])
        for i, p in enumerate(placements):
            placements[i] = _whole(p, local_tensor.ndim)
        return _FromTorchTensor.apply(local_tensor, mesh, tuple(placements))

    def to_local(self, *, grad_placements: Any = None) -> Tensor:
        """The part of this process."""
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
        """The tensor with other placements."""
        mesh = device_mesh or self.device_mesh
        if placements is None:
            raise RuntimeError("placements is needed for redistribute!")
        wanted = tuple(_whole(p, self.ndim) for p in placements)
        for have, want in zip(self._spec.placements, wanted):
            if want.is_partial() and have != want:
                raise RuntimeError(
                    f"Can not redistribute from {have} to {want}, redistributing to Partial is "
                    "for internal use only!"
                )
        return _Redistribute.apply(self, mesh, wanted)

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

    def __create_write_items__(self, fqn: str, object: Any) -> Any:
        return [_write_item(fqn, self)]

    def __create_chunk_list__(self) -> Any:
        return [ChunkStorageMetadata(torch.Size([0] * self.dim()), self.size())]


def _rebuild(local: Tensor, mesh: DeviceMesh, placements: Any, requires_grad: bool) -> DTensor:
    return _wrap(local, mesh, placements, requires_grad)


def _wrap(local: Tensor, mesh: DeviceMesh, placements: Any, requires_grad: bool = False) -> DTensor:
    meta = TensorMeta(local.size(), local.stride(), local.dtype)
    local = local.detach() if local.requires_grad else local
    return DTensor(local, DTensorSpec(mesh, tuple(placements), meta), requires_grad=requires_grad)


_TRANSPOSES = ("aten.t.default", "aten.numpy_T.default", "aten.mT.default")
_REDUCTIONS = {"sum": "sum", "mean": "avg"}


def _result_placements(func: Any, args: Any, spec: DTensorSpec, result: Tensor) -> Any:
    """The placements of a result of *func*."""
    name, shape = str(func), spec.shape
    first = args[0] if args and isinstance(args[0], DTensor) else None
    if first is not None and func.overloadpacket.__name__ in _REDUCTIONS:
        kind = _REDUCTIONS[func.overloadpacket.__name__]
        return tuple(_reduced(p, kind, args, len(shape)) for p in spec.placements)
    if name in _TRANSPOSES or name.startswith("aten.transpose"):
        a, b = (args[1], args[2]) if name.startswith("aten.transpose") else (-2, -1)
        n = len(shape)
        swap = {a % n: b % n, b % n: a % n} if n > 1 else {}
        return tuple(
            Shard(swap.get(p.dim, p.dim)) if isinstance(p, Shard) else p for p in spec.placements
        )
    if name in ("aten.mm.default", "aten.addmm.default"):
        a, b = args[-2:]
        return tuple(map(_product, a._spec.placements, b._spec.placements))
    if result.shape == shape:
        return spec.placements
    return tuple(
        p if isinstance(p, Shard) and p.dim == 0 and "view" in name else Replicate()
        for p in spec.placements
    )


def _reduced(p: Placement, kind: str, args: Any, ndim: int) -> Placement:
    """What a placement becomes when dimensions are summed."""
    if not isinstance(p, Shard):
        return p
    given = args[1] if len(args) > 1 else None
    dims = [given] if isinstance(given, int) else list(given or range(ndim))
    dims = [d % ndim for d in dims if isinstance(d, int)]
    if p.dim in dims:
        return Partial(kind)
    kept = len(args) > 2 and args[2]
    return p if kept else Shard(p.dim - sum(d < p.dim for d in dims))


def _product(a: Placement, b: Placement) -> Placement:
    """The placement of the product of two matrices."""
    if a.is_shard(1) and b.is_shard(0):
        return Partial()
    if a.is_partial() or b.is_partial():
        return a if a.is_partial() else b
    if a.is_shard(0):
        return a
    return b if b.is_shard(1) else Replicate()


_replicating = 0


def _dispatch(func: Any, args: Any, kwargs: Any) -> Any:
    flat, tree = pytree.tree_flatten((args, kwargs))
    spec = next(x._spec for x in flat if isinstance(x, DTensor))
    local = []
    for x in flat:
        if isinstance(x, DTensor):
            local.append(x._local_tensor)
            continue
        if isinstance(x, Tensor) and x.ndim and x.numel() != 1 and not _replicating:
            raise RuntimeError(
                f"{func} got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to "
                "DTensor before calling distributed operators!"
            )
        local.append(x)
    if func is ops.aten._local_scalar_dense.default:
        return local[0].item()
    inner_args, inner_kwargs = pytree.tree_unflatten(local, tree)
    result = func(*inner_args, **inner_kwargs)
    by_local = {id(x._local_tensor): x for x in flat if isinstance(x, DTensor)}

    def wrap(x: Any) -> Any:
        if not isinstance(x, Tensor):
            return x
        if id(x) in by_local:  # it was changed in place
            return by_local[id(x)]
        return _wrap(x, spec.mesh, _result_placements(func, args, spec, x))

    return pytree.tree_map(wrap, result)


def distribute_tensor(
    tensor: Tensor,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
    *,
    src_data_rank: int | None = 0,
) -> DTensor:
    """Lay a tensor on a mesh."""
    mesh = _one(device_mesh or _mesh_resources.get_current_mesh())
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
    placed = []
    for p in placements:
        p = _whole(p, tensor.ndim)
        if isinstance(p, Shard) and p.dim >= tensor.ndim:
            raise AssertionError(f"Sharding dim {p.dim} greater than tensor ndim {tensor.ndim}")
        if not isinstance(p, Shard | Replicate | Partial):
            raise RuntimeError(
                f"Trying to distribute tensor with unsupported placements {p} on device mesh "
                "dimension 0!"
            )
        placed.append(p)
    return _wrap(tensor.detach(), mesh, placed, tensor.requires_grad)


def distribute_module(
    module: nn.Module,
    device_mesh: DeviceMesh | None = None,
    partition_fn: Callable[..., None] | None = None,
    input_fn: Callable[..., Any] | None = None,
    output_fn: Callable[..., Any] | None = None,
) -> nn.Module:
    """Lay the parameters of a module on a mesh, and its inputs and outputs."""
    mesh = _one(device_mesh or _mesh_resources.get_current_mesh())
    done: Any = module
    if getattr(done, "_distribute_module_applied", False):
        raise RuntimeError(
            "distribute_module should only be called once on a module, but it has already been "
            "called on this module!"
        )

    def replicate(inner: nn.Module) -> None:
        for key, p in inner._parameters.items():
            if p is not None and not isinstance(p, DTensor):
                made: Any = nn.Parameter(distribute_tensor(p.data, mesh), p.requires_grad)
                inner.register_parameter(key, made)
        for key, b in inner._buffers.items():
            if b is not None and not isinstance(b, DTensor):
                inner._buffers[key] = distribute_tensor(b, mesh)

    for name, inner in module.named_modules():
        if partition_fn is not None:
            partition_fn(name, inner, mesh)
        replicate(inner)
    if input_fn is not None:
        if len(inspect.signature(input_fn).parameters) not in (2, 3):
            raise ValueError(
                f"input_fn should take in 3 arguments, but got "
                f"{len(inspect.signature(input_fn).parameters)} arguments!"
            )
        takes: Any = input_fn
        module.register_forward_pre_hook(lambda mod, inputs: takes(mod, inputs, mesh))
    if output_fn is not None:
        gives: Any = output_fn
        module.register_forward_hook(lambda mod, inputs, out: gives(mod, out, mesh))
    done._distribute_module_applied = True
    return module


def _made(
    op: Callable[..., Tensor], size: Any, device_mesh: Any, placements: Any, **kw: Any
) -> DTensor:
    mesh = _one(device_mesh or _mesh_resources.get_current_mesh())
    placements = tuple(placements or [Replicate()] * mesh.ndim)
    if len(placements) != mesh.ndim:
        raise AssertionError("mesh dimension does not match the length of placements")
    if len(size) == 1 and isinstance(size[0], Sequence):
        size = size[0]
    requires_grad = kw.pop("requires_grad")
    local = op(torch.Size(size), **kw)
    return _wrap(local, mesh, [_whole(p, local.ndim) for p in placements], requires_grad)


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


living_in(_HOME, DTensor, distribute_tensor, distribute_module, full)
