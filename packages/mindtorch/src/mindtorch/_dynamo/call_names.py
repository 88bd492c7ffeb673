"""What a call of the API is called in a graph: an operator, a method or a function.

A recorder is handed functions; ``x * y`` and ``x.mul(y)`` are the same one. Which of the two a
program wrote stands in the instruction that its frame is at.
"""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable, Iterator
from functools import cache
from opcode import opname
from types import FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from .._C import _nn
from .._C._autograd import _get_data_attr
from .._library.overridable import device_constructors, get_overridable_functions
from .._ops import OpOverload, OpOverloadPacket
from ..aten import torch
from ..call.points import points
from ..core.frames import is_ourselves
from ..nn import init
from ..tensor import Tensor

__all__ = ["FACTS", "Call", "call_of", "name_of", "users_frame"]


class Call(NamedTuple):
    """One call as a node has it."""

    op: str
    target: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


#: What a tensor without numbers knows of itself.
FACTS = frozenset(
    "__len__ device dim dim_order dtype element_size get_device is_complex is_conj is_contiguous "
    "is_cpu is_cuda is_distributed is_floating_point is_inference is_ipu is_leaf is_maia is_meta "
    "is_mkldnn is_mps is_mtia is_neg is_nested is_npu is_quantized is_same_size is_signed "
    "is_sparse is_sparse_csr is_vulkan is_xla is_xpu itemsize layout name nbytes ndim ndimension "
    "nelement numel requires_grad shape size stride".split()
)
#: Methods that are no ops, and yet are nothing but ops.
_METHODS = frozenset(
    "__getitem__ __setitem__ bfloat16 bool byte cdouble cfloat chalf char contiguous cpu double "
    "float half int istft long lu new_tensor norm short split stft to type type_as "
    "unflatten".split()
)
#: Functions that draw or look at tensors, and which ``__torch_function__`` cannot override.
_FIXED = "as_strided normal promote_types rand_like randint_like randn_like vander".split()
#: Functions of ``nn.init`` that ``__torch_function__`` overrides, though torch does not list them.
_INITS = (init.constant_, init.kaiming_uniform_, init.normal_, init.uniform_)
#: Properties that are ops.
_PROPERTIES = frozenset(("H", "T", "imag", "mH", "mT", "real"))
#: Ops and functions that change what a tensor is, or need its memory.
_NEVER = frozenset(
    "_is_view align_to as_strided_ as_strided_scatter_ detach_ from_file from_numpy frombuffer "
    "is_nonzero is_pinned is_set_to pin_memory rename rename_ requires_grad_ resize_ resize_as_ "
    "resize_as_sparse_ set_ share_memory_ swapaxes_ swapdims_ squeeze_ sparse_resize_ t_ "
    "transpose_ unsqueeze_ sparse_coo_tensor _make_subclass _make_wrapper_subclass".split()
)
#: Ops whose results have other sizes or strides than those of the fakes, which follow torch's.
_UNLIKE = frozenset(
    "native_batch_norm nonzero_static pixel_unshuffle rrelu rrelu_ rrelu_with_noise".split()
)
#: What stands in the names of functions whose results are not laid out in strides.
_UNSTRIDED = ("sparse", "mkldnn", "quantize", "nested", "_csr", "_csc", "_bsr", "_bsc")
_OPERATORS: dict[str, Any] = {
    "__and__": operator.and_, "__or__": operator.or_, "__xor__": operator.xor,
    "__lshift__": operator.lshift, "__rshift__": operator.rshift, "__iand__": operator.iand,
    "__ior__": operator.ior, "__ixor__": operator.ixor, "__ilshift__": operator.ilshift,
    "__irshift__": operator.irshift, "__eq__": operator.eq, "__ne__": operator.ne,
    "__pow__": operator.pow, "__ipow__": operator.ipow, "__mod__": operator.mod,
    "__floordiv__": operator.floordiv, "__truediv__": operator.truediv, "__add__": operator.add,
    "__sub__": operator.sub, "__mul__": operator.mul, "__matmul__": operator.matmul,
    "__neg__": operator.neg, "__pos__": operator.pos, "__abs__": operator.abs,
    "__invert__": operator.invert, "__getitem__": operator.getitem,
    "__setitem__": operator.setitem, "__gt__": operator.gt, "__lt__": operator.lt,
    "__ge__": operator.ge, "__le__": operator.le,
}  # fmt: skip
#: Operators whose operands come the other way round.
_REFLECTED: dict[str, Any] = {
    "__radd__": operator.add, "__rsub__": operator.sub, "__rmul__": operator.mul,
    "__rdiv__": operator.truediv, "__rtruediv__": operator.truediv,
    "__rfloordiv__": operator.floordiv, "__rpow__": operator.pow, "__rmod__": operator.mod,
    "__rmatmul__": operator.matmul, "__rand__": operator.and_, "__ror__": operator.or_,
    "__rxor__": operator.xor, "__rlshift__": operator.lshift, "__rrshift__": operator.rshift,
}  # fmt: skip
#: Methods that an operator comes to.
_WRITTEN: dict[str, Any] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "true_divide": operator.truediv, "floor_divide": operator.floordiv,
    "remainder": operator.mod, "pow": operator.pow, "matmul": operator.matmul,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
    "bitwise_left_shift": operator.lshift, "bitwise_right_shift": operator.rshift,
    "neg": operator.neg, "positive": operator.pos, "bitwise_not": operator.invert,
    "gt": operator.gt, "lt": operator.lt, "ge": operator.ge, "le": operator.le,
    "eq": operator.eq, "ne": operator.ne, "add_": operator.iadd, "sub_": operator.isub,
    "mul_": operator.imul, "div_": operator.itruediv, "floor_divide_": operator.ifloordiv,
    "remainder_": operator.imod, "pow_": operator.ipow, "bitwise_and_": operator.iand,
    "bitwise_or_": operator.ior, "bitwise_xor_": operator.ixor,
}  # fmt: skip
_INSTRUCTIONS = ("BINARY_OP", "COMPARE_OP", "UNARY_")
#: The modules between a program and a recorder that count as Python of torch's.
_BETWEEN = (f"{__name__.rpartition('.')[0]}.", f"{__name__.partition('.')[0]}.call.")


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def users_frame() -> FrameType | None:
    """The innermost frame that is not the library's own machinery."""
    for frame in _frames():
        name = frame.f_globals.get("__name__", "")
        if not name.startswith(_BETWEEN) and not is_ourselves(name):
            return frame
    return None


