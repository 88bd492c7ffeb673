"""``use_deterministic_algorithms`` against torch: what is filled, and what complains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindtorch
import pytest
import torch

from .batches import every
from .rows import Call, outcome

DTYPES = """
float32 float64 float16 bfloat16 float8_e4m3fn float8_e5m2 float8_e8m0fnu complex64 complex32 int8
int16 int32 int64 uint8 uint16 uint32 uint64 bool bits8 bits16 float4_e2m1fn_x2 uint4 int3
""".split()
#: Expressions of ``t``, the framework, and ``d``, the device.
CODE = """
t.empty_like(t.ones(2, 3, device=d).t())
t.empty_strided((2, 2), (1, 2), device=d)
t.empty_strided((2, 2), (3, 5), device=d)
t.empty(3, out=t.ones(3, device=d))
t.empty(2, requires_grad=True, device=d)
t.empty((), device=d)
t.empty(0, device=d)
t.empty(2, device='meta').shape
t.empty_permuted((2, 3), (1, 0), device=d)
t.ones(1, device=d).new_empty((2,))
t.ones(1, device=d).new_empty_strided((2,), (1,))
t.ones(1, device=d).new(2)
t.FloatTensor(2, 3)
t.ones(2, device=d).resize_(4)
t.ones(4, device=d).resize_(2).resize_(4)
t.ones(4, device=d)[2:].resize_(5)
t.add(t.ones(2, device=d), 1, out=t.empty(0, device=d))
t.nn.Linear(1, 1, device=d).weight.isnan()
t.ops.aten.empty.memory_format([2], device=t.device(d)).clone()
t.zeros(3, device=d).put_(t.tensor([0], device=d), t.ones(1, device=d))
t.zeros(3, device=d).put(t.tensor([0], device=d), t.ones(1, device=d))
t.zeros(3, device=d).put_(t.tensor([0], device=d), t.ones(1, device=d), accumulate=True)
t.zeros(3, device=d).put_(t.tensor([], dtype=t.int64, device=d), t.ones(0, device=d))
t.zeros(3, device=d).put_(t.tensor([0.0], device=d), t.ones(1, device=d))
t.zeros(3, device='meta').put_(t.zeros(1, dtype=t.int64, device='meta'), t.ones(1, device='meta'))
t.nn.functional.max_unpool1d(t.ones(1, 2, device=d), t.tensor([[0, 1]], device=d), 1)
t._C._nn.max_unpool2d(t.ones(1, 1, 2, device=d), t.tensor([[[0, 1]]], device=d), (1, 2))
t.zeros(3, device=d)[:2].put_(t.tensor([0], device=d), t.ones(1, device=d))
t._C._nn.max_unpool2d(t.ones(1, 1, 2).to('meta'), t.tensor([[[0, 1]]]).to('meta'), (1, 2))
t._C._nn.max_unpool2d(t.ones(1, 1, 2), t.tensor([[[0, 1]]]), (3,))
t.nn.functional.max_unpool3d(t.ones(1, 1, 1, 2), t.tensor([[[[0, 1]]]]), 1, 1)
t.zeros(3, device=d).index_put_((t.tensor([0, 0], device=d),), t.ones(2, device=d))
t.zeros(3, device=d).scatter_(0, t.tensor([0], device=d), 1.0)
t.cumsum(t.ones(3, device=d), 0)
t.utils.deterministic.fill_uninitialized_memory
setattr(t.utils.deterministic, 'fill_uninitialized_memory', 1)
t.quantize_per_tensor(t.tensor([0.0, 1.0, 2.0]), 0.1, 10, t.quint8).resize_(2).int_repr()
t.quantize_per_tensor(t.tensor([0.0, 1.0, 2.0]), 0.1, 10, t.qint8).resize_as_(t.ones(1)).int_repr()
""".strip().splitlines()
CODE += [f"t.empty(2, dtype=t.{name}, device=d)" for name in DTYPES]


@pytest.fixture(autouse=True)
def _off_again() -> Iterator[None]:
    yield
    for t in (mindtorch, torch):
        t.use_deterministic_algorithms(False)
        t.utils.deterministic.fill_uninitialized_memory = True


def _said(t: Any, device: str, code: str) -> Any:
    called = outcome(lambda: eval(code, {"t": t, "d": device}), Call((), {}))
    value = called.value
    if isinstance(value, t.Tensor) and value.is_meta:
        value = None
    elif isinstance(value, t.Tensor):
        shown = value.detach().cpu()
        numbers = shown.to(t.complex64) if shown.is_complex() else shown.to(t.float64)
        value = [repr(numbers.tolist()), value.stride(), str(value.dtype), value._version]
        value.append(shown.untyped_storage().nbytes() if device == "cpu" else 0)
    return value if not value or isinstance(value, list) else None, str(called.error), called.warned


@pytest.mark.parametrize("device", ["cpu", "npu"])
@every("code", CODE)
def test_what_is_filled_and_what_complains(code: str, device: str) -> None:
    complains = any(word in code for word in ("put", "unpool", "quant"))
    for warn_only in (False, True) if complains else (False,):
        for t in (mindtorch, torch):
            t.use_deterministic_algorithms(True, warn_only=warn_only)
        theirs = _said(torch, "cpu", code)
        if device != "cpu" and isinstance(theirs[0], list):
            theirs[0][-1] = 0
        assert _said(mindtorch, device, code) == theirs


@pytest.mark.parametrize("device", ["cpu", "npu"])
def test_memory_is_left_as_it_is_where_nobody_asks(device: str) -> None:
    old = mindtorch.ones(4, device=device)
    mindtorch.use_deterministic_algorithms(True)
    assert mindtorch.empty(2, device=device).isnan().all()
    mindtorch.utils.deterministic.fill_uninitialized_memory = False
    assert old.resize_(2).resize_(4).tolist() == [1.0] * 4
    assert "fill_" not in _ran(device)
    mindtorch.utils.deterministic.fill_uninitialized_memory = True
    mindtorch.use_deterministic_algorithms(False)
    calls = mindtorch.ones(2, device=device)
    assert calls.put_(
        mindtorch.tensor([0], device=device), mindtorch.ones(1, device=device)
    ).tolist() == [1.0, 1.0]
    assert "fill_" not in _ran(device)


def _ran(device: str) -> str:
    """The operators of an ``empty``."""
    from mindtorch.utils._python_dispatch import TorchDispatchMode

    ran = []

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            ran.append(str(func))
            return func(*args, **(kwargs or {}))

    with Mode():
        mindtorch.empty(3, device=device)
    return " ".join(ran)
