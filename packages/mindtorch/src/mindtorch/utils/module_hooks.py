"""Which modules a program is in, and functions that are called as they come and go."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

from .. import autograd, nn
from .._C import _current_graph_task_id
from ..aten.torch import Tensor
from ..autograd.graph import register_multi_grad_hook
from ..core.warning import warn
from ..nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from ._pytree import tree_leaves

__all__ = ["ModTracker"]

_KINDS = ("pre_fw_hook", "post_fw_hook", "pre_bw_hook", "post_bw_hook")


class ModTracker:
    """Knows, in its ``with`` block, the modules that run: the names in ``parents``.

    ``"Global"`` is always among them. A module's name is its path from the outermost module, which
    has the name of its class. A module that is entered twice has to be left twice.
    """

    parents: set[str]

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._active_module_cnt: Counter[str] = Counter()
        self._known_modules: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._seen_modules: weakref.WeakSet[Any] = weakref.WeakSet()
        self._has_callback = False
        self._post_bw_callbacks_to_enqueue: list[Callable[..., None]] = []
        self.clear_user_hooks()

    def _maybe_set_engine_callback(self) -> None:
        """Begin anew when the running backward is over."""
        if self._has_callback:
            return
        engine = autograd.Variable._execution_engine
        for callback in reversed(self._post_bw_callbacks_to_enqueue):
            engine.queue_callback(callback)
        self._post_bw_callbacks_to_enqueue.clear()

        def begin_anew() -> None:
            self.parents = {"Global"}
            self._has_callback = False

        engine.queue_callback(begin_anew)
        self._has_callback = True

    @property
    def is_bw(self) -> bool:
        """Whether a backward runs."""
        return bool(_current_graph_task_id() != -1)

    def get_known_fqn(self, mod: nn.Module) -> str | None:
        """The name of a module that was met; None for others."""
        return self._known_modules.get(mod)

    def register_user_hooks(
        self,
        pre_fw_hook: Callable[..., Any] | None = None,
        post_fw_hook: Callable[..., Any] | None = None,
        pre_bw_hook: Callable[..., Any] | None = None,
        post_bw_hook: Callable[..., Any] | None = None,
    ) -> None:
        """Call functions as modules begin and end: with the module and its arguments or gradients.

        :raises AssertionError: where there is such a function already.
        """
        given = (pre_fw_hook, post_fw_hook, pre_bw_hook, post_bw_hook)
        for kind, hook in zip(_KINDS, given, strict=True):
            if hook is not None and getattr(self, f"_user_{kind}") is not None:
                raise AssertionError(
                    f"Only one {kind} can be registered at a time Clear the existing hook by "
                    "calling ``clear_user_hooks`` before registering a new one"
                )
            setattr(self, f"_user_{kind}", hook)

    def clear_user_hooks(self) -> None:
        """Call no functions any more."""
        for kind in _KINDS:
            setattr(self, f"_user_{kind}", None)

    def _call_(self, kind: str, module: Any, *args: Any) -> None:
        hook = getattr(self, f"_user_{kind}")
        if hook is not None:
            hook(module, *args)

    def _get_mod_name(self, mod: nn.Module) -> str:
        name = self._known_modules.setdefault(mod, type(mod).__name__)
        if mod not in self._seen_modules:
            for child_name, child in mod.named_children():
                self._known_modules[child] = f"{name}.{child_name}"
                self._get_mod_name(child)
            self._seen_modules.add(mod)
        return name

    def _get_append_fn(self, w_mod: Any, name: str, is_bw: bool) -> Callable[..., None]:
        def enter(*args: Any) -> None:
            if is_bw:
                self._maybe_set_engine_callback()
            if name in self.parents and not self.is_bw:
                warn(
                    "The module hierarchy tracking maybe be messed up. Please file a bug to "
                    "PyTorch, if it is the case."
                )
            self._active_module_cnt[name] = (
                self._active_module_cnt[name] + 1 if name in self.parents else 1
            )
            self.parents.add(name)
            if is_bw:
                self._call_("pre_bw_hook", w_mod(), args)

        return enter

    def _get_pop_fn(self, w_mod: Any, name: str, is_bw: bool) -> Callable[..., None]:
        def leave(*args: Any) -> None:
            if is_bw:
                self._call_("post_bw_hook", w_mod(), args)
            if name in self.parents:
                self._active_module_cnt[name] -= 1
                if not self._active_module_cnt[name]:
                    self.parents.discard(name)
            elif not self.is_bw:  # inputs without gradients are met in any order
                raise RuntimeError(
                    "The Module hierarchy tracking is wrong. Report a bug to PyTorch"
                )

        return leave

    def _fw_pre_hook(self, mod: nn.Module, input: Any) -> None:
        name, reference = self._get_mod_name(mod), weakref.ref(mod)
        self._get_append_fn(reference, name, False)()
        self._call_("pre_fw_hook", mod, input)
        if not self.is_bw:
            leave = self._get_pop_fn(reference, name, True)
            tensors = _with_gradients(input)
            if tensors:
                register_multi_grad_hook(tensors, leave)
            else:
                self._post_bw_callbacks_to_enqueue.append(leave)

    def _fw_post_hook(self, mod: nn.Module, input: Any, output: Any) -> None:
        name, reference = self._get_mod_name(mod), weakref.ref(mod)
        self._call_("post_fw_hook", mod, input, output)
        self._get_pop_fn(reference, name, False)()
        tensors = _with_gradients(output)
        if not self.is_bw and tensors:
            enter = self._get_append_fn(reference, name, True)
            register_multi_grad_hook(tensors, enter, mode="any")

    def __enter__(self) -> ModTracker:
        self._fw_pre_handle = register_module_forward_pre_hook(self._fw_pre_hook)
        self._fw_post_handle = register_module_forward_hook(self._fw_post_hook, always_call=True)
        return self

    def __exit__(self, *args: object) -> None:
        self._fw_pre_handle.remove()
        self._fw_post_handle.remove()


def _with_gradients(values: Any) -> list[Tensor]:
    """The tensors among *values* that have gradients."""
    leaves = tree_leaves(values)
    return [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
