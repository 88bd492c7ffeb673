"""The rows under test, how each is called, and what a call came to: in mindtorch and the oracle.

A row's samples give calls; :func:`forms` says how a caller reaches the row (function, method, or
the overload itself for rows that are internal in torch too); :func:`outcome` runs a call and
keeps what came of it, a value or an error. Nothing here knows any op by name.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import mindtorch
import numpy as np
import torch
from mindtorch.aten import families  # noqa: F401  (defines the rows)
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call.arguments import full_arguments
from mindtorch.call.dispatch_entry import OVERLOADS, run
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS, Row
from mindtorch_dispatch.keys import QUANTIZED_MASK, SPARSE_CSR_MASK, SPARSE_MASK

from ..samples import Call, Maker, find
from .bounds import bound
from .hearing import hearing
from .helpers import describe, differences
from .known import ELSEWHERE

load_all()  # the families that a program gets when it asks for them
#: Rows that torch has: each is compared with it.
_NAMES = sorted(n for n, row in ROWS.items() if "own" not in row.tags and n not in ELSEWHERE)
#: Those whose operands or results are sparse tensors, which are no windows on memory:
#: ``test_sparse_rows.py`` is for them.
SPARSE_NAMES = [name for name in _NAMES if "/aten/sparse/" in ROWS[name].where[0]]
NAMES = [name for name in _NAMES if name not in SPARSE_NAMES]
#: Names of functions and methods that are ours alone; ``tests/row_checks.py`` is for such rows.
OWN = {base for row in ROWS.values() if "own" in row.tags for base in (row.base, f"{row.base}_")}
DTYPES = ("float32", "int64", "bool", "complex64", "float16", "bfloat16", "float64")

#: Where torch keeps the functions of a ``python_module``.
_HOMES = {
    "": "torch",
    "nn": "torch._C._nn",
    "linalg": "torch._C._linalg",
    "fft": "torch._C._fft",
    "sparse": "torch._C._sparse",
    "special": "torch._C._special",
}


class Form(NamedTuple):
    """One way to call a row, on both sides."""

    name: str
    ours: Callable[..., Any]
    oracle: Callable[..., Any]


class Sample(NamedTuple):
    """The same call, made of tensors of each framework."""

    number: int
    ours: Call
    oracle: Call

    def __repr__(self) -> str:
        return f"#{self.number} {show(self.oracle)}"


class Outcome(NamedTuple):
    """What came of a call: a value, or the error; and the warnings on the way."""

    value: Any
    error: Exception | None
    warned: tuple[str, ...]


# -- rows ------------------------------------------------------------------------------------------


def is_internal(row: Row) -> bool:
    """Neither function nor method: reached only by its overload."""
    return not row.variants


def writes_self(row: Row) -> bool:
    """The row itself is an in-place op (``zero_``, ``copy_``)."""
    return "Tensor(a!) self" in row.schema


def is_view(row: Row) -> bool:
    """Results share the first argument's memory."""
    return row.view is not None


def has_own_functionality(row: Row) -> bool:
    """The row's kernels are those of sparse or quantized tensors alone."""
    keys = OVERLOADS["aten::" + row.name].operator.entries
    return any(key & (SPARSE_MASK | SPARSE_CSR_MASK | QUANTIZED_MASK) for key in keys)


def derived(row: Row, kind: str) -> Any:
    """The row's overload of one kind (``"inplace"``, ``"out"``), None if it makes none."""
    for overload in OVERLOADS.values():
        if overload.row is row and overload.kind == kind:
            return overload
    return None


def forms(row: Row) -> list[Form]:
    """Every way in which callers reach *row*."""
    found = []
    functions = MODULES[row.module]
    if "function" in row.variants and row.base in functions:
        home = importlib.import_module("torch")
        for part in _HOMES[row.module].split(".")[1:]:
            home = getattr(home, part)
        oracle = getattr(home, row.base, None)
        ours = functions[row.base]
        if not row.module:  # a function written in Python may stand in front of the op
            ours = getattr(mindtorch, row.base)
        found.append(Form("function", ours, oracle or _missing(row.base)))
    if "method" in row.variants and row.base in METHODS:
        found.append(Form("method", _method(row.base), _method(row.base)))
    return found or [overload_form(row)]


def overload_form(row: Row) -> Form:
    """The row's own overload, past the argument parser."""
    overload = OVERLOADS["aten::" + row.name]
    packet = getattr(torch.ops.aten, row.base)

    def ours(*args: Any, **kwargs: Any) -> Any:
        return run(overload, full_arguments(overload, args, kwargs))

    oracle = getattr(packet, row.overload or "default", None)
    return Form("overload", ours, oracle or _missing(row.name))


