"""``mindtorch npu`` on memory snapshots of real PyTorch on CUDA."""

from __future__ import annotations

import json
import pickle
import random
from itertools import product
from typing import Any

import pytest
from mindtorch_cli.npu.memory_page import page
from mindtorch_npu.peak_usage import usage
from mindtorch_npu.replay import Trace, replay
from mindtorch_npu.tune import is_taken, needed, text_of, tune

from cli.tests.cuda_snapshots import (
    BASE,
    MIB,
    Recorder,
    expandable,
    newer,
    older,
    out_of_memory,
    several_devices,
    truncated,
    whole,
    without_history,
)

LINE = "/home/me/train.py:"
#: name -> (snapshot, device, peak asked for, line that holds most, bytes that it holds).
FILES: dict[str, Any] = {
    "truncated": (truncated, 0, 104 * MIB, f"{LINE}7 in forward", 64 * MIB),
    "expandable": (expandable, 0, 60 * MIB, f"{LINE}12 in forward", 60 * MIB),
    "out_of_memory": (out_of_memory, 0, 320 * MIB, f"{LINE}12 in forward", 160 * MIB),
    "side_stream": (several_devices, 1, 4000, "(no stack was recorded)", 4000),
    "third_device": (several_devices, 2, 30 * MIB, f"{LINE}77 in forward", 30 * MIB),
    "no_history": (without_history, 0, 25 * MIB - 5, "(no stack was recorded)", 25 * MIB - 5),
    "newer": (newer, 0, 42 * MIB, f"{LINE}12 in forward", 30 * MIB),
    "older": (older, 0, 1000, f"{LINE}12 in forward", 1000),
}


@pytest.mark.parametrize("name", FILES)
def test_usage_and_replay_agree_with_the_file(name: str) -> None:
    """Who held what at the peak, and the same peak in a replay without a limit."""
    make, device, peak, line, held = FILES[name]
    snapshot = make()
    found = next(each for each in usage(snapshot) if each["device"] == device)
    assert found["peak_bytes"] == peak
    assert (found["holders"][0]["line"], found["holders"][0]["bytes"]) == (line, held)
    result = replay(Trace(snapshot, device))
    assert result["refused"] == 0
    stats = result["stats"]
    # What the replay holds at its end is what the file's segments hold.
    ours = [s for s in snapshot["segments"] if s["device"] == device]
    assert stats["allocated_bytes"]["all"]["current"] >= sum(s["allocated_size"] for s in ours)
    asked = 1000 if name == "older" else sum(s["requested_size"] for s in ours)
    assert stats["requested_bytes"]["all"]["current"] == asked
    extra = {"out_of_memory": 100 * MIB}.get(name, 0)  # served now, and freed at once
    assert result["peak_requested"] == max(peak, asked + extra)


def test_an_out_of_memory_is_explained() -> None:
    """Where it happened, what was free, who held the memory; another size of device serves it."""
    snapshot = out_of_memory()
    (found,) = usage(snapshot)
    assert found["out_of_memory"] == {
        "line": f"{LINE}50 in backward",
        "asked_bytes": 100 * MIB,
        "free_bytes": 90 * MIB,
    }
    trace = Trace(snapshot)
    small = replay(trace, memory=(340 + 60) * MIB)
    assert (small["refused"], small["rescued"]) == (0, 1)  # the cache is given back first
    tiny = replay(trace, memory=250 * MIB)
    assert tiny["first_refused"]["line"] == f"{LINE}12 in forward"
    assert tiny["first_refused"]["holders"][0]["bytes"] == 5 * 40 * MIB


def test_small_histories_are_not_tuned_by_noise() -> None:
    """A gain is at least a segment."""
    for name in ("side_stream", "older", "no_history", "expandable"):
        make, device, *_ = FILES[name]
        found = tune(Trace(make(), device))
        assert found["gain"] == 0 or found["gain"] >= 2 * MIB
        assert found["tried"] <= 300


@pytest.mark.parametrize("name", FILES)
def test_commands_read_the_file(run: Any, tmp_path: Any, name: str) -> None:
    """replay, memory-summary and timeline, as a user calls them."""
    make, device, peak, line, _ = FILES[name]
    path, page = tmp_path / "snap.pickle", tmp_path / "m.html"
    path.write_bytes(pickle.dumps(make()))
    done = run("npu", "replay", str(path), "--device", str(device), "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["replay"]["peak_allocated"] >= peak
    done = run("npu", "memory-summary", str(path), "--device", str(device), "--json")
    assert done.exit_code == 0, done.output
    assert run("npu", "timeline", str(path), "-o", str(page)).exit_code == 0
    if line.startswith(LINE):
        assert line in page.read_text()


def test_a_device_without_anything_names_the_others(run: Any, tmp_path: Any) -> None:
    """Bad use, with what could be asked for."""
    path = tmp_path / "snap.pickle"
    path.write_bytes(pickle.dumps(several_devices()))
    done = run("npu", "replay", str(path))
    assert done.exit_code == 2
    assert "but of 1, 2" in " ".join(done.stderr.replace("│", " ").split())


def test_tune_finds_what_needs_two_options_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No two values are better than what it says; one option alone gains less."""
    rng, history, live = random.Random(4), Recorder(), []
    for i in range(120):
        size = rng.choice((3, 5, 9, 11, 17, 25, 33)) * MIB + rng.randrange(5) * 102_400
        live.append((BASE + i * 2**30, size))
        history.alloc(*live[-1])
        while len(live) > 10 and rng.random() < 0.6:
            history.free(*live.pop(rng.randrange(len(live))))
    trace = Trace(whole([], [history.entries]))
    choices = {
        "large_segment_size_mb": ("", "32", "64"),
        "max_split_size_mb": ("", "32"),
        "garbage_collection_threshold": ("", "0.6"),
    }
    monkeypatch.setattr("mindtorch_npu.tune.CHOICES", choices)
    found = tune(trace)
    every = {}
    for values in product(*choices.values()):
        chosen = dict(zip(choices, values, strict=True))
        text = text_of(chosen)
        if not is_taken(chosen):
            with pytest.raises(ValueError, match="max_split_size_mb too small"):
                needed(trace, text)
            continue
        every[text] = needed(trace, text) or 0
    assert found["default_capacity"] == every[""]
    assert found["capacity"] <= min(every.values()) + 2 * MIB
    assert found["gain"] == every[""] - found["capacity"] > 2 * MIB


def test_a_page_leaves_out_no_line_silently() -> None:
    """Of very many lines the page names the first ones, and says how much the others hold."""
    history = Recorder()
    for i in range(33):
        history.alloc(BASE + i * 2**30, (100 - i) * MIB, line=i + 1)
    text = page(whole([], [history.entries]), "many")
    assert f"{LINE}20 in forward" in text and f"{LINE}21 in forward" not in text
    left_out = sum(100 - i for i in range(20, 33))
    assert f"<td>{left_out}.00 MiB</td><td>13 more lines</td>" in text
