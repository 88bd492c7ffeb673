"""Types of Python numbers where a dtype is asked for, and what is refused there."""

from __future__ import annotations

import pytest

from .both_frameworks import same

CALLS = {
    "tensor": lambda t, k: t.tensor([1], dtype=k),
    "as_tensor": lambda t, k: t.as_tensor([1.0], dtype=k),
    "as_tensor of a tensor": lambda t, k: t.as_tensor(t.ones(1), dtype=k),
    "new_tensor": lambda t, k: t.zeros(1).new_tensor([1], dtype=k),
    "promote_types": lambda t, k: str(t.promote_types(k, t.int8)),
    "promote_types 2": lambda t, k: str(t.promote_types(t.int8, k)),
    "can_cast": lambda t, k: t.can_cast(k, t.int8),
    "iinfo": lambda t, k: t.iinfo(k).max,
    "finfo": lambda t, k: t.finfo(k).eps,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [bool, int, float, complex, str, "float32", 3])
def test_types_of_numbers_stand_for_dtypes(name, kind):
    same(lambda t: CALLS[name](t, kind))
