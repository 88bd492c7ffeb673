"""A KeyboardInterrupt right after any change of a thread's state leaves none of it behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mindtorch_autograd import (
    anomaly,
    backward,
    detect_anomaly,
    enable_grad,
    engine,
    grad,
    grad_mode,
    graph_task,
    inference_mode,
    no_grad,
    queue_callback,
    saved_tensors_hooks,
    saved_variable,
)
from mindtorch_autograd.testing import Var


class Interrupting:
    """In place of a context variable: the interrupt comes with the n-th change of it."""

    def __init__(self, variable: Any, nth: int) -> None:
        self.variable = variable
        self.left = nth
        self.get = variable.get

    def set(self, value: Any) -> Any:
        token = self.variable.set(value)
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return token


def state() -> tuple[Any, ...]:
    return (
        grad_mode.state.get(),
        graph_task.current_graph_task(),
        saved_variable.current_saved_tensors_hooks(),
        anomaly.enabled,
    )


def of_backward() -> Callable[[], Any]:
    x = Var(3.0, True)
    y = x * x
    return lambda: backward(y)


def of_grad() -> Callable[[], Any]:
    x = Var(3.0, True)
    y = x * x
    return lambda: grad(y, x, create_graph=True)


def of_callback() -> Callable[[], Any]:
    x = Var(3.0, True)
    y = x * x
    y.grad_fn.register_hook(lambda *_: queue_callback(lambda: None))
    return lambda: backward(y)


def entering(manager: Callable[[], Any]) -> Callable[[], Callable[[], Any]]:
    return lambda: manager().__enter__


PLACES = {
    "backward": (engine, "state", of_backward),
    "grad": (engine, "state", of_grad),
    "callback": (engine, "state", of_callback),
    "no_grad": (grad_mode, "state", entering(no_grad)),
    "enable_grad": (grad_mode, "state", entering(enable_grad)),
    "inference_mode": (grad_mode, "state", entering(inference_mode)),
    "hooks": (saved_variable, "_stack", entering(lambda: saved_tensors_hooks(id, id))),
    "hooks, rare": (grad_mode, "state", entering(lambda: saved_tensors_hooks(id, id))),
    "anomaly": (grad_mode, "state", entering(detect_anomaly)),
}


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_left_behind(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever change the interrupt comes with; the first is always reached."""
    module, name, prepare = PLACES[place]
    before = state()
    for nth in (1, 2, 3):
        call = prepare()
        variable = Interrupting(getattr(module, name), nth)
        with monkeypatch.context() as patch:
            patch.setattr(module, name, variable)
            try:
                call()
                done = True
            except KeyboardInterrupt:
                done = False
        if done:
            assert nth > 1
            leave = getattr(getattr(call, "__self__", None), "__exit__", None)
            if leave is not None:
                leave(None, None, None)
        assert state() == before
    again = of_backward()
    assert again() is None
