"""Backward of one stage: at once, or first for its inputs and later for its weights."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...aten import torch
from ...autograd import backward, grad
from ...autograd.graph import GradientEdge
from ...tensor import Tensor
from ._debug import map_debug_info

__all__ = [
    "construct_reverse_graph",
    "get_param_groups",
    "reverse_closure",
    "stage_backward",
    "stage_backward_input",
    "stage_backward_weight",
]

#: A node of the graph of gradients.
Node = Any
#: Weights whose gradients come through the same nodes, those nodes, and what they get.
ParamGroup = dict[str, Any]


def _get_grad_fn_or_grad_acc(t: Tensor) -> Node | None:
    """The node that a gradient of *t* goes to; of a leaf the one that adds it up.

    Raises RuntimeError for a leaf where no graph is made.
    """
    if not t.requires_grad or t.grad_fn is not None:
        return t.grad_fn
    viewed = t.view_as(t).grad_fn  # the node of a leaf is made when something needs it
    if viewed is None:
        raise RuntimeError(
            "Attempted to get grad_fn, but got None.Is this being created in a no-grad context?"
        )
    return viewed.next_functions[0][0]


def _nodes_of(tensors: Iterable[Any]) -> list[Node]:
    found = (_get_grad_fn_or_grad_acc(t) for t in tensors if isinstance(t, Tensor))
    return [node for node in found if node is not None]


def reverse_closure(
    roots: list[Node], target_nodes: set[Node], reverse_edges_dict: Any
) -> tuple[set[Node], set[Node]]:
    """Go from *roots* against gradients' way: the nodes met, and the targets that it stopped at."""
    closure = {node for node in roots if node is not None}
    reached: set[Node] = set()
    waiting = collections.deque(dict.fromkeys(node for node in roots if node is not None))
    while waiting:
        for node in reverse_edges_dict[waiting.popleft()]:
            if node is None or node in closure:
                continue
            if node in target_nodes:
                reached.add(node)
            else:
                closure.add(node)
                waiting.append(node)
    return closure, reached


def construct_reverse_graph(roots: list[Node]) -> dict[Node, list[Node]]:
    """For every node below *roots* the nodes from which gradients come to it."""
    edges: dict[Node, list[Node]] = collections.defaultdict(list)
    waiting = collections.deque(dict.fromkeys(node for node in roots if node is not None))
    while waiting:
        node = waiting.popleft()
        for below, _ in node.next_functions:
            if below is None:
                continue
            if not edges[below]:
                waiting.append(below)
            edges[below].append(node)
    return edges


def get_param_groups(
    inputs: list[Node], params: list[Node], reverse_edges_dict: Any
) -> list[ParamGroup]:
    """Group weights by the nodes at which their gradients leave the way to the inputs.

    A group is a dict of ``params`` and ``intermediates``, sets of nodes.
    """
    on_the_way, _ = reverse_closure(inputs, set(), reverse_edges_dict)
    by_intermediate: dict[Node, ParamGroup] = {}
    for param in params:
        _, met = reverse_closure([param], on_the_way, reverse_edges_dict)
        group: ParamGroup = {"params": {param}, "intermediates": met}
        for node in met:
            known = by_intermediate.get(node)
            if known is None:
                by_intermediate[node] = group
            else:
                known["params"] |= group["params"]
                known["intermediates"] |= group["intermediates"]
                group = known
    return list({id(group): group for group in by_intermediate.values()}.values())


