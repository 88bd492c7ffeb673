"""The package as a whole: its door, its independence, its README."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import mindtorch_autograd as package
import pytest
from mindtorch_autograd import errors
from mindtorch_autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from mindtorch_autograd.testing import FloatSpace, SpaceContract, Var

HERE = Path(__file__).parent
SOURCE = Path(package.__file__).parent


class TestFloatSpace(SpaceContract):
    """The space of floats keeps the contract."""

    space = FloatSpace()

    def value(self, number: float, requires_grad: bool = False) -> Any:
        return Var(number, requires_grad)

    def number(self, x: Any) -> float:
        return float(x.value)


def test_all_lists_every_public_name() -> None:
    """``__all__`` is sorted and complete."""
    public = {
        n
        for n, v in vars(package).items()
        # submodules that somebody imported do not count
        if not n.startswith("_") and (n in package.__all__ or not isinstance(v, ModuleType))
    }
    assert sorted(package.__all__) == package.__all__
    assert set(package.__all__) == public


def test_import_loads_nothing_but_itself_and_light_stdlib() -> None:
    """No sibling, no numpy, no heavy module at import."""
    code = (
        "import sys; before=set(sys.modules); import mindtorch_autograd;"
        "print(*sorted(set(sys.modules)-before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"numpy", "inspect", "asyncio", "traceback", "dataclasses", "torch"}
    siblings = {m for m in loaded if m.startswith("mindtorch")} - {
        m for m in loaded if m.split(".")[0] == "mindtorch_autograd"
    }
    assert siblings == set()
    assert heavy.isdisjoint(loaded)


def test_imports_of_sources_are_standard_library_or_own() -> None:
    """Also inside functions."""
    for path in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [a.name for a in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                top = name.split(".")[0]
                assert top == "mindtorch_autograd" or top in sys.stdlib_module_names, (path, name)


def test_every_error_is_used() -> None:
    """A message in errors.py that nothing here raises is for the space, and is named there."""
    text = "".join(p.read_text() for p in SOURCE.glob("*.py") if p.name != "errors.py")
    for name in errors.__all__:
        assert re.search(rf"\b{name}\b", text), name


def test_readme_example_runs_and_its_paths_exist() -> None:
    """The example of the README works as printed; the file map is true."""
    readme = HERE.parent / "README.md"
    if not readme.exists():
        pytest.skip("installed without its README")
    text = readme.read_text()
    code = re.search(r"```python\n(.*?)```", text, re.S)
    assert code is not None
    subprocess.run([sys.executable, "-c", code[1]], check=True, capture_output=True)
    named = set(re.findall(r"`(\w+\.py)`", text))
    assert named == {p.name for p in SOURCE.glob("*.py")} - {"__init__.py", "__about__.py"}


def test_gradcheck_accepts_right_and_refuses_wrong_gradients() -> None:
    """Central differences against formulas, first and second order."""
    x, y = Var(0.5, True), Var(-1.5, True)
    assert gradcheck(lambda a, b: a * b * a, (x, y))
    assert gradgradcheck(lambda a, b: a * b * a, (x, y))

    class Wrong(package.Function):
        @staticmethod
        def forward(ctx: Any, a: Var) -> Var:
            return Var(a.value * 2)

        @staticmethod
        def backward(ctx: Any, g: Var) -> Var:
            return g * 3.0

    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to inp"):
        gradcheck(Wrong.apply, (x,))
    assert not gradcheck(Wrong.apply, (x,), raise_exception=False)
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(Wrong.apply, (Var(1.0),))
