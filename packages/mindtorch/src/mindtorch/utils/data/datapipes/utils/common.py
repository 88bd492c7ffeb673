"""Checks of the functions that pipes call, files by name, and streams that close themselves."""

from __future__ import annotations

import fnmatch
import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from io import IOBase
from typing import Any

from .....core.warning import warn

__all__ = [
    "validate_input_col",
    "StreamWrapper",
    "get_file_binaries_from_pathnames",
    "get_file_pathnames_from_root",
    "match_masks",
    "validate_pathname_binary_tuple",
]

DILL_AVAILABLE = find_spec("dill") is not None


def validate_input_col(
    fn: Callable[..., Any], input_col: int | tuple[Any, ...] | list[Any] | None
) -> None:
    """Raise ValueError if *fn* cannot take as many arguments as there are in *input_col*.

    None is one argument, and so is one column. Functions without a signature are trusted.
    """
    try:
        sig = inspect.signature(fn)
    except ValueError:  # a function of C may have none
        return
    wanted = len(input_col) if isinstance(input_col, (list, tuple)) else 1
    positional, required, keyword_only = [], [], []
    any_number = False
    for p in sig.parameters.values():
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            positional.append(p)
            if p.default is p.empty:
                required.append(p)
        elif p.kind is p.VAR_POSITIONAL:
            any_number = True
        elif p.kind is p.KEYWORD_ONLY and p.default is p.empty:
            keyword_only.append(p)
    name = repr(fn) if isinstance(fn, functools.partial) else getattr(fn, "__name__", str(fn))
    if keyword_only:
        raise ValueError(
            f"The function {name} takes {len(keyword_only)} "
            "non-default keyword-only parameters, which is not allowed."
        )
    if len(sig.parameters) < wanted and not any_number:
        raise ValueError(
            f"The function {name} takes {len(sig.parameters)} "
            f"parameters, but {wanted} are required."
        )
    if len(required) > wanted or (len(positional) < wanted and not any_number):
        raise ValueError(
            f"The function {name} takes {len(positional)} "
            f"positional parameters, but {wanted} are required."
        )


def _is_local_fn(fn: Any) -> bool:
    """Whether *fn* is defined in a function."""
    if hasattr(fn, "__code__"):
        return bool(fn.__code__.co_flags & inspect.CO_NESTED)
    for holder in (fn, type(fn)):
        if hasattr(holder, "__qualname__"):
            return "<locals>" in holder.__qualname__
    return False


def _check_unpickable_fn(fn: Callable[..., Any]) -> None:
    """Warn of a function that no worker can be given. Raise TypeError for what is none."""
    if not callable(fn):
        raise TypeError(f"A callable function is expected, but {type(fn)} is provided.")
    while isinstance(fn, functools.partial):
        fn = fn.func
    if _is_local_fn(fn) and not DILL_AVAILABLE:
        warn(
            "Local function is not supported by pickle, please use "
            "regular python function or functools.partial instead.",
        )
    elif getattr(fn, "__name__", None) == "<lambda>" and not DILL_AVAILABLE:
        warn(
            "Lambda function is not supported by pickle, please use "
            "regular python function or functools.partial instead.",
        )


def match_masks(name: str, masks: str | list[str]) -> bool:
    """Whether *name* matches one of *masks*; every name does if there are none."""
    if not masks:
        return True
    each = [masks] if isinstance(masks, str) else masks
    return any(fnmatch.fnmatch(name, mask) for mask in each)


def get_file_pathnames_from_root(
    root: str,
    masks: str | list[str],
    recursive: bool = False,
    abspath: bool = False,
    non_deterministic: bool = False,
) -> Iterable[str]:
    """The paths of the files in *root*, in order unless *non_deterministic*.

    That a folder cannot be read is warned about, and raised.
    """

    def unreadable(err: OSError) -> None:
        warn(f"{err.filename} : {err.strerror}")
        try:
            raise err
        finally:
            del err

    if os.path.isfile(root):
        path = os.path.abspath(root) if abspath else root
        if match_masks(os.path.basename(path), masks):
            yield path
        return
    for path, folders, files in os.walk(root, onerror=unreadable):
        if abspath:
            path = os.path.abspath(path)
        if not non_deterministic:
            files.sort()
            folders.sort()  # walked in that order, too
        for name in files:
            if match_masks(name, masks):
                yield os.path.join(path, name)
        if not recursive:
            return


def get_file_binaries_from_pathnames(
    pathnames: Iterable[Any], mode: str, encoding: str | None = None
) -> Iterator[tuple[str, StreamWrapper]]:
    """Each path with its open file."""
    opened_as = f"r{mode}" if mode in ("b", "t") else mode
    for path in pathnames if isinstance(pathnames, Iterable) else [pathnames]:
        if not isinstance(path, str):
            raise TypeError(f"Expected string type for pathname, but got {type(path)}")
        yield path, StreamWrapper(open(path, opened_as, encoding=encoding))  # noqa: SIM115


