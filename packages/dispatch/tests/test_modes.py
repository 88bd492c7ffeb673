"""Stacks of modes: order, slots, and the state word that calls see."""

from __future__ import annotations

import threading

import pytest
from mindtorch_dispatch import DispatchKey, current_masks, tls
from mindtorch_dispatch.modes import DISPATCH, FUNCTION, without_top


def test_the_last_pushed_mode_is_on_top() -> None:
    """And comes off first."""
    for mode in "ab":
        DISPATCH.push(mode)
    assert DISPATCH.top == "b" and DISPATCH.modes == ("a", "b") and DISPATCH.at(0) == "a"
    assert [DISPATCH.pop() for _ in range(2)] == [("b", None), ("a", None)]
    assert not len(DISPATCH) and DISPATCH.top is None


def test_an_empty_stack_has_nothing_to_give() -> None:
    """Popping it is an error."""
    with pytest.raises(IndexError):
        DISPATCH.pop()


def test_a_dispatch_mode_brings_the_python_key_into_every_call() -> None:
    """And takes it out again: the state word is what it was."""
    before = tls.state.get()
    DISPATCH.push("mode")
    assert DispatchKey.Python in current_masks()[0]
    assert DispatchKey.PythonTLSSnapshot in current_masks()[0]
    with without_top(DISPATCH) as mode:
        assert mode == "mode" and tls.state.get() == before
    assert DispatchKey.Python in current_masks()[0]
    DISPATCH.pop()
    assert tls.state.get() == before


def test_a_function_mode_is_a_flag_of_the_state_word() -> None:
    """The keys stay as they are."""
    masks = current_masks()
    FUNCTION.push("mode")
    assert tls.extra(tls.state.get()) & tls.FUNCTION_MODE and current_masks() == masks
    FUNCTION.pop()
    assert not tls.extra(tls.state.get()) & tls.FUNCTION_MODE


def test_slots_lie_below_and_in_their_own_order() -> None:
    """Whenever they were filled; a mode that was off the stack goes back into its slot."""
    DISPATCH.push("mode")
    DISPATCH.set("FUNCTIONAL", "functional")
    DISPATCH.set("FAKE", "fake")
    assert DISPATCH.modes == ("fake", "functional", "mode")
    assert DISPATCH.pop() == ("mode", None)
    with without_top(DISPATCH) as mode:
        assert mode == "functional" and DISPATCH.modes == ("fake",)
    assert DISPATCH.get("FUNCTIONAL") == "functional"
    assert DISPATCH.unset("FUNCTIONAL") == "functional" and DISPATCH.unset("FAKE") == "fake"
    assert not len(DISPATCH) and tls.state.get() == 0


def test_an_error_puts_the_mode_back() -> None:
    """without_top restores on exceptions."""
    FUNCTION.push("mode")
    with pytest.raises(ValueError, match="inside"), without_top(FUNCTION):
        raise ValueError("inside")
    assert FUNCTION.pop() == ("mode", None)


def test_stacks_are_each_threads_own() -> None:
    """A new thread begins with none."""
    seen: list[int] = []
    DISPATCH.push("mode")
    thread = threading.Thread(target=lambda: seen.append(len(DISPATCH) + tls.state.get()))
    thread.start()
    thread.join()
    DISPATCH.pop()
    assert seen == [0]
