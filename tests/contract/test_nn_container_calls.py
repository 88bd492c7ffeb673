"""Every call of a container with every kind of key and value: what it returns, leaves, refuses."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

ours = importlib.import_module("mindtorch")


def modules(t: Any, kind: str, names: str) -> Any:
    """A container of layers with *names*, which differ from each other."""
    made = getattr(t.nn, kind)()
    for i, name in enumerate(names):
        made.add_module(name, t.nn.Linear(i + 1, 1))
    return made


#: How a container is made, and a value that fits into it.
CONTAINERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    **{
        f"{kind} of {names}": (
            lambda t, kind=kind, names=names: modules(t, kind, names),
            lambda t: t.nn.ReLU(),
        )
        for kind in ("Sequential", "ModuleList")
        for names in ("012", "02", "a", "0a2", "")
    },
    "ModuleDict": (lambda t: modules(t, "ModuleDict", "ab"), lambda t: t.nn.ReLU()),
    "ParameterList": (
        lambda t: t.nn.ParameterList([t.ones(1), t.nn.Parameter(t.ones(2))]),
        lambda t: t.nn.Parameter(t.zeros(7)),
    ),
    "ParameterDict": (
        lambda t: t.nn.ParameterDict({"a": t.ones(1), "b": t.nn.Parameter(t.ones(2))}),
        lambda t: t.nn.Parameter(t.zeros(7)),
    ),
}
KEYS = (
    *(0, -1, 2, 9, -9, "a", "0", "z", None, 1.5, True),
    *(slice(0, 1), slice(None, None, -1), (0,), b"a"),
)
VALUES: tuple[Callable[[Any, Any, Any], Any], ...] = (
    lambda t, fitting, made: fitting,
    lambda t, fitting, made: 3,
    lambda t, fitting, made: None,
    lambda t, fitting, made: [fitting],
    lambda t, fitting, made: (fitting, 3),
    lambda t, fitting, made: {"a": fitting},
    lambda t, fitting, made: {3: fitting},
    lambda t, fitting, made: [("a", fitting)],
    lambda t, fitting, made: [("a",)],
    lambda t, fitting, made: [["a", fitting, 3]],
    lambda t, fitting, made: made,
    lambda t, fitting, made: "ab",
    lambda t, fitting, made: t.ones(2),
    lambda t, fitting, made: iter([fitting]),
)
BY_KEY = ("__getitem__", "__delitem__", "__contains__", "pop", "get")
WITH_KEY_AND_VALUE = ("__setitem__", "insert", "get", "setdefault")
OF_VALUES = (
    *("append", "extend", "update", "__add__", "__iadd__", "__mul__", "__imul__", "__or__"),
    *("__ior__", "__ror__", "fromkeys"),
)
PLAIN = (
    *("copy", "clear", "popitem", "keys", "items", "values", "__reversed__", "__len__"),
    *("__iter__", "extra_repr"),
)


def calls(t: Any, kind: str) -> Iterator[tuple[str, Any, str, tuple[Any, ...]]]:
    """What is called, of a container of its own each time, with which arguments."""
    make, fitting = CONTAINERS[kind]
    for key in KEYS:
        for name in BY_KEY:
            yield f"{name} {key!r}", make(t), name, (key,)
        for name in WITH_KEY_AND_VALUE:
            for i in range(3):
                yield f"{name} {key!r} {i}", make(t), name, (key, VALUES[i](t, fitting(t), None))
    for name in OF_VALUES:
        for i, value in enumerate(VALUES):
            yield f"{name} {i}", make(t), name, (value(t, fitting(t), make(t)),)
    for name in PLAIN:
        yield name, make(t), name, ()


def left(t: Any, made: Any) -> str:
    """The text of a container, or the error of who asks for it."""
    try:
        return f"{made!r} {list(made.state_dict())}"
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def notes(t: Any, kind: str) -> list[str]:
    """One line for each call: the result or the error, and what the container is then."""
    lines = []
    for text, made, name, arguments in calls(t, kind):
        try:
            result = getattr(made, name)(*arguments)
            if hasattr(result, "__next__") or name in ("keys", "items", "values"):
                result = list(result)
            said = "itself" if result is made else repr(result)
        except Exception as e:
            said = f"{type(e).__name__}: {e}"
        line = f"{text}: {said} | {left(t, made)}"
        lines.append(line.replace("mindtorch", "torch"))
    return lines


@pytest.mark.parametrize("kind", CONTAINERS)
def test_every_call_does_what_the_oracles_does(kind):
    """Positions go by names, which need not be numbers, as in the oracle."""
    assert notes(ours, kind) == notes(torch, kind)


def test_the_text_of_parameters_without_numbers_names_no_device():
    """Only an accelerator is named."""
    for kind in ("ParameterList", "ParameterDict"):
        texts = [
            repr(CONTAINERS[kind][0](t).to(where))
            for t in (ours, torch)
            for where in ("meta", "cpu")
        ]
        assert texts[:2] == texts[2:]
    assert "(npu:0)" in repr(ours.nn.ParameterList([ours.ones(1, device="npu")]))
