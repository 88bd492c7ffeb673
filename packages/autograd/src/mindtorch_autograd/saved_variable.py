"""Values that a node keeps for its formula: version checks and saved-tensor hooks."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, TypeAlias

from mindtorch_autograd import anomaly, errors, grad_mode, installed
from mindtorch_autograd.node import Edge, Node, Output, name_of, unwrap

__all__ = [
    "SavedVariable",
    "VersionCounter",
    "current_saved_tensors_hooks",
    "disable_saved_tensors_hooks",
    "hooks_active",
    "saved_tensors_hooks",
]

_Pair: TypeAlias = tuple[Callable[[Any], Any], Callable[[Any], Any]]


class VersionCounter:
    """Counts changes in place; shared by all views of a storage. An absent one means 0."""

    __slots__ = ("value",)

    def __init__(self, value: int = 0) -> None:
        self.value = value


class LaterVersion(int):
    """The version that a value tells after its history was cut in place.

    It equals no plain number, so that who noted one before looks more closely.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is LaterVersion and int(self) == int(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


def lost_history(now: int, before: int) -> bool:
    """Whether a value of version *before* had its history cut in place since."""
    return type(now) is LaterVersion and type(before) is not LaterVersion


# The hooks of this thread, innermost last, and the message while they are forbidden.
_stack: ContextVar[tuple[_Pair, ...]] = ContextVar("mindtorch_autograd_saved_hooks", default=())
_disabled: ContextVar[str | None] = ContextVar("mindtorch_autograd_hooks_off", default=None)


def hooks_active() -> bool:
    """Say whether values saved now go through hooks."""
    return bool(_stack.get())


grad_mode.rare_conditions.append(hooks_active)


def hook_stack() -> tuple[_Pair, ...]:
    """Return all hooks of this thread, innermost last."""
    return _stack.get()


def put_back(stack: tuple[_Pair, ...]) -> None:
    """Let the hooks of this thread be *stack* again."""
    _stack.set(stack)
    grad_mode.refresh_rare()


def current_saved_tensors_hooks() -> _Pair | None:
    """Return the innermost pair of hooks, or None."""
    stack = _stack.get()
    return stack[-1] if stack else None


class saved_tensors_hooks:
    """Run ``pack_hook`` on each value that is saved in the body, ``unpack_hook`` when it is used.

    Only the innermost pair applies. ``pack_hook(x)`` may return anything; ``unpack_hook`` must
    turn that into a value again.
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        push_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args: object) -> None:
        pop_hooks()


def push_hooks(pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
    """Let what this thread saves from now on go through these hooks."""
    message = _disabled.get()
    if message is not None:
        raise RuntimeError(message)
    if not (callable(pack_hook) and callable(unpack_hook)):
        raise errors.hooks_not_callable(pack_hook, unpack_hook)
    before = _stack.get()
    try:  # see Note [Interrupts] in grad_mode.py
        _stack.set((*before, (pack_hook, unpack_hook)))
        grad_mode.refresh_rare()
    except BaseException:
        _stack.set(before)
        grad_mode.refresh_rare()
        raise


def pop_hooks() -> None:
    """Forget the innermost hooks."""
    _stack.set(_stack.get()[:-1])
    grad_mode.refresh_rare()


def disabled_message() -> str | None:
    """What whoever enters hooks hears, None where they are allowed."""
    return _disabled.get()


def set_disabled_message(message: str | None) -> None:
    """Forbid hooks, or (None) allow them."""
    _disabled.set(message)


def disable(message: str, fail_if_active: bool = True) -> None:
    """Forbid hooks; raises *message* where some are active, unless *fail_if_active* is false."""
    if not isinstance(message, str):
        raise errors.disabled_message_type(message)
    if fail_if_active and _stack.get():
        raise RuntimeError(message)
    _disabled.set(message)


class disable_saved_tensors_hooks:
    """Forbid saved-tensor hooks in the body; entering one raises *error_message*."""

    def __init__(self, error_message: str) -> None:
        self.error_message = error_message
        self._before: list[str | None] = []

    def __enter__(self) -> None:
        before = _disabled.get()
        disable(self.error_message)
        self._before.append(before)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _disabled.set(self._before.pop())

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function: its body runs under this manager."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with disable_saved_tensors_hooks(self.error_message):
                return function(*args, **kwargs)

        return wrapper


class SavedVariable:
    """One saved value.

    An input is kept as it is. A result of the node that saves it is kept without history, which
    would close a reference cycle through the node; :meth:`unpack` gives it its history back.
    """

    __slots__ = ("data", "edge", "hooks", "is_output", "nr", "requires_grad", "source", "version")

    def __init__(
        self,
        x: Any,
        is_output: bool = False,
        hooks: _Pair | None = None,
        owner: Node | None = None,
        nr: int = 0,
    ) -> None:
        """Save *x*; *is_output* says that the node which saves it is also the one that made it.

        :param hooks: in place of the thread's.
        :param owner: the node that made *x*, where *x* itself does not know it, and *nr* which of
            its results *x* is.
        """
        space = installed.space
        self.hooks = hooks or current_saved_tensors_hooks()
        self.is_output = is_output
        self.version = space.version(x)
        self.requires_grad = space.requires_grad(x)
        self.edge: Edge = None
        self.nr = 0
        if is_output:
            self.nr = nr if owner is not None else unwrap(space.grad_fn(x))[1]
            self.requires_grad = True
        if self.hooks is not None:
            if not is_output and self.requires_grad:
                self.edge = space.edge(x)
            # Recording inside the hook would record into the graph being built.
            token = grad_mode.state.get()
            try:
                grad_mode.state.set(grad_mode.state.get() & ~grad_mode.GRAD_ENABLED)
                self.data = self.hooks[0](x)
            finally:
                grad_mode.state.set(token)
            if space.version(x) != self.version:
                raise errors.pack_modified_input()
        else:
            self.data = space.detach(x) if is_output else x

    @classmethod
    def of_version(cls, x: Any, version: int) -> SavedVariable:
        """What *x* is as a saved input, without hooks, if its version was *version*."""
        self = cls.__new__(cls)
        self.data, self.version = x, version
        self.hooks = self.edge = None
        self.is_output, self.nr = False, 0
        self.requires_grad = installed.space.requires_grad(x)
        return self

    def unpack(self, owner: Node | None = None) -> Any:
        """Return the value, if it was not changed since; *owner* is the node that saved it."""
        space = installed.space
        data = self.data
        if self.hooks is None:
            version = space.version(data)
            if version != self.version:
                if self.is_output:
                    made_by: tuple[str, int] | None = (name_of(owner), self.nr) if owner else None
                else:
                    node, nr = unwrap(space.grad_fn(data))
                    made_by = None if node is None else (name_of(node), nr)
                    if node is None and lost_history(version, self.version):
                        raise errors.saved_detached()
                if int(version) != int(self.version):
                    raise errors.modified_in_place(
                        space.type_text(data), made_by, version, self.version, anomaly.enabled
                    )
            if not self.is_output:
                return data
        else:
            data = self.hooks[1](data)
            if not space.is_value(data):
                raise errors.unpack_not_value(data)
        if self.requires_grad:
            edge = self.edge
            if self.is_output and owner is not None:
                edge = owner if owner._num_outputs_ == 1 else _output_of(owner, self.nr)
            data = space.detach(data)
            if edge is not None:
                space.set_history(data, edge)
        return data


def _output_of(node: Node, nr: int) -> Edge:
    return Output(node, nr)
