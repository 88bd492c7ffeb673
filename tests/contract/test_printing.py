"""Tensors print as torch's, to the character."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.io import printing
from mindtorch.nn.parameter import Parameter

DTYPES = (
    "uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
    "complex128 bool"
).split()
SHAPES: tuple[tuple[int, ...], ...] = (
    (), (1,), (5,), (0,), (0, 3), (2, 3), (4, 17), (2, 2, 2), (1, 1, 1, 1), (30, 40), (1001,),
    (8, 5, 40), (1, 1200), (1200, 1),
)  # fmt: skip
OPTIONS: tuple[dict[str, Any], ...] = (
    {"precision": 2},
    {"precision": 0},
    {"sci_mode": True},
    {"sci_mode": False},
    {"linewidth": 40},
    {"linewidth": 5},
    {"threshold": 5},
    {"threshold": 10, "edgeitems": 1},
    {"threshold": 3, "edgeitems": 0},
    {"profile": "short"},
    {"profile": "full", "precision": 8},
    {"profile": "unknown"},
)


def numbers(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """*n* numbers of a magnitude that decides between the formats."""
    plain = rng.standard_normal(n)
    if kind == "plain":
        return plain
    if kind == "whole":
        return rng.integers(-50, 50, n).astype(float)
    if kind == "up to a thousand":  # the ratio of 1000 where numbers turn scientific
        return rng.integers(1, 1003, n).astype(float)
    if kind == "large":
        return plain * 1e6
    if kind == "large whole":
        return rng.integers(0, 2**40, n).astype(float)
    if kind == "small":
        return plain * 1e-6
    if kind == "all magnitudes":
        return plain * 10.0 ** rng.integers(-10, 10, n)
    if kind == "zeros":
        return np.zeros(n)
    special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], n)
    if kind == "special":
        return special
    base = rng.integers(-50000, 50000, n).astype(float) if kind == "whole and special" else plain
    return np.where(rng.random(n) < 0.4, special, base)


KINDS = (
    "plain", "whole", "up to a thousand", "large", "large whole", "small", "all magnitudes",
    "zeros", "special", "whole and special", "plain and special",
)  # fmt: skip


def cases(dtype: str, seed: int) -> Iterator[tuple[str, Any, Any]]:
    """A description, torch's tensor and ours: all kinds of numbers, shapes by chance."""
    rng = np.random.default_rng(seed)
    for kind in KINDS:
        for shape in (SHAPES[i] for i in rng.choice(len(SHAPES), 5, replace=False)):
            n = int(np.prod(shape))
            values: Any = numbers(kind, n, rng)
            if dtype.startswith("complex"):
                values = np.empty(n, complex)
                values.real, values.imag = numbers(kind, n, rng), numbers(kind, n, rng)
            elif "int" in dtype:
                values = np.clip(np.nan_to_num(values, posinf=9, neginf=-9), -1e15, 1e15)
                values = values.astype(np.int64)
            theirs = torch.from_numpy(values).reshape(shape).to(getattr(torch, dtype))
            if dtype == "bfloat16":
                bits = mindtorch.from_numpy(theirs.view(torch.int16).numpy().copy())
                ours = bits.view(mindtorch.bfloat16)
            else:
                ours = mindtorch.from_numpy(theirs.numpy().copy())
            yield f"{dtype} {shape} {kind}", ours, theirs


@pytest.fixture(autouse=True)
def usual_options() -> Iterator[None]:
    yield
    torch.set_printoptions(profile="default")
    mindtorch.set_printoptions(profile="default")


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_tensor_prints_as_torchs(dtype: str) -> None:
    """Widths, scientific notation, line breaks, summaries, facts after the numbers."""
    for what, ours, theirs in cases(dtype, seed=1):
        assert repr(ours) == repr(theirs), what


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_mean_what_they_mean_in_torch(options: dict[str, Any]) -> None:
    """Each setting on every dtype."""
    torch.set_printoptions(**options)
    mindtorch.set_printoptions(**options)
    for i, dtype in enumerate(DTYPES):
        for what, ours, theirs in list(cases(dtype, seed=i))[i % 4 :: 6]:
            assert repr(ours) == repr(theirs), what


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "complex64"])
def test_gradient_facts_follow_and_wrap(dtype: str) -> None:
    """``requires_grad`` and ``grad_fn`` move to a line of their own where they do not fit."""
    for what, ours, theirs in cases(dtype, seed=2):
        assert repr(Parameter(ours)) == repr(torch.nn.Parameter(theirs)), what
        assert str(Parameter(ours, False)) == str(torch.nn.Parameter(theirs, False)), what
        ours.requires_grad_()
        theirs.requires_grad_()
        assert repr(ours) == repr(theirs), what
        assert repr(ours.clone()) == repr(theirs.clone()), what
        assert repr(ours.view(-1)) == repr(theirs.view(-1)), what
        assert repr(ours.detach()) == repr(theirs.detach()), what


