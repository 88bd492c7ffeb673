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
    ways = list(layouts(name, mesh, 5))

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
                assert "edistribut" in str(error), error
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


def test_writes_reach_the_tensor_or_are_refused():
    x = ours.arange(24.0).view(6, 4)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        rows = placed(ours, x.clone(), mesh, (0,))
        rows[:, 1] = 5
        rows.t().mul_(2)
        with pytest.raises(RuntimeError, match="would not change"):
            rows[0] = 7
        columns = placed(ours, x.clone(), mesh, (1,))
        columns[0] = 7
        return rows.full_tensor(), columns.full_tensor()

    rows, columns = x.clone(), x.clone()
    rows[:, 1] = 5
    rows.t().mul_(2)
    columns[0] = 7
    for got_rows, got_columns in on_ranks(2, run):
        assert ours.equal(got_rows, rows) and ours.equal(got_columns, columns)


@pytest.mark.parametrize("ranks", [[[3, 1], [0, 2]], [[0, 1], [2, 3]]])
def test_ranks_of_a_mesh_may_be_in_any_order(ranks):
    x = ours.arange(24.0).view(6, 4)
    layouts = [(0, 1), (0, 0), (1, "R"), ("P", 0), (1, 1)]

    def run(rank):
        mesh = dist.DeviceMesh("cpu", ranks)
        found = []
        for ways in layouts:
            for source in (None, 0):
                kinds = placed(ours, x, mesh, ways).placements
                laid = dist.tensor.distribute_tensor(x, mesh, kinds, src_data_rank=source)
                found += [laid.full_tensor(), (laid * 1).full_tensor()]
                other = laid.redistribute(placements=placed(ours, x, mesh, (1, 0)).placements)
                found.append(other.full_tensor())
        return found

    for found in on_ranks(4, run):
        assert all(ours.equal(each, x) for each in found)


def test_a_rank_outside_of_a_mesh_has_nothing():
    x = ours.arange(24.0).view(6, 4)

    def run(rank):
        mesh = dist.DeviceMesh("cpu", [0, 2])
        laid = dist.tensor.distribute_tensor(x, mesh, [dist.tensor.Shard(0)])
        total = (laid + 1).relu().sum(0)
        return mesh.get_coordinate(), tuple(laid.to_local().shape), total.full_tensor().tolist()

    inside = [66.0, 72.0, 78.0, 84.0]
    want = [((0,), (3, 4), inside), (None, (0,), []), ((1,), (3, 4), inside), (None, (0,), [])]
    assert on_ranks(4, run) == want


def test_random_numbers_are_those_of_one_process():
    ours.manual_seed(3)
    want = ours.empty(8, 4).normal_(), ours.rand(6)
    dist.init_process_group("fake", rank=1, world_size=2)
    try:
        mesh = dist.init_device_mesh("cpu", (2,))
        ours.manual_seed(3)
        x = placed(ours, ours.zeros(8, 4), mesh, (0,)).normal_()
        kinds = dist.tensor
        y = kinds.rand(6, device_mesh=mesh, placements=[kinds.Shard(0)])
    finally:
        dist.destroy_process_group()
    assert ours.equal(x.to_local(), want[0][4:]) and ours.equal(y.to_local(), want[1][3:])
