"""Which modules a program is in, forward and backward."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from typing import Any

from .. import autograd, nn
from .._C import _current_graph_task_id
from ..aten.torch import Tensor
from ..autograd.graph import register_multi_grad_hook
from ..nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from ._pytree import tree_flatten

__all__ = ["ModuleTracker"]

logger = logging.getLogger(__name__)

_ENTERED_TWICE = (
    "The module hierarchy tracking seems to be broken as this Module was already entered."
)
_NEVER_ENTERED = (
    "The Module hierarchy tracking is confused as we're exiting a Module that was never entered."
)


class ModuleTracker:
    """Knows, in its ``with`` block, the modules that run: the names in ``parents``.

    ``"Global"`` is always among them. A module's name is its path from the outermost module, which
    has the name of its class.
    """

    parents: set[str]

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._known_modules: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._seen_modules: weakref.WeakSet[Any] = weakref.WeakSet()
        self._has_callback = False
        self._hooks: list[Any] = []

    def _maybe_set_engine_callback(self) -> None:
        """Begin anew when the running backward is over."""
        if self._has_callback:
            return

        def callback() -> None:
            self.parents = {"Global"}
            self._has_callback = False

        autograd.Variable._execution_engine.queue_callback(callback)
        self._has_callback = True

    @property
    def is_bw(self) -> bool:
        """Whether a backward runs."""
        return bool(_current_graph_task_id() != -1)

    def _get_mod_name(self, mod: nn.Module) -> str:
        name = self._known_modules.setdefault(mod, type(mod).__name__)
        if mod not in self._seen_modules:
            for child_name, child in mod.named_children():
                self._known_modules[child] = f"{name}.{child_name}"
                self._get_mod_name(child)
            self._seen_modules.add(mod)
        return name

    def _say_confused(self, text: str, name: str, is_bw: bool) -> None:
        if not self.is_bw:  # backward a module may be met twice
            logger.info(f"{text} %s during %s", name, "backward" if is_bw else "forward")

    def _get_append_fn(self, name: str, is_bw: bool) -> Callable[..., None]:
        def enter(*args: Any) -> None:
            if is_bw:
                self._maybe_set_engine_callback()
            if name in self.parents:
                self._say_confused(_ENTERED_TWICE, name, is_bw)
            self.parents.add(name)

        return enter

    def _get_pop_fn(self, name: str, is_bw: bool) -> Callable[..., None]:
        def leave(*args: Any) -> None:
            if name not in self.parents:
                self._say_confused(_NEVER_ENTERED, name, is_bw)
            self.parents.discard(name)

        return leave

    def _watch(self, values: Any, then: Callable[..., None]) -> None:
        """Call *then* when the gradients of the tensors among *values* are there."""
        leaves, _ = tree_flatten(values)
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        if tensors:
            self._hooks.append(register_multi_grad_hook(tensors, then))

    def _fw_pre_hook(self, mod: nn.Module, input: Any) -> None:
        name = self._get_mod_name(mod)
        self._get_append_fn(name, False)()
        self._watch(input, self._get_pop_fn(name, True))

    def _fw_post_hook(self, mod: nn.Module, input: Any, output: Any) -> None:
        name = self._get_mod_name(mod)
        self._get_pop_fn(name, False)()
        self._watch(output, self._get_append_fn(name, True))

    def __enter__(self) -> ModuleTracker:
        self._fw_pre_handle = register_module_forward_pre_hook(self._fw_pre_hook)
        self._fw_post_handle = register_module_forward_hook(self._fw_post_hook)
        return self

    def __exit__(self, *args: object) -> None:
        for handle in (self._fw_pre_handle, self._fw_post_handle, *self._hooks):
            handle.remove()
        self._hooks.clear()
