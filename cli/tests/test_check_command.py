"""``mindtorch check``: which names of torch a source uses that are missing or do nothing."""

from __future__ import annotations

import json
import textwrap
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from mindtorch_cli.check import (
    WITHOUT_EFFECT,
    _first_missing,
    _may_use,
    _method_state,
    _root_names,
    _state,
    _tensor_methods,
    _uses,
)
from mindtorch_cli.torch_names import Use, uses


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


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("torch.backends.cudnn.benchmark = True", {"torch.backends.cudnn.benchmark": "stored"}),
        ("torch.mine = 1\ntorch.mine.x", {"torch.mine": "stored", "torch.mine.x": "optional"}),
        ("setattr(torch, 'mine', 1)", {"torch.mine": "stored"}),
        ("getattr(torch.nn, 'x')", {"torch.nn": "used", "torch.nn.x": "used"}),
        ("getattr(torch.nn, 'x', None)", {"torch.nn": "used", "torch.nn.x": "optional"}),
        ("getattr(torch.nn, name)", {"torch.nn": "used"}),
        ("from importlib import import_module\nimport_module('torch.x')", {"torch.x": "used"}),
        ("with suppress(ImportError):\n    import torch.x", {"torch.x": "optional"}),
        ("def f():\n    torch = g()\n    return torch.x", {}),
        ("def f():\n    for torch in []:\n        torch.x()", {}),
        ("def f():\n    global torch\n    torch = torch.x", {"torch.x": "used"}),
        ("def f(a: torch.x) -> torch.y: ...", {"torch.x": "used", "torch.y": "used"}),
        ("from __future__ import annotations\ndef f(a: torch.x) -> torch.y: ...", {}),
    ],
)
def test_what_is_stored_named_in_texts_or_hidden(source: str, names: dict[str, str]) -> None:
    """``used``, ``optional`` or ``stored``."""
    future = "from __future__ import annotations\n"
    head = (future if source.startswith(future) else "") + "import torch\n"
    found = uses(head + source.removeprefix(future))
    assert names == {
        use.name: "stored" if use.stored else "optional" if use.optional else "used"
        for use in found
        if use.line > head.count("\n") and not use.method
    }


#: Blocks of code between others; what stands in them is missing.
BLOCKS = (
    "torch.nn.miss1()",
    "@torch.nn.miss2\n@other(\n    1,\n)\ndef f():\n    pass",
    "try:\n    import torch.miss3\nexcept ImportError:\n    pass\nelse:\n    torch.nn.miss4",
    'text = """\ntorch.nn.in_a_text\n"""',
    "if hasattr(torch.nn, 'miss5'):\n    torch.nn.miss5\nelif x:\n    y\nelse:\n    torch.nn.miss6",
    "class A(\n    B,\n):\n    def f(self, x):\n\n# torch.nn.comment\n        x.coalesce()",
    "x = [\n    1,\n]; y = torch.nn.miss7",
    "'''\ntorch.nn.in_another\n'''",
)


@pytest.mark.parametrize("shift", range(len(BLOCKS)))
def test_what_is_left_out_of_the_parse_is_not_missed(shift: int, tmp_path: Path) -> None:
    """Names and places are those of the whole file, in whatever order its blocks come."""
    blocks = [*BLOCKS[shift:], *BLOCKS[:shift]]
    source = "import torch\n" + "\n\nother = 1\n\n".join(blocks) + "\n"
    used, places = _may_use(source)
    assert {use.name for use in uses(source) if not use.method} - used == set()
    listed = [u for u in uses(source) if (_method_state if u.method else _state)(_key(u))]
    left = _uses(source, places, tmp_path)
    assert [u for u in left if (_method_state if u.method else _state)(_key(u))] == listed
    assert len({u.name for u in listed}) >= 7


def _key(use: Use) -> str:
    return use.name.rpartition(".")[2] if use.method else use.name


def test_names_that_torch_lacks_too_are_listed_for_themselves(run: Any, program: Path) -> None:
    program.write_text("import torch\ntorch.mlu.x\ntorch.ops.mine.op\ntorch.ops.aten.no_such\n")
    done = run("check", "program.py", "--json")
    data = json.loads(done.stdout)
    states = {each["name"]: each["state"] for each in data["names"]}
    assert states == {
        "torch.mlu": "not torch's",
        "torch.ops.mine.op": "not torch's",
        "torch.ops.aten.no_such": "missing",
    }
    assert (data["missing"], data["not_torchs"], done.exit_code) == (1, 2, 1)
    program.write_text("import torch\ntorch.mlu.x\n")
    done = run("check", "program.py")
    assert done.exit_code == 0 and "1 that torch lacks too" in " ".join(done.stdout.split())


