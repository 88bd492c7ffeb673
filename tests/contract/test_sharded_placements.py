"""Where results of operators on distributed tensors lie: as torch places them."""

from __future__ import annotations

import pytest

from ..sharded_programs import PROGRAMS, inputs, layouts, placed
from .both_frameworks import BOTH, torch
from .fake_ranks import fake_rank

pytestmark = pytest.mark.filterwarnings("ignore")
assert torch

#: Programs that lie otherwise than torch's, and why.
OTHERWISE = {
    "upper triangle": "torch makes the whole tensor; here samples are independent",
    "attention": "torch has no rule for the operator that the CPU has",
    "sort": "torch cuts what has to be reduced",
    "convolution": "torch exchanges the borders of pictures that are cut",
    "pooling": "torch cuts what has to be reduced",
    "batch_norm": "torch cuts channels of what is cut by sample",
    "gather": "torch cuts what has to be reduced",
    "embedding": "torch cuts a table that has to be reduced",
    "stack": "torch makes whole what lies along different dimensions",
    "linear of sequences": "to torch the exchange of parts of several intervals costs nothing",
}


def told(x):
    """How a tensor lies; an embedding's part of a sum is one of its own kind in torch."""
    spec = str(x._spec).replace("MaskP(sum, torch.Size([8, 4]), 0)", "P(sum)")
    return spec, tuple(x.stride()), tuple(x.to_local().shape)


def run(t, name, ways, mesh):
    """Where the result lies and the gradients do; None where the framework refuses."""
    program, shapes = PROGRAMS[name]
    tensors = [placed(t, x, mesh, way) for x, way in zip(inputs(t, shapes), ways, strict=True)]
    for x in tensors:
        x.requires_grad_(x.is_floating_point())
    try:
        result = program(t, *tensors)
    except (RuntimeError, NotImplementedError):
        return None
    return told(result.detach())


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in OTHERWISE])
def test_results_lie_as_torchs(name, size):
    compared = 0
    with fake_rank(0, size):
        ours, theirs = (t.distributed.init_device_mesh("cpu", (size,)) for t in BOTH)
        for ways in layouts(name, (size,), 40):
            got, want = run(BOTH[0], name, ways, ours), run(BOTH[1], name, ways, theirs)
            if want is not None:
                assert got == want, ways
                compared += 1
    assert compared


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_lies_otherwise_still_does(name):
    with fake_rank(0, 2):
        ours, theirs = (t.distributed.init_device_mesh("cpu", (2,)) for t in BOTH)
        assert any(
            run(BOTH[0], name, ways, ours) != run(BOTH[1], name, ways, theirs)
            for ways in layouts(name, (2,), 40)
        )
