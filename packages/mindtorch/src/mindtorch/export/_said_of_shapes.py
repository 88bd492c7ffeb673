"""What a program says of the sizes of its arguments: checked, and by argument."""

from __future__ import annotations

import logging
from collections.abc import Callable
from inspect import signature
from typing import Any

from .._dynamo.exc import UserError, UserErrorType
from ..tensor import Tensor
from ..utils._pytree import MappingKey, SequenceKey, keystr, tree_flatten
from .dynamic_shapes import Dim, _DimHint

__all__ = ["check_shapes", "combined", "of_each_leaf"]

log = logging.getLogger("torch.export.dynamic_shapes")
_VALIDATION = "dynamic_shapes_validation"


def combined(forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the names of its parameters."""
    return dict(signature(forward).bind(*args, **kwargs).arguments)


def _is_leaf(value: Any) -> bool:
    return type(value) not in (dict, list, tuple) and not isinstance(value, (dict, list, tuple))


def _children(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return [(MappingKey(key), value[key]) for key in value]
    return [(SequenceKey(i), item) for i, item in enumerate(value)]


def _walk(
    visit: Callable[[tuple[Any, ...], Any, Any], None], tree: Any, said: Any, path: tuple[Any, ...]
) -> None:
    """Call *visit* with each leaf of *tree* and what is said of it, of which the nesting fits."""
    if not _is_leaf(tree):
        for key, child in _children(tree):
            place = key.key if isinstance(key, MappingKey) else key.idx
            _walk(visit, child, said[place], (*path, key))
        return
    leaves, spec = tree_flatten(tree)
    if spec.is_leaf():
        visit(path, tree, said)
        return
    for i, leaf in enumerate(leaves):  # an object of a class that pytrees know
        _walk(visit, leaf, None if said is None else said[i], (*path, SequenceKey(i)))


def _compare(tree: Any, said: Any, path: tuple[Any, ...]) -> None:
    """Raise UserError where *said* is nested otherwise than *tree*."""
    if _is_leaf(tree):
        return
    at, name = f"`inputs{keystr(path)}`", f"`dynamic_shapes{keystr(path)}`"
    if _is_leaf(said):
        raise _mismatch(f"{at} is a {type(tree)}, but {name} is not")
    if type(said) is not type(tree):
        raise _mismatch(f"{at} is a {type(tree)}, but {name} is a {type(said)}")
    if len(said) != len(tree):
        raise _mismatch(f"{at} has {len(tree)} elements, but {name} has {len(said)} elements")
    if isinstance(tree, dict) and set(tree) != set(said):
        raise _mismatch(f"{at} has keys {list(tree)}, but {name} has keys {list(said)}")
    for key, child in _children(tree):
        place = key.key if isinstance(key, MappingKey) else key.idx
        _compare(child, said[place], (*path, key))


def _mismatch(told: str) -> UserError:
    return _invalid(
        f"Detected mismatch between the structure of `inputs` and `dynamic_shapes`: {told}"
    )


def _invalid(told: str) -> UserError:
    return UserError(UserErrorType.INVALID_INPUT, told, case_name=_VALIDATION)


def _alike(arguments: dict[str, Any], said: Any) -> Any:
    """The arguments in the kind of container in which something is said of them."""
    return arguments if isinstance(said, dict) else type(said)(arguments.values())


def of_each_leaf(arguments: dict[str, Any], said: Any) -> list[tuple[tuple[Any, ...], Any, Any]]:
    """Path, value and what is said of it, of each leaf of the arguments."""
    found: list[tuple[tuple[Any, ...], Any, Any]] = []
    tree = _alike(arguments, said)
    _walk(lambda path, value, shape: found.append((path, value, shape)), tree, said, ())
    return found


def named(path: tuple[Any, ...], arguments: dict[str, Any]) -> tuple[Any, ...]:
    """*path* with the name of its argument in place of that one's number."""
    first = path[0]
    if isinstance(first, SequenceKey):
        first = MappingKey(list(arguments)[first.idx])
    return (first, *path[1:])


def check_shapes(arguments: dict[str, Any], said: Any) -> None:
    """Raise UserError where what is said does not fit the arguments."""
    if not isinstance(said, (dict, tuple, list)):
        raise AssertionError(
            f"expected dynamic_shapes to be dict, tuple, or list, got {type(said)}"
        )
    if isinstance(said, dict) and sorted(said) != sorted(arguments):
        raise _invalid(_wrong_names(arguments, said))
    _compare(_alike(arguments, said), said, ())
    bounds: dict[str, tuple[Any, Any]] = {}
    for path, value, shape in of_each_leaf(arguments, said):
        if isinstance(value, Tensor):
            _check_tensor(path, value, shape, bounds)
        elif isinstance(value, int) and not isinstance(value, bool):
            _check_number(shape)
        elif shape is not None:
            at = keystr(path)
            raise _invalid(
                f"Cannot associate shape {shape} specified at `dynamic_shapes{at}` to non-tensor "
                f"type {type(value)} at `inputs{at}` (expected None)"
            )


def _check_number(shape: Any) -> None:
    if isinstance(shape, Dim):
        raise ValueError(
            "Unable to specify input integers as dynamic through named Dims. Please use "
            "Dim.AUTO/DYNAMIC instead."
        )
    if shape is not None and not isinstance(shape, (int, _DimHint)):
        raise AssertionError(
            "expected dynamic_shape to be None, int, or _DimHint for _IntWrapper, got "
            f"{type(shape)}"
        )


def _wrong_names(arguments: dict[str, Any], said: dict[str, Any]) -> str:
    names = list(arguments)
    told = (
        "When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names "
        f"{names} of `inputs`, but here they are {list(said)}. "
    )
    if len(names) == 1 and names[0] not in said and isinstance(arguments[names[0]], dict):
        return told + (
            "Since here `inputs` is a list/tuple enclosing a single dict, maybe you just forgot to "
            "enclose `dynamic_shapes` in a list/tuple?"
        )
    return told + (
        "Alternatively, you could also ignore arg names entirely and specify `dynamic_shapes` as a "
        "list/tuple matching `inputs`."
    )


def _check_tensor(path: Any, value: Any, shape: Any, bounds: dict[str, tuple[Any, Any]]) -> None:
    where = f"specified at `dynamic_shapes{keystr(path)}`"
    wanted = "(expected None, an int, a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC, "
    if isinstance(shape, dict):
        items, called, space = list(shape.items()), "mapped to index ", " "
    elif isinstance(shape, (tuple, list)):
        items, called, space = list(enumerate(shape)), "#", ""
        if len(shape) != value.dim():
            raise _invalid(
                f"Expected dynamic shape spec {shape} {where} to have the same length as the "
                f"actual tensor shape {value.shape} (expected {value.dim()}, but got {len(shape)} "
                "instead)"
            )
    elif shape is None:
        return
    else:
        raise _invalid(
            f"Unexpected input tensor shape {shape} {where} (expected either a list/tuple of "
            "dimensions, or a dict mapping indices to dimensions, where each dimension is an int, "
            "a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC)"
        )
    for i, dim in items:
        if isinstance(dim, Dim):
            _check_bounds(dim, bounds)
        elif dim is None:
            log.warning(
                "Using None as a dynamic shape dimension is deprecated. Please use Dim.STATIC "
                "instead"
            )
        elif not isinstance(dim, (int, _DimHint)):
            raise _invalid(
                f"Unexpected dimension {called}{i} in input tensor shape {shape} {where} {wanted}"
                f"{space}but got {dim!r} instead)"
            )


def _check_bounds(dim: Dim, bounds: dict[str, tuple[Any, Any]]) -> None:
    found = bounds.setdefault(dim.__name__, (dim.min, dim.max))
    if found != (dim.min, dim.max):
        this = Dim._readable(dim.__name__, *found)
        that = Dim._readable(dim.__name__, dim.min, dim.max)
        raise UserError(
            UserErrorType.INVALID_INPUT,
            f"Found different definitions {this} and {that} for the same symbolic dimension {dim}!",
        )
