"""Small calls that are more than one ufunc: random numbers, factories, subscripts, layers.

The figures of such calls are the calls of numpy that they take, and the way to the kernel.
"""

from __future__ import annotations

from typing import Any

from .line import Line, Namespace

__all__ = ["SMALL_KERNELS"]


def tensors(torch: Any) -> Namespace:
    """Lines and matrices of eight, an index and a mask of eight, something to write to."""
    line = torch.arange(8.0) / 8 - 0.4
    index = torch.tensor([0, 3, 1, 7, 2, 5, 4, 6])
    return {
        "a": line,
        "m": torch.outer(line, line) + line,
        "i": index,
        "mask": index > 3,
        "w": line.clone(),
        "y": line[:2].clone(),
        "x16": torch.empty(16),
        "F": torch.nn.functional,
    }


def _line(name: str, statement: str, first: float, then: float, check: bool = True) -> Line:
    return Line(
        f"small: {name}", f"z = {statement}", tensors, first, then, check="z" if check else ""
    )


def _write(name: str, statement: str, first: float, then: float) -> Line:
    return Line(f"small: {name}", statement, tensors, first, then, check="w")


SMALL_KERNELS = [
    _line("empty(8)", "torch.empty(8)", 3.0, 2.0, check=False),
    _line("zeros(8)", "torch.zeros(8)", 3.0, 2.0),
    _line("arange(10)", "torch.arange(10)", 3.0, 2.0),
    _line("arange of 100 fractions", "torch.arange(0.0, 1.0, 0.01)", 10.0, 5.0),
    _line("linspace of 1000", "torch.linspace(0, 1, 1000)", 8.0, 4.0),
    _line("rand(8)", "torch.rand(8)", 5.0, 3.0, check=False),
    _line("randn(16)", "torch.randn(16)", 30.0, 12.0, check=False),
    _line("randn(1000)", "torch.randn(1000)", 15.0, 8.0, check=False),
    _line("randperm(16)", "torch.randperm(16)", 5.0, 3.0, check=False),
    _line("x.uniform_() of 16", "x16.uniform_()", 8.0, 4.0, check=False),
    _line("index by a tensor", "a[i]", 2.5, 1.5),
    _line("rows by a tensor", "m[i]", 2.5, 1.5),
    _line("index by two tensors", "m[i, i]", 4.0, 2.0),
    _line("index by a mask", "a[mask]", 2.5, 1.5),
    _line("matrix[1:3, 2:4]", "m[1:3, 2:4]", 2.5, 1.5),
    _line("gather", "m.gather(1, i[:, None])", 6.0, 3.0),
    _write("x[0] = 1", "w[0] = 1", 3.0, 2.0),
    _write("x[1:3] = y", "w[1:3] = y", 3.5, 2.0),
    _write("write by a tensor", "w[i] = a", 5.0, 3.0),
    _line("cat", "torch.cat([a, a])", 5.0, 3.0),
    _line("softmax", "m.softmax(-1)", 5.0, 3.0),
    _line("layer_norm", "F.layer_norm(m, (8,), a, a)", 8.0, 4.0),
    _line("max of a dim", "m.max(1).values", 3.5, 2.0),
    _line("var of a dim", "m.var(1)", 6.0, 4.0),
    _line("equal", "torch.tensor(torch.equal(a, w))", 3.0, 2.0, check=False),
    _line("cross_entropy", "F.cross_entropy(m, i)", 8.0, 4.0),
]
