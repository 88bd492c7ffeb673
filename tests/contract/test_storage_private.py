"""Names of storages and tensors that torch keeps to itself, and programs use all the same."""

from __future__ import annotations

import gc
import io
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from .both_frameworks import ours, outcome


def attempts(*thunks: Callable[[], Any]) -> list[Any]:
    """What came of each: the value, or the error's name and first line."""
    found: list[Any] = []
    for thunk in thunks:
        try:
            found.append(thunk())
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}".splitlines()[0])
    return found


def _same(program: Callable[[Any], Any]) -> None:
    mine, theirs = outcome(program, ours), outcome(program, torch)
    assert repr(mine).replace("mindtorch", "torch") == repr(theirs)


def test_whose_memory_it_is() -> None:
    def run(t: Any) -> Any:
        c, x, other = t._C, t.ones(4), t.ones(4)
        pairs = [(x, x[1:]), (x[:2], x[2:]), (x, other), (x, t.empty(0, device="meta")), (x, 5)]
        return [
            *(f(a, b) for f in (c._is_alias_of, c._overlaps) for a, b in pairs),
            [c._has_storage(y) for y in (x, t.empty(2, device="meta"))],
            c._storage_id(x) == c._storage_id(x[1:]) == x.untyped_storage()._cdata,
            attempts(lambda: c._has_storage(5), lambda: c._storage_id(5)),
        ]

    _same(run)


def test_who_holds_a_storage_is_counted() -> None:
    def run(t: Any) -> Any:
        def count() -> int:
            return t._C._storage_Use_Count(number)

        x = t.zeros(3)
        number = x.untyped_storage()._cdata
        found = [count()]
        views = [x[1:], x.detach(), x.data, t.nn.Parameter(x)]
        found.append(count())
        typed, again = x.storage(), x.untyped_storage()
        found.append(count())
        del views[1:], typed
        found.append(count())
        y = (x + 1).requires_grad_()
        number = (z := y * y).untyped_storage()._cdata
        saved = z * z
        found.append(count())
        number = (own := t.UntypedStorage(3))._cdata
        found.append(count())
        number = (flat := t.ones(2, device="meta")).untyped_storage()._cdata
        found.append(count())
        wrong = attempts(
            lambda: t._C._storage_Use_Count("a"), lambda: t._C._storage_Use_Count(number, 1)
        )
        return found, wrong, saved is None, own is None, flat is None, again is None

    _same(run)


def test_memory_of_two_storages_is_exchanged() -> None:
    def run(t: Any) -> Any:
        a, b = t.arange(4.0), t.arange(10.0, 14.0)
        view, addresses = a[1:], (a.data_ptr(), b.data_ptr())
        one, two = a.untyped_storage(), b.untyped_storage()
        found = [one._swap_data_ptr_(two), a, b, view, (b.data_ptr(), a.data_ptr()) == addresses]
        refused = (5, t.ones(1), t.UntypedStorage(2, device="meta"))
        found.append(attempts(*(lambda x=x: one._swap_data_ptr_(x) for x in refused)))
        return [*found, attempts(lambda: one._resize_with_addr_(1, 2), one._resize_with_addr_)]

    _same(run)


def test_weak_references_by_number() -> None:
    def run(t: Any) -> Any:
        storage, kind = t.ones(3).untyped_storage(), t.UntypedStorage
        number = storage._weak_ref()
        found = [kind._expired(number), kind._new_with_weak_ptr(number) is not None]
        del storage
        gc.collect()
        found += [kind._expired(number), kind._new_with_weak_ptr(number)]
        found += [kind._free_weak_ref(number), kind._free_weak_ref(None)]
        return found + attempts(
            lambda: kind._expired("a"),
            lambda: kind._new_with_weak_ptr(None),
            lambda: kind._new_with_weak_ptr("a"),
        )

    _same(run)


def test_storages_in_files_of_old(tmp_path: Path) -> None:
    def run(t: Any) -> Any:
        path, storage = tmp_path / t.__name__, t.arange(3.0).untyped_storage()
        found: list[Any] = []
        with path.open("wb") as f:
            storage._write_file(f, True, True, 4)
        for size in (4, 1):
            with path.open("rb") as f:
                found.append(t.UntypedStorage._new_with_file(f, size).tolist())
        target = t.UntypedStorage(12)
        for offset in (None, 0):
            with path.open("rb") as f:
                found.append(target._set_from_file(f, offset, True, 4).tolist())
        file = io.BytesIO(path.read_bytes())
        return found + attempts(
            lambda: target._set_from_file(file, 0, False, 4),
            lambda: t.UntypedStorage._new_with_file(file, 4),
            lambda: t.UntypedStorage._new_with_file(file),
        )

    _same(run)


