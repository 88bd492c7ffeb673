"""The array's methods, operators and subscripts, and the functions that make arrays of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..aten import torch
from ..core.module_names import adopt as _adopt
from ..utils import dlpack as _dlpack
from . import _array, _dtypes, _dtypes_impl, _funcs, _funcs_impl, _ufuncs, _util
from ._array import ndarray
from ._normalizations import (
    ArrayLike,
    NotImplementedType,
    _plain,
    normalize_array_like,
    normalizer,
)

newaxis = None
FLAGS = [
    "C_CONTIGUOUS",
    "F_CONTIGUOUS",
    "OWNDATA",
    "WRITEABLE",
    "ALIGNED",
    "WRITEBACKIFCOPY",
    "FNC",
    "FORC",
    "BEHAVED",
    "CARRAY",
    "FARRAY",
]
SHORTHAND_TO_FLAGS = {
    "C": "C_CONTIGUOUS",
    "F": "F_CONTIGUOUS",
    "O": "OWNDATA",
    "W": "WRITEABLE",
    "A": "ALIGNED",
    "X": "WRITEBACKIFCOPY",
    "B": "BEHAVED",
    "CA": "CARRAY",
    "FA": "FARRAY",
}


class Flags:
    """How an array lies in memory."""

    def __init__(self, flag_to_value: dict[str, bool]) -> None:
        assert all(name in FLAGS for name in flag_to_value)
        self._flag_to_value = flag_to_value

    def __getattr__(self, attr: str) -> Any:
        if attr.islower() and attr.upper() in FLAGS:
            return self[attr.upper()]
        raise AttributeError(f"No flag attribute '{attr}'")

    def __getitem__(self, key: str) -> Any:
        if key in SHORTHAND_TO_FLAGS:
            key = SHORTHAND_TO_FLAGS[key]
        if key in FLAGS:
            try:
                return self._flag_to_value[key]
            except KeyError as error:
                raise NotImplementedError(f"{key=}") from error
        raise KeyError(f"No flag key '{key}'")

    def __setattr__(self, attr: str, value: Any) -> None:
        if attr.islower() and attr.upper() in FLAGS:
            self[attr.upper()] = value
        else:
            super().__setattr__(attr, value)

    def __setitem__(self, key: str, value: Any) -> None:
        if key in FLAGS or key in SHORTHAND_TO_FLAGS:
            raise NotImplementedError("Modifying flags is not implemented")
        raise KeyError(f"No flag key '{key}'")


def create_method(fn: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """A method that calls a function with the array first."""
    name = name or fn.__name__

    def f(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    f.__name__ = name
    f.__qualname__ = f"ndarray.{name}"
    f.__doc__ = fn.__doc__
    return f


def _upcast_int_indices(index: Any) -> Any:
    """Indices as torch takes them: integers of 64 bits."""
    if isinstance(index, torch.Tensor):
        if index.dtype in (torch.int8, torch.int16, torch.int32, torch.uint8):
            return index.to(torch.int64)
    elif isinstance(index, tuple):
        return tuple(_upcast_int_indices(one) for one in index)
    return index


def _has_advanced_indexing(index: tuple[Any, ...]) -> bool:
    """Whether the subscript has an array of numbers, a mask or a list."""
    return any(
        one.ndim > 0 or one.dtype == torch.bool
        if isinstance(one, torch.Tensor)
        else isinstance(one, (bool, list, tuple, str))
        for one in index
    )


def _numpy_compatible_indexing(index: Any) -> tuple[Any, ...]:
    """The subscript with numbers as arrays beside other arrays: numpy broadcasts them together."""
    if not isinstance(index, tuple):
        index = (index,)
    if not _has_advanced_indexing(index):
        return index
    return tuple(torch.tensor([int(one)]) if _is_number(one) else one for one in index)


def _is_number(one: Any) -> bool:
    """Whether a part of a subscript is one whole number."""
    if isinstance(one, torch.Tensor):
        return one.ndim == 0 and _dtypes_impl._CATEGORIES.get(one.dtype) == 1
    return isinstance(one, int) and not isinstance(one, bool)


def _subscript(index: Any) -> tuple[Any, ...]:
    """torch's subscript for numpy's."""
    return _numpy_compatible_indexing(_upcast_int_indices(_util.ndarrays_to_tensors(index)))


def _forward(tensor: Any, index: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The tensor turned around where the subscript counts backwards, and a subscript without.

    As in torch, the dimension is the place in the subscript, whatever stands before.
    """
    made = list(index)
    for place, one in enumerate(index):
        if isinstance(one, slice) and isinstance(one.step, int) and one.step < 0:
            tensor = tensor.flip(place)
            size = tensor.shape[place]
            first, last, step = one.indices(size)
            made[place] = slice(size - 1 - first, size - 1 - last, -step)
    return tensor, tuple(made)


class _Unspecified:
    """The value of an argument that was not given."""

    unspecified: ClassVar[Any]


