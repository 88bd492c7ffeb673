"""The profiler of older releases follows the thread that begins it, and no other."""

from __future__ import annotations

import threading

import pytest

from .both_frameworks import agree, ours, part


def named(run):
    """The events of a profile, but for what operators call in turn."""
    inner = ("aten::empty", "aten::fill_")
    return [(e.name, e.is_async, e.is_legacy) for e in run.function_events if e.name not in inner]


def test_threads_have_profilers_of_their_own():
    def program(t):
        profile, found = part(t, "autograd.profiler_legacy").profile, {}
        both = threading.Barrier(2)

        def follow(name, make):
            with profile() as run:
                both.wait()
                make()
                both.wait()
            found[name] = named(run)[:1]

        threads = [
            threading.Thread(target=follow, args=each)
            for each in (("a", lambda: t.ones(2)), ("b", lambda: t.eye(2)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with profile() as run:
            other = threading.Thread(target=lambda: t.ones(2))
            other.start()
            other.join()
            kind = repr(part(t, "_C._autograd")._profiler_type())
            on = part(t, "autograd")._profiler_enabled()
        return sorted(found.items()), named(run), kind, on

    agree(program)


@pytest.mark.parametrize("inside", ["autograd.profiler_legacy", "autograd.profiler"])
def test_one_profiler_of_a_thread(inside):
    def program(t):
        with part(t, "autograd.profiler_legacy").profile():
            with pytest.raises(RuntimeError) as told:
                part(t, inside).profile().__enter__()
        with part(t, "autograd.profiler_legacy").profile() as run:
            t.ones(1)
        return str(told.value), named(run)

    agree(program)


def test_ranges_end_with_futures():
    """In a thread where there is a profiler; a range that has no end yet is not shown."""

    def program(t):
        profile, record = part(t, "autograd.profiler_legacy").profile, t.profiler.record_function
        first, second = t.futures.Future(), t.futures.Future()
        with profile() as run:
            with record("ends") as block:
                after = block._call_end_callbacks_on_future(first)
            with record("stays open") as block:
                block._call_end_callbacks_on_future(second)
            t.ones(1)
            first.set_result(3)
        return named(run), after.wait()

    agree(program)


def test_a_range_that_another_thread_ends_is_asynchronous():
    profile = part(ours, "autograd.profiler_legacy").profile
    future = ours.futures.Future()
    with profile() as run:
        with ours.profiler.record_function("ends") as block:
            after = block._call_end_callbacks_on_future(future)
        threading.Thread(target=lambda: future.set_exception(ValueError("told"))).start()
        with pytest.raises(ValueError, match="told"):
            after.wait()
    assert named(run) == [("ends", True, True)]
