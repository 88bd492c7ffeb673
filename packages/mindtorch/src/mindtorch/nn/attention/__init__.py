"""``torch.nn.attention``: which kernels attention may use, masks, and attention by functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...aten import torch
from ...backends import attention_switches, cuda
from ...core.submodules import reached as _reached

__all__ = [
    "SDPBackend",
    "sdpa_kernel",
    "WARN_FOR_UNFUSED_KERNELS",
    "register_flash_attention_impl",
    "activate_flash_attention_impl",
    "list_flash_attention_impls",
    "current_flash_attention_impl",
    "restore_flash_attention_impl",
]

#: Whether to say why a fused kernel was not used.
WARN_FOR_UNFUSED_KERNELS = False


class _Members(type):
    """Lets the class of backends list them as an enumeration does."""

    __members__: dict[str, Any] = {}


class SDPBackend(metaclass=_Members):
    """A kind of kernel for attention. All of them compute the same here."""

    __slots__ = ("_name", "_value")
    _all: dict[int, SDPBackend] = {}

    ERROR: SDPBackend
    MATH: SDPBackend
    FLASH_ATTENTION: SDPBackend
    EFFICIENT_ATTENTION: SDPBackend
    CUDNN_ATTENTION: SDPBackend
    OVERRIDEABLE: SDPBackend

    def __new__(cls, value: int) -> SDPBackend:
        return cls._all[int(value)]

    @property
    def name(self) -> str:
        """The backend's name."""
        return self._name  # type: ignore[attr-defined]  # a slot

    @property
    def value(self) -> int:
        """The backend's number."""
        return self._value  # type: ignore[attr-defined]  # a slot

    def __int__(self) -> int:
        return self.value

    __index__ = __int__

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SDPBackend) and other.value == self.value

    def __repr__(self) -> str:
        return f"<SDPBackend.{self.name}: {self.value}>"

    def __str__(self) -> str:
        return f"SDPBackend.{self.name}"

    def __reduce__(self) -> Any:
        return SDPBackend, (self.value,)


for _value, _name in enumerate(
    "ERROR MATH FLASH_ATTENTION EFFICIENT_ATTENTION CUDNN_ATTENTION OVERRIDEABLE".split(), -1
):
    _made = object.__new__(SDPBackend)
    _made._name, _made._value = _name, _value  # type: ignore[attr-defined]  # slots
    SDPBackend._all[_value] = _made
    setattr(SDPBackend, _name, _made)
    SDPBackend.__members__[_name] = _made
del _value, _name, _made

#: Names in ``torch.backends.cuda`` -> the backend, in the order of preference.
_SWITCHES = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
}
_OTHER = [True]


def _backend_from_string(name: str) -> Any:
    return getattr(SDPBackend, name)


def _cur_sdpa_kernel_backends(with_priority: bool = False) -> list[SDPBackend]:
    """The backends that are allowed now."""
    found = [b for n, b in _SWITCHES.items() if getattr(cuda, f"{n}_sdp_enabled")()]
    found += [SDPBackend.OVERRIDEABLE] if _OTHER[0] else []
    if with_priority:
        order = attention_switches.get_priority_order()
        found.sort(key=lambda b: order.index(b.value) if b.value in order else len(order))
    return found


def _sdpa_kernel(backends: Iterable[Any], set_priority: bool = False) -> None:
    allowed = set(backends)
    for name, backend in _SWITCHES.items():
        getattr(cuda, f"enable_{name}_sdp")(backend in allowed)
    _OTHER[0] = SDPBackend.OVERRIDEABLE in allowed


@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[dict[Any, Any]]:
    """Let attention use these backends alone, inside a ``with`` block.

    :param backends: a backend, or a list of them.
    :param set_priority: prefer them in the order of the list.
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    chosen = [backends] if isinstance(backends, SDPBackend) else list(dict.fromkeys(backends))
    before, order = _cur_sdpa_kernel_backends(), attention_switches.get_priority_order()
    if set_priority:
        first = [backend.value for backend in chosen]
        rest = [number for number in order if number not in first]
        attention_switches.set_priority_order(first + rest)
    try:
        _sdpa_kernel(chosen, set_priority)
        yield {}
    finally:
        if set_priority:
            attention_switches.set_priority_order(order)
        _sdpa_kernel(before)


def _sdpa_kernel_variadic(*backends: Any) -> Any:
    return sdpa_kernel(list(backends))


# -- other implementations of flash attention -----------------------------------------------------

_IMPLEMENTATIONS: dict[str, Any] = {}
_ACTIVE: list[tuple[str, Any]] = []


def register_flash_attention_impl(impl: str, *, register_fn: Any) -> None:
    """Name an implementation of flash attention that *register_fn* puts in place."""
    _IMPLEMENTATIONS[impl] = register_fn


def activate_flash_attention_impl(impl: str) -> None:
    """Put a registered implementation in place."""
    register = _IMPLEMENTATIONS.get(impl)
    if register is None:
        raise ValueError(
            f"Unknown flash attention impl '{impl}'. Available implementations: "
            f"{list_flash_attention_impls()}"
        )
    restore_flash_attention_impl(_raise_warn=False)
    _ACTIVE.append((impl, register()))


def list_flash_attention_impls() -> list[str]:
    """The names of registered implementations."""
    return sorted(_IMPLEMENTATIONS)


def current_flash_attention_impl() -> str | None:
    """The name of the implementation that was put in place."""
    return _ACTIVE[-1][0] if _ACTIVE else None


def restore_flash_attention_impl(_raise_warn: bool = True) -> None:
    """Take the implementation that was put in place away."""
    while _ACTIVE:
        _, handle = _ACTIVE.pop()
        if handle is not None:
            handle.remove()


__getattr__ = _reached(__name__, ("bias", "flex_attention", "varlen", "_utils"))
