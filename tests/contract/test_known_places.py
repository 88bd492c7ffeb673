"""Calls that depend on where a tensor lies in its storage mean the same when they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mindtorch
import pytest
import torch

from .helpers import assert_same_value, assert_torch_error, both


def places(t: Any) -> Iterator[Any]:
    """Tensors of one look: in memory of their own, further on in other, at the end of it."""
    yield t.arange(8.0).reshape(4, 2)
    for start, stop in ((0, 8), (2, 10), (3, 11), (4, 12), (8, 16)):
        yield t.arange(float(stop)).narrow(0, start, 8).reshape(4, 2)
    room = t.arange(20.0)
    yield room.narrow(0, 4, 8).reshape(4, 2)
    yield room.narrow(0, 12, 8).reshape(4, 2)
    grown = t.arange(8.0).reshape(4, 2)
    grown.untyped_storage().resize_(64)
    grown.as_strided((16,), (1,))[8:] = -1.0
    yield grown


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "as_strided": lambda t, x: x.as_strided((2, 2), (3, 1)),
    "as_strided, from a place": lambda t, x: x.as_strided((2, 2), (3, 1), 5),
    "as_strided, far": lambda t, x: x.as_strided((3,), (5,), 4),
    "as_strided_copy": lambda t, x: t.as_strided_copy(x, (2, 2), (3, 1), 5),
    "as_strided_copy, far": lambda t, x: t.as_strided_copy(x, (3,), (5,), 4),
    "as_strided_copy, out": lambda t, x: t.as_strided_copy(x, (2,), (3,), 5, out=t.zeros(2)),
    "as_strided_scatter": lambda t, x: t.as_strided_scatter(x, -t.ones(2), (2,), (1,), 5),
    "view_as_complex": lambda t, x: t.view_as_complex(x),
    "view_as_complex_copy": lambda t, x: t.view_as_complex_copy(x),
    "view, larger dtype": lambda t, x: x.view(t.float64),
    "view, smaller dtype": lambda t, x: x.view(t.int16),
    "view_copy, larger dtype": lambda t, x: t.view_copy(x, dtype=t.float64),
    "slice_inverse": lambda t, x: t.slice_inverse(x.select(1, 1), x, 1, 1, 2),
    "slice_inverse, of another": lambda t, x: t.slice_inverse(x, t.arange(30.0)[5:12], 0, 0, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_calls_at_other_places_of_memory(name: str) -> None:
    """Each place in turn after every other, until all are known; values, offsets and errors."""
    call = CALLS[name]

    def described(t: Any, x: Any) -> Any:
        made = call(t, x)
        return made, made.stride(), made.storage_offset(), x.untyped_storage().nbytes()

    ours, theirs = list(places(mindtorch)), list(places(torch))
    for turn in range(8):
        pairs = list(zip(ours, theirs, strict=True))
        for x, want in pairs if turn % 2 else pairs[::-1]:
            given = {mindtorch: x, torch: want}
            mine, torchs = both(lambda t, given=given: described(t, given[t]))
            try:
                torchs()
            except RuntimeError:
                assert_torch_error(mine, torchs)
            else:
                assert_same_value(mine, torchs)


def test_what_a_known_view_shows_is_the_memory_of_its_base() -> None:
    """Of views of another dtype and of other geometry: what is written shows in the base."""
    for _ in range(8):
        for x in places(mindtorch):
            before = x[0, 1].item()
            x.as_strided((2,), (3,)).fill_(7.0)
            x[1:].view(mindtorch.int32).fill_(0)
            assert x.tolist() == [[7.0, before], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]


LOOKS: dict[str, Callable[[Any, Any], Any]] = {
    "t_": lambda t, x: x.t_(),
    "transpose_": lambda t, x: x.transpose_(0, 1),
    "swapdims_": lambda t, x: x.swapdims_(-1, 0),
    "squeeze_": lambda t, x: x.unsqueeze_(1).squeeze_(1),
    "as_strided_": lambda t, x: x.as_strided_((2, 2), (3, 1)),
    "as_strided_, from a place": lambda t, x: x.as_strided_((2, 2), (3, 1), 5),
    "set_": lambda t, x: x.set_(),
    "set_, to a tensor": lambda t, x: x.set_(t.arange(3.0)[1:]),
    "set_, to a window of it": lambda t, x: x.set_(x[1:], 1, (3,), (1,)),
    "set_, to its storage": lambda t, x: x.set_(x.untyped_storage()),
    "set_, to a window": lambda t, x: x.set_(x.untyped_storage(), 1, (2, 3), (1, 2)),
    "resize_": lambda t, x: x.resize_(2, 2),
    "resize_as_": lambda t, x: x.resize_as_(t.ones(3)),
    "out=": lambda t, x: t.neg(t.ones(8), out=x),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKS)
def test_changes_of_how_a_tensor_looks(name: str) -> None:
    """Of tensors and views of them, of leaves, in no_grad; twice on each; with its version."""
    call = LOOKS[name]

    def described(t: Any, x: Any) -> Any:
        return x, x.stride(), x.storage_offset(), x._version, x.untyped_storage().nbytes()

    def changed(t: Any, kind: str) -> Iterator[Any]:
        for x in places(t):
            if kind == "view":
                x = x[:, :2]
            if kind == "leaf":
                x.requires_grad_()
            if kind == "recorded":
                x = x.requires_grad_() * 2
            with t.set_grad_enabled(kind != "no_grad"):
                for _ in range(2):
                    try:
                        assert call(t, x) is x
                    except RuntimeError as error:
                        yield type(error).__name__
                    yield described(t, x)
            yield x.grad_fn and x.grad_fn.name()

    for _ in range(8):
        for kind in ("plain", "view", "leaf", "recorded", "no_grad"):
            mine, torchs = both(lambda t, kind=kind: list(changed(t, kind)))
            assert_same_value(mine, torchs)
