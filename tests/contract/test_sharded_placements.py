"""Where results of operators on distributed tensors lie: as torch places them."""

from __future__ import annotations

import itertools

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
    "uneven mse_loss": "to torch it costs less to cut otherwise",
    "sum without NaN": "parts of a sum may be NaN where the sum is not, and the other way round",
    "mean without NaN": "the same",
    "diagonal": "torch makes the whole tensor",
    "take": "torch cuts what has to be reduced",
    "index_add": "torch cuts what has to be reduced, and what is whole if an index is cut",
    "index_copy": "the same",
    "index_put": "the same",
    "a copied view": "torch makes whole what has to be reduced",
    "in place of a view": "torch has no rule",
    "triangular systems": "torch solves for parts of a sum",
    "weight_norm": "torch scales parts of a sum",
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


def shapes_of(count):
    """Shapes of *count* elements, of up to three dimensions, with one of size 1 at most."""
    divisors = [n for n in range(1, count + 1) if count % n == 0]
    for ndim in (1, 2, 3):
        for shape in itertools.product(divisors, repeat=ndim):
            product = 1
            for n in shape:
                product *= n
            if product == count and shape.count(1) <= 1:
                yield shape


def view_of(t, shape, way, target, mesh):
    """How a view lies, or what is said against it."""
    count = t.arange(12.0)
    x = placed(t, count.reshape(shape), mesh, (way,))
    try:
        y = x.view(target)
    except RuntimeError as error:
        return str(error).split("\n\n")[0]
    return str(y._spec), tuple(y.to_local().shape)


@pytest.mark.parametrize("size", [2, 3])
def test_views_lie_as_torchs(size):
    """What torch can view, and more: parts of several intervals, where torch gathers or refuses."""
    compared = more = 0
    with fake_rank(0, size):
        ours, theirs = (t.distributed.init_device_mesh("cpu", (size,)) for t in BOTH)
        for shape, target in itertools.product(list(shapes_of(12)), repeat=2):
            for way in range(len(shape)):
                got = view_of(BOTH[0], shape, way, target, ours)
                want = view_of(BOTH[1], shape, way, target, theirs)
                if got != want:
                    assert "_S(" in got[0], (shape, way, target, got, want)
                    more += 1
                compared += 1
    assert compared > 20 * more > 0
