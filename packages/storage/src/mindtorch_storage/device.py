"""`Device`: where memory lives, as an interned immutable value (``torch.device``)."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any, Final, NoReturn, Self, TypeAlias

from . import errors
from .arguments import TorchNamed, fits_int64, is_int

ACCELERATOR_IS_CUDA: Final = os.environ.get("MINDTORCH_CUDA_AS_NPU", "") not in ("", "0")
"""Whether programs for CUDA run on the NPU, which they call ``cuda``."""

ACCELERATOR: Final = "cuda" if ACCELERATOR_IS_CUDA else "npu"
"""The device type that a bare index such as ``Device(0)`` means.

``MINDTORCH_CUDA_AS_NPU=1`` in the environment calls it ``cuda``, so that programs for CUDA run on
the simulator as they are.
"""

DEVICE_TYPES: Final = (
    *("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga"),
    *("maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "npu"),
)
"""torch's device types in torch's order, with ``npu`` in the place of ``privateuseone``."""

CUDA: Final = "cuda"
HPU: Final = "hpu"

VENDORS: Final = frozenset({"cuda", "xpu", "mtia"}) - {ACCELERATOR}
"""Types that torch knows in every build and serves only in some: it says so in its own words."""

# After torch.utils.rename_privateuse1_backend("npu") torch takes both names; so do we.
_TYPE_OF_NAME: Final = {name: name for name in DEVICE_TYPES} | {
    "npu": ACCELERATOR,
    "privateuseone": ACCELERATOR,
}

_INTERNED: dict[tuple[str, int | None], Device] = {}
# One-argument calls that have succeeded: strings and devices. Ints stay out, as True == 1.
_BY_ARGUMENT: dict[Any, Device] = {}
_MISSING: Final = object()


class Device(metaclass=TorchNamed):
    """A device type and, optionally, which one of that type.

    Equal devices are one object, so comparison and hashing are those of identity. Use it as
    ``Device("npu:1")``, ``Device("npu", 1)``, ``Device(1)`` (the accelerator's) or
    ``Device(device)``.
    """

    __slots__ = ("_text", "index", "type")
    torch_name = "torch.device"

    type: str
    index: int | None
    _text: str

    enter_hooks: list[Callable[[Device], object]] = []
    """Called, in order, when ``with device:`` begins. Whoever owns default devices adds one."""
    exit_hooks: list[Callable[[Device], object]] = []
    """Called, last added first, when ``with device:`` ends."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Device:
        if len(args) == 1 and not kwargs:
            try:
                return _BY_ARGUMENT[args[0]]
            except (KeyError, TypeError):  # not seen yet; not hashable
                pass
        return _construct(args, kwargs)

    def __init_subclass__(cls) -> NoReturn:
        raise errors.not_a_base_type(cls.torch_name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        self._refuse(name)

    def __delattr__(self, name: str) -> NoReturn:
        self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        if name in ("type", "index"):
            raise errors.attribute_not_writable(self.torch_name, name)
        raise errors.attribute_missing(self.torch_name, name)

    def __lt__(self, other: object) -> bool:
        raise errors.not_orderable()

    __le__ = __gt__ = __ge__ = __lt__

    def __repr__(self) -> str:
        # torch prints sixteen bits of an index that has wrapped.
        index = "" if self.index is None else f", index={self.index & 0xFFFF}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return (Device, (self.type,) if self.index is None else (self.type, self.index))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __enter__(self) -> Self:
        if not Device.enter_hooks:
            raise RuntimeError(
                "a device is a context manager only where something handles default devices; "
                "add to Device.enter_hooks and Device.exit_hooks, or import mindtorch"
            )
        for hook in Device.enter_hooks:
            hook(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        for hook in reversed(Device.exit_hooks):
            hook(self)


DeviceLike: TypeAlias = Device | str | int


def as_device(value: DeviceLike | None, default: Device | None = None) -> Device:
    """*value* as a `Device`; ``None`` means *default* (the host where that is not given)."""
    if value.__class__ is Device:
        return value
    if value is None:
        return CPU if default is None else default
    return Device(value)


def name_device(name: str, kind: str | None = None) -> None:
    """Let *name* mean a type of device: one that torch does not know, or *kind*."""
    forget_device(name)
    _TYPE_OF_NAME[name] = kind or name


def forget_device(name: str) -> None:
    """Let *name* mean no type of device any more; devices that there are stay what they are."""
    _TYPE_OF_NAME.pop(name, None)
    for known in [k for k in _BY_ARGUMENT if isinstance(k, str)]:
        del _BY_ARGUMENT[known]


def name_private_device(name: str) -> None:
    """Let *name* mean the device that torch calls ``privateuseone``."""
    name_device(name)
    _TYPE_OF_NAME["privateuseone"] = name


def _intern(kind: str, index: int | None) -> Device:
    found = _INTERNED.get((kind, index))
    if found is None:
        found = object.__new__(Device)
        object.__setattr__(found, "type", kind)
        object.__setattr__(found, "index", index)
        object.__setattr__(found, "_text", kind if index is None else f"{kind}:{index}")
        found = _INTERNED.setdefault((kind, index), found)  # another thread may have been first
        _BY_ARGUMENT[found] = found
    return found


def _construct(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Device:
    """The slow path of ``Device(...)``: argument checks in torch's order, then interning."""
    given = len(args) + len(kwargs)
    if given == 1:
        value = args[0] if args else kwargs.get("device", _MISSING)
        if isinstance(value, Device):
            return value
        if is_int(value):
            return _intern(ACCELERATOR, _narrow(_not_negative(_fitting(int(value)))))
        if not args and value is _MISSING:
            value = kwargs.get("type", _MISSING)
            if not isinstance(value, (str, bytes)):
                raise errors.device_arguments(args, kwargs)
        if isinstance(value, (str, bytes)):
            found = _parse(_text(value))
            if type(value) is str and found.type != "mkldnn":  # of which each call may warn
                _BY_ARGUMENT[value] = found
            return found
        raise errors.device_arguments(args, kwargs)
    if given not in (1, 2):
        raise errors.device_arguments(args, kwargs)
    return _from_type_and_index(args, kwargs)


def _from_type_and_index(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Device:
    """``Device(type, index)``, each by position or by keyword."""
    kind = args[0] if args else kwargs.get("type", _MISSING)
    index = args[1] if len(args) == 2 else kwargs.get("index")
    if kind is _MISSING:
        raise errors.argument_missing("device", "type")
    if not isinstance(kind, (str, bytes)):
        raise errors.device_argument("type", 1 if args else None, "str", kind)
    if index is not None and not is_int(index):
        raise errors.device_argument("index", 2 if len(args) == 2 else None, "int", index)
    for name in kwargs:
        if name not in ("type", "index"):
            raise errors.device_argument_unexpected(name)
        if name == "type" and args:
            raise errors.device_argument_repeated(name)
    text = _text(kind)
    number = None if index is None else _fitting(int(index))
    parsed = _parse(text)
    if parsed.index is not None:
        raise errors.device_index_given_twice(text)
    return _intern(parsed.type, None if number is None else _narrow(_not_negative(number)))


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _fitting(index: int) -> int:
    if not fits_int64(index):
        raise errors.integer_overflow()
    return index


def _not_negative(index: int) -> int:
    if index < 0:
        raise errors.device_index_negative()
    return index


def _narrow(index: int) -> int | None:
    """torch keeps an index in a signed byte: 255 is "no index", other overflow wraps."""
    index = (index + 0x80 & 0xFF) - 0x80
    return None if index == -1 else index


def _parse(text: str) -> Device:
    """Parse ``type`` or ``type:index``. Source: torch c10/core/Device.cpp."""
    if not text:
        raise errors.device_string_empty()
    kind, colon, digits = text.partition(":")
    if not kind or not all(c.isascii() and (c.isalpha() or c == "_") for c in kind):
        raise errors.device_string_invalid(text)
    if colon and not (digits.isascii() and digits.isdigit()):
        raise errors.device_string_invalid(text)
    if len(digits) > 1 and digits[0] == "0":
        raise errors.device_string_invalid(text)
    if colon and int(digits) >= 2**31:
        raise errors.device_index_unparsable(digits, text)
    known = _TYPE_OF_NAME.get(kind)
    if known is None:
        raise errors.device_type_unknown(DEVICE_TYPES, kind)
    if known == "mkldnn":
        _warn_mkldnn()
    return _intern(known, _narrow(int(digits)) if colon else None)


def _warn_mkldnn() -> None:
    """Warn once per process, as TORCH_WARN_ONCE in torch c10/core/Device.cpp does."""
    if "mkldnn" in errors.said:
        return
    errors.said.add("mkldnn")
    warnings.warn(
        "'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be deprecated "
        "and removed in the future. Please use other valid device types instead.",
        UserWarning,
        stacklevel=5,
    )


CPU: Final = Device("cpu")
META: Final = Device("meta")
