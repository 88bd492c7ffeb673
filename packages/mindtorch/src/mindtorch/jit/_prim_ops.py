"""Operators of scripts on numbers, strings, lists and dicts, which need no tensor.

In a script's source all of them stand under ``torch``, beside the operators on tensors:
``torch.add`` adds numbers, joins lists and strings. ``OPS`` has them by name, ``PRIM`` those of
``ops.prim``.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, register_special_ops.cpp.
"""

from __future__ import annotations

import cmath
import math
import operator
import warnings
from collections.abc import Callable
from enum import Enum
from typing import Any

from mindtorch_autograd import is_grad_enabled

from ..amp import switches
from ..aten import torch
from ..aten.function_mode_points import set_grad_enabled
from ..core.constants import LAYOUTS
from ..core.dtype_codes import code_of, dtype_of
from ..tensor import Tensor
from ._async import _wait
from ._text import formatted, percent_formatted, text

__all__ = ["OPS", "PRIM"]

Op = Callable[..., Any]


# -- numbers ---------------------------------------------------------------------------------------


def _of_number(name: str) -> Op:
    """A function of one number, real or complex, by its name in ``math`` and ``cmath``."""
    real, complex_ = getattr(math, name), getattr(cmath, name, None)

    def op(x: Any, *more: Any) -> Any:
        if isinstance(x, complex) and complex_ is not None:
            return complex_(x, *more)
        try:
            return real(x, *more)
        except OverflowError:
            return math.inf
        except ValueError:  # C's functions give NaN, or the infinity of a pole
            return -math.inf if name.startswith("log") and x == 0 else math.nan

    return op


def _power(x: Any, y: Any) -> Any:
    if isinstance(x, complex) or isinstance(y, complex):
        return complex(x) ** complex(y)
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.inf if x == 0 else math.nan


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, Enum) and isinstance(b, Enum):
        # The caller's class and the archive's are two.
        return type(a).__name__ == type(b).__name__ and a.name == b.name
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return bool(torch.eq(a, b).all())
    return bool(a == b)


def _divided(a: Any, b: Any) -> Any:
    if not isinstance(a, complex) and not isinstance(b, complex) and not b:
        if isinstance(a, int) and isinstance(b, int):
            raise RuntimeError("division by zero")
        return math.nan if not a or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value


NUMBERS: dict[str, Op] = {
    **{
        name: _of_number(name)
        for name in (
            "acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp expm1 log10 log1p "
            "erf erfc lgamma gamma degrees radians fabs factorial"
        ).split()
        if hasattr(math, name)
    },
    "log": _of_number("log"),
    "sqrt": _of_number("sqrt"),
    "gamma": _of_number("gamma"),
    "atan2": math.atan2, "copysign": math.copysign, "gcd": math.gcd, "ldexp": math.ldexp,
    "fmod": math.fmod, "frexp": math.frexp, "modf": math.modf, "divmod": divmod,
    "angle": lambda x: cmath.phase(x), "polar": cmath.rect,
    "floor": math.floor, "ceil": math.ceil, "round": lambda x: float(round(x)),
    "isnan": cmath.isnan, "isinf": cmath.isinf, "isfinite": cmath.isfinite,
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": _divided,
    "neg": operator.neg, "floordiv": operator.floordiv, "remainder": operator.mod,
    "mathremainder": math.remainder, "pow": _power,
    "__round_to_zero_floordiv": lambda a, b: int(a / b),
    "__and__": operator.and_, "__or__": operator.or_, "__xor__": operator.xor,
    "__lshift__": operator.lshift, "__rshift__": operator.rshift, "__not__": operator.not_,
    "eq": _equal, "ne": lambda a, b: not _equal(a, b),
    "lt": operator.lt, "gt": operator.gt, "le": operator.le, "ge": operator.ge,
    "__is__": lambda a, b: a is b, "__isnot__": lambda a, b: a is not b,
    "Int": lambda x: int(_item(x)), "Float": lambda x: float(_item(x)),
    "Bool": lambda x: bool(_item(x)), "Complex": lambda *x: complex(*map(_item, x)),
    "IntImplicit": lambda x: int(_item(x)), "FloatImplicit": lambda x: float(_item(x)),
    "ComplexImplicit": lambda x: complex(_item(x)), "ScalarImplicit": _item,
    "bin": bin, "hex": hex, "oct": oct, "ord": ord, "chr": chr, "hash": hash,
}  # fmt: skip


