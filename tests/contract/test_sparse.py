"""Sparse tensors do what torch's do: values and their text, errors, gradients, files."""

from __future__ import annotations

import copy
import io
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path

import mindtorch
import pytest
import torch

from .batches import every
from .helpers import both

#: Of an error only the sentence is compared, without what names the rest of a build.
_ELSEWHERE = re.compile(r"This could be because.*", re.S)


def _sections():
    found, lines = {}, []
    for line in Path(__file__).with_name("sparse_programs.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            lines = found[line[1:-1]] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


PROGRAMS = _sections()
_APART = ("coalesced", "gradients")
_LINES = [line for name in PROGRAMS if name not in _APART for line in PROGRAMS[name]]


def scope(torch):
    """The names of the expressions.

    ``s`` is a COO tensor that is not known to be coalesced, ``k`` the same coalesced, ``u`` one
    whose coordinates repeat, ``h`` one with a dense dimension, ``c`` a CSR tensor, ``d`` a dense
    matrix of their shape, ``I`` and ``V`` indices and values of ``s``.
    """
    indices, values = torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0])
    s = torch.sparse_coo_tensor(indices, values, (2, 3))
    return {
        "torch": torch,
        "I": indices,
        "V": values,
        "s": s,
        "k": torch.sparse_coo_tensor(indices, values, (2, 3)).coalesce(),
        "u": torch.sparse_coo_tensor([[1, 0, 0], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 3)),
        "h": torch.arange(24.0).reshape(2, 3, 4).to_sparse(2),
        "c": s.to_sparse_csr(),
        "d": torch.arange(6.0).reshape(2, 3),
    }


def gradient_scope(torch):
    """The same in float64, with what gradients are asked of besides: a table ``W``."""
    double = torch.double
    s = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 3), dtype=double)
    u = torch.sparse_coo_tensor([[1, 0, 0], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 3), dtype=double)
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "I": torch.tensor([[0, 1], [1, 0]]),
        "D": torch.arange(6.0, dtype=double).reshape(2, 3) + 1,
        "W": torch.arange(8.0, dtype=double).reshape(4, 2),
        "V3": torch.tensor([1.0, 2.0, 3.0], dtype=double),
        "vs": torch.tensor([1.0, 2.0], dtype=double),
        "vu": torch.tensor([1.0, 2.0, 3.0], dtype=double),
        "s": s,
        "u": u,
        "c": s.to_sparse_csr(),
    }


