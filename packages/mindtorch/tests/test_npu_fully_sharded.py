"""``fully_shard`` on an NPU: gathers and reductions are work of a stream beside the computation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch as torch
import mindtorch.distributed as dist
import pytest
from mindtorch import nn
from mindtorch.distributed._c10d import groups
from mindtorch.distributed._c10d.fake import FakeProcesses
from mindtorch.distributed._c10d.streams import OnStreams
from mindtorch.distributed.fsdp import fully_shard
from mindtorch.utils.memory_sanitizer import sanitized
from mindtorch_npu import backend

pytestmark = pytest.mark.skipif(
    backend.HARDWARE, reason="hardware runs no function of Python on a stream"
)

_WIDTH = 8


class Watched(FakeProcesses):
    """The first of two processes, on the host. The gather of *held* numbers waits for the gate."""

    devices = ("cpu",)  # type: ignore[assignment]  # of fewer kinds

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.calls: list[str] = []
        self.held = 0
        self.gate = threading.Event()

    def all_gather(self, outputs: Any, tensor: Any) -> None:
        self.calls.append(f"gather {tensor.numel() * 2}")
        assert tensor.numel() * 2 != self.held or self.gate.wait(20)
        super().all_gather(outputs, tensor)

    def reduce_scatter(self, output: Any, inputs: Any, op: Any) -> None:
        self.calls.append(f"reduce {output.numel() * 2}")
        super().reduce_scatter(output, inputs, op)


class Near(FakeProcesses):
    """Some of the processes of *whole*, which notes their gathers."""

    devices = ("cpu",)  # type: ignore[assignment]  # of fewer kinds

    def __init__(self, whole: Watched, size: int) -> None:
        super().__init__(0, size)
        self._whole = whole

    def all_gather(self, outputs: Any, tensor: Any) -> None:
        self._whole.calls.append(f"near {tensor.numel() * self.size}")
        super().all_gather(outputs, tensor)


class Layer(nn.Module):
    """Two products of *inner* columns; calls *between* on what is between them."""

    def __init__(self, inner: int) -> None:
        super().__init__()
        self.up = nn.Linear(_WIDTH, inner, bias=False)
        self.down = nn.Linear(inner, _WIDTH, bias=False)
        self.between: Callable[[Any], Any] | None = None

    def forward(self, x: Any) -> Any:
        x = self.up(x)
        if self.between is not None:
            self.between(x)
        return self.down(x)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """That of the default group, which takes tensors of the NPU alone."""
    made = Watched()
    monkeypatch.setattr(groups, "_start", lambda *args: OnStreams(made))
    dist.init_process_group("hccl", store=dist.HashStore(), rank=0, world_size=2)
    yield made
    made.gate.set()
    dist.destroy_process_group()


def model_of(*inner: int) -> Any:
    """Layers that are split one by one; the number of a layer's parameters is known by *inner*."""
    model = nn.Sequential(*map(Layer, inner))
    for layer in model:
        fully_shard(layer)
    return fully_shard(model)


def parameters(inner: int) -> int:
    return 2 * _WIDTH * inner


def ones() -> Any:
    return torch.ones(4, _WIDTH, device="npu")


def names(engine: Watched) -> list[str]:
    """The exchanges so far, by the layers' inner columns."""
    torch.npu.synchronize()
    found = [call.split() for call in engine.calls]
    engine.calls.clear()
    return [f"{kind} {int(count) // (2 * _WIDTH)}" for kind, count in found]


def test_each_layer_is_gathered_before_it_runs_and_reduced_after_it(engine: Watched) -> None:
    """Backward gathers the next layer before the gradients of this one are there."""
    model = model_of(2, 4, 6)
    loss = model(ones()).sum()
    assert names(engine) == ["gather 2", "gather 4", "gather 6"]
    loss.backward()
    assert names(engine) == [
        *("gather 6", "gather 4", "reduce 6"),
        *("gather 2", "reduce 4", "reduce 2"),
    ]


