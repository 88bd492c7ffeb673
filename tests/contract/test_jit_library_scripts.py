"""The functions of torch.nn.functional can be scripted, and torch computes the same with them.

Each is compiled and saved here and loaded by torch, which runs it on its own samples of the
function and on arguments that those leave out.
"""

from __future__ import annotations

import inspect
import io
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

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
#: Which PyTorch has no samples of under ``nn.functional``, or gives a number for a list, which only
#: scripts that were not saved take.
UNSAMPLED = frozenset(
    "affine_grid dropout1d fold gumbel_softmax log_softmax lp_pool1d lp_pool2d lp_pool3d "
    "sigmoid softmax tanh adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices "
    "adaptive_max_pool3d_with_indices max_pool1d_with_indices max_pool2d_with_indices "
    "max_pool3d_with_indices adaptive_avg_pool2d adaptive_avg_pool3d interpolate unfold "
    "max_unpool1d max_unpool2d max_unpool3d".split()
)
#: Which torch compiles, and we do not; and what neither does.
MISSING = frozenset(
    "fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices "
    "multi_head_attention_forward "
    "assert_int_or_pair scaled_grouped_mm scaled_mm "
    "upsample upsample_bilinear upsample_nearest".split()
)


def has_plain_arguments(function: Any) -> bool:
    """Whether *function* is written in Python, and takes what scripts take."""
    if (
        not isinstance(function, FunctionType)
        or function.__module__ != torch.nn.functional.__name__
    ):
        return False
    kinds = {each.kind for each in inspect.signature(function).parameters.values()}
    return kinds == {inspect.Parameter.POSITIONAL_OR_KEYWORD}


NAMES = [
    name
    for name, function in sorted(vars(torch.nn.functional).items())
    if not name.startswith("_") and name not in MISSING and has_plain_arguments(function)
]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The arguments of the samples of every function, by its name."""
    path: Path = tmp_path_factory.mktemp("samples") / "samples.pt"
    subprocess.run([sys.executable, "-W", "ignore", "-c", WRITE_SAMPLES, str(path)], check=True)
    return torch.load(path, weights_only=False)


@cache
def both(name: str) -> tuple[Any, Any]:
    """Our script of a function as torch loads it, and torch's; the function where it has none."""
    archive = io.BytesIO()
    mindtorch.jit.save(mindtorch.jit.script(getattr(mindtorch.nn.functional, name)), archive)
    archive.seek(0)
    ours, theirs = torch.jit.load(archive), getattr(torch.nn.functional, name)
    try:
        return ours, torch.jit.script(theirs)
    except (RuntimeError, torch.jit.frontend.FrontendError):
        return ours, theirs


def outcome(function: Any, args: Any, kwargs: Any) -> Any:
    """The arrays that a call gives, or that it is refused."""
    torch.manual_seed(0)
    try:
        result = function(*args, **kwargs)
    except (RuntimeError, ValueError, torch.jit.Error):
        return "refused"
    parts = result if isinstance(result, (tuple, list)) else [result]
    return [part.detach().numpy() for part in parts if isinstance(part, torch.Tensor)]


def compare(name: str, args: Any, kwargs: Any) -> None:
    found, wanted = (outcome(function, args, kwargs) for function in both(name))
    if isinstance(found, str) or isinstance(wanted, str):
        assert found == wanted, (name, args, kwargs)
        return
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8, err_msg=str(kwargs))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNSAMPLED])
def test_a_script_computes_what_its_function_does(name: str, samples: dict[str, list[Any]]) -> None:
    assert samples[name]
    for args, kwargs in samples[name]:
        compare(name, args, kwargs)


def test_most_functions_are_compared() -> None:
    assert len(NAMES) > 60


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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_sizes_of_unpoolings(n: int) -> None:
    pool = getattr(torch.nn.functional, f"max_pool{n}d")
    x, indices = pool(torch.randn(2, 3, *[8] * n), 2, return_indices=True)
    for output_size in (None, [8] * n, [9] * n, [2, 3, *[9] * n], [10] * n, [8] * (n + 1), [6] * n):
        arguments = (x, indices, [2] * n, [2] * n, [0] * n, output_size)
        compare(f"max_unpool{n}d", arguments, {})
