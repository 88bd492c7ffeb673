"""What a pipeline's queue holds is data: the row, its operands, and the memory of its results."""

from __future__ import annotations

from types import FunctionType, MethodType

import mindtorch as torch
import pytest
from mindtorch.backends.entries import recorded
from mindtorch.call.overload import Overload
from mindtorch_dispatch import current_pipeline

N = 5000  # more than what is computed at once


def entries():
    """What waits in the current pipeline."""
    pipe = current_pipeline()
    assert pipe is not None
    return pipe.entries()


PROGRAMS = {
    "relu": lambda x, y: torch.relu(x),
    "exp": lambda x, y: torch.exp(x),
    "add.Tensor": lambda x, y: x + y,
    "mul.Tensor": lambda x, y: x * 2.5,
    "sum": lambda x, y: x.sum(),
    "dot": lambda x, y: torch.dot(x, y),
    "cat": lambda x, y: torch.cat((x, y)),
    "max.dim": lambda x, y: x.view(2, -1).max(1).values,
    "add_.Tensor": lambda x, y: x.add_(y),
    "mul.out": lambda x, y: torch.mul(x, y, out=torch.empty(N, device=x.device)),
    "uniform_": lambda x, y: x.uniform_(),
}


@pytest.mark.parametrize("device", ["cpu", "npu"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_entry_says_what_it_computes(name, device):
    """The overload, arrays of the operands, arrays that are written; no closure anywhere."""
    x, y = torch.rand(N, device=device), torch.rand(N, device=device)
    arrays = {id(x._a_), id(y._a_)}
    with torch.pipeline():
        made = PROGRAMS[name](x, y)
        entry = next(e for e in reversed(entries()) if str(e.op) == f"aten::{name}")
        found = recorded(entry)
        assert not isinstance(entry.run, (FunctionType, MethodType))
        assert isinstance(found.op, Overload) and found.op.name == f"aten::{name}"
        if name != "max.dim":
            assert made._a_ is found.results[-1]
            given = [v for o in found.operands for v in (o if isinstance(o, list) else [o])]
            assert arrays & {id(v) for v in given}
        assert len(found.results) == found.op.n_outputs
    assert entry.done and recorded(entry) is None


def test_entries_of_a_program_can_be_run_by_their_rows():
    """A kernel of the row on the operands gives what the flush writes."""
    x, y = torch.rand(N), torch.rand(N)
    with torch.pipeline():
        torch.relu(x - y) * 3
        said = [(e.op.row, found) for e in entries() if (found := recorded(e)) is not None]
    assert [row.name for row, _ in said] == ["sub.Tensor", "relu", "mul.Tensor"]
    for row, found in said:
        operands = found.operands[: len(found.op.tensor_positions)]
        expected = (row.ufunc or row.prepare(*operands))(*operands)
        assert (expected == found.results[0]).all()
        assert row.loop == "elementwise"


def test_an_op_of_a_librarys_is_data_too():
    """Its kernel, arguments and the memory of its result."""
    library = torch.library.Library("pipeline_entries", "DEF")
    library.define("twice(Tensor x, *, float by=2.) -> Tensor")
    library.impl("twice", lambda x, *, by=2.0: x * by, "CPU")
    library.impl("twice", lambda x, *, by=2.0: torch.empty_like(x), "Meta")
    x = torch.rand(N)
    with torch.pipeline():
        made = torch.ops.pipeline_entries.twice(x, by=3.0)
        (entry,) = entries()
        found = recorded(entry)
        assert found.results[0] is made._a_
        assert any(operand is x for operand in found.operands)
    assert torch.equal(made, x * 3.0)
