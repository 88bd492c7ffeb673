"""Programs whose sizes depend on data: graphs, ranges, where symbols are made, and results."""

from __future__ import annotations

import importlib
import io
import logging
import re
import warnings

import pytest

from .data_dependent_programs import programs
from .rows import report

#: Of which the graph without composite operators is compared, too. torch numbers its nodes by those
#: of symbols that its layout rules compute and nobody uses: the numbers do not count there.
DECOMPOSED = ("checked", "index", "truth", "mask", "narrow", "unique")
#: What is written to files and read again.
READ = ("checked", "asserted", "index", "float", "mask", "narrow", "unique", "slice")


def without_numbers(text):
    """*text* with nodes by the names of what they call."""
    return re.sub(r"\b([a-z_]+?)(?:_\d+)?\b", r"\1", text)


def told(error):
    """What an error says, without the places in files that it names."""
    text = f"{type(error).__name__}: {error}".replace("mindtorch", "torch")
    return re.sub(r"Caused by: .*|The following call raised this error:\n(.*\n)+?\n", "", text)


def drawn(t, what, function, args):
    """What is to be known of one program."""

    class Of(t.nn.Module):
        def forward(self, *args):
            return function(*args)

    try:
        program = t.export.export(Of(), args)
    except Exception as error:
        return {"refused": told(error)}
    nodes = program.graph.nodes
    facts = {
        "text": re.sub(r"# .*", "", str(program)),
        "values": [str(node.meta.get("val")) for node in nodes],
        "made": [str(node.meta.get("unbacked_bindings")) for node in nodes],
        "result": str(program.module()(*args)),
    }
    if what in DECOMPOSED:
        found = program.run_decompositions({})
        facts["decomposed"] = without_numbers(str(found.graph))
        facts["decomposed result"] = str(found.module()(*args))
    if what in READ:
        file = io.BytesIO()
        t.export.save(program, file)
        file.seek(0)
        read = t.export.load(file)
        nodes = read.graph.nodes
        facts["read"] = re.sub(r"# .*", "", str(read)), str(read.module()(*args))
        facts["read, made"] = [str(node.meta.get("unbacked_bindings")) for node in nodes]
    return facts


def all_drawn(name):
    """The same by program."""
    t = importlib.import_module(name)
    importlib.import_module(f"{name}.fx.experimental.symbolic_shapes")
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {what: drawn(t, what, *found) for what, found in programs(t).items()}
    finally:
        logging.disable(logging.NOTSET)


def test_programs_of_data_are_drawn_as_the_oracle_draws_them():
    """Symbols that depend on data, what is checked of them in each run, and what is refused."""
    pytest.importorskip("sympy")
    ours, theirs = all_drawn("mindtorch"), all_drawn("torch")
    report(
        f"{what}, {key}:\nours  {ours[what].get(key)}\ntorch {facts.get(key)}"
        for what, facts in theirs.items()
        for key in {**facts, **ours[what]}
        if ours[what].get(key) != facts.get(key)
    )
