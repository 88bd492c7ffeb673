"""InvalidArguments: the text that torch gives for a call that fits no signature.

Source: torch/csrc/utils/invalid_arguments.cpp, format_invalid_args, with its ways: it reads the
printed signatures back by splitting them at ``", "``, so that ``*`` counts as an argument and
``int dim = 0`` is an argument called ``0``; and it lists keywords in the order of a C++ hash map.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

__all__ = ["hash_map_order", "invalid_arguments"]

_MASK = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_SEED = 0xC70F6907
# bucket counts of libstdc++'s unordered_map as it grows
_BUCKETS = (13, 29, 59, 127, 257, 541, 1109)


def _mix(value: int) -> int:
    return value ^ (value >> 47)


def _hash(data: bytes) -> int:
    """libstdc++'s ``std::hash<std::string>`` (64-bit MurmurHash)."""
    value = _SEED ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(data[start : start + 8], "little")
        value ^= _mix(word * _MULTIPLIER & _MASK) * _MULTIPLIER & _MASK
        value = value * _MULTIPLIER & _MASK
    if whole != len(data):
        value ^= int.from_bytes(data[whole:], "little")
        value = value * _MULTIPLIER & _MASK
    return _mix(_mix(value) * _MULTIPLIER & _MASK)


def hash_map_order(names: Iterable[str]) -> list[str]:
    """*names* in the order in which a ``std::unordered_map`` gives them back."""
    hashes = {name: _hash(name.encode()) for name in names}
    order: list[str] = []
    sizes = iter(_BUCKETS)
    buckets = 1

    def place(into: list[str], name: str) -> None:
        bucket = hashes[name] % buckets
        for i, other in enumerate(into):
            if hashes[other] % buckets == bucket:
                into.insert(i, name)
                return
        into.insert(0, name)

    for name in hashes:
        if len(order) + 1 > (0 if buckets == 1 else buckets):
            buckets = next(sizes)
            moved: list[str] = []
            for other in order:
                place(moved, other)
            order = moved
        place(order, name)
    return order


def _colours() -> tuple[str, str, str, str]:
    """Marks of a wrong and of a right argument; a terminal gets colours."""
    try:
        if os.isatty(1) and os.isatty(2):
            return "\33[31;1m", "\33[0m", "\33[32;1m", "\33[0m"
    except OSError:
        pass
    return "!", "!", "", ""


def _accepts(type_name: str, given: str) -> bool:
    if type_name == "float":
        return given in ("float", "int", "long")
    if type_name == "int":
        return given in ("int", "long")
    return type_name == given


def _describe(args: Sequence[Any], kwargs: Mapping[str, Any], name: Callable[[Any], str]) -> str:
    text = "(" + "".join([name(a) + ", " for a in args])
    text += "".join([f"{k}={name(v)}, " for k, v in kwargs.items()])
    if args:  # torch forgets the last comma where there are keywords only
        text = text[:-2]
    return text + ")"


def _unmatched(options: Sequence[tuple[str, str]], kwargs: Mapping[str, Any]) -> list[str]:
    start = max(len(options) - len(kwargs), 0)
    known = {option[1] for option in options[start:]}
    return [k for k in kwargs if k not in known]


def _marked(
    options: Sequence[tuple[str, str]],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    name: Callable[[Any], str],
) -> str:
    wrong, wrong_end, right, right_end = _colours()
    text = "("
    for i, (type_name, option) in enumerate(options):
        keyword = i >= len(args)
        value = kwargs[option] if keyword else args[i]
        matches = _accepts(type_name, name(value))
        text += right if matches else wrong
        if keyword:
            text += option + "="
        text += name(value)
        if isinstance(value, (tuple, list)):
            inside = ", ".join([name(e) for e in value])
            if isinstance(value, tuple):
                text += f" of ({inside},)" if len(value) == 1 else f" of ({inside})"
            else:
                text += f" of [{inside}]"
        text += (right_end if matches else wrong_end) + ", "
    if args:
        text = text[:-2]
    return text + ")"


def _read(option: str) -> list[tuple[str, str]]:
    """(type, name) of each comma-separated piece of a printed signature."""
    pieces = []
    for piece in option[1:-1].split(", "):
        type_name, _, name = piece.rpartition(" ")
        # without a space torch takes the whole piece for both
        pieces.append((type_name, name) if type_name else (piece, piece))
    return pieces


def invalid_arguments(
    function: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    options: Sequence[str],
    name: Callable[[Any], str],
) -> str:
    """The text; *options* are the printed signatures, *name* names the type of a value."""
    kwargs = {k: kwargs[k] for k in hash_map_order(kwargs)}
    text = f"{function}() received an invalid combination of arguments - got "
    if len(options) == 1:
        option = _read(options[0])
        unmatched = _unmatched(option, kwargs)
        if unmatched:
            return text + f"unrecognized keyword arguments: {', '.join(unmatched)}"
        if len(option) == len(args) + len(kwargs):
            text += _marked(option, args, kwargs, name)
        else:
            text += _describe(args, kwargs, name)
        return f"{text}, but expected {options[0]}"
    text += _describe(args, kwargs, name) + ", but expected one of:\n"
    for printed in options:
        text += f" * {printed}\n"
        option = _read(printed)
        if len(option) == len(args) + len(kwargs):
            unmatched = _unmatched(option, kwargs)
            if unmatched:
                text += "      didn't match because some of the keywords were incorrect: "
                text += ", ".join(unmatched) + "\n"
            else:
                text += "      didn't match because some of the arguments have invalid types: "
                text += _marked(option, args, kwargs, name) + "\n"
    return text
