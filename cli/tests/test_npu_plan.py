"""``mindtorch npu plan``: whether a script fits a device, of one rank and of several."""

import json
import re

import pytest

LARGE = """
import mindtorch as torch
held = [torch.empty(2**30, device="npu") for _ in range(int(__import__("sys").argv[1]))]
loss = (held[0] * 2).sum()
print("loss", loss.item())
"""


@pytest.mark.parametrize(("count", "fits"), [("8", True), ("20", False)])
def test_plan_says_whether_it_fits(run, write, count, fits, tmp_path):
    """Gigabytes that this machine does not have; a number that is read is 0."""
    page = tmp_path / "memory.html"
    words = ("--device", "910B-64GB", "--timeline", str(page), "--json", "--", count)
    done = run("npu", "plan", write(LARGE), *words)
    assert done.exit_code == (0 if fits else 1), done.output
    data = json.loads(done.stdout)
    (device,) = data["devices"]
    assert device["fits"] is fits
    assert device["basis"] == "nominal"
    assert "script.py:3 in <" in device["holders"][0]["line"]
    assert max(device["timeline"]) == device["peak_bytes"]
    assert len(device["timeline"]) <= 40
    assert "script.py:3 in &lt;" in page.read_text()
    if fits:
        # 4 GiB each, and one for the product; the padding makes each 2 MiB larger.
        assert device["peak_allocated"] // 2**30 == 36
        assert "loss 0.0" in done.stderr
    else:
        assert device["out_of_memory"]["asked_bytes"] >= 2**32
        assert "NPU out of memory" in data["error"]


def test_plan_of_a_script_that_ends_early(run, write, monkeypatch):
    """Its exit code is the plan's; devices that it does not use take one line.

    What the environment says of this machine's devices is not what is planned for.
    """
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("MINDTORCH_NPU_MEMORY", "3GiB")
    code = "import mindtorch as torch\nx = torch.ones(3, device='npu')\nraise SystemExit(7)\n"
    done = run("npu", "plan", write(code), "--devices", "3")
    assert done.exit_code == 7, done.output
    assert re.search(r"held over time +▁*█+", done.output)
    assert "not used: npu:1, npu:2" in done.output
    assert re.search(r"total memory \(nominal\) +64.00 GiB", done.output)


#: Ten gigabytes on the host, and numbers there that matter.
BUILT_ON_THE_HOST = """
import resource, sys
import mindtorch as torch
from mindtorch import nn
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()  # of who forked us, too
def build():
    return nn.Sequential(*(nn.Linear(16384, 16384, bias=False) for _ in range(10)))
model = build().to(torch.bfloat16)
model.load_state_dict(build().state_dict())
model[0].weight.data.mul_(2).div_(3).sigmoid_()
for wrong in (
    lambda: model[0].weight.data.copy_(torch.ones(3)),
    lambda: torch.empty(2**20, dtype=torch.int64).mul_(0.5),
):
    try:
        wrong()
    except RuntimeError as error:
        print(error)
model = model.to("npu")
x = torch.randn(1, 16384, dtype=torch.bfloat16).pin_memory().to("npu", non_blocking=True)
model(x)
assert (peak() - before) * (1 if sys.platform == "darwin" else 1024) < 2**30
assert torch.arange(10).clone().float().mul_(3).sum().item() == 135
assert torch.arange(2**20).to(torch.int32)[-1].item() == 0
"""


