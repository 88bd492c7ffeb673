"""Tensors from data: ``tensor``, ``as_tensor``, ``from_numpy``."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_dispatch import tls
from mindtorch_storage.elements import element
from mindtorch_storage.narrow_floats import narrowed

from ._tensor.gradient import require_grad
from .array_memory import writable
from .backends.copies import pinned
from .calls import OVERLOADS, run
from .construct import wrap
from .defaults import default_device
from .errors import c_type_name, factory_requires_grad
from .key_sets import grad_state, seen_as_operators, tls_state
from .rare_numbers import is_rare
from .signature import FUNCTIONAL, INFERENCE
from .state import Alias
from .tensor import Tensor
from .warning import warn_once

_NUMBERS = (bool, int, float, complex)
_KINDS = frozenset(_NUMBERS)


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new tensor with a copy of *data* (number, nested sequence, ndarray, tensor).

    The dtype is inferred: bool, int64, the default float or complex for Python numbers, the
    array's or tensor's own otherwise.
    """
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use "
            "sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than "
            "torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
        made = data.detach()._to(  # type: ignore[attr-defined]
            data.device if device is None else st.Device(device), dtype or data.dtype, False, True
        )
        return require_grad(made) if requires_grad else made  # type: ignore[no-any-return]
    made = lifted(wrap(array_of(data, dtype)))
    if made._sig & FUNCTIONAL:
        detach_fresh(made)
    return _placed(made, device, requires_grad, pin_memory)


def detach_fresh(made: Tensor) -> None:
    """Inside ``functionalize``, ``detach_`` is seen: also that of ``torch.tensor`` itself."""
    from .functionality.functionalization_levels import current

    if current() >= 0:
        run(OVERLOADS["aten::detach_"], (made,))


def lifted(made: Tensor) -> Tensor:
    """A tensor made of foreign data, shown to a mode that watches operators, or a transform."""
    state = tls_state()
    if state and (seen_as_operators(made._sig | state) or tls.extra(state) & tls.TRANSFORMED):
        return run(OVERLOADS["aten::lift_fresh"], (made,))  # type: ignore[no-any-return]
    return made


def _placed(made: Tensor, device: Any, requires_grad: bool, pin_memory: bool = False) -> Tensor:
    if grad_state() & grad_mode.INFERENCE:
        made._sig |= INFERENCE
    if device is None:
        device = default_device()
    where = None if device is None else st.Device(device)
    if pin_memory and (where is None or where.type != "meta"):
        made = pinned(made)
    if where is not None:
        made = made._to(where)
    if requires_grad:
        if made._a.dtype.kind in "biu":
            raise factory_requires_grad()
        require_grad(made)
    return made


