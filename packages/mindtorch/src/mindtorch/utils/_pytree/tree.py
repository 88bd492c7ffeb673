"""Functions over pytrees: flatten, map, ask, and find the way to a leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import UnionType
from typing import Any

from .nodes import SUPPORTED_NODES, node_type
from .spec import TreeSpec, check_spec, treespec_leaf

__all__ = [
    "arg_tree_leaves",
    "key_get",
    "keystr",
    "map_only",
    "tree_all",
    "tree_all_only",
    "tree_any",
    "tree_any_only",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_is_leaf",
    "tree_iter",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_",
    "tree_map_only",
    "tree_map_only_",
    "tree_map_with_path",
    "tree_structure",
    "tree_unflatten",
]

IsLeaf = Callable[[Any], bool] | None
_LEAF = treespec_leaf()


def tree_is_leaf(tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether *tree* is a leaf: no registered container, or one that *is_leaf* takes for one."""
    if is_leaf is not None and is_leaf(tree):
        return True
    return node_type(tree) not in SUPPORTED_NODES


def tree_flatten(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], TreeSpec]:
    """The leaves of *tree*, and its structure."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, is_leaf, leaves)


def _flatten(tree: Any, is_leaf: IsLeaf, leaves: list[Any]) -> TreeSpec:
    if tree_is_leaf(tree, is_leaf):
        leaves.append(tree)
        return _LEAF
    kind = node_type(tree)
    children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    return TreeSpec(kind, context, [_flatten(c, is_leaf, leaves) for c in children])


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """The tree of this structure with *leaves*."""
    check_spec(treespec)
    return treespec.unflatten(leaves)


def tree_iter(tree: Any, is_leaf: IsLeaf = None) -> Iterator[Any]:
    """The leaves, one by one."""
    if tree_is_leaf(tree, is_leaf):
        yield tree
    else:
        for child in SUPPORTED_NODES[node_type(tree)].flatten_fn(tree)[0]:
            yield from tree_iter(child, is_leaf)


def tree_leaves(tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """The leaves."""
    return list(tree_iter(tree, is_leaf))


def tree_structure(tree: Any, is_leaf: IsLeaf = None) -> TreeSpec:
    """The structure."""
    return tree_flatten(tree, is_leaf)[1]


def arg_tree_leaves(*args: Any, **kwargs: Any) -> list[Any]:
    """The leaves of arguments and keyword arguments."""
    return [leaf for value in (*args, *kwargs.values()) for leaf in tree_iter(value)]


# Mapping ------------------------------------------------------------------------------------------


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None) -> Any:
    """The tree of ``func(leaf, …)``, with what lies at the same place in *rests*.

    Raises ValueError where one of *rests* is not structured like *tree*.
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(r) for r in rests]
    return spec.unflatten([func(*values) for values in zip(leaves, *others, strict=True)])


def tree_map_(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None) -> Any:
    """Call *func* on every leaf and return *tree* itself."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(r) for r in rests]
    for values in zip(leaves, *others, strict=True):
        func(*values)
    return tree


def _chooser(types: Any) -> Callable[[Any], bool]:
    if isinstance(types, (type, tuple, UnionType)):
        return lambda value: isinstance(value, types)
    if callable(types):
        return types
    raise TypeError("Argument must be a type, a tuple of types, or a callable.")


def map_only(types: Any, /) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """A decorator: the function for values of *types* (or those a predicate takes), else identity.

    Raises TypeError for what is neither.
    """
    chosen = _chooser(types)

    def decorate(func: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda value: func(value) if chosen(value) else value

    return decorate


def tree_map_only(
    types: Any, /, func: Callable[[Any], Any], tree: Any, is_leaf: IsLeaf = None
) -> Any:
    """:func:`tree_map`, with other leaves left as they are."""
    return tree_map(map_only(types)(func), tree, is_leaf=is_leaf)


def tree_map_only_(
    types: Any, /, func: Callable[[Any], Any], tree: Any, is_leaf: IsLeaf = None
) -> Any:
    """:func:`tree_map_`, with other leaves left alone."""
    return tree_map_(map_only(types)(func), tree, is_leaf=is_leaf)


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether *pred* holds for every leaf."""
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf))


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether *pred* holds for some leaf."""
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf))


def tree_all_only(
    types: Any, /, pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None
) -> bool:
    """Whether *pred* holds for every leaf of *types*."""
    return all(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, types))


def tree_any_only(
    types: Any, /, pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None
) -> bool:
    """Whether *pred* holds for some leaf of *types*."""
    return any(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, types))


def _broadcast_to_and_flatten(
    tree: Any, treespec: TreeSpec, is_leaf: IsLeaf = None
) -> list[Any] | None:
    """The leaves of *tree*, each as often as *treespec* has leaves below it; None if they differ.

    ``1`` fits everything, ``[1, 2]`` fits ``[*, [*, *]]``.
    """
    check_spec(treespec)
    if tree_is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    if treespec.is_leaf():
        return None
    try:
        children = treespec.children_of(tree)
    except ValueError:
        return None
    found: list[Any] = []
    for child, spec in zip(children, treespec.children(), strict=True):
        part = _broadcast_to_and_flatten(child, spec, is_leaf)
        if part is None:
            return None
        found += part
    return found


# Paths --------------------------------------------------------------------------------------------


def tree_leaves_with_path(tree: Any, is_leaf: IsLeaf = None) -> list[tuple[tuple[Any, ...], Any]]:
    """The leaves, each with the keys that lead to it."""
    return list(_paths((), tree, is_leaf))


def tree_flatten_with_path(
    tree: Any, is_leaf: IsLeaf = None
) -> tuple[list[tuple[tuple[Any, ...], Any]], TreeSpec]:
    """The leaves with their paths, and the structure."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def _paths(
    path: tuple[Any, ...], tree: Any, is_leaf: IsLeaf
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if tree_is_leaf(tree, is_leaf):
        yield path, tree
        return
    kind = node_type(tree)
    with_keys = SUPPORTED_NODES[kind].flatten_with_keys_fn
    if with_keys is None:
        raise ValueError(
            f"Did not find a flatten_with_keys_fn for type: {kind}. Please pass a "
            "flatten_with_keys_fn argument to register_pytree_node."
        )
    for key, child in with_keys(tree)[0]:
        yield from _paths((*path, key), child, is_leaf)


def tree_map_with_path(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None
) -> Any:
    """The tree of ``func(path, leaf, …)``."""
    found, spec = tree_flatten_with_path(tree, is_leaf)
    others = [spec.flatten_up_to(r) for r in rests]
    paths, leaves = [p for p, _ in found], [leaf for _, leaf in found]
    return spec.unflatten([func(*values) for values in zip(paths, leaves, *others, strict=True)])


def keystr(kp: tuple[Any, ...]) -> str:
    """A path as text: ``['a'][0].x``."""
    return "".join(str(key) for key in kp)


def key_get(obj: Any, kp: tuple[Any, ...]) -> Any:
    """What lies at the end of a path."""
    for key in kp:
        obj = key.get(obj)
    return obj
