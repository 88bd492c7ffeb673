"""Tensors from data: ``tensor``, ``as_tensor``, ``from_numpy``."""

from __future__ import annotations

from functools import cache
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_dispatch import tls
from mindtorch_dispatch.argument_kind import symbol_type
from mindtorch_dispatch.modes import PRE_DISPATCH
from mindtorch_storage.arguments import is_int
from mindtorch_storage.dtype import dtype_given
from mindtorch_storage.elements import cast, element
from mindtorch_storage.errors import wrong_argument
from mindtorch_storage.float8_casts import narrowed
from mindtorch_storage.output_layout import empty_like_strides

from ..backends.copies import pinned
from ..call.argument_parser import TYPES
from ..call.dispatch_entry import OVERLOADS, run
from ..core.constants import strided as st_strided
from ..core.errors import factory_requires_grad, scalar_type
from ..core.extended_dtypes import is_rare
from ..core.key_sets import grad_state, seen_as_operators, tls_state
from ..core.operators import of
from ..core.signature import FUNCTIONAL, INFERENCE, STALE
from ..core.tracebacks import shorten
from ..core.warning import warn, warn_once
from ..tensor import Tensor
from ..tensor.array_memory import array_of_nothing, empty_array, writable
from ..tensor.construction import wrap
from ..tensor.defaults import default_device, device_for_tensors
from ..tensor.gradient import require_grad
from ..tensor.tensor_impl import Alias
from ..tensor.types import Device, _DTypeLike

_NUMBERS = (bool, int, float, complex)
_KINDS = frozenset(_NUMBERS)


