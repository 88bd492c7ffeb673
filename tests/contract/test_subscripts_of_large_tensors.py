"""Views of large tensors are known calls, as those of small ones are; copies are not noted."""

from __future__ import annotations

from typing import Any

import mindtorch
import pytest
import torch
from mindtorch.aten.subscript import READING
from mindtorch.aten.subscript_plans import key_of
from mindtorch.core.key_sets import grad_state
from mindtorch.functionality.composite_plans import noted

INDICES = {
    "a column": (slice(None), 5),
    "columns": (slice(None), slice(1, 3)),
    "one element": (1, 2),
    "the last": (..., -1),
    "a new dimension": (slice(None), None),
}


@pytest.mark.oracle
@pytest.mark.parametrize("name", INDICES)
def test_a_view_by_a_subscript_is_known(name: str) -> None:
    index = INDICES[name]
    x, like = mindtorch.arange(400_000.0).view(4, -1), torch.arange(400_000.0).view(4, -1)
    for _ in range(100):
        view = x[index]
    assert READING.table[key_of(x, index)] is not READING._code
    wanted = like[index]
    assert view.tolist() == wanted.tolist()
    assert (view.stride(), view.storage_offset()) == (wanted.stride(), wanted.storage_offset())
    view.zero_()
    wanted.zero_()
    assert x.tolist() == like.tolist()


def test_what_copies_many_elements_is_not_done_twice_to_be_noted() -> None:
    def both(x: Any) -> Any:
        return x[:, 1:].add(1)

    for columns, known in ((10, True), (100_000, False)):
        found = noted(both, grad_state(), (mindtorch.zeros(4, columns),), ("x",))
        assert (found is not None) is known