def _missing(name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        raise AttributeError(f"torch has no function {name}")

    return call


def _method(name: str) -> Callable[..., Any]:
    # From the class, as ``t.x()`` is: the bound method names another class in its errors.
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(type(self), name)(self, *args, **kwargs)

    return call


# -- samples ---------------------------------------------------------------------------------------


#: So many samples of a row and dtype are run where the test is of what all rows have in common
#: (a backend, a pipeline). What is a row's own, its values and its gradients, is tested with all.
FEW = 2


def samples(
    row: Row,
    dtype: str = "float32",
    *,
    bad: bool = False,
    grad: bool = False,
    most: int | None = None,
) -> list[Sample]:
    """The row's sample calls of one dtype, *most* of them, fresh tensors on both sides."""
    generator = find(row.samples, bad=bad) if row.samples else None
    if generator is None:
        return []
    ours = list(islice(generator(Maker(mindtorch, dtype, grad=grad)), most))
    oracle = list(islice(generator(Maker(torch, dtype, grad=grad)), most))
    assert len(ours) == len(oracle), f"{row.samples}: {len(ours)} calls, torch {len(oracle)}"
    pairs = zip(ours, oracle, strict=True)
    return [Sample(i, a, b) for i, (a, b) in enumerate(pairs)]


def method_call(call: Call) -> bool:
    """Whether a call can be written as a method of its first argument."""
    return bool(call.args) and is_tensor(call.args[0])


def is_tensor(value: Any) -> bool:
    """A tensor of either framework."""
    return isinstance(value, (mindtorch.Tensor, torch.Tensor))


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """*value* with every tensor in it changed."""
    kind = _kind(type(value))
    if kind is None:
        return value
    if kind == "tensor":
        return change(value)
    if kind == "list":
        return type(value)([mapped(v, change) for v in value])
    if kind == "call":
        return Call(mapped(value.args, change), mapped(value.kwargs, change))
    return {k: mapped(v, change) for k, v in value.items()}


@cache
def _kind(type_: type) -> str | None:
    """What :func:`mapped` looks into: it does so some ten million times."""
    if issubclass(type_, (mindtorch.Tensor, torch.Tensor)):
        return "tensor"
    if type_ in (tuple, list):
        return "list"
    if issubclass(type_, Call):
        return "call"
    return "dict" if issubclass(type_, dict) else None


def own_self(row: Row, call: Call) -> Call:
    """*call*, with a first argument of its own where *row* writes it: samples share tensors."""
    if not (writes_self(row) and method_call(call)) or call.args[0].requires_grad:
        return call
    return call._replace(args=(call.args[0].detach().clone(), *call.args[1:]))


def tensors_in(value: Any) -> list[Any]:
    """Every tensor in a call or a result, in order."""
    found: list[Any] = []
    mapped(tuple(value) if isinstance(value, (tuple, list)) else value, found.append)
    return found


def show(value: Any) -> str:
    """A call or value, short: tensors by dtype and shape."""
    if isinstance(value, Call):
        parts = [show(a) for a in value.args]
        parts += [f"{k}={show(v)}" for k, v in value.kwargs.items()]
        return f"({', '.join(parts)})"
    if is_tensor(value):
        kind = str(value.dtype).removeprefix("torch.")
        where = "" if value.device.type == "cpu" else f"@{value.device.type}"
        text = f"{kind}{list(value.shape)}{where}"
        if str(value.layout) != "torch.strided":
            return f"{text}/{value.layout}"
        return text if value.is_contiguous() else f"{text}/{list(value.stride())}"
    if type(value) in (tuple, list):
        inner = ", ".join(show(v) for v in value)
        return f"[{inner}]" if type(value) is list else f"({inner})"
    return repr(value)


# -- outcomes --------------------------------------------------------------------------------------


def outcome(function: Callable[..., Any], call: Call, *, seed: bool = False) -> Outcome:
    """Run *call*; whatever it raises is an outcome too.

    torch warns of each piece of memory in complex32, also of those that no caller sees: which, is
    its own affair.

    :param seed: set the generators of both frameworks first, for rows that draw.
    """
    if seed:
        torch.default_generator.manual_seed(3)  # torch.manual_seed writes out three stacks
        mindtorch.manual_seed(3)
        for value in call.kwargs.values():
            if hasattr(value, "manual_seed"):  # a generator, which an earlier call has moved on
                value.manual_seed(3)
    with hearing() as caught:
        try:
            value, error = function(*call.args, **call.kwargs), None
        except Exception as raised:
            value, error = None, raised
    warned = tuple(t for t in map(warning_text, caught) if "ComplexHalf support" not in t)
    return Outcome(value, error, warned)


def warning_text(warning: Any) -> str:
    """Category and text of a warning, without the line of torch's source that it names."""
    text = str(warning.message).partition(" (Triggered internally at ")[0]
    return f"{warning.category.__name__}: {text}"


#: torch appends the tables of its own dispatcher and build to some texts.
_TAILS = ("This could be because the operator", "\n\nC++ CapturedTrace")
_TRACE = re.compile(r"\nException raised from [^\n]*(\n(frame #|<omitting)[^\n]*)*\n?")


#: What a call got, in the texts of parsers.
_GOT = re.compile(r"(?<=got \()[^\n]*?(?=\), but expected)|(?<=keywords were incorrect: )[^\n]*")


def _in_order(got: re.Match[str]) -> str:
    """Positional arguments as they came, keywords in order of their names: see exactness.md."""
    parts = got.group().split(", ")
    if "incorrect" in got.string[: got.start()].rpartition("\n")[2]:
        return ", ".join(sorted(parts))
    return ", ".join([*(p for p in parts if "=" not in p), *sorted(p for p in parts if "=" in p)])


def error_text(error: Exception) -> str:
    """Type and text of an error, without what describes torch's own build."""
    text = _GOT.sub(_in_order, _TRACE.sub("", str(error)))
    for tail in _TAILS:
        text = text.partition(tail)[0]
    return f"{type(error).__name__}: {text.rstrip()}"


def compare(
    ours: Outcome,
    oracle: Outcome,
    *,
    tolerance: tuple[float, float] = (0.0, 0.0),
    warnings: bool = True,
    **options: Any,
) -> list[str]:
    """What differs between two outcomes, one line each.

    :param warnings: compare those of calls that succeed, too.
    """
    if oracle.error is not None:
        want = error_text(oracle.error)
        if ours.error is None:
            return [f"no error; torch raises {want}"]
        got = error_text(ours.error)
        if got != want:
            return [f"error {got!r}; torch {want!r}"]
        return []
    if ours.error is not None:
        try:
            want = " ".join(describe(oracle.value).split())[:80]
        except NotImplementedError as error:  # a view that cannot be read
            want = f"what raises {error} when it is read"
        return [f"raised {error_text(ours.error)}; torch returns {want}"]
    rtol, atol = tolerance
    try:
        found = differences(ours.value, oracle.value, rtol=rtol, atol=atol, **options)
    except TypeError as error:
        return [str(error)]
    return found + _warned_otherwise(ours, oracle) if warnings else found


def _warned_otherwise(ours: Outcome, oracle: Outcome) -> list[str]:
    same = sorted(ours.warned) == sorted(oracle.warned)
    return [] if same else [f"warned {ours.warned}, torch {oracle.warned}"]


def bound_of(row: Row, dtype: str, result: Any) -> tuple[float, float]:
    """How far *result* of a sample of *dtype* may be off: it may be asked for in another dtype."""
    own = getattr(result, "dtype", None)
    inexact = own is not None and (own.is_floating_point or own.is_complex)
    return bound(row, str(own).removeprefix("torch.") if inexact else dtype)


def report(failures: Iterable[str]) -> None:
    """Fail with the first lines of *failures*, if there are any."""
    __tracebackhide__ = True
    lines = list(failures)
    if lines:
        rest = f"\n    … and {len(lines) - 6} more" if len(lines) > 6 else ""
        raise AssertionError(f"{len(lines)} differ:\n    " + "\n    ".join(lines[:6]) + rest)


# -- fresh tensors of both sides -------------------------------------------------------------------


def cotangent(result: Any, seed: int) -> Any:
    """A deterministic gradient for *result*, the same numbers for each framework."""
    home = mindtorch if isinstance(result, mindtorch.Tensor) else torch
    shape = tuple(result.shape)
    if not result.numel():  # from_numpy would take over numpy's strides of 0
        return home.empty(shape, dtype=result.dtype, device=result.device)
    made = home.from_numpy(_uniform(seed, shape, result.dtype.is_complex).copy())
    return made.to(result.dtype).to(result.device)


@cache
def _uniform(seed: int, shape: tuple[int, ...], is_complex: bool) -> np.ndarray:
    """Numbers between -1 and 1; a generator takes longer to make than they do."""
    rng = np.random.default_rng([7, seed])
    numbers = rng.uniform(-1, 1, shape)
    if is_complex:
        numbers = numbers + 1j * rng.uniform(-1, 1, shape)
    return np.ascontiguousarray(numbers).reshape(shape)
