"""Unification and multiple dispatch of fx: a session of each framework gives the same lines.

``fx_unification_program.txt`` is the session: lines that begin with ``>`` are expressions whose
value, warning or error is compared, the others are statements.
"""

from __future__ import annotations

import importlib
import itertools
import linecache
import re
import warnings
from pathlib import Path

import pytest

from .test_fx_symbolic import compare, text

SESSION = Path(__file__).with_name("fx_unification_program.txt")


def answers(framework):
    """What the session says."""
    scope = {"ns": {}, "ns2": {}}
    name = f"<{framework} session>"
    source = SESSION.read_text("utf-8").replace("framework.", f"{framework}.")
    # Functions of the session have a source: what prints it looks there.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    pending = []
    for number, line in enumerate(source.splitlines()):
        if not line.startswith("> "):
            pending.append((number, line))
            continue
        if pending:
            code = "\n" * pending[0][0] + "\n".join(each for _, each in pending)
            exec(compile(code, name, "exec"), scope)
            pending = []
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                said = repr(eval(line[2:], scope))
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
        said += "".join(f" warns {w.category.__name__}: {w.message}" for w in heard)
        yield f"{line} -> {re.sub('0x[0-9a-f]+', 'at', text(said))}"


@pytest.mark.filterwarnings("ignore")
def test_a_session_is_the_oracles():
    """Solutions, implementations, orders, texts, errors."""
    compare([list(answers(name)) for name in ("torch", "mindtorch")])


def test_signatures_are_compared_as_by_the_oracle():
    """All signatures of up to three types and a variadic end."""

    def lines(framework):
        home = f"{framework}.fx.experimental.unification.multipledispatch"
        conflict = importlib.import_module(f"{home}.conflict")
        dispatcher = importlib.import_module(f"{home}.dispatcher")
        variadic = importlib.import_module(f"{home}.variadic").Variadic
        ends = [(), (variadic[int],), (variadic[object],), (variadic[int, str],)]
        heads = [head for n in range(3) for head in itertools.product((int, object, str), repeat=n)]
        signatures = [head + end for head in heads for end in ends]
        for a, b in itertools.product(signatures, repeat=2):
            said = conflict.supercedes(a, b), conflict.consistent(a, b), conflict.ambiguous(a, b)
            yield f"{text(a)} {text(b)} {said}"
        for types, signature in itertools.product(heads, signatures):
            if signature and conflict.isvariadic(signature[-1]):
                found = list(dispatcher.variadic_signature_matches_iter(types, signature))
                yield f"{types} {text(signature)} {found}"

    compare([list(lines(name)) for name in ("torch", "mindtorch")])
