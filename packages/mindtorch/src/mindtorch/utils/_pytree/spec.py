"""TreeSpec: the structure of a pytree, without its leaves; as text and as JSON."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...core.warning import warn
from .nodes import (
    BUILTIN_TYPES,
    SERIALIZATIONS,
    STANDARD_DICT_TYPES,
    SUPPORTED_NODES,
    TYPE_OF_NAME,
    node_type,
)

__all__ = [
    "LeafSpec",
    "PyTreeSpec",
    "TreeSpec",
    "treespec_dict",
    "treespec_dumps",
    "treespec_leaf",
    "treespec_loads",
    "treespec_pprint",
    "treespec_tuple",
]


class TreeSpec:
    """A node's type, its context and the structure of its children; a leaf has type None."""

    __slots__ = ("_children", "context", "num_children", "num_leaves", "num_nodes", "type")

    num_nodes: int
    num_leaves: int

    def __init__(self, type: Any, context: Any, children_specs: list[TreeSpec]) -> None:
        self.type = type
        self.context = context
        self._children = children_specs
        self.num_children = len(children_specs)
        self.num_nodes = 1 + sum(c.num_nodes for c in children_specs)
        self.num_leaves = sum(c.num_leaves for c in children_specs) if type is not None else 1

    def is_leaf(self) -> bool:
        """Whether this is a leaf."""
        return self.type is None

    def children(self) -> list[TreeSpec]:
        """The structures of the children."""
        return self._children.copy()

    def child(self, index: int) -> TreeSpec:
        """The structure of one child."""
        return self._children[index]

    @property
    def children_specs(self) -> list[TreeSpec]:
        """The structures of the children; deprecated."""
        warn(
            "`treespec.children_specs` is deprecated. Use `treespec.child(index)` to access a "
            "single child, or `treespec.children()` to get all children.",
            FutureWarning,
        )
        return self._children

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return bool(
            self.type == other.type
            and self.context == other.context
            and self._children == other._children
        )

    def __hash__(self) -> int:
        try:
            return hash((self.type, self.context, tuple(self._children)))
        except TypeError:  # the context of a dict is a list
            return hash((self.type, str(self.context), tuple(self._children)))

    def __repr__(self, indent: int = 0) -> str:
        if self.type is None:
            return "*"
        inner = indent + 2
        children = f",\n{' ' * inner}".join(c.__repr__(inner) for c in self._children)
        return f"TreeSpec({self.type.__name__}, {self.context}, [{children}])"

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The parts of *tree* where this structure has leaves.

        Raises ValueError where *tree* is not structured like this.
        """
        found: list[Any] = []
        self._collect(tree, found.append)
        return found

    def _collect(self, tree: Any, put: Callable[[Any], object]) -> None:
        if self.type is None:
            put(tree)
            return
        for child, spec in zip(self.children_of(tree), self._children, strict=True):
            spec._collect(child, put)

    def children_of(self, tree: Any) -> list[Any]:
        """The children of *tree* in this node's order. Raises ValueError if it is another node.

        The standard mappings stand for one another.
        """
        kind = node_type(tree)
        if self.type in STANDARD_DICT_TYPES and kind in STANDARD_DICT_TYPES:
            return self._of_dict(tree)
        own = self.type not in BUILTIN_TYPES
        if kind != self.type:
            what = "Type" if own else "Node type"
            raise ValueError(f"{what} mismatch; expected {self.type!r}, but got {kind!r}.")
        children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
        if len(children) != self.num_children:
            raise ValueError(
                f"Node arity mismatch; expected {self.num_children}, but got {len(children)}."
            )
        if context != self.context and own:
            raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
        if context != self.context and self.type is not deque:
            raise ValueError(
                f"Node context mismatch for node type {self.type!r}; expected "
                f"{self.context!r}, but got {context!r}."
            )
        return children

    def _of_dict(self, tree: Mapping[Any, Any]) -> list[Any]:
        keys = self.context[1] if self.type is defaultdict else self.context
        if len(tree) != self.num_children:
            raise ValueError(
                f"Node arity mismatch; expected {self.num_children}, but got {len(tree)}."
            )
        if set(keys) != set(tree):
            missing, extra = set(keys).difference(tree), set(tree).difference(keys)
            text = f"; missing key(s): {missing}" if missing else ""
            text += f"; extra key(s): {extra}" if extra else ""
            raise ValueError(f"Node keys mismatch{text}.")
        return [tree[k] for k in keys]

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree with this structure and *leaves*. Raises ValueError for a wrong number."""
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec "
                f"refers to a pytree that holds {self.num_leaves} items ({self})."
            )
        return self._build(iter(leaves))

    def _build(self, leaves: Any) -> Any:
        if self.type is None:
            return next(leaves)
        children = [c._build(leaves) for c in self._children]
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self.context)


