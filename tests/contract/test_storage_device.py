"""`Device` against torch.device: every way to call it, every error."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import mindtorch_storage as ms
import numpy as np
import pytest
import torch

from .batches import every

OURS = SimpleNamespace(device=ms.Device)

# Arguments as text, so that a failure shows what was called. Indices alone are ours to decide:
# the oracle has no accelerator.
CALLS = """
"cpu" | "cpu:0" | "cpu:1" | "cpu:127" | "cpu:128" | "cpu:255" | "cpu:300" | "cuda" | "cuda:1"
"meta" | "meta:1" | "mps" | "mps:0" | "vulkan:1" | "hip" | "xpu:3" | "lazy:0" | "opengl" | "ideep"
"opencl" | "maia" | "xla:3" | "hpu" | "mtia" | "fpga" | "ve" | "ipu" | "privateuseone"
"privateuseone:1" | "" | ":" | "cpu:" | "cpu:x" | "cpu:-1" | "cpu:01" | "cpu:00" | "cpu:+1" | "foo"
"foo:x" | "foo:" | "foo:1" | "foo:01" | "foo:99999999999" | "ort" | "cud" | "cpux" | "cpu1" | "1cpu"
"c_pu" | "_" | "a b" | "CPU" | "cpu " | " cpu" | "cpu:1 " | "cpu:1:2" | "cpu:1_0" | "cpu:1a" | "0"
"cpu:2147483647" | "cpu:2147483648" | "cpu:99999999999999999999" | "cpu:\u00e9" | b"cpu" | "é"
"cpu", 1 | "cpu", -1 | "cpu", -2 | "cuda", None | "cuda:1", 1 | "cuda:1", None | "cuda:1", -1
"cuda", 127 | "cuda", 128 | "cuda", 254 | "cuda", 255 | "cuda", 256 | "cuda", 2**40 | "cuda", 2**63
"cuda", 2**70 | "cuda", -2**65 | "cuda", 1.0 | "cuda", True | "cuda", "1" | "cuda", [1, 2]
"cuda", (1, "a") | "cuda", np.int64(1) | "foo", -1 | "foo", 1.0 | "cpu", 1, 2
np.str_("cpu") | -1 | np.int64(-1) | -2**70 | 2**70 | 1.0 | None | True | [] | () | ["cpu"] | (1, 2)
[1, "a", 2.0] | {} | object() | | T.device("cuda:1") | T.device("cuda:1"), 1 | 1, 2 | 1.0, 2
type="cpu" | type="cuda", index=1 | type="cuda:1", index=2 | type="cuda", index=None | type=None
type="cuda", index="x" | type="cpu", index=-1 | type=1, index=1 | index="x", type=3 | index=1
device="cuda:1" | device=T.device("cuda") | device=None | device=1.0 | device="foo" | foo=1
device="cpu", index=1 | type="cpu", device="cpu" | type="cpu", index=1, foo=1 | index=1, foo=1
"cpu", index=1 | "cpu", index="x" | "cpu", type="cpu" | "cpu", foo=1 | "cpu", device="cpu"
"cpu", index=1, foo=2 | "cpu", 1, index=1 | "cpu", 1.0, index=3 | "cpu", 1, 2, index=3
T.device("cpu"), index=1 | 1, index=1 | type=T.device("cuda")
"""
CASES = [c.strip() for line in CALLS.strip().splitlines() for c in line.split(" | ")]


def outcome(T: Any, code: str) -> str:
    try:
        value = eval(code, {"T": T, "np": np})
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    # The one intended difference: npu is the name of torch's privateuseone.
    return repr(value).replace("privateuseone", "npu")


@every("arguments", CASES)
def test_construction_equals_torch(arguments):
    """The same device, or an error of the same type and text."""
    code = f"T.device({arguments})"
    assert outcome(OURS, code) == outcome(torch, code)


@pytest.mark.parametrize(
    "code",
    [
        "D.type, D.index, str(D), repr(D), f'{D}', D.__reduce__()[1]",
        "D == T.device('cuda:1'), D == T.device('cuda'), D != T.device('cuda'), D == 'cuda:1'",
        "T.device('cpu') == T.device('cpu', 0), T.device('cpu', 255) == T.device('cpu')",
        "hash(D) == hash(T.device('cuda', 1)), len({D, T.device('cuda:1'), T.device('cuda')})",
        "D < D",
        "D >= D",
        "setattr(D, 'type', 'x')",
        "setattr(D, 'index', 2)",
        "setattr(D, 'foo', 2)",
        "delattr(D, 'type')",
        "type(D)",
        "type(D).__name__",
        "type('X', (T.device,), {})",
    ],
)
def test_behaviour_equals_torch(code):
    """Attributes, comparison, hashing, immutability."""
    for device in ("T.device('cuda:1')",):
        code = code.replace("D", device) if "D" in code else code
        assert outcome(OURS, code) == outcome(torch, code)


def test_pickles_travel_as_constructor_calls():
    """What torch reduces a device to is what our constructor takes."""
    for name in ("cpu", "cuda:1", "meta"):
        theirs = torch.device(name).__reduce__()[1]
        assert ms.Device(*theirs) is ms.Device(name)
        assert pickle.loads(pickle.dumps(ms.Device(name))) is ms.Device(name)
