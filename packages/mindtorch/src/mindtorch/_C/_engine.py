"""``torch._C``'s names for what the autograd engine does right now, and for its switches."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_autograd.engine import current_node, execution_order, will_execute
from mindtorch_autograd.graph_task import current_graph_task
from mindtorch_autograd.node import Node

from ..autograd.graph import (
    set_warn_on_accumulate_grad_stream_mismatch as _set_warn_on_accumulate_grad_stream_mismatch,
)
from ..core.layout_policy import enforced
from ..functionality import backward_streams

__all__ = [
    "_current_autograd_node",
    "_current_graph_task_execution_order",
    "_current_graph_task_id",
    "_get_current_graph_task_keep_graph",
    "_is_grad_layout_enforcement_enabled",
    "_is_multithreading_enabled",
    "_is_view_replay_enabled",
    "_set_grad_layout_enforcement_enabled",
    "_set_multithreading_enabled",
    "_set_view_replay_enabled",
    "_set_warn_on_accumulate_grad_stream_mismatch",
    "_warn_on_accumulate_grad_stream_mismatch",
    "_will_engine_execute_node",
]


def _current_graph_task_id() -> int:
    """The number of the backward that runs in this thread, -1 if none does."""
    task = current_graph_task()
    return -1 if task is None else task.number


def _get_current_graph_task_keep_graph() -> bool:
    """Whether the running backward keeps its graph; true where none runs."""
    task = current_graph_task()
    return True if task is None else task.keep_graph


def _is_view_replay_enabled() -> bool:
    """Whether views remember in this thread by which calls they were made."""
    return grad_mode.view_replay.get()


def _set_view_replay_enabled(enabled: bool) -> None:
    """Switch that on or off; which calls made a view shows in its node after a change of its base.

    Raises TypeError for other than a bool.
    """
    if not isinstance(enabled, bool):
        raise TypeError(
            "set_view_replay_enabled(): argument 'enabled' (position 1) must be bool, not "
            f"{type(enabled).__name__}"
        )
    grad_mode.view_replay.set(enabled)
    grad_mode.refresh_rare()


def _will_engine_execute_node(node: Any) -> bool:
    """Whether the running backward runs *node*, or takes the gradient that comes to it."""
    if not isinstance(node, Node):
        raise RuntimeError(
            f"_will_engine_execute_node expects an grad_fn, but got {type(node).__name__}"
        )
    return will_execute(node)


def _current_autograd_node() -> Any:
    """The node that this thread's backward runs right now; None where none runs."""
    return current_node()


def _current_graph_task_execution_order() -> list[Any]:
    """The nodes of the running backward in the order in which they run.

    Raises RuntimeError outside of a backward, or one that may use several threads.
    """
    return list(execution_order())


def _is_multithreading_enabled() -> bool:
    """Whether a backward may use several threads."""
    return grad_mode.is_multithreading_enabled()


def _set_multithreading_enabled(enabled: bool) -> None:
    """Allow or forbid it."""
    grad_mode.set_multithreading_enabled(enabled)


def _is_grad_layout_enforcement_enabled() -> bool:
    """Whether gradients must be laid out like their tensors."""
    return enforced.get()


def _set_grad_layout_enforcement_enabled(enabled: bool) -> None:
    """Demand that or not."""
    enforced.set(enabled)


def _warn_on_accumulate_grad_stream_mismatch() -> bool:
    """Whether a leaf that is filled from another stream than its own gives a warning."""
    return backward_streams.warns_on_mismatch