def tensor(
    data: Any,
    *,
    dtype: _DTypeLike | None = None,
    device: Device = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new tensor with a copy of *data* (number, nested sequence, ndarray, tensor).

    The dtype is inferred: bool, int64, the default float or complex for Python numbers, the
    array's or tensor's own otherwise.
    """
    try:
        check_options("tensor", device, requires_grad, pin_memory)
        if dtype is not None:
            dtype = dtype_given(dtype, "tensor", "dtype")
        if isinstance(data, Tensor):
            warn_copy_construct("torch.tensor")
            made = copy_of(data, dtype, device_for_tensors() if device is None else device)
            return require_grad(made) if requires_grad else made
        made = lifted(wrap(array_of(data, dtype)))
        if made._sig_ & FUNCTIONAL or tls_state():
            detach_fresh(made)
        return _placed(made, device, requires_grad, pin_memory)
    except Exception as error:
        kind = symbol_type(data)
        if kind is not None:  # of sizes, for the mode that takes symbols
            own = {int: st.int64, float: st.get_default_dtype(), bool: st.bool}[kind]
            return of("scalar_tensor")(data, dtype or own, st_strided, device, None)
        shorten(error)
        raise


#: What names a device as it is; subclasses, bytes and numpy's integers do, too.
_DEVICES = frozenset((type(None), str, int, st.Device))


def check_options(
    function: str, device: Any, requires_grad: Any = False, pin_memory: Any = False
) -> None:
    """Raise TypeError for an option of *function* that is of another type than torch takes."""
    if type(device) not in _DEVICES and not (isinstance(device, (str, bytes)) or is_int(device)):
        raise wrong_argument(function, "device", "torch.device", device)
    if type(pin_memory) is not bool:
        raise wrong_argument(function, "pin_memory", "bool", pin_memory)
    if type(requires_grad) is not bool:
        raise wrong_argument(function, "requires_grad", "bool", requires_grad)


def copy_of(data: Tensor, dtype: Any, device: Any) -> Tensor:
    """A copy that is a leaf, of its own dtype and device where none are given."""
    place = data.device if device is None else st.Device(device)
    return data.detach()._to_(place, dtype or data.dtype, False, True)


def warn_copy_construct(call: str) -> None:
    """*call* copies a tensor. Source: torch csrc/utils/tensor_new.cpp."""
    warn(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() "
        "or sourceTensor.detach().clone().requires_grad_(True), rather than "
        f"{call}(sourceTensor)."
    )


def detach_fresh(made: Tensor) -> None:
    """Call ``detach_``, as ``torch.tensor`` does, where somebody sees it.

    ``functionalize`` does, and a mode that sees operators before autograd.
    """
    from ..functionality.functionalization_levels import current  # few programs come here

    if current() >= 0 or len(PRE_DISPATCH):
        run(OVERLOADS["aten::detach_"], (made,))


def lifted(made: Tensor) -> Tensor:
    """A tensor made of foreign data, shown to a mode that watches operators, or a transform."""
    state = tls_state()
    if state and (seen_as_operators(made._sig_ | state) or tls.extra(state) & tls.TRANSFORMED):
        return run(OVERLOADS["aten::lift_fresh"], (made,))
    return made


def _placed(made: Tensor, device: Any, requires_grad: bool, pin_memory: bool = False) -> Tensor:
    if grad_state() & grad_mode.INFERENCE:
        made._sig_ |= INFERENCE
        made._meta_ = STALE
    if device is None:
        device = default_device()
    where = None if device is None else st.Device(device)
    if pin_memory and (where is None or where.type != "meta"):
        made = pinned(made)
    if where is not None:
        made = made._to_(where)
    if requires_grad:
        if made._a_.dtype.kind in "biu":
            raise factory_requires_grad()
        require_grad(made)
    return made


def array_of(data: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """A fresh, contiguous ndarray with *data* in *dtype* (inferred where None).

    Raises TypeError, ValueError or RuntimeError for what has no numbers.
    Source: torch csrc/utils/tensor_new.cpp, internal_new_from_data.
    """
    kind = type(data)
    if kind in _NUMBERS:
        return _number_array(data, dtype)
    if isinstance(data, np.ndarray):
        return _copy_of(data, dtype)
    if isinstance(data, (list, tuple)):
        return _sequence_array(data, dtype)
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{TYPES.type_name(data)}'")
    if isinstance(data, (st.UntypedStorage, st.TypedStorage)):
        return _over_storage(data, dtype)
    if _is_sequence(data):
        return _sequence_array([data[i] for i in range(len(data))], dtype)
    if dtype is None:
        dtype = _inferred_of(data)
    if isinstance(data, np.generic) and data.dtype == dtype.np:
        return np.array(data)
    return _number_array(data, dtype)


def _copy_of(array: np.ndarray[Any, Any], dtype: Any) -> np.ndarray[Any, Any]:
    """A copy in *dtype*, laid out as a copy of a tensor would be."""
    given = _check_array(array)
    same = dtype is None or dtype is given
    if not array.size:
        return _of_nothing(array, (given if same else dtype).np)
    if array.flags.c_contiguous and 1 not in array.shape:  # else strides may be any
        return np.array(array) if same else cast(np.asarray(array), dtype)
    strides = tuple([s // array.itemsize for s in array.strides])
    layout = empty_like_strides(array.shape, strides)
    made = empty_array(array.shape, (given if same else dtype).np, layout)
    made[...] = array if same else cast(array, dtype)
    return made


def _of_nothing(array: np.ndarray[Any, Any], np_dtype: Any) -> np.ndarray[Any, Any]:
    """One in *np_dtype* with the shape and the strides of *array*, which has no elements."""
    strides = tuple([step // array.itemsize for step in array.strides])
    return array_of_nothing(array.shape, np_dtype, strides)


def _check_array(array: np.ndarray[Any, Any]) -> Any:
    """The dtype of *array*. Raises ValueError or TypeError for one that no tensor looks at."""
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    dtype = st.from_numpy(array.dtype)
    strides = array.strides
    if strides and min(strides) < 0:
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
    return dtype


def _over_storage(storage: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """All of a storage's memory; nothing is copied. Raises RuntimeError for one of another type."""
    untyped = getattr(storage, "_untyped_storage", storage)
    typed = untyped is not storage
    if dtype is None:
        dtype = storage.dtype if typed else st.int64
    elif typed and storage.dtype is not dtype:
        raise RuntimeError(
            f"Expected a Storage of type {scalar_type(dtype)} or an UntypedStorage, but got "
            f"{scalar_type(storage.dtype)}"
        )
    whole = untyped.nbytes() // dtype.itemsize * dtype.itemsize
    return untyped.cpu()._writable()[:whole].view(dtype.np)


def _is_sequence(data: Any) -> bool:
    """Whether *data* is a sequence for C: it gives items by number."""
    kind = type(data)
    if not hasattr(kind, "__getitem__") or not hasattr(kind, "__len__"):
        return False
    if isinstance(data, str):
        return True
    return not isinstance(data, (*_NUMBERS, np.generic, Tensor, dict))


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


def _sequence_array(data: Any, dtype: Any) -> np.ndarray[Any, Any]:
    shape = _shape_of(data)
    flat: list[Any] = []
    try:
        plain = 0 not in shape and _flatten(data, shape, 0, flat)
    except (TypeError, ValueError):
        if dtype is None:
            _inferred_of(data)  # what has no dtype is refused first
        raise
    kinds = set(map(type, flat))
    numbers = kinds <= _KINDS
    if dtype is None:
        dtype = _inferred(kinds) if plain and numbers else _inferred_of(data)
    if not numbers and any(issubclass(kind, Tensor) for kind in kinds):
        flat = [_leaf(x, dtype) if isinstance(x, Tensor) else x for x in flat]
        kinds = set(map(type, flat))
    if is_rare(dtype.np):
        return _rare_numbers(flat, dtype).reshape(shape)
    try:
        if not kinds <= _taken_at_once(dtype.np):
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
            out[i] = _number_array(x, dtype)
        return out.reshape(shape)


@cache
def _taken_at_once(np_dtype: Any) -> frozenset[type]:
    """The types of numbers that numpy puts into an array as torch does into a tensor."""
    kind = np_dtype.kind
    if kind == "u":
        return frozenset((bool, int))
    if kind in "ib":
        return frozenset((bool, int, float))
    floats = {bool, int, float, np.bool_, np.float16, np.float32, np.float64, np.int64, np.int32}
    return frozenset(floats if kind == "f" else {*floats, complex, np.complex64, np.complex128})


def _leaf(t: Any, dtype: Any) -> Any:
    """The number of a tensor among others. Raises torch's error where it has several."""
    if dtype.is_complex:
        return complex(t)
    return float(t) if dtype.is_floating_point else t.__index__()


def _inferred_of(data: Any) -> Any:
    """The dtype in which all that is in *data* meets.

    Source: torch csrc/utils/tensor_new.cpp, infer_scalar_type.
    """
    if isinstance(data, (np.ndarray, np.generic)) and not isinstance(data, str | bytes):
        return st.from_numpy(data.dtype)
    if isinstance(data, Tensor):
        return data.dtype
    if isinstance(data, _NUMBERS):
        return _inferred({type(data)})
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not _is_sequence(data):
        raise RuntimeError(f"Could not infer dtype of {TYPES.type_name(data)}")
    result: Any = None
    for item in data:
        if item is data:
            raise TypeError("new(): self-referential lists are incompatible")
        this = _inferred_of(item)
        result = this if result is None else st.promote_types(result, this)
    return st.get_default_dtype() if result is None else result


def _inferred(kinds: set[type]) -> Any:
    if not kinds:
        return st.get_default_dtype()
    kinds = kinds if kinds <= _KINDS else {_base(kind) for kind in kinds}
    if complex in kinds:
        return default_complex()
    if float in kinds:
        return st.get_default_dtype()
    if int in kinds:
        return st.int64
    return st.bool


def _base(kind: type) -> type:
    """Python's own type of numbers of which *kind* is one."""
    return next(base for base in (bool, int, float, complex) if issubclass(kind, base))


def default_complex() -> Any:
    """The dtype of complex numbers. Raises RuntimeError if the default dtype has none."""
    default = st.get_default_dtype()
    if default is st.bfloat16:
        raise RuntimeError("invalid default scalar type for complex")
    return default.to_complex()


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(data, (list, tuple, np.ndarray)) or _is_sequence(data):
        shape.append(len(data))
        if not len(data):
            break
        if len(shape) > 64:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
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
        flat.append(data.item() if array else data)
        return not array
    plain = isinstance(data, (list, tuple))
    if not array and not plain:
        if not hasattr(data, "__iter__") and not _is_sequence(data):
            raise TypeError("not a sequence")
        data = list(data)
    if len(data) != shape[depth]:
        raise ValueError(
            f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})"
        )
    if depth == len(shape) - 1:
        if array:
            flat.extend(data.tolist())
            return False
        if _KINDS.issuperset(map(type, data)):  # one by one it takes four times as long
            flat.extend(data)
            return plain
    for item in data:
        plain = _flatten(item, shape, depth + 1, flat) and plain
    return plain