def test_plan_of_a_model_that_is_built_on_the_host(run, write):
    """Only what is moved counts, as it is moved; the host needs no memory for it."""
    done = run("npu", "plan", write(BUILT_ON_THE_HOST), "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, data["error"]
    assert "The size of tensor a (16384) must match the size of tensor b (3)" in done.stderr
    assert "result type Float can't be cast to the desired output type Long" in done.stderr
    (device,) = data["devices"]
    assert device["peak_bytes"] == 10 * 2 * 16384**2 + 11 * 2 * 16384


def test_plan_of_a_script_that_recovers(run, write):
    """That it went on is said, and what it may use of the memory."""
    code = """
import mindtorch as torch
torch.npu.set_per_process_memory_fraction(0.5)
n = 2**32
while True:
    try:
        x = torch.empty(n, device="npu")
        break
    except torch.OutOfMemoryError:
        n //= 2
"""
    done = run("npu", "plan", write(code), "--memory", "8GiB")
    assert done.exit_code == 1, done.output
    assert "does NOT fit\n" in done.output
    assert "3 requests were refused, and the script went on" in done.output
    assert re.search(r"allowed by its memory fraction +4.00 GiB", done.output)


#: A script for torchrun: each rank holds the parameters, the first a gathered copy of all, too.
OF_SEVERAL_RANKS = """
import os
import mindtorch as torch
import mindtorch.distributed as dist
from mindtorch.nn.parallel import DistributedDataParallel
dist.init_process_group("hccl")
local = int(os.environ["LOCAL_RANK"])
torch.npu.set_device(local)
model = torch.nn.Linear(1024, 1024, bias=False, device=f"npu:{local}")
model = DistributedDataParallel(model, device_ids=[local])
model(torch.ones(1, 1024, device=f"npu:{local}")).sum().backward()
assert model.module.weight.grad is not None
told = [None] * dist.get_world_size()
dist.all_gather_object(told, dist.get_rank())
if dist.get_rank() == 0:
    parts = [torch.empty(2**20, device=f"npu:{local}") for _ in told]
    dist.all_gather(parts, model.module.weight.detach().view(-1))
dist.barrier()
print(dist.get_rank(), dist.get_world_size(), dist.get_backend(), local)
if dist.get_rank() == 5:
    raise SystemExit(7)
"""


def test_plan_of_one_rank_of_several(run, write):
    """The others need not run; it has the device of its place in the machine."""
    script = write(OF_SEVERAL_RANKS)
    done = run("npu", "plan", script, "--ranks", "16", "--rank", "9", "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, done.stderr
    assert "9 16 hccl 1\n" in done.stderr
    assert (data["rank"], data["world_size"]) == (9, 16)
    (device,) = data["devices"]
    assert device["device"] == 1
    assert 3 * 2**22 <= device["peak_allocated"] < 3 * 2**22 + 2**20  # weight, gradient, bucket
    done = run("npu", "plan", script, "--ranks", "4", "--ranks-per-node", "2", "--rank", "3")
    assert done.output.startswith("rank 3 of 4\nnpu:1"), done.output
    assert "not used" not in done.output


def test_plan_of_all_ranks(run, write):
    """Each in turn; the report is of what needs most, the exit code of the first to fail."""
    script = write(OF_SEVERAL_RANKS)
    done = run("npu", "plan", script, "--ranks", "6", "--all-ranks", "--json")
    data = json.loads(done.stdout)
    assert [plan["rank"] for plan in data["ranks"]] == list(range(6))
    assert data["exit_code"] == done.exit_code == 7
    needs = [plan["devices"][0]["peak_allocated"] for plan in data["ranks"]]
    assert needs[0] > needs[1] == needs[2]
    done = run("npu", "plan", script, "--ranks", "2", "--all-ranks")
    assert done.exit_code == 0, done.output
    assert "all 2 ranks fit" in done.output
    assert re.search(r" 1 +npu:1 .* fits", done.output)
    assert "\nrank 0 of 2\n" in done.output
    done = run("npu", "plan", script, "--ranks", "2", "--all-ranks", "--memory", "20MiB")
    assert done.exit_code == 1
    assert "ranks 0, 1 of 2 do not fit or failed" in done.output


#: Eight layers of 4 MiB, split over all ranks, and two steps of Adam.
LAYER, LAYERS, RANKS = 4 * 2**20, 8, 8
SPLIT = """
import os
import mindtorch as torch
import mindtorch.distributed as dist
from mindtorch import nn
from mindtorch.distributed.fsdp import (
    CPUOffloadPolicy, FullyShardedDataParallel, MixedPrecisionPolicy, fully_shard
)
from mindtorch.distributed.fsdp.wrap import ModuleWrapPolicy
dist.init_process_group("hccl")
device = torch.device("npu", int(os.environ["LOCAL_RANK"]))
torch.npu.set_device(device)
model = nn.Sequential(*[nn.Linear(1024, 1024, bias=False) for _ in range(8)])
WRAP
optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
for _ in range(2):
    model(torch.ones(1, 1024, device=device)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
"""
WRAPPED = """
policy = ModuleWrapPolicy({nn.Linear})
model = FullyShardedDataParallel(model, auto_wrap_policy=policy, device_id=device)
"""
#: As accelerate does it: on the meta device, then filled from a state that the first rank sends.
PREPARED = """
from mindtorch.distributed.tensor import DTensor, distribute_tensor
whole = model.state_dict()
model = model.to("meta")
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model:
    fully_shard(layer, mp_policy=policy, reshard_after_forward=True)
fully_shard(model, mp_policy=policy)
split = {}
for name, shard in model.state_dict().items():
    full = whole[name].detach().to(device)
    dist.broadcast(full, src=0)
    split[name] = distribute_tensor(full, shard.device_mesh, shard.placements)
model.load_state_dict(split, assign=True)
del full, split, shard
told = [None]
dist.broadcast_object_list(told, src=0)
assert all(isinstance(p, DTensor) for p in model.parameters())
"""


@pytest.mark.parametrize(
    ("wrap", "whole_layers"), [(WRAPPED, 6), (PREPARED, 5)], ids=["wrapped", "prepared"]
)
def test_plan_of_split_parameters(run, write, wrap, whole_layers):
    """Each rank has its part of four numbers a parameter, and few layers whole at a time.

    These are the parts that came and the parameters made of them, of this layer and of the next
    one, and a gradient with what is sent of it.
    """
    script = write(SPLIT.replace("WRAP", wrap))
    done = run("npu", "plan", script, "--ranks", str(RANKS), "--rank", "3", "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, done.stderr
    (device,) = data["devices"]
    state = 4 * LAYERS * LAYER // RANKS
    assert device["device"] == 3
    assert state < device["peak_allocated"] <= state + whole_layers * LAYER
    held = {}
    for holder in device["holders"]:
        _, _, exchange = holder["line"].partition(" (")
        held[exchange] = held.get(exchange, 0) + holder["bytes"]
    parts = LAYERS * LAYER // RANKS
    assert parts * 3 / 4 < held["reduce_scatter)"] <= parts + 3 * LAYER  # gradients
    assert LAYER / 2 <= held["all_gather)"] <= 3 * LAYER
    assert held[""] + held.get("scatter)", 0) >= 3 * parts
    assert ("scatter)" in held) == (wrap is PREPARED)


def test_plan_of_split_parameters_on_the_host(run, write):
    """The device has nothing but what is whole."""
    wrap = """
policy = CPUOffloadPolicy(pin_memory=False)
for layer in model: fully_shard(layer, offload_policy=policy)
fully_shard(model, offload_policy=policy)
"""
    done = run("npu", "plan", write(SPLIT.replace("WRAP", wrap)), "--ranks", "8", "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, done.stderr
    assert LAYER <= data["devices"][0]["peak_allocated"] <= 6 * LAYER


def test_plan_of_a_rank_that_waits_for_what_nobody_sends(run, write):
    """It is told at once."""
    code = """
import mindtorch.distributed as dist
store, rank, size = next(dist.rendezvous("env://"))
store.set("mine", "1")
assert store.get("mine") == b"1"
store.get("others")
"""
    done = run("npu", "plan", write(code), "--ranks", "2")
    assert done.exit_code == 1
    assert "only this process runs, and it has not set" in done.output


def test_plan_refuses_what_is_no_device(run, write):
    """The names are listed."""
    done = run("npu", "plan", write(LARGE), "--device", "abacus")
    assert done.exit_code == 2
    assert "910B-64GB" in done.stderr
