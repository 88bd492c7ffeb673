"""Every public function and method says what it does, how it is called, and with what result."""

from __future__ import annotations

import doctest
import inspect
import pydoc
import subprocess
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import mindtorch as torch
import pytest
from mindtorch.aten.docstrings import call_forms, summary
from mindtorch.aten.register import hidden
from mindtorch.call import lazy_registration
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import OUT, Overload
from mindtorch.call.row import ROWS
from mindtorch_dispatch.signature import python_signatures

lazy_registration.load_all()

_NAMESPACES = (
    "", "accelerator", "amp", "autograd", "cpu", "cuda", "distributions", "fft", "func", "fx",
    "jit", "library", "linalg", "masked", "nn", "nn.functional", "nn.init", "nn.utils", "npu",
    "optim", "optim.lr_scheduler",
    "overrides", "profiler", "random", "serialization", "signal.windows", "sparse", "special",
    "testing", "utils.data",
)  # fmt: skip


def _callables(namespace: Any) -> dict[str, Any]:
    names = [name for name in dir(namespace) if not name.startswith("_")]
    found = {name: getattr(namespace, name) for name in names}
    return {
        name: value
        for name, value in found.items()
        if callable(value)
        and not isinstance(value, ModuleType)
        and (value.__module__ or "torch").startswith(("mindtorch", "torch"))
    }


def _says_nothing(doc: str | None) -> bool:
    """Whether *doc* does not begin with a sentence."""
    first = inspect.cleandoc(doc or "").partition("\n\n")[0]
    return not first.endswith((".", ":", "…")) or len(first.split()) < 2


@pytest.mark.parametrize("name", _NAMESPACES, ids=lambda name: name or "torch")
def test_every_public_function_and_class_begins_with_a_sentence(name: str) -> None:
    namespace = import_module(f"mindtorch.{name}") if name else torch
    silent = [n for n, f in _callables(namespace).items() if _says_nothing(inspect.getdoc(f))]
    assert not silent


def test_every_method_and_property_of_a_tensor_begins_with_a_sentence() -> None:
    names = [name for name in dir(torch.Tensor) if not name.startswith("_")]
    silent = [n for n in names if _says_nothing(getattr(torch.Tensor, n).__doc__)]
    assert not silent


def test_every_public_op_has_a_sentence_of_its_own() -> None:
    """What is said where neither row nor name tells is for internal ops alone."""
    public = [(base, group) for (_, base, _), group in _groups().items() if base[0] != "_"]
    said = {base: summary(base, [o.row for o in group]) for base, group in public}
    assert not [base for base, text in said.items() if text.startswith("Run the op ``aten::")]


def test_the_in_place_form_names_the_other_one() -> None:
    assert inspect.getdoc(torch.Tensor.add_).startswith("In-place version of :meth:`add`.\n")
    assert inspect.getdoc(torch.Tensor.__iadd__) == "Operator form of :meth:`add_`."


def test_help_shows_the_forms_of_a_call() -> None:
    shown = pydoc.render_doc(torch.add, renderer=pydoc.plaintext)
    assert "Add the second operand, multiplied by alpha, to the first." in shown
    assert "torch.add(input, other, *, alpha=1, out=None) -> Tensor" in shown
    assert pydoc.locate("mindtorch.add") is torch.add
    assert "Tensor.sum(dim, keepdim=False, *, dtype=None) -> Tensor" in torch.Tensor.sum.__doc__


# The forms of a call ------------------------------------------------------------------------------


def _groups() -> dict[tuple[str, str, bool], list[Overload]]:
    """The overloads of each function (by module and name) and method of rows."""
    found: dict[tuple[str, str, bool], list[Overload]] = {}
    for overload in OVERLOADS.values():
        row = overload.row
        if "function" in row.variants and not hidden(overload):
            found.setdefault((row.module, overload.base, False), []).append(overload)
        if "method" in row.variants and overload.kind != OUT:
            found.setdefault(("Tensor", overload.base, True), []).append(overload)
    return found


def _names(form: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """All parameters of a form, and those that may be given by position, as ``*size`` may."""
    inside = form[form.index("(") + 1 : form.rindex(") -> ")]
    pieces: list[str] = []
    for piece in inside.split(", "):
        if piece and (piece == "*" or piece.lstrip("*")[0].isalpha() or piece[0] == "_"):
            pieces.append(piece)
    star = next((i for i, p in enumerate(pieces) if p[0] == "*"), len(pieces))
    sizes = star < len(pieces) and pieces[star] != "*"
    positional = pieces[: star + sizes]
    keywords = pieces[star + 1 :]

    def bare(piece: str) -> str:
        return piece.lstrip("*").partition("=")[0]

    return frozenset(map(bare, positional + keywords)), tuple(map(bare, positional))


def test_forms_are_those_of_the_argument_parser() -> None:
    """One form stands for all signatures of the same names, with ``out=`` if one of them has it."""
    wrong = []
    for (_, name, method), overloads in _groups().items():
        if method and name == "copy_":
            continue  # torch writes its signature by hand
        texts = [o.schema_text for o in overloads]
        want: dict[frozenset[str], set[tuple[str, ...]]] = {}
        with_out = set()
        for signature in python_signatures(name, texts, method=method):
            if signature.deprecated:
                continue
            names = frozenset([p.name for p in signature.parameters])
            positional = tuple([p.name for p in signature.parameters if not p.keyword_only])
            want.setdefault(names - {"out"}, set()).add(positional)
            if "out" in names:
                with_out.add(names - {"out"})
        got = dict(_names(form) for form in call_forms(name, overloads, method=method))
        plain = {names - {"out"}: positional for names, positional in got.items()}
        if (
            plain.keys() != want.keys()
            or any(positional not in want[names] for names, positional in plain.items())
            or with_out != {names - {"out"} for names in got if "out" in names}
        ):
            wrong.append((name, method, got, want))
    assert not wrong


# Examples -----------------------------------------------------------------------------------------


def _with_examples() -> list[str]:
    return [row.name for row in ROWS.values() if ">>> " in row.says]


@pytest.mark.parametrize("name", _with_examples())
def test_example_gives_what_it_shows(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(
        inspect.cleandoc(ROWS[name].says), {"torch": torch}, name, None, None
    )
    assert test.examples
    told: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not result.failed, "".join(told)


def test_there_are_examples() -> None:
    assert len(_with_examples()) > 100
    assert ">>> torch.sum(" in torch.sum.__doc__


# What it costs ------------------------------------------------------------------------------------


def test_an_import_makes_no_docstring() -> None:
    program = (
        "import mindtorch.aten.docstrings as d, sys\n"
        "made = []\n"
        "sys.setprofile(lambda frame, event, arg: event == 'call' and "
        "frame.f_code is d.docstring.__code__ and made.append(frame.f_locals['base']))\n"
        "import mindtorch\n"
        "print(made)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
