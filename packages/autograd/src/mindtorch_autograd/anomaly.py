"""Anomaly mode: find the forward call whose gradient failed or became NaN."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

from mindtorch_autograd import errors, grad_mode
from mindtorch_autograd.node import Node, name_of

__all__ = [
    "check_nan",
    "detect_anomaly",
    "enabled",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "record_forward_call",
    "set_anomaly_enabled",
    "set_detect_anomaly",
    "warn_forward_call",
]

# The mode is process-wide, as torch's is.
enabled = False
check_nan = True


def is_anomaly_enabled() -> bool:
    """Say whether anomaly mode is on."""
    return enabled


grad_mode.rare_conditions.append(is_anomaly_enabled)


def is_anomaly_check_nan_enabled() -> bool:
    """Say whether anomaly mode looks for NaN."""
    return check_nan


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Switch the mode for the process, and this thread's recording to the complete path."""
    global enabled
    if not isinstance(mode, bool):
        raise errors.switch_type("set_anomaly_enabled", "enabled", 1, mode)
    if not isinstance(check_nan, bool):
        raise errors.switch_type("set_anomaly_enabled", "check_nan", 2, check_nan)
    enabled = mode
    globals()["check_nan"] = check_nan  # its name is taken by the argument
    grad_mode.refresh_rare()


class _Restoring:
    """Goes back to the mode before the body at its end."""

    def _remember(self) -> None:
        self.prev = is_anomaly_enabled()
        self.prev_check_nan = is_anomaly_check_nan_enabled()

    def __exit__(self, *args: object) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly(_Restoring):
    """Switch anomaly mode on or off, at once; as a context manager, until its end."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._remember()
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass


class detect_anomaly(_Restoring):
    """Run the body in anomaly mode."""

    def __init__(self, check_nan: bool = True) -> None:
        self._remember()
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._remember()
        try:  # see Note [Interrupts] in grad_mode.py
            set_anomaly_enabled(True, self.check_nan)
        except BaseException:
            set_anomaly_enabled(self.prev, self.prev_check_nan)
            raise


def record_forward_call(node: Node, skip: int = 0, parent: Any = None) -> None:
    """Note in ``node.metadata`` where the user called the op, for a later warning.

    :param skip: how many of the innermost frames, besides this one, are not the user's.
    :param parent: the node whose backward recorded *node* (double backward), if any.
    """
    import traceback  # not at import: only anomaly mode needs it

    metadata = node.metadata
    stack = traceback.format_stack()
    metadata["traceback_"] = stack[: len(stack) - 1 - skip]
    if parent is not None:
        metadata["parent_"] = parent


def warn_forward_call(node: Node) -> None:
    """Warn with the traceback of the forward call of *node*, and of what recorded that call.

    An error is on its way: a warning that is to be one itself is printed.
    """
    for text in _blames(node):
        try:
            warnings.warn(text, stacklevel=2)
        except Warning as error:
            sys.excepthook(type(error), error, error.__traceback__)


def _blames(node: Node) -> Iterator[str]:
    """The text of each warning that :func:`warn_forward_call` gives."""
    extra = node._extra_
    metadata: dict[str, Any] = {} if extra is None or extra.metadata is None else extra.metadata
    trace = metadata.get("traceback_")
    if trace is None:
        yield (
            f"Error detected in {name_of(node)}. No forward pass information available. Enable "
            "detect anomaly during forward pass for more information."
        )
        return
    yield (
        f"Error detected in {name_of(node)}. Traceback of forward call that caused the error:\n"
        + "".join(trace)
    )
    parent = metadata.get("parent_")
    while parent is not None:
        extra = parent._extra_
        metadata = {} if extra is None or extra.metadata is None else extra.metadata
        trace = metadata.get("traceback_")
        if trace is None:
            yield (
                f"\n\nPrevious calculation was induced by {name_of(parent)}. No forward pass "
                "information available. Enable detect anomaly during forward pass for more "
                "information."
            )
        else:
            yield (
                f"\n\nPrevious calculation was induced by {name_of(parent)}. Traceback of forward "
                "call that induced the previous calculation:\n" + "".join(trace)
            )
        parent = metadata.get("parent_")
