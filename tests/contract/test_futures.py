"""``torch.futures``: values that are there later."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

from .both_frameworks import agree, ours, refuse

pytestmark = pytest.mark.oracle


def done(t, value=None):
    future = t.futures.Future()
    future.set_result(value)
    return future


def failed(t):
    future = t.futures.Future()
    future.set_exception(ValueError("boo"))
    return future


def test_values():
    def program(t):
        f = t.futures.Future()
        heard = []
        after = f.then(lambda f: f.wait() + 1)
        f.add_done_callback(lambda f: heard.append(f.value()))
        before = f.done(), after.done(), list(heard)
        f.set_result(3)
        late = f.then(lambda f: f.value() * 2)
        f.add_done_callback(lambda f: heard.append("late"))
        return before, f.done(), f.wait(), f.value(), after.wait(), late.wait(), heard

    agree(program)


def test_several():
    def program(t):
        f, g = t.futures.Future(), done(t, 2)
        whole = t.futures.collect_all([f, g])
        before = whole.done()
        f.set_result(1)
        return (
            before,
            [x.wait() for x in whole.wait()],
            t.futures.wait_all([f, g]),
            t.futures.collect_all([]).wait(),
            t.futures.wait_all([]),
        )

    agree(program)


def test_a_failure_ends_all():
    """Of a callback: also where others are not there yet. An exception that was set is a value."""

    def program(t):
        def boo(name):
            def fails(_):
                raise ValueError(name)

            return fails

        f, g, h = (t.futures.Future() for _ in range(3))
        whole = t.futures.collect_all([f, g.then(boo("g")), h.then(boo("h"))])
        found = [whole.done()]
        h.set_result(1)
        found.append(whole.done())
        g.set_result(1)
        f.set_result(1)
        k, m = t.futures.Future(), t.futures.Future()
        set_ones = t.futures.collect_all([k, m])
        m.set_exception(ValueError("m"))
        found.append(set_ones.done())
        k.set_exception(ValueError("k"))
        for each in (whole, set_ones):
            try:
                each.wait()
            except (RuntimeError, ValueError) as e:
                found.append(str(e).splitlines()[0])
        return found

    agree(program)


@pytest.mark.parametrize(
    "program",
    [
        lambda t: done(t, 1).set_result(2),
        lambda t: failed(t).value(),
        lambda t: failed(t).wait(),
        lambda t: done(t).set_exception(3),
        lambda t: t.futures.wait_all([done(t, 1), failed(t)]),
        lambda t: t.futures.collect_all([done(t, 1), failed(t)]).wait(),
        lambda t: t.futures.collect_all(3),
        lambda t: t.futures.Future(devices=["cpu"]),
        lambda t: t.futures.Future(devices=["cuda:0", "cpu"]),
        lambda t: t.futures.Future(3),
        lambda t: copy.copy(t.futures.Future()),
        lambda t: pickle.dumps(t.futures.Future()),
    ],
)
def test_refusals(program):
    assert refuse(program)[1]


def test_errors_of_callbacks_are_told_with_their_place():
    def program(t):
        try:
            done(t, 3).then(lambda f: 1 / 0).wait()
        except RuntimeError as error:
            lines = str(error).split("\n")
            return lines[:3], lines[3].rpartition("(")[0]

    agree(program)


def test_a_value_that_is_not_there_is_refused():
    with pytest.raises(RuntimeError, match="INTERNAL ASSERT FAILED"):
        ours.futures.Future().value()


def test_threads_wait():
    future = ours.futures.Future()
    found = []
    waiting = [threading.Thread(target=lambda: found.append(future.wait())) for _ in range(3)]
    for thread in waiting:
        thread.start()
    future.set_result(5)
    for thread in waiting:
        thread.join(10)
    assert found == [5, 5, 5]


def test_kinds():
    def program(t):
        F = t.futures.Future
        return (
            t.Future is t._C.Future,
            issubclass(F, t._C.Future),
            isinstance(done(t, 1).then(lambda f: 1), t._C.Future),
            t.jit.Future is F,
        )

    agree(program)
