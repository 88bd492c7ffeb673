"""What a call was given: completing, splitting and looking through the arguments of an overload."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from mindtorch_storage import DType, get_default_dtype, int64

from ..core import constants
from ..core import signature as S
from ..core.missing_backends import missing_backend
from ..tensor import Tensor
from ..tensor.construction import wrap
from ..tensor.defaults import default_device
from .overload import Overload
from .schema_binding import bind

#: torch's number of int64, by which a schema names it.
_LONG = 4


def full_arguments(
    overload: Overload, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """Arguments as a caller wrote them, completed to all of the schema's, in its order.

    Raises RuntimeError with torch's text for one too many, missing, given twice or unknown.
    """
    overload.analyse()
    given = len(args)
    if given == overload.arity and not kwargs:
        return args
    full = [*args, *overload.defaults[given:]]
    fits = given <= overload.arity and all(
        a.has_default_value() or a.name in kwargs for a in overload.schema.arguments[given:]
    )
    for name, value in kwargs.items():
        place = overload.names.index(name) if name in overload.names else -1
        if place < given:
            fits = False
            break
        full[place] = value
    return tuple(full) if fits else bind(overload.schema, args, kwargs, _as_given)


def _as_given(schema: Any, argument: Any, place: int, value: Any) -> Any:
    return value


def written_names(row: Any) -> list[str]:
    """The arguments that a kernel may change though the schema does not say so."""
    return _unsaid_writes(row)[0]


def written_by(overload: Overload) -> Callable[[tuple[Any, ...]], list[Tensor]]:
    """From arguments to those that the kernel changes though the schema does not say so."""
    names, switch = _unsaid_writes(overload.row)
    positions = [overload.names.index(n) for n in names]
    on = overload.names.index(switch) if switch else -1
    return lambda args: [args[i] for i in positions if args[i] is not None and (on < 0 or args[on])]


def _unsaid_writes(row: Any) -> tuple[list[str], str]:
    """Of a tag ``"writes: a, b if c"`` the names, and that of the switch or ""."""
    names, _, switch = row.said("writes").partition(" if ")
    return [n for n in names.split(", ") if n], switch


def split_keywords(overload: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Full arguments as a Python kernel takes them: trailing defaults dropped, rest by keyword."""
    arguments = overload.schema.arguments
    positional = [a for a in arguments if not a.kwarg_only]
    n = len(positional)
    while n and positional[n - 1].has_default_value() and same(args[n - 1], positional[n - 1]):
        n -= 1
    keywords = {
        a.name: v
        for a, v in zip(arguments[len(positional) :], args[len(positional) :], strict=True)
        if not (a.has_default_value() and same(v, a))
    }
    return args[:n], keywords


def same(value: Any, argument: Any) -> bool:
    """Whether *value* is the argument's default."""
    default = argument.default_value
    if type(value) is DType:  # a schema says ``dtype=long`` by torch's number
        return default == _LONG and value is int64
    if type(default) is list:  # sizes come as tuples
        return isinstance(value, (tuple, list)) and list(value) == default
    return type(value) is type(default) and bool(value == default)


def tensors_of(overload: Overload, args: tuple[Any, ...]) -> Iterable[Tensor]:
    """The tensors among the arguments, those in lists too."""
    for i in overload.tensor_positions:
        if isinstance(args[i], Tensor):
            yield args[i]
    for i in overload.list_positions:
        for a in args[i] or ():
            if a is not None:
                yield a


def inputs_backend(values: Iterable[Any]) -> int:
    """The backend bits of the tensors among *values*."""
    at = 0
    for value in values:
        if isinstance(value, Tensor):
            at |= value._sig_ & S.BACKENDS
        elif isinstance(value, (list, tuple)):
            at |= inputs_backend(value)
    return at


def device_order(overload: Overload, tag: str = "devices: ") -> list[int]:
    """Positions of the tensors in the order in which torch looks at their devices.

    Empty where that is the schema's; else the row has a tag ``devices: target, self``.
    """
    given = next((t for t in overload.row.tags if t.startswith(tag)), "").removeprefix(tag)
    return [overload.names.index(name) for name in given.split(", ") if name in overload.names]


def number_sig(value: Any) -> int:
    """The signature bit of a Python number that stands where a tensor may."""
    bit = S.NUMBER_SIG.get(type(value))
    if bit is None:
        for cls in (bool, int, float, complex):
            if isinstance(value, cls):
                return S.NUMBER_SIG[cls]
        kind = getattr(getattr(value, "node", None), "pytype", None)  # of a symbol
        if kind is not None:
            return S.NUMBER_SIG[kind]
        raise TypeError(f"expected a Tensor or a number, got {type(value).__name__}")
    return bit


def wrapped_number(value: Any) -> Tensor:
    """A Python number as the 0-d tensor that metas see in its place."""
    dtype: Any
    if isinstance(value, bool):
        dtype = np.bool_
    elif isinstance(value, int):
        dtype = np.int64
    elif isinstance(value, float):
        dtype = get_default_dtype().np
    else:
        dtype = get_default_dtype().to_complex().np
    return wrap(np.array(value, dtype))


def device_bit(device: Any) -> int:
    """The backend bit of a device. Raises torch's error for a backend that is not there."""
    bit = S.DEVICE_BITS.get(device.type)
    if bit is None:
        raise missing_backend(device.type)
    return bit


def layout_bit(layout: Any) -> int:
    """The bit of the functionality that tensors of a layout have; 0 of dense ones."""
    return _LAYOUT_BITS.get(layout, 0)


_LAYOUT_BITS = {
    constants.sparse_coo: S.SPARSE,
    **dict.fromkeys(
        (constants.sparse_csr, constants.sparse_csc, constants.sparse_bsr, constants.sparse_bsc),
        S.SPARSE_CSR,
    ),
}


def default_backend() -> int:
    """The backend of factories that name no device."""
    device = default_device()
    return S.CPU if device is None else device_bit(device)
