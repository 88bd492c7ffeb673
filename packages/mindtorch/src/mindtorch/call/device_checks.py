"""Ops whose tensors must lie on one device before anything else is looked at, and in which words.

torch checks at the entry of most kernels of an accelerator, in a wrapper that is generated for each
op: ``device_checks.txt`` says which ops have one, of which make (its name is made up accordingly),
and which ops come to the wrapper of another op. Ops without one are elementwise, where numbers
follow and the iterator complains, or have words of their own (see ``mixed_devices``).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import argument_elsewhere
from .dispatch_entry import OVERLOADS
from .overload import OUT, Overload

__all__ = ["DeviceCheck", "device_check", "is_resized", "refuse_apart"]


class DeviceCheck(NamedTuple):
    """What the wrapper of an op looks at."""

    #: As torch's text names it.
    method: str
    #: Position and name of the tensors (or lists of them), in the order in which they are met.
    arguments: tuple[tuple[int, str], ...]

    def __call__(self, args: tuple[Any, ...]) -> None:
        """Raise RuntimeError at the first tensor that lies elsewhere than the very first."""
        expected = None
        for position, name in self.arguments:
            given = args[position]
            for t in given if isinstance(given, (list, tuple)) else (given,):
                device = getattr(t, "device", None)
                if device is None:
                    continue
                if expected is None:
                    expected = device
                elif device != expected:
                    raise argument_elsewhere(name, device, expected, self.method)


@cache
def device_check(overload: Overload) -> DeviceCheck | None:
    """The check of *overload*, None where torch makes none."""
    name = overload.name.removeprefix("aten::")
    make = _makes().get(name)
    if make is None or make == ["resized"]:
        return None
    overload.analyse()
    if make[0] not in ("structured", "plain"):
        method, *pairs = make
        named = [pair.split("=") for pair in pairs]
        return DeviceCheck(method, tuple((overload.names.index(a), b) for a, b in named))
    base, _, variant = name.partition(".")
    out = "_out" if overload.kind == OUT else ""
    parts = (base + out, variant) if make[0] == "structured" else (variant, base + out)
    method = "_".join(parts) if variant or make[0] == "plain" else parts[0]
    keyword = {a.name for a in overload.schema.arguments if a.kwarg_only}
    inputs = (
        i
        for i in sorted((*overload.tensor_positions, *overload.list_positions))
        if overload.names[i] not in keyword
    )
    order = (*overload.out_positions, *inputs)
    return DeviceCheck(method, tuple((i, overload.names[i]) for i in order))


def refuse_apart(name: str, args: tuple[Any, ...]) -> None:
    """Raise the error of the overload *name*, made up of other ops here, for tensors apart.

    Only wrappers made for an accelerator check: beside a meta tensor the ops within say it.
    """
    check = device_check(OVERLOADS[name])
    tensors = (t for a in args for t in (a if isinstance(a, (list, tuple)) else (a,)))
    if check is not None and not any(getattr(t, "is_meta", False) for t in tensors):
        check(args)


def is_resized(overload: Overload) -> bool:
    """Whether torch complains of the device of an ``out=`` where it resizes it."""
    return _makes().get(overload.name.removeprefix("aten::")) == ["resized"]


@cache
def _makes() -> dict[str, list[str]]:
    """Overload -> the make of its wrapper, or the method and the arguments of another's."""
    found = {}
    text = Path(__file__).with_name("device_checks.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        what, words = line.split(": ")
        if what in ("structured", "plain", "resized"):
            found.update({name: [what] for name in words.split()})
        else:
            found[what] = words.split()
    return found
