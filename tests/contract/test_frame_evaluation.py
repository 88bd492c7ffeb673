"""Who evaluates Python's frames changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindtorch
import pytest
from mindtorch.tensor import storage_referrers

from . import frame_evaluation

pytestmark = pytest.mark.oracle


@pytest.fixture(autouse=True)
def frames() -> Iterator[None]:
    """They are Python's own afterwards."""
    yield
    frame_evaluation.give_back()


@pytest.mark.parametrize("first", [False, True])
def test_a_tensor_that_is_alone_is_known_to_be(
    monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    """A storage that moves is referred to by the calls on the way, however they keep it."""
    searches, search = [], storage_referrers.tensors_over
    monkeypatch.setattr(storage_referrers, "_least", {})
    monkeypatch.setattr(
        storage_referrers, "tensors_over", lambda s: searches.append(len(s)) or search(s)
    )

    def cycle(x: Any, nbytes: int) -> None:
        x.untyped_storage().resize_(0)
        x.untyped_storage().resize_(nbytes)

    x = mindtorch.ones(4)
    for dynamo in (first, not first, first):
        (frame_evaluation.take_over if dynamo else frame_evaluation.give_back)()
        cycle(x, 16)
    assert searches == []
    frame_evaluation.give_back()
    kept = [x.untyped_storage()] * 5  # as many as the calls on the way keep then
    other = mindtorch.empty(0).set_(kept[0])
    cycle(x, 32)
    assert searches and other.data_ptr() == x.data_ptr()
