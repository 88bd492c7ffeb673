"""Products of groups of matrices are the oracle's: values, layouts, gradients and refusals."""

from __future__ import annotations

from typing import Any

import mindtorch
import pytest
import torch


def _matrix(t: Any, device: str, dtype: str, *shape: int) -> Any:
    count = 1
    for size in shape:
        count *= size
    numbers = (t.arange(count) % 7 - 3).reshape(shape) / 2
    return numbers.to(getattr(t, dtype)).to(device)


def _said(t: Any, program: str, device: str = "cpu", dtype: str = "bfloat16") -> Any:
    """What *program* gives; M makes a matrix, E the ends of groups."""

    def make(*shape: int) -> Any:
        return _matrix(t, device, dtype, *shape)

    def ends(*at: int) -> Any:
        return t.tensor(at, dtype=t.int32, device=device)

    names = {"t": t, "F": t.nn.functional, "M": make, "E": ends, "g": t._grouped_mm}
    try:
        found = eval(program, names)
    except Exception as error:
        return type(error).__name__, str(error).partition("\n")[0].replace("mindtorch.", "torch.")
    kind = str(found.dtype).rpartition(".")[2], tuple(found.shape), found.stride()
    return kind, None if device == "meta" else found.double().tolist()


PROGRAMS = """
g(M(16, 8), M(3, 8, 16), E(4, 8, 16))
g(M(16, 8), M(3, 16, 8).mT, E(4, 4, 16))
g(M(16, 8), M(3, 9, 8).mT, E(4, 8, 16))
g(M(8, 16).t(), M(3, 8, 16), E(4, 8, 16))
g(M(16, 16)[:, :8], M(8, 3, 16).transpose(0, 1), E(4, 8, 16))
g(M(3, 16, 8), M(8, 16), E(4, 8, 16))
g(M(3, 16, 8), M(3, 8, 16))
g(M(3, 16, 8), M(3, 9, 8).mT)
g(M(8, 16), M(16, 24), E(4, 8, 12))
g(M(7, 16), M(9, 16).mT, E(4, 8, 16))
g(M(8, 24), M(16, 24), E(4, 8, 16))
g(M(0, 8), M(0, 8, 16), E())
g(M(16, 8), M(3, 8, 16), E(8, 4, 16))
g(M(16, 8), M(3, 8, 16), E(8, 10, 24))
g(M(16, 8), M(3, 8, 16), E(-8, 10, 16))
g(M(8, 16), M(16, 8), E(20, 24, 28))
g(M(16, 8), M(3, 8, 16), E(8, 0, 10, 0, 16, 0)[::2])
g(M(16, 8), M(3, 8, 16), E(4, 8, 16), out_dtype=t.bfloat16)
g(M(16, 8), M(3, 8, 16), E(4, 8, 16), out_dtype=t.float16)
g(M(16, 8), M(3, 8, 16), E(4, 8, 16), bias=M(3, 16))
g(M(16, 8), M(3, 8, 16), E(8, 16))
g(M(16, 8), M(3, 8, 16), E(4, 8, 16)[None])
g(M(16, 8), M(3, 8, 16), E(4, 8, 16).long())
g(M(16, 8), M(3, 8, 16))
g(M(8, 16), M(16, 24))
g(M(3, 16, 8), M(8, 16))
g(M(3, 16, 8), M(3, 8, 16), E(4, 8, 16))
g(M(3, 16, 8), M(2, 8, 16))
g(M(8), M(3, 8, 16), E(4, 8, 16))
g(M(16, 8), M(1, 3, 8, 16), E(4, 8, 16))
g(M(16, 8), M(3, 16, 16), E(4, 8, 16))
g(M(16, 7), M(3, 7, 16), E(4, 8, 16))
g(M(16, 8), M(3, 8, 9), E(4, 8, 16))
g(M(16, 16)[:, ::2], M(3, 8, 16), E(4, 8, 16))
g(M(16, 8), M(3, 8, 32)[:, :, ::2], E(4, 8, 16))
g(M(16, 0), M(3, 0, 16), E(4, 8, 16))
g(M(16, 8), M(3, 8, 16).float(), E(4, 8, 16))
g(M(3, 16, 8), M(3, 8, 16).float())
g(M(3, 16, 8).float(), M(3, 8, 16))
g(M(16, 8), 3)
F.grouped_mm(M(16, 8), M(3, 8, 16), offs=E(4, 8, 16))
F.grouped_mm(M(3, 16, 8), M(3, 8, 16))
""".strip().splitlines()


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_results_and_refusals_are_the_oracles(program, device):
    """On meta the words are those of accelerators, and the layout has no gaps."""
    assert _said(mindtorch, program, device) == _said(torch, program, device)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "complex64", "bool"])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_dtypes_are_the_oracles(dtype, device):
    program = PROGRAMS[0]
    assert _said(mindtorch, program, device, dtype) == _said(torch, program, device, dtype)


