"""``Optimizer``: parameter groups, state per parameter, hooks around ``step``."""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from copy import deepcopy
from itertools import chain
from typing import Any, TypeAlias

import mindtorch_storage as st
from mindtorch_autograd.hooks import RemovableHandle
from mindtorch_npu import runtime as npu_runtime
from mindtorch_npu.captures import underway
from mindtorch_npu.thread_state import current_capture
from mindtorch_storage import ACCELERATOR

from ..core import ranges
from ..core.compiling import eagerly
from ..core.tracebacks import shorten
from ..core.warning import warn
from ..nn.modules.module import _typename
from ..nn.modules.traversal import zero_gradient
from ..tensor import Tensor, is_leaf
from ..utils._foreach_utils import _group_tensors_by_device_and_dtype
from .step_options import (  # noqa: F401  # torch has them here
    _default_to_fused_or_foreach,
    _device_dtype_check_for_fused,
    _disable_dynamo_if_unsupported,
    _foreach_supported_types,
    _get_capturable_supported_devices,
    _get_scalar_dtype,
    _get_value,
    _stack_if_compiling,
    _to_scalar,
    _use_grad_for_differentiable,
    _view_as_real,
)

__all__ = [
    "Optimizer",
    "register_optimizer_step_pre_hook",
    "register_optimizer_step_post_hook",
]

Args: TypeAlias = tuple[Any, ...]
Kwargs: TypeAlias = dict[str, Any]
StateDict: TypeAlias = dict[str, Any]
DeviceDict = dict[Any, Tensor]
DeviceDtypeDict = dict[Any, Tensor]
#: What an optimizer may be given: tensors, groups, or names with tensors.
ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]

_Hooks = OrderedDict[int, Callable[..., Any]]

_global_optimizer_pre_hooks: _Hooks = OrderedDict()
_global_optimizer_post_hooks: _Hooks = OrderedDict()


