"""``torch_npu`` over the simulated NPU: its operators compute what torch's formulas do.

torch_npu itself needs the hardware. What its reference says of each operator is written here in
torch's own operators, and compared, gradients too.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.compat.import_alias import NPU_FOLDER

BIG = 2147483647


@pytest.fixture(scope="module")
def torch_npu() -> Any:
    """The package, which a program finds where ``torch`` is mindtorch."""
    folder = NPU_FOLDER / "torch_npu"
    spec = spec_from_file_location(
        "torch_npu", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    module = sys.modules["torch_npu"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def gradients(t: Any, function: Any, arrays: list[Any], device: str = "cpu") -> list[Any]:
    """A result and the gradients of the sum of its squares, as arrays."""
    inputs = [t.tensor(a, device=device, requires_grad=True) for a in arrays]
    result = function(*inputs)
    found = t.autograd.grad(result.square().sum(), inputs)
    return [x.detach().cpu().numpy() for x in (result, *found)]


def turned(x: Any, mode: str) -> Any:
    if mode == "half":
        a, b = x.chunk(2, -1)
        return torch.cat((-b, a), -1)
    return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)


OPERATORS = {
    "npu_rms_norm": (
        lambda n, x, w: n.npu_rms_norm(x, w, 1e-5)[0],
        lambda x, w: x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * w,
        [(2, 3, 8), (8,)],
    ),
    "npu_add_rms_norm": (
        lambda n, x, y, w: n.npu_add_rms_norm(x, y, w)[0],
        lambda x, y, w: (x + y) / ((x + y).square().mean(-1, keepdim=True) + 1e-6).sqrt() * w,
        [(2, 3, 8), (2, 3, 8), (8,)],
    ),
    **{
        f"npu_rotary_mul {mode}": (
            lambda n, x, a, b, mode=mode: n.npu_rotary_mul(x, a, b, mode),
            lambda x, a, b, mode=mode: a * x + b * turned(x, mode),
            [(2, 3, 4, 8), (1, 1, 4, 8), (1, 1, 4, 8)],
        )
        for mode in ("half", "interleave")
    },
    "npu_swiglu": (
        lambda n, x: n.npu_swiglu(x),
        lambda x: torch.nn.functional.silu(x[..., :4]) * x[..., 4:],
        [(2, 3, 8)],
    ),
    "fast_gelu": (lambda n, x: n.fast_gelu(x), lambda x: x * torch.sigmoid(1.702 * x), [(2, 8)]),
    "npu_confusion_transpose": (
        lambda n, x: n.npu_confusion_transpose(x, (0, 2, 1, 3), (2, 4, 24), True),
        lambda x: x.permute(0, 2, 1, 3).reshape(2, 4, 24),
        [(2, 3, 4, 8)],
    ),
    "npu_scaled_masked_softmax": (
        lambda n, x: n.npu_scaled_masked_softmax(x, None, 0.5, True),
        lambda x: torch.softmax((x * 0.5).masked_fill(torch.ones(4, 4).triu(1) > 0, -1e4), -1),
        [(2, 3, 4, 4)],
    ),
    "npu_linear": (
        lambda n, x, w, b: n.npu_linear(x, w, b),
        torch.nn.functional.linear,
        [(3, 4), (5, 4), (5,)],
    ),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_compute_their_formulas(torch_npu: Any, name: str) -> None:
    ours, formula, shapes = OPERATORS[name]
    arrays = [drawn(*shape, seed=i) for i, shape in enumerate(shapes)]
    got = gradients(mindtorch, lambda *x: ours(torch_npu, *x), arrays, "npu")
    for a, b in zip(got, gradients(torch, formula, arrays), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)


def attention(
    q: Any, k: Any, v: Any, layout: str, scale: float, hidden: Any, pse: Any = None
) -> Any:
    """The formula, on (batch, heads, length, size), in the layout again."""
    where = {"BNSD": (0, 1, 2, 3), "BSND": (0, 2, 1, 3), "SBND": (1, 2, 0, 3)}[layout]
    q, k, v = (t.permute(where) for t in (q, k, v))
    k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 1) for t in (k, v))
    scores = q @ k.mT
    scores = (scores if pse is None else scores + pse) * scale
    weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), -1).nan_to_num()
    return (weights @ v).permute([where.index(i) for i in range(4)])


def hidden_of(mode: int, mask: Any, before: int, after: int, s: int, t: int) -> Any:
    """Where a key does not count, by the reference's words for each mode."""
    i, j = torch.arange(s)[:, None], torch.arange(t)
    if mode == 0 and mask is None:
        return torch.zeros(s, t, dtype=torch.bool)
    if mode == 2:
        return j > i
    if mode == 3:
        return j > i + t - s
    shift = t - s if mode == 4 else 0
    band = (j - i - shift < -before) | (j - i - shift > after)
    return {0: band | mask if mask is not None else band, 1: mask, 4: band}[mode]


