"""``mindtorch npu`` plan, replay, tune, snapshot, timeline, sanitize, top."""

import html
import json
import os
import pickle
import re
import shutil
import subprocess
import sys

import mindtorch_npu.tune
import pytest

RACE = """
import mindtorch as torch
side = torch.npu.Stream()
x = torch.ones(1000, device="npu")
with torch.npu.stream(side):
    y = x * 2
w = torch.ones(10, device="npu")
side.wait_stream(torch.npu.current_stream())
with torch.npu.stream(side):
    q = w + 1
del w
"""
ORDERED = """
import mindtorch as torch
side = torch.npu.Stream()
x = torch.ones(1000, device="npu", requires_grad=True)
ready = torch.npu.current_stream().record_event()
with torch.npu.stream(side):
    side.wait_event(ready)
    y = (x * 2).relu()
    w = torch.ones(10, device="npu")
torch.npu.current_stream().wait_stream(side)
z = (y + 1).sum()
w.record_stream(torch.npu.current_stream())
v = w + 1
del w
z.backward()
host = torch.ones(10).pin_memory().to("npu:1", non_blocking=True)
host.to("npu:0").add_(1).cpu()
torch.npu.synchronize()
with torch.npu.stream(side):
    print((x.grad + z).sum().item())
"""
FRAGMENTED = """
import random
import mindtorch as torch
rng = random.Random(1)
live = []
def make(n):
    return torch.empty(n * 1024 * 256, device="npu")
for i in range(300):
    live.append(make(rng.choice((3, 5, 9, 11, 17, 25, 33))))
    if len(live) > 30:
        live.pop(rng.randrange(len(live)))
print("done")
"""
LARGE = """
import mindtorch as torch
held = [torch.empty(2**30, device="npu") for _ in range(int(__import__("sys").argv[1]))]
loss = (held[0] * 2).sum()
print("loss", loss.item())
"""


