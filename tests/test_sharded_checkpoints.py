"""Checkpoints of distributed tensors load on other numbers of ranks and other placements."""

from __future__ import annotations

import warnings

import mindtorch as torch
import mindtorch.distributed as dist
import mindtorch.distributed.checkpoint as dcp
import pytest
from mindtorch import nn
from mindtorch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_state_dict,
    set_model_state_dict,
    set_state_dict,
)
from mindtorch.distributed.fsdp import fully_shard
from mindtorch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from mindtorch.distributed.tensor.placement_types import _StridedShard

from .threads_as_ranks import on_ranks

pytestmark = pytest.mark.filterwarnings("ignore")

#: Shape of the mesh and placements on it.
LAYOUTS = {
    "whole": ((1,), [Replicate()]),
    "rows": ((2,), [Shard(0)]),
    "columns of four": ((4,), [Shard(1)]),
    "uneven rows": ((4,), [Shard(0)]),
    "blocks": ((2, 2), [Shard(1), Shard(0)]),
    "rows twice": ((2, 2), [Shard(0), Shard(0)]),
    "parts of parts": ((2, 2), [_StridedShard(0, split_factor=2), Shard(0)]),
    "strides": ((2,), [_StridedShard(0, split_factor=3)]),
    "same rows": ((2, 2), [Replicate(), Shard(0)]),
}
WHOLE = torch.arange(42.0).reshape(6, 7)


def quiet(run):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run()


def ranks(shape):
    count = 1
    for n in shape:
        count *= n
    return count


@pytest.mark.parametrize("loaded", LAYOUTS)
@pytest.mark.parametrize("saved", LAYOUTS)
def test_a_tensor_loads_however_it_lies(saved, loaded, tmp_path):
    def placed(layout, tensor):
        shape, placements = LAYOUTS[layout]
        mesh = dist.init_device_mesh("cpu", shape)
        return distribute_tensor(tensor, mesh, placements, src_data_rank=None)

    def save(rank):
        state = {"x": placed(saved, WHOLE), "plain": torch.ones(2), "number": 3}
        dcp.save(state, checkpoint_id=str(tmp_path))

    def load(rank):
        state = {"x": placed(loaded, torch.zeros(6, 7)), "plain": torch.zeros(2), "number": 0}
        dcp.load(state, checkpoint_id=str(tmp_path))
        return state["x"].full_tensor(), state["plain"], state["number"]

    quiet(lambda: on_ranks(ranks(LAYOUTS[saved][0]), save))
    for x, plain, number in quiet(lambda: on_ranks(ranks(LAYOUTS[loaded][0]), load)):
        assert torch.equal(x, WHOLE)
        assert plain.tolist() == [1, 1] and number == 3


def whole(x):
    return x.full_tensor() if isinstance(x, DTensor) else x


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))


def test_a_model_goes_on_with_another_number_of_ranks(tmp_path):
    base = network()
    x = torch.linspace(-1, 1, 24).reshape(8, 3)

    def trained(rank, size, path=None):
        model = network_like(base)
        fully_shard(model, mesh=dist.init_device_mesh("cpu", (size,)))
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        if path is not None:
            states = get_state_dict(model, optimizer)
            state = {"model": states[0], "optimizer": states[1]}
            dcp.load(state, checkpoint_id=path)
            set_state_dict(
                model,
                optimizer,
                model_state_dict=state["model"],
                optim_state_dict=state["optimizer"],
            )
        optimizer.zero_grad()
        model(x.chunk(size)[rank]).square().mean().backward()
        optimizer.step()
        return model, optimizer

    def save(rank):
        model, optimizer = trained(rank, 2)
        states = get_state_dict(model, optimizer)
        state = {"model": states[0], "optimizer": states[1]}
        dcp.save(state, checkpoint_id=str(tmp_path))

    def go_on(rank):
        model, _ = trained(rank, 4, str(tmp_path))
        return {n: whole(p.detach()) for n, p in model.named_parameters()}

    quiet(lambda: on_ranks(2, save))
    answers = quiet(lambda: on_ranks(4, go_on))
    plain = network_like(base)
    optimizer = torch.optim.AdamW(plain.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        plain(x).square().mean().backward()
        optimizer.step()
    for found in answers:
        for name, p in plain.named_parameters():
            torch.testing.assert_close(found[name], p.detach())


def network_like(base):
    made = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
    made.load_state_dict(base.state_dict())
    return made


@pytest.mark.parametrize("sent", [False, True])
def test_whole_states_load_into_split_models(sent):
    base = network()

    def run(rank):
        model = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
        fully_shard(model, mesh=dist.init_device_mesh("cpu", (2,)))
        options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=sent)
        given = base.state_dict() if rank == 0 or not sent else {}
        set_model_state_dict(model, given, options=options)
        return get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))

    for found in on_ranks(2, run):
        for name, value in base.state_dict().items():
            assert not isinstance(found[name], DTensor)
            assert torch.equal(found[name], value)


