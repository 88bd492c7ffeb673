"""Views with the dims in another order: ``transpose``, ``permute``, ``movedim`` …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_storage import layout

from mindtorch.call.forms import InplaceForm
from mindtorch.call.row import ViewOf, op
from mindtorch.core.operators import ops
from mindtorch.core.warning import warn_once

from . import view_inverses

__all__ = ["t_layout"]

wrap_dim = layout.wrap_dim


def _transpose(self: Any, dim0: int, dim1: int) -> ViewOf:
    shape, strides = list(self.shape), list(self.stride())
    n = len(shape)
    a, b = wrap_dim(dim0, n), wrap_dim(dim1, n)
    if n:
        shape[a], shape[b] = shape[b], shape[a]
        strides[a], strides[b] = strides[b], strides[a]
    return ViewOf(tuple(shape), tuple(strides))


def t_layout(self: Any) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    if len(shape) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {len(shape)}D")
    return ViewOf(shape[::-1], strides[::-1])


def _permute(self: Any, dims: Sequence[int]) -> ViewOf:
    shape, strides = self.shape, self.stride()
    n = len(shape)
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            "length of the desired ordering of dimensions i.e. "
            f"input.dim() = {n} is not equal to len(dims) = {len(dims)}"
        )
    order = [wrap_dim(d, n) for d in dims]
    if len(set(order)) != n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return ViewOf(tuple([shape[d] for d in order]), tuple([strides[d] for d in order]))


def _inverse(dims: Sequence[int]) -> list[int]:
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[d % n] = i
    return back


op(
    "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
    says="""View the tensor with two dimensions exchanged.

    >>> torch.transpose(torch.zeros(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """,
    view=_transpose,
    inplace=InplaceForm(overload=""),
    grad={"self": lambda g, c: g.transpose(c.dim0, c.dim1)},
    samples="transpose",
    inverse=view_inverses.itself("transpose.int"),
    copies="int_out",
    node=(0, 1),
    tags=("moves_mask", "loops: copy"),
)


def _a_matrix(self: Any) -> None:
    """torch aten/src/ATen/native/TensorShape.cpp, check_t, which names the form."""
    if self.dim() > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")


op(
    "t(Tensor(a) self) -> Tensor(a)",
    says="View a matrix transposed; a vector as it is.",
    view=t_layout,
    inplace=InplaceForm(check=_a_matrix),
    grad={"self": lambda g, c: g.t()},
    samples="t",
    inverse=view_inverses.itself("t"),
    copies=True,
    batch="transposed",
    node=(0, 1),
    tags=("moves_mask", "loops: copy"),
)
op(
    "permute(Tensor(a) self, int[] dims) -> Tensor(a)",
    says="""View the tensor with its dimensions in another order.

    >>> torch.permute(torch.zeros(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """,
    view=_permute,
    grad={"self": lambda g, c: g.permute(_inverse(c.dims))},
    samples="permute",
    inverse=view_inverses.permuted,
    copies=True,
    batch="permute",
    tags=("loops: copy",),
)
op(
    "swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
    says="View the tensor with two dimensions exchanged, as transpose does.",
    composite=lambda self, axis0, axis1: self.transpose(axis0, axis1),
    samples="transpose",
)
op(
    "swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)",
    composite=lambda self, axis0, axis1: self.transpose_(axis0, axis1),
    variants="method",
    samples="transpose",
    node=1,
)
op(
    "swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
    says="View the tensor with two dimensions exchanged, as transpose does.",
    composite=lambda self, dim0, dim1: self.transpose(dim0, dim1),
    samples="transpose",
)
op(
    "swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)",
    composite=lambda self, dim0, dim1: self.transpose_(dim0, dim1),
    variants="method",
    samples="transpose",
    node=1,
)


def _movedim(self: Any, source: Any, destination: Any) -> Any:
    if isinstance(source, int):
        source, destination = (source,), (destination,)
    n = self.dim()
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should "
            "contain the same number of dims as destination "
            f"({list(destination)} dims)"
        )
    src = [wrap_dim(d, n) for d in source]
    dst = [wrap_dim(d, n) for d in destination]
    if len(set(src)) != len(src):
        raise RuntimeError(f"movedim: repeated dim in `source` ({list(source)})")
    if len(set(dst)) != len(dst):
        raise RuntimeError(f"movedim: repeated dim in `destination` ({list(destination)})")
    if n == 0:
        return ops.alias(self)
    order = [-1] * n
    for s, d in zip(src, dst, strict=True):
        order[d] = s
    rest = iter([d for d in range(n) if d not in src])
    return self.permute(tuple([next(rest) if d < 0 else d for d in order]))


for _name in ("movedim", "moveaxis"):
    op(
        f"{_name}.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
        says="View the tensor with dimensions moved to other places; the others keep their order.",
        composite=_movedim,
        samples="movedim_intlist",
    )
    op(
        f"{_name}.int(Tensor(a) self, int source, int destination) -> Tensor(a)",
        composite=_movedim,
        samples="transpose",
    )


def _adjoint(self: Any, name: str) -> Any:
    if not self.dim():
        warn_once("adjoint() is deprecated on 0-D tensors. Consider using x.conj().")
        return self.conj()
    if self.dim() < 2:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. "
            f"Got {self.dim()}-D tensor."
        )
    out = self.transpose(-2, -1)
    return out.conj() if self.is_complex() else out


op(
    "adjoint(Tensor(a) self) -> Tensor(a)",
    says="View the last two dimensions transposed and conjugated.",
    composite=lambda self: _adjoint(self, "adjoint()"),
    samples="matrix",
)
