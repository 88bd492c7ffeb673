"""Nested arguments taken apart by a known structure (what generated code calls ``fx_pytree``)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ..utils._pytree import PyTree, TreeSpec, tree_flatten

FlattenFnSpec = Callable[[Any, TreeSpec], list[Any]]
FlattenFnExactMatchSpec = Callable[[Any, TreeSpec], bool]
FlattenFuncSpec = FlattenFnSpec
FlattenFuncExactMatchSpec = FlattenFnExactMatchSpec

#: How values of a class are taken apart.
SUPPORTED_NODES: dict[type[Any], FlattenFnSpec] = {}
#: Whether a value has as many parts as the structure says.
SUPPORTED_NODES_EXACT_MATCH: dict[type[Any], FlattenFnExactMatchSpec | None] = {}


def register_pytree_flatten_spec(
    cls: type[Any],
    flatten_fn_spec: FlattenFnSpec,
    flatten_fn_exact_match_spec: FlattenFnExactMatchSpec | None = None,
) -> None:
    """Say how values of *cls* are taken apart by a structure."""
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def _deregister_pytree_flatten_spec(cls: type[Any]) -> None:
    del SUPPORTED_NODES[cls]
    del SUPPORTED_NODES_EXACT_MATCH[cls]


def tree_flatten_spec(pytree: PyTree, spec: TreeSpec) -> list[Any]:
    """The leaves of *pytree*, which is nested as *spec* says.

    Raises RuntimeError where a class that nobody registered here is nested in another way.
    """
    if spec.is_leaf():
        return [pytree]
    if spec.type not in SUPPORTED_NODES:
        flat, found = tree_flatten(pytree)
        if found != spec:
            raise RuntimeError(
                f"Real spec {found} of object {pytree} is different from expected spec {spec}. "
                "Please file an issue at "
                "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml"
            )
        return flat
    parts = SUPPORTED_NODES[spec.type](pytree, spec)
    return [
        leaf
        for part, each in zip(parts, spec.children(), strict=False)
        for leaf in tree_flatten_spec(part, each)
    ]


def _dict_flatten_spec(d: dict[Any, Any], spec: TreeSpec) -> list[Any]:
    return [d[k] for k in spec.context]


def _list_flatten_spec(d: list[Any], spec: TreeSpec) -> list[Any]:
    return [d[i] for i in range(spec.num_children)]


def _tuple_flatten_spec(d: tuple[Any, ...], spec: TreeSpec) -> list[Any]:
    return [d[i] for i in range(spec.num_children)]


_namedtuple_flatten_spec = _tuple_flatten_spec


def _dict_flatten_spec_exact_match(d: dict[Any, Any], spec: TreeSpec) -> bool:
    return len(d) == spec.num_children


_list_flatten_spec_exact_match: Any = _dict_flatten_spec_exact_match
_tuple_flatten_spec_exact_match: Any = _dict_flatten_spec_exact_match
_namedtuple_flatten_spec_exact_match: Any = _dict_flatten_spec_exact_match

register_pytree_flatten_spec(dict, _dict_flatten_spec, _dict_flatten_spec_exact_match)
register_pytree_flatten_spec(list, _list_flatten_spec, _list_flatten_spec_exact_match)
register_pytree_flatten_spec(tuple, _tuple_flatten_spec, _tuple_flatten_spec_exact_match)
register_pytree_flatten_spec(
    namedtuple,  # type: ignore[arg-type]  # the function stands for its classes
    _namedtuple_flatten_spec,
    _namedtuple_flatten_spec_exact_match,
)
