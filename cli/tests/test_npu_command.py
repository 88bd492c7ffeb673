"""``mindtorch npu``: its summary, bad options, scripts that fail, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from mindtorch_cli.child_processes import child
from mindtorch_cli.npu.plan import interrupted

SCRIPT = """
import sys
import mindtorch as torch
print("script got", sys.argv[1:])
kept = torch.ones(1024, device="npu")
kept = kept + 1
torch.npu.synchronize()
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "uses_npu.py"
    path.write_text(SCRIPT)
    return path


def test_summary_of_a_script(run, script):
    """The script runs in this process and the table shows what it did."""
    done = run("npu", "memory-summary", str(script), "--", "--epochs", "3")
    assert done.exit_code == 0, done.output
    assert "script got ['--epochs', '3']" in done.stdout
    assert "Allocated memory" in done.stdout


def test_summary_as_json_is_one_document(run, script):
    """What the script prints goes to stderr; the numbers count its allocations."""
    done = run("npu", "memory-summary", str(script), "--json")
    data = json.loads(done.stdout)
    assert "script got" in done.stderr
    assert data["device"] == "npu:0"
    assert data["stats"]["allocated_bytes.all.peak"] >= 4096


def test_summary_of_the_current_process(run):
    """Without a script the process is shown as it is."""
    done = run("npu", "memory-summary")
    assert done.exit_code == 0, done.output
    assert "Allocated memory" in done.stdout


