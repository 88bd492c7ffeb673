"""``torch.utils._python_dispatch``: modes that see operators.

``with Mode():`` puts a mode on this thread's stack; from then on its ``__torch_dispatch__`` gets
every operator that autograd, views and composite ops leave to be run. In there the mode is off
the stack, so its own calls go to the next one below; ``with self:`` makes it see them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_dispatch.modes import DISPATCH, PRE_DISPATCH

from .._C import (
    DispatchKey,
    _get_dispatch_mode,
    _pop_torch_dispatch_stack,
    _push_on_torch_dispatch_stack,
    _TorchDispatchModeKey,
    _unset_dispatch_mode,
)
from .._C import _get_dispatch_stack_at as _get_dispatch_stack_at
from .._C import _len_torch_dispatch_stack as _len_torch_dispatch_stack
from ..core.warning import warn
from ..tensor import Tensor
from .aliasing import AliasInfo, SchemaInfo, get_alias_info, return_and_correct_aliasing

__all__ = [
    "AliasInfo",
    "BaseTorchDispatchMode",
    "SchemaInfo",
    "TorchDispatchMode",
    "any_torch_dispatch_mode_on_stack",
    "get_alias_info",
    "is_in_torch_dispatch_mode",
    "is_traceable_wrapper_subclass",
    "is_traceable_wrapper_subclass_type",
    "return_and_correct_aliasing",
    "transform_subclass",
]


class TorchDispatchMode:
    """A ``with`` block in which ``__torch_dispatch__`` of this object sees every operator."""

    #: Whether the mode is handed higher-order operators too.
    supports_higher_order_operators = False
    #: Whether it may stand at the PreDispatch key, above autograd.
    _may_precede_autograd_ = False

    def __init__(self, _dispatch_key: Any = None) -> None:
        if _dispatch_key is not None:
            if not isinstance(_dispatch_key, DispatchKey):
                raise AssertionError("_dispatch_key must be a torch._C.DispatchKey")
            self.__dict__["_dispatch_key"] = _dispatch_key

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*, an ``OpOverload``, on *args* and *kwargs*, or answer NotImplemented.

        :param types: the classes among the arguments that override operators themselves.
        """
        raise NotImplementedError

    def __enter__(self) -> TorchDispatchMode:
        _push_mode(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        key = self.__dict__.get("_dispatch_key")
        _pop_mode(self.__dict__.get("_mode_key") if key is None else key)

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> TorchDispatchMode:
        """An instance (deprecated in torch: ``with Mode():`` does it)."""
        warn(
            "`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`",
        )
        return cls(*args, **kwargs)

    @classmethod
    def is_infra_mode(cls) -> bool:
        """Whether the mode belongs into one of the slots below all other modes."""
        return False

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Whether compiled code is none of the mode's business."""
        return cls.is_infra_mode()


class BaseTorchDispatchMode(TorchDispatchMode):
    """A mode that hands everything on."""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*."""
        return func(*args, **(kwargs or {}))


# The stack ----------------------------------------------------------------------------------------


def _push_mode(mode: Any) -> None:
    """Put *mode* on top of this thread's stack, or of that before autograd, as its key says.

    Raises AssertionError for one before autograd that has no business there: what traces and
    checks has.
    """
    key = getattr(mode, "_dispatch_key", None)
    if key is None:
        _push_on_torch_dispatch_stack(mode)
        return
    if key != DispatchKey.PreDispatch:
        raise AssertionError("mode._dispatch_key must be None or DispatchKey.PreDispatch")
    if not mode._may_precede_autograd_:
        kind = str(type(mode)).replace("mindtorch.", "torch.")
        raise AssertionError(
            "mode must be FunctionalTensorMode, ProxyTorchDispatchMode, or SchemaCheckMode, "
            f"got {kind}"
        )
    PRE_DISPATCH.push(mode)


def _pop_mode(k: DispatchKey | _TorchDispatchModeKey | None = None) -> Any:
    """Take off the topmost mode, or the one in slot *k*, or the topmost before autograd."""
    if isinstance(k, DispatchKey):  # PreDispatch, the only one that has a stack
        if not len(PRE_DISPATCH):
            raise AssertionError("Trying to pop empty mode stack")
        return PRE_DISPATCH.pop()[0]
    return _pop_torch_dispatch_stack(k)


def _get_current_dispatch_mode() -> Any:
    """The mode that sees operators first, or None."""
    return DISPATCH.top


def _get_current_dispatch_mode_stack() -> list[Any]:
    """All modes, lowest first."""
    return list(DISPATCH.modes)


@contextmanager
def _pop_mode_temporarily(
    k: DispatchKey | _TorchDispatchModeKey | None = None,
) -> Iterator[Any]:
    """Inside, the topmost mode (or the one in slot *k*) is off the stack."""
    mode = _pop_mode(k)
    try:
        yield mode
    finally:
        _push_mode(mode)


@contextmanager
def _disable_current_modes() -> Iterator[list[Any]]:
    """Inside, no mode is on the stacks; afterwards all are back."""
    taken = []
    while len(PRE_DISPATCH):
        taken.append(_pop_mode(DispatchKey.PreDispatch))
    while len(DISPATCH):
        taken.append(_pop_mode())
    try:
        yield taken[::-1]
    finally:
        for mode in reversed(taken):
            _push_mode(mode)


def _detect_infra_mode(key: _TorchDispatchModeKey) -> Any:
    """The mode in slot *key*, or None."""
    return _get_dispatch_mode(key)


def _unset_infra_mode(key: _TorchDispatchModeKey) -> Any:
    """Empty slot *key*; what was there, or None."""
    return _unset_dispatch_mode(key)


@contextmanager
def _disable_infra_mode(key: _TorchDispatchModeKey) -> Iterator[Any]:
    """Inside, slot *key* is empty."""
    mode = _unset_infra_mode(key)
    try:
        yield mode
    finally:
        if mode is not None:
            _push_mode(mode)


def is_in_torch_dispatch_mode(include_infra_modes: bool = True) -> bool:
    """Whether a mode is active; with *include_infra_modes* False one that is no infra mode."""
    return any(include_infra_modes or not mode.is_infra_mode() for mode in DISPATCH.modes)


def any_torch_dispatch_mode_on_stack(
    *, include_infra_modes: bool = True, respect_ignore_compile_internals: bool = True
) -> bool:
    """Whether a mode is active that passes the filters."""
    return any(
        (include_infra_modes or not mode.is_infra_mode())
        and not (respect_ignore_compile_internals and mode.ignore_compile_internals())
        for mode in DISPATCH.modes
    )


def is_in_any_mode_without_ignore_compile_internals() -> bool:
    """Whether a mode is active that compiled code has to mind."""
    return any(not mode.ignore_compile_internals() for mode in DISPATCH.modes)


# Wrapper subclasses -------------------------------------------------------------------------------


def is_traceable_wrapper_subclass(t: object) -> bool:
    """Whether *t* is a tensor that can be taken apart and put together again."""
    return (
        isinstance(t, Tensor)
        and type(t) is not Tensor
        and hasattr(t, "__tensor_flatten__")
        and hasattr(t, "__tensor_unflatten__")
    )


def is_traceable_wrapper_subclass_type(t: type) -> bool:
    """The same of a class."""
    return (
        issubclass(t, Tensor)
        and t is not Tensor
        and hasattr(t, "__tensor_flatten__")
        and hasattr(t, "__tensor_unflatten__")
    )


def transform_subclass(
    t: Any,
    callback: Callable[[str, Any], Any],
    outer_size: Any = None,
    outer_stride: Any = None,
) -> Any:
    """A wrapper like *t* around ``callback(name, inner)`` of each of its inner tensors.

    :param callback: gets the attribute's name and the inner tensor.
    """
    outer_size = t.size() if outer_size is None else outer_size
    outer_stride = t.stride() if outer_stride is None else outer_stride
    names, context = t.__tensor_flatten__()
    inner = {name: callback(name, getattr(t, name)) for name in names}
    made = type(t).__tensor_unflatten__(inner, context, outer_size, outer_stride)
    if made.shape != outer_size:
        raise AssertionError(
            f"Expected return value from {type(t)}__tensor_unflatten__() to have shape equal to "
            f"{outer_size}, but got: {made.shape}"
        )
    if made.stride() != outer_stride:
        raise AssertionError(
            f"Expected return value from {type(t)}__tensor_unflatten__() to have stride equal to "
            f"{outer_stride}, but got: {made.stride()}"
        )
    return made


def autograd_would_have_decomposed(func: Any, flat_args: Any) -> bool:
    """Whether autograd, which was not there, would have run *func*'s composite kernel."""
    needed = any(isinstance(a, Tensor) and a.requires_grad for a in flat_args)
    return bool(
        needed
        and func.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd)
        and not func.has_kernel_for_dispatch_key(DispatchKey.Autograd)
    )