def array_of(data: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """A fresh, contiguous ndarray with *data* in *dtype* (inferred where None)."""
    kind = type(data)
    if kind in _NUMBERS:
        return _number_array(data, dtype)
    if isinstance(data, (np.ndarray, np.generic)):
        np_dtype = st.from_numpy(data.dtype).np if dtype is None else dtype.np
        return np.array(data, np_dtype, order="C")
    if isinstance(data, (list, tuple)):
        return _sequence_array(data, dtype)
    for protocol in ("__array__", "__array_interface__"):
        if hasattr(data, protocol):
            return array_of(np.asarray(data), dtype)
    if isinstance(data, _NUMBERS):
        return _number_array(data, dtype)
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if hasattr(data, "__len__") and hasattr(data, "__getitem__") and kind is not dict:
        return _sequence_array([data[i] for i in range(len(data))], dtype)
    if hasattr(data, "__index__"):
        return _number_array(data.__index__(), dtype)
    raise RuntimeError(f"Could not infer dtype of {kind.__name__}")


def _number_array(value: Any, dtype: Any) -> np.ndarray[Any, Any]:
    if dtype is None:
        dtype = _inferred({type(value)})
    elif is_rare(dtype.np):
        return _rare_numbers(value, dtype)
    if isinstance(value, float) and dtype.is_floating_point:
        return np.asarray(value).astype(dtype.np)
    return np.asarray(element(value, dtype), dtype.np)


def _rare_numbers(values: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """Numbers in a dtype that numpy lacks. Raises RuntimeError for those that are only bytes."""
    if dtype.np.names:
        raise RuntimeError("store_scalar: invalid type")
    via = st.complex128 if dtype.is_complex else st.float64
    return narrowed(np.asarray(array_of(values, via)), dtype.np)


def st_type_name(dtype: Any) -> str:
    """The C++ name of an integer type as overflow errors print it."""
    return {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int64": "int64_t"}.get(
        dtype.name, c_type_name(dtype)
    )


def _sequence_array(data: Any, dtype: Any) -> np.ndarray[Any, Any]:
    shape = _shape_of(data)
    flat: list[Any] = []
    plain = _flatten(data, shape, 0, flat)
    if dtype is None:
        kinds = {type(x) for x in flat}
        dtype = _inferred(kinds) if plain and kinds <= _KINDS else _inferred_of(data)
    if Tensor in map(type, flat):
        flat = [_leaf(x, dtype) if isinstance(x, Tensor) else x for x in flat]
    if is_rare(dtype.np):
        return _rare_numbers(flat, dtype).reshape(shape)
    try:
        if dtype.np.kind == "u" and float in map(type, flat):
            raise TypeError  # numpy is more lenient than torch: one by one
        made = np.array(flat, dtype.np)
        if len(shape) == 1:
            return made
        whole = np.empty(shape, dtype.np)  # an owner: a reshaped array would keep two
        whole.reshape(-1)[:] = made
        return whole
    except (OverflowError, TypeError, ValueError):
        out = np.empty(len(flat), dtype.np)
        for i, x in enumerate(flat):
            if not isinstance(x, (*_NUMBERS, np.generic)):
                raise _cannot_infer(x) from None
            out[i] = _number_array(x, dtype)
        return out.reshape(shape)


def _leaf(t: Any, dtype: Any) -> Any:
    """The number of a tensor among others. Raises torch's error where it has several."""
    if dtype.is_complex:
        return complex(t)
    return float(t) if dtype.is_floating_point else t.__index__()


def _inferred_of(data: Any) -> Any:
    """The dtype in which all that is in *data* meets.

    Source: torch csrc/utils/tensor_new.cpp, infer_scalar_type.
    """
    if isinstance(data, (np.ndarray, np.generic)):
        return st.from_numpy(data.dtype)
    if isinstance(data, Tensor):
        return data.dtype
    if isinstance(data, _NUMBERS):
        return _inferred({type(data)})
    if not isinstance(data, (list, tuple)):
        raise _cannot_infer(data)
    result: Any = None
    for item in data:
        this = _inferred_of(item)
        result = this if result is None else st.promote_types(result, this)
    return st.get_default_dtype() if result is None else result


def _cannot_infer(x: Any) -> Exception:
    if isinstance(x, str):
        return ValueError("too many dimensions 'str'")
    if x is None:
        return RuntimeError("Could not infer dtype of NoneType")
    return RuntimeError(f"Could not infer dtype of {type(x).__name__}")


def _inferred(kinds: set[type]) -> Any:
    if not kinds:
        return st.get_default_dtype()
    if complex in kinds:
        return st.get_default_dtype().to_complex()
    if float in kinds:
        return st.get_default_dtype()
    if int in kinds:
        return st.int64
    return st.bool


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(data, (list, tuple, np.ndarray)):
        shape.append(len(data))
        if not len(data):
            break
        if len(shape) > 64:
            raise ValueError("too many dimensions 'list'")
        data = data[0]
    return tuple(shape)


def _flatten(data: Any, shape: tuple[int, ...], depth: int, flat: list[Any]) -> bool:
    """Append the numbers of *data* to *flat*; whether there were only lists."""
    array = isinstance(data, np.ndarray)
    if array:
        warn_once(
            "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider "
            "converting the list to a single numpy.ndarray with numpy.array() before converting to "
            "a tensor.",
        )
    if depth == len(shape):
        if isinstance(data, (list, tuple)):
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        flat.append(data.item() if array else data)
        return not array
    if not array and not isinstance(data, (list, tuple)):
        raise TypeError("not a sequence")
    if len(data) != shape[depth]:
        raise ValueError(
            f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})"
        )
    if array and depth == len(shape) - 1:
        flat.extend(data.tolist())
        return False
    plain = not array
    for item in data:
        plain = _flatten(item, shape, depth + 1, flat) and plain
    return plain


def _c_name(kind: type) -> str:
    """What a class written in C is called: with its module, unless that is Python's own."""
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def warn_not_writable() -> None:
    """Source: torch csrc/utils/tensor_numpy.cpp, warn_numpy_not_writeable."""
    warn_once(
        "The given NumPy array is not writable, and PyTorch does not support non-writable "
        "tensors. This means writing to this tensor will result in undefined behavior. You may "
        "want to copy the array to protect its data or make it writable before converting it "
        "to a tensor. This type of warning will be suppressed for the rest of this program.",
    )


def from_numpy(array: Any) -> Tensor:
    """A tensor over the memory of *array* (ndarray); changes are seen on both sides."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {_c_name(type(array))})")
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    st.from_numpy(array.dtype)
    strides = array.strides
    if strides and min(strides) < 0:
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
    if not array.flags.writeable:
        warn_not_writable()
        array = writable(array)
    made = wrap(array.view())
    alias = made._shared = Alias()
    alias.value = 0
    alias.storage = st.UntypedStorage._borrowed(array)
    if grad_state() & grad_mode.INFERENCE:
        made._sig |= INFERENCE
    return lifted(made) if tls_state() else made


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """*data* as a tensor, sharing memory where dtype and device allow it."""
    if isinstance(data, Tensor):
        return data._to(None if device is None else st.Device(device), dtype)
    if isinstance(data, np.ndarray):
        return from_numpy(data)._to(None if device is None else st.Device(device), dtype)
    return tensor(data, dtype=dtype, device=device)