def test_without_an_npu_commands_say_so(script):
    """In one line, with code 2; whatever took it away."""
    code = (
        "import sys; from mindtorch_cli.app import app\n"
        "for word in ('memory-summary', 'snapshot', 'sanitize'):\n"
        "    try: app(['npu', word, sys.argv[1]])\n"
        "    except SystemExit as stop: print(stop.code)\n"
    )
    for devices, text in (("0", "MINDTORCH_NPU_DEVICES or"), ("x", "must be a count of")):
        done = subprocess.run(
            [sys.executable, "-c", code, str(script)],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ
            | {"MINDTORCH_NPU_DEVICES": devices, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.stdout == "2\n2\n2\n"
        assert done.stderr.count("there is no NPU") == done.stderr.count(text) == 3
        assert "Traceback" not in done.stderr


def test_exit_code_of_the_script_is_kept(run, tmp_path):
    """The summary is printed all the same."""
    path = tmp_path / "fails.py"
    path.write_text("import sys; sys.exit(3)")
    done = run("npu", "memory-summary", str(path))
    assert done.exit_code == 3
    assert "Allocated memory" in done.stdout


def test_error_of_the_script_is_shown_as_python_shows_it(run, tmp_path):
    """From the script's own lines on; then what was asked for. sys.argv is put back."""
    import sys

    before = list(sys.argv), list(sys.path)
    path = tmp_path / "raises.py"
    path.write_text("1 / 0")
    done = run("npu", "memory-summary", str(path))
    assert done.exit_code == 1 and "Allocated memory" in done.stdout
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{path}", line 1, in <module>'
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert (list(sys.argv), list(sys.path)) == before


@pytest.mark.parametrize(
    "words, said",
    [
        (("snapshot", "SCRIPT", "-o", "/none/x"), "directory '/none' does not exist"),
        (("plan", "SCRIPT", "--snapshot", "/none/x"), "directory '/none' does not exist"),
        (("plan", "SCRIPT", "--memory", "3Q"), "--memory: not a memory size: '3Q'"),
        (("plan", "SCRIPT", "--settings", "a:1"), "--settings: Unrecognized key 'a'"),
        (("plan", "SCRIPT", "--device", "X"), "--device: no device called 'X'"),
        (("plan", "SCRIPT", "--default-device", "X"), "--default-device: Expected one of cpu"),
        (("plan", "SCRIPT", "--rank", "1"), "--rank: how many there are is said by --ranks"),
        (("plan", "SCRIPT", "--ranks", "2", "--rank", "2"), "--rank: of 2 ranks the last is 1"),
        (("plan", "SCRIPT", "--ranks", "2", "--rank", "0", "--all-ranks"), "planned already"),
        (
            ("plan", "SCRIPT", "--ranks", "2", "--all-ranks", "--timeline", "x.html"),
            "a snapshot or timeline is of one rank: choose it by --rank",
        ),
    ],
)
def test_bad_options_are_refused_before_the_script_runs(run, tmp_path, words, said):
    """Its work would be lost."""
    path, ran = tmp_path / "s.py", tmp_path / "ran"
    path.write_text(f"open({str(ran)!r}, 'w')")
    done = run("npu", *(str(path) if word == "SCRIPT" else word for word in words))
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert not ran.exists()


@pytest.mark.parametrize("command", ["memory-summary", "snapshot", "sanitize"])
def test_ctrl_c_ends_with_what_was_seen(run, tmp_path, monkeypatch, command):
    """The script is interrupted, the command says what it saw; code 130."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s.py"
    path.write_text(
        "import mindtorch as torch\nx = torch.ones(9, device='npu')\nraise KeyboardInterrupt"
    )
    done = run("npu", command, str(path))
    assert done.exit_code == 130
    assert any(text in done.stdout for text in ("Allocated memory", "segments", "no races"))
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_command_that_is_ended_leaves_no_child(tmp_path):
    """SIGTERM: the script that it started ends as well."""
    path, pid = tmp_path / "s.py", tmp_path / "pid"
    path.write_text(
        f"import os, time\nopen({str(pid)!r} + '.new', 'w').write(str(os.getpid()))\n"
        f"os.rename({str(pid)!r} + '.new', {str(pid)!r})\ntime.sleep(60)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    words = [sys.executable, "-m", "mindtorch_cli", "npu", "top", str(path)]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        until = time.monotonic() + 60
        while not pid.exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.terminate()
        assert process.wait(30) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.parametrize(
    "words, said",
    [
        (("no_such_script.py",), "does not exist"),
        (("--device", "99"), "NPUs"),
        (("--device", "-1"), "NPUs"),
        (("--device", "x"), "integer"),
    ],
)
def test_bad_use_ends_with_code_2(run, words, said):
    """A missing script or device is bad use."""
    done = run("npu", "memory-summary", *words)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())


#: Prints in every way there is, and lets a thread allocate when its last line has run.
LOUD = """
import os, sys, threading, time
import mindtorch as torch
print("by print"); os.write(1, b"by the descriptor\\n")
os.system("echo by a child")
sys.__stdout__.write("by the first stdout\\n")
kept = []
def late(more):
    time.sleep(0.02)
    kept.append(torch.ones(2**20, device="npu"))
    if more: threading.Thread(target=late, args=(0,)).start()
threading.Thread(target=late, args=(1,)).start()
"""


def test_json_is_all_of_stdout_and_threads_are_waited_for(tmp_path):
    """Whatever way the script prints; what its threads do at its end is seen."""
    path = tmp_path / "loud.py"
    path.write_text(LOUD)
    done = subprocess.run(
        [sys.executable, "-m", "mindtorch_cli", "npu", "memory-summary", str(path), "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    stats = json.loads(done.stdout)["stats"]
    assert stats["allocated_bytes.all.allocated"] == 2 * 4 * 2**20
    for way in ("by print", "by the descriptor", "by a child", "by the first stdout"):
        assert way in done.stderr


#: Ends in the ways that leave a command no turn, after it has spoken in bytes that are no text.
ABRUPT = """
import atexit, os, sys
import mindtorch as torch
side = torch.npu.Stream()
x = torch.ones(9, device="npu")
with torch.npu.stream(side):
    y = x + 1
if os.fork() == 0:
    os._exit(4)
os.wait()
atexit.register(print, "at the exit")
os.write(1, b"\\xff\\n")
if sys.argv[1:]:
    os._exit(int(sys.argv[1]))
"""


#: Each command in a child of its own, which has imported all of it.
RUN = """
import json, os, sys, tempfile
from importlib import import_module
from mindtorch_cli import npu
from mindtorch_cli.app import app
for member in npu.app.info.cls.members.values():
    import_module(member.module)
for words in json.loads(sys.argv[1]):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1), os.dup2(err.fileno(), 2)
            app(["npu", *words])
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0), err.seek(0)
        print(json.dumps([code, out.read().decode(), err.read().decode("latin-1")]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_script_that_ends_abruptly_is_reported_all_the_same(tmp_path):
    """``os._exit``, and what is done at the exit: one document, and the right code."""
    path = tmp_path / "abrupt.py"
    path.write_text(ABRUPT)
    cases = (
        ("memory-summary", "7", 7),
        ("memory-summary", "", 0),
        ("sanitize", "0", 1),  # for it has found a race
        ("plan", "7", 7),
    )
    words = [[command, str(path), "--json", "--", *status] for command, status, _ in cases]
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(words)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    for case, line in zip(cases, done.stdout.splitlines(), strict=True):
        found, out, err = json.loads(line)
        assert found == case[2], (case, out, err)
        assert json.loads(out), case
        assert "\xff" in err and ("at the exit" in err) is (not case[1]), (case, err)


def test_plan_of_an_interrupted_script_says_what_it_saw(run, tmp_path):
    """As the other commands do; code 130."""
    path = tmp_path / "s.py"
    path.write_text(
        "import mindtorch as torch\nx = torch.ones(9, device='npu')\nraise KeyboardInterrupt"
    )
    done = run("npu", "plan", str(path), "--json")
    assert done.exit_code == 130
    found = json.loads(done.stdout)
    assert found["error"] == "KeyboardInterrupt"
    assert found["devices"][0]["peak_bytes"] == 36


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_plan_passes_on_a_ctrl_c_that_it_alone_was_sent():
    """As by ``kill -INT``: the child reports, too."""
    waits = "trap 'echo reported; exit 0' INT; while :; do sleep 0.05; done"

    def hears_it() -> None:
        """A shell cannot trap what its parent ignores, as a job in the background does."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with child(["sh", "-c", waits], stdout=subprocess.PIPE, preexec_fn=hears_it) as process:
        interrupted(process)
        assert process.stdout.read() == b"reported\n"
    assert process.returncode == 0


def test_numbers_are_whole_in_a_narrow_terminal(run, tmp_path, monkeypatch):
    """Forty columns: headings are folded, not figures cut."""
    monkeypatch.setenv("COLUMNS", "40")
    path, snap = tmp_path / "s.py", tmp_path / "s.pickle"
    path.write_text("import mindtorch as torch\nx = torch.ones(2**20, device='npu')")
    assert run("npu", "plan", str(path), "--snapshot", str(snap)).exit_code == 0
    for words in (("plan", str(path)), ("replay", str(snap))):
        text = run("npu", *words).stdout
        assert "4.00 MiB" in text and "…" not in text
