"""The helpers fail when they should: with a silent oracle, and for every kind of difference.

Real torch stands on both sides, so that each difference is made on purpose and alone.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch

from tests.contract import batches
from tests.contract.helpers import assert_same_value, assert_torch_error


def fail(error: Exception):
    def raising() -> None:
        raise error

    return raising


class CustomError(RuntimeError):
    pass


def test_same_error_passes():
    """One type name and one text on both sides is what the helper asks for."""
    assert_torch_error(lambda: torch.ones(2).view(3), lambda: torch.ones(2).view(3))


def test_error_helper_fails_when_the_oracle_is_silent():
    """An oracle that raises nothing is a broken test, even when ours raises nothing too."""
    with pytest.raises(AssertionError, match="oracle raised nothing"):
        assert_torch_error(fail(ValueError("x")), lambda: 1)
    with pytest.raises(AssertionError, match="oracle raised nothing"):
        assert_torch_error(lambda: 1, lambda: 1)


def test_error_helper_fails_when_ours_is_silent():
    """Ours must raise too, and the message says what is missing."""
    with pytest.raises(AssertionError, match="torch raises ValueError: x"):
        assert_torch_error(lambda: 1, fail(ValueError("x")))


@pytest.mark.parametrize(
    "ours, oracle",
    [
        (TypeError("x"), ValueError("x")),
        (CustomError("x"), RuntimeError("x")),
        (RuntimeError("x"), CustomError("x")),
        (type("KeyError", (LookupError,), {})("x"), KeyError("x")),
    ],
    ids=["other", "subclass", "superclass", "namesake"],
)
def test_error_helper_compares_types(ours, oracle):
    """Neither a subclass nor a namesake with other bases passes for the oracle's type."""
    with pytest.raises(AssertionError, match="type differs"):
        assert_torch_error(fail(ours), fail(oracle))


def test_error_helper_compares_the_whole_text():
    """A prefix of the text is not the text."""
    with pytest.raises(AssertionError, match="text differs"):
        assert_torch_error(fail(ValueError("ab")), fail(ValueError("abc")))


def test_error_helper_lets_an_interrupt_through():
    """Only exceptions are outcomes; a KeyboardInterrupt ends the test run."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assert_torch_error(interrupt, fail(ValueError("x")))


def test_value_helper_fails_when_the_oracle_returns_none():
    """None is what a forgotten return gives, so it is no value."""
    with pytest.raises(AssertionError, match="oracle returned None"):
        assert_same_value(lambda: None, lambda: None)


def test_value_helper_fails_when_the_oracle_raises():
    """Errors are compared by the other helper."""
    with pytest.raises(AssertionError, match="oracle raised ValueError: x"):
        assert_same_value(fail(ValueError("x")), fail(ValueError("x")))


def test_value_helper_fails_when_ours_raises():
    """The message names our error and the oracle's value."""
    with pytest.raises(AssertionError, match="ours raised ValueError: x\ntorch returned 1"):
        assert_same_value(fail(ValueError("x")), lambda: 1)


NAN = float("nan")
ONES = torch.ones(2, 3)


@pytest.mark.parametrize(
    "value",
    [
        ONES,
        torch.tensor([NAN, -0.0, float("inf")]),
        torch.tensor([1.5, NAN], dtype=torch.bfloat16),
        torch.tensor(complex(NAN, -0.0)),
        torch.ones(2, device="meta"),
        torch.zeros(0, 3),
        torch.ones(2, dtype=torch.cfloat).conj(),
        (ONES, [1, 2.0, NAN], {"a": ONES, "b": None}),
        ONES.max(1),
        torch.Size([1, 2]),
        torch.float32,
        torch.device("cpu"),
        np.float64(1.0),
        np.arange(3),
        "text",
        slice(1, None),
    ],
    ids=lambda v: type(v).__name__,
)
def test_equal_values_pass(value):
    """Every kind of value equals itself, NaN included."""
    assert_same_value(lambda: value, lambda: value)


