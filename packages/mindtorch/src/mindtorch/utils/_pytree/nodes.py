"""Which containers are nodes of a pytree, and how each is taken apart and put together."""

from __future__ import annotations

import dataclasses
import sys
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from threading import Lock
from typing import Any, NamedTuple

from ...core.size import Size
from ...core.warning import warn
from .keys import GetAttrKey, MappingKey, SequenceKey

__all__ = [
    "BUILTIN_TYPES",
    "CONSTANT_NODES",
    "STANDARD_DICT_TYPES",
    "SUPPORTED_NODES",
    "GetAttrKey",
    "MappingKey",
    "NodeDef",
    "SequenceKey",
    "is_constant_class",
    "is_namedtuple",
    "is_namedtuple_class",
    "is_namedtuple_instance",
    "is_structseq",
    "is_structseq_class",
    "is_structseq_instance",
    "register_constant",
    "register_dataclass",
    "register_pytree_node",
]

# The registry -------------------------------------------------------------------------------------


class NodeDef(NamedTuple):
    """How a type of node is taken apart and put together."""

    type: Any
    flatten_fn: Callable[[Any], tuple[list[Any], Any]]
    unflatten_fn: Callable[[Iterable[Any], Any], Any]
    flatten_with_keys_fn: Callable[[Any], tuple[list[tuple[Any, Any]], Any]] | None


class Serialization(NamedTuple):
    """How a type of node is written as JSON."""

    name: str | None
    to_dumpable: Callable[[Any], Any] | None
    from_dumpable: Callable[[Any], Any] | None


SUPPORTED_NODES: dict[Any, NodeDef] = {}
#: Types without children whose instances are part of the structure.
CONSTANT_NODES: set[Any] = set()
SERIALIZATIONS: dict[Any, Serialization] = {}
TYPE_OF_NAME: dict[str, Any] = {}
_lock = Lock()


