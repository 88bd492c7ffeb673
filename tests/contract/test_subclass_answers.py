"""Wrapper subclasses: pairs on two devices, answers of nothing, storages without memory, keys."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from .helpers import assert_same_value, both


def wrapper(t: Any, answers: Any = None, log: list[str] | None = None, **options: Any) -> Any:
    """A class whose instances hold a tensor, on which ops run but for those of *answers*."""
    known = answers or {}
    tree_map = importlib.import_module(f"{t.__name__}.utils._pytree").tree_map

    class Wrapper(t.Tensor):  # type: ignore[misc, name-defined]
        @staticmethod
        def __new__(cls: Any, inner: Any, **more: Any) -> Any:
            given = {"dtype": inner.dtype, "device": inner.device, **options, **more}
            made = t.Tensor._make_wrapper_subclass(cls, inner.shape, **given)
            made.inner = inner
            return made

        def __init__(self, inner: Any, **more: Any) -> None:
            pass

        def __repr__(self) -> str:
            return "Wrapper()"

        @classmethod
        def __torch_dispatch__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if log is not None:
                log.append(str(func))
            if str(func) in known:
                return known[str(func)]

            def bare(x: Any) -> Any:
                return x.inner if isinstance(x, Wrapper) else x

            out = func(*tree_map(bare, args), **tree_map(bare, kwargs or {}))
            return tree_map(lambda x: Wrapper(x) if isinstance(x, t.Tensor) else x, out)

    return Wrapper


def told(work: Callable[[], Any]) -> Any:
    """What comes of a call in words, or its error."""
    try:
        found = work()
    except Exception as error:
        return type(error).__name__, str(error)
    if found is None:
        return "nothing"
    kind = type(found).__name__
    return (kind, str(found.device)) if hasattr(found, "device") else found


#: Calls with a wrapper that says it is on meta, and a tensor on the host.
PAIRS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda t, x, y: x + y,
    "add the other way round": lambda t, x, y: y + x,
    "into the host's": lambda t, x, y: y.add_(x),
    "into the wrapper": lambda t, x, y: x.add_(y),
    "mm": lambda t, x, y: x.reshape(1, 2) @ y.reshape(2, 1),
    "cat": lambda t, x, y: t.cat([x, y]),
    "stack": lambda t, x, y: t.stack([x, y]),
    "where": lambda t, x, y: t.where(y > 0, x, y),
    "copy_": lambda t, x, y: y.copy_(x),
    "a number": lambda t, x, y: x * t.tensor(2.0),
    "out=": lambda t, x, y: t.add(y, y, out=x),
    "lerp": lambda t, x, y: t.lerp(x, y, y),
    "index": lambda t, x, y: x[t.tensor([0])],
    "mask": lambda t, x, y: x[y > 0],
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("leaf", [False, True])
def test_a_class_is_asked_before_devices_are_compared(name: str, leaf: bool) -> None:
    """What it stands for may well lie where the other operand does."""

    def work(t: Any) -> Any:
        x = wrapper(t, device="meta")(t.ones(2), requires_grad=leaf)
        return told(lambda: PAIRS[name](t, x, t.ones(2)))

    assert_same_value(*both(work))


def _function(t: Any, gives: Any) -> Any:
    class Given(t.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return gives

    return Given.apply


#: Gradients and what they are for: the framework, a wrapper on meta, one on the host.
GRADIENTS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "plain for a wrapper": lambda t, meta, host: _after(
        (x := meta(t.ones(2), requires_grad=True)), (x * 2).backward(t.ones(2))
    ),
    "a wrapper for a wrapper": lambda t, meta, host: _after(
        (x := meta(t.ones(2), requires_grad=True)), (x * 2).backward(meta(t.ones(2)))
    ),
    "a function's plain for a wrapper": lambda t, meta, host: _after(
        (x := meta(t.ones(2), requires_grad=True)),
        _function(t, t.ones(2))(x).backward(meta(t.ones(2))),
    ),
    "a function's wrapper for a plain one": lambda t, meta, host: _after(
        (x := t.ones(2, requires_grad=True)),
        _function(t, meta(t.ones(2)))(x).backward(t.ones(2)),
    ),
    "a function's plain one from elsewhere": lambda t, meta, host: _after(
        (x := t.ones(2, requires_grad=True)),
        _function(t, t.ones(2, device="meta"))(x).backward(t.ones(2)),
    ),
    "set, plain": lambda t, meta, host: setattr(
        meta(t.ones(2), requires_grad=True), "grad", t.ones(2)
    ),
    "set, a wrapper": lambda t, meta, host: setattr(
        t.ones(2, requires_grad=True), "grad", meta(t.ones(2))
    ),
    "set, a wrapper that says so": lambda t, meta, host: setattr(
        host(t.ones(2), requires_grad=True), "grad", t.ones(2)
    ),
    "set where it says so": lambda t, meta, host: setattr(
        host(t.ones(2), requires_grad=True), "grad", t.ones(2, device="meta")
    ),
}


def _after(x: Any, _: Any) -> Any:
    return x.grad


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_of_classes_lie_where_they_say(name: str) -> None:
    """Nodes compare no devices where a class is concerned; ``grad =`` compares what it tells."""

    def work(t: Any) -> Any:
        meta = wrapper(t, device="meta")
        asked = wrapper(t, {"prim.device.default": t.device("meta")}, dispatch_device=True)
        return told(lambda: GRADIENTS[name](t, meta, asked))

    assert_same_value(*both(work))


def test_the_type_of_a_class_names_the_device_that_it_tells() -> None:
    """The legacy name of a tensor's type."""

    def work(t: Any) -> Any:
        kind = wrapper(t, {"prim.device.default": t.device("meta")}, dispatch_device=True)
        return kind(t.ones(2)).type(), wrapper(t)(t.ones(2)).type()

    assert_same_value(*both(work))