def validate_pathname_binary_tuple(data: Any) -> None:
    """Raise TypeError if *data* is not a tuple of a path and an open file."""
    if not isinstance(data, tuple):
        raise TypeError(f"pathname binary data should be tuple type, but it is type {type(data)}")
    if len(data) != 2:
        raise TypeError(f"pathname binary stream tuple length should be 2, but got {len(data)}")
    if not isinstance(data[0], str):
        raise TypeError(
            "pathname within the tuple should have string type pathname, "
            f"but it is type {type(data[0])}"
        )
    if not isinstance(data[1], IOBase) and not isinstance(data[1], StreamWrapper):
        raise TypeError(
            "binary stream within the tuple should have IOBase or"
            f"its subclasses as type, but it is type {type(data[1])}"
        )


# Short forms that are deprecated, and what `_deprecation_warning` is to say of them.
_iter_deprecated_functional_names: dict[str, dict[str, Any]] = {}
_map_deprecated_functional_names: dict[str, dict[str, Any]] = {}


def _deprecation_warning(
    old_class_name: str,
    *,
    deprecation_version: str,
    removal_version: str,
    old_functional_name: str = "",
    old_argument_name: str = "",
    new_class_name: str = "",
    new_functional_name: str = "",
    new_argument_name: str = "",
    deprecate_functional_name_only: bool = False,
) -> None:
    """Warn of a class, a short form or an argument that is to go."""
    if new_functional_name and not old_functional_name:
        raise ValueError("Old functional API needs to be specified for the deprecation warning.")
    if new_argument_name and not old_argument_name:
        raise ValueError("Old argument name needs to be specified for the deprecation warning.")
    if old_functional_name and old_argument_name:
        raise ValueError("Deprecating warning for functional API and argument should be separated.")
    verb = "is"
    what = f"`{old_class_name}()`"
    if deprecate_functional_name_only and old_functional_name:
        what += f"'s functional API `.{old_functional_name}()`"
    elif old_functional_name:
        what += f" and its functional API `.{old_functional_name}()`"
        verb = "are"
    elif old_argument_name:
        what = f"The argument `{old_argument_name}` of {what}"
    text = (
        f"{what} {verb} deprecated since {deprecation_version} and will be removed in "
        f"{removal_version}.\nSee https://github.com/pytorch/data/issues/163 for details."
    )
    if new_class_name or new_functional_name:
        instead = []
        if new_class_name:
            instead.append(f"`{new_class_name}()`")
        if new_functional_name:
            instead.append(f"`.{new_functional_name}()`")
        text += f"\nPlease use {' or '.join(instead)} instead."
    if new_argument_name:
        text += f"\nPlease use `{old_class_name}({new_argument_name}=)` instead."
    warn(text, FutureWarning)


class StreamWrapper:
    """An open file that closes itself: when nobody has it any more, or after its last child."""

    session_streams: dict[Any, int] = {}
    debug_unclosed_streams: bool = False

    def __init__(self, file_obj: Any, parent_stream: Any = None, name: str | None = None) -> None:
        self.file_obj, self.name, self.parent_stream = file_obj, name, parent_stream
        self.closed = self.close_on_last_child = False
        self.child_counter = 0
        if isinstance(parent_stream, StreamWrapper):
            parent_stream.child_counter += 1
        elif parent_stream is not None:
            raise RuntimeError(
                f"Parent stream should be StreamWrapper, {type(parent_stream)} was given"
            )
        if StreamWrapper.debug_unclosed_streams:
            StreamWrapper.session_streams[self] = 1

    @classmethod
    def close_streams(cls, v: Any, depth: int = 0) -> None:
        """Close every stream in *v*, in containers up to ten deep, too."""
        if isinstance(v, StreamWrapper) and depth <= 10:
            v.close()
        elif isinstance(v, (dict, list, tuple)) and depth < 10:
            for each in v.values() if isinstance(v, dict) else v:
                cls.close_streams(each, depth=depth + 1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["file_obj"], name)

    def close(self, *args: Any, **kwargs: Any) -> None:
        """Close the file; the parent's, too, if this was its last child and it waits for that."""
        if self.closed:
            return
        if StreamWrapper.debug_unclosed_streams:
            del StreamWrapper.session_streams[self]
        parent = self.__dict__.get("parent_stream")
        if isinstance(parent, StreamWrapper):
            parent.child_counter -= 1
            if not parent.child_counter and parent.close_on_last_child:
                parent.close()
        try:
            self.file_obj.close(*args, **kwargs)
        except AttributeError:  # not every source has such a method
            pass
        self.closed = True

    def autoclose(self) -> None:
        """Close now, or with the last child."""
        self.close_on_last_child = True
        if self.child_counter == 0:
            self.close()

    def __dir__(self) -> list[str]:
        own = [*self.__dict__.keys(), *StreamWrapper.__dict__.keys(), "close"]
        return sorted(set(own) | set(dir(self.file_obj)))

    def __del__(self) -> None:
        if not self.__dict__.get("closed", True):
            self.close()

    def __iter__(self) -> Iterator[Any]:
        yield from self.file_obj

    def __next__(self) -> Any:
        return next(self.file_obj)

    def __repr__(self) -> str:
        if self.name is None:
            return f"StreamWrapper<{self.file_obj!r}>"
        return f"StreamWrapper<{self.name},{self.file_obj!r}>"

    def __getstate__(self) -> Any:
        return self.file_obj

    def __setstate__(self, obj: Any) -> None:
        self.__init__(obj)  # type: ignore[misc]  # the state is what it was made of
