"""Sparse tensors of each layout and dtype: empty, repeated, hybrid, in batches."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch

from ..samples import Call
from .rows import compare, outcome
from .test_sparse_rows import without_warnings

DTYPES = ("float32", "int64", "int8", "bool", "complex64", "float16", "bfloat16")
COMPRESSED = ("csr", "csc", "bsr", "bsc")
#: What a tensor is like: its size, how much of it is there, the sizes of a batch and of an element.
KINDS = {
    "full": ((4, 4), 0.5, (), ()),
    "hybrid": ((4, 4), 0.4, (), (2,)),
    "empty": ((2, 4), 0.0, (), ()),
    "of no size": ((0, 4), 0.0, (), ()),
    "batch": ((4, 4), 0.5, (2,), ()),
    "batch of none": ((4, 4), 0.5, (0,), ()),
}


def given(torch, layout, dtype, kind, seed=3):
    """A tensor of small whole numbers; each matrix of a batch is the same."""
    size, part, batch, tail = KINDS[kind]
    rng = np.random.default_rng(seed)
    there = (rng.random(size) < part).reshape(*size, *(1,) * len(tail))
    numbers = np.broadcast_to(rng.integers(-2, 4, (*size, *tail)) * there, (*batch, *size, *tail))
    dense = torch.tensor(numbers.tolist()).reshape(numbers.shape).to(getattr(torch, dtype))
    if layout == "dense":
        return dense
    if layout in ("coo", "repeated"):
        t = dense.to_sparse(len(size) + len(batch))
        if layout == "coo":
            return t
        twice = torch.cat([t._indices().flip(1), t._indices()], 1)
        return torch.sparse_coo_tensor(twice, torch.cat([t._values()] * 2), t.shape)
    blocks = ((1, 2),) if layout in ("bsr", "bsc") else ()
    return getattr(dense, f"to_sparse_{layout}")(*blocks, dense_dim=len(tail))


def parts(torch, t):
    """A sparse tensor by what it is made of, which the comparison knows."""
    if not isinstance(t, torch.Tensor) or t.layout is torch.strided:
        return t
    if t.layout is torch.sparse_coo:
        return ["coo", list(t.shape), t.is_coalesced(), t._indices().tolist(), t._values()]
    by_row = t.layout in (torch.sparse_csr, torch.sparse_bsr)
    lines, places = (
        (t.crow_indices(), t.col_indices()) if by_row else (t.ccol_indices(), t.row_indices())
    )
    return [str(t.layout)[-3:], list(t.shape), lines, places.tolist(), t.values() + 0]


def ones(torch, t):
    return torch.ones(t.shape, dtype=t.dtype)


PROGRAMS = {
    "itself": lambda torch, t: t,
    "add": lambda torch, t: t + t.clone(),
    "add itself": lambda torch, t: torch.add(t, t, alpha=2),
    "mul": lambda torch, t: t * t.clone(),
    "mul number": lambda torch, t: t * 2,
    "to coo": lambda torch, t: t.to_sparse(),
    "zeros_like": lambda torch, t: torch.zeros_like(t),
    "zero_": lambda torch, t: t.clone().zero_(),
    "ones_like": lambda torch, t: torch.ones_like(t),
    "full_like": lambda torch, t: torch.full_like(t, 3),
    "full_like dtype": lambda torch, t: torch.full_like(t, 3, dtype=torch.float64),
    "full_like strided": lambda torch, t: torch.full_like(t, 3, layout=torch.strided),
    "empty_like": lambda torch, t: torch.empty_like(t)._nnz(),
    "mask of itself": lambda torch, t: t.sparse_mask(t),
    "mask": lambda torch, t: ones(torch, t).sparse_mask(t),
    "select rows": lambda torch, t: [parts(torch, t.select(0, i)) for i in range(2)],
    "select columns": lambda torch, t: [parts(torch, t.select(1, i)) for i in range(4)],
    "select a column": lambda torch, t: t.select(1, 2),
}
#: Of COO tensors alone: torch reads other memory for some compressed ones, or has MKL.
COO_PROGRAMS = {
    "dist": lambda torch, t: t.dist(t.clone() * 2, 1),
    "norm": lambda torch, t: t.norm(3),
    "dense add": lambda torch, t: ones(torch, t) + t,
    "dense add int64": lambda torch, t: torch.ones(t.shape, dtype=torch.int64) + t,
    "mm": lambda torch, t: torch.mm(t, t),
    "mv": lambda torch, t: t @ torch.ones(4, dtype=t.dtype),
}
#: Torch's MKL refuses dtypes, and its kernel for batches them; these are computed here.
MORE_HERE = {(name, layout) for name in ("add", "mul") for layout in COMPRESSED}
#: Torch's MKL takes vectors and batches for one list of numbers; nothing empty has a wrong dtype.
KNOWN = {("add", "csr", kind) for kind in ("hybrid", "batch")} | {
    ("mv", layout, kind) for layout in ("coo", "repeated") for kind in ("empty", "of no size")
}


def differing(name, program, layout, dtype, kind):
    """What is different, and whether the one or the other refuses."""

    def run(torch, layout, dtype, kind):
        return parts(torch, program(torch, given(torch, layout, dtype, kind)))

    want, got = (outcome(run, Call((f, layout, dtype, kind), {})) for f in (torch, mindtorch))
    if want.error is not None:
        if got.error is None:
            return [] if (name, layout) in MORE_HERE else [f"not refused: {want.error}"]
        return []
    if got.error is not None:
        return [f"refused: {got.error}"]
    return without_warnings(compare(got, want))


CASES = [(n, p, x) for n, p in PROGRAMS.items() for x in ("coo", "repeated", *COMPRESSED)]
CASES += [(n, p, x) for n, p in COO_PROGRAMS.items() for x in ("coo", "repeated")]


@pytest.mark.parametrize(("name", "program", "layout"), CASES, ids=lambda v: str(v)[:20])
def test_a_program_gives_what_it_gives_in_torch(name, program, layout):
    lines = [
        f"{kind} {dtype}: {line}"
        for kind in KINDS
        if (name, layout, kind) not in KNOWN
        for dtype in DTYPES
        for line in differing(name, program, layout, dtype, kind)
    ]
    assert lines == []


SIZES = ((5, 5), (4, 4), (2, 4), (1, 9), (0, 4), (4, 2), (4,), (), (-1, 4))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_csr_matrix_gets_another_size(size):
    def run(torch):
        return parts(torch, given(torch, "csr", "float32", "full").resize_(size))

    want, got = (outcome(run, Call((f,), {})) for f in (torch, mindtorch))
    assert without_warnings(compare(got, want)) == []


@pytest.mark.parametrize("layout", ["csc", "bsr"])
def test_other_compressed_matrices_get_no_other_size(layout):
    t = given(mindtorch, layout, "float32", "full")
    before = t.to_dense()
    with pytest.raises(RuntimeError, match="only CSR matrices are supported"):
        t.resize_(5, 5)
    assert mindtorch.equal(t.to_dense(), before)


FORMATS = ("preserve_format", "contiguous_format", "channels_last")
LIKES = {
    "empty_like": (),
    "zeros_like": (),
    "ones_like": (),
    "full_like": (2,),
    "clone": (),
}


@pytest.mark.parametrize("name", LIKES)
@pytest.mark.parametrize("layout", ["coo", "csr", "dense"])
def test_memory_formats_of_what_is_sparse_are_refused(name, layout):
    """Also where they say what is anyway; only of strided tensors there are several."""

    def run(t, memory_format, wanted):
        options = {"memory_format": getattr(t, memory_format)}
        if wanted is not None:
            options["layout"] = getattr(t, wanted)
        try:
            made = getattr(t, name)(given(t, layout, "float32", "full"), *LIKES[name], **options)
        except RuntimeError as error:
            return str(error)
        return str(made.layout)

    for memory_format in FORMATS:
        for wanted in (None,) if name == "clone" else (None, "sparse_coo"):
            ours, oracle = (run(t, memory_format, wanted) for t in (mindtorch, torch))
            assert ours == oracle, (memory_format, wanted)
