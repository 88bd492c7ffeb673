"""Which programs the commands run: scripts, modules; and what is none."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MODEL = "import mindtorch as torch\ndef net(n):\n    return torch.ones(n, n, device='npu')\n"
TRAIN = """
import sys
from .model import net
held = net(int(sys.argv[1]))
print(__name__, __package__, sys.argv[1:], __file__)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a module that imports its neighbour."""
    folder = tmp_path / "pkg_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "model.py").write_text(MODEL)
    (folder / "train.py").write_text(TRAIN)
    monkeypatch.chdir(tmp_path)
    for name in ("pkg_of_a_test", "pkg_of_a_test.model"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


@pytest.mark.parametrize("command", ["sanitize", "snapshot -o s.pickle", "plan"])
def test_a_module_runs_as_by_python_m(run: Any, package: Path, command: str) -> None:
    """Relative imports, ``__name__``, ``sys.argv``; its lines are those of its file."""
    words = [*command.split(), "-m", "pkg_of_a_test.train", "--json", "--", "300"]
    done = run("npu", *words)
    assert done.exit_code == 0, done.output
    assert f"__main__ pkg_of_a_test ['300'] {package / 'train.py'}" in done.stderr
    if command == "plan":
        (device,) = json.loads(done.stdout)["devices"]
        assert device["holders"][0]["line"].endswith("model.py:3 in net")
    elif command == "sanitize":
        assert json.loads(done.stdout) == {"races": [], "exit_code": 0}
    elif "-o" in command:
        trace = pickle.loads(Path("s.pickle").read_bytes())["device_traces"][0]
        frames = next(entry for entry in trace if entry["action"] == "alloc")["frames"]
        assert [frame["name"] for frame in frames][-2:] == ["net", "<module>"]


def test_a_snapshot_begins_with_its_script(run: Any, package: Path) -> None:
    """What the process recorded before is not in it."""
    Path("before.py").write_text("import mindtorch as torch\nx = torch.ones(7, device='npu')\n")
    for script in ("before.py", "pkg_of_a_test/model.py"):
        assert run("npu", "snapshot", script, "-o", "s.pickle").exit_code == 0
    assert not any(pickle.loads(Path("s.pickle").read_bytes())["device_traces"])


def test_an_error_in_a_module_begins_at_its_own_lines(run: Any, package: Path) -> None:
    """As Python shows it."""
    (package / "train.py").write_text("def deep():\n    1 / 0\ndeep()\n")
    done = run("npu", "sanitize", "-m", "pkg_of_a_test.train")
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert lines[1].endswith('train.py", line 3, in <module>')
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert done.stdout == "no races between streams until the script ended with code 1\n"


def words_of(done: Any) -> str:
    """An error without its frame."""
    return " ".join(done.stderr.translate(dict.fromkeys(map(ord, "│╭╮╰╯─"), " ")).split())


def test_what_is_no_program(run: Callable[..., Any], tmp_path: Path) -> None:
    """Is refused with what may have been meant, before anything runs."""
    snapshot, document = tmp_path / "snap.pickle", tmp_path / "snap.json"
    snapshot.write_bytes(pickle.dumps({}))
    document.write_text("{}")
    for command in ("npu plan", "npu sanitize", "npu top", "dispatch trace"):
        for path in (snapshot, document):
            done = run(*command.split(), str(path))
            assert done.exit_code == 2
            assert "is no Python script; npu replay, tune and timeline read" in words_of(done)
        for path, why in (
            (tmp_path, "is a directory"),
            (tmp_path / "no.py", "does not exist"),
            (Path(os.devnull), "is a pipe or a device: write what is in it to a file"),
        ):
            done = run(*command.split(), str(path))
            assert done.exit_code == 2 and why in words_of(done)
    assert run("npu", "memory-summary", str(document)).exit_code == 2
    script = tmp_path / "a.py"
    script.write_text("raise SystemExit(9)")
    done = run("npu", "snapshot", str(script), "--steps", "3")
    assert done.exit_code == 2
    assert "what is meant for the script follows --" in words_of(done)


def test_what_is_no_snapshot_is_told_apart(run: Callable[..., Any], tmp_path: Path) -> None:
    """An empty file, JSON, half a pickle; a snapshot that nothing was recorded in."""
    path, page = tmp_path / "snap.pickle", tmp_path / "m.html"
    nothing = {"segments": [], "device_traces": []}
    for content, why in (
        (b"", "it is empty"),
        (
            json.dumps(nothing).encode(),
            "it may be JSON; wanted is the pickle that _dump_snapshot()",
        ),
        (pickle.dumps(nothing)[:20], "a pickle that cannot be read"),
        (b"print(1)", "not a pickle"),
        (pickle.dumps(nothing), "_record_memory_history() before the program runs makes one"),
    ):
        path.write_bytes(content)
        done = run("npu", "replay", str(path))
        assert done.exit_code == 2
        assert why in words_of(done)
    done = run("npu", "timeline", str(path), "-o", str(page))
    assert done.exit_code == 0
    assert "the snapshot has no memory and no history" in done.stdout


def test_a_plan_says_how_far_it_got(run: Callable[..., Any], tmp_path: Path) -> None:
    """And what a script lacks that asks for more devices than it was given."""
    script = tmp_path / "two.py"
    script.write_text("import mindtorch as torch\nfor i in (0, 1):\n    torch.ones(3, device=i)\n")
    done = run("npu", "plan", str(script))
    assert done.exit_code == 1
    assert "fits as far as the script ran" in done.stdout
    assert "the script saw 1 of these devices: --devices gives it more" in done.stdout


UNRULY = """
import os, sys, tempfile
import mindtorch as torch
x = torch.ones(3, device="npu")
print("said")
sys.stdout.close()
os.chdir(tempfile.gettempdir())
"""


def test_a_script_that_closes_stdout_and_goes_elsewhere(tmp_path: Path) -> None:
    """Is reported all the same, and the file lies where it was wanted."""
    (tmp_path / "unruly.py").write_text(UNRULY)
    done = subprocess.run(
        [sys.executable, "-m", "mindtorch_cli", *"npu snapshot unruly.py -o s.pickle".split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("said\n  file      s.pickle")
    assert (tmp_path / "s.pickle").stat().st_size


def test_a_script_with_its_own_stdout_and_excepthook(run: Callable[..., Any], write: Any) -> None:
    """The report does not go to its stdout; its hook shows what it raises."""
    path = write(
        "import io, sys\nsys.stdout = io.StringIO()\nprint('swallowed')\n"
        "def hook(kind, error, trace):\n    print('HOOK', kind.__name__, trace.tb_lineno, "
        "file=sys.stderr)\nsys.excepthook = hook\nraise KeyError\n"
    )
    before = sys.stdout
    done = run("npu", "sanitize", path)
    assert done.stdout == "no races between streams until the script ended with code 1\n"
    assert done.stderr == "HOOK KeyError 7\n"
    assert sys.stdout is before


def test_a_script_that_ends_the_recording(run: Any, write: Any) -> None:
    """What it left of the history is said to be nothing, not shown as if it were all."""
    path = write(
        "import mindtorch as torch\nx = torch.ones(3, device='npu')\n"
        "torch.npu.memory._record_memory_history(None)\n"
    )
    done = run("npu", "snapshot", path, "-o", f"{path}.pickle")
    assert done.exit_code == 0, done.output
    assert "the script ended the recording" in done.stdout
