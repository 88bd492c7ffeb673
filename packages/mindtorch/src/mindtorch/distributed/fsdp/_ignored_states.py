"""What a ``FullyShardedDataParallel`` leaves as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ... import nn
from ...core.warning import warn

__all__ = ["ignored"]


def _uniform(states: list[Any], given_as_states: bool) -> None:
    """Raise ValueError for parameters among modules, and for modules that are none."""
    kinds = sorted({type(state) for state in states}, key=repr)
    if all(isinstance(state, nn.Module) for state in states):
        return
    if not given_as_states:
        raise ValueError(f"ignored_modules expects nn.Module list elements but got types {kinds}")
    if not all(isinstance(state, nn.Parameter) for state in states):
        raise ValueError(
            "ignored_states expects all nn.Parameter or all nn.Module list elements but got types "
            f"{kinds}"
        )


def ignored(
    module: nn.Module,
    wrapper: type,
    ignored_modules: Iterable[nn.Module] | None,
    ignored_states: Iterable[Any] | None,
) -> tuple[set[nn.Module], set[Any]]:
    """The modules that are ignored, with those inside, and the parameters.

    Warns where *module* itself is among them.

    Raises ValueError where both arguments are given, for elements of several kinds and for modules
    of class *wrapper*.
    """
    if ignored_modules is not None and ignored_states is not None:
        raise ValueError(
            "Cannot pass both ignored_modules and ignored_states at the same time. Please just "
            "pass ignored_states."
        )
    by_states = ignored_states is not None
    given = list((ignored_states if by_states else ignored_modules) or ())
    _uniform(given, by_states)
    params = {state for state in given if isinstance(state, nn.Parameter)}
    roots = [state for state in given if isinstance(state, nn.Module)]
    if any(isinstance(root, wrapper) for root in roots):
        raise ValueError("`ignored_modules` should not include FSDP modules")
    found = {m for root in roots for m in root.modules() if not isinstance(m, wrapper)}
    if module in found:
        warn(
            "Trying to ignore the top-level module passed into the FSDP constructor itself will "
            f"result in all parameters being ignored and is not well-supported: {module}",
        )
    return found, params
