"""``torch.Tensor(...)``, ``torch.FloatTensor(...)`` and ``Tensor.new``: what a call of old means.

Source: torch csrc/utils/tensor_new.cpp, legacy_tensor_generic_ctor_new.
"""

from __future__ import annotations

from operator import index as as_index
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_storage import TypedStorage
from mindtorch_storage.errors import size_negative

from ..call.argument_parser import TYPES
from ..call.subclass import retyped
from ..core.constants import strided
from ..core.errors import c_type_name, scalar_type, typed_source_of_other_dtype
from ..core.operators import ops
from ..tensor import Tensor
from ..tensor.construction import wrap
from ..tensor.deterministic_fill import fill_new
from ..tensor.set_storage import set_storage
from .from_data import array_of, from_numpy, lifted

__all__ = ["legacy_new", "legacy_tensor"]

_CPU = st.Device("cpu")

_PARSER = ArgumentParser.from_signatures(
    "new",
    [
        "new(*, Device? device=None)",
        "new(Storage storage)",
        "new(Tensor other)",
        "new(SymInt[] size, *, Device? device=None)",
        "new(object data, *, Device? device=None)",
    ],
    types=TYPES,
)


_CONSTRUCTOR = (
    "Legacy tensor constructor of the form torch.Tensor(tensor, device=device) is not supported.  "
    "Use torch.tensor(...) or torch.as_tensor(...) instead."
)
#: The same of ``Tensor.new``.
_OF_NEW = (
    "Legacy tensor new of the form tensor.new(tensor, device=device) is not supported.  "
    "Use torch.as_tensor(...) instead."
)


def legacy_tensor(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``torch.Tensor(...)``: sizes, a sequence of numbers, a storage, another tensor, nothing."""
    made = legacy_new(args, kwargs, st.get_default_dtype(), _CPU, any_dtype=True)
    return made if cls is Tensor else retyped(made, cls)


def legacy_new(
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    dtype: Any,
    device: Any,
    any_dtype: bool = False,
    of_new: bool = False,
) -> Tensor:
    """A tensor of *dtype* on *device*: of a size, from numbers, over a storage or a tensor.

    :param any_dtype: of tensors that are given take those of another type too, as they are.
    :param of_new: it is ``Tensor.new`` that was called.

    Raises TypeError for what is none of these, RuntimeError for another device.
    """
    if "device" in kwargs and isinstance(args[0] if args else kwargs.get("other"), Tensor):
        raise RuntimeError(_OF_NEW if of_new else _CONSTRUCTOR)
    if len(args) == 1 and type(args[0]) in (list, tuple):  # not a size, whatever is in it
        _, (given,) = _PARSER.parse((), kwargs)
        which, bound = 4, (args[0], given)
    else:
        which, bound = _PARSER.parse(args, kwargs)
    if which != 1 and which != 2 and bound[-1] is not None and bound[-1].type != device.type:
        raise RuntimeError(
            f"legacy constructor expects device type: {device.type} but device type: "
            f"{bound[-1].type} was passed"
        )
    if which != 1 and which != 2 and bound[-1] is not None:
        device = bound[-1]  # another one of the kind
    if which == 0:
        return _placed(wrap(np.empty(0, dtype.np)), device)
    if which == 1:
        return _over(bound[0], dtype, device)
    if which == 2:
        other = bound[0]
        if not any_dtype:
            same = other.dtype is dtype and other.device.type == device.type
            if not same or other.layout is not strided:
                raise _unexpected(dtype, device, other)
        made: Tensor = ops.alias(other)
        return made
    if which == 3:
        return _sized(tuple(bound[0]), dtype, device)
    size = _size_of(bound[0])
    return _from_data(bound[0], dtype, device) if size is None else _sized((size,), dtype, device)


def _size_of(data: Any) -> int | None:
    """The size that a number of numpy's, or what else stands for an int, is; None: it is none."""
    if hasattr(data, "__index__") and not isinstance(data, (bool, Tensor)):
        try:
            return as_index(data)
        except TypeError:  # an array of several numbers, or of other ones
            pass
    return None


def _sized(size: tuple[int, ...], dtype: Any, device: Any) -> Tensor:
    bad = next((n for n in size if n < 0), None)
    if bad is not None:
        raise size_negative(bad, size)
    made = _placed(wrap(np.empty(size, dtype.np)), device)
    fill_new(made, change=1)
    return made


def _from_data(data: Any, dtype: Any, device: Any) -> Tensor:
    if isinstance(data, str):
        raise TypeError(f"new(): invalid data type '{TYPES.type_name(data)}'")
    if not hasattr(type(data), "__getitem__") or not hasattr(type(data), "__len__"):
        raise TypeError(f"new(): data must be a sequence (got {TYPES.type_name(data)})")
    if isinstance(data, dict):
        raise TypeError("new(): data must be a sequence (got dict)")
    if isinstance(data, np.ndarray):
        return from_numpy(data)._to_(device, dtype)
    return _placed(lifted(wrap(array_of(data, dtype))), device)


def _over(storage: Any, dtype: Any, device: Any) -> Tensor:
    if isinstance(storage, TypedStorage):
        if storage.dtype is not dtype:
            raise typed_source_of_other_dtype(scalar_type(dtype), storage.dtype)
        storage = storage._untyped_storage
    return set_storage(_placed(wrap(np.empty(0, dtype.np)), device), storage)


def _placed(made: Tensor, device: Any) -> Tensor:
    return made if device.type == "cpu" else made._to_(device)


def _unexpected(dtype: Any, device: Any, given: Tensor) -> TypeError:
    """torch csrc/utils/tensor_new.cpp, check_legacy_ctor_device's neighbour for types."""

    def options(d: st.DType, where: Any, how: Any) -> str:
        word = str(how).removeprefix("torch.").removesuffix("_coo").replace("_", " ").title()
        return (
            f"TensorOptions(dtype={c_type_name(d)}, device={where}, "
            f"layout={word.replace(' ', '')}, "
            "requires_grad=false (default), pinned_memory=false (default), "
            "memory_format=(nullopt))"
        )

    wanted = options(dtype, device, strided)
    return TypeError(f"expected {wanted} (got {options(given.dtype, given.device, given.layout)})")
