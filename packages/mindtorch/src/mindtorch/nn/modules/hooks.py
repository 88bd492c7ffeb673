"""What hooks on modules need: those for all modules, and the two ends of a backward hook."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from mindtorch_autograd import Function, is_grad_enabled
from mindtorch_autograd.hooks import RemovableHandle

from ...core.warning import warn
from ...tensor import Tensor

__all__ = [
    "BackwardHook",
    "RemovableHandle",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

_Hooks = OrderedDict[int, Callable[..., Any]]

_global_buffer_registration_hooks: _Hooks = OrderedDict()
_global_module_registration_hooks: _Hooks = OrderedDict()
_global_parameter_registration_hooks: _Hooks = OrderedDict()
_global_backward_pre_hooks: _Hooks = OrderedDict()
_global_backward_hooks: _Hooks = OrderedDict()
_global_forward_pre_hooks: _Hooks = OrderedDict()
_global_forward_hooks: _Hooks = OrderedDict()
_global_forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()
_global_forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()

#: Which kind the global backward hooks are: None (there were none yet), full, or of the old kind.
_global_is_full_backward_hook: bool | None = None

#: Where they are looked up: ``module`` puts its own names here, for a program may put other
#: dictionaries into ``torch.nn.modules.module``.
for_all: dict[str, Any] = globals()


def look_in(names: dict[str, Any]) -> None:
    """Look the hooks for all modules up in *names* from now on, which get those there are."""
    global for_all
    names.update({k: v for k, v in globals().items() if k.startswith("_global_")})
    for_all = names


def _enter(hooks: _Hooks, hook: Callable[..., Any], extra: Any = None) -> RemovableHandle:
    handle = RemovableHandle(hooks, extra_dict=extra)
    hooks[handle.id] = hook
    return handle


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(module, name, buffer)`` at each ``register_buffer``; its result replaces."""
    return _enter(for_all["_global_buffer_registration_hooks"], hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(module, name, submodule)`` at each registration; its result replaces."""
    return _enter(for_all["_global_module_registration_hooks"], hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(module, name, param)`` at each ``register_parameter``; its result replaces."""
    return _enter(for_all["_global_parameter_registration_hooks"], hook)


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(module, args)`` before ``forward`` of every module."""
    return _enter(for_all["_global_forward_pre_hooks"], hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call ``hook(module, args, output)`` after ``forward`` of every module.

    :param with_kwargs: call ``hook(module, args, kwargs, output)``.
    :param always_call: also where ``forward`` raises.
    """
    handle = _enter(
        for_all["_global_forward_hooks"],
        hook,
        [
            for_all["_global_forward_hooks_with_kwargs"],
            for_all["_global_forward_hooks_always_called"],
        ],
    )
    if with_kwargs:
        for_all["_global_forward_hooks_with_kwargs"][handle.id] = True
    if always_call:
        for_all["_global_forward_hooks_always_called"][handle.id] = True
    return handle


def _claim_global_kind(full: bool) -> None:
    if for_all["_global_is_full_backward_hook"] is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module "
            "hook. Please use only one of them."
        )
    for_all["_global_is_full_backward_hook"] = full


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """The old kind: sees the gradients of the last op of ``forward`` only."""
    _claim_global_kind(False)
    return _enter(for_all["_global_backward_hooks"], hook)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(module, grad_output)`` before gradients go through any module."""
    return _enter(for_all["_global_backward_pre_hooks"], hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(module, grad_input, grad_output)`` once gradients went through any module."""
    _claim_global_kind(True)
    return _enter(for_all["_global_backward_hooks"], hook)


class WithModule:
    """A hook that gets its module as the first argument, without keeping the module alive."""

    def __init__(self, hook: Callable[..., Any], module: Any) -> None:
        # Errors of what the hook returns call it by its own name.
        update_wrapper(self, hook)
        self.hook = hook
        self.module = weakref.ref(module)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self) -> Any:
        return {"hook": self.hook, "module": self.module()}

    def __setstate__(self, state: Any) -> None:
        if state["module"] is None:
            raise RuntimeError("You are trying to revive the hook of a dead Module!")
        self.hook = state["hook"]
        self.module = weakref.ref(state["module"])


