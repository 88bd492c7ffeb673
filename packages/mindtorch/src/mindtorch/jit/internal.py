"""``torch._jit_internal``: marks and helpers of TorchScript. Functions run as they are here."""

from __future__ import annotations

import contextlib
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Final, Union, get_args, get_origin

from ..core.warning import warn
from ..futures import Future

__all__ = [
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "BroadcastingList4",
    "BroadcastingList5",
    "BroadcastingList6",
    "BroadcastingListCls",
    "Final",
    "FunctionModifiers",
    "Future",
    "boolean_dispatch",
    "copy_torchscript_modifier",
    "export",
    "get_torchscript_modifier",
    "ignore",
    "is_ignored_fn",
    "is_scripting",
    "should_drop",
    "unused",
]


class BroadcastingListCls:
    """In an annotation: a list, or one number that stands for all of its entries."""

    def __getitem__(self, types: Any) -> None:
        return None


BroadcastingList1 = BroadcastingListCls()
BroadcastingList2 = BroadcastingListCls()
BroadcastingList3 = BroadcastingListCls()
BroadcastingList4 = BroadcastingListCls()
BroadcastingList5 = BroadcastingListCls()
BroadcastingList6 = BroadcastingListCls()


class FunctionModifiers:
    """What a mark on a function says."""

    UNUSED = "unused (ignored and replaced with raising of an exception)"
    IGNORE = "ignore (leave as a call to Python, cannot be torch.jit.save'd)"
    EXPORT = "export (compile this function even if nothing calls it)"
    DEFAULT = "default (compile if called from a exported function / forward)"
    COPY_TO_SCRIPT_WRAPPER = (
        "if this method is not scripted, copy the python method onto the scripted model"
    )
    _DROP = "_drop (function is fully ignored, declaration can be unscriptable)"


def is_scripting() -> bool:
    """False: functions run in Python."""
    return False


def _mark(fn: Any, modifier: str) -> Any:
    fn._torchscript_modifier = modifier
    return fn


def export(fn: Any) -> Any:
    """Mark a method as one that a scripted module has; returns it."""
    return _mark(fn, FunctionModifiers.EXPORT)