@pytest.fixture
def write(tmp_path):
    def make(code):
        path = tmp_path / "script.py"
        path.write_text(code)
        return str(path)

    return make


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    """The history of the script alone: in a process that nobody else allocates in."""
    folder = tmp_path_factory.mktemp("snapshot")
    script, path = folder / "script.py", folder / "snap.pickle"
    script.write_text(FRAGMENTED)
    words = ["npu", "snapshot", str(script), "-o", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "mindtorch_cli", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    return path


def test_sanitize_names_both_lines(run, write):
    """A race, and a free while another stream still uses the memory."""
    done = run("npu", "sanitize", write(RACE), "--json")
    assert done.exit_code == 1
    races = json.loads(done.stdout)["races"]
    assert [race["kind"] for race in races] == ["race", "freed"]
    assert races[0]["first"]["line"].endswith("script.py:4 in <module>")
    assert races[0]["second"]["line"].endswith("script.py:6 in <module>")
    assert races[0]["second"]["op"] == "aten::mul"
    assert races[1]["first"]["line"].endswith("script.py:10 in <module>")
    assert races[1]["second"]["line"].endswith("script.py:11 in <module>")
    assert "data race between streams" in run("npu", "sanitize", write(RACE)).output


def test_sanitize_raises_no_false_alarm(run, write):
    """Events, waits, record_stream, copies, backward over streams."""
    done = run("npu", "sanitize", write(ORDERED))
    assert done.exit_code == 0, done.output
    assert "no races between streams" in done.output


@pytest.mark.parametrize(("count", "fits"), [("8", True), ("20", False)])
def test_plan_says_whether_it_fits(run, write, count, fits, tmp_path):
    """Gigabytes that this machine does not have; a number that is read is 0."""
    page = tmp_path / "memory.html"
    words = ("--device", "910B-64GB", "--timeline", str(page), "--json", "--", count)
    done = run("npu", "plan", write(LARGE), *words)
    assert done.exit_code == (0 if fits else 1), done.output
    data = json.loads(done.stdout)
    (device,) = data["devices"]
    assert device["fits"] is fits
    assert device["basis"] == "nominal"
    assert "script.py:3 in <" in device["holders"][0]["line"]
    assert max(device["timeline"]) == device["peak_bytes"]
    assert len(device["timeline"]) <= 40
    assert "script.py:3 in &lt;" in page.read_text()
    if fits:
        # 4 GiB each, and one for the product; the padding makes each 2 MiB larger.
        assert device["peak_allocated"] // 2**30 == 36
        assert "loss 0.0" in done.stderr
    else:
        assert device["out_of_memory"]["asked_bytes"] >= 2**32
        assert "NPU out of memory" in data["error"]


def test_plan_of_a_script_that_ends_early(run, write, monkeypatch):
    """Its exit code is the plan's; devices that it does not use take one line.

    What the environment says of this machine's devices is not what is planned for.
    """
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("MINDTORCH_NPU_MEMORY", "3GiB")
    code = "import mindtorch as torch\nx = torch.ones(3, device='npu')\nraise SystemExit(7)\n"
    done = run("npu", "plan", write(code), "--devices", "3")
    assert done.exit_code == 7, done.output
    assert re.search(r"held over time +▁*█+", done.output)
    assert "not used: npu:1, npu:2" in done.output
    assert re.search(r"total memory \(nominal\) +64.00 GiB", done.output)


#: Ten gigabytes on the host, and numbers there that matter.
BUILT_ON_THE_HOST = """
import resource, sys
import mindtorch as torch
from mindtorch import nn
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()  # of who forked us, too
def build():
    return nn.Sequential(*(nn.Linear(16384, 16384, bias=False) for _ in range(10)))
model = build().to(torch.bfloat16)
model.load_state_dict(build().state_dict())
model[0].weight.data.mul_(2)
try:
    model[0].weight.data.copy_(torch.ones(3))
except RuntimeError as error:
    print(error)
model = model.to("npu")
x = torch.randn(1, 16384, dtype=torch.bfloat16).pin_memory().to("npu", non_blocking=True)
model(x)
assert (peak() - before) * (1 if sys.platform == "darwin" else 1024) < 2**30
assert torch.arange(10).clone().float().mul_(3).sum().item() == 135
assert torch.arange(2**20).to(torch.int32)[-1].item() == 0
"""


def test_plan_of_a_model_that_is_built_on_the_host(run, write):
    """Only what is moved counts, as it is moved; the host needs no memory for it."""
    done = run("npu", "plan", write(BUILT_ON_THE_HOST), "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, data["error"]
    assert "The size of tensor a (16384) must match the size of tensor b (3)" in done.stderr
    (device,) = data["devices"]
    assert device["peak_bytes"] == 10 * 2 * 16384**2 + 11 * 2 * 16384


def test_plan_of_a_script_that_recovers(run, write):
    """That it went on is said, and what it may use of the memory."""
    code = """
import mindtorch as torch
torch.npu.set_per_process_memory_fraction(0.5)
n = 2**32
while True:
    try:
        x = torch.empty(n, device="npu")
        break
    except torch.OutOfMemoryError:
        n //= 2
"""
    done = run("npu", "plan", write(code), "--memory", "8GiB")
    assert done.exit_code == 1, done.output
    assert "does NOT fit\n" in done.output
    assert "3 requests were refused, and the script went on" in done.output
    assert re.search(r"allowed by its memory fraction +4.00 GiB", done.output)


#: A script for torchrun: each rank holds the parameters, the first a gathered copy of all, too.
OF_SEVERAL_RANKS = """
import os
import mindtorch as torch
import mindtorch.distributed as dist
from mindtorch.nn.parallel import DistributedDataParallel
dist.init_process_group("hccl")
local = int(os.environ["LOCAL_RANK"])
torch.npu.set_device(local)
model = torch.nn.Linear(1024, 1024, bias=False, device=f"npu:{local}")
model = DistributedDataParallel(model, device_ids=[local])
model(torch.ones(1, 1024, device=f"npu:{local}")).sum().backward()
assert model.module.weight.grad is not None
told = [None] * dist.get_world_size()
dist.all_gather_object(told, dist.get_rank())
if dist.get_rank() == 0:
    parts = [torch.empty(2**20, device=f"npu:{local}") for _ in told]
    dist.all_gather(parts, model.module.weight.detach().view(-1))
dist.barrier()
print(dist.get_rank(), dist.get_world_size(), dist.get_backend(), local)
if dist.get_rank() == 5:
    raise SystemExit(7)
"""


def test_plan_of_one_rank_of_several(run, write):
    """The others need not run; it has the device of its place in the machine."""
    script = write(OF_SEVERAL_RANKS)
    done = run("npu", "plan", script, "--ranks", "16", "--rank", "9", "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, done.stderr
    assert "9 16 hccl 1\n" in done.stderr
    assert (data["rank"], data["world_size"]) == (9, 16)
    (device,) = data["devices"]
    assert device["device"] == 1
    assert 3 * 2**22 <= device["peak_allocated"] < 3 * 2**22 + 2**20  # weight, gradient, bucket
    done = run("npu", "plan", script, "--ranks", "4", "--ranks-per-node", "2", "--rank", "3")
    assert done.output.startswith("rank 3 of 4\nnpu:1"), done.output
    assert "not used" not in done.output


def test_plan_of_all_ranks(run, write):
    """Each in turn; the report is of what needs most, the exit code of the first to fail."""
    script = write(OF_SEVERAL_RANKS)
    done = run("npu", "plan", script, "--ranks", "6", "--all-ranks", "--json")
    data = json.loads(done.stdout)
    assert [plan["rank"] for plan in data["ranks"]] == list(range(6))
    assert data["exit_code"] == done.exit_code == 7
    needs = [plan["devices"][0]["peak_allocated"] for plan in data["ranks"]]
    assert needs[0] > needs[1] == needs[2]
    done = run("npu", "plan", script, "--ranks", "2", "--all-ranks")
    assert done.exit_code == 0, done.output
    assert "all 2 ranks fit" in done.output
    assert re.search(r" 1 +npu:1 .* fits", done.output)
    assert "\nrank 0 of 2\n" in done.output
    done = run("npu", "plan", script, "--ranks", "2", "--all-ranks", "--memory", "20MiB")
    assert done.exit_code == 1
    assert "ranks 0, 1 of 2 do not fit or failed" in done.output


#: Eight layers of 4 MiB, split over all ranks, and two steps of Adam.
SPLIT = """
import os
import mindtorch as torch
import mindtorch.distributed as dist
from mindtorch import nn
from mindtorch.distributed.fsdp import (
    CPUOffloadPolicy, FullyShardedDataParallel, MixedPrecisionPolicy, fully_shard
)
from mindtorch.distributed.fsdp.wrap import ModuleWrapPolicy
dist.init_process_group("hccl")
device = torch.device("npu", int(os.environ["LOCAL_RANK"]))
torch.npu.set_device(device)
model = nn.Sequential(*[nn.Linear(1024, 1024, bias=False) for _ in range(8)])
WRAP
optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
for _ in range(2):
    model(torch.ones(1, 1024, device=device)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
"""
WRAPPED = """
policy = ModuleWrapPolicy({nn.Linear})
model = FullyShardedDataParallel(model, auto_wrap_policy=policy, device_id=device)
"""
#: As accelerate does it: on the meta device, then filled from a state that the first rank sends.
PREPARED = """
from mindtorch.distributed.tensor import DTensor, distribute_tensor
whole = model.state_dict()
model = model.to("meta")
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model:
    fully_shard(layer, mp_policy=policy, reshard_after_forward=True)
fully_shard(model, mp_policy=policy)
split = {}
for name, shard in model.state_dict().items():
    full = whole[name].detach().to(device)
    dist.broadcast(full, src=0)
    split[name] = distribute_tensor(full, shard.device_mesh, shard.placements)
model.load_state_dict(split, assign=True)
del full, split, shard
told = [None]
dist.broadcast_object_list(told, src=0)
assert all(isinstance(p, DTensor) for p in model.parameters())
"""
LAYER, LAYERS, RANKS = 4 * 2**20, 8, 8


@pytest.mark.parametrize(
    ("wrap", "whole_layers"), [(WRAPPED, 6), (PREPARED, 5)], ids=["wrapped", "prepared"]
)
def test_plan_of_split_parameters(run, write, wrap, whole_layers):
    """Each rank has its part of four numbers a parameter, and few layers whole at a time.

    These are the parts that came and the parameters made of them, of this layer and of the next
    one, and a gradient with what is sent of it.
    """
    script = write(SPLIT.replace("WRAP", wrap))
    done = run("npu", "plan", script, "--ranks", str(RANKS), "--rank", "3", "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, done.stderr
    (device,) = data["devices"]
    state = 4 * LAYERS * LAYER // RANKS
    assert device["device"] == 3
    assert state < device["peak_allocated"] <= state + whole_layers * LAYER
    held = {}
    for holder in device["holders"]:
        _, _, exchange = holder["line"].partition(" (")
        held[exchange] = held.get(exchange, 0) + holder["bytes"]
    parts = LAYERS * LAYER // RANKS
    assert parts * 3 / 4 < held["reduce_scatter)"] <= parts + 3 * LAYER  # gradients
    assert LAYER / 2 <= held["all_gather)"] <= 3 * LAYER
    assert held[""] + held.get("scatter)", 0) >= 3 * parts
    assert ("scatter)" in held) == (wrap is PREPARED)


def test_plan_of_split_parameters_on_the_host(run, write):
    """The device has nothing but what is whole."""
    wrap = """
policy = CPUOffloadPolicy(pin_memory=False)
for layer in model: fully_shard(layer, offload_policy=policy)
fully_shard(model, offload_policy=policy)
"""
    done = run("npu", "plan", write(SPLIT.replace("WRAP", wrap)), "--ranks", "8", "--json")
    data = json.loads(done.stdout)
    assert data["error"] is None, done.stderr
    assert LAYER <= data["devices"][0]["peak_allocated"] <= 6 * LAYER


def test_plan_of_a_rank_that_waits_for_what_nobody_sends(run, write):
    """It is told at once."""
    code = """
import mindtorch.distributed as dist
store, rank, size = next(dist.rendezvous("env://"))
store.set("mine", "1")
assert store.get("mine") == b"1"
store.get("others")
"""
    done = run("npu", "plan", write(code), "--ranks", "2")
    assert done.exit_code == 1
    assert "only this process runs, and it has not set" in done.output


def test_plan_refuses_what_is_no_device(run, write):
    """The names are listed."""
    done = run("npu", "plan", write(LARGE), "--device", "abacus")
    assert done.exit_code == 2
    assert "910B-64GB" in done.stderr


def test_snapshot_is_what_the_viewer_reads(run, snapshot):
    """A pickle of plain data with torch's keys; the kernels beside it."""
    data = pickle.loads(snapshot.read_bytes())
    assert {"segments", "device_traces", "allocator_settings"} <= data.keys()
    actions = {entry["action"] for entry in data["device_traces"][0]}
    assert {"alloc", "free_requested", "free_completed", "segment_alloc"} <= actions
    entry = next(e for e in data["device_traces"][0] if e["action"] == "alloc")
    # The frames of the command that ran the script are not there.
    assert [frame["name"] for frame in entry["frames"]][-2:] == ["make", "<module>"]


def test_replay_shows_what_would_have_happened(run, snapshot):
    """Without a limit as recorded; with a small device it runs out, at the line that asked."""
    free = run("npu", "replay", str(snapshot), "--json")
    assert free.exit_code == 0, free.output
    plain = json.loads(free.stdout)["replay"]
    assert plain["refused"] == 0
    room = plain["peak_reserved"] * 3 // 4
    tight = run("npu", "replay", str(snapshot), "--memory", str(room), "--json")
    assert tight.exit_code == 1
    first = json.loads(tight.stdout)["replay"]["first_refused"]
    assert first["line"].endswith("script.py:7 in make")
    assert first["holders"][0]["line"] == first["line"]


def test_summary_of_a_snapshot(run, snapshot):
    """The history's own numbers, in torch's table."""
    done = run("npu", "memory-summary", str(snapshot), "--json")
    data = json.loads(done.stdout)
    trace = pickle.loads(snapshot.read_bytes())["device_traces"][0]
    allocations = sum(entry["action"] == "alloc" for entry in trace)
    assert data["stats"]["allocation.all.allocated"] == allocations == 300
    assert "| Allocated memory" in run("npu", "memory-summary", str(snapshot)).output


def test_tune_prints_the_best_setting(run, snapshot):
    """Never worse than the defaults; what it claims holds in a replay."""
    done = run("npu", "tune", str(snapshot), "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["capacity"] == data["default_capacity"] - data["gain"] <= data["default_capacity"]
    words = ("--memory", str(data["capacity"]), "--settings", data["settings"])
    assert run("npu", "replay", str(snapshot), *words).exit_code == 0


@pytest.mark.parametrize("command", ["replay", "tune", "timeline"])
def test_what_is_no_snapshot(run, tmp_path, command):
    """Other pickles and other files are refused; nothing in them is run."""
    path = tmp_path / "evil.pickle"
    for content in (b"text", pickle.dumps([1]), b"cos\nsystem\n(S'touch pwned'\ntR."):
        path.write_bytes(content)
        done = run("npu", command, str(path))
        assert done.exit_code == 2, done.output
        assert "is not a memory snapshot" in " ".join(re.sub("[│╭╮╰╯─]", " ", done.stderr).split())


def test_timeline_is_one_page_for_itself(run, snapshot, tmp_path):
    """No link to anything else; lines, segments and streams are in it."""
    page = tmp_path / "memory.html"
    done = run("npu", "timeline", str(snapshot), "-o", str(page))
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "script.py:7 in make" in text
    assert "<polygon" in text
    assert "segments at the end" in text
    assert not re.search(r"https?://|<link|src=", text)
    assert 'name="viewport"' in text


def test_timeline_has_a_lane_for_each_stream(run, write, tmp_path):
    """Kernels with their line, on the stream that ran them."""
    snap, page = tmp_path / "s.pickle", tmp_path / "m.html"
    assert run("npu", "snapshot", write(ORDERED), "-o", str(snap)).exit_code == 0
    assert run("npu", "timeline", str(snap), "-o", str(page)).exit_code == 0
    text = page.read_text()
    assert len(set(re.findall(r"stream \d+: \d+ kernels", text))) >= 2
    assert re.search(r'data-tip="aten::relu [^"]*script.py:8 in', text)
    waits = sum(
        span["name"] == "wait_event" for span in pickle.loads(snap.read_bytes())["stream_lanes"]
    )
    assert waits and text.count('data-tip="waits ') == waits
    assert "<code>wait_event" not in text


@pytest.mark.skipif(not shutil.which("chromium"), reason="no browser here")
def test_timeline_is_drawn_by_a_browser(run, snapshot, tmp_path):
    """Headless, as wide as a phone: nothing sticks out; finger and arrow keys say what is there."""
    page = tmp_path / "memory.html"
    assert run("npu", "timeline", str(snapshot), "-o", str(page)).exit_code == 0
    probe = """<script>
const svg = document.querySelector("svg.areas"), box = svg.getBoundingClientRect(), said = [];
const x = box.x + box.width - 0.2, y = box.y + box.height - 9, how = { bubbles: true };
document.elementFromPoint(x, y).dispatchEvent(
  new PointerEvent("pointerdown", { ...how, clientX: x, clientY: y }));
said.push(tip.textContent);
for (const key of ["ArrowRight", "Escape"]) {
  svg.dispatchEvent(new KeyboardEvent("keydown", { ...how, key }));
  said.push(tip.textContent, tip.style.display) }
document.title = JSON.stringify([document.documentElement.scrollWidth <= innerWidth, box.height,
  document.querySelectorAll("rect").length, said])</script>"""
    page.write_text(page.read_text().replace("</body>", probe + "</body>"))
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=400,900", "--dump-dom"]
    done = subprocess.run(
        ["chromium", *words, f"--user-data-dir={tmp_path / 'browser'}", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=60,
    )
    title = html.unescape(re.search(r"<title>(.*?)</title>", done.stdout)[1])
    fits, height, rects, said = json.loads(title)
    assert fits
    assert height == 280
    assert rects > 10
    held = pickle.loads(snapshot.read_bytes())["segments"]
    asked = sum(segment["requested_size"] for segment in held) / 2**20
    shown = re.search(r"script.py:7 in make: ([\d.]+) MiB of ([\d.]+) MiB near event \d+$", said[0])
    assert [float(figure) for figure in shown.groups()] == pytest.approx([asked] * 2, rel=1e-4)
    assert said[1].endswith("MiB") and said[2] == "block"
    assert said[4] == "none"


def test_tune_leaves_out_what_no_capacity_serves(run, write, tmp_path):
    """A request that must fail, as recorded, says nothing of what the program needs."""
    snap = tmp_path / "s.pickle"
    code = """
import mindtorch as torch
held = torch.empty(2**24, device="npu")
try:
    torch.empty(2**50, device="npu")
except torch.OutOfMemoryError:
    pass
"""
    assert run("npu", "snapshot", write(code), "-o", str(snap)).exit_code == 0
    trace = pickle.loads(snap.read_bytes())
    trace["device_traces"][0] = trace["device_traces"][0][-4:]
    done = run("npu", "tune", str(snap), "--json")
    assert json.loads(done.stdout)["capacity"] < 2**30


def test_tune_says_what_it_found_until_ctrl_c(run, snapshot, monkeypatch):
    """And ends with code 130."""
    capacities = iter((100 * 2**20, None, 90 * 2**20))

    def needed(*args):
        try:
            return next(capacities)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(mindtorch_npu.tune, "needed", lambda *args, **how: needed())
    done = run("npu", "tune", str(snapshot))
    assert done.exit_code == 130, done.output
    assert "needs 90.00 MiB in place of 100.00 MiB" in done.output
    assert "3 settings tried, then interrupted" in done.output


def test_tune_without_time_has_a_figure(run, snapshot):
    """What torch's defaults do with at most; told on stderr when it is known, too."""
    done = run("npu", "tune", str(snapshot), "--seconds", "0")
    assert done.exit_code == 0, done.output
    text = re.search(r"torch's defaults are best so far: (.*) are enough\n0 settings", done.stdout)
    assert f"defaults: {text[1]}" in done.stderr
    data = json.loads(run("npu", "tune", str(snapshot), "--seconds", "0", "--json").stdout)
    assert (data["ended"], data["default_exact"]) == ("time", False)
    words = ("replay", str(snapshot), "--memory", str(data["capacity"]))
    assert run("npu", *words).exit_code == 0


def test_top_shows_a_script_while_it_runs(run, write):
    """The last look at a script that held memory."""
    code = (
        "import mindtorch as torch, time\nheld = torch.ones(2**20, device='npu')\ntime.sleep(1)\n"
    )
    done = run("npu", "top", write(code), "--interval", "0.2", "--json")
    assert done.exit_code == 0, done.output
    (process,) = json.loads(done.stdout)["processes"]
    assert process["program"] == "script.py"
    assert process["devices"][0]["allocated"] == 4 * 2**20
    assert "no process shows itself" in run("npu", "top", "--once").output


@pytest.mark.parametrize("device", ["npu", "cuda"])
def test_top_runs_programs_that_only_know_torch(run, write, device, monkeypatch):
    """In the process that it starts ``torch`` means mindtorch, and ``cuda`` the NPU if asked."""
    monkeypatch.setenv("MINDTORCH_CUDA_AS_NPU", "")  # which the option sets for what it starts
    code = f"import torch, time\nheld = torch.ones(2**20, device='{device}')\ntime.sleep(1)\n"
    words = ("--interval", "0.2", "--json", *(["--cuda-as-npu"] if device == "cuda" else []))
    done = run("npu", "top", write(code), *words)
    assert done.exit_code == 0, done.output
    (process,) = json.loads(done.stdout)["processes"]
    assert process["devices"][0]["allocated"] == 4 * 2**20


def test_snapshot_waits_for_what_the_script_left_queued(run, write, tmp_path):
    """A script that ends without reading a result: its kernels are in the lanes all the same."""
    code = (
        "import mindtorch as torch\n"
        "x = torch.ones(1024, 1024, device='npu')\n"
        "for _ in range(8):\n    y = x + x\n"
    )
    done = run("npu", "snapshot", write(code), "-o", str(tmp_path / "s.pickle"), "--json")
    assert json.loads(done.stdout)["kernels"] == 9
