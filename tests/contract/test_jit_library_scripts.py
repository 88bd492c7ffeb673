"""The functions of torch.nn.functional that are written as scripts compute what torch's do.

A script is a Python function, too: it is called here as one, on torch's own samples of its
function and on arguments that those leave out.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.jit._script_library import script_of
from torch.utils import _pytree as pytree

#: Writes ten samples, and ten that are refused, of every function to the file that it is given. A
#: process of its own: PyTorch's helpers freeze the switches of ``torch.backends`` at their import.
WRITE_SAMPLES = """
import sys
from itertools import islice
import torch
from torch.testing._internal.common_methods_invocations import op_db

found = {}
for op in op_db:
    if not op.name.startswith("nn.functional."):
        continue
    samples = list(islice(op.sample_inputs("cpu", torch.float64), 10))
    if op.error_inputs_func is not None:
        samples += [error.sample_input for error in islice(op.error_inputs("cpu"), 10)]
    arguments = [((sample.input, *sample.args), sample.kwargs) for sample in samples]
    found[op.name.rpartition(".")[2]] = arguments
torch.save(found, sys.argv[1])
"""
#: Whose first script chooses between two by a flag, which only the compiler does, or takes a number
#: for a list of them, which only its conversions do.
COMPILED = frozenset(
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
    "adaptive_max_pool3d embedding_bag interpolate max_pool1d max_pool2d max_pool3d upsample "
    "upsample_bilinear upsample_nearest fractional_max_pool2d fractional_max_pool3d".split()
)
#: Which PyTorch has no samples of under ``nn.functional``.
UNSAMPLED = frozenset(
    "affine_grid dropout1d fold gumbel_softmax log_softmax lp_pool1d lp_pool2d lp_pool3d "
    "sigmoid softmax tanh".split()
)


def script(name: str) -> Any:
    return script_of(f"__torch__.torch.nn.functional.{name}")


NAMES = [
    name
    for name in sorted(vars(torch.nn.functional))
    if not (name.startswith("_") or name.endswith("_with_indices"))
    and script(name) is not None
    and name not in COMPILED | UNSAMPLED
]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The arguments of the samples of every function, by its name."""
    path: Path = tmp_path_factory.mktemp("samples") / "samples.pt"
    subprocess.run([sys.executable, "-W", "ignore", "-c", WRITE_SAMPLES, str(path)], check=True)
    return torch.load(path, weights_only=False)


def mine(value: Any) -> Any:
    """*value* with our tensors in the place of the oracle's."""

    def one(x: Any) -> Any:
        if isinstance(x, torch.Tensor):
            made = mindtorch.tensor(x.tolist(), dtype=mine(x.dtype)).reshape(tuple(x.shape))
            return made
        if isinstance(x, torch.dtype):
            return getattr(mindtorch, str(x).removeprefix("torch."))
        return x

    return pytree.tree_map(one, value)


def outcome(home: Any, function: Any, args: Any, kwargs: Any) -> Any:
    """The arrays that a call gives, or the name of its error."""
    home.manual_seed(0)
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return "refused" if isinstance(error, (RuntimeError, ValueError)) else repr(error)
    parts = result if isinstance(result, (tuple, list)) else [result]
    return [part.detach().numpy() for part in parts if isinstance(part, home.Tensor)]


def compare(name: str, args: Any, kwargs: Any) -> None:
    found = outcome(mindtorch, script(name), mine(args), mine(kwargs))
    function = getattr(torch.nn.functional, name)
    wanted = outcome(torch, function, args, kwargs)
    if isinstance(found, str) or isinstance(wanted, str):
        assert found == wanted, (name, args, kwargs)
        return
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8, err_msg=str(kwargs))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_script_computes_what_its_function_does(name: str, samples: dict[str, list[Any]]) -> None:
    assert samples[name]
    for args, kwargs in samples[name]:
        compare(name, args, kwargs)


def test_all_functions_with_samples_are_compared() -> None:
    assert len(NAMES) > 50


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "huber_loss"])
def test_losses_are_weighed(name: str, reduction: str) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    for weight in (torch.arange(6.0).reshape(2, 3) + 1, torch.ones(3), torch.ones(2, 1)):
        compare(name, (x, x.flip(0)), {"weight": weight, "reduction": reduction})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["dropout1d", "dropout2d", "dropout3d"])
def test_channels_are_dropped_in_single_images_and_in_batches(name: str) -> None:
    for dims in range(2, 6):
        compare(name, (torch.ones(2, *[3] * (dims - 1)), 0.5, True), {})


@pytest.mark.filterwarnings("ignore")
def test_variances_of_gaussians_are_checked() -> None:
    x = torch.ones(2, 3, 4)
    for shape in [(2, 3, 4), (2, 3), (2, 3, 1), (2, 1, 4), (1, 3, 4), (2, 1, 1), (3, 4), (2, 2, 4)]:
        for number in (0.5, -1.0):
            compare("gaussian_nll_loss", (x, 2 * x, torch.full(shape, number)), {})
    compare("gaussian_nll_loss", (x, x, x), {"reduction": "all"})
