"""Types of what pipes give, and the metaclasses of pipes."""

from __future__ import annotations

import functools
import numbers
import types
from abc import ABCMeta
from typing import Any, Generic, TypeVar, Union, get_args, get_origin

from ._hook_iterator import _SnapshotState, hook_iterator


class GenericMeta(ABCMeta):
    """What classes of pipes that take a type have in common."""


class Integer(numbers.Integral):
    """``int`` among the abstract numbers."""


class Boolean(numbers.Integral):
    """``bool`` among the abstract numbers."""


# Of Python's own numbers none is another's subclass.
TYPE2ABC: dict[Any, Any] = {
    bool: Boolean,
    int: Integer,
    float: numbers.Real,
    complex: numbers.Complex,
    dict: dict,
    list: list,
    set: set,
    tuple: tuple,
    None: type(None),
}


def _abstract(t: Any) -> Any:
    try:
        return TYPE2ABC.get(t, t)
    except TypeError:  # unhashable
        return t


def issubtype(left: Any, right: Any, recursive: bool = True) -> bool:
    """Whether every value of type *left* is one of *right*; arguments count if *recursive*."""
    left, right = _abstract(left), _abstract(right)
    if right is Any or left == right:
        return True
    if get_origin(right) is Generic:
        return True
    if right is type(None):
        return False
    constraints = _decompose_type(right) or []
    if not constraints or Any in constraints:
        return True
    if left is Any:
        return False
    variants = _decompose_type(left) or []
    return bool(variants) and all(
        _issubtype_with_constraints(variant, constraints, recursive) for variant in variants
    )


def _decompose_type(t: Any, to_list: bool = True) -> list[Any] | None:
    """The types of which a value of *t* has one; without *to_list* None if *t* is one itself."""
    if isinstance(t, TypeVar):
        found = [t.__bound__] if t.__bound__ is not None else list(t.__constraints__)
    elif get_origin(t) in (Union, types.UnionType):
        found = list(get_args(t))
    elif to_list:
        found = [t]
    else:
        return None
    return [_abstract(each) for each in found]


def _issubtype_with_constraints(
    variant: Any, constraints: list[Any], recursive: bool = True
) -> bool:
    if variant in constraints:
        return True
    parts = _decompose_type(variant, to_list=False)
    if parts is not None:
        return all(_issubtype_with_constraints(part, constraints, recursive) for part in parts)
    origin, args = get_origin(variant) or variant, get_args(variant)
    for constraint in constraints:
        alternatives = _decompose_type(constraint, to_list=False)
        if alternatives is not None:
            if _issubtype_with_constraints(variant, alternatives, recursive):
                return True
            continue
        wanted, wanted_args = get_origin(constraint) or constraint, get_args(constraint)
        if origin == wanted:
            if not recursive or not wanted_args:
                return True
            if len(args) == len(wanted_args) and all(
                issubtype(a, w) for a, w in zip(args, wanted_args, strict=True)
            ):
                return True
    return False


def issubinstance(data: Any, data_type: Any) -> bool:
    """Whether *data*, and what it contains, is of *data_type*."""
    if not issubtype(type(data), data_type, recursive=False):
        return False
    args = get_args(data_type)
    if not args or any(isinstance(arg, TypeVar) for arg in args):
        return True
    if isinstance(data, tuple):
        return len(args) == len(data) and all(map(issubinstance, data, args))
    if isinstance(data, (list, set)):
        return all(issubinstance(each, args[0]) for each in data)
    if isinstance(data, dict):
        return all(
            issubinstance(key, args[0]) and issubinstance(value, args[1])
            for key, value in data.items()
        )
    return True


def _type_repr(t: Any) -> str:
    if isinstance(t, type) and not isinstance(t, types.GenericAlias):
        return t.__qualname__ if t.__module__ == "builtins" else f"{t.__module__}.{t.__qualname__}"
    return "..." if t is ... else t.__name__ if isinstance(t, types.FunctionType) else repr(t)


class _DataPipeType:
    """The type of what a pipe gives."""

    def __init__(self, param: Any) -> None:
        self.param = param

    def __repr__(self) -> str:
        return _type_repr(self.param)

    def __eq__(self, other: object) -> bool:
        return self.param == other.param if isinstance(other, _DataPipeType) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.param)

    def issubtype(self, other: Any) -> bool:
        """Whether what this describes is described by *other*."""
        if not isinstance(other, (_DataPipeType, type)):
            raise TypeError(f"Expected '_DataPipeType' or 'type', but found {type(other)}")
        return issubtype(self.param, other.param if isinstance(other, _DataPipeType) else other)

    def issubtype_of_instance(self, other: Any) -> bool:
        """Whether *other* is a value that this describes."""
        return issubinstance(other, self.param)


_T_co = TypeVar("_T_co", covariant=True)
_DEFAULT_TYPE = _DataPipeType(Generic[_T_co])  # type: ignore[index]  # a type for "anything"


class _DataPipeMeta(GenericMeta):
    """The metaclass of pipes."""

    def __new__(
        cls, name: str, bases: tuple[Any, ...], namespace: dict[str, Any], **kwargs: Any
    ) -> Any:
        return super().__new__(cls, name, bases, namespace, **kwargs)


def _sparing_restored(reset: Any) -> Any:
    """*reset* of a class of pipes, but not of what was just restored: that is as it should be."""

    @functools.wraps(reset)
    def conditional_reset(pipe: Any, *args: Any, **kwargs: Any) -> None:
        if pipe._snapshot_state is not _SnapshotState.Restored:
            pipe._number_of_samples_yielded = 0
            reset(pipe, *args, **kwargs)
        pipe._snapshot_state = _SnapshotState.Iterating

    return conditional_reset


class _IterDataPipeMeta(_DataPipeMeta):
    """The metaclass of pipes that are iterated: it watches their iterators and resets."""

    def __new__(
        cls, name: str, bases: tuple[Any, ...], namespace: dict[str, Any], **kwargs: Any
    ) -> Any:
        if "reset" in namespace:
            namespace["reset"] = _sparing_restored(namespace["reset"])
        if "__iter__" in namespace:
            hook_iterator(namespace)
        return super().__new__(cls, name, bases, namespace, **kwargs)


def reinforce_type(self: Any, expected_type: Any) -> Any:
    """Say of a pipe that it gives *expected_type*, a part of what its class gives."""
    if isinstance(expected_type, tuple):
        expected_type = tuple.__class_getitem__(expected_type)
    if not issubtype(expected_type, self.type.param):
        raise TypeError(
            f"Expected 'expected_type' as subtype of {self.type}, "
            f"but found {_type_repr(expected_type)}"
        )
    self.type = _DataPipeType(expected_type)
    return self
