"""Operators of what are methods here: changes of the memory under a tensor, and questions.

A method does its work without the dispatcher. Where a mode or a subclass looks at operators it
calls the operator of its name in place of it, whose kernels come back to the same function.

``QUESTIONS`` are operators that torch has for its interpreter alone: they have schemas and can be
called, a tensor with a policy of its own is asked through them, but no dispatch key knows them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import Registry, redispatch, registry
from mindtorch_storage.layout import is_channels_last, is_non_overlapping_and_dense

from ..core.constants import channels_last, channels_last_3d
from ..core.functionality_keys import BELOW_ADINPLACEORVIEW, BELOW_AUTOGRAD
from ..core.missing_backends import built_layout
from ..tensor.policies import lies_so
from .checked_numbers import check_range, check_range_of_size, check_truth
from .options import OPTIONS

__all__ = ["QUESTIONS", "asks_for_layout", "is_method", "register_methods"]

Boxed = Callable[[Any, Any, tuple[Any, ...], dict[str, Any]], Any]


def _kernel(run: Callable[..., Any]) -> Boxed:
    def kernel(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return run(*args, **kwargs)

    return kernel


def _autograd(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Nothing is recorded: what gradients forbid the function says itself."""
    return redispatch(op, keyset.mask & BELOW_AUTOGRAD, *args, **kwargs)


