"""One node's turn in a backward: its hooks, its checks, and whoever watches."""

from __future__ import annotations

from typing import Any, TypeAlias

from mindtorch_autograd import anomaly, errors, installed, streams
from mindtorch_autograd.graph_task import GraphTask
from mindtorch_autograd.node import (
    Edge,
    Extras,
    Node,
    check_result,
    extras_of,
    name_of,
    name_of_hook,
)

Some: TypeAlias = tuple[Edge, ...] | None


def watched_step(task: GraphTask, node: Node, grad: Any, some: Some = None) -> Any:
    """Run *node* for anomaly mode, for the watcher, or for both."""
    step = _blaming_step if anomaly.enabled else _quiet_step
    if task.watcher is None:
        return step(task, node, grad, some)
    with task.watcher.node(name_of(node), node, grad):
        return step(task, node, grad, some)


def _quiet_step(task: GraphTask, node: Node, grad: Any, some: Some) -> Any:
    return step(node, grad, some)


def _blaming_step(task: GraphTask, node: Node, grad: Any, some: Some) -> Any:
    """Run *node* as anomaly mode wants: blame its forward call for an error or a NaN."""
    before = task.node
    task.node = node
    try:
        outs = step(node, grad, some)
        if anomaly.check_nan:
            has_nan = installed.space.has_nan
            for index, out in enumerate((outs,) if len(node._edges_) == 1 else outs or ()):
                if out is not None and has_nan(out):
                    raise errors.nan_output(name_of(node), index)
        return outs
    except Exception:
        anomaly.warn_forward_call(node)
        raise
    finally:
        task.node = before


def step(node: Node, grad: Any, some: Some = None) -> Any:
    """Run one node with its hooks and checks; returns what ``apply`` would.

    :param grad: the gradient; a list where the node has several outputs.
    :param some: the edges whose gradient is wanted, None in place of others; None: all of them.
    """
    extra = node._extra_
    apply: Any = node.apply
    single = len(node._edges_) == 1
    if extra is None:
        if grad is not None or node._takes_undefined_:
            return apply(grad) if some is None else apply(grad, edges=some)
        return None if single else (None,) * len(node._edges_)

    if (
        node._num_outputs_ != 1
        and grad is not None
        and extra.outputs is None
        and extra.pre_hooks is None
        and extra.post_hooks is None
        and extra.metas is None
    ):
        if node._takes_undefined_ or not all([g is None for g in grad]):
            out = apply(*grad) if some is None else apply(*grad, edges=some)
            return out if extra.post_hooks is None else _after_late_hooks(node, out)
        return None if single else (None,) * len(node._edges_)

    grads = run_hooks_of_results(node, grad)
    if extra.pre_hooks:
        came = _of_results(node, extra, grads)
        for hook in tuple(extra.pre_hooks.values()):
            came = _checked(hook, hook(came), came)
        grads = came if len(came) == len(grads) else _in_place_of(node, extra, grads, came)

    outs: Any
    if node._takes_undefined_ or not all([g is None for g in grads]):
        outs = apply(*grads) if some is None else apply(*grads, edges=some)
        if single:
            outs = (outs,)
    else:
        outs = (None,) * len(node._edges_)

    metas = extra.metas
    if metas is not None:
        conform = installed.space.conform
        outs = [
            out if out is None or meta is None else conform(out, meta, node, index)
            for index, (out, meta) in enumerate(zip(outs, metas))
        ]
    if extra.post_hooks:
        outs = tuple(outs or ())
        came = _of_results(node, extra, grads)
        for hook in tuple(extra.post_hooks.values()):
            outs = _checked(hook, hook(outs, came), outs)
    return outs[0] if single else outs


def _with_gradients(node: Node, extra: Extras) -> list[int]:
    """The numbers of the results of *node* that may have gradients."""
    count = node._num_outputs_
    known = extra.input_metadata
    numbers = [i for i in range(count) if i not in node._leaves_]
    return numbers if known is None else numbers[: len(known)]


def _of_results(node: Node, extra: Extras, grads: tuple[Any, ...]) -> tuple[Any, ...]:
    """What hooks see of *grads*: torch counts only the results that may have gradients."""
    if len(grads) == 1:
        return grads
    return tuple([grads[i] for i in _with_gradients(node, extra)])


def _in_place_of(
    node: Node, extra: Extras, grads: tuple[Any, ...], came: tuple[Any, ...]
) -> tuple[Any, ...]:
    """*grads* with what hooks left of those they saw."""
    made = list(grads)
    for number, grad in zip(_with_gradients(node, extra), came):
        made[number] = grad
    return tuple(made)


def after_quick(task: GraphTask, node: Node, out: Any) -> Any:
    """Do what came up while *node* ran, which had nothing rare before; returns its gradients.

    Hooks that its own formula registered hear of no gradients that came in, as in torch.
    """
    streams.come_back(task)
    extra = node._extra_
    return out if extra is None or not extra.post_hooks else _after_late_hooks(node, out)


def _after_late_hooks(node: Node, out: Any) -> Any:
    """What the hooks that *node* got while it ran make of its gradients."""
    single = len(node._edges_) == 1
    outs = (out,) if single else tuple(out or ())
    for hook in tuple((extras_of(node).post_hooks or {}).values()):
        outs = _checked(hook, hook(outs, ()), outs)
    return outs[0] if single else outs


def run_hooks_of_results(node: Node, grad: Any) -> tuple[Any, ...]:
    """Run the hooks of the values that *node* made; the gradients that they leave.

    :param grad: the gradient; a list where the node has several outputs.
    """
    extra = node._extra_
    if node._num_outputs_ == 1:
        return (grad if extra is None else _run_output_hooks(extra, grad),)
    grads = tuple(grad if grad is not None else (None,) * node._num_outputs_)
    if extra is None or extra.outputs is None:
        return grads
    return _run_hooks_of_outputs(extra.outputs, grads)


def _run_output_hooks(extra: Extras, grad: Any) -> Any:
    """Run the hooks of the value whose gradient is *grad*; ``retain_grad`` sees the outcome."""
    if extra.convert is not None and grad is not None:
        grad = extra.convert(grad)
    if extra.tensor_hooks:
        grad = _run_tensor_hooks(extra, grad)
    if extra.retain_hook is not None and grad is not None:
        extra.retain_hook(grad)
    return grad


def _run_tensor_hooks(extra: Extras, grad: Any) -> Any:
    for hook in tuple((extra.tensor_hooks or {}).values()):
        result = hook(grad)
        if result is not None:
            check_result(hook, grad, result)
            grad = result
    return grad


def _run_hooks_of_outputs(
    outputs: list[tuple[int, Extras]], given: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Run the hooks of all results of a node; what is retained is what they leave."""
    grads = list(given)
    for nr, extra in tuple(outputs):
        grads[nr] = _run_tensor_hooks(extra, grads[nr])
    for nr, extra in tuple(outputs):
        if extra.retain_hook is not None and grads[nr] is not None:
            extra.retain_hook(grads[nr])
    return tuple(grads)


def _checked(hook: Any, result: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the gradients that *hook* leaves, after torch's checks of what it returned."""
    if result is None:
        return values
    if not isinstance(result, tuple):
        raise errors.hook_not_tuple(result)
    if len(result) != len(values):
        raise errors.hook_count(name_of_hook(hook), len(result), len(values))
    for before, after in zip(values, result):
        check_result(hook, before, after)
    return result
