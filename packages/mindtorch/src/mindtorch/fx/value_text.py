"""How the values in a graph are written in its source: arguments, types, names of globals."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Iterable
from typing import Any

import mindtorch_storage as st

from .._ops import OpOverload
from ..aten import torch
from ..tensor import Tensor
from ..utils import _pytree as pytree
from . import _pytree as fx_pytree
from .namespace import _Namespace, _register_custom_builtin
from .node import Node, _get_qualified_name, _type_repr
from .tensor_text import paint

__all__ = ["ValueWriter"]

_register_custom_builtin("torch", "import torch", torch)
_register_custom_builtin("device", "from torch import device", st.Device)
_register_custom_builtin("fx_pytree", "import torch.fx._pytree as fx_pytree", fx_pytree)
_register_custom_builtin("pytree", "import torch.utils._pytree as pytree", pytree)


def _is_from_torch(obj: Any) -> bool:
    """Whether torch's namespace has the object."""
    module = getattr(obj, "__module__", None)
    if isinstance(module, str):
        base, _, rest = module.partition(".")
        if base in ("torch", "mindtorch"):
            return not rest.startswith(("_dynamo", "_inductor"))
    return False


def _format_target(base: str, target: str) -> str:
    """The expression for an attribute of an attribute of *base*."""
    text = base
    for part in target.split("."):
        text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
    return text


class ValueWriter:
    """What the source of one graph needs: its globals, and values as expressions."""

    def __init__(self, namespace: _Namespace, options: dict[str, Any]) -> None:
        self.namespace = namespace
        self.globals: dict[str, Any] = {}
        self.wrapped: dict[str, None] = {}
        self.colored: bool = options["colored"]
        self.verbose: bool = (
            options["verbose"] or options["include_stride"] or (options["include_device"])
        )
        self.options = options

    def add_global(self, hint: str, obj: Any) -> str:
        """The name under which the source finds *obj*."""
        if _is_from_torch(obj) and obj is not st.Device:
            qualified = _get_qualified_name(obj)
            if not qualified.startswith("torch.Tensor."):  # methods of a class are not found so
                return qualified
        name = self.namespace.create_name(hint, obj)
        if name in self.globals:
            assert self.globals[name] == obj or self.globals[name] is obj
            return name
        self.globals[name] = obj
        return name

    def type_text(self, o: Any) -> str:
        """A type as an expression, with the globals that it needs."""
        if isinstance(o, tuple) and not o:
            return "()"
        text = _type_repr(o)
        if isinstance(o, types.UnionType):
            return "|".join(self.type_text(a) for a in o.__args__)
        origin = getattr(o, "__origin__", None)
        if origin is not None:
            home = _OLDER.get(origin, origin) if isinstance(o, _OLDER_ALIAS) else origin
            shown = self.add_global(_type_repr(home), home)
            args = getattr(o, "__args__", None)
            if args:
                return f"{shown}[{','.join(self.type_text(a) for a in args)}]"
            return shown
        return self.add_global(text, o)

    def text(self, value: Any) -> str:
        """A value as an expression."""
        if isinstance(value, Node):
            return repr(value)
        if isinstance(value, tuple):
            if hasattr(value, "_fields"):
                name = self.add_global(_get_qualified_name(type(value)), type(value))
                return f"{name}{tuple(value)!r}"
            items = ", ".join(self.text(v) for v in value)
            return f"({items},)" if len(value) == 1 else f"({items})"
        if isinstance(value, OpOverload):
            return self.add_global(_get_qualified_name(value), value)
        if isinstance(value, enum.Enum):
            return f"{self.add_global(type(value).__name__, type(value))}.{value.name}"
        if isinstance(value, Tensor):
            return f"torch.Tensor(size={list(value.shape)}, dtype={_dtype_name(value)})"
        if isinstance(value, slice):
            parts = map(self.text, (value.start, value.stop, value.step))
            return f"slice({', '.join(parts)})"
        if isinstance(value, list):
            return f"[{', '.join(self.text(v) for v in value)}]"
        return paint("blue", _torch_repr(value), self.colored)

    def call(self, args: Iterable[Any], kwargs: dict[str, Any]) -> str:
        """Arguments of a call."""
        parts = [self.text(a) for a in args]
        parts += [f"{k} = {self.text(v)}" for k, v in kwargs.items()]
        return ", ".join(parts)


#: What ``typing`` calls classes that have parameters of their own by now.
_OLDER: dict[Any, Any] = {
    kind: getattr(typing, name)
    for kind, name in (
        (list, "List"), (dict, "Dict"), (set, "Set"), (frozenset, "FrozenSet"), (tuple, "Tuple"),
    )
}  # fmt: skip
_OLDER_ALIAS: Any = typing._GenericAlias  # type: ignore[attr-defined]  # it has no public name


def _torch_repr(value: Any) -> str:
    text = repr(value)
    return text.replace("mindtorch.tensor.", "torch.").replace("mindtorch", "torch")


def _dtype_name(value: Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")
