"""Classes whose objects traces pass on without looking into them.

A *reference* stays the object that it is; a *value* equals others and can be written as code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from weakref import WeakKeyDictionary

from ..tensor import Tensor
from ..utils import _pytree as pytree

__all__ = [
    "MemberType", "OpaqueBase", "OpaqueBaseMeta", "get_opaque_obj_repr", "get_opaque_type_name",
    "get_reconstruct_fn", "has_members", "is_opaque_reference_type", "is_opaque_type",
    "is_opaque_value", "is_opaque_value_type", "register_opaque_type", "should_hoist",
]  # fmt: skip


class MemberType(Enum):
    """What a trace does with an attribute or a method of an opaque object."""

    USE_REAL = "use_real"
    INLINED = "inlined"


class OpaqueBaseMeta(type):
    """The metaclass of references; objects of all registered classes are an OpaqueBase."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if cls is OpaqueBase:
            return is_opaque_value(instance)
        return super().__instancecheck__(instance)


class OpaqueBase(metaclass=OpaqueBaseMeta):
    """A base of classes of references."""


@dataclass
class _OpaqueTypeInfo:
    class_name: str
    opaque_typ: str
    guard_fn: Callable[[Any], list[Any]] | None
    members: dict[str, MemberType] = field(default_factory=dict)
    hoist: bool = False
    reconstruct_fn: Callable[..., Any] | None = None


_OPAQUE_TYPES: WeakKeyDictionary[Any, _OpaqueTypeInfo] = WeakKeyDictionary()
_OPAQUE_TYPES_BY_NAME: dict[str, _OpaqueTypeInfo] = {}


def register_opaque_type(
    cls: Any,
    *,
    typ: str,
    hoist: bool = False,
    guard_fn: Callable[[Any], list[Any]] | None = None,
    members: dict[str, MemberType] | None = None,
    reconstruct_fn: Callable[..., Any] | None = None,
) -> None:
    """Let objects of *cls* be arguments of custom operators and inputs of traces.

    :param typ: ``"reference"`` or ``"value"``.
    :param guard_fn: of a reference: what of it must stay the same for a trace to hold.
    :param members: what a trace does with its attributes and methods.
    :raises ValueError: for built-in classes, tensors and classes that trees are made of.
    :raises TypeError: for references without the metaclass, and values that cannot be compared,
        hashed or written as code.
    """
    if cls.__module__ == "builtins" or cls is Tensor:
        raise ValueError(
            f"Unable to register built-in type {cls} as an opaque type. "
            "Please wrap it in a custom class and register the custom class as opaque."
        )
    if cls in pytree.SUPPORTED_NODES:
        raise ValueError(
            f"{cls} cannot be registered as an opaque object as it has been "
            "registered as a pytree. Opaque objects must be pytree leaves."
        )
    if typ != "value" and not isinstance(cls, OpaqueBaseMeta):
        raise TypeError(
            f"Opaque type {cls} must subclass torch._opaque_base.OpaqueBase "
            "or 'metaclass=torch._opaque_base.OpaqueBaseMeta'. "
            "This is required so that FakeScriptObject can be registered "
            "as a virtual subclass, allowing isinstance() checks to work "
            "during torch.compile tracing. "
        )
    if typ not in ("reference", "value"):
        raise AssertionError(f"Opaque type must be either 'reference' or 'value', got {typ!r}")
    if typ == "value":
        _check_value_type(cls, guard_fn)
    name = f"{cls.__module__}.{cls.__qualname__}"
    info = _OpaqueTypeInfo(name, typ, guard_fn, members or {}, hoist, reconstruct_fn)
    _OPAQUE_TYPES[cls] = _OPAQUE_TYPES_BY_NAME[name] = info


def _check_value_type(cls: Any, guard_fn: Any) -> None:
    """Raise TypeError for a class whose objects cannot be compared, hashed or written."""
    of = f"Value-type opaque object of type {cls} is expected to have a"
    plain = not issubclass(cls, Enum)
    if plain and cls.__eq__ is object.__eq__:
        raise TypeError(
            f"{of} non-default `__eq__` implementation as we will use this in torch.compile "
            "to guard on the equality of objects."
        )
    if cls.__hash__ is None:
        raise TypeError(
            f"{of} non-default `__hash__` implementation as we will use this in torch.compile "
            "for FakeTensor caching."
        )
    if plain and not hasattr(cls, "__fx_repr__"):
        raise TypeError(
            f"{of} `__fx_repr__` method implementation as we will use this to reconstruct "
            "the object in the FX codegen. __fx_repr__ should return a tuple of "
            "(repr_string, dict[str, type])."
        )
    if guard_fn is not None:
        raise TypeError(
            f"No need to specify `guard_fn` for value-type opaque class {cls} as it will be "
            "guarded based on `__eq__`."
        )


def _info(cls: Any) -> _OpaqueTypeInfo | None:
    """What was registered of a class, or of the next of its bases."""
    if isinstance(cls, str):
        return _OPAQUE_TYPES_BY_NAME.get(cls)
    if not isinstance(cls, type):
        return None
    return next((_OPAQUE_TYPES[base] for base in cls.__mro__ if base in _OPAQUE_TYPES), None)


def get_opaque_type_name(cls: Any) -> str:
    """The name that schemas have for a registered class. Raises ValueError for others."""
    info = _info(cls)
    if info is None:
        raise ValueError(
            f"Class {cls} is not registered as an opaque type. "
            f"Call register_opaque_type({cls.__name__}) first."
        )
    return info.class_name


def is_opaque_type(cls: Any) -> bool:
    """Whether a class, or the class of a name, is registered."""
    return _info(cls) is not None


def is_opaque_value(value: object) -> bool:
    """Whether an object's class is registered."""
    return is_opaque_type(type(value))


def is_opaque_value_type(cls: Any) -> bool:
    """Whether a class is registered as one of values."""
    info = _info(cls)
    return info is not None and info.opaque_typ == "value"


def is_opaque_reference_type(cls: Any) -> bool:
    """Whether a class is registered as one of references."""
    info = _info(cls)
    return info is not None and info.opaque_typ == "reference"


def should_hoist(cls: Any) -> bool:
    """Whether objects of the class become inputs of the graph."""
    info = _info(cls)
    return info is not None and info.hoist


def has_members(cls: Any) -> bool:
    """Whether it was said what traces do with the members of the class."""
    info = _info(cls)
    return info is not None and bool(info.members)


def get_reconstruct_fn(cls: Any) -> Callable[..., Any] | None:
    """What derives an object of the class from the inputs of a graph."""
    info = _info(cls)
    return None if info is None else info.reconstruct_fn


def get_opaque_obj_repr(obj: Any) -> tuple[str, dict[str, type]]:
    """A value as code, and the globals that it needs. Raises TypeError if it says none."""
    if isinstance(obj, Enum):
        cls = type(obj)
        return f"{cls.__name__}.{obj.name}", {cls.__name__: cls}
    if not hasattr(obj, "__fx_repr__"):
        raise TypeError(
            f"Value-type opaque object of type {obj} is expected to have a `__fx_repr__` method "
            "implementation as we will use this to reconstruct the object in the FX codegen."
        )
    text, names = obj.__fx_repr__()
    return text, names


register_opaque_type(Enum, typ="value")
