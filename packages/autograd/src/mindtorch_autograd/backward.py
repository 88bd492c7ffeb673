"""``backward`` and ``grad``: check what the user gave, then run the engine."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import engine, errors, installed
from mindtorch_autograd.graph import GradientEdge, edge_of_pair
from mindtorch_autograd.node import Edge, Node

__all__ = ["backward", "flags", "grad"]

_BYTE = 255


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradient of *tensors* to the ``.grad`` of the leaves they were made from.

    :param tensors: a value, a ``GradientEdge``, or a sequence of them.
    :param grad_tensors: for each the gradient to start from; None for a scalar means one.
    :param retain_graph: keep what the graph saved, to run it again; default *create_graph*.
    :param create_graph: record this backward, for derivatives of higher order.
    :param inputs: fill only the ``.grad`` of these; None: of all leaves.
    """
    if installed.refuse_backward is not None:
        installed.refuse_backward()
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.",
            FutureWarning,
            stacklevel=2,
        )
        if grad_tensors is not None:
            raise errors.deprecated_variables_conflict()
        grad_tensors = grad_variables
    space = installed.space
    wanted: tuple[Any, ...] | None = None
    if inputs is not None:
        wanted = _as_tuple(inputs)
        if not wanted:
            raise errors.empty_inputs("backward")
    roots = _roots(_as_tuple(tensors), grad_tensors, False)
    keep, create_graph = flags(retain_graph, create_graph)
    if create_graph:
        _warn_create_graph()
    targets: list[Node] | None = None
    if wanted is not None:
        targets = []
        for x in wanted:
            if isinstance(x, GradientEdge):
                edge = edge_of_pair(x)
            elif space.is_value(x):
                if not space.requires_grad(x):
                    raise errors.retain_on_constant()
                if space.grad_fn(x) is not None:
                    space.retain_grad(x)
                edge = space.edge(x)
            else:
                raise errors.input_type(type(x).__name__)
            if edge is not None:
                targets.append(edge)
    engine.execute(roots, keep_graph=keep, create_graph=create_graph, targets=targets)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """Return the gradient of *outputs* with respect to each of *inputs*; no ``.grad`` changes.

    :param allow_unused: give None, instead of raising, for an input that *outputs* do not use.
    :param materialize_grads: give zeros for those.
    :param is_grads_batched: the first dimension of each of *grad_outputs* is a batch's, and so it
        is in the results; how that is done is up to the space (``over_batch``).
    """
    if materialize_grads and allow_unused is False:
        raise errors.allow_unused_conflict(allow_unused)
    if allow_unused is None:
        allow_unused = materialize_grads
    space = installed.space
    wanted = _as_tuple(inputs)
    if not wanted:
        raise errors.empty_inputs("grad")
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To "
            "accumulate gradient for other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    roots = _roots(_as_tuple(outputs), grad_outputs, is_grads_batched)
    if not is_grads_batched:
        flags(retain_graph, create_graph)
        _truth(allow_unused)
    captures: list[Edge] = []
    for x in wanted:
        if isinstance(x, GradientEdge):
            captures.append(edge_of_pair(x))
        elif space.is_value(x):
            if not space.requires_grad(x):
                raise errors.input_not_required()
            captures.append(space.edge(x))
        else:
            raise errors.input_type(type(x).__name__)

    def run(seeds: list[Any]) -> list[Any]:
        keep, recorded = flags(retain_graph, create_graph)
        start = [(root, seed) for (root, _), seed in zip(roots, seeds)]
        found = engine.execute(start, keep_graph=keep, create_graph=recorded, captures=captures)
        assert found is not None
        return found

    seeds = [seed for _, seed in roots]
    result = space.over_batch(run, seeds) if is_grads_batched else run(seeds)
    for index, (x, value) in enumerate(zip(wanted, result)):
        if value is None:
            if not allow_unused:
                raise errors.input_unused(index)
            if materialize_grads:
                if isinstance(x, GradientEdge):
                    raise RuntimeError(
                        "materialize_grads cannot be used when the given input is a GradientEdge"
                    )
                result[index] = space.zeros_like(x, flags(retain_graph, create_graph)[1])
    return tuple(result)


def flags(retain_graph: Any, create_graph: Any) -> tuple[bool, bool]:
    """Whether to keep the graph, and whether to record a new one; TypeError for no numbers."""
    if create_graph is False and (retain_graph is None or retain_graph is False):
        return False, False
    if retain_graph is None:
        retain_graph = create_graph
    return _truth(retain_graph), _truth(create_graph)


def _truth(flag: Any) -> bool:
    """A flag that is a bool, or a number of one byte. Source: CPython, the format ``b``."""
    if flag is True or flag is False:
        return flag
    number = operator.index(flag)
    if not 0 <= number <= _BYTE:
        raise errors.flag_is_no_byte(number)
    return bool(number)


def _as_tuple(x: Any) -> tuple[Any, ...]:
    if type(x) is tuple:
        return x
    if isinstance(x, (GradientEdge, installed.space.value_class)):
        return (x,)
    return tuple(x)


def _roots(outputs: tuple[Any, ...], grads: Any, batched: bool) -> list[tuple[Node, Any]]:
    """Return the edges of *outputs*, each with the gradient to start from."""
    space = installed.space
    check_root, value_class = space.check_root, space.value_class
    given: Sequence[Any] = (None,) * len(outputs) if grads is None else _as_tuple(grads)
    seeds = []
    for out, grad in zip(outputs, given):
        if isinstance(out, value_class):
            unwanted = grad is None and not space.requires_grad(out)
            seeds.append(None if unwanted else check_root(out, grad, batched))
        elif isinstance(out, GradientEdge):
            if out.output_nr >= out.node._num_outputs_:
                raise IndexError("tuple index out of range")
            seeds.append(check_root(edge_of_pair(out), grad, batched))
        else:
            raise errors.not_a_value()
    if len(outputs) != len(seeds):  # more gradients than outputs: torch looks at none of them
        raise errors.root_count(len(outputs), len(seeds))
    roots: list[tuple[Node, Any]] = []
    for index, (out, seed) in enumerate(zip(outputs, seeds)):
        edge = edge_of_pair(out) if isinstance(out, GradientEdge) else space.edge(out)
        if edge is None:
            raise errors.does_not_require_grad(index)
        roots.append((edge, seed))
    return roots


def _warn_create_graph() -> None:
    # Once per process, as torch's TORCH_WARN_ONCE.
    if "create_graph" in errors.said:
        return
    errors.said.add("create_graph")

    warnings.warn(
        "Using backward() with create_graph=True will create a reference cycle between the "
        "parameter and its gradient which can cause a memory leak. We recommend using "
        "autograd.grad when creating the graph to avoid this. If you have to use this function, "
        "make sure to reset the .grad fields of your parameters to None after use to break the "
        "cycle and avoid the leak.",
        stacklevel=3,
    )
