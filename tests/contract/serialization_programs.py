"""What programs around ``save`` and ``load`` have in common, and how outcomes are compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindtorch
import torch

from .checkpoints import saved
from .hearing import hearing
from .helpers import describe, differences

Programs = dict[str, Callable[[Any, Path], Any]]


def collector(programs: Programs) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What puts a function among *programs*, which take a library and a folder."""

    def program(f: Callable[..., Any]) -> Callable[..., Any]:
        takes_folder = f.__code__.co_argcount == 2
        programs[f.__name__] = f if takes_folder else lambda t, folder: f(t)
        return f

    return program


def back(t: Any, obj: Any, **how: Any) -> Any:
    return t.load(saved(t, obj), **how)


def attempts(*thunks: Callable[[], Any]) -> list[Any]:
    """What came of each: the value, or the error's name and text."""
    found: list[Any] = []
    for thunk in thunks:
        try:
            found.append(thunk())
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


def check(run: Callable[[Any, Path], Any], folder: Path) -> None:
    """Value or error, and the warnings on the way, are those of torch."""
    ours, oracle = (_outcome(run, t, folder) for t in (mindtorch, torch))
    assert not differences(ours, oracle), f" ours: {describe(ours)}\ntorch: {describe(oracle)}"


def _outcome(run: Callable[..., Any], t: Any, folder: Path) -> Any:
    (folder / t.__name__).mkdir()
    with hearing() as caught:
        found = attempts(lambda: run(t, folder / t.__name__))
    return _named(found), [
        f"{w.category.__name__}: {w.message}".replace("mindtorch", "torch") for w in caught
    ]


def _named(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("mindtorch", "torch")
    if type(value) in (list, tuple):
        return [_named(v) for v in value]
    return value