@pytest.mark.parametrize(
    "ours, oracle, said",
    [
        (ONES, ONES.double(), r"dtype: torch.float32, torch has torch.float64"),
        (ONES, torch.ones(3, 2), r"shape: \(2, 3\), torch has \(3, 2\)"),
        (ONES, torch.ones(3, 2).t(), r"strides: \(3, 1\), torch has \(1, 2\)"),
        (ONES, ONES.clone().requires_grad_(), "requires_grad: False, torch has True"),
        (ONES, torch.ones(2, 3, device="meta"), "device: cpu, torch has meta"),
        (ONES, torch.nn.Parameter(ONES), "type Tensor, torch has Parameter"),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), r"1 of 2 elements differ, first at \[1\]"),
        (torch.tensor(0.0), torch.tensor(-0.0), "elements differ"),
        (torch.tensor(1.0), torch.tensor(NAN), "elements differ"),
        (torch.tensor(1.0), torch.tensor(1.0000001), "worst gap 1.19e-07"),
        (torch.tensor(1j), torch.tensor(complex(-0.0, 1)), "elements differ"),
        (
            torch.tensor([1.0], dtype=torch.bfloat16),
            torch.tensor([1.0078125], dtype=torch.bfloat16),
            "elements differ",
        ),
        ((1, 2), [1, 2], "type tuple, torch has list"),
        ((1, 2), torch.Size([1, 2]), "type tuple, torch has Size"),
        ((1, 2), (1, 2, 3), "2 items, torch has 3"),
        ((1, 2), (1, 3), r"value\[1\]: 2, torch has 3"),
        ({"a": 1}, {"b": 1}, r"keys \['a'\], torch has \['b'\]"),
        ({"a": [ONES]}, {"a": [ONES * 2]}, r"value\['a'\]\[0\]: 6 of 6 elements differ"),
        (1, 1.0, "type int, torch has float"),
        (True, 1, "type bool, torch has int"),
        (0.0, -0.0, "elements differ"),
        (torch.float32, torch.float64, "torch.float32, torch has torch.float64"),
        (np.arange(3), np.arange(3.0), "int64"),
        ("a", "b", "'a', torch has 'b'"),
    ],
)
def test_value_helper_names_the_difference(ours, oracle, said):
    """Each difference alone makes the comparison fail, and the message says where it is."""
    with pytest.raises(AssertionError, match=said):
        assert_same_value(lambda: ours, lambda: oracle)


def test_tolerance_is_opt_in():
    """Numbers are compared bit by bit unless a tolerance is given."""
    ours, oracle = torch.tensor([1.0, NAN]), torch.tensor([1.0001, NAN])
    assert_same_value(lambda: ours, lambda: oracle, rtol=1e-3)
    with pytest.raises(AssertionError, match="elements differ"):
        assert_same_value(lambda: ours, lambda: oracle, rtol=1e-5)


def test_strides_and_device_can_be_left_out():
    """For oracles that lack the device, or whose strides depend on their build."""
    assert_same_value(lambda: ONES, lambda: torch.ones(3, 2).t(), strides=False)
    meta = torch.ones(2, 3, device="meta")
    assert_same_value(lambda: ONES, lambda: meta, device=False)


def test_unknown_types_are_refused():
    """A value that the helper cannot look into never counts as equal."""
    with pytest.raises(TypeError, match="cannot be compared"):
        assert_same_value(object, object)


# -- many cases in one item ------------------------------------------------------------------------


def _batch(monkeypatch, outcomes, listed=()):
    monkeypatch.setattr(batches, "listed", lambda: frozenset(listed))
    ran = []

    @batches.every("case", list(outcomes))
    def test_batch(name, case):
        ran.append(f"{name} {case}")
        outcomes[case]()

    return test_batch, ran


def _fails():
    raise AssertionError("no")


def test_every_case_of_a_batch_runs_and_each_failure_is_told(monkeypatch):
    """The first failure does not hide the others."""
    batch, ran = _batch(monkeypatch, {"a": _fails, "b": lambda: None, "c": _fails})
    assert list(inspect.signature(batch).parameters) == ["name"]
    with pytest.raises(AssertionError, match="^case a: no\ncase c: no$"):
        batch(name="x")
    assert ran == ["x a", "x b", "x c"]


def test_listed_cases_of_a_batch_must_fail(monkeypatch):
    """One that holds is as wrong as one that fails unlisted."""
    listed = {f"test_helpers.py::test_batch[x-{case}]" for case in "ab"}
    batch, _ = _batch(monkeypatch, {"a": _fails, "b": _fails, "c": lambda: None}, listed)
    batch(name="x")
    with pytest.raises(AssertionError, match="^case a: no\ncase b: no$"):
        batch(name="y")
    batch, _ = _batch(monkeypatch, {"a": _fails, "b": lambda: None}, listed)
    with pytest.raises(AssertionError, match="^case b holds now: delete its line$"):
        batch(name="x")


def test_a_batch_is_skipped_where_all_its_cases_are(monkeypatch):
    """And fails outright, saying where, with an error that is no failed comparison."""

    def skips():
        pytest.skip("not here")

    batch, ran = _batch(monkeypatch, {"a": skips, "b": skips})
    with pytest.raises(pytest.skip.Exception):
        batch(name="x")
    assert len(ran) == 2
    batch, _ = _batch(monkeypatch, {"a": skips, "b": lambda: None})
    batch(name="x")
    batch, _ = _batch(monkeypatch, {"a": lambda: 1 / 0})
    with pytest.raises(ZeroDivisionError) as caught:
        batch(name="x")
    assert caught.value.__notes__ == ["case: a"]