class Failing(dcp.FileSystemWriter):
    """Writes a checkpoint, but not on the rank *failing* at the step *step*."""

    def __init__(self, path, step, failing):
        super().__init__(path)
        self.step, self.failing = step, failing

    def _at(self, step):
        if step == self.step and dist.get_rank() == self.failing:
            raise ValueError(step)

    def prepare_local_plan(self, plan):
        self._at("plan")
        return super().prepare_local_plan(plan)

    def prepare_global_plan(self, plans):
        self._at("decide")
        return super().prepare_global_plan(plans)

    def write_data(self, plan, planner):
        self._at("write")
        return super().write_data(plan, planner)

    def finish(self, metadata, results):
        self._at("finish")
        super().finish(metadata, results)


@pytest.mark.parametrize("step, failing", [("plan", 1), ("decide", 0), ("write", 2), ("finish", 0)])
def test_all_ranks_hear_of_a_failing_one(step, failing, tmp_path):
    def run(rank):
        with pytest.raises(dcp.api.CheckpointException) as caught:
            dcp.save({"a": torch.ones(4)}, storage_writer=Failing(tmp_path, step, failing))
        return {r: repr(error) for r, (error, _) in caught.value.failures.items()}

    answers = quiet(lambda: on_ranks(3, run))
    assert answers == [{failing: f"ValueError('{step}')"}] * 3


def test_all_ranks_hear_of_a_checkpoint_that_is_not_there(tmp_path):
    def run(rank):
        path = tmp_path if rank else tmp_path / "absent"
        with pytest.raises(dcp.api.CheckpointException) as caught:
            dcp.load({"a": torch.zeros(4)}, checkpoint_id=path)
        return set(caught.value.failures)

    dcp.save({"a": torch.ones(4)}, checkpoint_id=tmp_path, no_dist=True)
    assert quiet(lambda: on_ranks(2, run)) == [{0}, {0}]


def test_parts_that_differ_are_told():
    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        with pytest.raises(ValueError, match="Inconsistent tensor metadata"):
            DTensor.from_local(torch.ones(2 + rank, 2), mesh, [Shard(0)], run_check=True)

    on_ranks(2, run)


def test_complex_numbers_are_exchanged():
    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        whole = torch.arange(6.0).view(3, 2) * (1 + 2j)
        ways = [Replicate(), Shard(0), Shard(1)]
        moved = [distribute_tensor(whole, mesh, [way]).full_tensor() for way in ways]
        return [bool((m == whole).all()) for m in moved]

    assert on_ranks(2, run) == [[True] * 3] * 2


def test_distributed_tensors_are_in_files_of_weights(tmp_path):
    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        saved = distribute_tensor(torch.arange(6.0).view(3, 2), mesh, [Shard(0)])
        torch.save(saved, tmp_path / f"{rank}.pt")
        loaded = torch.load(tmp_path / f"{rank}.pt", weights_only=True)
        return type(loaded) is DTensor and loaded.placements == saved.placements

    assert on_ranks(2, run) == [True, True]
