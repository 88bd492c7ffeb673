"""The benchmark by torch's own table of operators: it counts what it says, and finds what differs.

The whole table takes minutes (``hatch run bench opinfo``); here are a few of its operators, one for
each way in which the table names a function.
"""

from __future__ import annotations

import json

import mindtorch
import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest")

from benchmarks.opinfo import command, figures, run, table
from benchmarks.opinfo.figures import Count, Difference, OpResult

#: Names in the table, and how its entry reaches the operator.
OPERATORS = (
    "mul",  # a function of torch
    "T",  # a lambda over a tensor
    "item",  # a lambda that calls a function of the tests
    "uniform",  # a random method, behind two functions of the tests
    "bool",  # a method as a lambda, where torch.bool is a dtype
    "einsum",  # a lambda that turns the sample's arguments round
    "__rmatmul__",  # an operator of the class, written in Python
    "__rand__",  # one that is not
    "slice",  # an overload
    "_upsample_bilinear2d_aa",  # a packet of overloads
    "linalg.pinv.hermitian",  # a wrapper around a function of torch.linalg
    "nn.functional.adaptive_max_pool1d",  # a function that chooses between two others
    "nn.functional.triplet_margin_with_distance_loss",  # a module among the arguments
    "as_strided.partial_views",  # tensors that share memory with an offset
)


def look(name, most=2):
    """The result for one operator of the table."""
    (found,) = run.run(run.matching([name])[:1], most, 0)
    return found


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_as_in_torch(name):
    """Every case that is looked at, in every column, apart from calls of the wrong class."""
    found = look(name)
    assert found.state == "present"
    left = [d for d in found.differences if "descriptor" not in d.text]
    assert not left
    assert found.counts["forward"].cases


def test_every_column_is_counted():
    """An operator that has everything counts in each column."""
    counts = look("nn.functional.max_unpool2d").counts
    assert set(counts) == {column.name for column in figures.COLUMNS}


def test_wrong_numbers_are_found(monkeypatch):
    """Another function in an operator's place differs in numbers, gradients and tangents."""
    monkeypatch.setattr(mindtorch, "sin", mindtorch.cos)
    found = look("sin")
    assert found.counts["forward"].exact < found.counts["forward"].cases
    assert {"forward", "backward", "tangent"} <= {d.column for d in found.differences}


def test_wrong_strides_are_found(monkeypatch):
    """A result that lies otherwise in memory differs in its layout, not in its numbers."""
    right = mindtorch.tril

    def turned(*args, **kwargs):
        return right(*args, **kwargs).mT.contiguous().mT

    monkeypatch.setattr(mindtorch, "tril", turned)
    counts = look("tril", 12).counts
    assert counts["forward"].exact == counts["forward"].cases
    assert counts["layout"].exact < counts["layout"].cases


def test_an_operator_that_always_refuses_is_absent(monkeypatch):
    """A name alone is no operator."""

    def refuse(*args, **kwargs):
        raise NotImplementedError("not yet")

    monkeypatch.setattr(mindtorch.linalg, "det", refuse)
    found = look("linalg.det")
    assert found.state == "absent"
    assert found.counts["forward"].exact == 0 < found.counts["forward"].cases


def test_an_operator_of_another_device_is_left_out():
    """torch itself has no kernel of it for the host."""
    found = look("jiterator_unary")
    assert (found.state, found.counts) == ("not here", {})


def results():
    wrong = Difference("forward", "float32", "4", "off by 1 | more: [1.], torch has [2.]")
    return [
        OpResult("add", "present", {"forward": Count(3, 3), "layout": Count(3, 3)}),
        OpResult("sub", "present", {"forward": Count(1, 3), "errors": Count(1, 1)}, (wrong,)),
        OpResult("mul", "absent", {"forward": Count(0, 1)}),
        OpResult("gpu", "not here", {}),
    ]


def test_shares_count_cases_and_operators():
    """Those that torch has no kernel of count nowhere."""
    found = figures.shares(results())
    assert (found["present"]["exact"], found["present"]["cases"]) == (2, 3)
    assert (found["forward"]["exact"], found["forward"]["cases"]) == (4, 7)
    assert (found["forward"]["exact_ops"], found["forward"]["ops"]) == (1, 3)
    assert found["tangent"]["share"] is None
    missed = figures.misses(results())
    assert [line.partition(":")[0] for line in missed] == ["present", "forward"]


def test_the_page_lists_what_differs():
    """With the first difference, which cannot break the table."""
    facts = {"torch": "2", "numpy": "2", "python": "3", "commit": ""}
    text = table.page(results(), facts, 20)
    (line,) = [line for line in text.splitlines() if line.startswith("| `sub`")]
    assert "2 of 3" in line and "off by 1 \\| more" in line
    assert "`mul`." in text and "(1)" in text and "`gpu`" not in text


def test_command_writes_what_it_counted(tmp_path, capsys):
    """The JSON has each operator with its counts; the status says whether shares are reached."""
    file = tmp_path / "counts.json"
    arguments = ["--only", "T", "--samples", "1", "--jobs", "1", "--json", str(file)]
    assert command.main([*arguments, "--check"]) == 0
    data = json.loads(file.read_text("utf-8"))
    (operator,) = data["operators"]
    assert operator["name"] == "T" and operator["counts"]["forward"]["cases"] > 0
    assert data["shares"]["forward"]["share"] == 1.0
    assert "as in torch" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--only", "no_such_op"], ["--samples", "-1"], ["--jobs", "0"]])
def test_command_refuses_what_it_cannot_do(wrong, capsys):
    """The status of a wrong command line is 2."""
    with pytest.raises(SystemExit) as stopped:
        command.main(wrong)
    assert stopped.value.code == 2