def unused(fn: Any) -> Any:
    """Mark a method, or a property, as one that a scripted module does not run; returns it."""
    if isinstance(fn, property):
        for part in (fn.fget, fn.fset):
            if part is not None:
                _mark(part, FunctionModifiers.UNUSED)
        return fn
    return _mark(fn, FunctionModifiers.UNUSED)


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Mark a method as one that stays in Python; with ``drop=True``, as one that is not run.

    Raises RuntimeError for an argument that is neither a bool nor a function.
    """
    if callable(drop):
        return _mark(drop, FunctionModifiers.IGNORE)
    if not isinstance(drop, bool):
        raise RuntimeError(
            f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}"
        )
    # An argument of older programs.
    on_export = kwargs.pop("drop_on_export", None)
    said = ""
    if on_export:
        said = "ignore(drop_on_export=True)"
    elif drop:
        said = "ignore(True)"
    if said:
        warn(
            f"{said} has been deprecated. TorchScript will now drop the function call on "
            f"compilation. Use torch.jit.unused now. {kwargs}",
            category=FutureWarning,
        )

    def decorator(fn: Any) -> Any:
        return _mark(fn, FunctionModifiers.UNUSED if said else FunctionModifiers.IGNORE)

    return decorator


def _drop(fn: Any) -> Any:
    """Mark a method as one that a scripted module lacks; returns it."""
    return _mark(fn, FunctionModifiers._DROP)


def _copy_to_script_wrapper(fn: Any) -> Any:
    """Mark a method as one that a scripted module takes over as it is; returns it."""
    return _mark(fn, FunctionModifiers.COPY_TO_SCRIPT_WRAPPER)


def get_torchscript_modifier(fn: Any) -> str | None:
    """The mark on *fn*; None for what is no function."""
    if not callable(fn):
        return None
    fn = getattr(fn, "__func__", fn)
    found: str = getattr(fn, "_torchscript_modifier", FunctionModifiers.DEFAULT)
    return found


def copy_torchscript_modifier(orig: Any, new: Any) -> None:
    """Mark *new* as *orig* is marked."""
    modifier = get_torchscript_modifier(orig)
    if modifier is not None:
        new._torchscript_modifier = modifier


def should_drop(fn: Any) -> bool:
    """Whether *fn* is marked as unused."""
    return get_torchscript_modifier(fn) == FunctionModifiers.UNUSED


def is_ignored_fn(fn: Any) -> bool:
    """Whether *fn* is marked as unused, ignored or dropped."""
    marks = (FunctionModifiers.UNUSED, FunctionModifiers.IGNORE, FunctionModifiers._DROP)
    return get_torchscript_modifier(fn) in marks


def _is_drop_fn(fn: Any) -> bool:
    return get_torchscript_modifier(fn) == FunctionModifiers._DROP


def module_has_exports(mod: Any) -> bool:
    """Whether a method of *mod* is marked with :func:`export`."""
    for name in dir(type(mod)):
        item = getattr(type(mod), name, None)
        if callable(item) and get_torchscript_modifier(item) is FunctionModifiers.EXPORT:
            return True
    return False


def is_static_fn(cls: Any, fn: str) -> bool:
    """Whether *fn* names a static method of *cls*."""
    return isinstance(inspect.getattr_static(cls, fn, default=None), staticmethod)


def can_compile_class(cls: Any) -> bool:
    """Whether the methods of *cls* are written in Python."""
    if is_ignored_fn(cls):
        return False
    names = [name for name in cls.__dict__ if inspect.isroutine(getattr(cls, name, None))]
    return all(hasattr(getattr(cls, name), "__code__") for name in names)


def _overload(func: Any) -> Any:
    """Declare one of several signatures of a function, whose implementation follows."""
    _overloaded.setdefault(_qualified_name(func), []).append(func)
    return func


def _overload_method(func: Any) -> Any:
    """Declare one of several signatures of a method, whose implementation follows."""
    return _overload(func)


_overloaded: dict[str, list[Any]] = {}


def _get_fn_overloads(qual_name: str) -> list[Any] | None:
    return _overloaded.get(qual_name)


def _clear_fn_overloads(qual_name: str) -> None:
    _overloaded.pop(qual_name, None)


boolean_dispatched: dict[Any, dict[str, Any]] = {}


def boolean_dispatch(
    arg_name: str,
    arg_index: int,
    default: bool,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    module_name: str,
    func_name: str,
) -> Callable[..., Any]:
    """A function that calls one of two, by its argument *arg_name*."""

    def fn(*args: Any, **kwargs: Any) -> Any:
        chosen = default
        if arg_name in kwargs:
            chosen = kwargs[arg_name]
        elif arg_index < len(args):
            chosen = args[arg_index]
        return (if_true if chosen else if_false)(*args, **kwargs)

    docs = [one.__doc__ for one in (if_true, if_false) if one.__doc__ is not None]
    if len(docs) == 2:
        raise RuntimeError("only one function can have a docstring")
    fn.__doc__ = docs[0] if docs else None
    fn.__name__, fn.__module__ = func_name, module_name
    facts = {"arg_name": arg_name, "index": arg_index, "default": default}
    boolean_dispatched[fn] = {**facts, "if_true": if_true, "if_false": if_false}
    return fn


def _try_get_dispatched_fn(fn: Any) -> dict[str, Any] | None:
    return boolean_dispatched.get(fn) if callable(fn) else None


def get_callable_argument_names(fn: Any) -> list[str]:
    """The names of the arguments that can be given by position and by name; [] if unknown."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except Exception:
        return []
    return [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


def _qualified_name(obj: Any, mangle_name: bool = True) -> str:
    """The name of a function or class in TorchScript: ``__torch__.module.name``."""
    if hasattr(obj, "_jit_override_qualname"):
        return str(obj._jit_override_qualname)
    if hasattr(obj, "qualified_name") and not isinstance(obj, type):
        return str(obj.qualified_name)
    name = "_lambda" if obj.__name__ == "<lambda>" else obj.__name__
    module = obj.__module__
    if module is None:
        raise RuntimeError(
            f"Could not get qualified name for class '{name}': __module__ can't be None."
        )
    module = module.replace("<", "_").replace(">", "_").replace("mindtorch.", "torch.", 1)
    if mangle_name:
        module = "__torch__" if module == "__main__" else "__torch__." + module
    if "." in name:
        raise RuntimeError(
            f"Could not get qualified name for class '{name}': '{name}' is not a valid identifier"
        )
    return f"{module}.{name}"


# Annotations ---------------------------------------------------------------------------------


def _needs_contained(ann: Any, bare: tuple[Any, ...], origin: type, what: str) -> bool:
    if ann in bare:
        raise RuntimeError(what)
    return get_origin(ann) is origin


def is_tuple(ann: Any) -> bool:
    """Whether *ann* is a tuple of types. Raises RuntimeError for a tuple of anything."""
    return _needs_contained(
        ann,
        (tuple, typing.Tuple),  # noqa: UP006  (an annotation of older programs)
        tuple,
        "Attempted to use tuple without a contained type. Please add a contained type, "
        "e.g. tuple[int]",
    )


def is_list(ann: Any) -> bool:
    """Whether *ann* is a list of a type. Raises RuntimeError for a list of anything."""
    return _needs_contained(
        ann,
        (list, typing.List),  # noqa: UP006  # programs have both
        list,
        "Attempted to use list without a contained type. Please add a contained type, "
        "e.g. list[int]",
    )


def is_dict(ann: Any) -> bool:
    """Whether *ann* is a dict of types. Raises RuntimeError for a dict of anything."""
    return _needs_contained(
        ann,
        (dict, typing.Dict),  # noqa: UP006  # programs have both
        dict,
        "Attempted to use dict without contained types. Please add contained type, "
        "e.g. dict[int, int]",
    )


def is_union(ann: Any) -> bool:
    """Whether *ann* is one of several types. Raises RuntimeError for a union of nothing."""
    if ann is Union:
        raise RuntimeError(
            "Attempted to use Union without a contained type. Please add a contained type, "
            "e.g. Union[int, float]"
        )
    return get_origin(ann) in (Union, types.UnionType)


def is_optional(ann: Any) -> bool:
    """Whether *ann* is a type or None. Raises RuntimeError for None or nothing."""
    if ann is typing.Optional:
        raise RuntimeError(
            "Attempted to use Optional without a contained type. Please add a contained type, "
            "e.g. Optional[int]"
        )
    return is_union(ann) and len(get_args(ann)) == 2 and type(None) in get_args(ann)


def is_future(ann: Any) -> bool:
    """Whether *ann* is a future of a type."""
    if ann is Future:
        raise RuntimeError(
            "Attempted to use Future without a contained type. Please add a contained type, "
            "e.g. Future[int]"
        )
    return get_origin(ann) is Future


def is_final(ann: Any) -> bool:
    """Whether *ann* says that an attribute is a constant."""
    return ann is Final or get_origin(ann) is Final


def get_annotation_str(annotation: Any) -> str:
    """An annotation's syntax tree as text."""
    import ast

    return ast.unparse(annotation)


_LOST = (
    "The inner type of a container is lost when calling torch.jit.isinstance in eager mode. For "
    "example, List[int] would become list and therefore falsely return True for List[float] or "
    "List[str]."
)


def _contains(obj: Any, target: Any) -> bool:
    """Whether *obj* is of the one type *target*, and what it contains of its types."""
    args = get_args(target)
    if is_list(target):
        _check_empty(obj)
        return isinstance(obj, list) and all(_contains(x, args[0]) for x in obj)
    if is_dict(target):
        _check_empty(obj)
        return isinstance(obj, dict) and all(
            _contains(k, args[0]) and _contains(v, args[1]) for k, v in obj.items()
        )
    if is_tuple(target):
        if not isinstance(obj, tuple) or len(obj) != len(args):
            return False
        return all(_contains(x, t) for x, t in zip(obj, args))
    if is_union(target):
        return any(obj is None if t is type(None) else _contains(obj, t) for t in args)
    return isinstance(obj, target)


def _check_empty(obj: Any) -> None:
    if isinstance(obj, (list, dict, tuple)) and not obj:
        warn(_LOST)


def _isinstance(obj: Any, target_type: Any) -> bool:
    """``isinstance`` that knows of ``list[int]`` and the like, and looks into containers.

    Raises RuntimeError for a target that is no type, and for a container of anything.
    """
    targets = target_type if isinstance(target_type, tuple) else (target_type,)
    for target in targets:
        if not isinstance(target, type) and get_origin(target) is None:
            if target in (typing.List, typing.Dict, typing.Tuple, typing.Optional):  # noqa: UP006  # programs have both
                continue
            raise RuntimeError(
                "The second argument to `torch.jit.isinstance` must be a type or a tuple of types"
            )
    return any(_contains(obj, target) for target in targets)


class _IgnoreContextManager(contextlib.AbstractContextManager[None]):
    """A block that stays in Python: nothing is different."""

    def __init__(self, **kwargs: Any) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        pass


@contextlib.contextmanager
def _disable_emit_hooks() -> Iterator[None]:
    """A block in which the compiler says nothing: nothing is different."""
    yield


def createResolutionCallbackFromFrame(frames_up: int = 0) -> Callable[[str], Any]:
    """A function that looks a name up where the caller, or its caller, stands."""
    frame = sys._getframe(frames_up + 1)
    known = {**frame.f_globals, **frame.f_locals}
    return known.get
