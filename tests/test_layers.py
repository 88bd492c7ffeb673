"""The structure of the packages: no circle of imports, no import of a higher layer."""

import runpy
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_LAYERS = runpy.run_path(str(_ROOT / ".ci" / "layers.py"))


def _checkout(folder, **modules):
    source = folder / "packages" / "mindtorch" / "src" / "mindtorch"
    for name, text in {"__init__": "", **modules}.items():
        path = source / f"{name.replace('__', '/') if name != '__init__' else name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_no_module_imports_a_higher_one_and_no_imports_go_in_a_circle():
    assert _LAYERS["faults"](_ROOT) == []


@pytest.mark.parametrize(
    ("modules", "wrong"),
    [
        ({"core__a": "from ..tensor import b", "tensor__b": ""}, "mindtorch.tensor.b stands above"),
        ({"nn__a": "def f():\n    import mindtorch"}, "mindtorch stands above mindtorch.nn.a"),
        (
            {"nn__a": "from . import b", "nn__b": "if TYPE_CHECKING:\n    from .a import x"},
            "a circle of imports",
        ),
    ],
)
def test_what_is_wrong_is_told(tmp_path, modules, wrong):
    (found,) = _LAYERS["faults"](_checkout(tmp_path, **modules))
    assert wrong in found


def test_imports_downward_are_right(tmp_path):
    modules = {"aten__a": "from ..core.b import c", "core__b": "c = 1"}
    assert _LAYERS["faults"](_checkout(tmp_path, **modules)) == []
