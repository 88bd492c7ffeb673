"""``torch._higher_order_ops.scan``: running results along a dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..aten import torch
from ..utils._pytree import TreeSpec, tree_flatten, tree_unflatten
from .along import dimension, put_together, refuse_empty, slices

__all__ = ["scan", "scan_op"]


def scan(
    combine_fn: Callable[..., Any], init: Any, xs: Any, *, dim: int = 0, reverse: bool = False
) -> tuple[Any, Any]:
    """The last carry, and what *combine_fn* returned beside it for each slice, stacked.

    Raises RuntimeError for other than tensors, and for a carry that is not like *init*.
    """
    leaves, xs_spec = tree_flatten(xs)
    if not leaves:
        return init, []
    begin, spec = tree_flatten(init)
    dim = dimension(leaves, dim)
    _check(combine_fn, leaves, begin, dim, reverse)
    if dim:
        leaves = [x.movedim(dim, 0) for x in leaves]
    if reverse:
        leaves = [x.flip([0]) for x in leaves]
    output_specs: list[TreeSpec] = []

    def step(*given: Any) -> list[Any]:
        carry = tree_unflatten(list(given[: len(begin)]), spec)
        result = combine_fn(carry, tree_unflatten(list(given[len(begin) :]), xs_spec))
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise RuntimeError(f"Expected combine_fn to return a carry and an output, got {result}")
        after, spec_after = tree_flatten(result[0])
        if spec_after != spec:
            raise RuntimeError(
                f"Expected init and carry to have same structure, got {spec} and {spec_after}"
            )
        _check_alike(begin, after)
        outputs, output_spec = tree_flatten(result[1])
        output_specs.append(output_spec)
        return [*after, *outputs]

    found = scan_op(step, begin, leaves, ())
    outputs = list(found[len(begin) :])
    if reverse:
        outputs = [y.flip([0]) for y in outputs]
    if dim:
        outputs = [y.movedim(0, dim) if dim < y.ndim else y for y in outputs]
    carry = tree_unflatten(list(found[: len(begin)]), spec)
    return carry, tree_unflatten(outputs, output_specs[0])


class ScanOp(HigherOrderOperator):
    """``torch.ops.higher_order.scan``: over the first dim, of a function of flat arguments.

    It is given what is carried, the slices and additional inputs, and returns a list of what is
    carried then and of outputs.
    """

    def __init__(self) -> None:
        super().__init__("scan")

    def __call__(
        self, combine_fn: Any, init: Any, xs: Any, additional_inputs: Any, /
    ) -> tuple[Any, ...]:
        """Go through the slices. Raises AssertionError where additional inputs are no sequence."""
        if not isinstance(additional_inputs, (tuple, list)):
            raise AssertionError(
                f"additional_inputs must be a tuple or list, got {type(additional_inputs)}"
            )
        found: tuple[Any, ...] = super().__call__(combine_fn, init, xs, tuple(additional_inputs))
        return found


scan_op = ScanOp()


@scan_op.py_impl(DispatchKey.CompositeImplicitAutograd)
def _each(combine_fn: Any, init: Any, xs: Any, additional: Any) -> tuple[Any, ...]:
    """What is carried in the end, and the outputs of all slices, stacked."""
    carry, outputs = list(init), []
    for x in slices(list(xs), 0, False):
        found = combine_fn(*carry, *x, *additional)
        carry = list(found[: len(carry)])
        outputs.append(list(found[len(carry) :]))
    return (*carry, *put_together(outputs, 0, False))


def _check(combine_fn: Any, leaves: list[Any], begin: list[Any], dim: int, reverse: Any) -> None:
    if not callable(combine_fn):
        raise RuntimeError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if not begin:
        raise RuntimeError("scan() operator requires init leaves.")
    for name, each in (("init", begin), ("xs", leaves)):
        for x in each:
            if not isinstance(x, torch.Tensor):
                raise RuntimeError(f"All {name} leaves must be a Tensor but got {x}")
    refuse_empty(leaves, dim, RuntimeError)


def _check_alike(begin: list[Any], after: list[Any]) -> None:
    """Refuse carries of another shape or dtype than those that a scan began with."""
    for i, (x, y) in enumerate(zip(begin, after, strict=True)):
        facts = [("shape", x.shape, y.shape), ("dtype", x.dtype, y.dtype)]
        differ = ", ".join(f"'{what}: {a} vs {b}'" for what, a, b in facts if a != b)
        if differ:
            raise RuntimeError(
                "Expected init and carry to have same metadata but found:\n"
                f"pair[{i}] differ in {differ}, where lhs is {x} and rhs is {y}"
            )


def _fake_scan(
    combine_fn: Callable[..., Any],
    init: Any,
    xs: Any = None,
    dim: int = 0,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """What torch's tests compare with: this is no operator in another form."""
    return scan(combine_fn, init, xs, dim=dim, reverse=reverse)