def test_a_switch_that_does_nothing_is_listed_where_it_is_set(run: Any, program: Path) -> None:
    program.write_text("import torch\ntorch.backends.cudnn.benchmark = True\n")
    done = run("check", "program.py", "--json")
    (name,) = json.loads(done.stdout)["names"]
    assert (name["name"], name["state"]) == ("torch.backends.cudnn.benchmark", "no effect")


def test_methods_are_looked_up_by_name() -> None:
    methods = [u.name for u in uses("x.softmax(1).frob(2)\nlen(x)") if u.method]
    assert methods == ["torch.Tensor.frob", "torch.Tensor.softmax"]


def test_the_list_of_methods_is_torchs() -> None:
    torch = pytest.importorskip("torch")
    wrong = [name for name in _tensor_methods() if not hasattr(torch.Tensor, name)]
    assert not wrong
    assert {"softmax", "sum"} <= _tensor_methods() and "index" not in _tensor_methods()


def test_the_list_of_names_is_torchs() -> None:
    torch = pytest.importorskip("torch")
    wrong = [n for n in _root_names() if not hasattr(torch, n) and not find_spec(f"torch.{n}")]
    assert not wrong
    assert {"nn", "add", "_C", "sparse_coo_tensor"} <= _root_names()


def test_names_without_effect_are_there() -> None:
    assert [name for name in WITHOUT_EFFECT if _first_missing(name)] == []


PROGRAM = """
import torch
from torch import nn

model = torch.compile(nn.Linear(2, 3))
torch.nn.frobnicate(model)
try:
    torch.nn.maybe
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
    assert "torch.nn.frobnicate" in done.stdout and "program.py:6" in done.stdout
    assert "torch.nn.maybe" not in done.stdout
    assert "torch.compile" in done.stdout and "runs eagerly" in done.stdout
    assert "1 file uses 6 names of torch; 1 missing, 1 more" in done.stdout


def test_a_report_says_what_refuses_when_it_is_called(run: Any, program: Path) -> None:
    """With the reason; the program may never come there, so the exit code is 0."""
    program.write_text("import torch\ntorch.export.draft_export\ntorch._dynamo.export\n")
    done = run("check", "program.py", "--json")
    data = json.loads(done.stdout)
    assert done.exit_code == 0 and (data["missing"], data["refused"]) == (0, 2)
    whys = {each["name"]: each["why"] for each in data["names"]}
    assert set(whys) == {"torch.export.draft_export", "torch._dynamo.export"}
    assert "needs a compiler" in whys["torch.export.draft_export"]
    assert "Refused when called" in run("check", "program.py").stdout


def test_json_has_every_place(run: Any, program: Path) -> None:
    done = run("check", "program.py", "--all", "--json")
    data = json.loads(done.stdout)
    states = {each["name"]: (each["state"], each["optional"]) for each in data["names"]}
    assert states == {
        "torch.nn.frobnicate": ("missing", False),
        "torch.nn.maybe": ("missing", True),
        "torch.compile": ("no effect", False),
    }
    assert (data["files"], data["missing"], data["optional"], data["no_effect"]) == (1, 1, 1, 1)
    places = {each["name"]: each["places"] for each in data["names"]}
    assert places["torch.nn.frobnicate"] == [{"file": "program.py", "line": 6, "optional": False}]


def test_nothing_is_run(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import torch\nraise SystemExit(3)\ntorch.ones(2)\n")
    done = run("check", str(path))
    assert done.exit_code == 0
    assert "none missing" in done.stdout


def test_what_cannot_be_read_is_said(run: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import torch\ntorch.nn.frob(\n")
    done = run("check", str(tmp_path))
    assert "bad.py could not be read: SyntaxError" in " ".join(done.stdout.split())


def test_a_notebook_is_read_by_its_cells(run: Any, tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["torch.prose"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import torch\n"]},
        {"cell_type": "code", "source": ["torch.nn.frobnicate()"]},
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    done = run("check", str(path), "--json")
    assert [each["name"] for each in json.loads(done.stdout)["names"]] == ["torch.nn.frobnicate"]


def test_an_installed_package_is_found_by_name(run: Any) -> None:
    pytest.importorskip("safetensors")
    done = run("check", "-m", "safetensors.torch", "--json")
    assert json.loads(done.stdout)["files"] == 1
    refused = run("check", "-m", "no_such_package_here")
    assert refused.exit_code == 2 and "there is no package" in refused.output
    refused = run("check", "no_such_file.py")
    assert refused.exit_code == 2 and "does not exist" in refused.output