NOTHING: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda t, x: x + 1,
    "sum": lambda t, x: x.sum(),
    "view": lambda t, x: x.view(-1),
    "clone": lambda t, x: x.clone(),
    "detach": lambda t, x: x.detach(),
    "data": lambda t, x: x.data,
    "max": lambda t, x: x.max(0),
    "split": lambda t, x: x.split(1),
    "cat": lambda t, x: t.cat([x, x]),
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.parametrize("leaf", [False, True])
@pytest.mark.parametrize("answer", ["nothing", "nothing twice", "a number", "not mine"])
def test_answers_that_are_no_tensors(name: str, leaf: bool, answer: str) -> None:
    """None passes where a tensor is wanted; other things are refused."""

    def work(t: Any) -> Any:
        gives = {"nothing": None, "nothing twice": (None, None), "a number": 3}

        class Silent(t.Tensor):  # type: ignore[misc, name-defined]
            @staticmethod
            def __new__(cls: Any) -> Any:
                return t.Tensor._make_wrapper_subclass(cls, (2,), requires_grad=leaf)

            @classmethod
            def __torch_dispatch__(
                cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
            ) -> Any:
                return gives.get(answer, NotImplemented)

        x = Silent()
        found = told(lambda: NOTHING[name](t, x))
        return [repr(part) for part in found] if isinstance(found, tuple) else repr(found)

    assert_same_value(*both(work))


STORAGES: dict[str, Callable[[Any, Any], Any]] = {
    "nbytes": lambda t, s: s.nbytes(),
    "data_ptr": lambda t, s: s.data_ptr(),
    "bytes": lambda t, s: bytes(s),
    "tolist": lambda t, s: s.tolist(),
    "an element": lambda t, s: s[0],
    "clone": lambda t, s: s.clone(),
    "resize_": lambda t, s: s.resize_(16),
    "fill_": lambda t, s: s.fill_(0),
    "copy from it": lambda t, s: t.ones(2).untyped_storage().copy_(s),
    "len": lambda t, s: len(s),
    "repr": lambda t, s: repr(s),
    "is_shared": lambda t, s: s.is_shared(),
    "is_pinned": lambda t, s: s.is_pinned(),
    "device": lambda t, s: str(s.device),
}


@pytest.mark.parametrize("name", STORAGES)
@pytest.mark.parametrize("size", [None, 100])
def test_a_storage_without_memory_tells_its_size_alone(name: str, size: int | None) -> None:
    """Its bytes are not there to be read."""

    def work(t: Any) -> Any:
        options = {} if size is None else {"storage_size": size}
        x = wrapper(t, **options)(t.ones(2))
        return told(lambda: STORAGES[name](t, x.untyped_storage()))

    assert_same_value(*both(work))


def test_a_mode_answers_by_a_method() -> None:
    """A classmethod is refused, a function is called with the mode as torch calls it."""

    def work(t: Any) -> Any:
        base = importlib.import_module(f"{t.__name__}.utils._python_dispatch").TorchDispatchMode

        class ByClass(base):  # type: ignore[misc, valid-type]
            @classmethod
            def __torch_dispatch__(
                cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
            ) -> Any:
                return func(*args, **(kwargs or {}))

        class ByFunction(base):  # type: ignore[misc, valid-type]
            @staticmethod
            def __torch_dispatch__(
                func: Any, types: Any, args: Any = (), kwargs: Any = None
            ) -> Any:
                return func(*args, **(kwargs or {}))

        found = []
        for mode in (ByClass, ByFunction):
            with mode():
                found.append(told(lambda: t.ones(2) + 1))
        return [(kind, text.partition("<locals>")[2] or text) for kind, text in found]

    assert_same_value(*both(work))


def test_questions_of_memory_reach_the_class() -> None:
    """``is_pinned`` and ``record_stream`` are operators."""

    def work(t: Any) -> Any:
        log: list[str] = []
        answers = {"aten.is_pinned.default": True, "aten.record_stream.default": None}
        x = wrapper(t, answers, log)(t.ones(2))
        stream = t.Stream(stream_id=1, device_index=0, device_type=1)
        log.clear()
        found = [x.is_pinned(), x.record_stream(stream), told(lambda: x.record_stream(3))]
        return found, log

    assert_same_value(*both(work))


@pytest.mark.parametrize("key", ["Conjugate", "Negative"])
def test_keys_that_a_tensor_brings(key: str) -> None:
    """They stand for its lazy bits; the class resolves those."""

    def work(t: Any) -> Any:
        keys = t._C.DispatchKeySet(getattr(t._C.DispatchKey, key))
        log: list[str] = []
        x = wrapper(t, None, log, _extra_dispatch_keys=keys)(t.ones(2))
        log.clear()
        return x.is_conj(), x.is_neg(), type(x.sin()).__name__, log

    assert_same_value(*both(work))


@pytest.mark.parametrize(
    "options",
    [
        {"dispatch_device": 3},
        {"dispatch_layout": "a"},
        {"dispatch_sizes_strides_policy": "x"},
        {"dispatch_sizes_strides_policy": 3},
        {"storage_offset": 2},
        {"dtype": 3},
        {"requires_grad": 3},
        {"_extra_dispatch_keys": 3},
        {"strides": (1, 2, 3)},
    ],
    ids=str,
)
def test_wrong_arguments_of_a_wrapper(options: dict[str, Any]) -> None:
    """Type and text."""

    def work(t: Any) -> Any:
        return told(lambda: wrapper(t, **options)(t.ones(2)))

    assert_same_value(*both(work))
