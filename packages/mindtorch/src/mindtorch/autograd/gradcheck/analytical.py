"""Derivatives by backward and by forward mode, as the matrices that differences are compared to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from mindtorch_autograd import grad
from mindtorch_autograd.gradcheck import GradcheckError, nondeterministic

from ...core.operators import ops
from ..forward_ad import dual_level, make_dual, unpack_dual
from .numerical import as_tuple, is_differentiable, watched, zeros_of
from .sparse import dense


def by_backward(
    inputs: Sequence[Any],
    output: Any,
    nondet_tol: float,
    check_dtypes: bool,
    v: Any = None,
) -> list[Any]:
    """Per input the transposed Jacobian of *output*, or its product with *v*, twice the same.

    Raises GradcheckError for gradients of wrong dtype or size, or that differ the second time.
    """
    first, same, sizes, dtypes = twice(inputs, output, nondet_tol, v)
    # torch takes the two answers for each other.
    if not sizes and check_dtypes:
        raise GradcheckError("Gradient has dtype mismatch")
    if not dtypes:
        raise GradcheckError("Analytical gradient has incorrect size")
    if not same:
        raise nondeterministic(nondet_tol)
    return first


def twice(
    inputs: Sequence[Any], output: Any, nondet_tol: float, v: Any = None
) -> tuple[list[Any], bool, bool, bool]:
    """The same, and whether it is so the second time, and sizes and dtypes are the inputs'."""
    wanted = [inputs[i] for i in watched(inputs)]

    def columns() -> tuple[list[Any], bool, bool]:
        seeds = _units(output) if v is None else iter([v.reshape(output.shape)])
        count = output.numel() if v is None else 1
        found = [ops.zeros((x.numel(), count), dtype=x.dtype, device=x.device) for x in wanted]
        sizes = dtypes = True
        for j, seed in enumerate(seeds):
            grads = grad(output, wanted, seed, retain_graph=True, allow_unused=True)
            for matrix, g, x in zip(found, grads, wanted, strict=True):
                if g is None:
                    continue
                if g.size() != x.size():
                    sizes = False
                elif g.dtype != x.dtype:
                    dtypes = False
                matrix[:, j] = dense(g).reshape(-1)
        return found, sizes, dtypes

    first, sizes, dtypes = columns()
    again, _, _ = columns()
    same = all(
        not a.numel() or bool((a - b).abs().max() <= nondet_tol)
        for a, b in zip(first, again, strict=True)
    )
    return first, same, sizes, dtypes


def _units(output: Any) -> Any:
    for j in range(output.numel()):
        seed = zeros_of(output)
        seed.view(-1)[j] = 1.0
        yield seed


def by_forward(
    fn: Callable[..., Any],
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    check_dtypes: bool = False,
    directions: Sequence[Any] | None = None,
) -> list[list[Any]]:
    """Per input and output the transposed Jacobian, or its product with each of *directions*.

    Raises ValueError for complex inputs, GradcheckError for tangents of wrong dtype.
    """
    at = watched(inputs)
    if any(inputs[i].is_complex() for i in at):
        raise ValueError(
            "Expected inputs to be non-complex for _get_analytical_jacobian_forward_ad."
        )
    kept = [t for t in outputs if is_differentiable(t)]
    found = [
        [t.new_zeros((1 if directions else inputs[i].numel(), t.numel())) for t in kept] for i in at
    ]
    with dual_level():
        tangents = {i: zeros_of(inputs[i]) for i in at}
        duals = [
            make_dual(t.detach(), tangents[i]) if i in tangents else t for i, t in enumerate(inputs)
        ]
        moved = {i: unpack_dual(duals[i]).tangent for i in at}
        for k, i in enumerate(at):
            tangent = moved[i]
            if directions:
                tangent.copy_(directions[k].view_as(tangent))
                _note(fn(*duals), found[k], 0, check_dtypes)
                tangent.zero_()
                continue
            for row, index in enumerate(product(*[range(n) for n in tangent.shape])):
                tangent[index] = 1.0
                _note(fn(*duals), found[k], row, check_dtypes)
                tangent[index] = 0.0
    if directions:
        return [[matrix.squeeze(0) for matrix in row] for row in found]
    return found


def _note(outputs: Any, matrices: list[Any], row: int, check_dtypes: bool) -> None:
    kept = [t for t in as_tuple(outputs) if is_differentiable(t)]
    for matrix, t in zip(matrices, kept, strict=True):
        value, tangent = unpack_dual(t)
        if check_dtypes and tangent is not None and value.is_complex() != tangent.is_complex():
            raise GradcheckError("Forward AD gradient has dtype mismatch.")
        matrix[row] = 0 if tangent is None else tangent.reshape(-1)


def close(a: Any, b: Any, rtol: float, atol: float) -> bool:
    """Whether two matrices agree, in the wider of their dtypes."""
    if a.dtype != b.dtype:
        joint = ops.result_type(a.reshape(-1), b.reshape(-1))
        a, b = a.to(joint), b.to(joint)
    return bool(ops.allclose(a, b, rtol, atol))


def differentiable(outputs: Any) -> tuple[Any, ...]:
    """The outputs that require gradients."""
    return tuple([t for t in as_tuple(outputs) if t.requires_grad])