def register_pytree_node(
    cls: Any,
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Any], Any] | None = None,
    from_dumpable_context: Callable[[Any], Any] | None = None,
    flatten_with_keys_fn: Callable[[Any], tuple[list[tuple[Any, Any]], Any]] | None = None,
) -> None:
    """Make instances of *cls* nodes of pytrees.

    :param flatten_fn: an instance → its children, and what else is needed to make it again.
    :param unflatten_fn: children and that context → an instance.
    :param serialized_type_name: the type's name in JSON.
    :raises ValueError: *cls* is registered already, or only one of the two context functions
        is given.
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _private_register_pytree_node(
        cls,
        flatten_fn,
        unflatten_fn,
        serialized_type_name=serialized_type_name,
        to_dumpable_context=to_dumpable_context,
        from_dumpable_context=from_dumpable_context,
        flatten_with_keys_fn=flatten_with_keys_fn,
    )


def _private_register_pytree_node(
    cls: Any,
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Any], Any] | None = None,
    from_dumpable_context: Callable[[Any], Any] | None = None,
    flatten_with_keys_fn: Callable[[Any], tuple[list[tuple[Any, Any]], Any]] | None = None,
) -> None:
    """:func:`register_pytree_node` that writes over what is there, and warns of it."""
    with _lock:
        if cls in SUPPORTED_NODES:
            warn(
                f"{cls} is already registered as pytree node. Overwriting the previous "
                "registration."
            )
        SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
        if (to_dumpable_context is None) != (from_dumpable_context is None):
            raise ValueError(
                f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or "
                "registered."
            )
        SERIALIZATIONS[cls] = Serialization(
            serialized_type_name, to_dumpable_context, from_dumpable_context
        )
        if serialized_type_name is not None:
            TYPE_OF_NAME[serialized_type_name] = cls


def _register_pytree_node(*args: Any, **kwargs: Any) -> None:
    """:func:`_private_register_pytree_node` by its name of old, which warns."""
    warn(
        "`torch.utils._pytree._register_pytree_node` is deprecated. Please use "
        "`torch.utils._pytree.register_pytree_node` instead.",
        FutureWarning,
    )
    _private_register_pytree_node(*args, **kwargs)


def _deregister_pytree_node(cls: Any) -> None:
    """Make instances of *cls* leaves again."""
    with _lock:
        name = SERIALIZATIONS[cls].name
        del SUPPORTED_NODES[cls], SERIALIZATIONS[cls]
        if name is not None:
            TYPE_OF_NAME.pop(name, None)
        CONSTANT_NODES.discard(cls)


def register_dataclass(
    cls: Any,
    *,
    field_names: list[str] | None = None,
    drop_field_names: list[str] | None = None,
    serialized_type_name: str | None = None,
) -> None:
    """Make instances of a dataclass nodes: their fields that are not None are the children.

    :param field_names: the fields, which must be all that are not in *drop_field_names*. A class
        that is made of these, and is no dataclass, must say them.
    """
    names = _fields(cls, field_names, set(drop_field_names or ()))

    def parts(obj: Any) -> tuple[list[str], list[str]]:
        present = [n for n in names if getattr(obj, n) is not None]
        return present, [n for n in names if getattr(obj, n) is None]

    def flatten(obj: Any) -> tuple[list[Any], Any]:
        present, absent = parts(obj)
        return [getattr(obj, n) for n in present], [present, absent]

    def flatten_with_keys(obj: Any) -> tuple[list[tuple[Any, Any]], Any]:
        present, absent = parts(obj)
        return [(GetAttrKey(n), getattr(obj, n)) for n in present], [present, absent]

    def unflatten(values: Iterable[Any], context: Any) -> Any:
        present, absent = context
        return cls(**dict(zip(present, values, strict=True)), **dict.fromkeys(absent))

    register_pytree_node(
        cls,
        flatten,
        unflatten,
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=flatten_with_keys,
    )


def _fields(cls: Any, names: list[str] | None, dropped: set[str]) -> list[str]:
    """The fields that are children. Raises ValueError where *names* are not those of *cls*."""
    if not dataclasses.is_dataclass(cls):
        if names is None:
            raise ValueError(
                "field_names must be specified with a list of all fields used to initialize "
                f"{cls}, as it is not a dataclass."
            )
        return names
    there = [f.name for f in dataclasses.fields(cls) if f.init]
    if names is None:
        return there  # whatever is dropped
    wanted, given = set(there) - dropped, set(names)
    told = ""
    if wanted - given:
        told += (
            f"Missing fields in `field_names`: {wanted - given}. If you want to include these "
            "fields in the pytree, please add them to `field_names`, otherwise please add them to "
            "`drop_field_names`.\n"
        )
    if given - wanted:
        told += (
            f"Unexpected fields in `field_names`: {given - wanted}. Please remove these fields, or "
            "add them to `drop_field_names`.\n"
        )
    if told:
        raise ValueError(f"field_names does not include all dataclass fields.\n{told}")
    return names


def register_constant(cls: Any) -> None:
    """Make instances of *cls* part of the structure: nodes without children, compared by ``==``."""
    if cls.__eq__ is object.__eq__:
        raise TypeError(
            "register_constant(cls) expects `cls` to have a non-default `__eq__` implementation."
        )
    if cls.__hash__ is None:  # as Python has it for a class with an ``__eq__`` alone
        raise TypeError(
            "register_constant(cls) expects `cls` to have a non-default `__hash__` implementation."
        )
    _private_register_pytree_node(
        cls,
        lambda value: ([], ConstantNode(value)),
        lambda _, context: context.value,
        flatten_with_keys_fn=lambda value: ([], ConstantNode(value)),
    )
    CONSTANT_NODES.add(cls)


@dataclass(frozen=True)
class ConstantNode:
    """The context of a constant: the value itself."""

    value: Any


def is_constant_class(cls: Any) -> bool:
    """Whether instances of *cls* are constants."""
    return isinstance(cls, type) and cls in CONSTANT_NODES


# What kind of tuple -------------------------------------------------------------------------------


def is_namedtuple_class(cls: Any) -> bool:
    """Whether *cls* was made by ``namedtuple``."""
    if not isinstance(cls, type) or not issubclass(cls, tuple):
        return False
    fields = getattr(cls, "_fields", None)
    return (
        isinstance(fields, tuple)
        and all(isinstance(f, str) for f in fields)
        and callable(getattr(cls, "_make", None))
        and callable(getattr(cls, "_asdict", None))
    )


def is_namedtuple_instance(obj: object) -> bool:
    """Whether *obj* is a named tuple."""
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj: object) -> bool:
    """Whether *obj* is a named tuple or a class of them."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_class(cls: Any) -> bool:
    """Whether *cls* is a structure of results, as ``torch.return_types.max``."""
    if not isinstance(cls, type) or not issubclass(cls, tuple):
        return False
    if cls.__module__ == "torch.return_types":
        return True
    return cls.__bases__ == (tuple,) and all(
        isinstance(getattr(cls, n, None), int)
        for n in ("n_fields", "n_sequence_fields", "n_unnamed_fields")
    )


def is_structseq_instance(obj: object) -> bool:
    """Whether *obj* is a structure of results."""
    return is_structseq_class(type(obj))


