"""The refusals of arguments that torch's bindings of C++ write."""

from __future__ import annotations

from operator import index
from typing import Any

from .durations import Duration
from .errors import DistStoreError

_HEAD = "incompatible function arguments. The following argument types are supported:"
_KEYS = "arg0: collections.abc.Sequence[str]"


def lines(supported: list[str]) -> str:
    """The numbered list of what is supported."""
    return "\n".join(f"    {n}. {line}" for n, line in enumerate(supported, 1))


def refuse(store: Any, name: str, takes: str | list[str], gives: str, *given: Any) -> TypeError:
    """The error that method *name* does not take *given*."""
    kinds = [takes] if isinstance(takes, str) else takes
    listed = lines([f"(self: torch._C._distributed_c10d.Store, {t}) -> {gives}" for t in kinds])
    invoked = ", ".join(map(repr, (store, *given)))
    return TypeError(f"{name}(): {_HEAD}\n{listed}\n\nInvoked with: {invoked}")


def string(store: Any, name: str, takes: str, gives: str, *given: Any) -> None:
    """Refuse what is neither text nor bytes."""
    if not all(isinstance(g, str | bytes) for g in given):
        raise refuse(store, name, takes, gives, *given)


#: What methods whose arguments are all texts take and give.
_TEXTS = {
    "append": ("arg0: str, arg1: str", "None"),
    "compare_set": ("arg0: str, arg1: str, arg2: str", "bytes"),
    "delete_key": ("arg0: str", "bool"),
    "queue_push": ("arg0: str, arg1: str", "None"),
}


def texts(store: Any, name: str, *given: Any) -> None:
    """Refuse what is neither text nor bytes for the method *name*."""
    string(store, name, *_TEXTS[name], *given)


def pairs(store: Any, keys: Any, values: Any) -> None:
    """Refuse keys and values that do not belong to each other."""
    takes = f"{_KEYS}, arg1: collections.abc.Sequence[str]"
    for given in (keys, values):
        if not isinstance(given, list | tuple):
            raise refuse(store, "multi_set", takes, "None", keys, values)
        string(store, "multi_set", takes, "None", *given)
    if len(keys) != len(values):
        raise DistStoreError("multiSet keys and values vectors must be of same size")


def integer(store: Any, name: str, gives: str, key: Any, amount: Any) -> int:
    """*amount* as an int."""
    takes = "arg0: str, arg1: typing.SupportsInt | typing.SupportsIndex"
    if isinstance(key, str):
        try:
            return index(amount)
        except TypeError:
            pass
    raise refuse(store, name, takes, gives, key, amount)


def strings(store: Any, name: str, gives: str, keys: Any) -> list[str]:
    """*keys*, a sequence of texts."""
    if _are_strings(keys):
        return list(keys)
    raise refuse(store, name, _KEYS, gives, keys)


def waited_for(store: Any, keys: Any, timeout: Any) -> list[str]:
    """*keys*, a sequence of texts, where *timeout* is a duration or None."""
    if _are_strings(keys) and (timeout is None or isinstance(timeout, Duration)):
        return list(keys)
    takes = [_KEYS, f"{_KEYS}, arg1: datetime.timedelta"]
    raise refuse(store, "wait", takes, "None", keys, *([] if timeout is None else [timeout]))


def _are_strings(keys: Any) -> bool:
    return isinstance(keys, list | tuple) and all(isinstance(k, str) for k in keys)
