"""The names of ``torch`` are one namespace: of the root, and of what stands above the operators."""

from __future__ import annotations

import ast
from pathlib import Path

import mindtorch
import pytest
from mindtorch.aten import torch as seen_from_above

from .both_frameworks import ours, same

SOURCE = Path(mindtorch.__file__).parent


def uses(path):
    """(line, name) of each attribute of the operators' namespace ``torch`` that a module asks."""
    tree = ast.parse(path.read_text("utf-8"))
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == "aten"
        for alias in node.names
        if alias.name == "torch"
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
        ):
            yield node.lineno, node.attr


def test_namespaces_ask_torch_only_for_what_needs_nothing_above_the_operators():
    """``torch.nn`` there would be an import of a higher module, in disguise."""
    offered = set(dir(mindtorch._base))
    paths = [p for p in SOURCE.rglob("*.py") if "torch_path" not in p.parts]
    higher = [
        f"{path.relative_to(SOURCE)}:{line} torch.{name}"
        for path in paths
        for line, name in uses(path)
        if name not in offered
    ]
    assert higher == []


def test_a_name_from_above_in_disguise_is_found(tmp_path):
    module = tmp_path / "module.py"
    module.write_text("from ..aten import torch\n\ntorch.zeros(1)\ntorch.nn.Linear(1, 1)\n")
    assert list(uses(module)) == [(3, "zeros"), (4, "nn")]


def test_the_namespace_from_above_is_the_root():
    assert seen_from_above is ours


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("rand", lambda t: t.distributions.Uniform(0.0, 1.0).sample((3,))),
        ("randperm", lambda t: list(t.utils.data.RandomSampler(range(3)))),
    ],
)
def test_what_a_program_sets_on_torch_is_called_by_the_namespaces(name, call, monkeypatch):
    def run(t):
        real, seen = getattr(t, name), []
        with monkeypatch.context() as patch:
            patch.setattr(t, name, lambda *args, **kwargs: seen.append(1) or real(*args, **kwargs))
            call(t)
        return len(seen)

    kind, calls = same(run)[0]
    assert kind == "value" and calls > 0