@pytest.mark.parametrize(("s", "t"), [(5, 5), (3, 6), (150, 140)])
@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH"])
def test_attention_computes_its_formula(torch_npu: Any, layout: str, s: int, t: int) -> None:
    heads, served, size = 4, 2, 8
    seen = np.random.default_rng(1).random((s, t)) < 0.3
    seen[:, 0] = False
    shapes = {
        "BNSD": lambda n, length: (2, n, length, size),
        "BSND": lambda n, length: (2, length, n, size),
        "BSH": lambda n, length: (2, length, n * size),
        "SBH": lambda n, length: (length, 2, n * size),
    }[layout]
    arrays = [drawn(*shapes(n, x), seed=x + n) for n, x in ((heads, s), (served, t), (served, t))]
    arrays.append(drawn(1, heads, s, t, seed=9))
    split = {"BSH": "BSND", "SBH": "SBND"}.get(layout, layout)
    for mode, masked in product(range(5), (False, True)):
        if mode == 1 and not masked:
            continue
        before, after = (2, 1) if mode in (0, 4) else (BIG, BIG)
        mask = torch.tensor(seen) if masked else None

        def ours(q: Any, k: Any, v: Any, pse: Any) -> Any:
            given = mindtorch.tensor(seen, device=q.device) if masked else None
            found = torch_npu.npu_fusion_attention(
                q, k, v, heads, layout, pse=pse, atten_mask=given, scale=0.3, pre_tockens=before,
                next_tockens=after, sparse_mode=mode,
            )  # fmt: skip
            assert tuple(found[1].shape) == tuple(found[2].shape) == (2, heads, s, 8)
            return found[0]

        def formula(q: Any, k: Any, v: Any, pse: Any) -> Any:
            if split != layout:
                q, k, v = (x.unflatten(-1, (-1, size)) for x in (q, k, v))
            hidden = hidden_of(mode, mask, before, after, s, t)
            out = attention(q, k, v, split, 0.3, hidden, pse)
            return out.flatten(-2) if split != layout else out

        got = gradients(mindtorch, ours, arrays)
        for a, b in zip(got, gradients(torch, formula, arrays), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4, err_msg=f"{mode} {masked}")


def test_sequences_one_after_the_other_do_not_see_each_other(torch_npu: Any) -> None:
    q, k, v = (mindtorch.tensor(drawn(7, 2, 4, seed=i)) for i in range(3))
    ends = [3, 7]
    whole = torch_npu.npu_fusion_attention(
        q, k, v, 2, "TND", actual_seq_qlen=ends, actual_seq_kvlen=ends, sparse_mode=2
    )[0]
    for part in (slice(0, 3), slice(3, 7)):
        alone = torch_npu.npu_fusion_attention(
            q[None, part], k[None, part], v[None, part], 2, "BSND", sparse_mode=2
        )
        np.testing.assert_allclose(whole[part].numpy(), alone[0][0].numpy(), rtol=1e-5, atol=1e-6)


