"""``mindtorch npu sanitize``: racy programs are all caught, ordered ones and examples never."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HEAD = """
import mindtorch as torch
npu = torch.npu
side, other = npu.Stream(), npu.Stream()
here = npu.current_stream()
x = torch.ones(1000, device="npu")
"""
#: What orders, written between two parts of a program: name -> line.
ORDERS = {
    "wait_stream": "side.wait_stream(here)",
    "event": "e = here.record_event(); side.wait_event(e)",
    "generic_event": "e = torch.Event('npu'); e.record(here); e.wait(side)",
    "stream_synchronize": "here.synchronize()",
    "event_synchronize": "here.record_event().synchronize()",
    "device_synchronize": "npu.synchronize()",
    "accelerator": "torch.accelerator.synchronize()",
    "through_a_third": "other.wait_stream(here); side.wait_stream(other)",
    "read_by_the_host": "x.sum().item()",
}
#: Two accesses of which one writes: name -> (on the current stream, on the side stream).
PAIRS = {
    "write_read": ("x.fill_(2)", "y = x * 2"),
    "write_write": ("x.fill_(2)", "x.zero_()"),
    "read_write": ("y = x + 1", "x.mul_(2)"),
    "view": ("x[:10].fill_(1)", "y = x[500:].sum()"),
    "matmul": ("x.add_(1)", "y = x.view(10, 100) @ x.view(100, 10)"),
    "out": ("y = torch.exp(x)", "torch.sin(x, out=x)"),
    "copy_in": ("y = x.clone()", "x.copy_(torch.zeros(1000).pin_memory(), non_blocking=True)"),
    "copy_out": ("x.fill_(3)", "h = x.to('cpu', non_blocking=True)"),
    "index_put": ("y = x.sum()", "x[torch.tensor([3], device='npu')] = 5.0"),
}
#: Other programs: name -> (code, kinds that are found).
OTHERS: dict[str, tuple[str, list[str]]] = {
    "freed while used": (
        "side.wait_stream(here)\nwith npu.stream(side): y = x + 1\ndel x",
        ["freed"],
    ),
    "freed while used, recorded": (
        "side.wait_stream(here)\nwith npu.stream(side): y = x + 1\nx.record_stream(side)\ndel x",
        [],
    ),
    "freed while used, waited": (
        "side.wait_stream(here)\nwith npu.stream(side): y = x + 1\nhere.wait_stream(side)\ndel x",
        [],
    ),
    "two readers": ("side.wait_stream(here)\nwith npu.stream(side): y = x + 1\nz = x + 2", []),
    "event before the write": (
        "e = here.record_event()\nx.fill_(2)\nside.wait_event(e)\nwith npu.stream(side): y = x + 1",
        ["race"],
    ),
    "event of another stream": (
        "e = other.record_event()\nside.wait_event(e)\nwith npu.stream(side): y = x + 1",
        ["race"],
    ),
    "event recorded anew": (
        "e = here.record_event()\nx.fill_(2)\ne.record(here)\nside.wait_event(e)\n"
        "with npu.stream(side): y = x + 1",
        [],
    ),
    "one of two waits": (
        "side.wait_stream(here); other.wait_stream(here)\nwith npu.stream(side): x.add_(1)\n"
        "with npu.stream(other): y = x + 1",
        ["race"],
    ),
    "another device": (
        "x.fill_(2)\ny = x.to('npu:1')\nz = torch.zeros(1000, device='npu:1').copy_(x)\ny.add_(z)\n"
        "x.fill_(3)",
        [],
    ),
    "a thread on its default stream": (
        "import threading\nside.wait_stream(here)\nwith npu.stream(side): x.fill_(2)\n"
        "t = threading.Thread(target=lambda: x.sum()); t.start(); t.join()",
        ["race"],
    ),
    "backward on the streams of the forward": (
        "w = torch.ones(1000, device='npu', requires_grad=True)\nside.wait_stream(here)\n"
        "with npu.stream(side): a = (w * x).sin()\nhere.wait_stream(side)\n"
        "(a + w.exp()).sum().backward()\nprint(w.grad.sum().item())\nnpu.synchronize()",
        [],
    ),
    "read and freed at once": (
        "with npu.stream(side): y = torch.ones(100, device='npu')\nhere.wait_stream(side)\n"
        "print(y[0].item(), y.cpu().sum(), y.tolist()[0])\ndel y",
        [],
    ),
}


def races(run: Any, path: Path, *words: str) -> list[dict[str, Any]]:
    """What the command finds in a script."""
    done = run("npu", "sanitize", str(path), "--json", *words)
    found: list[dict[str, Any]] = json.loads(done.stdout)["races"]
    assert done.exit_code == bool(found), done.output
    return found


@pytest.mark.parametrize("pair", PAIRS)
def test_every_seeded_race_is_found_and_no_ordered_one(run: Any, tmp_path: Path, pair: str) -> None:
    """The two lines are named; any way of ordering them ends the alarm."""
    first, second = PAIRS[pair]
    path = tmp_path / "program.py"
    for order, line in {"": "pass", **ORDERS}.items():
        body = f"npu.synchronize()\n{first}\n{line}\nwith npu.stream(side): {second}\n"
        path.write_text(f"{HEAD}{body}npu.synchronize()\n")
        found = races(run, path)
        if order:
            assert not found, (order, found)
            continue
        (race,) = found
        assert race["kind"] == "race"
        assert race["first"]["line"].endswith("program.py:8 in <module>")
        assert race["second"]["line"].endswith("program.py:10 in <module>")


@pytest.mark.parametrize("name", OTHERS)
def test_other_programs(run: Any, tmp_path: Path, name: str) -> None:
    """Frees, events, devices, threads, backward."""
    code, wanted = OTHERS[name]
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}x.add_(1)\n{code}\nnpu.synchronize()\n")
    assert [race["kind"] for race in races(run, path)] == wanted


def test_an_example_raises_no_alarm() -> None:
    """In a process of its own, whose memory it counts."""
    done = subprocess.run(
        [sys.executable, "-m", "mindtorch_cli", "npu", "sanitize", "examples/04_npu_memory.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    assert "no races between streams" in done.stdout
