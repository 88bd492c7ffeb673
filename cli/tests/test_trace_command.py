"""``mindtorch dispatch trace``."""

from __future__ import annotations

import json
import re

import mindtorch as torch
import pytest
from mindtorch_cli.trace_page import page
from mindtorch_dispatch import tls


@pytest.fixture
def script(tmp_path):
    """A program with a backward, a pipeline, a loop and an argument."""
    path = tmp_path / "train.py"
    path.write_text(
        "import sys\n"
        "import mindtorch as torch\n"
        "x = torch.ones(2, 3, requires_grad=True)\n"
        "for _ in range(3):\n"
        "    x.detach().mul(2)\n"
        "(x @ x.t()).sum().backward()\n"
        "with torch.pipeline():\n"
        "    y = torch.ones(200, 200).exp()\n"
        "print('ran', sys.argv[1:])\n"
        "sys.exit(int(sys.argv[1]) if len(sys.argv) > 1 else 0)\n"
    )
    return str(path)


def test_trace_shows_calls_backward_and_flush(run, script):
    """The script's own output comes first; it gets its arguments."""
    done = run("dispatch", "trace", script, "--", "0", "--lr")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("ran ['0', '--lr']\n")
    for word in ("aten::matmul(f32[2,3],grad, ", "backward from SumBackward0", "flush", "entry"):
        assert word in done.stdout, word
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert tls.state.get() == 0


def test_exit_code_is_the_scripts(run, script):
    """The trace is shown all the same."""
    done = run("dispatch", "trace", script, "--", "3")
    assert done.exit_code == 3 and "aten::matmul" in done.stdout


def test_an_exception_is_shown_after_the_trace(run, tmp_path):
    """As ``python script`` would end, but the trace comes first; tracing is off afterwards."""
    path = tmp_path / "bad.py"
    path.write_text("import mindtorch as torch\ntorch.ones(2) + torch.ones(3)\n")
    done = run("dispatch", "trace", str(path))
    assert done.exit_code == 1 and tls.state.get() == 0
    assert "RuntimeError: The size of tensor a" in done.stderr.splitlines()[-1]
    assert "raised RuntimeError: The size of tensor a" in " ".join(
        done.stdout.replace("│", " ").split()
    )


def test_json_is_the_only_thing_on_stdout(run_json, script):
    """What the script prints goes to stderr."""
    data = run_json("dispatch", "trace", script)
    assert data["count"] > 10 and data["dropped"] == 0
    names = [e["name"] for e in data["events"]]
    assert "aten::matmul" in names and "SumBackward0" in names
    first = data["events"][0]
    assert first["keys"] and first["chosen"] and first["arguments"][0]["keys"] is None


def test_choice_of_events(run, script):
    """By op, key and depth."""
    shown = run("dispatch", "trace", script, "--op", "mm").stdout
    assert "aten::mm(" in shown and "aten::exp" not in shown
    shown = run("dispatch", "trace", script, "--key", "pipeline").stdout
    assert "aten::exp" in shown and "aten::mm(" not in shown
    shown = run("dispatch", "trace", script, "--depth", "1").stdout
    assert "AutogradCPU" not in shown and "3 × " not in shown
    shown = run("dispatch", "trace", script, "--op", "detach", "--keys").stdout
    assert "dispatched by" in shown and "functionality" not in shown.split("dispatched by")[0]
    assert "no calls" in run("dispatch", "trace", script, "--op", "nothing").stdout


def test_limit_is_said(run, script):
    """More than the limit is counted only."""
    shown = run("dispatch", "trace", script, "--limit", "5").stdout
    assert "more events are not kept; --limit keeps more" in shown


def test_output_for_perfetto(run, script, tmp_path):
    """Chrome's format; stdout has the script's words only."""
    target = tmp_path / "trace.json"
    done = run("dispatch", "trace", script, "--output", str(target))
    assert done.stdout == "ran []\n" and "events written to" in done.stderr
    events = json.loads(target.read_text("utf-8"))["traceEvents"]
    assert {e["ph"] for e in events} == {"X", "M"}
    assert {"call", "kernel", "backward", "node", "flush", "entry"} <= {
        e["cat"] for e in events if e["ph"] == "X"
    }


def test_output_as_text_and_page(run, script, tmp_path):
    """A page needs nothing from elsewhere."""
    text, html = tmp_path / "t.txt", tmp_path / "t.html"
    run("dispatch", "trace", script, "--output", str(text))
    assert "└─ AutogradCPU: autograd" in text.read_text("utf-8")
    run("dispatch", "trace", script, "--output", str(html))
    made = html.read_text("utf-8")
    assert made.startswith("<!doctype html>") and "aten::matmul" in made
    assert "http" not in made and "<script" not in made and "width=device-width" in made


def test_page_escapes_what_it_shows():
    """Names and error texts are text."""
    with torch.dispatch_trace() as t:
        torch.ones(1)
    t.events[0].error = "Error: <b>&"
    made = page(t, "<x>")
    assert "<b>" not in made and "&lt;b&gt;&amp;" in made and "<x>" not in made
    opened, closed = made.count("<details"), made.count("</details>")
    assert opened == closed > 1


@pytest.mark.parametrize(
    "words, said",
    [
        (("no_such.py",), "does not exist"),
        (("SCRIPT", "--key", "Autogradcup"), "did you mean AutogradCPU"),
        (("SCRIPT", "--depth", "0"), "--depth"),
        (("SCRIPT", "--output", "trace.xml"), "ends neither in .json nor in .html nor in .txt"),
        ((), "Missing argument"),
    ],
)
def test_bad_use(run, script, words, said):
    """Code 2, before the script runs."""
    done = run("dispatch", "trace", *(script if w == "SCRIPT" else w for w in words))
    assert done.exit_code == 2 and not done.stdout
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stderr)
    assert said in " ".join(plain.replace("│", " ").split())
