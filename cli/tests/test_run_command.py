"""``mindtorch run``, and the other commands over programs that only know torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CUDA = """
import torch
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(256, 256).to(device)
x = torch.randn(64, 256, device=device)
loss = model(x).square().mean()
loss.backward()
torch.cuda.synchronize()
print(device, torch.__name__, torch.cuda.max_memory_allocated() > 0)
"""


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as torch is loaded in this one."""
    return subprocess.run(
        [sys.executable, "-m", "mindtorch_cli", *words], cwd=cwd, capture_output=True, text=True
    )


def test_a_script_gets_its_words_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import sys, torch\nprint(torch.__version__[:7], sys.argv)\nsys.exit(5)\n"
    )
    done = command("run", "train.py", "--lr", "1", "--help", cwd=tmp_path)
    assert done.stdout == "2.13.0+ ['train.py', '--lr', '1', '--help']\n"
    assert done.returncode == 5


def test_a_module_runs_by_name(tmp_path: Path) -> None:
    (tmp_path / "thing.py").write_text("import torch, sys\nprint(__name__, sys.argv[1:])\n")
    done = command("run", "-m", "thing", "-x", cwd=tmp_path)
    assert done.stdout == "__main__ ['-x']\n", done.stderr


#: What programs for CUDA do beside computing.
MARKED = """
import torch
nvtx, profiler = torch.cuda.nvtx, torch.cuda.profiler
with nvtx.range("step {}", 1), profiler.profile():
    nvtx.range_push("inner")
    nvtx.mark("here")
    nvtx.range_pop()
nvtx.range_end(nvtx.range_start("across threads"))
print(torch.cuda.is_current_stream_capturing())
"""


def test_programs_for_cuda_mark_what_they_do(tmp_path: Path) -> None:
    """Marks go nowhere."""
    (tmp_path / "marked.py").write_text(MARKED)
    done = command("run", "--cuda-as-npu", "marked.py", cwd=tmp_path)
    assert done.stdout.splitlines() == ["False"], done.stderr


#: What programs for CUDA capture.
CAPTURED = """
import torch
x = torch.zeros(4, device="cuda")
graph = torch.cuda.CUDAGraph(keep_graph=True)
with torch.cuda.graph(cuda_graph=graph, capture_error_mode="thread_local"):
    print(torch.cuda.is_current_stream_capturing(), torch.cuda.current_stream().is_capturing())
    y = x * 2 + torch.ones(4, device="cuda")
assert graph.raw_cuda_graph() and isinstance(graph, torch.cuda.graphs.CUDAGraph)
x.fill_(3)
graph.replay()
print(y.tolist())
pool = torch.cuda.MemPool()
with torch.cuda.use_mem_pool(pool):
    z = torch.ones(4, device="cuda")
print(len(pool.snapshot()), pool.id == pool.snapshot()[0]["segment_pool_id"])
module = torch.nn.Linear(4, 2).cuda()
before = module(x)
module = torch.cuda.make_graphed_callables(module, (torch.empty(4, device="cuda"),))
print(torch.equal(module(x), before))
try:
    with torch.cuda.graph(torch.cuda.CUDAGraph(), pool=graph.pool()):
        y.sum().item()
except RuntimeError as error:
    print(type(error).__name__, type(error.__context__).__name__)
"""


def test_programs_for_cuda_capture_graphs(tmp_path: Path) -> None:
    """By torch.cuda's names."""
    (tmp_path / "captured.py").write_text(CAPTURED)
    done = command("run", "--cuda-as-npu", "captured.py", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "True True",
        "[7.0, 7.0, 7.0, 7.0]",
        "1 True",
        "True",
        "AcceleratorError AcceleratorError",
    ], done.stderr


def test_a_program_for_cuda_is_told_of_the_option(tmp_path: Path) -> None:
    """Without it there is no CUDA, as in torch's build for the host."""
    (tmp_path / "train.py").write_text("import torch\ntorch.ones(1, device='cuda')\n")
    for words in (("run",), ("npu", "plan"), ("npu", "sanitize")):
        done = command(*words, "train.py", cwd=tmp_path)
        assert done.returncode == 1
        assert "AssertionError: Torch not compiled with CUDA enabled" in done.stderr
        assert "with --cuda-as-npu, cuda means the simulated NPU" in done.stderr


@pytest.mark.parametrize("tool", ["plan", "sanitize", "snapshot", "memory-summary"])
def test_tools_take_programs_for_cuda(tool: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(CUDA)
    more = ["-o", "s.pickle"] if tool == "snapshot" else []
    as_json = [] if tool == "memory-summary" else ["--json"]
    done = command("npu", tool, "--cuda-as-npu", *more, *as_json, "train.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "cuda torch True" in done.stdout + done.stderr
    if tool == "plan":
        (device,) = json.loads(done.stdout)["devices"]
        assert device["fits"] and device["peak_allocated"] >= 4 * (2 * 256 * 256 + 64 * 256)
    elif tool == "sanitize":
        assert json.loads(done.stdout)["races"] == []


def test_a_trace_takes_a_program_of_torchs(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\ntorch.ones(2) + 1\n")
    done = command("dispatch", "trace", "train.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "aten::add" in done.stdout


def test_a_missing_name_is_told_with_what_lists_them(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\ntorch.frobnicate()\n")
    for words in (["run"], ["npu", "sanitize"]):
        done = command(*words, "train.py", cwd=tmp_path)
        assert done.returncode == 1
        lines = done.stderr.splitlines()
        assert "AttributeError: module 'torch' has no attribute 'frobnicate'" in lines
        assert any("mindtorch check FILE" in line for line in lines)