def _autograd_grad_for_inputs(
    outputs: Sequence[Tensor],
    inputs: Sequence[Any],
    grad_outputs: Sequence[Tensor | None] | None = None,
    retain_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of those inputs that want one, None for the others."""
    wanted = {i: x for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad}
    found: tuple[Any, ...] = ()
    if wanted:
        found = grad(
            outputs=outputs,
            inputs=list(wanted.values()),
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            allow_unused=allow_unused,
        )
    by_place = dict(zip(wanted, found, strict=True))
    return tuple(by_place.get(i) for i in range(len(inputs)))


def _add_to_grad(t: Tensor, gradient: Tensor) -> None:
    if t.grad is None:
        t.grad = gradient
    else:
        t.grad += gradient


def _watch(groups: list[ParamGroup]) -> Iterator[Any]:
    """Let what comes to the intermediates of groups be kept in them; the handles of the hooks."""

    def keep(group: ParamGroup, place: int) -> Callable[[Any], None]:
        def hook(gradients: Any) -> None:
            group.setdefault("grads", [None] * len(group["intermediates"]))[place] = gradients

        return hook

    for group in groups:
        group["intermediates"] = list(group["intermediates"])
        for place, node in enumerate(group["intermediates"]):
            yield node.register_prehook(keep(group, place))


def stage_backward_input(
    stage_outputs_or_loss: Sequence[Tensor],
    output_grads: Sequence[Tensor | None] | None,
    input_values: Sequence[Any],
    weights: Iterable[Tensor],
) -> tuple[tuple[Tensor | None, ...], list[ParamGroup]]:
    """Compute the gradients of a stage's inputs, and keep what those of its weights need.

    The second result is for :func:`stage_backward_weight`. Outputs are detached then: what lies
    between them and the intermediates is needed no more.
    """
    outputs: list[Tensor] = []
    gradients: list[Tensor | None] = []
    for i, output in enumerate(stage_outputs_or_loss):
        if output.requires_grad or output.grad_fn is not None:
            outputs.append(output)
            gradients.append(torch.ones_like(output) if output_grads is None else output_grads[i])
    edges = construct_reverse_graph(_nodes_of(outputs))
    groups = get_param_groups(_nodes_of(input_values), _nodes_of(weights), edges)
    handles: list[Any] = []
    try:
        handles.extend(_watch(groups))
        found: tuple[Tensor | None, ...] = (None,) * len(input_values)
        if outputs:
            found = _autograd_grad_for_inputs(
                outputs, input_values, gradients, retain_graph=True, allow_unused=True
            )
        for value, gradient in zip(input_values, found, strict=False):
            if isinstance(value, Tensor) and gradient is not None:
                _add_to_grad(value, gradient)
        for output in stage_outputs_or_loss:
            output.detach_()
        return found, groups
    except Exception as e:
        raise RuntimeError(
            _failure("stage backward input", stage_outputs_or_loss, output_grads, input_values)
        ) from e
    finally:
        for handle in handles:
            handle.remove()


def stage_backward_weight(
    weights: Iterable[Tensor], param_groups: list[ParamGroup], retain_graph: bool = False
) -> tuple[Tensor | None, ...]:
    """Compute the gradients of a stage's weights; those that the weights had before are given."""
    weights = list(weights)
    before = tuple(weight.grad for weight in weights)
    by_node = {_get_grad_fn_or_grad_acc(weight): weight for weight in weights}
    for group in param_groups:
        kept = list(zip(group["grads"], group["intermediates"], strict=True))
        edges: list[Any] = []
        gradients = []
        for came, node in kept:
            for i, gradient in enumerate(came):
                if gradient is not None:
                    edges.append(GradientEdge(node, i))
                    gradients.append(gradient)
        handles = []
        try:
            if len(kept) > 1:  # one may lie below another, which would add to what has come to it
                for came, node in kept:
                    handles.append(node.register_prehook(lambda _, came=came: came))
            del group["intermediates"]  # hooks, groups and nodes hold each other
            if edges:
                ends = tuple(GradientEdge(node, 0) for node in group["params"])
                found = grad(edges, ends, grad_outputs=gradients, retain_graph=retain_graph)
                del group["grads"]
                for node, gradient in zip(group["params"], found, strict=True):
                    _add_to_grad(by_node[node], gradient)
        finally:
            for handle in handles:
                handle.remove()
    return before


def _pairs(output: Any, gradient: Any) -> Iterator[tuple[Tensor, Tensor | None]]:
    """The tensors of a nested output that have gradients, with those that are given for them.

    Raises AssertionError where gradients are nested otherwise.
    """
    if isinstance(output, Tensor):
        if output.requires_grad or output.grad_fn is not None:
            if not isinstance(gradient, (Tensor, type(None))):
                raise AssertionError(f"Expected Tensor or None gradient but got {type(gradient)}")
            yield output, gradient
    elif gradient is None:
        return
    elif isinstance(output, (tuple, list)):
        if not isinstance(gradient, (tuple, list)):
            raise AssertionError(
                f"grad_value expected to have type {type(output)} but got {type(gradient)}"
            )
        if len(output) != len(gradient):
            raise AssertionError(
                f"Expected len(output_val) == len(grad_val), got {len(output)} != {len(gradient)}"
            )
        for mine, its in zip(output, gradient, strict=True):
            yield from _pairs(mine, its)
    elif isinstance(output, dict):
        if not isinstance(gradient, dict):
            raise AssertionError(f"Expected dict, got {type(gradient)}")
        if set(output) != set(gradient):
            raise AssertionError(f"Expected keys {set(output)}, got {set(gradient)}")
        for key in output:
            yield from _pairs(output[key], gradient[key])


def stage_backward(
    stage_output: Any,
    output_grads: Any,
    input_values: Sequence[Any],
    outputs_with_grads_idxs: list[int] | None = None,
) -> tuple[Tensor | None, ...]:
    """Add to the gradients of all weights below the outputs; the gradients of the inputs.

    :param outputs_with_grads_idxs: which outputs have gradients; all, if not given.

    Raises RuntimeError, with what was given, where it fails.
    """
    if outputs_with_grads_idxs is not None:
        stage_output = [stage_output[i] for i in outputs_with_grads_idxs]
        output_grads = [output_grads[i] for i in outputs_with_grads_idxs]
    try:
        pairs = list(_pairs(stage_output, output_grads))
        backward([t for t, _ in pairs], grad_tensors=[gradient for _, gradient in pairs])
        found: list[Tensor | None] = []
        for value in input_values:
            found.append(value.grad if isinstance(value, Tensor) else None)
            if isinstance(value, Tensor):
                value.grad = None  # sent on and then free; nobody adds to it
    except Exception as e:
        raise RuntimeError(
            _failure("stage backward", stage_output, output_grads, input_values)
        ) from e
    return tuple(found)


def _failure(what: str, output: Any, gradients: Any, inputs: Any) -> str:
    return (
        f"\n        Failed to run {what}:\n"
        f"        Stage output: {map_debug_info(output)}\n"
        f"        Output gradient: {map_debug_info(gradients)}\n"
        f"        Input: {map_debug_info(inputs)}\n        "
    )


def _null_coalesce_accumulate(lhs: Any, rhs: Any) -> Any:
    """The sum of two gradients of which either may be missing."""
    if lhs is None:
        return rhs
    return lhs if rhs is None else torch.add(lhs, rhs)
