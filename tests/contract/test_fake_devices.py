"""Fake tensors on an accelerator: torch's are on CUDA where there is none, ours on the NPU."""

from __future__ import annotations

import importlib
import io
from types import ModuleType
from typing import Any

import mindtorch as ours
import pytest
import torch

#: Under a mode; ``t`` is torch, ``d`` the device's type, ``x`` on its second device.
SOURCES = (
    "t.empty(2, device=d)",
    "t.empty(2, device=d + ':1').device",
    "x",
    "x + 1",
    "x.new_ones(2).device",
    "x.detach().device",
    "x.view(2, 1).device",
    "x.cpu()",
    "x.to(d + ':0')",
    "x.to(t.float64)",
    "t.zeros_like(x)",
    "t.nn.Parameter(x, requires_grad=False)",
    "x.get_device()",
    "x.fake_device",
    "x.is_cpu, x.is_meta, getattr(x, 'is_' + d)",
    "x + t.ones(2)",
    "x + t.ones(2, device=d)",
    "x * t.tensor(2.0)",
    "t.cat([x, x])",
    "x.untyped_storage().device",
    "t.tensor([1, 2], device=d)",
    "t.arange(3, device=d).sum()",
    "t.nn.functional.linear(x, t.ones(3, 2, device=d + ':1'))",
    "read(d + ':1')",
    "read({'cpu': d})",
)


def outcome(t: ModuleType, source: str) -> str:
    kind = "cuda" if t is torch else "npu"
    file = io.BytesIO()
    t.save({"a": t.ones(4)[1:3]}, file)
    file.seek(0)

    def read(where: Any) -> Any:
        return t.load(file, map_location=where)

    mode = importlib.import_module(f"{t.__name__}._subclasses.fake_tensor").FakeTensorMode()
    with mode:
        x = t.ones(2, device=f"{kind}:1")
        try:
            found = repr(eval(source, {"t": t, "d": kind, "x": x, "read": read}))
        except Exception as e:
            found = f"{type(e).__name__}: {e}"
    return found.replace(kind, "accelerator")


@pytest.mark.parametrize("source", SOURCES)
def test_where_it_is(source):
    assert outcome(ours, source) == outcome(torch, source)


def test_backward():
    """Torch asks for the stream of a leaf and ends the process: there is no oracle."""
    fake = importlib.import_module("mindtorch._subclasses.fake_tensor")
    with fake.FakeTensorMode():
        x = ours.ones(2, device="npu:1", requires_grad=True)
        (x * 2).sum().backward()
        assert repr(x.grad) == "FakeTensor(..., device='npu:1', size=(2,))"


def test_modules_move():
    """Torch, which is to swap parameters that are fake for this, fails to; no oracle either."""
    fake = importlib.import_module("mindtorch._subclasses.fake_tensor")
    with fake.FakeTensorMode():
        layer = ours.nn.Linear(2, 3)
        weight = layer.weight
        layer.to("npu:1")
        assert layer.weight is weight and str(weight.device) == "npu:1"
        assert str(layer(ours.ones(1, 2, device="npu:1")).device) == "npu:1"
        assert str(layer.cpu().bias.device) == "cpu"
