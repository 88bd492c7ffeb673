"""Random sparse tensors: of many shapes, repeated and unsorted coordinates, dense dimensions."""

from __future__ import annotations

from functools import partial

import mindtorch
import numpy as np
import pytest
import torch

from ..samples import Call
from .helpers import assert_same_value, both
from .rows import compare, outcome
from .test_sparse_rows import without_warnings

SEEDS = range(30)


def make(torch, seed, dtype="float64", shape=None, dense=None, coalesced=None):
    """A COO tensor: numbers of quarters, so that sums are exact in any order."""
    rng = np.random.default_rng(seed)
    if shape is None:
        shape = tuple(int(n) for n in rng.integers(0, 5, rng.integers(1, 4)))
    dense = int(rng.integers(0, 2)) if dense is None else dense
    tail = tuple(int(n) for n in rng.integers(0, 4, dense))
    nnz = int(rng.integers(0, 12)) if all(shape) else 0
    indices = np.stack([rng.integers(0, n, nnz) for n in shape])
    values = rng.integers(-8, 8, (nnz, *tail)) / 4
    t = torch.sparse_coo_tensor(
        torch.tensor(indices.tolist() if nnz else np.empty((len(shape), 0)), dtype=torch.int64),
        torch.tensor(values).to(getattr(torch, dtype)),
        (*shape, *tail),
        check_invariants=True,
    )
    return t.coalesce() if (rng.random() < 0.5 if coalesced is None else coalesced) else t


def _matrix(torch, seed, *shape):
    return make(torch, seed, shape=shape, dense=0)


def _pair(torch, seed):
    one = make(torch, seed)
    content = tuple(one.shape[: one.sparse_dim()])
    rng = np.random.default_rng(seed + 1000)
    tail = one.shape[one.sparse_dim() :]
    nnz = int(rng.integers(0, 9)) if all(content) else 0
    indices = np.stack([rng.integers(0, n, nnz) for n in content])
    values = torch.tensor(rng.integers(-8, 8, (nnz, *tail)) / 4)
    two = torch.sparse_coo_tensor(torch.tensor(indices.tolist()).long().reshape(len(content), nnz),
                                  values, one.shape)  # fmt: skip
    return one, two.coalesce() if rng.random() < 0.5 else two


