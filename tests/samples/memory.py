"""Samples of ``resize_``, ``set_`` and their like; what memory grows by is not looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

__all__: list[str] = []


def _own(make: Maker, *shape: int, **options: Any) -> Any:
    return make(*shape, grad=False, **options)


def resize_(make: Maker) -> Iterator[Call]:
    formats = make.torch
    yield call(_own(make, 3, 4), (2, 3))
    yield call(_own(make, 3, 4), (12,))
    yield call(_own(make, 3, 4), ())
    yield call(_own(make, 4, 3), (0, 2))
    yield call(_own(make, 4, 6)[:, :2], (2, 3))
    yield call(_own(make, 24)[1:5], (2, 1))
    yield call(_own(make, 1, 2, 2, 2), (1, 2, 2, 2), memory_format=formats.channels_last)
    yield call(_own(make, 16), (1, 2, 1, 2, 2), memory_format=formats.channels_last_3d)
    yield call(_own(make, 2, 3), (3, 2), memory_format=formats.contiguous_format)


def bad_resize_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), (-1,))
    yield call(_own(make, 3), (2**62, 4))
    yield call(_own(make, 3), (2**61, 4))
    yield call(_own(make, 3), 2.5)
    yield call(_own(make, 3), "a")
    yield call(_own(make, 3))
    yield call(_own(make, 3), (1, 2), memory_format=make.torch.channels_last)
    yield call(_own(make, 3), (1, 2), memory_format=make.torch.channels_last_3d)
    yield call(_own(make, 3), (3,), memory_format=make.torch.preserve_format)
    yield call(make.torch.ones(3, requires_grad=True), (2,))
    yield call(make.torch.ones(3, requires_grad=True) * 2, (3,))


def resize_as_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(2, 3))
    yield call(_own(make, 3, 4), make(12, dtype="int64"))
    yield call(_own(make, 3, 4), make())
    like = make(1, 2, 2, 2).to(memory_format=make.torch.channels_last)
    yield call(_own(make, 8), like)
    yield call(_own(make, 8), like, memory_format=make.torch.preserve_format)
    yield call(_own(make, 8), make(2, 2), memory_format=make.torch.preserve_format)


def bad_resize_as_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), 3)
    yield call(_own(make, 3), make(3), memory_format=make.torch.channels_last)
    yield call(make.torch.ones(3, requires_grad=True), make(2))


def set_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4))
    yield call(_own(make))


def bad_set_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), None)
    yield call(_own(make, 3), 1)
    yield call(make.torch.ones(3, requires_grad=True))


def set_storage(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(5).untyped_storage())
    yield call(_own(make), make(5, grad=False)[2:].untyped_storage())
    yield call(_own(make, 2), source=make(2).untyped_storage())
    yield call(_own(make, 2), make.torch.UntypedStorage(0))


def bad_set_storage(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), make.torch.UntypedStorage(16, device="meta"))
    yield call(_own(make, 3, dtype="float64"), make(3, dtype="int32")._typed_storage())
    yield call(_own(make, 3), make(3).untyped_storage(), 1)


def set_storage_window(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(5).untyped_storage(), 1, (2, 2))
    yield call(_own(make, 3, 4), make(6).untyped_storage(), 1, (2, 2), (3, 1))
    yield call(_own(make, 3, 4), make(6).untyped_storage(), 5, ())
    yield call(_own(make), make(6).untyped_storage(), 9, (0, 2), (1, 1))
    yield call(_own(make), make(6).untyped_storage(), storage_offset=0, size=(2, 3))


def bad_set_storage_window(make: Maker) -> Iterator[Call]:
    memory = make(3).untyped_storage()
    yield call(_own(make, 3), memory, -1, (2,))
    yield call(_own(make, 3), memory, 0, (2,), (1, 1))
    yield call(_own(make, 3), memory, 0, (2,), (-1,))
    yield call(_own(make, 3), memory, 0, (-2,), (1,))
    yield call(_own(make, 3), memory, 2**62, (2,))
    yield call(_own(make, 3), memory, 1, 2)


def set_tensor(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(5, grad=False))
    yield call(_own(make), make(4, 3, grad=False, noncontiguous=True))
    yield call(_own(make, 2), make(3, 4, grad=False).transpose(0, 1))


def bad_set_tensor(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, dtype="float64"), make(3, dtype="int32"))
    yield call(_own(make, 3), make.torch.ones(3, device="meta").to(make.type(make.dtype)))
    yield call(_own(make, 3), make(3), 1)


def set_window(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(6, grad=False), 1, (2, 2))
    yield call(_own(make, 3), make(6, grad=False)[2:], 1, (2,), (2,))


def bad_set_window(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), make(4, 3, grad=False, noncontiguous=True), 0, (2,))
    yield call(_own(make, 3), make(4, grad=False), -1, (2,))


def is_set_to(make: Maker) -> Iterator[Call]:
    yield call(make(3), make(3))
    yield call(make(0), make(2, 3))


def bad_is_set_to(make: Maker) -> Iterator[Call]:
    yield call(make(3), 1)


def is_set_to_itself(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4))
    yield call(make(4, 3, noncontiguous=True))
    yield call(make())
    yield call(make(0, 2))


def _assert_async(make: Maker) -> Iterator[Call]:
    yield call(make(values=1))
    yield call(make(values=[[1]]))
    yield call(make(values=0))
    yield call(make(2))
    yield call(make(0))


def _assert_async_msg(make: Maker) -> Iterator[Call]:
    yield call(make(values=1), "unseen")
    yield call(make(values=0), "told")
    yield call(make(values=0), "")
    yield call(make(2), "")


def _functional_assert_async(make: Maker) -> Iterator[Call]:
    yield call(make(values=1), "unseen", make(2, 3))
    yield call(make(values=[[1]]), "unseen", make(3, 2).t())
    yield call(make(values=0), "told", make(2))
    yield call(make(values=0), "", make(2))
    yield call(make(2), "", make(2))


def _functional_assert_scalar(make: Maker) -> Iterator[Call]:
    yield call(1, "unseen", make(2, 3))
    yield call(2.5, "unseen", make(3, 2).t())
    yield call(0, "told", make(2))
    yield call(0.0, "", make(2))


def _functional_range(make: Maker) -> Iterator[Call]:
    yield call(5, None, None, make(2, 3))
    yield call(5, 5, 5, make(3, 2).t())
    yield call(5.5, 1, 5, make(2))
    yield call(5, 6, None, make(2))
    yield call(-5, None, 9, make(2))
    yield call(5, None, 2, make(2))
    yield call(5, 8, 7, make(2))


def _assert_tensor_metadata(make: Maker) -> Iterator[Call]:
    strided, sparse = make.torch.strided, make.torch.sparse_coo
    yield call(make(2, 3))
    yield call(make(2, 3), (2, 3), (3, 1))
    yield call(make(2, 3), None, None, make.type(make.dtype))
    yield call(make(2, 3), layout=strided)
    yield call(make(2, 3), (2,))
    yield call(make(2, 3), None, (1, 3), make.type("uint8"))
    yield call(make(2, 3), dtype=make.type("uint8"), layout=sparse)
    yield call(make(2, 3), layout=sparse)


def _pin_memory(make: Maker) -> Iterator[Call]:
    """Refused, as nothing can be pinned where there is no accelerator."""
    yield call(make(3), device="cpu")


def fill_diagonal_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 3), 2)
    yield call(_own(make, 7, 3), 2, True)
    yield call(_own(make, 7, 3), 2)
    yield call(_own(make, 2, 2, 2), 1)
    yield call(_own(make, 3, 7), 1, wrap=True)


def bad_fill_diagonal_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), 2)
    yield call(_own(make, 2, 3, 2), 2)
    yield call(_own(make, 2, 2))


def from_file(make: Maker) -> Iterator[Call]:
    yield call("/dev/null", size=0)


def bad_from_file(make: Maker) -> Iterator[Call]:
    yield call("/nonexistent", size=2)
    yield call("/dev/null", size=2)
    yield call(3)