# -- strings ---------------------------------------------------------------------------------------

STRINGS: dict[str, Op] = {
    **{
        name: getattr(str, name)
        for name in (
            "capitalize center count endswith expandtabs find isalnum isalpha isdecimal isdigit "
            "isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower "
            "lstrip partition replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
            "startswith strip swapcase title upper zfill"
        ).split()
    },
    "str": text,
    "format": formatted,
    "percentFormat": percent_formatted,
}


def _ends(name: str) -> Op:
    """A search of a string whose end -1, the default, is that of the string."""
    search = getattr(str, name)

    def op(self: str, part: str, start: int = 0, end: int = -1) -> Any:
        return search(self, part, start, len(self) if end == -1 else end)

    return op


STRINGS.update({name: _ends(name) for name in "find rfind rindex startswith endswith".split()})


# -- lists and dicts -------------------------------------------------------------------------------


def _at(container: Any, key: Any) -> Any:
    return container[key]


def _set_item(container: Any, key: Any, value: Any) -> Any:
    container[key] = value
    return container


def _delete(container: Any, key: Any) -> None:
    del container[key]


def _changing(name: str) -> Op:
    """A method that changes a list or dict, which is the result."""

    def op(self: Any, *args: Any) -> Any:
        getattr(self, name)(*args)
        return self

    return op


def _index(container: Any, value: Any, *ends: Any) -> int:
    if isinstance(container, str):
        return container.index(value, *ends)
    for i, each in enumerate(container):
        if _equal(each, value):
            return i
    raise RuntimeError(f"'{text(value)}' is not in list")


def _count(container: Any, value: Any, start: int = 0, end: int = -1) -> int:
    if isinstance(container, str):
        return container.count(value, start, len(container) if end == -1 else end)
    return sum(_equal(each, value) for each in container)


def _remove(container: list[Any], value: Any) -> None:
    for i, each in enumerate(container):
        if _equal(each, value):
            del container[i]
            return
    raise RuntimeError("list.remove(x): x not in list")


def _pop(container: Any, *args: Any) -> Any:
    if isinstance(container, list) and not container:
        raise RuntimeError("pop from empty list")
    return container.pop(*args)


def _sort(container: list[Any], reverse: bool = False) -> None:
    container.sort(reverse=reverse)


