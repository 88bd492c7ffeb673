"""``torch.func.jacrev``, ``jacfwd``, ``hessian``, ``linearize``.

Errors and their order: torch/_functorch/eager_transforms.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from ..autograd.forward_ad import check_dual
from ..core import vmap_errors
from ..core.operators import ops
from ..core.tracebacks import leaving
from ..tensor import Tensor
from ..utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from .checks import refuse_complex, slice_argnums
from .derivatives import jvp, jvp_of, vjp_of
from .vmap import vmap


def _bases(tensors: list[Any], chunk_size: int | None) -> Iterator[list[Any]]:
    """Unit vectors of all *tensors* together, *chunk_size* at a time: per tensor a batch."""
    sizes = [t.numel() for t in tensors]
    total = sum(sizes)
    step = chunk_size if chunk_size and chunk_size < total else max(total, 1)
    for start in range(0, max(total, 1), step):
        length = min(step, total - start)
        made = []
        offset = 0
        for t, size in zip(tensors, sizes, strict=True):
            rows = t.new_zeros((length, size))
            rows.diagonal(start - offset).fill_(1)
            made.append(rows.view((length, *t.shape)))
            offset += size
        yield made


def jacrev(
    func: Callable[..., Any],
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """A function that gives the Jacobian of *func*, row by row in reverse mode.

    :param chunk_size: how many rows are computed at a time; all by default.

    Raises ValueError for a chunk size below 1, RuntimeError for complex numbers.
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @leaving
    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        refuse_complex("jacrev", args, True)
        output, pull, *aux = vjp_of(func, args, argnums, has_aux)
        outputs, out_spec = tree_flatten(output)
        refuse_complex("jacrev", outputs, False)
        flat, spec = tree_flatten(slice_argnums(args, argnums))
        chunks = []
        for basis in _bases(outputs, chunk_size):
            if chunk_size == 1:
                found = pull(tree_unflatten([t.squeeze(0) for t in basis], out_spec))
                chunks.append([g.unsqueeze(0) for g in tree_leaves(found)])
            else:
                chunks.append(tree_leaves(vmap(pull)(tree_unflatten(basis, out_spec))))
        rows = [parts[0] if len(parts) == 1 else ops.cat(list(parts)) for parts in zip(*chunks)]
        sizes = [t.numel() for t in outputs]
        per_output = []
        splits = [row.split(sizes, 0) for row in rows]
        for i, out in enumerate(outputs):
            parts = [
                split[i].view((*out.shape, *t.shape)) for split, t in zip(splits, flat, strict=True)
            ]
            per_output.append(_one_or_all(tree_unflatten(parts, spec), argnums))
        result = tree_unflatten(per_output, out_spec)
        return (result, *aux) if has_aux else result

    return wrapper


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """A function that gives the Jacobian of *func*, column by column in forward mode."""

    @leaving
    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        refuse_complex("jacfwd", args, True)
        chosen = args if argnums is None else slice_argnums(args, argnums)
        flat, spec = tree_flatten(chosen)
        basis = tree_unflatten(next(_bases(flat, None)), spec)

        def push(direction: Any, args: Any = args) -> Any:
            found = jvp_of(func, args, direction, argnums, has_aux=has_aux)
            refuse_complex("jacfwd", found[0], False)
            return found[1:] if has_aux else found[1]

        made = _along(push, basis, randomness, args)
        aux: Any = None
        if has_aux:
            made, aux = made
            aux = tree_map(lambda t: t[0], aux)
        outputs, out_spec = tree_flatten(made)
        sizes = [t.numel() for t in flat]
        per_output = []
        for out in outputs:
            columns = out.movedim(0, -1).split(sizes, -1)
            parts = [
                c.unflatten(-1, t.shape) if t.dim() else c.squeeze(-1)
                for c, t in zip(columns, flat, strict=True)
            ]
            per_output.append(_one_or_all(tree_unflatten(parts, spec), argnums))
        result = tree_unflatten(per_output, out_spec)
        return (result, aux) if has_aux else result

    return wrapper


def _along(push: Callable[..., Any], basis: Any, randomness: str, args: Any) -> Any:
    """What *push* gives for each direction of *basis*, stacked.

    Under ``vmap`` the function sees other values for each direction where its arguments are dual;
    torch batches tangents only. So what ``vmap`` refuses, in-place ops on tensors that all
    directions share and decisions by values, is done one direction after the other, of which the
    first alone changes *args*.
    """
    together = vmap(push, randomness=randomness)  # refuses what is no choice of randomness
    try:
        return together(basis)
    except RuntimeError as error:
        if str(error) == vmap_errors.RANDOM or randomness == "different":
            raise
    leaves, spec = tree_flatten(basis)
    before = tree_map(_copied, args)
    made: list[Any] = []
    for row in zip(*leaves, strict=True):
        direction = tree_unflatten(list(row), spec)
        made.append(push(direction, tree_map(_copied, before)) if made else push(direction))
    flat, structure = zip(*[tree_flatten(m) for m in made], strict=True)
    return tree_unflatten([ops.stack(list(parts)) for parts in zip(*flat)], structure[0])


def _copied(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def _one_or_all(parts: Any, argnums: Any) -> Any:
    return parts[0] if isinstance(argnums, int) else parts


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """A function that gives the matrix of second derivatives: forward over reverse mode."""
    return jacfwd(jacrev(func, argnums), argnums)


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """``func(*primals)``, and a function of tangents that gives its derivative there.

    Raises ValueError for primals of dtypes that have no gradients, RuntimeError for tangents that
    do not fit *primals*.
    """
    output = func(*primals)
    flat, spec = tree_flatten(primals)
    for primal in flat:
        check_dual(primal, primal)

    def jvp_fn(*tangents: Any) -> Any:
        given, given_spec = tree_flatten(tangents)
        if given_spec != spec:
            raise RuntimeError(
                f"Expected the tangents {given_spec} to have the same argspec as the primals {spec}"
            )
        for i, (t, p) in enumerate(zip(given, flat, strict=True)):
            for what in ("shape", "device", "dtype"):
                have, want = getattr(t, what), getattr(p, what)
                if have != want:
                    raise RuntimeError(
                        f"tangent:{i} with {what} {have} in flattened pytree doesn't match the "
                        f"{what} {want} of the corresponding primal."
                    )
        return jvp(func, primals, tangents)[1]

    return output, jvp_fn