def test_npus_compute_the_same():
    """Offsets on the device are read there."""
    for program in PROGRAMS[:10]:
        ours = _said(mindtorch, program, "npu")
        assert ours == _said(mindtorch, program)


GRADIENTS = """
M(16, 8); M(3, 8, 16); E(4, 8, 16)
M(16, 8); M(3, 16, 8).mT.detach(); E(4, 8, 16)
M(8, 16).t().detach(); M(3, 8, 16); E(4, 8, 16)
M(8, 16); M(16, 24); E(4, 8, 16)
M(3, 16, 8); M(8, 16); E(4, 8, 16)
M(3, 16, 8); M(3, 8, 16); None
M(3, 8, 16).mT.detach(); M(3, 16, 8).mT.detach(); None
""".strip().splitlines()


@pytest.mark.parametrize("case", GRADIENTS)
@pytest.mark.parametrize("which", [0, 1])
def test_gradients_are_the_oracles(case, which):
    """In the memory order of the argument that they belong to."""
    a, b, offs = case.split("; ")
    factors = f"((x := {a}.requires_grad_()), (y := {b}.requires_grad_()))"
    result = f"(r := g(*{factors}, {offs}))"
    backward = f"[{result}, r.backward(M(*r.shape)), ({'xy'[which]}).grad][-1]"
    assert _said(mindtorch, backward) == _said(torch, backward)


def test_refusals_of_autograd_are_the_oracles():
    """A gradient that is expanded has no strides that the product takes."""
    for program in (
        "[r := g(M(16, 8).requires_grad_(), M(3, 8, 16), E(4, 8, 16)), r.sum().backward()]",
        "g(M(16, 8), M(3, 8, 16), E(4, 8, 16), M(3, 16).requires_grad_())",
        "t.func.jvp(lambda a: t._grouped_mm(a, a.mT), (M(3, 8, 8),), (M(3, 8, 8),))",
    ):
        ours = _said(mindtorch, program)
        assert ours == _said(torch, program)
        assert isinstance(ours[0], str)


def test_a_batch_of_groups_is_computed_one_by_one():
    program = "t.vmap(lambda a: t._grouped_mm(a, M(3, 8, 16), E(4, 8, 16)))(M(2, 16, 8))"
    assert _said(mindtorch, program) == _said(torch, program)


SCALED = """
F.scaled_mm(*AB, t.ones(4, 1), ROWS, t.ones(1, 8), ROWS)
F.scaled_mm(*AB, t.ones(1), WHOLE, t.ones(1), WHOLE, output_dtype=t.float32)
F.scaled_mm(*AB, [t.ones(1)], [WHOLE], [t.ones(1)], [WHOLE], output_dtype=None)
F.scaled_mm(*AB, t.ones(1), WHOLE, t.ones(1), WHOLE, SWIZZLED)
F.scaled_mm(*AB, t.ones(1), WHOLE, t.ones(1), WHOLE, bias=t.ones(8), contraction_dim=[1, 0])
F.scaled_mm(*AB, t.ones(1), WHOLE, t.ones(1), WHOLE, [SWIZZLED], F.SwizzleType.NO_SWIZZLE)
F.scaled_mm(*AB, t.ones(1), None, t.ones(1), WHOLE)
F.scaled_mm(*AB, t.ones(1), 0, t.ones(1), 0)
F.scaled_grouped_mm(*AB, t.ones(4), ROWS, t.ones(3, 8), ROWS, offs=E(1, 2, 4))
""".strip().splitlines()


@pytest.mark.parametrize("program", SCALED)
def test_scaled_products_of_functional_are_the_oracles(program):
    """Products of scaled groups are for accelerators: here the oracle has no kernel."""
    matrices = "(M(4, 16).to(t.float8_e4m3fn), M(8, 16).to(t.float8_e4m3fn).t())"
    program = program.replace("*AB", f"*{matrices}").replace("ROWS", "F.ScalingType.RowWise")
    program = program.replace("WHOLE", "F.ScalingType.TensorWise")
    program = program.replace("SWIZZLED", "F.SwizzleType.SWIZZLE_32_4_4")
    ours, oracle = _said(mindtorch, program), _said(torch, program)
    assert (ours[0], str(ours[1])[:150]) == (oracle[0], str(oracle[1])[:150])