class BackwardHookFunction(Function):
    """Hands tensors through; its node is where a module's gradients can be seen."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        return args


class BackwardHook:
    """The full backward hooks of one call of a module.

    One identity node goes below the arguments and one above the results. The upper one runs first
    in backward and keeps the gradients of the results; the lower one then calls the hooks.
    Values that are no tensors stand as None in what hooks see.
    """

    def __init__(self, module: Any, user_hooks: list[Any], user_pre_hooks: list[Any]) -> None:
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs: Any = None
        self.inputs: list[int] | None = None
        self.outputs: list[int] | None = None
        self.n_inputs = self.n_outputs = -1

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with the lower node under them."""
        self.n_inputs = len(args)
        handed, self.inputs = self._through_node_(args, self._at_inputs_)
        return handed

    def setup_output_hook(self, args: Any) -> Any:
        """The results with the upper node above them."""
        several = isinstance(args, tuple)
        values = args if several else (args,)
        self.n_outputs = len(values)
        handed, self.outputs = self._through_node_(values, self._at_outputs_)
        return handed if several else handed[0]

    def _through_node_(
        self, values: tuple[Any, ...], changed: Callable[[Any, Any], Any]
    ) -> tuple[tuple[Any, ...], list[int] | None]:
        def hook(grad_input: Any, grad_output: Any) -> Any:  # by this name messages know it
            return changed(grad_input, grad_output)

        where = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
        if not (is_grad_enabled() and any([values[i].requires_grad for i in where])):
            return values, None
        fresh = BackwardHookFunction.apply(*[values[i] for i in where])
        node = next(t.grad_fn for t in fresh if t.grad_fn is not None)
        node.register_hook(hook)
        handed = list(values)
        for i, t in zip(where, fresh):
            handed[i] = t
        if type(values) is tuple:
            return tuple(handed), where
        return type(values)(*handed), where  # a named tuple

    def _at_outputs_(self, _: Any, grad_output: Any) -> Any:
        assert self.outputs is not None
        seen = _spread(self.outputs, grad_output, self.n_outputs)
        for hook in self.user_pre_hooks:
            changed = hook(self.module, seen)
            if changed is None:
                continue
            if len(changed) != len(seen):
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, got "
                    f"{len(changed)}, but expected {len(seen)}"
                )
            seen = changed
        if self.inputs is None:
            self._without_inputs_(seen)
        else:
            self.grad_outputs = seen
        return tuple([seen[i] for i in self.outputs])

    def _without_inputs_(self, grad_outputs: Any) -> None:
        # No argument wants a gradient, so the lower node is not there to call the hooks.
        warn(
            "Full backward hook is firing when gradients are computed with respect to module "
            "outputs since no inputs require gradients. See "
            "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
            "#torch.nn.Module.register_full_backward_hook for more details.",
        )
        nothing = (None,) * self.n_inputs
        for hook in self.user_hooks:
            changed = hook(self.module, nothing, grad_outputs)
            if changed is not None and not (
                isinstance(changed, tuple) and all([g is None for g in changed])
            ):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always "
                    "return None or None for all gradients."
                )

    def _at_inputs_(self, grad_input: Any, _: Any) -> Any:
        if self.grad_outputs is None:
            # The gradient came to the arguments past the module, as in a double backward.
            return None
        assert self.inputs is not None
        seen = _spread(self.inputs, grad_input, self.n_inputs)
        for hook in self.user_hooks:
            changed = hook(self.module, seen, self.grad_outputs)
            if changed is None:
                continue
            if len(changed) != len(seen):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, got "
                    f"{len(changed)}, but expected {len(seen)}"
                )
            seen = changed
        self.grad_outputs = None
        return tuple([seen[i] for i in self.inputs])


def _spread(where: list[int], values: Any, size: int) -> tuple[Any, ...]:
    spread: list[Any] = [None] * size
    for i, value in zip(where, values):
        spread[i] = value
    return tuple(spread)


def warn_of_old_hook(inputs: Any, result: Any, grad_fn: Any) -> None:
    """Warn where a hook of the old kind cannot see all gradients.

    Source: torch nn/modules/module.py, Module._maybe_warn_non_full_backward_hook.
    """
    results, arguments = _tensors(result), _tensors(inputs)
    if results is None:
        lacks = (
            "hooks on a Module that does not return a single Tensor or a tuple of Tensors is "
            "deprecated and will be removed in future versions. This hook will be missing some of "
            "the grad_output. Please use register_full_backward_hook to get the documented "
            "behavior."
        )
    elif arguments is None:
        lacks = (
            "hooks on a Module that does not take as input a single Tensor or a tuple of Tensors "
            "is deprecated and will be removed in future versions. This hook will be missing some "
            "of the grad_input. Please use register_full_backward_hook to get the documented "
            "behavior."
        )
    else:
        makers = {r.grad_fn for r in results if r.grad_fn is not None}
        if not makers or (len(makers) == 1 and grad_fn not in makers):
            lacks = (
                "hook when outputs are nested in python data structure is deprecated and will be "
                "removed in future versions. This hook will be missing some grad_output."
            )
        elif len(makers) > 1:
            lacks = (
                "hook when outputs are generated by different autograd Nodes is deprecated and "
                "will be removed in future versions. This hook will be missing some grad_output. "
                "Please use register_full_backward_hook to get the documented behavior."
            )
        elif {a.grad_fn for a in arguments if a.grad_fn is not None} != {
            node for node, _ in grad_fn.next_functions
        }:
            lacks = (
                "hook when the forward contains multiple autograd Nodes is deprecated and will be "
                "removed in future versions. This hook will be missing some grad_input. Please use "
                "register_full_backward_hook to get the documented behavior."
            )
        else:
            return
    article = "" if lacks.startswith("hooks") else "a "
    lacks = f"Using {article}non-full backward {lacks}"
    warn(lacks, FutureWarning)


def _tensors(value: Any) -> tuple[Any, ...] | None:
    if isinstance(value, Tensor):
        return (value,)
    if isinstance(value, tuple) and all([isinstance(v, Tensor) for v in value]):
        return value
    return None
