"""``torch.func.grad``, ``grad_and_value``, ``vjp``, ``jvp``; see ``reverse`` and ``tangents``.

Errors and their order: torch/_functorch/eager_transforms.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_autograd import disable_saved_tensors_hooks, enable_grad, is_grad_enabled

from ..autograd.forward_ad import check_dual, make_dual_at, nested_level, primal_of
from ..core.operators import ops
from ..core.tracebacks import leaving
from ..functionality.batching import bottom
from ..functionality.tangents import (
    close_level,
    enabled,
    open_level,
    open_levels,
    tangent_of,
)
from ..functionality.tangents import (
    tangents as tangents_of,
)
from ..functionality.transform_guards import arguments, own
from ..functionality.transforms import transform
from ..tensor import Tensor
from ..utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten, treespec_pprint
from .checks import check_outputs, check_tensors, replaced, slice_argnums, with_aux
from .reverse import ReverseLevel
from .whole import copy_of

_NO_HOOKS = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an "
    "issue with your use case."
)
_JVP = "jvp(f, primals, tangents)"


def grad_and_value(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives the gradient of *func*, a scalar, and its value.

    :param argnums: which arguments the gradient is for: an int or a tuple of them.
    :param has_aux: *func* gives ``(value, aux)``; the result is ``(gradient, (value, aux))``.
    """

    @leaving
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        api = "grad_and_value(f)(*args)"
        with disable_saved_tensors_hooks(_NO_HOOKS):
            level = ReverseLevel()
            with transform(level), enable_grad():
                chosen = slice_argnums(args, argnums, as_tuple=False)
                flat, spec = tree_flatten(chosen)
                arguments(tree_leaves((args, kwargs)), flat)
                entered = tree_unflatten([level.enter(t) for t in flat], spec)
                new = (entered,) if isinstance(argnums, int) else entered
                output = func(*replaced(args, new, argnums), **kwargs)
                aux: Any = None
                if has_aux:
                    output, aux = with_aux(output, api)
                if not isinstance(output, Tensor):
                    raise RuntimeError(
                        f"{api}: Expected f(*args) to return a Tensor, got {type(output)}"
                    )
                if output.dim():
                    raise RuntimeError(
                        f"{api}: Expected f(*args) to return a scalar Tensor, got tensor with "
                        f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs "
                        "instead?"
                    )
                outside = level.leads_outside([output])
                found = level.gradients([output], None, outside, outside)
                grads = tree_unflatten([level.leave(g) for g in found], spec)
                output = level.leave(output)
                aux = tree_map(_tensors_only(level.leave), aux) if has_aux else None
        return (grads, (output, aux)) if has_aux else (grads, output)

    return wrapper


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of *func*, a scalar; see :func:`grad_and_value`."""
    both = grad_and_value(func, argnums, has_aux)

    @leaving
    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return wrapper


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """``func(*primals)``, and a function from gradients of that to those of *primals*."""
    return vjp_of(func, primals, None, has_aux)


def vjp_of(func: Callable[..., Any], primals: tuple[Any, ...], argnums: Any, has_aux: bool) -> Any:
    """The same for the arguments that *argnums* names (None: all)."""
    level = ReverseLevel()
    api = "vjp(f, *primals)"
    with disable_saved_tensors_hooks(_NO_HOOKS), transform(level), enable_grad():
        chosen = primals if argnums is None else slice_argnums(primals, argnums, as_tuple=False)
        flat, spec = tree_flatten(chosen)
        arguments(tree_leaves(primals), flat)
        entered = tree_unflatten([level.enter(t) for t in flat], spec)
        if argnums is None:
            args = entered
        else:
            new = (entered,) if isinstance(argnums, int) else entered
            args = replaced(primals, new, argnums)
        output = func(*args)
        aux: Any = None
        if has_aux:
            output, aux = with_aux(output, api)
            aux = tree_map(_tensors_only(level.leave), aux)
        outputs, out_spec = tree_flatten(output)
        check_outputs(outputs, api)
        outside = level.leads_outside(outputs)
        result = tree_map(level.leave, output)
        for t in outputs:
            if not (t.is_floating_point() or t.is_complex()):
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got "
                    f"Tensor with dtype {t.dtype}"
                )

    def pull(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        seeds, seed_spec = tree_flatten(cotangents)
        if seed_spec != out_spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {treespec_pprint(seed_spec)}, primal "
                f"output: {treespec_pprint(out_spec)}"
            )
        if create_graph is None:
            create_graph = is_grad_enabled()
        wanted = create_graph and (outside or any(_requires_grad(s) for s in seeds))
        found = level.gradients(outputs, seeds, retain_graph, wanted)
        return tree_unflatten([g if wanted else level.leave(g) for g in found], spec)

    return (result, pull, aux) if has_aux else (result, pull)


def _tensors_only(leave: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """*leave* for tensors, and RuntimeError for anything else that a function says besides."""

    def checked(value: Any) -> Any:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
        return leave(value)

    return checked


def _requires_grad(t: Any) -> bool:
    return isinstance(t, Tensor) and bool(bottom(t).requires_grad)


def jvp(
    func: Callable[..., Any],
    primals: Any,
    tangents: Any,
    *,
    strict: bool = False,
    has_aux: bool = False,
) -> Any:
    """``func(*primals)`` and its derivative in the direction of *tangents*.

    :param strict: raise RuntimeError for a result that does not depend on *primals*.
    """
    return jvp_of(func, primals, tangents, None, strict=strict, has_aux=has_aux)


def jvp_of(
    func: Callable[..., Any],
    primals: Any,
    tangents: Any,
    argnums: Any,
    *,
    strict: bool = False,
    has_aux: bool = False,
) -> Any:
    """The same with *tangents* of the arguments that *argnums* names (None: all)."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    chosen = primals if argnums is None else slice_argnums(primals, argnums)
    flat, spec = tree_flatten(chosen)
    directions, direction_spec = tree_flatten(tangents)
    if spec != direction_spec:
        raise RuntimeError(
            f"{_JVP}: Expected primals and tangents to have the same python structure. For "
            "example, if primals is a tuple of 3 tensors, tangents also must be. Got primals with "
            f"structure {spec} and tangents with structure {direction_spec}"
        )
    check_tensors(flat, _JVP, "primals")
    check_tensors(directions, _JVP, "tangents")
    if any(n == 0 for n, _ in open_levels.get()):
        raise nested_level()
    number = 1 + max((n for n, _ in open_levels.get()), default=0)
    with transform(number), _dual_level(number):
        arguments(tree_leaves(primals), flat)
        duals = []
        for p, t in zip(flat, directions, strict=True):
            check_dual(p, t)
            dual = own(make_dual_at(p, t, number))
            own(tangents_of(bottom(dual))[number])  # in-place ops change it, too
            duals.append(dual)
        apart = [copy_of(p, dual) for p, dual in zip(flat, duals, strict=True)]
        args = tree_unflatten(duals, spec)
        output = func(*(args if argnums is None else replaced(primals, args, argnums)))
        aux: Any = None
        if has_aux:
            output, aux = with_aux(output, _JVP)
            aux = tree_map(_tensors_only(lambda t: _value(t, number)), aux)
        outputs, out_spec = tree_flatten(output)
        check_outputs(outputs, _JVP)
        values = [_value(t, number) for t in outputs]
        made = [_tangent(t, number, strict) for t in outputs]
    for p, copy in zip(flat, apart, strict=True):
        if copy is not None:
            copy.give_back(p)
    result = tree_unflatten(values, out_spec), tree_unflatten(made, out_spec)
    return (*result, aux) if has_aux else result


@contextmanager
def _dual_level(number: int) -> Iterator[None]:
    open_level(number)
    before = enabled.set(True)
    try:
        yield
    finally:
        enabled.reset(before)
        close_level(number)


def _value(t: Any, number: int) -> Any:
    return primal_of(t, number) if isinstance(t, Tensor) else t


def _tangent(t: Any, number: int, strict: bool) -> Any:
    found = tangent_of(t, number)
    if found is None:
        if strict:
            raise RuntimeError(
                "jvp(f, primals, tangents, strict=True): The output of f is independent of the "
                "inputs. This is not allowed with strict=True."
            )
        return ops.zeros_like(_value(t, number))
    return found
