"""The refusals of arguments that torch's bindings of C++ write."""

from __future__ import annotations

from operator import index
from typing import Any

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
    if isinstance(keys, list | tuple) and all(isinstance(k, str) for k in keys):
        return list(keys)
    takes = [_KEYS]
    if name == "wait":
        takes.append(f"{_KEYS}, arg1: datetime.timedelta")
    raise refuse(store, name, takes, gives, keys)