def is_structseq(obj: object) -> bool:
    """Whether *obj* is a structure of results or a class of them."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def node_type(tree: Any) -> Any:
    """The type under which *tree* may be registered."""
    kind = type(tree)
    if kind in SUPPORTED_NODES:
        return kind
    if isinstance(tree, tuple):
        if is_namedtuple_class(kind):
            return namedtuple
        if kind.__module__ == "torch.return_types":
            _register_structure(kind)
    return kind


def _register_structure(cls: Any) -> None:
    register_pytree_node(
        cls,
        lambda value: (list(value), None),
        lambda values, _: cls(list(values)),
        flatten_with_keys_fn=lambda value: (
            [(SequenceKey(i), v) for i, v in enumerate(value)],
            None,
        ),
    )


# Containers of Python -----------------------------------------------------------------------------


def _sequence(cls: Any, of: Callable[[Any], Any] | None = None) -> NodeDef:
    make = cls if of is None else of
    return NodeDef(
        cls,
        lambda value: (list(value), None),
        lambda values, _: make(values),
        lambda value: ([(SequenceKey(i), v) for i, v in enumerate(value)], None),
    )


def _dict_with_keys(value: Any) -> tuple[list[tuple[Any, Any]], Any]:
    return [(MappingKey(k), v) for k, v in value.items()], list(value)


def _defaultdict_context(value: Any) -> Any:
    return [value.default_factory, list(value)]


def _mapping(cls: Any) -> NodeDef:
    return NodeDef(
        cls,
        lambda value: (list(value.values()), list(value)),
        lambda values, keys: cls(zip(keys, values, strict=True)),
        _dict_with_keys,
    )


BUILTINS = {
    tuple: _sequence(tuple),
    list: _sequence(list),
    dict: _mapping(dict),
    OrderedDict: _mapping(OrderedDict),
    namedtuple: NodeDef(
        namedtuple,
        lambda value: (list(value), type(value)),
        lambda values, cls: cls(*values),
        lambda value: (
            [(GetAttrKey(f), v) for f, v in zip(value._fields, value, strict=True)],
            type(value),
        ),
    ),
    defaultdict: NodeDef(
        defaultdict,
        lambda value: (list(value.values()), _defaultdict_context(value)),
        lambda values, context: defaultdict(context[0], zip(context[1], values, strict=True)),
        lambda value: (_dict_with_keys(value)[0], _defaultdict_context(value)),
    ),
    deque: NodeDef(
        deque,
        lambda value: (list(value), value.maxlen),
        lambda values, maxlen: deque(values, maxlen=maxlen),
        lambda value: ([(SequenceKey(i), v) for i, v in enumerate(value)], value.maxlen),
    ),
}
#: Types that are nodes from the beginning.
BUILTIN_TYPES = frozenset(BUILTINS)
#: Mappings that stand for one another when trees are compared.
STANDARD_DICT_TYPES = frozenset((dict, OrderedDict, defaultdict))


def _defaultdict_to_dumpable(context: Any) -> Any:
    factory, keys = context
    return {
        "default_factory_module": factory.__module__,
        "default_factory_name": factory.__qualname__,
        "dict_context": keys,
    }


def _defaultdict_from_dumpable(dumped: Any) -> Any:
    module = dumped["default_factory_module"]
    found = sys.modules.get(module) or import_module(module)
    return [getattr(found, dumped["default_factory_name"]), dumped["dict_context"]]


def _namedtuple_to_dumpable(context: Any) -> Any:
    name = SERIALIZATIONS[context].name if context in SERIALIZATIONS else None
    if name is None:
        raise NotImplementedError(
            f"Can't serialize TreeSpec of namedtuple class {context} because we didn't register a "
            "serializated_type_name. Please register using `_register_namedtuple`."
        )
    return name


def _register_namedtuple(cls: Any, *, serialized_type_name: str) -> None:
    """Give a class of named tuples its name in JSON."""
    SERIALIZATIONS[cls] = Serialization(serialized_type_name, None, None)
    TYPE_OF_NAME[serialized_type_name] = cls


SUPPORTED_NODES.update(BUILTINS)
SUPPORTED_NODES[Size] = _sequence(Size, tuple)  # what comes back need not be sizes
SERIALIZATIONS[Size] = Serialization("torch.Size", None, None)
TYPE_OF_NAME["torch.Size"] = Size
for _cls in BUILTINS:
    SERIALIZATIONS[_cls] = Serialization(
        f"{_cls.__module__}.{_cls.__name__}"
        if isinstance(_cls, type)
        else "collections.namedtuple",
        None,
        None,
    )
SERIALIZATIONS[defaultdict] = Serialization(
    "collections.defaultdict", _defaultdict_to_dumpable, _defaultdict_from_dumpable
)
SERIALIZATIONS[namedtuple] = Serialization(
    "collections.namedtuple", _namedtuple_to_dumpable, lambda name: TYPE_OF_NAME[name]
)
TYPE_OF_NAME.update({s.name: cls for cls, s in SERIALIZATIONS.items() if s.name})
