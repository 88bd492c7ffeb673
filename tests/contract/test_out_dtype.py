"""Products of half floats summed into float32: torch has them on accelerators alone."""

from __future__ import annotations

import mindtorch
import pytest
import torch

SHAPES = {
    "mm": [(2, 3), (3, 4)],
    "bmm": [(2, 2, 3), (2, 3, 4)],
    "addmm": [(4,), (2, 3), (3, 4)],
    "baddbmm": [(4,), (2, 2, 3), (2, 3, 4)],
}


def arguments(home, name, dtype):
    made = []
    for i, shape in enumerate(SHAPES[name]):
        n = 1
        for size in shape:
            n *= size
        made.append((home.arange(n, dtype=home.float32) / 7 + i).reshape(shape).to(dtype))
    return made


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", SHAPES)
def test_product_is_not_rounded_to_the_inputs_dtype(name, dtype):
    """On the npu: the oracle's product of the same numbers in float32."""
    mine = [t.to("npu") for t in arguments(mindtorch, name, getattr(mindtorch, dtype))]
    theirs = [t.float() for t in arguments(torch, name, getattr(torch, dtype))]
    got = getattr(mindtorch, name)(*mine, out_dtype=mindtorch.float32)
    assert (str(got.dtype), got.device.type) == ("torch.float32", "npu")
    want = getattr(torch, name)(*theirs)
    assert torch.allclose(torch.tensor(got.tolist()), want, rtol=1e-6)


@pytest.mark.parametrize("name", ["mm", "bmm", "addmm"])
def test_meta_gives_the_out_dtype_and_refuses_others(name):
    """The oracle's dtype and shape, and its text for a dtype that is neither."""
    for source, wanted in (("float16", "float32"), ("float32", "float32"), ("float32", "float16")):
        results = []
        for home in (mindtorch, torch):
            tensors = [t.to("meta") for t in arguments(home, name, getattr(home, source))]
            try:
                out = getattr(home, name)(*tensors, getattr(home, wanted))
                results.append((str(out.dtype), tuple(out.shape)))
            except RuntimeError as error:
                results.append(str(error))
        assert results[0] == results[1]
