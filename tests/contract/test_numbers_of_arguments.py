"""Calls with too few and far too many arguments: refused as the oracle refuses them.

What is written in Python has Python's own words for that, in the oracle and here, and some that is
of C++ in the oracle is of Python here; so its words may stand in place of the oracle's.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import mindtorch
import pytest
import torch

GIVEN: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "nothing": lambda t: (),
    "many numbers": lambda t: (1,) * 40,
    "many tensors": lambda t: tuple(t.ones(2) for _ in range(40)),
    "objects": lambda t: (object(),) * 3,
}
SPACES = ("", "nn.functional", "linalg", "special", "fft")
#: How Python refuses a number of arguments.
PYTHONS = re.compile(
    r"takes (from \d+ to )?\d+ positional arguments? but|missing \d+ required positional argument"
)
#: What the oracle says then, where it takes any number and asks for a flag among them.
ASKED = "Boolean value of Tensor"
#: What torch has and this does not says so first.
ABSENT = re.compile("needs hardware|a part of quantization that|needs TorchScript|is not available")
#: They read or write files, or wait for somebody.
LEFT_OUT = frozenset(("compile", "fork", "load", "save", "wait"))
#: How the names of what changes the settings of all tests begin.
SETTING = (
    *("_disable", "_enable", "_set", "autocast_", "clear_", "init_", "manual_seed", "seed"),
    *("set_", "use_"),
)
#: Calls that still differ.
OPEN = frozenset(
    """
    Tensor._dimI Tensor._dimV Tensor._indices Tensor._nnz Tensor._to_dense Tensor._values
    Tensor._nested_tensor_size Tensor._nested_tensor_storage_offsets Tensor._nested_tensor_strides
    Tensor.int_repr Tensor.q_per_channel_axis Tensor.q_per_channel_scales
    Tensor.q_per_channel_zero_points Tensor.q_scale Tensor.q_zero_point Tensor.qscheme

    Tensor.cuda Tensor.ipu Tensor.mtia Tensor.pin_memory Tensor.xpu

    Tensor._conj Tensor._to_sparse_csc Tensor._to_sparse_csr Tensor.to_sparse_csc
    Tensor.to_sparse_csr cartesian_prod meshgrid lobpcg sparse_compressed_tensor
    nn.functional.embedding nn.functional.group_norm nn.functional.max_pool3d_with_indices

    _native_batch_norm_legit quantized_gru quantized_lstm
    """.split()
)
# In order: texts that name dispatch keys; devices that are missed before arguments are counted;
# what is wrong twice, of which the other is told first; overloads that this has not.


def part_of(t: Any, space: str) -> Any:
    for name in filter(None, space.split(".")):
        t = getattr(t, name)
    return t


def methods() -> list[str]:
    """Names of methods that both have; those of operators answer with NotImplemented in torch."""
    shared = set(dir(torch.Tensor)) & set(dir(mindtorch.Tensor))
    plain = {n for n in shared if not n.startswith("__") and n != "backward"}
    return sorted(n for n in plain if callable(getattr(torch.Tensor, n)))


def functions(space: str) -> list[str]:
    here, there = part_of(torch, space), part_of(mindtorch, space)
    shared = set(dir(here)) & set(dir(there)) - LEFT_OUT
    plain = {n for n in shared if not n.startswith(("__", *SETTING))}
    kept = (type, ModuleType)
    return sorted(n for n in plain if callable(f := getattr(here, n)) and not isinstance(f, kept))


def refusal(call: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, str] | None:
    """The error of a call; None where it has a result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(*args)
        except Exception as error:
            text = str(error).replace("mindtorch", "torch")
            return type(error).__name__, re.sub(r"0x[0-9a-f]+", "0x", text)
    return None


def agree(name: str, of: Callable[[Any], Callable[..., Any]], kind: str) -> str:
    """What differs; empty where nothing does."""
    give = GIVEN[kind]
    got, want = refusal(of(mindtorch), give(mindtorch)), refusal(of(torch), give(torch))
    if got == want or name in OPEN or want is None or got and ABSENT.search(got[1]):
        return ""
    if got and got[0] == "TypeError" and PYTHONS.search(got[1]):
        if want[0] == "TypeError" or want[1].startswith(ASKED):
            return ""
    return f"{name}: {got} instead of {want}"


@pytest.mark.parametrize("kind", GIVEN)
def test_methods(kind: str) -> None:
    """As functions of the tensor: bound methods name the class in some texts of CPython's."""
    found = [
        agree(
            f"Tensor.{n}", lambda t, n=n: lambda *a, x=t.ones(2): getattr(t.Tensor, n)(x, *a), kind
        )
        for n in methods()
    ]
    assert not list(filter(None, found))


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("space", SPACES)
def test_functions(space: str, kind: str) -> None:
    found = [
        agree(f"{space}.{n}".lstrip("."), lambda t, n=n: getattr(part_of(t, space), n), kind)
        for n in functions(space)
    ]
    assert not list(filter(None, found))
