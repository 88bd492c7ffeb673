"""Timed code: a call, or a call and its backward, as a loop without anything around it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple

from .portable import Packed

__all__ = ["Turn", "Way", "backward", "differentiable", "forward", "function", "once"]

Turn = Callable[[int], int]  # number of calls -> nanoseconds of CPU time


class Way(NamedTuple):
    """How a row is called: ``function`` of a module, ``method``, ``overload`` of a packet."""

    kind: str
    home: str
    name: str


def function(torch: Any, way: Way) -> Callable[..., Any]:
    """The callable, for calls that are not timed."""
    if way.kind == "method":
        found: Callable[..., Any] = getattr(torch.Tensor, way.name)
    else:
        found = getattr(_owner(torch, way), way.name)
    return found


def _owner(torch: Any, way: Way) -> Any:
    """What the name is looked up in."""
    owner = torch
    if way.kind == "overload":
        return getattr(torch.ops.aten, way.home)
    for part in way.home.split(".") if way.home else []:
        owner = getattr(owner, part)
    return owner


def _written(torch: Any, way: Way, call: Packed) -> tuple[str, dict[str, Any]]:
    """The call as a user writes it, and the names in it."""
    names: dict[str, Any] = {f"a{i}": value for i, value in enumerate(call.args)}
    named = {f"k_{name}": value for name, value in call.kwargs.items()}
    words = [*names, *(f"{name}=k_{name}" for name in call.kwargs)]
    names |= named
    if way.kind == "method":
        return f"{words[0]}.{way.name}({', '.join(words[1:])})", names
    if way.kind == "overload":  # a user keeps it: the packet is looked up once
        names["f"] = function(torch, way)
        return f"f({', '.join(words)})", names
    names["m"] = _owner(torch, way)
    return f"m.{way.name}({', '.join(words)})", names


def _loop(lines: list[str], names: dict[str, Any]) -> Turn:
    """A function that runs *lines* a number of times; the names are its locals."""
    head = f"def turn(n_, {', '.join(f'{n}={n}' for n in names)}):"
    body = ["start_ = now_()", "for _ in repeat_(None, n_):", *(f"    {x}" for x in lines)]
    body += ["return now_() - start_"]
    space = {**names, "now_": process_time_ns, "repeat_": repeat}
    exec("\n".join([head, *(f"    {x}" for x in body)]), space)
    turn: Turn = space["turn"]
    return turn


def forward(torch: Any, way: Way, call: Packed) -> Turn:
    """The call alone; its result is dropped."""
    text, names = _written(torch, way, call)
    return _loop([text], names)


def backward(torch: Any, way: Way, call: Packed, results: tuple[int, ...]) -> Turn:
    """The call and the gradients of its operands, which are dropped as an optimizer drops them."""
    text, names = _written(torch, way, call)
    result = function(torch, way)(*call.args, **call.kwargs)
    leaves = {f"x{i}": t for i, t in enumerate(_leaves(torch, call))}
    if not results:
        given = "" if result.dim() == 0 and not result.is_complex() else "g0"
        names["g0"] = torch.ones_like(result.detach())
        lines = [f"r = {text}", f"r.backward({given})"]
    else:
        names |= {f"g{i}": torch.ones_like(result[i].detach()) for i in results}
        names["backward_"] = torch.autograd.backward
        several = "".join(f"r[{i}], " for i in results)
        gradients = "".join(f"g{i}, " for i in results)
        lines = [f"r = {text}", f"backward_(({several}), ({gradients}))"]
    lines += [f"{name}.grad = None" for name in leaves]
    return _loop(lines, names | leaves)


def once(torch: Any, way: Way, call: Packed) -> int:
    """Nanoseconds of a single call by the clock on the wall: short enough to be left alone."""
    text, names = _written(torch, way, call)
    space = {**names, "now_": perf_counter_ns}
    head = f"def call({', '.join(f'{n}={n}' for n in names)}):"
    exec(f"{head}\n    s_ = now_()\n    {text}\n    return now_() - s_", space)
    taken: int = space["call"]()
    return taken


def differentiable(torch: Any, result: Any) -> tuple[int, ...] | None:
    """Which members of *result* have a gradient, ``()`` for a tensor itself; None: none has."""
    if isinstance(result, torch.Tensor):
        return () if result.requires_grad else None
    if not isinstance(result, (list, tuple)):
        return None
    found = [i for i, r in enumerate(result) if isinstance(r, torch.Tensor) and r.requires_grad]
    return tuple(found) or None


def _leaves(torch: Any, value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor):
        return [value] if value.requires_grad else []
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, (list, tuple)):
        return []
    found: list[Any] = []
    for item in value:
        found += [x for x in _leaves(torch, item) if all(x is not y for y in found)]
    return found