_Unspecified.unspecified = _UNSPECIFIED = _Unspecified()


def _dtype(self: ndarray) -> _dtypes.DType:
    """The dtype of the elements."""
    return _dtypes.dtype(self.tensor.dtype)


def _flags(self: ndarray) -> Flags:
    """How the array lies in memory."""
    return Flags(
        {
            "C_CONTIGUOUS": self.tensor.is_contiguous(),
            "F_CONTIGUOUS": self.T.tensor.is_contiguous(),
            "OWNDATA": self.tensor._base is None,
            "WRITEABLE": True,
        }
    )


def _getitem(self: ndarray, index: Any) -> ndarray:
    tensor, index = _forward(self.tensor, _subscript(index))
    return ndarray(tensor.__getitem__(index))


def _setitem(self: ndarray, index: Any, value: Any) -> None:
    index = _subscript(index)
    if not _dtypes_impl.is_scalar(value):
        value = normalize_array_like(value)
        value = _util.cast_if_needed(value, self.tensor.dtype)
    self.tensor.__setitem__(index, value)


def astype(
    self: ndarray,
    dtype: Any,
    order: Any = "K",
    casting: Any = "unsafe",
    subok: Any = True,
    copy: Any = True,
) -> ndarray:
    """The array in another dtype."""
    if order != "K":
        raise NotImplementedError(f"astype(..., order={order} is not implemented.")
    if casting != "unsafe":
        raise NotImplementedError(f"astype(..., casting={casting} is not implemented.")
    if not subok:
        raise NotImplementedError(f"astype(..., subok={subok} is not implemented.")
    if not copy:
        raise NotImplementedError(f"astype(..., copy={copy} is not implemented.")
    torch_dtype = _dtypes.dtype(dtype).torch_dtype
    return ndarray(self.tensor.to(torch_dtype))


@normalizer
def _copied(self: ArrayLike, order: NotImplementedType = "C") -> Any:
    """A copy of the array."""
    return self.clone()


@normalizer
def _flattened(self: ArrayLike, order: NotImplementedType = "C") -> Any:
    """A copy of the elements in one dimension."""
    return torch.flatten(self)


def resize(self: ndarray, *new_shape: Any, refcheck: Any = False) -> None:
    """Give the array another shape, with zeros where there were no elements."""
    if refcheck:
        raise NotImplementedError(f"resize(..., refcheck={refcheck} is not implemented.")
    if new_shape in [(), (None,)]:
        return
    if len(new_shape) == 1:
        new_shape = new_shape[0]
    if isinstance(new_shape, int):
        new_shape = (new_shape,)
    if any(size < 0 for size in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    former = self.tensor.numel()
    wanted = 1
    for size in new_shape:
        wanted *= size
    tensor = self.tensor.resize_(new_shape)
    if former < wanted:
        tensor.flatten()[former:].zero_()


def view(self: ndarray, dtype: Any = _UNSPECIFIED, type: Any = _UNSPECIFIED) -> ndarray:
    """The same memory, read as another dtype."""
    torch_dtype = self.tensor.dtype if dtype is _UNSPECIFIED else _dtypes.dtype(dtype).torch_dtype
    if type is not _UNSPECIFIED:
        raise NotImplementedError(f"view(..., type={type} is not implemented.")
    return ndarray(self.tensor.view(torch_dtype))


@normalizer
def _filled(self: ArrayLike, value: ArrayLike) -> Any:
    """Put one value everywhere."""
    self.fill_(value)


def transpose(self: ndarray, *axes: Any) -> ndarray:
    """The array with its dimensions in another order."""
    return ndarray(_funcs_impl.FUNCTIONS["transpose"](self.tensor, axes))


def reshape(self: ndarray, *shape: Any, order: Any = "C") -> ndarray:
    """The elements in another shape."""
    found: ndarray = _METHODS["reshape"](self, shape, order=order)
    return found


def sort(self: ndarray, axis: Any = -1, kind: Any = None, order: Any = None) -> None:
    """Put the elements in order, in place."""
    _METHODS["copyto"](self, _METHODS["sort"](self, axis, kind, order))


_METHODS: dict[str, Any] = {name: vars(_funcs)[name] for name in _funcs._made}
#: Functions that are methods under the same name.
_SHARED = (
    "all any argmax argmin argsort choose clip cumprod cumsum diagonal dot max mean min nonzero "
    "prod ptp put ravel repeat round searchsorted squeeze std sum swapaxes take trace var"
).split()
#: The operators and the functions that they are.
_OPERATORS = {
    "abs": "absolute",
    "invert": "invert",
    "pos": "positive",
    "neg": "negative",
    "gt": "greater",
    "lt": "less",
    "ge": "greater_equal",
    "le": "less_equal",
}
#: Operators that stand between two operands, in place, too.
_BETWEEN = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "pow": "power",
    "mod": "remainder",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "matmul": "matmul",
}


