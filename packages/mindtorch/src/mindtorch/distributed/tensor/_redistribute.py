"""From one list of placements to another: which exchanges along which dimensions of the mesh.

Note [Order of exchanges]
~~~~~~~~~~~~~~~~~~~~~~~~~
A dimension of a tensor that two dimensions of the mesh cut is cut by the first one first. So a cut
is undone, or made anew, only while no later dimension of the mesh cuts the same dimension of the
tensor: placements change from the last dimension of the mesh to the first, and where the earlier
ones will cut otherwise than now, a part becomes whole first and is cut again at the end, from the
first dimension of the mesh to the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...autograd.function import Function
from ...utils._debug_mode import get_active_debug_mode
from ..device_mesh import DeviceMesh
from ._dtensor_spec import DTensorSpec, TensorMeta, shown_placements
from ._lines import Line, cut, line_of
from .placement_types import (
    Partial,
    Placement,
    Replicate,
    _Parts,
    assert_no_mixed_partial_types,
)

__all__ = ["redistribute_local_tensor", "steps", "without_partial"]


def steps(
    have: Sequence[Placement], want: Sequence[Placement]
) -> list[tuple[int, Placement, Placement]]:
    """Dimension of the mesh, placement before and after of each exchange from *have* to *want*."""
    now, found = list(have), []

    def change(i: int, target: Placement) -> None:
        if now[i] != target:
            found.append((i, now[i], target))
            now[i] = target

    # Nested cuts are undone from the inside first, where there are any.
    cut_now = any(isinstance(p, _Parts) for p in have)
    for i in reversed(range(len(now))) if cut_now else ():
        target = want[i]
        if isinstance(target, _Parts):
            before, after = (
                [
                    (j, p)
                    for j, p in enumerate(ps[:i])
                    if isinstance(p, _Parts) and p.dim == target.dim
                ]
                for ps in (now, want)
            )
            if before != after:
                target = Replicate()
        change(i, target)
    for i, target in enumerate(want):
        change(i, target)
    return found


def _size_before(
    shape: Sequence[int], dim: int, i: int, mesh: DeviceMesh, placements: Sequence[Placement]
) -> int:
    """How much of dimension *dim* the cuts of dimensions of the mesh before *i* leave here."""
    at: Any = mesh.get_coordinate()
    size = shape[dim]
    for j, p in enumerate(placements[:i]):
        if isinstance(p, _Parts) and p.dim == dim:
            size = p.lengths(size, mesh.size(j))[at[j]]
    return size


def _moved(tensor: Any, line: Line, have: Placement, want: Placement, size: int) -> Any:
    """The part of this process after one exchange along a dimension of the mesh.

    :param size: how much the processes of the line have together along the dimension of *have*.
    """
    if isinstance(have, Partial):
        if isinstance(want, _Parts):
            return line.reduce_scatter(tensor, have, want)
        if isinstance(want, Replicate):
            return line.all_reduce(tensor, have)
        raise AssertionError(
            f"Redistribution from one partial type ({have}) to another ({want}) is unsupported."
        )
    if isinstance(have, _Parts):
        if isinstance(want, Partial):
            raise RuntimeError(f"redistribute from {have} to {want} not supported yet")
        if isinstance(want, _Parts) and want.dim != have.dim:
            return line.all_to_all(tensor, have, want, size)
        tensor = line.all_gather(tensor, have, size)
        if not isinstance(want, _Parts):
            return tensor
    if isinstance(want, _Parts):
        return cut(tensor, want, line.size, line.index)
    if isinstance(want, Partial):
        return want.share(tensor, line.size)
    raise ValueError(f"Unexpected placement {have} for redistribute to target placement {want}")


def redistribute_local_tensor(
    local: Any, have: DTensorSpec, want: DTensorSpec, is_explicit: bool = False
) -> Any:
    """The part of this process when placements change; a collective call.

    Raises NotImplementedError for another mesh.

    :param is_explicit: whether the program asked for it; otherwise an operator needs it.
    """
    writing = get_active_debug_mode()
    if writing is None:
        return _redistribute(local, have, want)
    with writing.record_redistribute_calls(
        local, have.placements, want.placements, _trace(have, want), is_explicit=is_explicit
    ):
        return _redistribute(local, have, want)


def _trace(have: DTensorSpec, want: DTensorSpec) -> str:
    """The placements before, between and after the exchanges, as text."""
    now = list(have.placements)
    states = [tuple(now)]
    for i, _, after in steps(have.placements, want.placements):
        now[i] = after
        states.append(tuple(now))
    return "->".join(map(shown_placements, states))


def _redistribute(local: Any, have: DTensorSpec, want: DTensorSpec) -> Any:
    mesh = have.mesh
    if mesh != want.mesh:
        raise NotImplementedError("Cross device mesh comm not supported yet!")
    assert_no_mixed_partial_types(have.placements)
    assert_no_mixed_partial_types(want.placements)
    if mesh.get_coordinate() is None:
        return local
    now = list(have.placements)
    for i, before, after in steps(have.placements, want.placements):
        if mesh.size(i) > 1:
            size = 0
            if isinstance(before, _Parts):
                size = _size_before(have.shape, before.dim, i, mesh, now)
            local = _moved(local, line_of(mesh, i), before, after, size)
        elif isinstance(after, Partial) and isinstance(before, _Parts):
            raise RuntimeError(f"redistribute from {before} to {after} not supported yet")
        now[i] = after
    return local


def without_partial(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """*placements* with ``Replicate`` for what is to be reduced: those of a gradient."""
    return tuple(Replicate() if p.is_partial() else p for p in placements)


def _back(grad: Any, spec: DTensorSpec, dtype: Any, wire_dtype: Any) -> Any:
    """A gradient as the tensor of *spec* lies, reduced in *wire_dtype*."""
    local, have = grad._local_tensor, grad._spec
    target = tuple(
        Replicate() if want.is_partial() and not now.is_partial() else want
        for now, want in zip(have.placements, spec.placements, strict=True)
    )
    if local.dtype != wire_dtype:
        local = local.to(wire_dtype)
    made = redistribute_local_tensor(local, have, have.with_placements(target), True)
    if made.dtype != dtype:
        made = made.to(dtype)
    meta = TensorMeta(have.shape, have.stride, dtype)
    return type(grad)(made, DTensorSpec(have.mesh, target, meta), requires_grad=grad.requires_grad)


class Redistribute(Function):
    """The differentiable form, of distributed tensors."""

    @staticmethod
    def forward(
        ctx: Any,
        input: Any,
        device_mesh: DeviceMesh,
        placements: Sequence[Placement],
        async_op: bool = False,
        forward_dtype: Any = None,
        backward_dtype: Any = None,
    ) -> Any:
        spec, local = input._spec, input._local_tensor
        if device_mesh != spec.mesh:
            raise NotImplementedError("Cross device mesh comm not supported yet!")
        placements = tuple(placements)
        forward_dtype, dtype = forward_dtype or local.dtype, backward_dtype or local.dtype
        ctx.spec, ctx.dtypes = spec, (local.dtype, dtype)
        if local.dtype != forward_dtype:
            local = local.to(forward_dtype)
        target = spec.with_placements(placements)
        if spec.placements == placements:
            made = local.view_as(local)
        else:
            made = redistribute_local_tensor(local, spec, target, True)
            if made is local:
                made = local.view_as(local)
        meta = TensorMeta(spec.shape, spec.stride, made.dtype)
        return type(input)(
            made, DTensorSpec(spec.mesh, placements, meta), requires_grad=input.requires_grad
        )

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        own, wire = ctx.dtypes
        return _Back.apply(grad_output, ctx.spec, own, wire), *(None,) * 5


class _Back(Function):
    """The backward of :class:`Redistribute`, of which a gradient may be taken once more."""

    @staticmethod
    def forward(ctx: Any, grad: Any, spec: DTensorSpec, dtype: Any, wire_dtype: Any) -> Any:
        ctx.spec, ctx.dtypes = grad._spec, (grad.dtype, wire_dtype)
        return _back(grad, spec, dtype, wire_dtype)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        return _Back.apply(grad_output, ctx.spec, *ctx.dtypes), None, None, None
