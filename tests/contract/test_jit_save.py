"""``torch.jit.save`` of what was traced: torch reads it, and computes the same."""

from __future__ import annotations

import io

import pytest
import torch

from . import script_programs as programs
from .both_frameworks import ours
from .test_jit_load import agrees, archive

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def written(traced):
    """The archive of a trace."""
    data = io.BytesIO()
    ours.jit.save(traced, data)
    return data.getvalue()


def read(data):
    """The archive's module on either side."""
    return [t.jit.load(io.BytesIO(data)) for t in (ours, torch)]


def there(value):
    """Our *value* as one of the oracle's."""
    if isinstance(value, ours.Tensor):
        return torch.from_numpy(value.detach().numpy().copy())
    if isinstance(value, dict):
        return {key: there(item) for key, item in value.items()}
    return type(value)(map(there, value))


def computes_the_same(called, args, **options):
    """What was traced, and what both sides read, give the same; returns what they read."""
    traced = ours.jit.trace(called, args, check_trace=False, **options)
    mine, theirs = read(written(traced))
    want = theirs(*map(there, args))
    agrees(mine(*args), want)
    agrees(called(*args), want)
    return mine, theirs


def test_layers_are_read_and_compute_the_same():
    ours.manual_seed(0)
    for layer, shape in programs.layers(ours.nn):
        mine, theirs = computes_the_same(layer.eval(), (ours.rand(shape),))
        assert str(mine) == str(theirs)
        assert list(mine.state_dict()) == list(theirs.state_dict()) == list(layer.state_dict())
        assert {n for n, _ in theirs.named_parameters()} == {n for n, _ in layer.named_parameters()}


class Forms(ours.nn.Module):
    """Arguments and results in containers, tensors from nowhere, and dtypes of all kinds."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", ours.zeros((), dtype=ours.int64))
        self.table = ours.arange(4.0).reshape(2, 2)
        self.add_module("from", ours.nn.Linear(2, 2))
        self.numbered = ours.nn.ParameterList([ours.nn.Parameter(ours.ones(2))])
        self.twice = ours.nn.ModuleList([ours.nn.Linear(2, 2)] * 2)

    def forward(self, x, pair, named):
        for layer in (*self.twice, getattr(self, "from")):
            x = layer(x)
        self.calls.add_(1)
        x = x.clone()
        x[0] = x[1].relu_()
        a, (b, c) = pair
        made = ours.zeros(2, dtype=ours.int64) + ours.tensor([3, 4])
        parts = x.split(1, dim=1)
        best, where = (x + a).max(1)
        return {
            "sum": x.sum(dtype=ours.float64) + named["k"],
            "cast": x.to(ours.bfloat16).float() + b[None, :],
            "index": c[[0, 1], made - 3] if False else c.index_select(0, where.clamp(max=1)),
            "made": made * 2 + parts[1].flatten().long(),
            "table": self.table @ x.t() + self.numbered[0],
            "scaled": ours.add(x, x, alpha=0.5).clamp(min=-1) + float("inf") * 0.0 * 0,
        }


def test_arguments_and_results_have_their_forms():
    ours.manual_seed(0)
    pair = (ours.rand(2), (ours.rand(2), ours.rand(2, 2)))
    form = Forms()
    mine, theirs = computes_the_same(
        form, (ours.rand(2, 2), pair, {"k": ours.rand(())}), strict=False
    )
    assert (mine.calls, theirs.calls, form.calls - 1) == (2, 2, 1)


def test_what_is_switched_while_it_is_traced():
    """As torch's: gradients flow where there were none, and casts of autocast are there."""

    def program(t):
        def run(x):
            with t.no_grad():
                y = x * 2
            with t.autocast("cpu"):
                return y @ y + x

        return run

    x = ours.eye(2)
    mine, theirs = read(written(ours.jit.trace(program(ours), x, check_trace=False)))
    torchs = torch.jit.trace(program(torch), there(x), check_trace=False)
    results = []
    for module, given in ((mine, x), (theirs, there(x)), (torchs, there(x))):
        leaf = given.detach().requires_grad_()
        result = module(leaf)
        result.sum().backward()
        results.append([result, leaf.grad])
    agrees(results[0], results[2])
    agrees(mine(x), theirs(there(x)))
    assert results[1][0].dtype is results[2][0].dtype and results[1][1].equal(results[2][1])


