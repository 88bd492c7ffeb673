"""Calls of one operator with torch's samples, on both sides, and what is counted of them.

A case counts where torch answers it: a sample that torch refuses is left out.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import torch

from .comparison import Bound, bound_of, gradient_bound, layouts, numbers_differ
from .figures import OpResult, Tally
from .translation import Translation, Untranslatable, mapped, tensors

__all__ = ["DTYPES", "check", "name_of"]

DTYPES = (
    *(torch.float32, torch.float64, torch.complex64, torch.int64, torch.bool, torch.bfloat16),
)
_SEED = 42
#: Their numbers are whatever was in the memory.
_UNINITIALISED = ("empty", "new_empty", "resize_", "resize_as_")
#: Of these the signs or phases of vectors are open: results are compared as torch's tests do.
_OPEN_SIGNS = (
    *("linalg.eig", "linalg.eigh", "linalg.svd", "svd", "linalg.qr", "qr", "svd_lowrank"),
    *("pca_lowrank", "lobpcg", "linalg.lstsq", "geqrf"),
)


class Side(NamedTuple):
    """A framework, the operator in it, and how values get there."""

    framework: Any
    function: Callable[..., Any]
    values: Translation
    on_meta: Translation

    def call(self, sample: Any, *, meta: bool = False) -> Any:
        """The result for a copy of *sample*, as torch's tests look at it, too."""
        return self.run(self.copied(sample, meta=meta))

    def copied(self, sample: Any, *, meta: bool = False) -> tuple[Any, ...]:
        """Input, positional and keyword arguments with memory of their own."""
        values = self.on_meta if meta else self.values
        copied: tuple[Any, ...] = values.value((sample.input, sample.args, sample.kwargs))
        return copied

    def run(self, call: tuple[Any, ...]) -> Any:
        """Call the operator; the random stream begins where it always does."""
        first, args, kwargs = call
        self.framework.manual_seed(_SEED)
        return self.function(first, *args, **kwargs)


def name_of(op: Any) -> str:
    """The operator's name, and its variant's where it has several."""
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else str(op.name)


