"""What functions of arrays take: each parameter is converted as its annotation says.

A function is written on tensors. :func:`normalizer` reads its annotations once and makes tensors,
dtypes and axes of what is handed in, an array of what comes back.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..aten import torch
from . import _dtypes, _dtypes_impl, _util
from ._array import ndarray

# What annotations may name. To a type checker they are anything; the normalizer reads the names.
ArrayLike = Any
ArrayLikeOrScalar = Any
Scalar = Any
DTypeLike = Any
AxisLike = Any
NDArray = Any
CastingModes = Any
KeepDims = Any
OutArray = Any
NotImplementedType = Any

_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def normalize_array_like(x: Any, parm: Any = None) -> torch.Tensor:
    """A tensor of an array, of numbers or of lists of them."""
    return _coerced(x)


def _coerced(x: Any) -> torch.Tensor:
    """A tensor of anything that an array can be made of."""
    if isinstance(x, ndarray):
        return x.tensor
    if isinstance(x, (list, tuple)):
        x = _plain(x)
    return _util._coerce_to_tensor(x)


def _plain(values: Any) -> Any:
    """Lists and tuples with the elements of arrays in the place of those."""
    return [
        _plain(value)
        if isinstance(value, (list, tuple))
        else value.tolist()
        if isinstance(value, ndarray)
        else value
        for value in values
    ]


def normalize_array_like_or_scalar(x: Any, parm: Any = None) -> Any:
    """A tensor, or the Python number that was handed in."""
    if _dtypes_impl.is_scalar_or_symbolic(x):
        return x
    return normalize_array_like(x, parm)


def normalize_optional_array_like(x: Any, parm: Any = None) -> torch.Tensor | None:
    """A tensor, or None."""
    return None if x is None else normalize_array_like(x, parm)


def normalize_optional_array_like_or_scalar(x: Any, parm: Any = None) -> Any:
    """A tensor, a Python number, or None."""
    return None if x is None else normalize_array_like_or_scalar(x, parm)


def normalize_seq_array_like(x: Any, parm: Any = None) -> tuple[torch.Tensor, ...]:
    """A tensor of each element of a sequence."""
    return tuple(normalize_array_like(value) for value in x)


def normalize_dtype(dtype: Any, parm: Any = None) -> torch.dtype | None:
    """torch's dtype of anything that names one."""
    return None if dtype is None else _dtypes.dtype(dtype).torch_dtype


def normalize_not_implemented(arg: Any, parm: Any) -> Any:
    """The argument, which has to be its default."""
    if arg is not parm.default and arg != parm.default:
        raise NotImplementedError(f"'{parm.name}' parameter is not supported.")


def normalize_axis_like(arg: Any, parm: Any = None) -> Any:
    """An axis or several, arrays of integers as such."""
    return operator.index(arg) if isinstance(arg, ndarray) else arg


def normalize_ndarray(arg: Any, parm: Any = None) -> Any:
    """The tensor of an array; nothing else will do."""
    if arg is None:
        return arg
    if not isinstance(arg, ndarray):
        raise TypeError(f"'{parm.name}' must be an array")
    return arg.tensor


def normalize_outarray(arg: Any, parm: Any = None) -> Any:
    """The array that a result is to be put into."""
    if arg is None:
        return arg
    if isinstance(arg, torch.Tensor):
        arg = ndarray(arg)
    if not isinstance(arg, ndarray):
        raise TypeError(f"'{parm.name}' must be an array")
    return arg


def normalize_casting(arg: Any, parm: Any = None) -> Any:
    """One of numpy's rules of casting."""
    if arg not in _CASTINGS:
        raise ValueError(
            f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got '{arg}')"
        )
    return arg


normalizers: dict[str, Callable[[Any, Any], Any]] = {
    "ArrayLike": normalize_array_like,
    "ArrayLikeOrScalar": normalize_array_like_or_scalar,
    "ArrayLike | None": normalize_optional_array_like,
    "ArrayLikeOrScalar | None": normalize_optional_array_like_or_scalar,
    "Sequence[ArrayLike]": normalize_seq_array_like,
    "NDArray": normalize_ndarray,
    "DTypeLike | None": normalize_dtype,
    "AxisLike": normalize_axis_like,
    "NotImplementedType": normalize_not_implemented,
    "OutArray | None": normalize_outarray,
    "CastingModes | None": normalize_casting,
}


def maybe_copy_to(out: Any, result: Any, promote_scalar_result: bool = False) -> Any:
    """Put the result into the array that was handed in for it."""
    if out is None:
        return result
    if isinstance(result, torch.Tensor):
        if result.shape != out.tensor.shape:
            fits = result.numel() == 1 and out.ndim == 0
            if promote_scalar_result and fits:
                result = result.squeeze()
            else:
                raise ValueError(
                    f"Bad size of the out array: out.shape = {out.shape}"
                    f" while result.shape = {result.shape}."
                )
        out.tensor.copy_(result)
        return out
    if isinstance(result, (tuple, list)):
        return type(result)(
            maybe_copy_to(one, value, promote_scalar_result)
            for one, value in zip(out, result, strict=True)
        )
    return result


def wrap_tensors(result: Any) -> Any:
    """Arrays in the place of tensors."""
    if isinstance(result, torch.Tensor):
        return ndarray(result)
    if isinstance(result, (tuple, list)):
        return type(result)(wrap_tensors(value) for value in result)
    return result


def array_or_scalar(values: Any, py_type: Any = float, return_scalar: bool = False) -> Any:
    """The values as an array, or as the one Python number that they are."""
    if return_scalar:
        return py_type(values.item())
    return ndarray(values)


def normalizer(_func: Any = None, *, promote_scalar_result: bool = False) -> Any:
    """Let a function on tensors take and return arrays, as its annotations say."""

    def decorate(func: Callable[..., Any]) -> Any:
        parameters = inspect.signature(func).parameters
        positional = [
            (parm, normalizers.get(_written(parm)))
            for parm in parameters.values()
            if parm.kind in (parm.POSITIONAL_ONLY, parm.POSITIONAL_OR_KEYWORD)
        ]
        rest = next(
            (
                normalizers.get(_written(p))
                for p in parameters.values()
                if p.kind is p.VAR_POSITIONAL
            ),
            None,
        )
        variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters.values())
        out_place = next((i for i, (p, _) in enumerate(positional) if p.name == "out"), None)

        @wraps(func)
        def wrapped(*args: Any, **kwds: Any) -> Any:
            made: list[Any] = [
                convert(value, parm) if convert else value
                for value, (parm, convert) in zip(args, positional, strict=False)
            ]
            more = args[len(positional) :]
            if more and variadic:
                made += [rest(value, None) if rest else value for value in more]
            elif more:
                raise TypeError(f"{func.__name__}() takes {len(positional)} positional arguments.")
            named = {}
            for name, value in kwds.items():
                known = parameters.get(name)
                convert = normalizers.get(_written(known)) if known is not None else None
                named[name] = convert(value, known) if convert else value
            result = func(*made, **named)
            out = named.get("out")
            if out is None and out_place is not None and out_place < len(args):
                out = made[out_place]
            return wrap_tensors(maybe_copy_to(out, result, promote_scalar_result))

        return wrapped

    return decorate if _func is None else decorate(_func)


def _written(parm: inspect.Parameter) -> str:
    """The annotation as it is written."""
    return parm.annotation if isinstance(parm.annotation, str) else ""