def _reflected(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The operator with its operands changed."""
    return lambda self, other: fn(other, self)


def _inplace(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The operator that puts its result into the array."""
    return lambda self, other: fn(self, other, out=self)


def _eq(self: ndarray, other: Any) -> Any:
    try:
        return vars(_ufuncs)["equal"](self, other)
    except (RuntimeError, TypeError):
        # What cannot be compared is different.
        return asarray(torch.full(self.shape, False))


def _ne(self: ndarray, other: Any) -> Any:
    return ~(self == other)


def _attach() -> None:
    """Put the methods and operators on the array."""
    made: dict[str, Any] = {name: create_method(_METHODS[name], name) for name in _SHARED}
    made |= {
        "conj": create_method(vars(_ufuncs)["conjugate"], "conj"),
        "conjugate": create_method(vars(_ufuncs)["conjugate"], "conjugate"),
        "put": _METHODS["put"],
        "take": _METHODS["take"],
        "dtype": property(_dtype),
        "flags": property(_flags),
        "flat": property(lambda self: _METHODS["ravel"](self)),
        "__getitem__": _getitem,
        "__setitem__": _setitem,
        "astype": astype,
        "copy": _copied,
        "flatten": _flattened,
        "resize": resize,
        "view": view,
        "fill": _filled,
        "transpose": transpose,
        "reshape": reshape,
        "sort": sort,
        "__eq__": _eq,
        "__ne__": _ne,
        "__divmod__": create_method(_ufuncs.divmod, "__divmod__"),
        "__rdivmod__": create_method(_reflected(_ufuncs.divmod), "__rdivmod__"),
    }
    for name, ufunc in (_OPERATORS | _BETWEEN).items():
        method = f"__{name}__"
        made[method] = create_method(vars(_ufuncs)[ufunc], method)
    for name, ufunc in _BETWEEN.items():
        for letter, kind in (("r", _reflected), ("i", _inplace)):
            method = f"__{letter}{name}__"
            made[method] = create_method(kind(vars(_ufuncs)[ufunc]), method)
    for name, value in made.items():
        setattr(ndarray, name, value)


def _tolist(obj: Any) -> Any:
    """Lists with the elements of arrays in the place of those."""
    return _plain(obj)


def array(
    obj: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: Any = False,
    ndmin: Any = 0,
    like: Any = None,
) -> ndarray:
    """Make an array of numbers, of lists of them, or of another array."""
    if subok is not False:
        raise NotImplementedError("'subok' parameter is not supported.")
    if like is not None:
        raise NotImplementedError("'like' parameter is not supported.")
    if order != "K":
        raise NotImplementedError
    if isinstance(obj, ndarray) and copy is False and dtype is None and ndmin <= obj.ndim:
        return obj
    if isinstance(obj, (list, tuple)):
        if obj and all(isinstance(one, torch.Tensor) for one in obj):
            # Tensors keep their dtype, and gradients.
            obj = torch.stack(list(obj))
        else:
            obj = _tolist(obj)
    if isinstance(obj, ndarray):
        obj = obj.tensor
    torch_dtype = None if dtype is None else _dtypes.dtype(dtype).torch_dtype
    return ndarray(_util._coerce_to_tensor(obj, torch_dtype, copy, ndmin))


def asarray(a: Any, dtype: Any = None, order: Any = "K", *, like: Any = None) -> ndarray:
    """An array of anything that one can be made of, without a copy where none is needed."""
    return array(a, dtype=dtype, order=order, like=like, copy=False, ndmin=0)


def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> ndarray:
    """An array whose elements lie one behind the other."""
    arr = asarray(a, dtype=dtype, like=like)
    if not arr.tensor.is_contiguous():
        arr.tensor = arr.tensor.contiguous()
    return arr


def from_dlpack(x: Any, /) -> ndarray:
    """An array over the memory of another library's."""
    return ndarray(_dlpack.from_dlpack(x))


def _extract_dtype(entry: Any) -> torch.dtype:
    """The dtype of an array, or of anything that names one."""
    try:
        return _dtypes.dtype(entry).torch_dtype
    except Exception:
        return asarray(entry).tensor.dtype


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether numpy's rule *casting* allows the cast."""
    return _dtypes_impl.can_cast_impl(_extract_dtype(from_), _extract_dtype(to), casting)


def result_type(*arrays_and_dtypes: Any) -> _dtypes.DType:
    """The dtype that arrays and dtypes promote to."""
    tensors = []
    for entry in arrays_and_dtypes:
        try:
            tensor = asarray(entry).tensor
        except (RuntimeError, ValueError, TypeError):
            tensor = torch.empty(1, dtype=_dtypes.dtype(entry).torch_dtype)
        tensors.append(tensor)
    return _dtypes.dtype(_dtypes_impl.result_type_impl(*tensors))


_attach()
_adopt("torch._numpy._ndarray", _array)
