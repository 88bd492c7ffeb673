"""Which tensors the backends of a group take, by type of device, with the errors of torch."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .both_frameworks import BOTH, ours
from .one_process_groups import begin, end

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def bare():
    end()
    yield
    end()


#: What is called on a tensor of the host.
CALLS = {
    "all_reduce": lambda t, d, x: d.all_reduce(x),
    "all_reduce_coalesced": lambda t, d, x: d.all_reduce_coalesced([x]),
    "broadcast": lambda t, d, x: d.broadcast(x, 0),
    "reduce": lambda t, d, x: d.reduce(x, 0),
    "all_gather": lambda t, d, x: d.all_gather([x + 0], x),
    "all_gather_into_tensor": lambda t, d, x: d.all_gather_into_tensor(x + 0, x),
    "gather": lambda t, d, x: d.gather(x, [x + 0]),
    "scatter": lambda t, d, x: d.scatter(x, [x + 0]),
    "reduce_scatter": lambda t, d, x: d.reduce_scatter(x, [x + 0]),
    "reduce_scatter_tensor": lambda t, d, x: d.reduce_scatter_tensor(x + 0, x),
    "all_to_all": lambda t, d, x: d.all_to_all([x + 0], [x]),
    "all_to_all_single": lambda t, d, x: d.all_to_all_single(x + 0, x),
    "send": lambda t, d, x: d.group.WORLD.send([x], 0, 0),
    "recv": lambda t, d, x: d.group.WORLD.recv([x], 0, 0),
    "recv of anybody": lambda t, d, x: d.group.WORLD.recv_anysource([x], 0),
    "mixed with one of no numbers": lambda t, d, x: d.all_gather([t.ones(2, device="meta")], x),
    "of no numbers": lambda t, d, x: d.all_reduce(x.to("meta")),
    "the backend": lambda t, d, x: d.group.WORLD._get_backend(x.device),
    "in a part of the group": lambda t, d, x: d.all_reduce(x, group=d.new_group([0])),
}


def told(t, name, call):
    try:
        begin(t, name)
        call(t, t.distributed, t.ones(2))
        return "taken"
    except Exception as e:
        return f"{type(e).__name__}: {e}"


@pytest.mark.parametrize("name", ["cuda:gloo", "meta:gloo"])
@pytest.mark.parametrize("call", CALLS)
def test_a_group_for_other_devices_refuses_the_hosts_tensors(name, call):
    got, want = (told(t, name, CALLS[call]) for t in BOTH)
    assert got == want


@pytest.mark.parametrize("name", ["nccl", "xccl", "cuda:nccl", "cpu:gloo,cuda:nccl", "cpu:xccl"])
def test_backends_of_accelerators_that_are_not_there_are_refused(name):
    got, want = (told(t, name, CALLS["all_reduce"]) for t in BOTH)
    assert got == want and "built in" in want
    assert not ours.distributed.is_initialized()


@pytest.mark.parametrize(
    "name", ["gloo", "cuda:gloo", "meta:gloo", "cpu:gloo", "cpu:gloo,cuda:gloo"]
)
def test_a_group_names_its_devices(name):
    def run(t):
        d = begin(t, name)
        c10d, pg = d.distributed_c10d, d.group.WORLD
        return [
            d.get_backend_config(),
            str(d.get_backend()),
            c10d._device_capability(),
            c10d._get_object_coll_device(),
            str(c10d._get_pg_default_device(pg)),
        ]

    got, want = (run(t) for t in BOTH)
    assert got == want


def test_a_device_that_is_none_is_refused_before_the_group_is_made():
    assert told(ours, "foo:gloo", CALLS["all_reduce"]).startswith("RuntimeError: Expected one of")
    assert not ours.distributed.is_initialized()


def test_a_backend_of_accelerators_carries_objects_on_them(monkeypatch):
    """What NCCL does: objects and barriers are work of the accelerator."""
    d = begin(ours, "hccl")
    with pytest.raises(RuntimeError, match="^No backend type associated with device type cpu$"):
        d.all_reduce(ours.ones(2))
    x = ours.ones(2, device="npu")
    d.all_reduce(x)
    sent = []
    engine = d.group.WORLD.engine
    gathered = engine.all_gather
    monkeypatch.setattr(
        engine,
        "all_gather",
        lambda outs, x: (sent.append(x.device.type), gathered(outs, x))[1],
    )
    found = [None]
    d.all_gather_object(found, {"a": 1})
    with pytest.warns(UserWarning, match="using the device under current context"):
        d.barrier()
    assert found == [{"a": 1}] and sent == ["npu", "npu"] and x.tolist() == [1, 1]


@pytest.mark.parametrize("name", [None, "gloo", "mpi", "cpu:gloo,npu:hccl"])
def test_a_group_may_serve_the_host_and_accelerators(name):
    d = begin(ours, name)
    for device in ("cpu", "npu"):
        x = ours.ones(2, device=device)
        d.all_reduce(x)
        outs = [ours.zeros(2, device=device)]
        d.all_gather(outs, x)
        assert outs[0].tolist() == [1, 1]
    d.barrier()
    assert d.distributed_c10d._get_object_coll_device() == "cpu"


def test_a_group_without_a_name_has_the_backend_of_each_device():
    d = begin(ours, None)
    assert d.get_backend_config() == "cpu:gloo,npu:hccl" and d.get_backend() == "undefined"


def test_a_device_names_the_backend():
    d = ours.distributed
    d.init_process_group(store=d.HashStore(), rank=0, world_size=1, device_id=ours.device("npu", 1))
    assert d.get_backend() == "hccl"
    d.barrier()


AS_CUDA = """
import mindtorch as torch, mindtorch.distributed as dist
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
x = torch.ones(2, device="cuda")
dist.all_reduce(x)
try:
    dist.all_reduce(x.cpu())
except RuntimeError as e:
    print(dist.get_backend_config(), x.tolist(), e)
dist.destroy_process_group()
dist.init_process_group("cpu:gloo,npu:hccl", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(x)
"""


def test_nccl_serves_accelerators_that_are_called_cuda(monkeypatch):
    monkeypatch.setenv("MINDTORCH_CUDA_AS_NPU", "1")
    done = subprocess.run([sys.executable, "-c", AS_CUDA], capture_output=True, text=True)
    assert done.stdout == (
        "cuda:nccl [1.0, 1.0] No backend type associated with device type cpu\n"
    ), done.stderr
    assert done.returncode == 0
