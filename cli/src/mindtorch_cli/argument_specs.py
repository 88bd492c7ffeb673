"""Argument specs: a call's arguments as words, without making tensors.

==========================  ==============================================================
``f32[2,3]``                a tensor on cpu; ``[]`` has no dimensions
``f32[2,3]@npu:1,grad``     on another device, requiring grad
``f32[2],pipeline``         made in a pipeline and not computed yet
``2``, ``1.5``, ``true``    numbers and booleans; ``none``
``[2,3]``, ``[f32[2],f32[3]]``  lists
``sum``                     anything else is a string
``dim=1``, ``device=npu``   keyword arguments
==========================  ==============================================================
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .suggestions import near

#: Short names of dtypes; the long ones (``float32``) are accepted too.
DTYPES = {
    "bf16": "bfloat16",
    "b1": "bool",
    "c128": "complex128",
    "c64": "complex64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "i8": "int8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "u8": "uint8",
}
DTYPES |= {name: name for name in DTYPES.values()}
_WORDS = {"true": True, "false": False, "none": None}
_TOKEN = re.compile(r"\s*([A-Za-z_][\w:.]*|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?j?|\S)", re.I)


class SpecError(ValueError):
    """A spec that cannot be read; the text says why."""


class TensorSpec(NamedTuple):
    """A tensor as dispatching sees it. ``device`` is a string such as ``"npu:0"``."""

    dtype: str
    shape: tuple[int, ...]
    device: str = "cpu"
    requires_grad: bool = False
    #: Whether a pipeline still owes its numbers.
    pending: bool = False

    def __str__(self) -> str:
        short = next(k for k, v in DTYPES.items() if v == self.dtype)
        text = f"{short}[{','.join(map(str, self.shape))}]"
        if self.device != "cpu":
            text += f"@{self.device}"
        return text + ",grad" * self.requires_grad + ",pipeline" * self.pending


def parse(words: list[str]) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments of a call. Raises :class:`SpecError`."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for word in words:
        name, equals, rest = word.partition("=")
        if equals and name.isidentifier():
            if name in kwargs:
                raise SpecError(f"{name}= is given twice")
            kwargs[name] = _Reader(rest).whole()
        elif kwargs:
            raise SpecError(f"{word!r} comes after {next(iter(kwargs))}=: positional ones go first")
        else:
            args.append(_Reader(word).whole())
    return args, kwargs


class _Reader:
    """Reads one value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [*_TOKEN.findall(text), ""]
        self.at = 0

    def fail(self, why: str) -> SpecError:
        return SpecError(f"cannot read {self.text!r}: {why}")

    def take(self, token: str) -> bool:
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def whole(self) -> Any:
        value = self.value()
        if self.tokens[self.at]:
            raise self.fail(f"did not expect {self.tokens[self.at]!r}")
        return value

    def value(self) -> Any:
        if self.take("["):
            return self.items()
        token = self.tokens[self.at]
        if not token:
            raise self.fail("a value is missing")
        self.at += 1
        if self.tokens[self.at] == "[":
            self.at += 1
            return self.tensor(token)
        if token.lower() in _WORDS:
            return _WORDS[token.lower()]
        if token[0].isalpha() or token[0] == "_":
            return token
        for kind in (int, float, complex):
            try:
                return kind(token)
            except ValueError:
                continue
        raise self.fail(f"did not expect {token!r}")

    def items(self) -> list[Any]:
        found: list[Any] = []
        if self.take("]"):
            return found
        while True:
            found.append(self.value())
            if self.take("]"):
                return found
            if not self.take(","):
                raise self.fail("a list needs , between its items and ] at its end")

    def tensor(self, short: str) -> TensorSpec:
        dtype = DTYPES.get(short)
        if dtype is None:
            raise self.fail(f"no dtype is called {short}{near(short, DTYPES, 0.5)}")
        shape = self.items()
        if not all(type(n) is int and n >= 0 for n in shape):
            raise self.fail("a shape is made of sizes, as in f32[2,3]")
        device = "cpu"
        if self.take("@"):
            device = self.tokens[self.at]
            if not re.fullmatch(r"[a-z]+(:\d+)?", device):
                raise self.fail("a device such as npu or npu:1 goes after @")
            self.at += 1
        flags: set[str] = set()
        while self.tokens[self.at] == "," and self.tokens[self.at + 1] in ("grad", "pipeline"):
            flags.add(self.tokens[self.at + 1])
            self.at += 2
        grad = "grad" in flags
        if grad and not dtype.startswith(("float", "bfloat", "complex")):
            raise self.fail("only floating point and complex tensors can require grad")
        return TensorSpec(dtype, tuple(shape), device, grad, "pipeline" in flags)
