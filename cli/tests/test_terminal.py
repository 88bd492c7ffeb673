"""Every command as a terminal of 80 and of 140 columns shows it, colours and all.

A few run in a pseudo-terminal, where they find out for themselves what they are connected to; the
others are told, which takes no process each.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
import typer.rich_utils  # which asks the environment once: before a test changes it
from mindtorch_cli.app import app
from mindtorch_cli.render import plain, shown_place
from typer.testing import CliRunner

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import termios

SCRIPT = """
import mindtorch as torch
x = torch.ones(2, 3, requires_grad=True)
(x @ x.T).relu().sum().backward()
torch.ones(1000, 1000, device="npu") + 1
"""
#: Words of a command, its exit code, and what must be seen whole. ``SCRIPT`` is a file.
COMMANDS = (
    ("--help", 0, ["dispatch", "env", "npu"]),
    ("dispatch --help", 0, ["explain", "trace", "diff", "why-not"]),
    ("dispatch explain --help", 0, ["Examples:", "--pipeline", "--json"]),
    ("dispatch trace --help", 0, ["Examples:", "--json"]),
    ("dispatch diff --help", 0, ["Examples:", "--all"]),
    ("dispatch ops --help", 0, ["Examples:", "--missing"]),
    ("dispatch why-not --help", 0, ["Examples:"]),
    ("dispatch keys --help", 0, ["Examples:"]),
    ("npu memory-summary --help", 0, ["Examples:"]),
    ("env --help", 0, ["--json"]),
    ("env", 0, ["mindtorch", "numpy", "python"]),
    ("dispatch keys", 0, ["AutogradNestedTensor", "FuncTorchDynamicLayerFrontMode"]),
    ("dispatch ops aten::*pool*", 0, ["max_pool2d_with_indices"]),
    ("dispatch ops --missing npu", 0, []),
    (
        "dispatch explain add.Tensor",
        0,
        ["mindtorch/functionality/python_dispatcher.py:", "AutogradNestedTensor", "(numpy.add)"],
    ),
    (
        "dispatch explain add f32[2,3]@npu,grad f32[3]",
        0,
        ["AutogradNPU", "functionality/autograd.py:"],
    ),
    ("dispatch explain conv2d f32[1,3,8,8],grad f32[4,3,3,3]", 0, ["Composite"]),
    ("dispatch why-not add.Tensor MkldnnCPU", 0, ["torch.library.Library"]),
    ("dispatch trace SCRIPT", 0, ["aten::relu", "MmBackward0"]),
    ("npu memory-summary SCRIPT", 0, ["Allocated memory"]),
    ("dispatch explain nosuchop", 2, ["no operator is called nosuchop"]),
    ("dispatch why-not add.Tensor Nokey", 2, ["Nokey"]),
    ("dispatch trace /no/such/file.py", 2, ["/no/such/file.py"]),
    ("nosuch", 2, ["No such command 'nosuch'"]),
)
_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STYLE = re.compile(r"\x1b\[([0-9;]*)m")
#: Not to be read on light or on dark: black, yellow, white, and their bright kinds.
_UNREADABLE = {"30", "33", "37", "90", "93", "97"}


def in_terminal(words, columns, **environment):
    """Exit code and output of a command in a pseudo-terminal."""
    pid, fd = pty.fork()
    if pid == 0:
        for name in ("COLUMNS", "TERMINAL_WIDTH", "NO_COLOR", "CI", "GITHUB_ACTIONS"):
            os.environ.pop(name, None)
        os.environ.update({"TERM": "xterm-256color", **environment})
        os.execv(sys.executable, [sys.executable, "-m", "mindtorch_cli", *words])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    output = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:  # the other end is gone
            break
        if not piece:
            break
        output += piece
    os.close(fd)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), output.decode()


def shown(words, columns, monkeypatch):
    """The same in this process, told of a terminal."""
    for name, value in (("COLUMNS", columns), ("TERMINAL_WIDTH", columns), ("FORCE_COLOR", 1)):
        monkeypatch.setenv(name, str(value))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(typer.rich_utils, "MAX_WIDTH", columns, raising=False)
    monkeypatch.setattr(typer.rich_utils, "FORCE_TERMINAL", True, raising=False)
    done = CliRunner().invoke(app, words, color=True)
    return done.exit_code, done.output


def check(output, columns, whole):
    """Nothing is cut, folded where it must not be, or unreadable."""
    lines = _SEQUENCE.sub("", output).replace("\r", "").split("\n")
    # A line of code is to be copied, so it is not folded: the terminal wraps it.
    assert [line for line in lines if len(line) > columns and "lib.impl(" not in line] == []
    text = "\n".join(lines)
    assert [word for word in whole if word not in text] == []
    styles = {part for style in _STYLE.findall(output) for part in style.split(";")}
    assert not styles & _UNREADABLE
    return styles


@pytest.mark.parametrize("command, code, whole", COMMANDS, ids=[c[0] for c in COMMANDS])
@pytest.mark.parametrize("columns", [80, 140])
def test_nothing_is_wider_than_the_terminal_or_cut(
    command, code, whole, columns, tmp_path, monkeypatch
):
    """Exit codes too; and no colour that a light or a dark background swallows."""
    script = Path(tmp_path / "script.py")
    script.write_text(SCRIPT, encoding="utf-8")
    words = [str(script) if word == "SCRIPT" else word for word in command.split()]
    done, output = shown(words, columns, monkeypatch)
    assert done == code
    check(output, columns, whole)


IN_TERMINAL = [c for c in COMMANDS if c[0] in ("--help", "dispatch explain add.Tensor", "nosuch")]


@pytest.mark.parametrize("command, code, whole", IN_TERMINAL, ids=[c[0] for c in IN_TERMINAL])
def test_a_real_terminal_shows_the_same(command, code, whole):
    """Its width is found out, and that it has colours."""
    done, output = in_terminal(command.split(), 80)
    assert done == code
    assert check(output, 80, whole) - {"", "0", "1", "2"}, "no colours in a terminal"


def test_no_color_has_no_colours():
    """``NO_COLOR`` leaves bold and dim at most."""
    _, output = in_terminal("dispatch explain add.Tensor".split(), 80, NO_COLOR="1")
    styles = {part for style in _STYLE.findall(output) for part in style.split(";")}
    assert styles <= {"", "0", "1", "2", "22"}


def test_names_in_files_do_not_steer_the_terminal() -> None:
    """Escape sequences in a snapshot's file names are spelt out; lines and tabs stay."""
    assert plain("a\x1b[31m\x9b\x7f\tb\n").plain == "a\\x1b[31m\\x9b\\x7f\tb\n"


def test_installed_files_are_shown_without_their_folder() -> None:
    """Of an environment's packages only what tells them apart; other paths as they are."""
    path = Path("/env/lib/site-packages/library/models.py")
    assert shown_place(f"{path}:3 in forward") == f"{Path('library/models.py')}:3 in forward"
    assert shown_place("train.py:10 in <module>") == "train.py:10 in <module>"


@pytest.mark.parametrize("words", ["--help", "dispatch keys", "dispatch explain nope"])
def test_zero_columns_mean_an_unknown_width(words, monkeypatch):
    """Shells and editors set COLUMNS to 0 where they do not know; rich would print nothing."""
    shown = []
    for columns in ("0", "80"):
        monkeypatch.setenv("COLUMNS", columns)
        command = [sys.executable, "-m", "mindtorch_cli", *words.split()]
        done = subprocess.run(command, capture_output=True, text=True)
        shown.append((done.returncode, done.stdout, done.stderr))
    assert shown[0] == shown[1]
