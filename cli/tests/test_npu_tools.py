"""``mindtorch npu`` replay, tune, snapshot, timeline, sanitize, top."""

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