class Slotted(ours.Tensor):
    __slots__ = ("here",)


class SlottedToo(torch.Tensor):
    __slots__ = ("here",)


def test_tensors_are_swapped() -> None:
    def run(t: Any) -> Any:
        swap, found = t.utils.swap_tensors, []

        def note(*values: Any) -> None:
            found.extend(values)

        a, b = t.ones(3), t.zeros(2, dtype=t.int64)
        a.note, addresses = "a's", (a.data_ptr(), b.data_ptr())
        a.add_(1)
        note(swap(a, b), a, b, a._version, b._version, vars(a), vars(b))
        note((b.data_ptr(), a.data_ptr()) == addresses, swap(a, a), a)
        made, plain = t.ones(2, requires_grad=True) * 2, t.zeros(1)
        swap(made, plain)
        note(made, plain, type(plain.grad_fn).__name__, made.grad_fn, plain.is_leaf)
        layer, other = t.nn.Linear(2, 2), t.nn.Parameter(t.zeros(2, 2))
        weight = layer.weight
        swap(weight, other)
        note(layer.weight is weight, weight)
        parameter, plain = t.nn.Parameter(t.ones(2)), t.zeros(1)
        swap(parameter, plain)
        note(type(parameter).__name__, type(plain).__name__, parameter.requires_grad)
        known, watcher = t.ones(1), weakref.ref(a)
        slotted = t.ones(1).as_subclass(Slotted if t is ours else SlottedToo)
        refused = ((a, known), (known, a), (slotted, known), (5, known), (known, None))
        note(watcher() is a, attempts(*(lambda p=p: swap(*p) for p in refused)))
        return found

    _same(run)


def test_tensors_that_their_memory_knows_are_swapped() -> None:
    """Gradients, and tensors whose storage was asked for, are known to nobody but themselves."""

    def run(t: Any) -> Any:
        x, other, seen, view = t.ones(2, requires_grad=True), t.zeros(3), t.ones(4), t.zeros(6)[2:]
        (x * 2).sum().backward()
        grad, x.grad = x.grad, None
        held = seen.untyped_storage(), view.untyped_storage()
        t.utils.swap_tensors(grad, other)
        t.utils.swap_tensors(seen, view)
        held[0].fill_(0)
        held[1].resize_(0)
        x.grad = other
        (x * 5).sum().backward()
        return [x.grad, grad, other, view, seen.untyped_storage().nbytes()]

    _same(run)


@pytest.mark.parametrize("when", ["before", "between", "after", "without its graph"])
def test_leaves_of_a_graph_are_swapped(when: str) -> None:
    """A graph that ends at a leaf which was swapped since refuses to run."""

    def run(t: Any) -> Any:
        x, y = (t.ones(2, requires_grad=True) for _ in range(2))
        x.register_hook(lambda grad: grad * 3)
        x.register_post_accumulate_grad_hook(lambda leaf: (leaf.grad.add_(100), None)[1])
        if when == "before":
            t.utils.swap_tensors(x, y)
        loss = (x * 2).sum()
        node = x.expand_as(x).grad_fn.next_functions[0][0]
        found: list[Any] = []
        if when == "between":
            t.utils.swap_tensors(x, y)
            found += [node.variable is y, *attempts(loss.backward)]
        else:
            loss.backward()
        if when == "after":
            t.utils.swap_tensors(x, y)
        if when == "without its graph":
            del loss, node
            t.utils.swap_tensors(x, y)
            (x.sum() + 5 * y.sum()).backward()
        return [*found, x.grad, y.grad]

    _same(run)


def test_storages_without_memory_are_not_written_to_files() -> None:
    def run(t: Any) -> Any:
        typed = t.TypedStorage([1, 2], device="meta", dtype=t.int8)
        return attempts(
            lambda: typed._write_file(io.BytesIO(), False, True, 1),
            lambda: typed.untyped()._write_file(io.BytesIO(), False, True, 1),
        )

    _same(run)


def test_the_dtype_of_a_class_of_old_warns() -> None:
    def run(t: Any) -> Any:
        said: list[Any] = []
        for ask in (
            lambda: t.FloatStorage.dtype,
            lambda: t.FloatStorage._dtype,
            lambda: t.cuda.FloatStorage.dtype,
        ):
            t.storage._reset_warn_typed_storage_removal()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                said.append((str(ask()), [str(w.message)[:27] for w in caught]))
        return said, attempts(lambda: t.cuda.FloatStorage._new_with_weak_ptr(0))

    _same(run)
