"""The structure of the packages: no circle of imports, no import of a higher layer."""

import ast
import re
import runpy
import sys
from pathlib import Path

import mindtorch
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


#: Where the NPU is named: its bit, the key it belongs to, and the question ``x.is_npu``.
_NAMED = ("core/signature.py", "core/backend_registry.py", "tensor/layout.py")


def test_only_backends_know_the_npu():
    """Who needs to know something of a device asks its backend, or a mask of signatures."""
    source = _ROOT / "packages" / "mindtorch" / "src" / "mindtorch"
    named = re.compile(r"""\bS\.NPU\b|signature import .*\bNPU\b|["']npu["']""")
    found = [
        path.relative_to(source).as_posix()
        for path in sorted(source.rglob("*.py"))
        if path.relative_to(source).parts[0] not in ("backends", "compat", "cuda", "npu")
        and named.search(path.read_text("utf-8"))
    ]
    assert [name for name in found if name not in _NAMED] == []
    assert "tensor/layout.py" in found


def _takes_the_base(tree):
    """Whether a module says ``from ..aten import torch``."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.level
        and (node.module or "").endswith("aten")
        and any(alias.name == "torch" for alias in node.names)
        for node in ast.walk(tree)
    )


def test_namespaces_use_of_torch_what_stands_below_them():
    """See Note [One namespace] in aten/torch.py: at run time the root stands in its place."""
    base, wrong = sys.modules["mindtorch.aten.torch"], []
    root = Path(mindtorch.__file__).parent
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree) if _takes_the_base(tree) else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id == "torch" and not hasattr(base, node.attr):
                    wrong.append(f"{path.relative_to(root)}:{node.lineno} torch.{node.attr}")
    assert not wrong, "\n".join(wrong)