def warn_not_writable() -> None:
    """Source: torch csrc/utils/tensor_numpy.cpp, warn_numpy_not_writeable."""
    warn_once(
        "The given NumPy array is not writable, and PyTorch does not support non-writable "
        "tensors. This means writing to this tensor will result in undefined behavior. You may "
        "want to copy the array to protect its data or make it writable before converting it "
        "to a tensor. This type of warning will be suppressed for the rest of this program.",
    )


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor over the memory of *array* (ndarray); changes are seen on both sides."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {TYPES.type_name(array)})")
    dtype = _check_array(array)
    if not array.flags.writeable:
        warn_not_writable()
        array = writable(array)
    if not array.size:
        array = _of_nothing(array, dtype.np)
    # Of the one dtype object, by which tensors are compared: what is unpickled has another.
    made = wrap(array.view(dtype.np, np.ndarray))
    alias = made._shared_ = Alias()
    alias.value = 0
    alias.storage = st.UntypedStorage._borrowed(array)
    if grad_state() & grad_mode.INFERENCE:
        made._sig_ |= INFERENCE
        made._meta_ = STALE
    return lifted(made) if tls_state() else made


def as_tensor(data: Any, *, dtype: _DTypeLike | None = None, device: Device = None) -> Tensor:
    """*data* as a tensor, sharing memory where dtype and device allow it."""
    check_options("as_tensor", device)
    if dtype is not None:
        dtype = dtype_given(dtype, "as_tensor", "dtype")
    if isinstance(data, Tensor):
        place = device_for_tensors() if device is None else st.Device(device)
        return data._to_(place, dtype)
    if isinstance(data, np.ndarray):
        place = default_device() if device is None else st.Device(device)
        return from_numpy(data)._to_(place, dtype)
    return tensor(data, dtype=dtype, device=device)
