"""Programs that run under torch and under mindtorch, and what they noted on the way.

A program takes the module, a namespace for its ops and a notebook::

    program, test_same_program_same_notes = suite()

    @program
    def an_op_without_formula_says_so_upon_backward(torch, ns, note):
        ...
        note(lambda: y.backward())

``note`` writes down a value, or the error of a function without arguments. Both sides must have
written the same.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

from tests.contract.hearing import hearing

__all__ = [
    "Notebook",
    "Program",
    "collector",
    "made",
    "ones",
    "run_both",
    "submodule",
    "suite",
]

Program = Callable[[Any, str, Any], None]

#: What differs for good: addresses, where a module lies, the last of the device types, the list
#: of keys with a kernel (torch has more fallbacks), types that torch adds to the valid ones.
_BLURRED = (
    (re.compile(r"0x[0-9a-f]+"), "0x"),
    (re.compile(r"<module [^>]*>"), "<module>"),
    (re.compile(r"mtia, (privateuseone|npu) device"), "mtia, … device"),
    (re.compile(r"(is only available for these backends:).*", re.S), r"\1"),
    (re.compile(r"(Available functions are).*", re.S), r"\1"),
    (re.compile(r"(The valid types are:).*?(Got func|$)", re.S), r"\1 \2"),
    (re.compile(r" \(Triggered internally at .*?\)"), ""),
    (re.compile(r"at /\S*library\.py:\d+"), "at library.py"),
    (re.compile(r"\(/\S*custom_ops?\.py:\d+\)"), "(custom_op)"),
    (re.compile(r"mindtorch_autograd\.hooks"), "torch.utils.hooks"),  # where a class lies
    (re.compile(r"mindtorch_autograd\."), "torch.autograd."),
    (re.compile(r"mindtorch"), "torch"),
)


#: A warning that each side gives once in its life: which program gets it is chance.
_ONCE = "Warning only once for all operators"


class Notebook:
    """What a program noted, as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, what: Any) -> Any:
        """Note a value; or call a function and note its value, or its error, and its warnings."""
        result = what
        if isinstance(what, FunctionType) and "<locals>" in what.__qualname__:
            with hearing() as seen:
                try:
                    result = what()
                    text = described(result)
                except Exception as error:
                    text = f"{type(error).__name__}: {error}"
            told = [w for w in seen if not str(w.message).startswith(_ONCE)]
            text += "".join(f"\n  {w.category.__name__}: {w.message}" for w in told)
        else:
            text = described(what)
        for pattern, instead in _BLURRED:
            text = pattern.sub(instead, text)
        self.lines.append(text)
        return result


def described(value: Any) -> str:
    """A value as text: tensors with all that makes them equal."""
    if hasattr(value, "requires_grad") and hasattr(value, "stride"):
        numbers = "no data" if value.is_meta else value.detach().tolist()
        facts = [str(value.dtype), str(value.device), tuple(value.stride()), numbers]
        edge = value.grad_fn.name() if value.requires_grad and value.grad_fn is not None else ""
        return f"tensor {tuple(value.shape)} {facts} {value.requires_grad} {edge}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}[{', '.join(described(v) for v in value)}]"
    return repr(value)


def collector() -> tuple[list[Program], Callable[[Program], Program]]:
    """An empty list, and the decorator that puts programs into it."""
    programs: list[Program] = []

    def program(function: Program) -> Program:
        programs.append(function)
        return function

    return programs, program


def suite(digits: int = 0) -> tuple[Callable[[Program], Program], Callable[[Program], None]]:
    """The decorator that enters a file's programs, and the test that runs each on both sides.

    :param digits: as in :func:`run_both`.
    """
    programs, program = collector()

    @pytest.mark.parametrize("function", programs, ids=lambda f: f.__name__)
    def test_same_program_same_notes(function: Program) -> None:
        """What the program noted under torch it notes under mindtorch."""
        run_both(function, digits)

    return program, test_same_program_same_notes


def ones(torch: Any, *shape: int, **options: Any) -> Any:
    """A leaf that requires grad."""
    return torch.ones(*(shape or (2,)), requires_grad=True, **options)


def made(
    torch: Any,
    forward: Callable[..., Any],
    backward: Callable[..., Any] = lambda ctx, g: g,
    name: str = "Fn",
    **more: Any,
) -> Any:
    """An ``autograd.Function`` of these methods and attributes."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    body.update({k: staticmethod(v) if callable(v) else v for k, v in more.items()})
    return type(name, (torch.autograd.Function,), body)


def submodule(torch: Any, name: str) -> Any:
    """The module ``utils.checkpoint`` (say) of *torch*, which may not be an attribute yet."""
    return importlib.import_module(f"{torch.__name__}.{name}")


def _rounded(line: str, digits: int) -> str:
    return _LONG.sub(lambda m: f"{float(m[0]):.{digits}g}", line)


_LONG = re.compile(r"-?\d+\.\d{5,}(?:e-?\d+)?")


def run_both(function: Program, digits: int = 0) -> None:
    """Run *function* on both sides and compare the notes.

    :param digits: how many digits of a number have to agree; 0: all.
    """
    notes = []
    for name in ("torch", "mindtorch"):
        note = Notebook()
        function(importlib.import_module(name), f"lib_{function.__name__}", note)
        notes.append([_rounded(line, digits) for line in note.lines] if digits else note.lines)
    want, got = notes
    assert want, "the program noted nothing: there is nothing to compare"
    for i, (w, g) in enumerate(zip(want, got, strict=False)):
        assert g == w, f"note {i} differs\n ours: {g}\ntorch: {w}"
    assert len(got) == len(want)