class _RequiredParameter:
    """Stands among ``defaults`` for an option that each group must name."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()


def _enter(hooks: _Hooks, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` before ``step`` of every optimizer."""
    return _enter(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` after ``step`` of every optimizer."""
    return _enter(_global_optimizer_post_hooks, hook)


def _hooked(step: Callable[..., Any]) -> Callable[..., Any]:
    """*step* with the hooks around it."""

    @functools.wraps(step)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            self = args[0]
            for hook in chain(
                _global_optimizer_pre_hooks.values(), self._optimizer_step_pre_hooks.values()
            ):
                changed = hook(self, args, kwargs)
                if changed is None:
                    continue
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got "
                        f"{changed}."
                    )
                args, kwargs = changed
            with eagerly("Call of an optimizer's `step`"):
                result = step(*args, **kwargs)
            self._optimizer_step_code()
            for hook in chain(
                self._optimizer_step_post_hooks.values(), _global_optimizer_post_hooks.values()
            ):
                hook(self, args, kwargs)
            return result
        except Exception as error:
            shorten(error)
            raise

    marked: Any = wrapper
    marked.hooked = True
    return marked


_HOOK_KINDS = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)


class Optimizer:
    """Base of all optimizers.

    :param params: tensors, ``(name, tensor)`` pairs, or dictionaries with ``"params"`` and the
        options of a group.
    :param defaults: the options that groups do not name.
    """

    defaults: dict[str, Any]
    state: defaultdict[Any, Any]
    param_groups: list[dict[str, Any]]
    _optimizer_step_pre_hooks: _Hooks
    _optimizer_step_post_hooks: _Hooks
    _optimizer_state_dict_pre_hooks: _Hooks
    _optimizer_state_dict_post_hooks: _Hooks
    _optimizer_load_state_dict_pre_hooks: _Hooks
    _optimizer_load_state_dict_post_hooks: _Hooks

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        try:
            self.defaults = defaults
            self._add_hooks_()
            if isinstance(params, Tensor):
                raise TypeError(
                    "params argument given to the optimizer should be an iterable of Tensors or "
                    f"dicts, but got {_typename(params)}"
                )
            self.state = defaultdict(dict)
            self.param_groups = []
            groups = list(params)
            if not groups:
                raise ValueError("optimizer got an empty parameter list")
            if not isinstance(groups[0], dict):
                groups = [{"params": groups}]
            for group in groups:
                self.add_param_group(group)
            # Whether it was told that a step that could be captured is not; pickles do not say.
            self._warned_capturable_if_run_uncaptured = True
        except Exception as error:
            shorten(error)
            raise

    def _add_hooks_(self) -> None:
        for kind in _HOOK_KINDS:
            if kind not in self.__dict__:
                setattr(self, kind, OrderedDict())
        name = type(self).__name__
        self._zero_grad_profile_name = f"Optimizer.zero_grad#{name}.zero_grad"
        self._patch_step_function()

    def _patch_step_function(self) -> None:
        cls = type(self)
        if not getattr(cls.step, "hooked", False):
            cls.step = _hooked(cls.step)  # type: ignore[method-assign]  # once for each class, as torch does

    def __getstate__(self) -> dict[str, Any]:
        return {
            "defaults": self.defaults,
            "state": self.state,
            "param_groups": self.param_groups,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._add_hooks_()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = []
        for i, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {i}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return type(self).__name__ + " (" + "\n".join(lines) + "\n)"

    def _accelerator_graph_capture_health_check(self) -> None:
        """Look whether a step may be run now.

        Raises RuntimeError where the current stream is captured and the step reads numbers; warns
        once where it could be captured, and is not, after an optimizer was unpickled.
        """
        # What was unpickled has no such attribute.
        told = getattr(self, "_warned_capturable_if_run_uncaptured", False)
        if (told and not underway) or not npu_runtime.is_available():
            return
        is_captured = current_capture() is not None
        capturable = all(group["capturable"] for group in self.param_groups)
        name = ACCELERATOR.upper()
        if is_captured and not capturable:
            raise RuntimeError(
                f"Attempting {name} graph capture of step() for an instance of "
                f"{type(self).__name__} but param_groups' capturable is False."
            )
        if capturable and not (told or is_captured):
            warn(
                "This instance was constructed with capturable=True or some of all the "
                "param_groups came with capturable=True, but step() is running without "
                f"{name} graph capture. If you never intend to graph-capture this instance, "
                "capturable=True can impair performance, and you should set capturable=False.",
            )
            self._warned_capturable_if_run_uncaptured = True

    _cuda_graph_capture_health_check = _accelerator_graph_capture_health_check

    @staticmethod
    def profile_hook_step(func: Callable[..., Any]) -> Callable[..., Any]:
        """*func*, a step, with the hooks around it."""
        return _hooked(func)

    @staticmethod
    def _group_tensors_by_device_and_dtype(
        tensorlistlist: list[list[Any]], with_indices: bool = False
    ) -> dict[Any, Any]:
        """Parts of the lists whose tensors lie on one device and have one dtype."""
        return _group_tensors_by_device_and_dtype(tensorlistlist, with_indices)

    def _optimizer_step_code(self) -> None:
        """Runs after each step; a place for profilers to patch."""

    # hooks ----------------------------------------------------------------------------------

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before ``step``; it may return new ones."""
        return _enter(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after ``step``."""
        return _enter(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer)`` before :meth:`state_dict`."""
        return _enter(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` after :meth:`state_dict`; a result replaces it."""
        return _enter(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` before loading; a result replaces the dictionary."""
        return _enter(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer)`` after loading."""
        return _enter(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # state ----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """State and groups, with parameters as their numbers in order of the groups."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups: list[dict[str, Any]] = []
        first = 0
        for group in self.param_groups:
            # A parameter that is there more than once has its last place in the first group.
            numbers = {id(p): i for i, p in enumerate(group["params"], first)} | numbers
            first += len(group["params"])
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        made: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, made)
            if changed is not None:
                made = changed
        return made

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` of an optimizer with equal groups returned."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        own, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(own) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(own, saved)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        params: dict[Any, Any] = {}
        for group, given in zip(own, saved):
            params.update(zip(given["params"], group["params"]))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in params:
                state[params[key]] = _moved(params[key], value, key, saved)
            else:
                state[key] = value
        for group, given in zip(own, saved):
            given["params"] = group["params"]
            if "param_names" in group and "param_names" not in given:
                given["param_names"] = group["param_names"]
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # use ------------------------------------------------------------------------------------

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters.

        :param set_to_none: False fills them with zeros instead.
        """
        if ranges.active is not None:
            with ranges.active(self._zero_grad_profile_name, (), None) or nullcontext():
                self._zero_grad_(set_to_none)
        else:
            self._zero_grad_(set_to_none)

    def _zero_grad_(self, set_to_none: bool) -> None:
        for group in self.param_groups:
            for param in group["params"]:
                zero_gradient(param, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters by their gradients.

        :param closure: computes the loss and its gradients anew; its result is returned.
        """
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add tensors with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        params = list(params)
        if any(isinstance(p, tuple) for p in params):
            if not all(isinstance(p, tuple) for p in params):
                raise ValueError(
                    "all optimizer params should be with/without names. Some param names are "
                    "missing"
                )
            param_group["param_names"] = [p[0] for p in params]
            params = [p[1] for p in params]
        param_group["params"] = params
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    + _typename(param)
                )
            if not self.defaults.get("differentiable") and not (
                is_leaf(param) or param.retains_grad
            ):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            param_group.setdefault(name, default)
        if len({id(p) for p in params}) != len(params):
            warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
            )
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if not known.isdisjoint([id(p) for p in params]):
            raise ValueError("some parameters appear in more than one parameter group")
        named = "param_names" in param_group
        if self.param_groups and named != ("param_names" in self.param_groups[0]):
            raise ValueError(
                "all optimizer param groups should be with/without names. cannot add param group "
                f"{'with' if named else 'without'} names to the optimizer"
            )
        self.param_groups.append(param_group)


def _moved(
    param: Any, value: Any, number: int, groups: list[dict[str, Any]], key: Any = None
) -> Any:
    """*value*, part of the saved state of *param*, in the parameter's dtype and on its device."""
    if isinstance(value, Tensor):
        if key == "step":
            # Step counts stay where they are, unless a kernel on the device reads them.
            group = next(g for g in groups if number in g["params"])
            if group.get("capturable") or group.get("fused"):
                return value.to(param.device, st.float32)
            return value
        if param.is_floating_point():
            return value.to(param.device, param.dtype)
        return value.to(param.device)
    if isinstance(value, dict):
        return {k: _moved(param, v, number, groups, k) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return type(value)(_moved(param, v, number, groups) for v in value)  # type: ignore[call-arg]  # as torch: what iterates is made of its parts
    return value
