"""What a row says of one element is what its kernel computes of it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mindtorch
import numpy as np
import pytest
from mindtorch.call.dispatch_entry import OVERLOADS, run
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS, Row
from mindtorch.call.scalar_text import SPECIAL, expression
from scipy import special

load_all()
ELEMENTWISE = sorted(name for name, row in ROWS.items() if row.loop == "elementwise")
REDUCTIONS = sorted(name for name, row in ROWS.items() if row.loop == "reduction")

NUMBERS = (-3.5, -2.0, -1.0, -0.75, -0.0, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 7.25, math.inf, -math.inf)
NUMBERS += (math.nan,)
WHOLE = (-7, -3, -1, 0, 1, 2, 5, 12)
#: Of arguments that are no tensors and have no default: what a call gives.
GIVEN: dict[str, Any] = {
    "number": 1.5,
    "float": 0.5,
    "int": 2,
    "bool": False,
    "str": "none",
}
#: Rows over integers alone.
INTEGRAL = ("bitwise_", "gcd", "__lshift__", "__rshift__")
_NAMESPACE: dict[str, Any] = {
    **{name: f for name, f in vars(np).items() if isinstance(f, np.ufunc)},
    **{name: getattr(special, name) for name in SPECIAL},
    **{"inf": math.inf, "nan": math.nan, "pi": math.pi},
}


def calls(row: Row) -> list[tuple[Any, ...]]:
    """Arguments of the row with every number in each tensor's place, or pairs of them."""
    overload = OVERLOADS["aten::" + row.name]
    arguments = overload.schema.arguments
    whole = row.base.startswith(INTEGRAL)
    choices: list[list[Any]] = []
    for i, argument in enumerate(arguments):
        kind = str(argument.type)
        if i in overload.tensor_positions and not kind.startswith("Optional"):
            truth = argument.name == "condition"
            values = (True, False) if truth else WHOLE if whole else NUMBERS
            choices.append([mindtorch.tensor([v]) if truth else _tensor(v) for v in values])
        elif argument.has_default_value():
            choices.append([argument.default_value])
        else:
            choices.append([3 if whole else GIVEN[kind]])
    return list(itertools.product(*choices))


def _tensor(value: Any) -> mindtorch.Tensor:
    kind = mindtorch.float64 if isinstance(value, float) else mindtorch.int64
    return mindtorch.tensor([value], dtype=kind)


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two numbers are equal but for the last places."""
    ours, theirs = np.float64(ours), np.float64(theirs)
    if np.isnan(ours) or np.isnan(theirs):
        return bool(np.isnan(ours) and np.isnan(theirs))
    return bool(np.isclose(ours, theirs, rtol=1e-12, atol=1e-14))


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_expression_is_what_the_kernel_computes(name: str) -> None:
    """At ordinary numbers, at zeros, infinities and NaN."""
    row, overload, lines = ROWS[name], OVERLOADS["aten::" + name], []
    code = compile(expression(row), name, "eval")
    for args in calls(row):
        values = [a.numpy()[0] if isinstance(a, mindtorch.Tensor) else a for a in args]
        scope = dict(zip(overload.names, values, strict=True))
        with np.errstate(all="ignore"):
            said = eval(code, dict(_NAMESPACE), scope)
        computed = run(overload, args).item()
        if not agree(computed, said):
            lines.append(f"{scope}: {row.scalar} gives {said}, the kernel {computed}")
    assert not lines, "\n".join(lines[:5])


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction_joins_elements_with_its_ufunc(name: str) -> None:
    """Of the whole tensor, one element after the other."""
    row = ROWS[name]
    x = mindtorch.tensor([[0.5, -2.0, 3.0], [1.0, 0.25, -1.5]], dtype=mindtorch.float64)
    found = getattr(mindtorch, row.base)(x)
    expected = row.reduces.reduce(x.numpy(), axis=None)
    assert agree(found.item(), expected)


def test_expressions_are_checked() -> None:
    """A name that is neither an argument nor a function of numpy's is refused."""
    row = ROWS["add.Tensor"]
    before = row.scalar_text
    for text in ("self + othr", "foo(self)", "self.x", "[self]"):
        try:
            row.scalar_text = text
            with pytest.raises(ValueError, match=r"add\.Tensor"):
                expression(row)
        finally:
            row.scalar_text = before
