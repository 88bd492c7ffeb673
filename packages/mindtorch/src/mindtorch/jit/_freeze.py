"""``torch.jit._freeze``: modules whose parameters are constants."""

from __future__ import annotations

import copy
from typing import Any

from .. import nn
from ._deprecation import USE_COMPILE, deprecated
from ._script import RecursiveScriptModule, ScriptModule

__all__ = ["freeze", "optimize_for_inference", "run_frozen_optimizations"]


class _Frozen(nn.Module):
    """A module with nothing inside but a copy of another, which it runs."""

    def __init__(self, inner: Any, preserved: list[str]) -> None:
        super().__init__()
        # Not as a module: its parameters are constants now, no part of the state.
        self.__dict__["_inner"] = inner
        for name in preserved:
            value = getattr(inner, name)
            if not callable(value) or isinstance(value, nn.Module):
                setattr(self, name, value)
            else:
                self.__dict__[name] = value

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the copy computes."""
        return self.__dict__["_inner"](*args, **kwargs)


def freeze(
    mod: Any, preserved_attrs: list[str] | None = None, optimize_numerics: bool = True
) -> RecursiveScriptModule:
    """A copy of a scripted module in eval mode whose parameters and attributes are constants.

    Raises RuntimeError for what is not scripted, or trains.
    """
    deprecated("freeze", USE_COMPILE)
    return _frozen(mod, preserved_attrs)


def _constant(mod: Any) -> Any:
    """*mod* with parameters that require no gradient, in the same memory."""
    constant = copy.copy(mod)
    own = constant.__dict__
    own["_parameters"] = {
        name: None if p is None else nn.Parameter(p.detach(), requires_grad=False)
        for name, p in mod._parameters.items()
    }
    own["_modules"] = {
        name: None if child is None else _constant(child) for name, child in mod._modules.items()
    }
    return constant


def _frozen(mod: Any, preserved_attrs: list[str] | None) -> RecursiveScriptModule:
    if not isinstance(mod, ScriptModule):
        raise RuntimeError(
            "Freezing expects a ScriptModule as input. Please use torch.jit.script or "
            "torch.jit.trace to script your 'nn.Module'."
        )
    if mod.training:
        raise RuntimeError(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() "
            "on your module before freezing."
        )
    shell = _Frozen(mod, preserved_attrs or [])
    shell.__dict__["_inner"] = _constant(mod)
    frozen = RecursiveScriptModule(shell.eval())
    frozen.__dict__["_frozen_name"] = mod.original_name
    frozen.__class__ = _FrozenScript
    return frozen


class _FrozenScript(RecursiveScriptModule):
    """A frozen module under the name of what it was made of."""

    @property
    def original_name(self) -> str:
        """The name of the class that was scripted and frozen."""
        name: str = self.__dict__["_frozen_name"]
        return name


_FrozenScript.__name__ = _FrozenScript.__qualname__ = "RecursiveScriptModule"


def run_frozen_optimizations(
    mod: Any, optimize_numerics: bool = True, preserved_methods: list[str] | None = None
) -> None:
    """Make a frozen module faster: it stays as it is."""


def optimize_for_inference(mod: ScriptModule, other_methods: list[str] | None = None) -> Any:
    """Freeze a module unless it is frozen. Raises ValueError for what is not scripted."""
    deprecated("optimize_for_inference", USE_COMPILE)
    if not isinstance(mod, ScriptModule):
        raise ValueError(
            "optimize_for_inference expects a ScriptModule as input. Please use torch.jit.script "
            "or torch.jit.trace to script your 'nn.Module'."
        )
    if isinstance(mod, _FrozenScript):
        return mod
    return freeze(mod.eval(), other_methods)
