"""Which modules a program is in, forward and backward."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from typing import Any

from .. import Tensor, autograd, nn
from .._C import _current_graph_task_id
from ..autograd.graph import register_multi_grad_hook
from ..nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from ._pytree import tree_flatten

__all__ = ["ModuleTracker"]

logger = logging.getLogger(__name__)


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
        if mod not in self._known_modules:
            self._known_modules[mod] = type(mod).__name__
        mod_name = self._known_modules[mod]
        if mod not in self._seen_modules:
            for name, submod in mod.named_children():
                self._known_modules[submod] = f"{mod_name}.{name}"
                self._get_mod_name(submod)
            self._seen_modules.add(mod)
        return mod_name

    def _get_append_fn(self, name: str, is_bw: bool) -> Callable[..., None]:
        def fn(*args: Any) -> None:
            if is_bw:
                self._maybe_set_engine_callback()
            if name in self.parents and not self.is_bw:
                logger.info(
                    "The module hierarchy tracking seems to be broken as this Module was already "
                    "entered. %s during %s",
                    name,
                    "backward" if is_bw else "forward",
                )
            self.parents.add(name)

        return fn

    def _get_pop_fn(self, name: str, is_bw: bool) -> Callable[..., None]:
        def fn(*args: Any) -> None:
            if name in self.parents:
                self.parents.remove(name)
            elif not self.is_bw:
                logger.info(
                    "The Module hierarchy tracking is confused as we're exiting a Module that was "
                    "never entered. %s during %s",
                    name,
                    "backward" if is_bw else "forward",
                )

        return fn

    def _fw_pre_hook(self, mod: nn.Module, input: Any) -> None:
        name = self._get_mod_name(mod)
        self._get_append_fn(name, False)()
        args, _ = tree_flatten(input)
        tensors = [a for a in args if isinstance(a, Tensor) and a.requires_grad]
        if not self.is_bw and tensors:
            hook = register_multi_grad_hook(tensors, self._get_pop_fn(name, True))
            self._hooks.append(hook)

    def _fw_post_hook(self, mod: nn.Module, input: Any, output: Any) -> None:
        name = self._get_mod_name(mod)
        self._get_pop_fn(name, False)()
        args, _ = tree_flatten(output)
        tensors = [a for a in args if isinstance(a, Tensor) and a.requires_grad]
        if not self.is_bw and tensors:
            fn = self._get_append_fn(name, True)
            self._hooks.append(register_multi_grad_hook(tensors, fn, mode="any"))

    def __enter__(self) -> ModuleTracker:
        self._fw_pre_handle = register_module_forward_pre_hook(self._fw_pre_hook)
        self._fw_post_handle = register_module_forward_hook(self._fw_post_hook, always_call=True)
        return self

    def __exit__(self, *args: object) -> None:
        self._fw_pre_handle.remove()
        self._fw_post_handle.remove()
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
