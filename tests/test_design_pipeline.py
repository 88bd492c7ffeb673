"""What the design documents expect of pipelines, line by line."""

from __future__ import annotations

import mindtorch as torch
import pytest
from mindtorch._dispatch.keys import DispatchKey
from mindtorch._dispatch.pipeline import Pipeline, current_pipeline, pipeline_context
from mindtorch._dispatch.registry import registry


@pytest.fixture(params=["cpu", "npu"])
def device(request):
    return request.param


def test_result_is_pending_until_the_flush(device):
    """``c._pending`` is True, False after ``pipe.flush()``."""
    a, b = torch.ones(2, device=device), torch.ones(2, device=device)
    with torch.pipeline() as pipe:
        c = a + b
        assert c._pending is True
        pipe.flush()
        assert c._pending is False
        assert c.tolist() == [2.0, 2.0]


def test_leaving_the_block_flushes(device):
    """After the block nothing is pending, and no pipeline is current."""
    with torch.pipeline() as pipe:
        c = torch.ones(2, device=device) + 1
        assert c._pending and current_pipeline() is pipe
    assert not c._pending and current_pipeline() is None and c.tolist() == [2.0, 2.0]


def test_shapes_are_right_while_pending(device):
    """``(a+b).relu().sum()``."""
    a, b = torch.ones((2, 3), device=device), torch.ones(3, device=device)
    with torch.pipeline():
        total = a + b
        active = total.relu()
        s = active.sum()
        assert (total.shape, active.shape, s.shape) == ((2, 3), (2, 3), ())
        assert total.dtype is torch.float32 and s._pending and len(total) == 2
    assert s.item() == 12.0


def test_to_cpu_flushes(device):
    """The copy holds numbers, and the source is not pending any more."""
    with torch.pipeline():
        c = torch.ones(2, device=device) + 1
        out = c.to("cpu")
        if device == "cpu":
            assert out is c  # nothing to copy, so nothing to wait for
        else:
            assert not c._pending and not out._pending
        assert out.tolist() == [2.0, 2.0]
        assert not c._pending


def test_backward_flushes_and_fills_grad(device):
    """The loss is not pending afterwards."""
    a = torch.ones(2, device=device, requires_grad=True)
    with torch.pipeline():
        loss = (a * 3).sum()
        loss.backward()
        assert not loss._pending
        assert a.grad.tolist() == [3.0, 3.0]


def test_backward_through_several_pending_ops(device):
    """Each op of the chain is pending when backward begins."""
    a = torch.tensor([1.0, -2.0], device=device, requires_grad=True)
    with torch.pipeline():
        x = a * 2
        y = x.relu()
        z = y + a
        loss = z.sum()
        assert all(t._pending for t in (x, y, z, loss))
        loss.backward()
    assert a.grad.tolist() == [3.0, 1.0]


def test_npu_chain():
    """((1 + 1) · 2 + 1) · 2 on the NPU is 10."""
    a = torch.ones(1, device="npu")
    with torch.pipeline():
        c = ((a + a) * 2 + a) * 2
        assert c._pending and c.device.type == "npu"
        assert c.item() == 10.0


def test_op_without_a_meta_kernel_is_refused():
    """The queue must know the shape of what it will compute."""
    name = "design_test::no_meta"
    handles = [
        registry.register_schema(f"{name}(Tensor x) -> Tensor"),
        registry.register_kernel(name, DispatchKey.CPU, lambda x: x + 1),
    ]
    try:
        x = torch.ones(2)
        assert torch.ops.design_test.no_meta(x).tolist() == [2.0, 2.0]
        with torch.pipeline():
            with pytest.raises(RuntimeError, match=f"^pipeline requires meta kernel for op {name}"):
                torch.ops.design_test.no_meta(x)
        handles.append(
            registry.register_kernel(name, DispatchKey.Meta, lambda x: torch.empty_like(x))
        )
        with torch.pipeline():
            y = torch.ops.design_test.no_meta(x + 1)
            assert y._pending
        assert y.tolist() == [3.0, 3.0]
    finally:
        registry.remove(handles)


def test_given_pipeline_and_record():
    """``pipeline_context(pipe)`` takes a pipeline; ``record`` queues anything."""
    pipe = Pipeline()
    ran = []
    with pipeline_context(pipe) as same:
        assert same is pipe
        pipe.record("test::op", lambda: ran.append(1))
        c = torch.ones(5000) + 1
        assert pipe.pending == 3 and c._pending  # ones is recorded too
        pipe.flush()
        assert ran == [1] and not c._pending


def test_debugging_keeps_what_ran(device):
    """With ``debug_enabled`` the pipeline says what ran, where it was recorded, what failed."""
    with pipeline_context(debug_enabled=True) as pipe:
        a = torch.ones(3, device=device)
        a + 1
        waiting = pipe.debug_dump()["entries"]
        pipe.flush()
        ran = pipe.debug_dump()["entries"]
    assert waiting and {entry["state"] for entry in waiting} <= {"pending", "done"}
    assert {entry["state"] for entry in ran} == {"done"}
    assert any("add" in entry["op"] for entry in ran)
    assert all("test_design_pipeline.py" in entry["line"] for entry in ran)


def test_debugging_names_the_op_that_failed():
    """The error stands at the op that raised it; what came after is not listed as done."""

    def fail():
        raise ArithmeticError("no")

    with pytest.raises(ArithmeticError), pipeline_context(debug_enabled=True) as pipe:
        pipe.record("test::fails", fail)
        pipe.record("test::after", lambda: None)
    (failed,) = pipe.debug_dump()["entries"]
    assert (failed["op"], failed["state"]) == ("test::fails", "failed")
    assert failed["error"] == "ArithmeticError: no"
