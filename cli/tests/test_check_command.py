"""``mindtorch check``: which names of torch a source uses that are missing or do nothing."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from mindtorch_cli.check import WITHOUT_EFFECT, _first_missing, _tensor_methods
from mindtorch_cli.torch_names import uses


def found(source: str) -> list[tuple[str, int, bool]]:
    """Name, line and whether it is optional, of each use that is no method."""
    return [(u.name, u.line, u.optional) for u in uses(textwrap.dedent(source)) if not u.method]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import torch\ntorch.nn.Linear(2, 3)", ["torch", "torch.nn.Linear"]),
        ("import torch.nn as nn\nnn.Linear", ["torch.nn", "torch.nn.Linear"]),
        ("import torch.nn\ntorch.nn.Linear", ["torch.nn", "torch.nn.Linear"]),
        (
            "from torch import nn as n, optim\nn.init.zeros_\noptim.SGD",
            ["torch", "torch.nn", "torch.optim", "torch.nn.init.zeros_", "torch.optim.SGD"],
        ),
        ("from .torch import x\nimport numpy\nnumpy.add", []),
        ("def f(torch):\n    return torch.x\n", []),
        ("import torch\ndef f(torch):\n    return torch.x\ntorch.y", ["torch", "torch.y"]),
        ("import torch\ntorch.ones(2).foo.bar", ["torch", "torch.ones"]),
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from torch.x import Y\n",
            [],
        ),
    ],
)
def test_names_are_followed_from_their_imports(source: str, names: list[str]) -> None:
    assert [name for name, _, _ in found(source)] == names


def test_a_name_is_optional_where_its_absence_is_provided_for() -> None:
    source = """
        import torch
        try:
            from torch.x import y
        except ImportError:
            y = None
        if hasattr(torch, "z"):
            torch.z()
        try:
            torch.a
        except ValueError:
            torch.b
    """
    optional = {name: flag for name, _, flag in found(source)}
    assert optional["torch.x.y"] and optional["torch.z"]
    assert not (optional["torch.a"] or optional["torch.b"])


def test_methods_are_looked_up_by_name() -> None:
    methods = [u.name for u in uses("x.softmax(1).frob(2)\nlen(x)") if u.method]
    assert methods == ["torch.Tensor.frob", "torch.Tensor.softmax"]


def test_the_list_of_methods_is_torchs() -> None:
    torch = pytest.importorskip("torch")
    wrong = [name for name in _tensor_methods() if not hasattr(torch.Tensor, name)]
    assert not wrong
    assert {"softmax", "sum"} <= _tensor_methods() and "index" not in _tensor_methods()


def test_names_without_effect_are_there() -> None:
    assert [name for name in WITHOUT_EFFECT if _first_missing(name)] == []


PROGRAM = """
import torch
from torch import nn

model = torch.compile(nn.Linear(2, 3))
torch.frobnicate(model)
try:
    torch.maybe
except AttributeError:
    pass
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def test_a_report_names_what_is_missing_and_where(run: Any, program: Path) -> None:
    done = run("check", "program.py")
    assert done.exit_code == 1
    assert "torch.frobnicate" in done.stdout and "program.py:6" in done.stdout
    assert "torch.maybe" not in done.stdout
    assert "torch.compile" in done.stdout and "runs eagerly" in done.stdout
    assert "1 file uses 6 names of torch; 1 missing, 1 more" in done.stdout


def test_a_report_says_what_refuses_when_it_is_called(run: Any, program: Path) -> None:
    """With the reason; the program may never come there, so the exit code is 0."""
    program.write_text("import torch\ntorch.export.export\ntorch.package.PackageExporter('x')\n")
    done = run("check", "program.py", "--json")
    data = json.loads(done.stdout)
    assert done.exit_code == 0 and (data["missing"], data["refused"]) == (0, 2)
    whys = {each["name"]: each["why"] for each in data["names"]}
    assert set(whys) == {"torch.export.export", "torch.package.PackageExporter"}
    assert "needs a compiler" in whys["torch.export.export"]
    assert "Refused when called" in run("check", "program.py").stdout


def test_json_has_every_place(run: Any, program: Path) -> None:
    done = run("check", "program.py", "--all", "--json")
    data = json.loads(done.stdout)
    states = {each["name"]: (each["state"], each["optional"]) for each in data["names"]}
    assert states == {
        "torch.frobnicate": ("missing", False),
        "torch.maybe": ("missing", True),
        "torch.compile": ("no effect", False),
    }
    assert (data["files"], data["missing"], data["optional"], data["no_effect"]) == (1, 1, 1, 1)
    places = {each["name"]: each["places"] for each in data["names"]}
    assert places["torch.frobnicate"] == [{"file": "program.py", "line": 6, "optional": False}]


def test_nothing_is_run(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import torch\nraise SystemExit(3)\ntorch.ones(2)\n")
    done = run("check", str(path))
    assert done.exit_code == 0
    assert "none missing" in done.stdout


def test_what_cannot_be_read_is_said(run: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import torch\ntorch.frob(\n")
    done = run("check", str(tmp_path))
    assert "bad.py could not be read: SyntaxError" in " ".join(done.stdout.split())


def test_a_notebook_is_read_by_its_cells(run: Any, tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["torch.prose"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import torch\n"]},
        {"cell_type": "code", "source": ["torch.frobnicate()"]},
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    done = run("check", str(path), "--json")
    assert [each["name"] for each in json.loads(done.stdout)["names"]] == ["torch.frobnicate"]


def test_an_installed_package_is_found_by_name(run: Any) -> None:
    done = run("check", "-m", "safetensors.torch", "--json")
    assert json.loads(done.stdout)["files"] == 1
    refused = run("check", "-m", "no_such_package_here")
    assert refused.exit_code == 2 and "there is no package" in refused.output
    refused = run("check", "no_such_file.py")
    assert refused.exit_code == 2 and "does not exist" in refused.output
