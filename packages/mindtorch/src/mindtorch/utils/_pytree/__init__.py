"""``torch.utils._pytree``: containers of containers as trees, taken apart and put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import nodes as _nodes
from . import spec as _spec
from . import tree as _tree
from .nodes import *
from .nodes import (
    _deregister_pytree_node,
    _private_register_pytree_node,
    _register_namedtuple,
    _register_pytree_node,
)
from .spec import *
from .tree import *
from .tree import _broadcast_to_and_flatten

PyTree = Any
Context = Any
DumpableContext = Any
KeyEntry = Any
KeyPath = tuple[KeyEntry, ...]
FlattenFunc = FlattenFn = Callable[[PyTree], tuple[list[Any], Context]]
UnflattenFunc = UnflattenFn = Callable[[Iterable[Any], Context], PyTree]
ToDumpableContextFn = Callable[[Context], DumpableContext]
FromDumpableContextFn = Callable[[DumpableContext], Context]
_get_node_type = _nodes.node_type
_is_leaf = _tree.tree_is_leaf
_LEAF_SPEC = _spec.treespec_leaf()

__all__ = [  # the modules' own lists
    *_nodes.__all__,
    *_spec.__all__,
    *_tree.__all__,
    "Context",
    "DumpableContext",
    "FlattenFn",
    "FromDumpableContextFn",
    "KeyEntry",
    "KeyPath",
    "PyTree",
    "ToDumpableContextFn",
    "UnflattenFn",
    "_broadcast_to_and_flatten",
    "_deregister_pytree_node",
    "_private_register_pytree_node",
    "_register_namedtuple",
    "_register_pytree_node",
]


def __dir__() -> list[str]:
    return sorted(__all__)


#: How torch calls its functions over Python's containers: ``_dict_flatten``, ``_odict_unflatten``.
_CONTAINERS = {
    "_defaultdict": "defaultdict",
    "_deque": "deque",
    "_dict": "dict",
    "_list": "list",
    "_namedtuple": "namedtuple",
    "_odict": "OrderedDict",
    "_ordereddict": "OrderedDict",
    "_tuple": "tuple",
}
_PARTS = {
    "_flatten": "flatten_fn",
    "_flatten_with_keys": "flatten_with_keys_fn",
    "_unflatten": "unflatten_fn",
}


def __getattr__(name: str) -> Any:
    for begin, container in _CONTAINERS.items():
        part = _PARTS.get(name.removeprefix(begin)) if name.startswith(begin) else None
        if part is not None:
            # BUILTINS has the function `namedtuple` for a key beside the types.
            kinds: dict[Any, Any] = _nodes.BUILTINS
            found = next(n for t, n in kinds.items() if t.__name__ == container)
            return getattr(found, part)
    raise AttributeError(f"module 'torch.utils._pytree' has no attribute '{name}'")