def _slice(self: Any, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    return self[start:end:step]


def _contains(container: Any, value: Any) -> bool:
    if isinstance(container, list):
        return any(_equal(each, value) for each in container)
    return value in container


def _split(self: str, separator: str | None = None, most: int = -1) -> list[str]:
    return self.split(separator, most)


CONTAINERS: dict[str, Op] = {
    "len": len, "list": list, "dict": dict, "slice": _slice, "select": _at, "__getitem__": _at,
    "_set_item": _set_item, "Delete": _delete, "__contains__": _contains,
    "append": _changing("append"), "insert": _changing("insert"), "extend": _changing("extend"),
    "reverse": _changing("reverse"), "clear": _changing("clear"), "update": _changing("update"),
    "add_": _changing("extend"), "mul_": operator.imul, "sort": _sort, "sorted": sorted,
    "pop": _pop, "popitem": dict.popitem, "remove": _remove, "index": _index, "count": _count,
    "copy": lambda c: c.copy(), "get": dict.get, "setdefault": dict.setdefault,
    "keys": lambda d: list(d), "values": lambda d: list(d.values()),
    "items": lambda d: list(d.items()), "split": _split, "sum": sum, "any": any, "all": all,
    "__range_length": lambda low, high, step: len(range(low, high, step)),
    "__derive_index": lambda index, start, step: start + index * step,
}  # fmt: skip


# -- what a script asks of torch -------------------------------------------------------------------


def _tensor(
    data: Any, dtype: int | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    kind = None if dtype is None else dtype_of(dtype)
    made: Tensor = torch.tensor(data, dtype=kind, device=device, requires_grad=requires_grad)
    return made


def _as_tensor(data: Any, dtype: int | None = None, device: Any = None) -> Tensor:
    kind = None if dtype is None else dtype_of(dtype)
    made: Tensor = torch.as_tensor(data, dtype=kind, device=device)
    return made


def _to(
    self: Tensor, where: Any = None, dtype: Any = None, non_blocking: bool = False,
    copy: bool = False,
) -> Tensor:  # fmt: skip
    """``aten::to.prim_Device``, ``prim_dtype`` and ``prim_other``, by what the second is."""
    if isinstance(where, (int, Tensor)) or isinstance(dtype, bool):
        non_blocking, copy = bool(dtype), non_blocking
        where = dtype_of(where) if isinstance(where, int) else where
        return self if where is None else self.to(where, non_blocking=non_blocking, copy=copy)
    kind = None if dtype is None else dtype_of(dtype)
    return self.to(device=where, dtype=kind, non_blocking=non_blocking, copy=copy)


def _warn(message: str, stacklevel: int = 2) -> None:
    warnings.warn(message, stacklevel=4)


def _unwrapped(value: Any) -> Any:
    if value is None:
        raise RuntimeError("Unwrapping null optional")
    return value


TORCH: dict[str, Op] = {
    "tensor": _tensor, "as_tensor": _as_tensor, "to": _to, "device": torch.device,
    "wait": _wait, "warn": _warn, "is_grad_enabled": is_grad_enabled,
    "set_grad_enabled": set_grad_enabled,
    "is_scripting": lambda: True, "has_torch_function": lambda *values: False,
    "_get_tracing_state": lambda: False, "_unwrap_optional": _unwrapped,
    "is_autocast_enabled": switches.is_autocast_enabled,
    "is_autocast_cpu_enabled": vars(switches)["is_autocast_cpu_enabled"],
    "get_autocast_dtype": lambda kind: code_of(switches.get_autocast_dtype(kind)),
    "manual_seed": lambda seed: torch.manual_seed(seed),
    "promote_types": lambda a, b: code_of(torch.promote_types(dtype_of(a), dtype_of(b))),
    "can_cast": lambda a, b: torch.can_cast(dtype_of(a), dtype_of(b)),
}  # fmt: skip

#: By name. A name that stands in two groups serves both: Python's operators and methods do, too.
OPS: dict[str, Op] = {**STRINGS, **CONTAINERS, **NUMBERS, **TORCH}


# -- ops.prim --------------------------------------------------------------------------------------


def _fact(name: str) -> Op:
    return lambda value: getattr(value, name)


PRIM: dict[str, Op] = {
    **{
        name: _fact(name)
        for name in (
            "data device grad index is_cpu is_cuda is_ipu is_maia is_meta is_mkldnn is_mps is_mtia "
            "is_nested is_quantized is_sparse is_sparse_csr is_vulkan is_xla is_xpu itemsize "
            "name nbytes requires_grad type H T mH mT shape ndim names"
        ).split()
    },
    "dtype": lambda t: code_of(t.dtype),
    "layout": lambda t: LAYOUTS.index(t.layout),
    "abs": abs, "min": min, "max": max, "id": id,
    "NumToTensor": lambda x: torch.tensor(x), "tolist": lambda t, *kind: t.tolist(),
    "unchecked_unwrap_optional": lambda value: value, "unchecked_cast": lambda value: value,
    "EnumName": _fact("name"), "EnumValue": _fact("value"),
    "rangelist": lambda n: list(range(n)), "TupleIndex": _at, "StringIndex": _at,
    "TupleUnpack": lambda value: value, "IfThenElse": lambda test, a, b: a if test else b,
    "ModuleContainerIndex": _at, "awaitable_wait": lambda await_: await_.wait(),
    "Print": lambda *values: print(*map(text, values)),
}  # fmt: skip
