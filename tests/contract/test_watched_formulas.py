"""Formulas of gradients of which one argument alone is of a class that sees operators.

They read no numbers, and change no plain tensor by one of the class: the class sees the oracle's
operators, on the oracle's arguments.
"""

from __future__ import annotations

import importlib

import pytest

from .programs import submodule
from .test_views_by_handlers import wrapper

FACTORS = [[0.5, 2.0, 1.5], [3.0, 0.0, 0.25]]
#: Functions of named tensors, of which each is of the class once.
CALLS = {
    "max": "x.max()",
    "min": "x.min()",
    "median": "x.median()",
    "nanmedian": "x.nanmedian()",
    "prod": "x.prod()",
    "prod of a dim": "x.prod(0)",
    "cumprod": "x.cumprod(0)",
    "clamp": "x.clamp(y, z)",
    "clamp from below": "x.clamp(y)",
    "clamp from above": "x.clamp(max=z)",
    "masked_select": "x.masked_select(m)",
    "scatter_reduce": "x.scatter_reduce(0, i, y, 'prod')",
    "index_reduce": "x.index_reduce(0, i[:, 0], y, 'prod')",
    "quantile": "t.quantile(x, z[0])",
    "nanquantile": "t.nanquantile(x, z[0])",
    "logits": "t.nn.functional.binary_cross_entropy_with_logits(x, z)",
}
NAMES = "xyzmig"


def seen(name, text, which):
    """What the class is asked in forward and backward where it is that of the *which* tensor."""
    t = importlib.import_module(name)
    cls, asked = wrapper(t)
    x = t.tensor(FACTORS)
    values = {
        "x": x.requires_grad_(),
        "y": (t.tensor(FACTORS) - 0.5).requires_grad_(),
        "z": (t.tensor(FACTORS) + 0.5).clamp(max=1).requires_grad_(),
        "m": t.tensor(FACTORS) > 1,
        "i": t.zeros(2, 3, dtype=t.int64),
    }
    if which in values:
        plain = values[which]
        values[which] = cls(plain.detach().requires_grad_(plain.requires_grad))
    result = eval(text, {"t": t, **values})
    grad = t.ones(result.shape)
    leaves = [v for v in values.values() if v.requires_grad]
    t.autograd.grad(result, leaves, cls(grad) if which == "g" else grad, allow_unused=True)
    return asked


@pytest.mark.filterwarnings("ignore:index_reduce")
@pytest.mark.parametrize("name", CALLS)
def test_one_argument_of_a_class_sees_the_oracles_operators(name):
    """The operators in their order, for each argument and for the gradient."""
    text = CALLS[name]
    submodule(importlib.import_module("torch"), "utils._pytree")
    for which in NAMES:
        if which == "g" or f"{which}." in text or which in text.partition("(")[2]:
            assert seen("mindtorch", text, which) == seen("torch", text, which), which


@pytest.mark.parametrize("win_length", [4, 6])
def test_windows_of_a_class_go_through_istft(win_length):
    """They are padded, not written into a plain tensor, and no number of theirs is read."""

    def found(name):
        t = importlib.import_module(name)
        cls, asked = wrapper(t)
        spectrum = t.ones(4, 5, dtype=t.complex64)
        window = cls(t.ones(win_length))
        made = t.istft(spectrum, 6, hop_length=2, win_length=win_length, window=window)
        read = [a for a in asked if a.startswith(("aten.copy_", "aten._local_scalar_dense"))]
        return type(made).__name__, [round(n, 4) for n in made.inner.tolist()], read

    assert found("mindtorch") == found("torch")