def test_meta_tensors_print_their_shape() -> None:
    """There are no numbers to print."""
    for dtype in DTYPES:
        for shape in SHAPES:
            ours = mindtorch.empty(shape, dtype=getattr(mindtorch, dtype), device="meta")
            theirs = torch.empty(shape, dtype=getattr(torch, dtype), device="meta")
            assert repr(ours) == repr(theirs)


def test_strided_tensors_print_as_they_read() -> None:
    """Transposed, stepped and expanded memory."""
    for lib, texts in ((mindtorch, []), (torch, [])):
        x = lib.arange(24.0).reshape(4, 6)
        texts += [repr(x.t()), repr(x[::2, ::3]), repr(x[:1].expand(3, 6)), repr(x[:, 1])]
        texts += [f"{x}", f"{lib.tensor(2.5):.3f}", f"{lib.tensor(3):>5}", str([x[0, 0], x[0]])]
        if lib is mindtorch:
            ours = texts
    assert ours == texts


def test_the_default_dtype_is_not_told() -> None:
    """Other floating dtypes are."""
    try:
        for name in ("float64", "float32"):
            torch.set_default_dtype(getattr(torch, name))
            mindtorch.set_default_dtype(getattr(mindtorch, name))
            for dtype in ("float32", "float64", "complex64", "complex128"):
                for what, ours, theirs in list(cases(dtype, seed=3))[::9]:
                    assert repr(ours) == repr(theirs), what
    finally:
        torch.set_default_dtype(torch.float32)
        mindtorch.set_default_dtype(mindtorch.float32)


def test_subclasses_print_their_name() -> None:
    """A subclass of Parameter says that it is one."""
    texts = []
    for lib, parameter in ((mindtorch, Parameter), (torch, torch.nn.Parameter)):
        made = type("Mine", (lib.Tensor,), {})
        own = type("Own", (parameter,), {})
        x = lib.ones(2).as_subclass(made)
        texts.append([repr(x), repr(parameter(x)), repr(own(lib.ones(2))), repr(parameter())])
    assert texts[0] == texts[1]


def test_npu_and_pending_tensors_print_their_numbers() -> None:
    """Printing waits for the device, and flushes a pipeline."""
    x = mindtorch.ones(2).to("npu")
    assert repr(x + 1) == "tensor([2., 2.], device='npu:0')"
    with mindtorch.pipeline():
        assert repr(mindtorch.ones(2) + 1) == "tensor([2., 2.])"


def test_options_can_be_set_for_a_while() -> None:
    """The context manager puts the old ones back."""
    before = printing.get_printoptions()
    with printing.printoptions(precision=1, sci_mode=True):
        assert repr(mindtorch.tensor([1.25])) == "tensor([1.2e+00])"
    assert printing.get_printoptions() == before == torch._tensor_str.get_printoptions()


@pytest.mark.parametrize(
    "program",
    ["t.ones(2)", "t.ones(2, 0)", "t.tensor([])", "t.ones(2, device='meta')", "t.tensor(1)"],
)
def test_contents_that_are_given_are_printed(program: str) -> None:
    """Whatever the tensor's own would have been."""
    mine, theirs = (
        eval(program, {"t": t}).__repr__(tensor_contents="<mine>") for t in (mindtorch, torch)
    )
    assert mine == theirs


def test_what_a_summary_shows():
    """``torch._tensor_str.get_summarized_data``: the elements at the edges of each dimension."""
    sizes = ((), (0,), (20,), (7, 0), (6, 7), (1, 20, 5, 30), (3, 2, 5))
    for edge in (3, 1, 0):
        for size in sizes:
            found = []
            for t in (mindtorch, torch):
                with t._tensor_str.printoptions(edgeitems=edge):
                    x = t.arange(math.prod(size)).reshape(size)
                    found.append(t._tensor_str.get_summarized_data(x).tolist())
            assert found[0] == found[1], (edge, size)


def test_formatters():
    """``torch._tensor_str._Formatter``: the width that the numbers of a tensor are padded to."""
    values = ([1.5, -2.25], [1e-6, 1.0], [3.0, 4.0], [math.inf, 1.0], [5, -10], [True, False], [])
    for value in values:
        found = []
        for t in (mindtorch, torch):
            x = t.tensor(value)
            made = t._tensor_str._Formatter(x)
            texts = [made.format(v) for v in (*x.tolist(), *x)]
            found.append((made.width(), made.max_width, made.int_mode, made.sci_mode, texts))
        assert found[0] == found[1], value
