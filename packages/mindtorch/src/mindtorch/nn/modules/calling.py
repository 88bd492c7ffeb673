"""Calling a module: ``forward``, with the hooks around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.compiling import compile
from ...core.tracebacks import shorten
from ...core.warning import warn
from ...tensor import Tensor
from . import hooks as H
from .hooks import BackwardHook, RemovableHandle, WithModule, warn_of_old_hook


def _forward_unimplemented(self: Any, *input: Any) -> None:
    """Compute the result; every subclass has its own."""
    raise NotImplementedError(
        f'Module [{type(self).__name__}] is missing the required "forward" function'
    )


class Calling:
    """The part of :class:`Module` that is about calls and hooks."""

    _compiled_call_impl: Any = None

    forward: Callable[..., Any] = _forward_unimplemented

    _forward_hooks: Any
    _forward_pre_hooks: Any
    _forward_hooks_with_kwargs: Any
    _forward_hooks_always_called: Any
    _forward_pre_hooks_with_kwargs: Any
    _backward_hooks: Any
    _backward_pre_hooks: Any
    _is_full_backward_hook: bool | None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            for_all = H.for_all
            if (
                self._forward_hooks
                or self._forward_pre_hooks
                or self._backward_hooks
                or self._backward_pre_hooks
                or for_all["_global_forward_hooks"]
                or for_all["_global_forward_pre_hooks"]
                or for_all["_global_backward_hooks"]
                or for_all["_global_backward_pre_hooks"]
            ):
                return _HookedCall(self, args, kwargs).run()
            if kwargs:
                return self.forward(*args, **kwargs)
            return self.forward(*args)
        except Exception as error:
            shorten(error)
            raise

    _call_impl = _wrapped_call_impl = __call__

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile the call of this module with ``torch.compile``, which runs it as it is."""
        self._compiled_call_impl = compile(self._call_impl, *args, **kwargs)

    # registration ---------------------------------------------------------------------------

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before ``forward``; a result other than None replaces args.

        :param prepend: put it before the hooks that are there.
        :param with_kwargs: call ``hook(module, args, kwargs)``, which returns None or both.
        """
        handle = H._enter(self._forward_pre_hooks, hook, self._forward_pre_hooks_with_kwargs)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after ``forward``; a result replaces the output.

        :param prepend: put it before the hooks that are there.
        :param with_kwargs: call ``hook(module, args, kwargs, output)``.
        :param always_call: also where ``forward`` raises.
        """
        handle = H._enter(
            self._forward_hooks,
            hook,
            [self._forward_hooks_with_kwargs, self._forward_hooks_always_called],
        )
        for wanted, marks in (
            (with_kwargs, self._forward_hooks_with_kwargs),
            (always_call, self._forward_hooks_always_called),
        ):
            if wanted:
                marks[handle.id] = True
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def _claim_kind_(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single "
                "Module. Please use only one of them."
            )
        self._is_full_backward_hook = full

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """The old kind: sees the gradients of the last op of ``forward`` only."""
        self._claim_kind_(False)
        return H._enter(self._backward_hooks, hook)

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` once gradients went through the module.

        :param prepend: put it before the hooks that are there.
        """
        self._claim_kind_(True)
        handle = H._enter(self._backward_hooks, hook)
        if prepend:
            self._backward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, grad_output)`` before gradients go through the module.

        :param prepend: put it before the hooks that are there.
        """
        handle = H._enter(self._backward_pre_hooks, hook)
        if prepend:
            self._backward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def _get_backward_hooks(self) -> tuple[list[Any], list[Any]]:
        """The full backward hooks and those of the old kind, global ones first."""
        found: dict[bool | None, list[Any]] = {True: [], False: [], None: []}
        found[H.for_all["_global_is_full_backward_hook"]] += H.for_all[
            "_global_backward_hooks"
        ].values()
        found[self._is_full_backward_hook] += self._backward_hooks.values()
        return found[True], found[False]

    def _get_backward_pre_hooks(self) -> list[Any]:
        return [
            *H.for_all["_global_backward_pre_hooks"].values(),
            *self._backward_pre_hooks.values(),
        ]


class _HookedCall:
    """One call of a module that has hooks."""

    __slots__ = ("args", "done", "kwargs", "module", "result")

    def __init__(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.module, self.args, self.kwargs = module, args, kwargs
        self.result: Any = None
        #: The ``always_call`` hooks that ran.
        self.done: set[int] = set()

    def run(self) -> Any:
        try:
            return self._inner()
        except Exception:
            self._always(
                H.for_all["_global_forward_hooks"],
                H.for_all["_global_forward_hooks_always_called"],
                None,
                "global ",
            )
            module = self.module
            self._always(
                module._forward_hooks,
                module._forward_hooks_always_called,
                module._forward_hooks_with_kwargs,
                "",
            )
            raise

    def _inner(self) -> Any:
        module = self.module
        pre_hooks = module._get_backward_pre_hooks()
        full, old = module._get_backward_hooks()
        self._before()
        ends = None
        if full or pre_hooks:
            ends = BackwardHook(module, full, pre_hooks)
            self.args = ends.setup_input_hook(self.args)
        self.result = module.forward(*self.args, **self.kwargs)
        self._after()
        if ends is not None:
            if not isinstance(self.result, Tensor | tuple):
                warn(
                    "For backward hooks to be called, module output should be a Tensor or a tuple "
                    f"of Tensors but received {type(self.result)}",
                )
            self.result = ends.setup_output_hook(self.result)
        if old:
            self._hook_last_node(old)
        return self.result

    def _before(self) -> None:
        module = self.module
        with_kwargs = module._forward_pre_hooks_with_kwargs
        for key, hook in (
            *H.for_all["_global_forward_pre_hooks"].items(),
            *module._forward_pre_hooks.items(),
        ):
            if key in with_kwargs:
                changed = hook(module, self.args, self.kwargs)
                if changed is None:
                    continue
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                self.args, self.kwargs = changed
            else:
                changed = hook(module, self.args)
                if changed is not None:
                    self.args = changed if isinstance(changed, tuple) else (changed,)

    def _after(self) -> None:
        module = self.module
        with_kwargs = (
            module._forward_hooks_with_kwargs,
            H.for_all["_global_forward_hooks_with_kwargs"],
        )
        always = (
            module._forward_hooks_always_called,
            H.for_all["_global_forward_hooks_always_called"],
        )
        for key, hook in (
            *H.for_all["_global_forward_hooks"].items(),
            *module._forward_hooks.items(),
        ):
            if key in always[0] or key in always[1]:
                self.done.add(key)
            if key in with_kwargs[0] or key in with_kwargs[1]:
                changed = hook(module, self.args, self.kwargs, self.result)
            else:
                changed = hook(module, self.args, self.result)
            if changed is not None:
                self.result = changed

    def _always(self, hooks: Any, always: Any, with_kwargs: Any, kind: str) -> None:
        """Run the ``always_call`` hooks that did not run; the error at hand stays the error."""
        for key, hook in hooks.items():
            if key not in always or key in self.done:
                continue
            try:
                if with_kwargs and key in with_kwargs:
                    changed = hook(self.module, self.args, self.kwargs, self.result)
                else:
                    changed = hook(self.module, self.args, self.result)
                if changed is not None:
                    self.result = changed
            except Exception as error:  # becomes a warning, as in torch
                warn(
                    f"{kind}module forward hook with ``always_call=True`` raised an exception that "
                    f"was silenced as another error was raised in forward: {error}",
                )

    def _hook_last_node(self, old: list[Any]) -> None:
        value = self.result
        while not isinstance(value, Tensor):
            if isinstance(value, dict):
                value = next(v for v in value.values() if isinstance(v, Tensor))
            else:
                value = value[0]
        node = value.grad_fn
        if node is not None:
            for hook in old:
                node.register_hook(WithModule(hook, self.module))
            warn_of_old_hook(self.args, self.result, node)