def test_dropout_of_attention_is_that_of_the_seed(torch_npu: Any) -> None:
    x = mindtorch.tensor(drawn(1, 2, 200, 8), requires_grad=True)
    value = mindtorch.ones(1, 2, 200, 8, requires_grad=True)
    found = []
    for _ in range(2):
        mindtorch.manual_seed(7)
        out, *_, seed, offset, count = torch_npu.npu_fusion_attention(
            x, x, value, 2, "BNSD", keep_prob=0.5
        )
        found.append(out.detach().numpy())
    assert seed and not offset and count == 2 * 200 * 200
    np.testing.assert_array_equal(*found)
    assert abs(found[0].mean() - 1) < 0.1 and found[0].std() > 0.01
    # What a value adds to the results is what comes back to it.
    (grad,) = mindtorch.autograd.grad(out.sum(), value)
    np.testing.assert_allclose(grad.sum().item(), out.sum().item(), rtol=1e-5)


def test_attention_keeps_no_scores(torch_npu: Any) -> None:
    npu = mindtorch.npu
    q = mindtorch.zeros(1, 2, 512, 8, device="npu", requires_grad=True)
    npu.reset_peak_memory_stats()
    before = npu.memory_allocated()
    out = torch_npu.npu_fusion_attention(q, q, q, 2, "BNSD", sparse_mode=2)[0]
    scores = 2 * 512 * 512 * 4
    assert npu.memory_allocated() - before < scores / 4
    out.sum().backward()
    assert npu.max_memory_allocated() - before < 3 * scores


PROGRAM = """
import torch, torch_npu
import torch.distributed as dist
from torch_npu.contrib import transfer_to_npu

assert torch_npu.npu is torch.npu and torch_npu.__version__.startswith("2.13")
torch.npu.set_compile_mode(jit_compile=False)
torch.npu.config.allow_internal_format = False
torch.npu.set_option({"ACL_PRECISION_MODE": "must_keep_origin_dtype"})
assert torch.npu.is_jit_compile_false() and not torch.npu.matmul.allow_hf32
assert torch.cuda.is_available() and torch.cuda.device_count() == torch.npu.device_count()
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 1)).cuda()
optimizer = torch_npu.optim.NpuFusedAdamW(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
prof = torch_npu.profiler
watched = prof.profile(
    activities=[prof.ProfilerActivity.CPU, prof.ProfilerActivity.NPU],
    schedule=prof.schedule(wait=0, active=1, warmup=1, repeat=1),
    on_trace_ready=prof.tensorboard_trace_handler("traces"),
    experimental_config=prof._ExperimentalConfig(profiler_level=prof.ProfilerLevel.Level1),
)
watched.start()
x = torch.randn(16, 4, device="cuda")
assert x.is_cuda and str(x.device) == "npu:0" and torch.device("cuda") == torch.device("npu")
for step in range(3):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).square().mean()
    with torch.cuda.stream(torch.cuda.Stream()):
        y = x + 1
    torch.cuda.synchronize()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    optimizer.clip_grad_norm_fused_(1.0)
    scaler.step(optimizer)
    scaler.update()
    watched.step()
watched.stop()
assert torch_npu.get_npu_format(torch_npu.npu_format_cast(x, 29)) == 2
assert torch.cuda.memory_allocated() == torch.npu.memory_allocated() > 0
import os
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(x)
dist.destroy_process_group()
print("done", loss.device)
"""


def test_a_program_for_the_hardware_runs_as_it_is(tmp_path: Any) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    words = [sys.executable, "-W", "error", "-m", "mindtorch", "--torch-npu", "train.py"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stdout == "done npu:0\n", ran.stderr
    (trace,) = (tmp_path / "traces").iterdir()
    assert "aten::addmm" in trace.read_text()


def test_libraries_find_no_torch_npu_unless_it_is_asked_for(tmp_path: Any) -> None:
    """They would take the simulated NPU for the program's device."""
    (tmp_path / "train.py").write_text("import torch, torch_npu")
    words = [sys.executable, "-m", "mindtorch", "train.py"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "No module named 'torch_npu'" in ran.stderr
    assert "mindtorch run --torch-npu FILE" in ran.stderr
