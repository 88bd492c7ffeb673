"""What an operator's results share with its arguments, for subclasses that must say so."""

from __future__ import annotations

from typing import Any, NamedTuple

from mindtorch_storage import TypedStorage, UntypedStorage

from ..core import signature as S
from ..core.override_state import _DisableTorchDispatch
from ..core.tags import Tag
from ..tensor import Tensor
from ..tensor.array_memory import storage_of
from ..tensor.construction import wrap
from ..tensor.resizing import look_at
from ..tensor.tensor_impl import alias_of
from ._pytree import tree_leaves, tree_map

__all__ = ["AliasInfo", "SchemaInfo", "get_alias_info", "return_and_correct_aliasing"]


class AliasInfo(NamedTuple):
    """What a schema says of one argument or result."""

    alias_set: frozenset[str]
    is_write: bool
    name: str | None


class SchemaInfo(NamedTuple):
    """What a schema says of all of them."""

    args: list[AliasInfo]
    outs: list[AliasInfo]
    is_inplace_view_op: bool
    outs_write_aliases: list[str] | None


_known: dict[str, SchemaInfo] = {}


def get_alias_info(func: Any) -> SchemaInfo:
    """The aliasing of *func*, an ``OpOverload``."""
    found = _known.get(func.name())
    if found is None:
        schema = func._schema
        args = [_info(a) for a in schema.arguments]
        outs = [_info(r) for r in schema.returns]
        written: list[str] | None = None
        if outs and all(o.is_write for o in outs):
            written = [next(iter(o.alias_set)) for o in outs]
        view = any(a.is_write for a in args) and "inplace_view" in _tags(func)
        found = _known[func.name()] = SchemaInfo(args, outs, view, written)
    return found


def _tags(func: Any) -> tuple[str, ...]:
    return tuple(str(getattr(t, "name", t)) for t in getattr(func, "tags", ()))


def _info(value: Any) -> AliasInfo:
    alias = value.alias_info
    if alias is None:
        return AliasInfo(frozenset(), False, value.name)
    return AliasInfo(frozenset(alias.before_set), bool(alias.is_write), value.name)


def return_and_correct_aliasing(func: Any, args: Any, kwargs: Any, out: Any) -> Any:
    """*out* as *func* has to return it: views share storage, in-place ops return their argument.

    For wrapper subclasses, which compute results of their own: a result that is a view by its
    schema gets the storage of the argument it is a view of; one that is written is replaced by
    the argument.
    """
    info = get_alias_info(func)
    given = {**dict(zip((a.name for a in info.args), args, strict=False)), **kwargs}
    _share_storages(info, given, out)
    if info.outs_write_aliases is None:
        return out
    written = [_written_argument(info, given, letter) for letter in info.outs_write_aliases]
    wrapper = isinstance(written[0], Tensor) and written[0]._sig_ & S.NO_MEMORY
    if wrapper and Tag.inplace_view in func.tags:
        _take_geometry(func, args, kwargs, written[0])
    return written[0] if len(written) == 1 else type(out)(written)


def _share_storages(info: SchemaInfo, given: dict[Any, Any], out: Any) -> None:
    results = out if isinstance(out, (list, tuple)) else (out,)
    for argument in info.args:
        if argument.is_write or not argument.alias_set:
            continue
        source = given.get(argument.name)
        for i, result in enumerate(info.outs):
            if argument.alias_set & result.alias_set or "*" in result.alias_set:
                targets = results if len(info.outs) == 1 else (results[i],)
                for target in targets:
                    if isinstance(target, Tensor) and isinstance(source, Tensor):
                        _take_storage(source, target)


def _take_storage(source: Any, target: Any) -> None:
    """Give *target* the storage of *source*; its own sizes, strides and offset stay."""
    alias = alias_of(source)
    if alias.storage is None:
        storage_of(source)
    target._shared_ = alias


def _take_geometry(func: Any, args: Any, kwargs: Any, written: Tensor) -> None:
    """Let the wrapper *written* have the sizes and strides that *func* gives it.

    They are those that it gives a tensor on meta of the wrapper's present ones.
    """
    if any(isinstance(a, (TypedStorage, UntypedStorage)) for a in args):
        return  # how large it is, the inner tensors know
    tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, Tensor)]
    inside = {id(t): wrap(t._a_, S.META) for t in tensors}
    plain, named = tree_map(lambda a: inside.get(id(a), a), (args, kwargs))
    with _DisableTorchDispatch():
        func(*plain, **named)
    changed = inside[id(written)]
    look_at(written, changed._a_)
    alias_of(written).value += changed._version  # of ops that count their change themselves


def _written_argument(info: SchemaInfo, given: dict[Any, Any], letter: str) -> Any:
    for argument in info.args:
        if argument.is_write and letter in argument.alias_set:
            return given[argument.name]
    raise AssertionError(f"no argument of the schema is written as {letter}")