def test_neighbours_keep_a_layer_between_forward_and_backward(
    engine: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers come from them in backward; it takes their part of its memory meanwhile."""
    monkeypatch.setattr(engine, "size", 4)
    dist.destroy_process_group()
    monkeypatch.setattr(engine, "split", lambda ranks, name: Near(engine, len(ranks)))
    monkeypatch.setattr(groups, "_start", lambda *args: OnStreams(engine))
    dist.init_process_group("hccl", store=dist.HashStore(), rank=0, world_size=4)
    layer: Any = fully_shard(Layer(4096), reshard_after_forward=2)
    nbytes = 4 * parameters(4096)
    x = ones()
    held = torch.npu.memory_allocated()
    y = layer(x)
    torch.npu.synchronize()
    inner = 4 * 4 * 4096  # what backward has saved of the first product
    kept = torch.npu.memory_allocated() - held
    assert nbytes / 2 <= kept <= nbytes / 2 + 2 * inner
    engine.calls.clear()
    y.sum().backward()
    torch.npu.synchronize()
    assert [call.split()[0] for call in engine.calls] == ["near", "reduce"]


def test_layers_may_be_gathered_in_an_order_of_the_programs_own(engine: Watched) -> None:
    model = model_of(2, 4, 6)
    model[0].set_modules_to_forward_prefetch([model[1], model[2]])
    model[2].set_modules_to_backward_prefetch([model[1], model[0]])
    loss = model(ones()).sum()
    assert names(engine) == ["gather 2", "gather 4", "gather 6"]
    loss.backward()
    assert names(engine) == [
        *("gather 6", "gather 4", "gather 2", "reduce 6"),
        *("reduce 4", "reduce 2"),
    ]


def opened_by(engine: Watched, seen: list[Any]) -> Callable[[Any], None]:
    """Notes numbers that the current stream has computed, and opens the gate then."""

    def arrived(x: Any) -> None:
        seen.append((x.shape[1], x.tolist()[0][0] != 0, engine.gate.is_set()))
        engine.gate.set()

    return arrived


def test_forward_goes_on_while_a_layer_is_gathered_that_was_asked_for(engine: Watched) -> None:
    """The first layer's product ends although the gather of the second does not."""
    model = model_of(2, 4)
    model[0].set_modules_to_forward_prefetch([model[1]])
    engine.held = parameters(4)
    seen: list[Any] = []
    model[0].between = opened_by(engine, seen)
    model(ones())
    assert seen == [(2, True, False)]
    assert names(engine) == ["gather 2", "gather 4"]


def test_backward_goes_on_while_the_next_layer_is_gathered(engine: Watched) -> None:
    """The last layer's gradients are computed although the gather of the first does not end."""
    model = model_of(2, 4)
    seen: list[Any] = []
    model[1].between = lambda x: x.register_hook(opened_by(engine, seen))
    loss = model(ones()).sum()
    assert names(engine) == ["gather 2", "gather 4"]
    engine.held = parameters(2)
    loss.backward()
    assert seen == [(4, True, False)]
    assert names(engine) == ["gather 4", "gather 2", "reduce 4", "reduce 2"]


def test_no_number_is_read_before_it_was_exchanged(engine: Watched) -> None:
    """Two steps of training, watched for races."""
    with sanitized() as races:
        model = model_of(2, 4, 6)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            model(ones()).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        torch.npu.synchronize()
    assert races.found == []


@pytest.mark.parametrize(
    ("backend_name", "device", "want"),
    [
        (None, "cpu", "cpu"),
        (None, "npu", "npu"),
        (None, "meta", "cpu"),
        ("gloo", "cpu", "cpu"),
        ("gloo", "npu", "npu"),
        ("hccl", "cpu", "npu"),
        ("hccl", "meta", "npu"),
        ("hccl", "npu", "npu"),
        ("cpu:gloo,npu:hccl", "cpu", "npu"),
        ("cpu:gloo", "cpu", "cpu"),
    ],
)
def test_the_mesh_is_of_the_device_that_parameters_or_the_group_have(
    backend_name: str | None, device: str, want: str
) -> None:
    dist.init_process_group(backend_name, store=dist.HashStore(), rank=0, world_size=1)
    try:
        layer: Any = fully_shard(nn.Linear(2, 2, device=device))
        assert layer.weight.device_mesh.device_type == want
        assert layer.weight.to_local().device.type == ("meta" if device == "meta" else want)
    finally:
        dist.destroy_process_group()
