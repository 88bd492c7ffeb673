"""Files of exported programs: either of the two reads what the other has written."""

from __future__ import annotations

import importlib
import io
import logging
import warnings

import mindtorch
import pytest
import torch

from .helpers import assert_torch_error, both
from .rows import report
from .test_export import leaves, programs, shown


@pytest.fixture(autouse=True)
def quiet():
    """Without what torch logs and warns of."""
    logging.disable(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


def said(t, program, args, kwargs):
    """Everything that a file keeps of a program, and what the module of it gives."""
    module = program.module()
    t.manual_seed(1)
    results = module(*args, **kwargs), dict(module.named_buffers())
    facts = {
        "graph": program.graph,
        "signature": program.graph_signature,
        "outputs": program.graph_signature.output_specs,
        "call": program.module_call_graph[0].signature,
        "modules": [
            (n.name, n.meta.get("nn_module_stack"))
            for n in program.graph.nodes
            if n.op == "call_function"
        ],
        "state": sorted((name, type(v).__name__) for name, v in program.state_dict.items()),
        "constants": list(program.constants),
        "code": module.code,
    }
    return {**{k: shown(v) for k, v in facts.items()}, "results": leaves(t, results)}


@pytest.mark.parametrize("writer", ["torch", "mindtorch"])
def test_programs_are_the_same_on_the_other_side(writer):
    """Graphs, names, tensors and results."""
    here = importlib.import_module(writer)
    there = mindtorch if here is torch else torch
    lines = []
    here.manual_seed(0)
    there.manual_seed(0)
    inputs = programs(there)
    for what, (module, args, kwargs) in programs(here).items():
        program = here.export.export(module, args, kwargs)
        file = io.BytesIO()
        here.export.save(program, file, extra_files={"note": "text"})
        file.seek(0)
        extra = {"note": ""}
        read = there.export.load(file, extra_files=extra)
        assert extra == {"note": "text"}
        wanted, found = said(here, program, args, kwargs), said(there, read, *inputs[what][1:])
        lines += [
            f"{what}, {k}: {found[k]}, written {v}" for k, v in wanted.items() if found[k] != v
        ]
    report(lines)


def test_functional_programs_run():
    """What they change comes out as a value, and is copied where it belongs."""

    class Changing(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(3)
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x):
            self.calls.add_(1)
            y = self.norm(x)
            x.mul_(2)
            return y + self.calls

    program = torch.export.export(Changing(), (torch.rand(4, 3),)).run_decompositions({})
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    read = mindtorch.export.load(file)
    assert (read.dialect, read.verifier.__name__) == ("ATEN", "Verifier")
    read.validate()
    ours, theirs = read.module(), program.module()
    assert shown(ours.code) == shown(theirs.code)
    numbers = [[1.0, 2.0, 3.0], [4.0, -1.0, 0.5], [0.0, 2.5, 1.0], [3.0, 3.0, 3.0]]
    results = []
    for t, run in ((mindtorch, ours), (torch, theirs)):
        x = t.tensor(numbers)
        results.append(leaves(t, (run(x), run(x), x, dict(run.named_buffers()))))
    assert results[0] == results[1]


def test_programs_with_sizes_that_vary_run():
    """Their sizes are numbers when they run; those that do not vary are checked."""

    class Rows(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 4)

        def forward(self, x):
            n = x.shape[0]
            return self.linear(x).reshape(n * 2, 2) + n * 1.5, x.new_zeros(n + 1), n

    module = Rows()
    varies = {"x": {0: torch.export.Dim("n", min=2, max=64)}}
    program = torch.export.export(module, (torch.ones(4, 3),), dynamic_shapes=varies)
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    read = mindtorch.export.load(file)
    assert str(read.range_constraints) == str(program.range_constraints)
    run = read.module()
    for n in (2, 4, 7):
        ours = leaves(mindtorch, run(mindtorch.ones(n, 3)))
        assert ours == leaves(torch, module(torch.ones(n, 3)))
    with pytest.raises(AssertionError, match=r"Guard failed: x\.size\(\)\[1\] == 3"):
        run(mindtorch.ones(2, 4))
    again = io.BytesIO()
    mindtorch.export.save(read, again)
    again.seek(0)
    assert str(torch.export.load(again).range_constraints) == str(program.range_constraints)


@pytest.mark.parametrize(
    "call",
    [
        lambda t, path: t.export.save(t.nn.Linear(1, 1), io.BytesIO()),
        lambda t, path: t.export.load(path / "nothing.pt2"),
        lambda t, path: t.export.load(io.BytesIO(b"no archive")),
    ],
)
def test_what_is_no_file_of_a_program_is_refused(call, tmp_path):
    """In the oracle's words."""
    assert_torch_error(*both(lambda t: call(t, tmp_path)))


def test_a_file_of_something_else_is_refused(tmp_path):
    """An archive without a program, and a program with an operator that is nowhere."""
    mindtorch.save({"a": 1}, tmp_path / "plain.pt2")
    with pytest.raises(RuntimeError, match="^We ran into an error when deserializing"):
        mindtorch.export.load(tmp_path / "plain.pt2")
    from mindtorch._export.serde.deserialize import deserialize
    from mindtorch._export.serde.serialize import serialize

    program = mindtorch.export.export(mindtorch.nn.ReLU(), (mindtorch.ones(2),))
    written = serialize(program)
    written["graph_module"]["graph"]["nodes"][0]["target"] = "torch.ops.aten.nothing.default"
    with pytest.raises(NotImplementedError, match=r"torch\.ops\.aten\.nothing\.default"):
        deserialize(written, {}, {}, None)
    written["schema_version"]["major"] += 1
    with pytest.raises(RuntimeError, match="Serialized schema version"):
        deserialize(written, {}, {}, None)


def test_tensors_that_share_memory_share_it_again(tmp_path):
    """Tied parameters are written once, and parts of one memory stay parts of it."""

    class Tied(mindtorch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = mindtorch.nn.Linear(3, 3), mindtorch.nn.Linear(3, 3)
            self.b.weight = self.a.weight
            self.register_buffer("row", self.a.weight.detach()[1])

        def forward(self, x):
            return self.a(self.b(x)) * self.row

    program = mindtorch.export.export(Tied(), (mindtorch.ones(1, 3),))
    mindtorch.export.save(program, tmp_path / "tied.pt2")
    states = mindtorch.export.load(tmp_path / "tied.pt2").state_dict
    memory = {states[name].untyped_storage()._cdata for name in ("a.weight", "b.weight", "row")}
    assert len(memory) == 1
    assert states["row"].storage_offset() == 3
    wanted = [v.tolist() for v in program.state_dict.values()]
    assert [v.tolist() for v in states.values()] == wanted
