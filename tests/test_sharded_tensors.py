"""Distributed tensors on meshes of several ranks have the values and gradients of plain ones."""

from __future__ import annotations

import math
import warnings

import mindtorch as ours
import mindtorch.distributed as dist
import mindtorch.distributed.tensor
import pytest

from .sharded_programs import MESHES, PROGRAMS, inputs, layouts, placed
from .threads_as_ranks import on_ranks

assert mindtorch


def grown(shapes):
    """The tensors, of which those of decimals want gradients."""
    return [x.requires_grad_(x.is_floating_point()) for x in inputs(ours, shapes)]


def slope(result):
    """A number that depends on each element of *result* in its own way."""
    weights = (ours.arange(result.numel()) % 7 - 2.5).reshape(result.shape).to(result.dtype)
    return weights


def plain(name):
    program, shapes = PROGRAMS[name]
    tensors = grown(shapes)
    result = program(ours, *tensors)
    result.backward(slope(result))
    return result.detach(), [x.grad for x in tensors]


@pytest.mark.parametrize("mesh", MESHES, ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients_are_those_of_plain_tensors(name, mesh):
    program, shapes = PROGRAMS[name]
    want, want_grads = plain(name)
    ways = list(layouts(name, mesh, 12))

    def run(rank):
        on = dist.init_device_mesh("cpu", mesh)
        found = []
        for each in ways:
            tensors = [placed(ours, x.detach(), on, w) for x, w in zip(grown(shapes), each)]
            for x in tensors:
                x.requires_grad_(x.is_floating_point())
            try:
                result = program(ours, *tensors)
            except RuntimeError as error:
                assert "redistribution" in str(error), error
                found.append(None)
                continue
            weights = placed(ours, slope(want), on, ("R",) * len(mesh))
            result.redistribute(placements=weights.placements).backward(weights)
            grads = [x.grad.full_tensor() if x.grad is not None else None for x in tensors]
            shape = tuple(result.shape), result.stride()
            found.append((result.detach().full_tensor(), grads, shape))
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = on_ranks(math.prod(mesh), run)
    refused = 0
    for rank, found in enumerate(answers):
        for each, answer in zip(ways, found, strict=True):
            if answer is None:
                refused += 1
                continue
            got, grads, shape = answer
            said = f"rank {rank}, {each}"
            assert shape == (tuple(want.shape), want.stride()) or rank, said
            assert ours.allclose(got, want, rtol=1e-5, atol=1e-5), said
            for have, wanted in zip(grads, want_grads, strict=True):
                if wanted is not None:
                    assert ours.allclose(have, wanted, rtol=1e-5, atol=1e-5), said
    assert refused < len(ways) * len(answers)