def check(op: Any, most: int) -> OpResult:
    """Count what is as in torch.

    :param op: an entry of torch's table.
    :param most: samples of each dtype that are looked at, spread over all there are; 0: all.
    """
    started = perf_counter()
    tally = Tally()
    ours = importlib.import_module("mindtorch")
    theirs = Side(torch, op.op, Translation(torch), Translation(torch, "meta"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = Translation(ours)
        try:
            found = values.function(op.op)
        except Untranslatable as name:
            found = None
            if not str(name).startswith("torch.cuda"):  # what torch has for that device alone
                tally.add("forward", "", "", f"there is no {name}")
        if found is not None:
            here = Side(ours, found, values, Translation(ours, "meta"))
            for dtype in _dtypes(op):
                _check_dtype(op, dtype, most, theirs, here, tally)
            _check_errors(op, theirs, here, tally)
    counts = tally.counts()
    return OpResult(
        name_of(op), _state(found, tally), counts, tuple(tally.differences),
        perf_counter() - started,
    )  # fmt: skip


def _dtypes(op: Any) -> list[torch.dtype]:
    """Those of the usual ones that the operator takes; else the first of those that it takes."""
    return [d for d in DTYPES if d in op.dtypes] or sorted(op.dtypes, key=str)[:1]


def _state(found: Any, tally: Tally) -> str:
    """An operator is there if it answers; one that always refuses is not."""
    forward = tally.counts().get("forward")
    if forward is None:
        return "not here"
    raised = [d for d in tally.differences if d.column == "forward" and d.text.startswith("raises")]
    return "absent" if found is None or len(raised) == forward.cases else "present"


def _spread(values: list[Any], most: int) -> list[tuple[int, Any]]:
    """At most *most* of the values with their numbers, evenly from the first to the last."""
    if not most or len(values) <= most:
        return list(enumerate(values))
    numbers = sorted({round(i * (len(values) - 1) / max(most - 1, 1)) for i in range(most)})
    return [(i, values[i]) for i in numbers]


def _samples(op: Any, dtype: torch.dtype, most: int, **options: Any) -> Iterator[tuple[str, Any]]:
    torch.manual_seed(_SEED)
    try:
        samples = list(op.sample_inputs("cpu", dtype, **options))
    except Exception:  # the table has none for this dtype
        return
    for number, sample in _spread(samples, most):
        yield str(number), sample


def _check_dtype(
    op: Any, dtype: torch.dtype, most: int, theirs: Side, ours: Side, tally: Tally
) -> None:
    name = str(dtype).removeprefix("torch.")
    within = bound_of(op, name)
    for case, sample in _samples(op, dtype, most):
        _check_forward(op, name, case, sample, within, theirs, ours, tally)
        _check_meta(op, name, case, sample, within, theirs, ours, tally)
    if dtype in op.backward_dtypes and op.supports_autograd:
        for case, sample in _samples(op, dtype, most, requires_grad=True):
            _check_gradients(name, case, sample, theirs, ours, tally)
            if op.supports_forward_ad:
                _check_tangents(name, case, sample, theirs, ours, tally)


def _answer(function: Callable[[], Any]) -> Any:
    """The result, or the error as a value."""
    try:
        return function()
    except Exception as error:
        return error


def _raised(error: Exception) -> str:
    text = str(error).partition("\n")[0]
    return f"raises {type(error).__name__}: {text}"


def _differ(
    ours: Side, theirs: Side, got: Any, want: Any, within: Bound, *, strides: bool = False
) -> str:
    if isinstance(got, Exception):
        return _raised(got)
    text = numbers_differ(got, want, within)
    if not text and strides:
        here, there = layouts(ours.framework, got), layouts(theirs.framework, want)
        text = f"strides {here}, torch has {there}" if here != there else ""
    return text


def _check_forward(
    op: Any, dtype: str, case: str, sample: Any, within: Bound, theirs: Side, ours: Side,
    tally: Tally,
) -> None:  # fmt: skip
    want = _answer(lambda: theirs.call(sample))
    if isinstance(want, Exception):
        return
    got = _answer(lambda: ours.call(sample))
    if isinstance(got, Exception):
        tally.add("forward", dtype, case, _raised(got))
        return
    here, there = layouts(ours.framework, got), layouts(theirs.framework, want)
    if op.name.startswith(_UNINITIALISED):
        got, want = _without_numbers(got), _without_numbers(want)
    text = numbers_differ(got, want, within)
    if text and op.name in _OPEN_SIGNS:
        look = sample.output_process_fn_grad
        text = numbers_differ(ours.values.value(look)(got), look(want), within)
    tally.add("forward", dtype, case, text)
    tally.add("layout", dtype, case, f"strides {here}, torch has {there}" if here != there else "")


def _check_meta(
    op: Any, dtype: str, case: str, sample: Any, within: Bound, theirs: Side, ours: Side,
    tally: Tally,
) -> None:  # fmt: skip
    want = _answer(lambda: theirs.call(sample, meta=True))
    if isinstance(want, Exception):
        return
    got = _answer(lambda: ours.call(sample, meta=True))
    if op.name.startswith(_UNINITIALISED):
        got, want = _without_numbers(got), _without_numbers(want)
    tally.add("meta", dtype, case, _differ(ours, theirs, got, want, within, strides=True))


def _without_numbers(result: Any) -> Any:
    return mapped(result, lambda item: item.to("meta") if hasattr(item, "stride") else item)


# -- derivatives -----------------------------------------------------------------------------------


def _differentiable(framework: Any, value: Any) -> list[Any]:
    return [t for t in tensors(framework, value) if t.requires_grad]


def _weights(results: list[Any]) -> list[Any]:
    """Gradients of the results: the same random numbers each time."""
    generator = torch.Generator().manual_seed(_SEED)
    return [_random_like(t, generator) for t in results]


def _random_like(tensor: Any, generator: Any) -> Any:
    numbers = torch.randn(tensor.shape, dtype=torch.float64, generator=generator)
    if tensor.dtype.is_complex:
        numbers = torch.complex(numbers, torch.randn(tensor.shape, generator=generator).double())
    return numbers.to(tensor.dtype)


def _check_gradients(
    dtype: str, case: str, sample: Any, theirs: Side, ours: Side, tally: Tally
) -> None:
    weights: list[Any] = []

    def gradients(side: Side) -> Any:
        call = side.copied(sample)
        leaves = _differentiable(side.framework, call)
        look = side.values.value(sample.output_process_fn_grad)
        results = _differentiable(side.framework, look(side.run(call)))
        if not leaves or not results:
            raise LookupError("nothing to differentiate")
        if side is theirs:
            weights[:] = _weights(results)
        return side.framework.autograd.grad(
            results, leaves, side.values.value(weights), allow_unused=True
        )

    want = _answer(lambda: gradients(theirs))
    if not isinstance(want, Exception):
        got = _answer(lambda: gradients(ours))
        tally.add("backward", dtype, case, _differ(ours, theirs, got, want, gradient_bound(dtype)))


def _check_tangents(
    dtype: str, case: str, sample: Any, theirs: Side, ours: Side, tally: Tally
) -> None:
    def tangents(side: Side) -> Any:
        forward_ad = side.framework.autograd.forward_ad
        generator = torch.Generator().manual_seed(_SEED)
        call = side.copied(sample)
        leaves = _differentiable(side.framework, call)
        like = leaves if side is theirs else _differentiable(torch, theirs.copied(sample))
        duals: dict[int, Any] = {}
        with forward_ad.dual_level():
            for leaf, model in zip(leaves, like, strict=True):
                tangent = side.values.value(_random_like(model, generator))
                duals[id(leaf)] = forward_ad.make_dual(leaf.detach(), tangent)
            call = mapped(call, lambda item: duals.get(id(item), item))
            look = side.values.value(sample.output_process_fn_grad)
            results = tensors(side.framework, look(side.run(call)))
            found = [forward_ad.unpack_dual(result).tangent for result in results]
        if not leaves or all(tangent is None for tangent in found):
            raise LookupError("nothing to differentiate")
        return found

    want = _answer(lambda: tangents(theirs))
    if not isinstance(want, Exception):
        got = _answer(lambda: tangents(ours))
        tally.add("tangent", dtype, case, _differ(ours, theirs, got, want, gradient_bound(dtype)))


# -- errors ----------------------------------------------------------------------------------------


def _check_errors(op: Any, theirs: Side, ours: Side, tally: Tally) -> None:
    if op.error_inputs_func is None:
        return
    torch.manual_seed(_SEED)
    try:
        wrong = list(op.error_inputs("cpu"))
    except Exception:  # the table asks for a device that is not there
        return
    for number, error_input in enumerate(wrong):
        want = _answer(lambda sample=error_input.sample_input: theirs.call(sample))
        if not isinstance(want, Exception):
            continue
        got = _answer(lambda sample=error_input.sample_input: ours.call(sample))
        tally.add("errors", "", str(number), _errors_differ(got, want))


def _errors_differ(got: Any, want: Exception) -> str:
    if not isinstance(got, Exception):
        return f"raises nothing, torch {_raised(want)}"
    same = type(got).__name__ == type(want).__name__ and str(got) == str(want)
    return "" if same else f"{_raised(got)}; torch {_raised(want)}"
