"""Indexing again by tensors of shapes that were met before: other numbers, among them bad ones."""

from __future__ import annotations

from itertools import product
from typing import Any

from .batches import every
from .helpers import assert_same_value, assert_torch_error, both

SELVES = {
    "dense": "arange(24.).reshape(2, 3, 4)",
    "transposed": "arange(24).reshape(4, 3, 2).permute(2, 1, 0)",
    "window": "arange(60, dtype=torch.int16).reshape(3, 4, 5)[:2, :3, :4]",
    "expanded": "arange(4.).expand(2, 3, 4)",
    "line": "arange(24.)",
    "half": "arange(24).reshape(2, 3, 4).to(torch.bfloat16)",
}
#: Numbers of the first, the second and the third time: all in range, some not.
NUMBERS = ((0, 1, 1), (1, -1, 0), (1, 7, 0), (-9, 1, 0), (0, 0, -1))
INDICES = {
    "one": "torch.tensor(n)",
    "one int32": "torch.tensor(n, dtype=torch.int32)",
    "matrix": "torch.tensor([n, n])",
    "middle": "(slice(None), torch.tensor(n))",
    "last": "(..., torch.tensor(n))",
    "two": "(torch.tensor(n), torch.tensor(n))",
    "two apart": "(torch.tensor(n), slice(None), torch.tensor(n))",
    "two that broadcast": "(torch.tensor(n)[:, None], torch.tensor(n))",
    "sliced": "(torch.tensor(n), slice(0, 2))",
    "mask": "torch.tensor([True, n[1] > 0])",
    "whole mask": "(t > n[1])",
    "list": "list(n)",
    "number": "n[1]",
    "numbers": "(n[0], n[1])",
    "number and slice": "(n[1], slice(0, 2))",
}


def compare(run: Any) -> None:
    """A value, its strides and the tensor after it as torch's, or an error."""
    ours, theirs = both(run)
    try:
        theirs()
    except Exception:
        assert_torch_error(ours, theirs)
    else:
        assert_same_value(ours, theirs)


@every("which", SELVES)
def test_an_index_reads_the_same_each_time(which: str) -> None:
    """Values, strides and errors."""
    for index, n in product(INDICES.values(), (*NUMBERS, NUMBERS[0])):

        def read(torch: Any, index: str = index, n: Any = n) -> Any:
            t = eval(f"torch.{SELVES[which]}", {"torch": torch})
            got = t[eval(index, {"torch": torch, "n": n, "t": t})]
            return got, got.stride()

        compare(read)


@every("which", SELVES)
def test_an_index_writes_the_same_each_time(which: str) -> None:
    """What is written where, and what is refused: a number, a row, a tensor of another dtype."""
    values = ("-0.0", "True", "torch.tensor(3.)", "torch.ones(1, 1)", "torch.tensor(3)")
    if which == "expanded":
        return
    for index, n, value in product(INDICES.values(), NUMBERS[1:4], values):

        def write(torch: Any, index: str = index, n: Any = n, value: str = value) -> Any:
            t = eval(f"torch.{SELVES[which]}", {"torch": torch})
            t[eval(index, {"torch": torch, "n": n, "t": t})] = eval(value, {"torch": torch})
            return t, t._version

        compare(write)


def test_numbers_that_are_equal_are_written_as_what_they_are() -> None:
    """0.0 and -0.0, True and 1 in float tensors, in integers and in bools."""
    numbers = (0.0, -0.0, 0, False, 1, 1.0, True, float("nan"), 1e300, -1, 300, 2.9)
    for dtype, number in product(("float32", "int8", "bool", "complex64"), numbers * 2):

        def write(torch: Any, dtype: str = dtype, number: Any = number) -> Any:
            t = torch.ones(3, dtype=getattr(torch, dtype))
            t[0] = number
            t[1:] = number
            return [(str(x), str(1 / x) if x else "") for x in t.tolist()], t

        compare(write)
