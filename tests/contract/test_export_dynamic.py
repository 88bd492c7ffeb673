"""Programs for sizes that vary: graphs, ranges, what modules of them check, and what is refused."""

from __future__ import annotations

import importlib
import logging
import re
import warnings

import pytest

from .dynamic_programs import programs, subscripts
from .rows import report

#: Where torch's numbers of nodes count some that it takes out again.
RENUMBERED = {"encoder"}
#: Where torch's layout rules ask for more than the sizes of results need.
OTHER_RANGES = {"halved"}


def numbered_anew(text):
    """*text* with the nodes that compute sizes numbered in order."""
    found = {}
    for name in re.findall(r"\b(?:sym_size_int|mul)(?:_\d+)?\b", text):
        found.setdefault(name, f"size{len(found)}")
    return re.sub(r"\b(?:sym_size_int|mul)(?:_\d+)?\b", lambda m: found[m[0]], text)


def alike(t, a, b):
    """Whether results are the same but for rounding."""
    if isinstance(a, t.Tensor):
        return a.shape == b.shape and t.allclose(a, b, atol=1e-5)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(alike(t, x, y) for x, y in zip(a, b, strict=True))
    return a == b


def told(call):
    """What a call gives, or what it raises."""
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("mindtorch", "torch")


def drawn(name):
    """By program: its text, and what the module of it does with these and with other sizes."""
    t = importlib.import_module(name)
    importlib.import_module(f"{name}.export")
    logging.disable(logging.CRITICAL)
    found = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            t.manual_seed(0)
            for what, (module, args, shapes, other, *kwargs) in programs(t).items():
                found[what] = drawn_one(t, what, module, args, kwargs, shapes, other)
    finally:
        logging.disable(logging.NOTSET)
    return found


def drawn_one(t, what, module, args, kwargs, shapes, other):
    """The same of one program."""
    named = kwargs[0] if kwargs else {}
    program = told(lambda: t.export.export(module, args, named, dynamic_shapes=shapes))
    if isinstance(program, str):
        return {"refused": program}
    text = re.sub(r"# File: .*", "", str(program))
    made = program.module()
    facts = {
        "text": numbered_anew(text) if what in RENUMBERED else text,
        "code": numbered_anew(made.code) if what in RENUMBERED else made.code,
        "outputs": str(program.graph_signature.output_specs),
        "same": told(lambda: alike(t, made(*args, **named), module(*args, **named))),
    }
    if what in RENUMBERED:
        del facts["outputs"]
    if what in OTHER_RANGES:
        facts["text"] = facts["text"].partition("Range constraints")[0]
    if other is not None:
        facts["other"] = told(lambda: alike(t, made(*other), module(*other)))
    return facts


def test_programs_are_drawn_as_the_oracle_draws_them():
    """Graphs with symbols, ranges, guards of modules, and errors."""
    pytest.importorskip("sympy")
    ours, theirs = drawn("mindtorch"), drawn("torch")
    report(
        f"{what}, {key}: ours {ours[what].get(key)}, torch {value}"
        for what, facts in theirs.items()
        for key, value in {**dict.fromkeys(ours[what]), **facts}.items()
        if ours[what].get(key) != value
    )


def subscripted(name):
    """By subscript: the graph, its ranges, and the sizes of its nodes."""
    t = importlib.import_module(name)
    importlib.import_module(f"{name}.export")

    class Of(t.nn.Module):
        def __init__(self, function):
            super().__init__()
            self.function = function

        def forward(self, x, i):
            return self.function(x, i)

    def drawn_of(function):
        args = t.ones(6, 8, 5), t.tensor([1])
        program = t.export.export(Of(function), args, dynamic_shapes=({0: t.export.Dim.AUTO}, None))
        calls = [n.meta["val"] for n in program.graph.nodes if n.op == "call_function"]
        sizes = [str(list(v.shape)) for v in calls if hasattr(v, "shape")]
        return program.graph_module.code, str(program.range_constraints), sizes

    logging.disable(logging.CRITICAL)
    try:
        return {what: drawn_of(function) for what, function in subscripts().items()}
    finally:
        logging.disable(logging.NOTSET)


def test_subscripts_are_the_operators_that_they_are_to_the_oracle():
    """Slices of sizes that vary, and bounds that are symbols."""
    pytest.importorskip("sympy")
    ours, theirs = subscripted("mindtorch"), subscripted("torch")
    report(
        f"{what}: ours {ours[what]}, torch {facts}"
        for what, facts in theirs.items()
        if ours[what] != facts
    )
