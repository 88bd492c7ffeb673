"""``state_dict`` and ``load_state_dict`` of a module."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from mindtorch_autograd import no_grad

from ...core import conversion_flags as _future
from ...core import signature as S
from ...core.tracebacks import shorten
from ...core.warning import warn
from ...tensor import Tensor
from ...utils.swapping import swap_tensors
from ..parameter import Parameter, is_lazy
from .hooks import RemovableHandle, WithModule, _enter

__all__ = ["State"]

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _no_extra_state(method: str) -> RuntimeError:
    """torch nn/modules/module.py, get_extra_state and set_extra_state."""
    return RuntimeError(
        f"Reached a code path in Module.{method}() that should never be called. Please file an "
        "issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report "
        "this bug."
    )


class State:
    """The part of :class:`Module` that writes and reads its state."""

    #: Written to ``_metadata`` of a state dict; a subclass that changes its keys raises it.
    _version: int = 1

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: Any
    _state_dict_pre_hooks: Any
    _load_state_dict_pre_hooks: Any
    _load_state_dict_post_hooks: Any

    def get_extra_state(self) -> Any:
        """More to save than parameters and buffers; a subclass defines it with its counterpart."""
        raise _no_extra_state("get_extra_state")

    def set_extra_state(self, state: Any) -> None:
        """Take back what :meth:`get_extra_state` returned."""
        raise _no_extra_state("set_extra_state")

    def _has_own_(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(State, method)

    # writing --------------------------------------------------------------------------------

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        skipped = self._non_persistent_buffers_set
        for group in (self._parameters, self._buffers):
            for name, value in group.items():
                if value is None or (group is self._buffers and name in skipped):
                    continue
                destination[prefix + name] = value if keep_vars else value.detach()
        if self._has_own_("get_extra_state"):
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """All parameters and persistent buffers by their dotted names.

        :param destination: a mapping to fill, in place of a new one.
        :param keep_vars: give the tensors themselves; else they come without gradient history.
        """
        if args:
            warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html"
                "#torch.nn.Module.state_dict for details.",
                FutureWarning,
            )
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local
        for before in self._state_dict_pre_hooks.values():
            before(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        into = {"destination": destination, "keep_vars": keep_vars}
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(prefix=f"{prefix}{name}.", **into)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, local)
            if changed is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = changed
        return destination

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before :meth:`state_dict` collects."""
        return _enter(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after collecting."""
        marked: Any = hook
        marked._from_public_api = True
        return _enter(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously "
                "registered via register_state_dict_post_hook"
            )
        return _enter(self._state_dict_hooks, hook)

    # reading --------------------------------------------------------------------------------

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call *hook* with the module and what :meth:`_load_from_state_dict` gets, first."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], with_module: bool = False
    ) -> RemovableHandle:
        handle = RemovableHandle(self._load_state_dict_pre_hooks)
        self._load_state_dict_pre_hooks[handle.id] = WithModule(hook, self) if with_module else hook
        return handle

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` after loading; it may change them in place."""
        return _enter(self._load_state_dict_post_hooks, hook)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load this module's own tensors; the lists collect what does not fit."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        own = {k: v for k, v in self._parameters.items() if v is not None}
        skipped = self._non_persistent_buffers_set
        own.update({k: v for k, v in self._buffers.items() if v is not None and k not in skipped})
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, target in own.items():
            key = prefix + name
            if key in state_dict:
                self._load_one_(name, key, target, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA_STATE_KEY_SUFFIX
        if self._has_own_("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if not key.startswith(prefix) or key == extra:
                    continue
                first, dot, _ = key[len(prefix) :].partition(".")
                if first not in (self._modules if dot else own):
                    unexpected_keys.append(key)

    def _load_one_(
        self, name: str, key: str, target: Any, given: Any, assign: bool, error_msgs: list[str]
    ) -> None:
        if not (isinstance(given, Tensor) or hasattr(given, "__torch_function__")):
            error_msgs.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                f"object from checkpoint but received {type(given)}"
            )
            return
        # A lazy module has given its parameters the shapes of what has one.
        shaped = not is_lazy(target)
        if shaped and target.shape == () and given.shape == (1,):
            given = given[0]  # scalars were saved as vectors before torch 0.4
        if shaped and given.shape != target.shape:
            error_msgs.append(
                f"size mismatch for {key}: copying a param with shape {given.shape} from "
                f"checkpoint, the shape in current model is {target.shape}."
            )
            return
        if target._sig_ & S.META and not given._sig_ & S.META and not assign:
            warn(
                f"for {key}: copying from a non-meta parameter in the checkpoint to a meta "
                "parameter in the current model, which is a no-op. (Did you mean to pass "
                "`assign=True` to assign items in the state dictionary to their corresponding key "
                "in the module instead of copying them in place?)",
            )
        swaps = _future.get_swap_module_params_on_conversion()
        try:
            if swaps:
                with no_grad():
                    _swap_in(target, given, assign)
                return
            if not assign:
                with no_grad():
                    target.copy_(given)
                return
            if isinstance(target, Parameter):
                if isinstance(given, Parameter):
                    given.requires_grad_(target.requires_grad)
                else:
                    given = Parameter(given, requires_grad=target.requires_grad)
            setattr(self, name, given)
        except Exception as error:  # all errors are collected into one message
            error_msgs.append(
                f'While {"swapping" if swaps else "copying"} the parameter named "{key}", whose '
                f"dimensions in the model are {target.size()} and whose dimensions in the "
                f"checkpoint are {given.size()}, an exception occurred : {error.args}."
            )

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy parameters and buffers from *state_dict* into this module and its submodules.

        :param strict: raise RuntimeError where keys are missing or unexpected.
        :param assign: take the tensors themselves in place of copying their numbers.
        :returns: the missing and the unexpected keys.
        """
        try:
            if not isinstance(state_dict, Mapping):
                raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
            load = _Load(state_dict, assign)
            load.into(self, load.state, "")
            return load.outcome(type(self).__name__, strict)
        except Exception as error:
            shorten(error)
            raise


def _swap_in(target: Any, given: Any, assign: bool) -> None:
    """Let *target* become what its ``module_load`` makes of *given*."""
    made = target.module_load(given, assign=assign)
    if made is given or made is target:
        raise RuntimeError(
            "module_load returned one of self or other, please .detach() the result if returning "
            "one of the inputs in module_load"
        )
    if isinstance(target, Parameter):
        if isinstance(made, Parameter):
            made.requires_grad_(target.requires_grad)
        else:
            made = Parameter(made, requires_grad=target.requires_grad)
    swap_tensors(target, made)


class _Load:
    """One call of ``load_state_dict``: what was found on the way through the modules."""

    def __init__(self, state_dict: Mapping[str, Any], assign: bool) -> None:
        self.metadata = getattr(state_dict, "_metadata", None)
        # A copy, because pre-hooks may change it.
        self.state: Any = OrderedDict(state_dict)
        if self.metadata is not None:
            self.state._metadata = self.metadata  # type: ignore[attr-defined]  # as torch keeps it
        self.assign = assign
        self.missing: list[str] = []
        self.unexpected: list[str] = []
        self.errors: list[str] = []

    def into(self, module: Any, state: Any, prefix: str) -> None:
        """Load *module* and below; *state* has the keys that begin with *prefix*."""
        local = {} if self.metadata is None else self.metadata.get(prefix[:-1], {})
        if self.assign:
            local["assign_to_params_buffers"] = self.assign
        module._load_from_state_dict(
            state, prefix, local, True, self.missing, self.unexpected, self.errors
        )
        for name, child in module._modules.items():
            if child is not None:
                below = f"{prefix}{name}."
                self.into(child, {k: v for k, v in state.items() if k.startswith(below)}, below)
        keys = _IncompatibleKeys(self.missing, self.unexpected)
        for hook in module._load_state_dict_post_hooks.values():
            if hook(module, keys) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected "
                    "to return new values, if incompatible_keys need to be modified, it should be "
                    "done inplace."
                )

    def outcome(self, name: str, strict: bool) -> _IncompatibleKeys:
        """The keys that did not fit; raises for what may not be."""
        errors = self.errors
        if strict:
            for word, keys in (("Unexpected", self.unexpected), ("Missing", self.missing)):
                if keys:
                    listed = ", ".join(f'"{k}"' for k in keys)
                    errors.insert(0, f"{word} key(s) in state_dict: {listed}. ")
        if errors:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {name}:\n\t" + "\n\t".join(errors)
            )
        return _IncompatibleKeys(self.missing, self.unexpected)