PyTreeSpec = TreeSpec


class _LeafSpecMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TreeSpec) and instance.is_leaf()


class LeafSpec(TreeSpec, metaclass=_LeafSpecMeta):
    """The structure of a leaf; to name it is deprecated, as :meth:`TreeSpec.is_leaf` tells."""

    __slots__ = ()

    def __init__(self) -> None:
        warn(
            "`isinstance(treespec, LeafSpec)` is deprecated, use `isinstance(treespec, TreeSpec) "
            "and treespec.is_leaf()` instead.",
            FutureWarning,
        )
        super().__init__(None, None, [])


_LEAF = LeafSpec.__new__(LeafSpec)
TreeSpec.__init__(_LEAF, None, None, [])


def treespec_leaf() -> TreeSpec:
    """The structure of a leaf."""
    return _LEAF


def treespec_tuple(iterable: Iterable[TreeSpec] = (), /) -> TreeSpec:
    """The structure of a tuple of things of these structures."""
    children = list(iterable)
    for child in children:
        if not isinstance(child, TreeSpec):
            raise ValueError(f"Expected a tuple of PyTreeSpecs, got: {tuple(children)!r}.")
    return TreeSpec(tuple, None, children)


def treespec_dict(
    mapping: Mapping[Any, TreeSpec] | Iterable[tuple[Any, TreeSpec]] = (),
    /,
    **kwargs: TreeSpec,
) -> TreeSpec:
    """The structure of a dict of things of these structures."""
    children = dict(mapping, **kwargs)
    for child in children.values():
        if not isinstance(child, TreeSpec):
            raise ValueError(f"Expected a dictionary of TreeSpecs, got: {children!r}.")
    return TreeSpec(dict, list(children), list(children.values()))


class _Star:
    def __repr__(self) -> str:
        return "*"


def treespec_pprint(treespec: TreeSpec) -> str:
    """The structure as a tree of its own, with ``*`` for each leaf."""
    return repr(treespec.unflatten([_Star()] * treespec.num_leaves))


# JSON ---------------------------------------------------------------------------------------------

_PROTOCOL = 1


def check_spec(treespec: Any) -> None:
    """Raise TypeError for what is no TreeSpec."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            "Expected `treespec` to be an instance of PyTreeSpec but got item of type "
            f"{type(treespec)}."
        )


def _check_protocol(protocol: Any) -> None:
    if protocol != _PROTOCOL:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [{_PROTOCOL}]")


def treespec_dumps(treespec: TreeSpec, protocol: int | None = None) -> str:
    """The structure as JSON.

    Raises NotImplementedError for a type of node without a serialized name.
    """
    check_spec(treespec)
    _check_protocol(_PROTOCOL if protocol is None else protocol)
    return json.dumps((_PROTOCOL, _to_json(treespec)))


def _to_json(spec: TreeSpec) -> dict[str, Any]:
    if spec.type is None:
        return {"type": None, "context": None, "children_spec": []}
    how = SERIALIZATIONS.get(spec.type)
    if how is None or how.name is None:
        raise NotImplementedError(
            f"No registered serialization name for {spec.type} found. Please update your "
            "_register_pytree_node call with a `serialized_type_name` kwarg."
        )
    if how.to_dumpable is None:
        try:
            context = json.dumps(spec.context)
        except TypeError as error:
            raise TypeError(
                "Unable to serialize context. Please make the context json dump-able, or register "
                "a custom serializer using _register_pytree_node."
            ) from error
    else:
        context = how.to_dumpable(spec.context)
    children = [_to_json(c) for c in spec._children]
    return {"type": how.name, "context": context, "children_spec": children}


def treespec_loads(serialized: str) -> TreeSpec:
    """The structure of a text that :func:`treespec_dumps` made."""
    protocol, dumped = json.loads(serialized)
    _check_protocol(protocol)
    return _from_json(dumped)


def _from_json(dumped: Any) -> TreeSpec:
    name = dumped["type"]
    if name is None:
        return _LEAF
    cls = TYPE_OF_NAME.get(name)
    if cls is None:
        raise NotImplementedError(
            f"Deserializing {name} in pytree is not registered.",
        )
    load = SERIALIZATIONS[cls].from_dumpable
    context = json.loads(dumped["context"]) if load is None else load(dumped["context"])
    return TreeSpec(cls, context, [_from_json(c) for c in dumped["children_spec"]])