def _inplace_or_view(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function counts its change itself."""
    return redispatch(op, keyset.mask & BELOW_ADINPLACEORVIEW, *args, **kwargs)


class _Method:
    """The schema and kernels of one operator."""

    __slots__ = ("_keys", "_run", "schema_text")

    def __init__(self, schema: str, keys: tuple[K, ...], run: Callable[..., Any]) -> None:
        self.schema_text = f"aten::{schema}" if "::" not in schema else schema
        self._keys, self._run = keys, run

    def kernels(self) -> list[tuple[K, Boxed]]:
        """Keys and kernels."""
        special = {K.Autograd: _autograd, K.ADInplaceOrView: _inplace_or_view}
        return [(key, special.get(key) or _kernel(self._run)) for key in self._keys]


_EXPLICIT = (K.CompositeExplicitAutograd, K.Autograd)
_IMPLICIT = (K.CompositeImplicitAutograd,)
#: A class that answers for itself is asked by the method, as any other tensor is.
_ANSWERED = (*_IMPLICIT, K.Python, K.PythonTLSSnapshot)
_RANGE = (K.CompositeExplicitAutograd, K.Meta, K.Autograd)


def _method(name: str) -> Callable[..., Any]:
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, name)(*args, **kwargs)

    return run


def _getter(name: str) -> Callable[..., Any]:
    return lambda self: getattr(self, name)


def _set_data(self: Any, new_data: Any) -> None:
    self.data = new_data


_COPY = "bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"


def _to_dtype(self: Any, dtype: Any, *rest: Any) -> Any:
    return self._to_(None, dtype, *rest)


def _to_other(self: Any, other: Any, *rest: Any) -> Any:
    return self._to_(other.device, other.dtype, *rest)


def _to_options(
    self: Any, device: Any = None, dtype: Any = None, layout: Any = None, **more: Any
) -> Any:
    built_layout(layout)
    more.pop("pin_memory", None)
    return self._to_(device, dtype, **more)


def _bounded(check: Callable[..., None]) -> Callable[..., None]:
    def run(size: Any, *, min: int | None = None, max: int | None = None) -> None:
        check(size, min, max)

    return run


def _absent() -> bool:
    """Whether a library is there that torch may be built with, and this is not."""
    return False


_OPS: tuple[tuple[str, tuple[K, ...], Callable[..., Any]], ...] = (
    ("is_pinned(Tensor self, Device? device=None) -> bool", _EXPLICIT, _method("is_pinned")),
    ("record_stream(Tensor(a!) self, Stream s) -> ()", _EXPLICIT, _method("record_stream")),
    ("data(Tensor self) -> Tensor", _IMPLICIT, _getter("data")),
    ("set_data(Tensor(a!) self, Tensor new_data) -> ()", _IMPLICIT, _set_data),
    ("requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)",
     _IMPLICIT, _method("requires_grad_")),
    ("retain_grad(Tensor(a!) self) -> ()", _IMPLICIT, _method("retain_grad")),
    ("is_leaf(Tensor self) -> bool", _IMPLICIT, _getter("is_leaf")),
    ("output_nr(Tensor self) -> int", _IMPLICIT, _getter("output_nr")),
    ("_version(Tensor self) -> int", _IMPLICIT, _getter("_version")),
    ("item(Tensor self) -> Scalar", _IMPLICIT, _method("item")),
    ("size.int(Tensor self, int dim) -> int", _IMPLICIT, _method("size")),
    ("stride.int(Tensor self, int dim) -> int", _IMPLICIT, _method("stride")),
    ("sym_size.int(Tensor self, int dim) -> SymInt", _IMPLICIT, _method("size")),
    ("sym_stride.int(Tensor self, int dim) -> SymInt", _IMPLICIT, _method("stride")),
    ("sym_numel(Tensor self) -> SymInt", _IMPLICIT, _method("numel")),
    ("sym_storage_offset(Tensor self) -> SymInt", _IMPLICIT, _method("storage_offset")),
    (f"to.device(Tensor(a) self, Device device, ScalarType dtype, {_COPY}",
     _IMPLICIT, _method("_to_")),
    (f"to.dtype(Tensor(a) self, ScalarType dtype, {_COPY}", _IMPLICIT, _to_dtype),
    (f"to.other(Tensor(a) self, Tensor other, {_COPY}", _IMPLICIT, _to_other),
    (f"to.dtype_layout(Tensor(a) self, *, {OPTIONS}, {_COPY}", _IMPLICIT, _to_options),
    ("_assert_scalar(Scalar self, str assert_msg) -> ()", _EXPLICIT, check_truth),
    ("sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()",
     _RANGE, _bounded(check_range)),
    ("sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()",
     _RANGE, _bounded(check_range_of_size)),
    ("_print(str s) -> ()", _RANGE, print),
    ("is_vulkan_available() -> bool", _IMPLICIT, _absent),
    ("_nnpack_available() -> bool", _IMPLICIT, _absent),
    ("_use_cudnn_rnn_flatten_weight() -> bool", _IMPLICIT, _absent),
)  # fmt: skip


def _listed(name: str) -> Callable[..., Any]:
    return lambda self: list(getattr(self, name)())


def _is_strides_like_format(self: Any, memory_format: Any) -> bool:
    dims = {channels_last: 4, channels_last_3d: 5}.get(memory_format)
    return self.dim() == dims and is_channels_last(self.shape, self.stride())


def _is_dense(self: Any) -> bool:
    return is_non_overlapping_and_dense(self.shape, self.stride())


_QUESTIONS: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("dim(Tensor self) -> int", _method("dim")),
    ("size(Tensor self) -> int[]", _listed("size")),
    ("stride(Tensor self) -> int[]", _listed("stride")),
    ("storage_offset(Tensor self) -> int", _method("storage_offset")),
    ("sym_size(Tensor self) -> SymInt[]", _listed("size")),
    ("sym_stride(Tensor self) -> SymInt[]", _listed("stride")),
    ("is_contiguous(Tensor self) -> bool", _method("is_contiguous")),
    ("is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool",
     lambda self, memory_format: self.is_contiguous(memory_format=memory_format)),
    ("is_strides_like_format(Tensor self, MemoryFormat memory_format) -> bool",
     lambda self, memory_format: lies_so(
         self, "aten::is_strides_like_format", _is_strides_like_format, memory_format)),
    ("is_non_overlapping_and_dense(Tensor self) -> bool",
     lambda self: lies_so(self, "aten::is_non_overlapping_and_dense", _is_dense)),
    ("prim::device(Tensor a) -> Device", _getter("device")),
    ("prim::layout(Tensor a) -> Layout", _getter("layout")),
)  # fmt: skip

#: Operators of torch's interpreter that the dispatcher does not know.
QUESTIONS = Registry()
_ASKING = frozenset(
    schema[: schema.index("(")].removeprefix("aten::")
    for schema, _ in _QUESTIONS
    if not schema.endswith("-> Device")
)


def asks_for_layout(name: str) -> bool:
    """Whether the operator *name* asks a tensor how it lies in memory, and computes nothing."""
    return name.removeprefix("aten::") in _ASKING


_NAMES: set[str] = set()


def is_method(name: str) -> bool:
    """Whether the operator *name* is one of these, and so torch's own."""
    return name in _NAMES


def _register(home: Registry, method: _Method) -> None:
    name = method.schema_text[: method.schema_text.index("(")]
    _NAMES.add(name)
    home.register_source(name, method)


def register_methods() -> None:
    """Tell the dispatcher of the operators; nothing is parsed before somebody asks."""
    for schema, keys, run in _OPS:
        _register(registry, _Method(schema, keys, run))
    for schema, run in _QUESTIONS:
        _register(QUESTIONS, _Method(schema, _ANSWERED, run))
