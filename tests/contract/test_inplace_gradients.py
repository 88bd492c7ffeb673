"""What records an op in place: the node, and what it gives or refuses, as torch's.

Of some ops torch has another formula for the in-place form: of the result, or none.
"""

from __future__ import annotations

import warnings
from typing import Any

import mindtorch
import pytest
import torch

from tests.contract.batches import every

#: Arguments besides the tensor; what a letter stands for says :func:`made`.
ARGUMENTS: list[tuple[Any, ...]] = [
    (), (0.5,), (1,), (-0.2,), (0, 1), (0.1, 0.9), (0,), "T", "TT", ("M", 0.5), "MT",
    (0, "I", "T"), (0, "I", 0.5), (-0.3, -0.1, False), (1, -1, 1), (1, 1, -1),
]  # fmt: skip

#: Random, or without a kernel here.
LEFT_OUT = {
    "bernoulli_", "cauchy_", "dropout_", "alpha_dropout_", "exponential_", "feature_dropout_",
    "feature_alpha_dropout_", "geometric_", "log_normal_", "normal_", "random_", "uniform_",
    "mvlgamma_",
    "sgn_",  # torch's zero without memory, which cannot be read
}  # fmt: skip

NAMES = sorted(
    (home, name)
    for home, names in (
        ("Tensor", dir(torch.Tensor)),
        ("nn.functional", dir(torch.nn.functional)),
        ("", ["celu_", "detach_"]),
        ("ops.aten", ["detach_", "elu_", "rrelu_with_noise_"]),
    )
    for name in names
    if name.endswith("_") and not name.startswith("_") and name not in LEFT_OUT
)


def made(ns: Any, argument: Any) -> Any:
    """A letter as the tensor it stands for."""
    if argument == "T":
        return ns.full((2, 2), 0.5)
    if argument == "M":
        return ns.eye(2).bool()
    return ns.tensor([[0, 1]] * 2) if argument == "I" else argument


def told(ns: Any, home: str, name: str, args: Any) -> Any:
    """Elements, name of the node, gradient or its error; None if the call is refused."""
    function: Any = ns
    for part in (*home.split("."), name) if home else (name,):
        function = getattr(function, part)
    leaf = ns.tensor([[0.3, -0.4], [0.6, 0.2]], requires_grad=True)
    x = leaf * 1
    try:
        function(x, *[made(ns, a) for a in args])
    except (TypeError, RuntimeError, NotImplementedError, IndexError, ValueError):
        return None
    node = x.grad_fn and x.grad_fn.name()
    elements = x.detach().flatten().tolist()
    try:
        x.sum().backward()
    except Exception as error:
        return elements, node, type(error).__name__, str(error)
    return elements, node, [] if leaf.grad is None else leaf.grad.flatten().tolist()


@every("call", NAMES)
def test_an_op_in_place_and_its_gradient(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for args in ARGUMENTS:
            want = told(torch, *call, args)
            if want is None:
                continue
            got = told(mindtorch, *call, args)
            assert got is not None, args
            for ours, theirs in zip(got, want, strict=True):
                if isinstance(theirs, list):
                    theirs = pytest.approx(theirs, nan_ok=True, rel=1e-5, abs=1e-6)
                assert ours == theirs, args
