"""Lists and dictionaries of a node's arguments: changed only by being replaced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from ..utils._pytree import (
    _dict_flatten_with_keys,
    _list_flatten_with_keys,
    register_pytree_node,
)

__all__ = ["immutable_dict", "immutable_list"]

_T = TypeVar("_T")
_KT = TypeVar("_KT")
_VT = TypeVar("_VT")

_help_mutation = """
If you are attempting to modify the kwargs or args of a torch.fx.Node object,
instead create a new copy of it and assign the copy to the node:

    new_args = ...  # copy and mutate args
    node.args = new_args
""".strip()


def _no_mutation(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise TypeError(f"{type(self).__name__!r} object does not support mutation. {_help_mutation}")


class immutable_list(list[_T]):
    """A list that refuses every change, and that has a hash."""

    __delitem__ = __iadd__ = __imul__ = __setitem__ = _no_mutation
    append = clear = extend = insert = pop = remove = reverse = sort = _no_mutation

    def __hash__(self) -> int:  # type: ignore[override]  # lists have none
        return hash(tuple(self))

    def __reduce__(self) -> Any:
        return type(self), (tuple(self),)


class immutable_dict(dict[_KT, _VT]):
    """A dictionary that refuses every change, and that has a hash."""

    __delitem__ = __ior__ = __setitem__ = _no_mutation
    clear = pop = popitem = setdefault = update = _no_mutation

    def __hash__(self) -> int:  # type: ignore[override]  # dictionaries have none
        return hash(frozenset(self.items()))

    def __reduce__(self) -> Any:
        return type(self), (tuple(self.items()),)


def _immutable_list_flatten(d: immutable_list[_T]) -> tuple[list[_T], Any]:
    return list(d), None


def _immutable_list_unflatten(values: Iterable[_T], context: Any) -> immutable_list[_T]:
    return immutable_list(values)


def _immutable_dict_flatten(d: immutable_dict[Any, _VT]) -> tuple[list[_VT], Any]:
    return list(d.values()), list(d)


def _immutable_dict_unflatten(values: Iterable[_VT], context: Any) -> immutable_dict[Any, _VT]:
    return immutable_dict(zip(context, values, strict=True))


register_pytree_node(
    immutable_list,
    _immutable_list_flatten,
    _immutable_list_unflatten,
    serialized_type_name="torch.fx.immutable_collections.immutable_list",
    flatten_with_keys_fn=_list_flatten_with_keys,
)
register_pytree_node(
    immutable_dict,
    _immutable_dict_flatten,
    _immutable_dict_unflatten,
    serialized_type_name="torch.fx.immutable_collections.immutable_dict",
    flatten_with_keys_fn=_dict_flatten_with_keys,
)