def outcome(framework, text, show=repr):
    """What an expression comes to: the text of its value, or of its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return show(eval(text, scope(framework)))
        except Exception as error:
            said = _ELSEWHERE.sub("", str(error)).strip().split("\n")[0]
            return f"{type(error).__name__}: {said}"


@every("text", _LINES)
def test_expressions_come_to_the_same(text):
    assert outcome(mindtorch, text) == outcome(torch, text)


@pytest.mark.parametrize("text", PROGRAMS["coalesced"])
def test_results_are_coalesced_where_torchs_are(text):
    def show(t):
        return t.is_coalesced()

    assert outcome(mindtorch, text, show) == outcome(torch, text, show)


def gradient(framework, line):
    """The class of a result's node and the gradient of its squares, as text; or the error."""
    name, _, text = line.partition(" | ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = gradient_scope(framework)
        x = names["x"] = names[name].requires_grad_()
        try:
            y = eval(text, names)
            node = type(y.grad_fn).__name__
            dense = y if y.layout is framework.strided else y.to_dense()
            (dense * dense).sum().backward()
            return node, repr(x.grad)
        except Exception as error:
            return f"{type(error).__name__}: {_ELSEWHERE.sub('', str(error)).strip()}"


@pytest.mark.parametrize("line", PROGRAMS["gradients"])
def test_gradients_are_the_same(line):
    assert gradient(mindtorch, line) == gradient(torch, line)


_OF_ALL_LAYOUTS = (
    "s",
    "k",
    "u",
    "h",
    "c",
    "c.to_sparse_csc()",
    "torch.eye(4).to_sparse_bsr((2, 2))",
)


@pytest.mark.parametrize("text", _OF_ALL_LAYOUTS)
def test_copies_and_files_have_the_same_parts(text):
    def trips(torch):
        t = eval(text, scope(torch))
        file = io.BytesIO()
        torch.save(t, file)
        file.seek(0)
        loaded = [pickle.loads(pickle.dumps(t)), torch.load(file), copy.copy(t)]
        if t.is_sparse:
            loaded += [copy.deepcopy(t)]
        return [(repr(x), x.is_sparse and x.is_coalesced()) for x in loaded]

    ours, theirs = both(trips)
    assert ours() == theirs()


def test_files_of_either_framework_are_read_by_the_other(tmp_path):
    for text in _OF_ALL_LAYOUTS:
        for one, other in ((mindtorch, torch), (torch, mindtorch)):
            one.save({"t": eval(text, scope(one))}, tmp_path / "file")
            assert repr(other.load(tmp_path / "file")["t"]) == repr(eval(text, scope(other)))


@pytest.mark.parametrize("name", ("SGD", "Adagrad", "SparseAdam"))
def test_optimizers_take_sparse_gradients(name):
    def train(torch):
        table = torch.nn.Embedding(5, 2, sparse=True)
        with torch.no_grad():
            table.weight.copy_(torch.arange(10.0).reshape(5, 2) / 10)
        optimizer = getattr(torch.optim, name)(table.parameters(), lr=0.1)
        for step in range(12):
            optimizer.zero_grad()
            rows = table(torch.tensor([step % 5, 1, 1]))
            (rows * rows).sum().backward()
            assert table.weight.grad.is_sparse
            optimizer.step()
        return table.weight.detach().double()

    ours, theirs = both(train)
    assert torch.allclose(torch.tensor(ours().tolist()), torch.tensor(theirs().tolist()), 1e-6)


@pytest.mark.parametrize("name", ("Adam", "AdamW", "RMSprop", "Adadelta", "Adamax", "NAdam"))
def test_other_optimizers_refuse_sparse_gradients(name):
    def step(torch):
        weight = torch.nn.Parameter(torch.ones(3, 2))
        optimizer = getattr(torch.optim, name)([weight], lr=0.1)
        torch.nn.functional.embedding(torch.tensor([1]), weight, sparse=True).sum().backward()
        with pytest.raises(RuntimeError) as refused:
            optimizer.step()
        return str(refused.value)

    ours, theirs = both(step)
    assert ours() == theirs()


@pytest.mark.parametrize(("masked", "product"), ((True, "sparse.mm"), (False, "mm")))
def test_gradcheck_takes_sparse_inputs(masked, product):
    check = mindtorch.sparse.as_sparse_gradcheck(mindtorch.autograd.gradcheck)
    x = gradient_scope(mindtorch)["s"].requires_grad_()
    dense = mindtorch.ones(3, 2, dtype=mindtorch.double, requires_grad=True)
    function = mindtorch.sparse.mm if product == "sparse.mm" else mindtorch.mm
    assert check(function, (x, dense), masked=masked)


def test_importing_loads_nothing_of_sparse_tensors():
    code = "import sys, mindtorch; print([m for m in sys.modules if 'aten.sparse' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "text",
    (
        "(s * 2).to_dense()",
        "(d * 2).to_sparse()",
        "c @ (d * 3).t()",
        "(d + 1).add_(s)",
        "torch.sparse_coo_tensor(I, V * 3, (2, 3)).coalesce().values() * 2",
    ),
)
def test_in_a_pipeline_they_run_at_once(text):
    with mindtorch.pipeline():
        value = eval(text, scope(mindtorch))
    assert repr(value) == outcome(torch, text)


def test_modules_hold_sparse_tensors():
    def run(torch):
        s, c = (scope(torch)[name] for name in "sc")
        module = torch.nn.Linear(2, 2)
        module.weight = torch.nn.Parameter(s)
        module.register_buffer("rows", c)
        again = torch.nn.Linear(2, 2)
        again.weight = torch.nn.Parameter(s * 0)
        again.register_buffer("rows", c * 0)
        again.load_state_dict(module.state_dict(), strict=False)
        again.double()
        return repr(module.weight), repr(again.weight), repr(again.rows)

    ours, theirs = both(run)
    assert ours() == theirs()


def test_gradients_that_may_be_assigned_and_retained():
    def run(torch):
        found = []
        for leaf in "scd":
            for grad in "scd":
                x = scope(torch)[leaf].clone().requires_grad_()
                try:
                    x.grad = scope(torch)[grad]
                    found.append(repr(x.grad))
                except RuntimeError as error:
                    found.append(str(error))
        y = scope(torch)["s"].clone().requires_grad_() * 2
        y.retain_grad()
        y.to_dense().sum().backward()
        return [*found, repr(y.grad)]

    ours, theirs = both(run)
    assert ours() == theirs()


def test_programs_are_warned_of_unchecked_and_of_compressed_tensors():
    code = (
        "import {0} as torch, warnings\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    for _ in range(2): torch.sparse_coo_tensor([[0]], [1.0])\n"
        "    torch.eye(2).to_sparse() @ torch.ones(2, 2)\n"
        "    for _ in range(2): torch.eye(2).to_sparse_csr()\n"
        "print([str(w.message).partition('. ')[0] for w in seen])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code.format(name)], capture_output=True, text=True, check=True
        ).stdout
        for name in ("mindtorch", "torch")
    ]
    assert runs[0] == runs[1]
