"""Functions that are applied to modules once, keep a state for them and leave all names alone."""

from __future__ import annotations

import functools
import uuid
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .. import nn
from ._composable_state import _State
from .utils import _get_root_modules

__all__ = ["REGISTRY_KEY", "STATE_KEY", "RegistryItem", "contract", "generate_state_key"]


def generate_state_key(string: str = "__composable_api_state_key") -> str:
    """A name that nothing else has."""
    return f"{string}_{uuid.uuid4()}"


#: Where modules have their states by function, and what was applied to them by name.
STATE_KEY, REGISTRY_KEY = generate_state_key(), generate_state_key()


class RegistryItem:
    """Stands for one call of a function in the registries of its modules."""


class _Names:
    """The names in modules before a call, of which none may change."""

    def __init__(self, modules: list[nn.Module]) -> None:
        self.of = [
            (
                [name for name, _ in module.named_parameters()],
                [name for name, _ in module.named_buffers()],
                [name for name, _ in module.named_modules()],
            )
            for module in modules
        ]

    def check(self, name: str, modules: list[nn.Module]) -> None:
        """Compare with those of *modules*.

        Raises AssertionError for another number of modules, RuntimeError for other names.
        """
        after = _Names(modules)
        if len(after.of) != len(self.of):
            raise AssertionError(
                f"{name} should return the same number of modules as input modules"
                f"Inputs: {len(self.of)} modules\nOutputs: {len(after.of)} modules"
            )
        for i, kind in enumerate(("parameters", "buffers", "modules")):
            for was, now in zip(self.of, after.of, strict=True):
                self._same(f"Checking {kind}: ", was[i], now[i])

    def _same(self, where: str, was: list[str], now: list[str]) -> None:
        if was == now:
            return
        lost, found = set(was) - set(now), set(now) - set(was)
        what = "Composable distributed API implementations cannot modify "
        if lost or found:
            raise RuntimeError(
                f"{where}{what}FQNs.\nFQNs only in original: {lost}\nFQNs only in new: {found}"
            )
        raise RuntimeError(
            f"{where}{what}the order of FQNs.\nOriginal FQNs: {lost}\nNew FQNs: {found}"
        )


def _claim(function: Any, modules: list[nn.Module], state: _State) -> None:
    item = RegistryItem()
    for module in modules:
        states = module.__dict__.setdefault(STATE_KEY, OrderedDict())
        registry = module.__dict__.setdefault(REGISTRY_KEY, OrderedDict())
        if function in states or function.__name__ in registry:
            raise AssertionError(
                "Each distinct composable distributed API can only be applied to a module once. "
                f"{function.__name__} has already been applied to the following module:\n{module}"
            )
        states[function] = state
        registry[function.__name__] = item


def _release(function: Any, modules: list[nn.Module]) -> None:
    for module in modules:
        module.__dict__[STATE_KEY].pop(function, None)
        module.__dict__[REGISTRY_KEY].pop(function.__name__, None)


def contract(state_cls: type[Any] = _State) -> Callable[[Callable[..., Any]], Any]:
    """Let the decorated function be applied once to a module, or to a list of modules.

    The function gets ``state``, which gives what it keeps for a module. A call that fails leaves
    modules as if it had not been.

    :param state_cls: what is made for each call, without arguments.

    Calls raise AssertionError for a module to which the function was applied, RuntimeError where it
    changes names of parameters, buffers or modules.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def applied(module: Any, *args: Any, **kwargs: Any) -> Any:
            single = isinstance(module, nn.Module)
            modules = [module] if single else _get_root_modules(list(module))
            _claim(function, modules, state_cls())
            try:
                names = _Names(modules)
                result = function(module, *args, **kwargs)
            except BaseException:
                _release(function, modules)
                raise
            updated = module if result is None else result
            changed = [updated] if isinstance(updated, nn.Module) else modules
            names.check(function.__name__, changed)
            return updated

        def state(module: nn.Module) -> Any:
            return module.__dict__.setdefault(STATE_KEY, OrderedDict()).get(function)

        applied.state = state  # type: ignore[attr-defined]  # torch has it there
        return applied

    return decorate


def _get_registry(module: nn.Module) -> dict[str, RegistryItem] | None:
    """What was applied to a module, by the name of the function; None for nothing."""
    found: dict[str, RegistryItem] | None = getattr(module, REGISTRY_KEY, None)
    return found