def test_functions_and_keywords():
    x = ours.arange(3.0)
    computes_the_same(lambda x, y: (x * y, [x + 1, y - 1]), (x, x + 1), strict=False)
    traced = ours.jit.trace(
        ours.nn.Bilinear(3, 3, 2),
        example_kwarg_inputs={"input1": x, "input2": x},
        check_trace=False,
    )
    mine, theirs = read(written(traced))
    agrees(mine(input1=x, input2=x), theirs(input1=there(x), input2=there(x)))


def test_code_is_what_the_archive_has():
    """The text that torch itself shows of the archive, but for a name of a constant."""
    traced = ours.jit.trace(ours.nn.Linear(3, 2), ours.ones(1, 3), check_trace=False)
    theirs = read(written(traced))[1]
    lines = traced.code.splitlines()
    assert lines[:2] == ["def forward(self,", "    input: Tensor) -> Tensor:"]
    assert lines[:2] == theirs.code.splitlines()[:2]
    assert "torch.linear(input, weight, bias)" in traced.code and "torch.linear" in theirs.code

    def doubled(x):
        return x * 2

    assert ours.jit.trace(doubled, ours.ones(2)).code == (
        "def doubled(x: Tensor) -> Tensor:\n  mul = torch.mul(x, 2)\n  return mul\n"
    )


def test_an_archive_is_trained_on_and_writing_changes_nothing():
    """Buffers and random numbers are as they were, whatever the drawing ran."""
    ours.manual_seed(0)
    layer = ours.nn.Sequential(ours.nn.Linear(3, 3), ours.nn.BatchNorm1d(3), ours.nn.Dropout())
    traced = ours.jit.trace(layer, ours.rand(4, 3), check_trace=False)
    before = [b.clone() for b in layer.buffers()], ours.get_rng_state()
    mine, theirs = read(written(traced))
    assert all(map(ours.equal, layer.buffers(), before[0]))
    assert ours.equal(ours.get_rng_state(), before[1])
    x = ours.rand(4, 3)
    results = []
    for t, module, given in ((ours, mine, x), (torch, theirs, there(x))):
        t.manual_seed(1)
        module(given).sum().backward()
        results.append([*(p.grad for p in module.parameters()), *module.buffers()])
    agrees(*results)


def retyped(x):
    y = 1
    if x.sum() > 0:
        y = "a"
    return y


def test_paths_further_files_and_what_was_there(tmp_path):
    path = tmp_path / "m.pt"
    traced = ours.jit.trace(ours.nn.Linear(2, 1), ours.ones(1, 2), check_trace=False)
    traced.save(str(path), _extra_files={"a.txt": "hello"})
    more = {"a.txt": ""}
    assert torch.jit.load(path, _extra_files=more).original_name == "Linear"
    assert more == {"a.txt": b"hello"}
    kept = path.read_bytes()
    other = ours.jit.trace(lambda x: ours.ones(int(x.sum())), ours.ones(2), check_trace=False)
    with pytest.raises(RuntimeError):
        other.save(str(path))
    assert path.read_bytes() == kept
    with pytest.raises(RuntimeError, match="previously had type"):
        ours.jit.save(ours.jit.script(retyped), path)
    assert path.read_bytes() == kept


@pytest.mark.parametrize("kind", ["Kinds", "Hooked", "Net"])
def test_what_was_loaded_is_written_as_it_is_now(kind):
    """Source and constants are the archive's, attributes those of now."""
    first = archive(torch.jit.script(getattr(programs, kind)()))
    again = []
    for t in (ours, torch):
        module = t.jit.load(io.BytesIO(first))
        if kind == "Kinds":
            module.numbers, module.step = [4], 8.5
        for p in module.parameters():
            p.data.mul_(2)
        data = io.BytesIO()
        t.jit.save(module.eval(), data)
        again.append(data.getvalue())
    shape = (2, 3, 4, 4) if kind == "Net" else (2, 3) if kind == "Kinds" else (2,)
    x = ours.arange(float(torch.Size(shape).numel())).reshape(shape)
    for module in (ours.jit.load(io.BytesIO(again[0])), torch.jit.load(io.BytesIO(again[0]))):
        want = torch.jit.load(io.BytesIO(again[1]))
        given = x if isinstance(module, ours.nn.Module) else there(x)
        agrees(module(given), want(there(x)))
        assert str(module) == str(want) and module.training == want.training
        if kind == "Kinds":
            agrees(module.state(), want.state())