PROGRAMS = {
    "coalesce": lambda torch, s: make(torch, s).coalesce(),
    "to_dense": lambda torch, s: make(torch, s).to_dense(),
    "int8": lambda torch, s: make(torch, s, "int32").coalesce(),
    "bool": lambda torch, s: make(torch, s, "bool").coalesce(),
    "half": lambda torch, s: make(torch, s, "float16").coalesce(),
    "add": lambda torch, s: torch.add(*_pair(torch, s), alpha=2),
    "sub": lambda torch, s: torch.sub(*_pair(torch, s)),
    "mul": lambda torch, s: torch.mul(*_pair(torch, s)),
    "mul dense": lambda torch, s: make(torch, s) * make(torch, s).to_dense(),
    "dense add": lambda torch, s: make(torch, s).to_dense() + make(torch, s),
    "sin": lambda torch, s: torch.floor(make(torch, s)),
    "sum": lambda torch, s: make(torch, s).sum(),
    "sum 0": lambda torch, s: torch.sparse.sum(make(torch, s), 0),
    "sum -1": lambda torch, s: torch.sparse.sum(make(torch, s), -1),
    "select": lambda torch, s: make(torch, s).select(0, 0),
    "index_select": lambda torch, s: make(torch, s).index_select(
        0, torch.tensor([0, make(torch, s).shape[0] - 1, 0])
    ),
    "cat": lambda torch, s: torch.cat([make(torch, s)] * 2, s % 2 - 1),
    "unsqueeze": lambda torch, s: make(torch, s).unsqueeze(s % 2),
    "narrow": lambda torch, s: make(torch, s).narrow_copy(0, 0, 1),
    "mask": lambda torch, s: _pair(torch, s)[0].to_dense().sparse_mask(_pair(torch, s)[1]),
    "mask sparse": lambda torch, s: _pair(torch, s)[0].sparse_mask(_pair(torch, s)[1]),
    "t": lambda torch, s: _matrix(torch, s, 3, 4).t(),
    "csr": lambda torch, s: _matrix(torch, s, 3, 4).to_sparse_csr(),
    "csc": lambda torch, s: _matrix(torch, s, 3, 4).to_sparse_csc(),
    "csr csc": lambda torch, s: _matrix(torch, s, 3, 4).to_sparse_csr().to_sparse_csc(),
    "bsr": lambda torch, s: _matrix(torch, s, 4, 6).to_sparse_bsr((2, 3)),
    "bsc": lambda torch, s: _matrix(torch, s, 4, 6).to_dense().to_sparse_bsc((2, 3)),
    "bsr dense": lambda torch, s: _matrix(torch, s, 4, 6).to_sparse_bsr((2, 3)).to_dense(),
    "bsr coo": lambda torch, s: _matrix(torch, s, 4, 6).to_sparse_bsr((2, 2)).to_sparse(),
    "bsc coo": lambda torch, s: _matrix(torch, s, 4, 6).to_sparse_bsc((2, 2)).to_sparse(),
    "csc coo": lambda torch, s: _matrix(torch, s, 4, 6).to_sparse_csc().to_sparse(),
    "mm": lambda torch, s: _matrix(torch, s, 3, 4) @ _matrix(torch, s + 1, 4, 2).to_dense(),
    "dense mm": lambda torch, s: _matrix(torch, s, 3, 4).to_dense() @ _matrix(torch, s, 4, 2),
    "mm sparse": lambda torch, s: _matrix(torch, s, 3, 4) @ _matrix(torch, s + 1, 4, 2),
    "csr mm": lambda torch, s: (
        _matrix(torch, s, 3, 4).to_sparse_csr() @ torch.ones(4, 2, dtype=torch.float64)
    ),
    "csr add": lambda torch, s: (
        _matrix(torch, s, 3, 4).to_sparse_csr() + _matrix(torch, s + 1, 3, 4).to_sparse_csr()
    ),
    "csr mul": lambda torch, s: (
        _matrix(torch, s, 3, 4).to_sparse_csr() * _matrix(torch, s + 1, 3, 4).to_sparse_csr()
    ),
    "mv": lambda torch, s: _matrix(torch, s, 3, 4) @ torch.ones(4, dtype=torch.float64),
    "hspmm": lambda torch, s: torch.hspmm(
        _matrix(torch, s, 3, 4), torch.ones(4, 2, dtype=torch.float64)
    ),
    "smm": lambda torch, s: torch.smm(
        _matrix(torch, s, 3, 4), torch.ones(4, 2, dtype=torch.float64)
    ),
    "bmm": lambda torch, s: torch.bmm(
        make(torch, s, shape=(2, 3, 4), dense=0), torch.ones(2, 4, 2, dtype=torch.float64)
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_what_it_gives_in_torch(name):
    lines = []
    for seed in SEEDS:
        want, got = (
            outcome(lambda f, s: PROGRAMS[name](f, s), _arguments(framework, seed))
            for framework in (torch, mindtorch)
        )
        if want.error is not None:
            assert got.error is not None, (seed, want.error)
            continue
        if got.error is not None:
            raise got.error
        lines += [f"{seed}: {d}" for d in without_warnings(compare(got, want))]
        if want.value.is_sparse:
            assert got.value.is_coalesced() == want.value.is_coalesced(), seed
    assert lines == []


def _arguments(framework, seed):
    return Call((framework, seed), {})


@pytest.mark.parametrize("seed", range(12))
def test_softmax_of_random_tensors(seed):
    def run(torch):
        t = make(torch, seed, shape=(3, 4), dense=0)
        return [
            f(t, d).to_dense()
            for f in (torch.sparse.softmax, torch.sparse.log_softmax)
            for d in (0, 1)
        ]

    assert_same_value(*both(run), rtol=1e-12, atol=1e-14)


def _ones(torch, *shape):
    return torch.ones(shape, dtype=torch.float64)


#: What a gradient is asked of: an operand, and what is made of it and of another.
GRADIENTS = {
    "to_dense": (make, lambda torch, t, s: t.to_dense().pow(2)),
    "values": (make, lambda torch, t, s: t.coalesce().values().pow(2)),
    "mul": (make, lambda torch, t, s: (t * make(torch, s)).to_dense()),
    "add": (make, lambda torch, t, s: (make(torch, s) + 3 * t).to_dense().pow(2)),
    "sum 0": (make, lambda torch, t, s: torch.sparse.sum(t, 0).to_dense()),
    "sum -1": (make, lambda torch, t, s: torch.sparse.sum(t, -1)),
    "sum": (make, lambda torch, t, s: t.sum()),
    "sin": (make, lambda torch, t, s: torch.sin(t).to_dense()),
    "select": (make, lambda torch, t, s: t.select(0, 0).to_dense()),
    "mm": (_matrix, lambda torch, t, s: torch.sparse.mm(t, _ones(torch, 4, 2))),
    "matmul": (_matrix, lambda torch, t, s: t @ _ones(torch, 4, 2)),
    "mm sparse": (
        _matrix,
        lambda torch, t, s: torch.sparse.mm(t, _matrix(torch, s + 1, 4, 2)).to_dense(),
    ),
    "sparse mm": (
        _matrix,
        lambda torch, t, s: torch.sparse.mm(_matrix(torch, s + 1, 2, 3), t).to_dense(),
    ),
    "addmm": (
        _matrix,
        lambda torch, t, s: torch.sparse.addmm(
            _ones(torch, 3, 2), t, _ones(torch, 4, 2), beta=2, alpha=3
        ),
    ),
    "mv": (_matrix, lambda torch, t, s: t @ _ones(torch, 4)),
    "t": (_matrix, lambda torch, t, s: t.t().to_dense()),
    "norm": (_matrix, lambda torch, t, s: t.coalesce().norm()),
    "softmax": (_matrix, lambda torch, t, s: torch.sparse.softmax(t, 1).to_dense()),
    "csr": (_matrix, lambda torch, t, s: t.to_sparse_csr().to_dense().pow(2)),
}


def _gradient(torch, name, seed):
    """The gradient as a dense tensor, and whether it is sparse; or the name of what was raised."""
    start, function = GRADIENTS[name]
    leaf = start(torch, seed, *((3, 4) if start is _matrix else ())).requires_grad_()
    try:
        out = function(torch, leaf, seed)
        weights = torch.arange(1, out.numel() + 1, dtype=torch.float64).reshape(out.shape)
        out.backward(weights)
    except (RuntimeError, IndexError) as error:
        return type(error).__name__
    return leaf.grad.is_sparse, leaf.grad.to_dense()


@pytest.mark.parametrize("name", GRADIENTS)
def test_a_gradient_is_what_it_is_in_torch(name):
    for seed in SEEDS:
        assert_same_value(*both(partial(_gradient, name=name, seed=seed)), rtol=1e-12, atol=1e-14)
