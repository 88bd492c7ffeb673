"""Grad modes, saved-tensor hooks, anomaly mode."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from mindtorch_autograd import (
    anomaly,
    disable_saved_tensors_hooks,
    enable_grad,
    grad_mode,
    inference_mode,
    is_grad_enabled,
    no_grad,
    saved_tensors_hooks,
    set_detect_anomaly,
    set_grad_enabled,
    set_multithreading_enabled,
)
from mindtorch_autograd.testing import Var


def test_modes_nest_and_survive_exceptions() -> None:
    """Each manager restores what it found."""
    with no_grad():
        with enable_grad():
            assert is_grad_enabled()
        assert not is_grad_enabled()
        with pytest.raises(ZeroDivisionError), set_grad_enabled(True):
            raise ZeroDivisionError
        assert not is_grad_enabled()
    assert is_grad_enabled()


def test_set_grad_enabled_acts_at_once() -> None:
    """Called plainly it switches the thread; a wrong type is refused with torch's text."""
    set_grad_enabled(False)
    assert not is_grad_enabled()
    set_grad_enabled(True)
    with pytest.raises(TypeError) as caught:
        set_grad_enabled(3)
    assert str(caught.value) == (
        "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not int"
    )


@pytest.mark.parametrize(
    "manager", [no_grad(), no_grad, set_grad_enabled, inference_mode(), inference_mode]
)
def test_decorated_function_runs_in_the_mode(manager: Any) -> None:
    """With or without parentheses; the mode of the caller is untouched."""
    if manager is set_grad_enabled:
        manager = set_grad_enabled(False)

    @manager
    def f() -> bool:
        """Doc."""
        return is_grad_enabled()

    assert f.__doc__ == "Doc."
    assert is_grad_enabled()
    assert not f()
    assert is_grad_enabled()


def test_decorated_generator_switches_at_each_step() -> None:
    """Between its steps the caller's own mode is back; send, throw and return work."""

    @no_grad()
    def steps() -> Iterator[Any]:
        got = yield is_grad_enabled()
        try:
            yield got, is_grad_enabled()
        except KeyError:
            yield "caught", is_grad_enabled()
        return "end"

    g = steps()
    assert next(g) is False
    assert is_grad_enabled()
    assert g.send(5) == (5, False)
    assert g.throw(KeyError()) == ("caught", False)
    with pytest.raises(StopIteration) as stop:
        next(g)
    assert stop.value.value == "end"
    assert is_grad_enabled()


def test_decorated_coroutine_runs_in_the_mode() -> None:
    """An async function is in the mode also after an await."""

    @no_grad()
    async def f() -> bool:
        await asyncio.sleep(0)
        return is_grad_enabled()

    assert asyncio.run(f()) is False


def test_decorated_class_warns() -> None:
    """torch deprecates this."""
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):

        @no_grad()
        class Thing:
            def __init__(self) -> None:
                self.mode = is_grad_enabled()

    assert Thing().mode is False


def test_inference_mode_sets_its_bit() -> None:
    """inference_mode(False) inside brings recording back."""
    with inference_mode():
        assert grad_mode.state.get() & 3 == grad_mode.INFERENCE
        with inference_mode(False):
            assert grad_mode.state.get() & 3 == grad_mode.GRAD_ENABLED
        assert grad_mode.is_inference_mode_enabled()
    assert not grad_mode.is_inference_mode_enabled()


def test_each_thread_starts_recording() -> None:
    """The mode is the thread's own."""
    seen: list[bool] = []
    with no_grad():
        thread = threading.Thread(target=lambda: seen.append(is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_multithreading_switch_restores() -> None:
    """It is a context manager."""
    with set_multithreading_enabled(False):
        assert not grad_mode.is_multithreading_enabled()
    assert grad_mode.is_multithreading_enabled()


def test_saved_hooks_pack_and_unpack() -> None:
    """The innermost pair packs what is saved and unpacks what is used; the RARE bit is set."""
    x = Var(3.0, True)
    log: list[str] = []
    with saved_tensors_hooks(lambda v: log.append("outer"), lambda v: v):
        with saved_tensors_hooks(lambda v: log.append("pack") or v.value, lambda n: Var(n)):
            assert grad_mode.state.get() & grad_mode.RARE
            y = x * x
    assert not grad_mode.state.get() & grad_mode.RARE
    y.backward()
    assert log == ["pack", "pack"]
    assert x.grad.value == 6.0


def test_saved_hooks_are_checked() -> None:
    """torch's texts for a hook that changes its input, and for one that gives no value back."""
    x = Var(3.0, True)
    with (
        pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input"),
        saved_tensors_hooks(lambda v: v.add_(1.0), lambda v: v),
    ):
        x * x
    with saved_tensors_hooks(lambda v: v, lambda v: 3):
        y = x * x
    with pytest.raises(TypeError) as caught:
        y.backward()
    assert str(caught.value) == (
        "Output of saved tensor unpack_hook expected to be a Tensor but got result of type int"
    )
    assert not grad_mode.state.get() & grad_mode.RARE


def test_saved_hooks_can_be_forbidden() -> None:
    """Entering hooks raises the given text, and so does forbidding while some are active."""
    pair = saved_tensors_hooks(lambda v: v, lambda v: v)
    with disable_saved_tensors_hooks("not here"), pytest.raises(RuntimeError, match="not here"):
        pair.__enter__()
    with pair, pytest.raises(RuntimeError, match="no"):
        disable_saved_tensors_hooks("no").__enter__()


def test_anomaly_finds_nan_and_names_the_forward_call() -> None:
    """The error says which output, the warning where the op was called."""
    x = Var(float("nan"), True)
    with set_detect_anomaly(True):
        y = x * 1.0
        anomaly.record_forward_call(y.grad_fn)
        z = Var(1.0, True) * y
        with (
            pytest.warns(UserWarning, match="No forward pass information available"),
            pytest.raises(RuntimeError) as error,
        ):
            z.backward()
    assert str(error.value) == "Function 'MulBackward0' returned nan values in its 0th output."
    with (
        set_detect_anomaly(True),
        pytest.warns(UserWarning, match="(?s)Traceback of forward call.*test_modes.py"),
        pytest.raises(RuntimeError, match="1th output"),
    ):
        (x * 1.0)
        y = x * 1.0
        anomaly.record_forward_call(y.grad_fn)
        y.backward()
    assert not anomaly.is_anomaly_enabled()


def test_anomaly_without_nan_check() -> None:
    """check_nan=False only traces."""
    x = Var(float("nan"), True)
    with set_detect_anomaly(True, check_nan=False):
        (x * 1.0).backward()
    assert x.grad.value == 1.0