def _written_as_operator() -> bool:
    frame = users_frame()
    if frame is None or frame.f_lasti < 0:
        return False
    return opname[frame.f_code.co_code[frame.f_lasti]].startswith(_INSTRUCTIONS)


@cache
def _properties() -> dict[Any, str]:
    """The names of properties."""
    return {value: name for name, value in points() if isinstance(value, property)}


@cache
def _operator_methods() -> dict[Any, str]:
    """The names of the methods of operators: some are called after what they compute."""
    names = (*_OPERATORS, *_REFLECTED)
    return {getattr(Tensor, name): name for name in names if hasattr(Tensor, name)}


@cache
def _plain_methods() -> frozenset[str]:
    """The methods that are no ops."""
    return frozenset(name for name, _ in points())


@cache
def _functions() -> frozenset[Callable[..., Any]]:
    """The functions of torch's namespaces that are made of ops."""
    spaces = get_overridable_functions()
    found = {f for space, fs in spaces.items() if isinstance(space, ModuleType) for f in fs}
    found |= device_constructors() | {getattr(torch, name) for name in _FIXED}
    return frozenset({*found, *_INITS, *filter(callable, vars(_nn).values())})


def name_of(func: Any) -> str:
    """What *func* is called: of what reads a property, that property's name."""
    owner = getattr(func, "__self__", None)
    if isinstance(owner, property):
        return _properties().get(owner, "") if func.__name__ == "__get__" else ""
    return getattr(func, "__name__", "")


def call_of(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call | None:
    """The node for ``func(*args, **kwargs)``; None for what a graph cannot have."""
    name = name_of(func)
    if name in _UNLIKE or any(part in name for part in _UNSTRIDED):
        return None
    if isinstance(func, (OpOverload, OpOverloadPacket)):
        return Call("call_function", func, args, kwargs)
    if type(func) is FunctionType and func in _operator_methods():
        return _method(_operator_methods()[func], args, kwargs)
    if isinstance(getattr(func, "__self__", None), property):
        if name == "data":
            return Call("call_function", _get_data_attr, args, {})
        if name not in _PROPERTIES:
            return None
        return Call("call_function", builtins.getattr, (args[0], name), {})
    if name in _NEVER:
        return None
    if getattr(Tensor, name, None) is func:
        return _method(name, args, kwargs)
    try:
        known = func in _functions()
    except TypeError:  # it has no hash
        return None
    return Call("call_function", func, args, kwargs) if known else None


def _method(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call | None:
    if not kwargs and name in _OPERATORS:
        return Call("call_function", _OPERATORS[name], args, {})
    if not kwargs and name in _REFLECTED:
        return Call("call_function", _REFLECTED[name], args[::-1], {})
    if name.startswith("__") or name in _plain_methods() and name not in _METHODS:
        return None
    if not kwargs and name in _WRITTEN and _written_as_operator():
        return Call("call_function", _WRITTEN[name], args, {})
    return Call("call_method", name, args, kwargs)
