"""Another thread or Ctrl-C comes in between, at the points at which CPython lets them in."""

from __future__ import annotations

import dis
import gc
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import mindtorch as torch
import mindtorch_npu
import numpy as np
import pytest
from mindtorch.backends import held
from mindtorch.backends.known_launch import launched_into
from mindtorch.call import code_shapes
from mindtorch.call.fragments import Kernel
from mindtorch_npu import backend, thread_state
from mindtorch_npu.aside import aside
from mindtorch_npu.memo_states import NO_LEAP

#: CPython lets another thread run, or raises KeyboardInterrupt, after these; but not where a
#: function of Python returns.
SWITCHES = ("CALL", "RESUME", "JUMP_BACKWARD")
#: Without a GIL another thread may do anything after each instruction.
ANYWHERE = ("",)
#: Seconds after which a thread that came in between is taken to wait for the one it interrupted.
PATIENCE = 0.003
#: More than there are points.
NEVER = 1 << 30
_FOLDER = Path(mindtorch_npu.__file__).parent
#: Not what shapes the statistics for people.
_LEFT_OUT = {str(_FOLDER / "statistics.py"), str(_FOLDER / "memory.py")}
#: The lines of known calls, compiled where they were written or before.
_GENERATED = {"<mindtorch.call.code>", code_shapes.__file__}
_WATCHED = {held.__file__, *_GENERATED, *map(str, _FOLDER.glob("*.py"))} - _LEFT_OUT


class Points:
    """Calls *reached* when the thread that has entered it comes to the n-th possible switch."""

    def __init__(
        self,
        number: int,
        reached: Callable[[], object],
        watched: Collection[str] = _WATCHED,
        switches: tuple[str, ...] = SWITCHES,
    ) -> None:
        self.left = number
        self.reached = reached
        self.watched, self.switches = watched, switches
        self._caller: FrameType | None = None  # of the last function of Python

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        # A class is called by C, which looks whether to switch when it comes back.
        self._caller = None if frame.f_code.co_name == "__init__" else frame.f_back
        if self.left < 0 or frame.f_code.co_filename not in self.watched:
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        names = _names(frame.f_code)
        previous = ""

        def step(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal previous
            if event == "return" and frame.f_code.co_name != "__init__":
                self._caller = frame.f_back
            elif event == "opcode" and self.left >= 0:
                returned = previous == "CALL" and self._caller is frame
                self._caller = None
                if previous.startswith(self.switches) and not returned:
                    self.left -= 1
                    if self.left < 0:
                        self.reached()
                previous = names[frame.f_lasti]
            return step

        return step


class Interleaving:
    """*first* up to a point, *second* up to a point in another thread, then both to the end."""

    def __init__(
        self,
        first: Callable[[], object],
        second: Callable[[], object],
        switches: tuple[str, ...] = SWITCHES,
        watched: Collection[str] = _WATCHED,
    ) -> None:
        self.errors: list[BaseException] = []
        self.first, self.second = first, second
        self.watched, self.switches = watched, switches
        self._back, self._over = threading.Event(), threading.Event()

    def run(self, number: int, inner: int) -> tuple[int, int]:
        """How many points the first had, and the second; up to those that are given."""
        there = Points(inner, self._give_way, self.watched, self.switches)
        here = Points(number, self._switch, self.watched, self.switches)
        self._thread = threading.Thread(target=self._work, args=(self.second, there))
        self._work(self.first, here)
        self._over.set()
        if here.left < 0:
            self._thread.join(20)
            assert not self._thread.is_alive(), "it hangs"
        return number - here.left, inner - there.left

    def _work(self, call: Callable[[], object], points: Points) -> None:
        try:
            with points:
                call()
        except BaseException as error:
            self.errors.append(error)
        if call == self.second:
            self._back.set()

    def _switch(self) -> None:
        self._thread.start()
        self._back.wait(PATIENCE)

    def _give_way(self) -> None:
        self._back.set()
        self._over.wait(PATIENCE)


_known: dict[CodeType, dict[int, str]] = {}


def _names(code: CodeType) -> dict[int, str]:
    if code not in _known:
        _known[code] = {each.offset: each.opname for each in dis.get_instructions(code)}
    return _known[code]


class Program:
    """Tensors of a few sizes on the NPU, made and dropped; what lives is in ``kept``."""

    def __init__(self, warm: bool) -> None:
        self.others = _living()  # what other tests have left
        self.x = torch.ones(4, device="npu")
        self.kept: list[Any] = []
        self.allocator = backend.allocator(0)
        if not warm:
            self.allocator.refresh()  # which forgets what is known
        for _ in range(4):
            self.result()
            self.free()
            self.dropped()
        for _ in range(6 if warm else 0):
            self.dropped()  # so often in a row that it is a leap

    def result(self) -> None:
        """A fresh result, and the one before it dropped."""
        y = self.x + self.x
        self.kept.append(y)

    def dropped(self) -> None:
        y = self.x + self.x
        del y

    def fresh(self) -> None:
        self.kept.append(torch.empty(1000, device="npu"))

    def free(self) -> None:
        if self.kept:
            self.kept.pop()

    def collected(self) -> None:
        """Memory that only the collector finds."""
        circle: list[Any] = [torch.empty(300, device="npu")]
        circle.append(circle)
        del circle
        gc.collect(0)

    def books(self) -> None:
        torch.npu.memory_snapshot()

    def statistics(self) -> None:
        torch.npu.memory_stats()

    def emptied(self) -> None:
        torch.npu.empty_cache()


#: What is interrupted, and what comes in between.
FIRST = ("result", "dropped", "fresh", "collected", "books", "statistics", "emptied")
SECOND = ("dropped", "fresh", "free", "books", "emptied")
#: So many places are tried for each pair; short ones have fewer.
TRIED = 4


def _interleaved(
    first: str,
    second: str,
    warm: bool,
    number: int,
    inner: int,
    switches: tuple[str, ...] = SWITCHES,
) -> tuple[int, int]:
    """Let both run; how many points each had, as far as it was watched."""
    program = Program(warm)
    interleaving = Interleaving(getattr(program, first), getattr(program, second), switches)
    gc.disable()
    try:
        counts = interleaving.run(number, inner)
    finally:
        gc.enable()
    assert not interleaving.errors, (first, second, warm, number, inner, interleaving.errors)
    _balanced(program)
    return counts


def _balanced(program: Program) -> None:
    """No two living tensors share memory, and no byte is lost once they are gone."""
    pointers = [t.data_ptr() for t in (program.x, *program.kept)]
    assert len(set(pointers)) == len(pointers)
    sizes = [(4 * t.numel() + 511) // 512 * 512 for t in (program.x, *program.kept)]
    allocated, blocks = program.others
    assert torch.npu.memory_allocated() == allocated + sum(sizes)
    assert program.allocator.walk.last is not NO_LEAP
    program.kept.clear()
    del program.x
    assert _living() == program.others
    stats = torch.npu.memory_stats()
    given = stats["allocation.all.allocated"] - stats["allocation.all.freed"]
    assert given == stats["allocation.all.current"] == blocks


def _living() -> tuple[int, int]:
    """Bytes and blocks in use, as the counters say it and as the snapshot shows it."""
    blocks = [
        b
        for s in torch.npu.memory_snapshot()
        for b in s["blocks"]
        if b["state"] != "inactive" and s["device"] == 0
    ]
    assert sum(b["size"] for b in blocks) == torch.npu.memory_allocated()
    return torch.npu.memory_allocated(), len(blocks)


@pytest.mark.parametrize("switches", [SWITCHES, ANYWHERE], ids=["gil", "free_threaded"])
@pytest.mark.parametrize("first", FIRST)
def test_another_thread_at_every_point(first: str, switches: tuple[str, ...]) -> None:
    """Fresh results, frees, snapshots and flushes stay whole wherever another thread comes in."""
    torch.npu.synchronize()
    gc.collect()  # what others left behind in circles is not to go in the middle
    torch.npu.empty_cache()  # nor what other streams used when it was freed
    rng = random.Random(first)
    for second in SECOND:
        for warm in (False, True):
            outer, _ = _interleaved(first, second, warm, NEVER, NEVER, switches)
            inner, _ = _interleaved(second, first, warm, NEVER, NEVER, switches)
            places = range(outer * (inner + 1))
            for place in rng.sample(places, min(TRIED, len(places))):
                _interleaved(first, second, warm, *divmod(place, inner + 1), switches)


def _interrupted(first: str, warm: bool, number: int) -> int:
    """Ctrl-C at that point; how many points there were up to it."""
    program = Program(warm)
    here = Points(number, lambda: signal.raise_signal(signal.SIGINT))
    gc.disable()
    try:
        with here:
            getattr(program, first)()
    except KeyboardInterrupt:
        assert here.left < 0
    else:
        assert here.left >= 0
    finally:
        gc.enable()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    _balanced(program)
    return number - here.left


@pytest.mark.parametrize("first", FIRST)
def test_an_interrupt_at_every_point(first: str) -> None:
    """Ctrl-C is heard wherever it comes, and finds the allocator's books whole."""
    torch.npu.synchronize()
    gc.collect()  # what others left behind in circles is not to go in the middle
    torch.npu.empty_cache()  # nor what other streams used when it was freed
    rng = random.Random(first)
    for warm in (False, True):
        points = range(_interrupted(first, warm, NEVER))
        for number in rng.sample(points, min(4 * TRIED, len(points))):
            _interrupted(first, warm, number)


class Writers:
    """Threads that launch kernels of one stream, each of which writes to the same tensor."""

    def __init__(self) -> None:
        self.x = torch.zeros(4, device="npu")
        self.queue = thread_state.current_queue(0)
        self.writes: list[int] = []
        kernel = Kernel(_more, (0,), (), False, False)
        launching = launched_into("aten::add_", self.x.device, 1, kernel)
        self.launch = launching.call("target", "a", result="None")
        self.written()
        torch.npu.synchronize()

    def written(self) -> None:
        """At once, where the stream is idle."""
        self.writes.append(1)
        self.launch(self.x._a_, self.x._a_)

    def queued(self) -> None:
        """By the stream's worker, or who waits."""
        self.writes.append(1)
        self.queue.enqueue(lambda: np.copyto(self.x._a_, _more(self.x._a_)))

    def awaited(self) -> None:
        self.written()
        ticket = self.queue.last()
        if ticket is not None:
            self.queue.finish(ticket)


def _more(x: Any) -> Any:
    """A kernel whose result is wrong where another one runs at the same time."""
    before = x.copy()
    return before + 1


WRITERS = ("written", "queued", "awaited")


@pytest.mark.parametrize("switches", [SWITCHES, ANYWHERE], ids=["gil", "free_threaded"])
@pytest.mark.parametrize("first", WRITERS)
def test_another_thread_in_the_middle_of_a_launch(first: str, switches: tuple[str, ...]) -> None:
    """Kernels of a stream run once, one after the other; none is forgotten where nobody waits."""
    rng = random.Random(first)
    watched = {*_WATCHED, __file__}
    for second in WRITERS:

        def run(number: int, inner: int, second: str = second) -> int:
            writers = Writers()
            calls = getattr(writers, first), getattr(writers, second)
            interleaving = Interleaving(*calls, switches, watched)
            found, _ = interleaving.run(number, inner)
            assert not interleaving.errors, (first, second, number, inner, interleaving.errors)
            until = time.monotonic() + 2  # the worker needs neither this long nor any help
            while not writers.queue.query() and time.monotonic() < until:
                time.sleep(1e-4)
            assert writers.queue.turn.is_free() and not writers.queue.entries
            assert writers.x.tolist() == [len(writers.writes)] * 4, (first, second, number, inner)
            return found

        outer = run(NEVER, NEVER)
        for number in rng.sample(range(outer), min(6 * TRIED, outer)):
            run(number, rng.randrange(outer + 1))


class Leavers:
    """Threads that leave the default stream, for good or to learn aside, and launch."""

    def __init__(self) -> None:
        thread_state.ever_left = False  # as in a process in which no thread ever did
        thread_state._apart = 0  # Ctrl-C may leave some, who are asked for in vain
        with aside(0):
            pass
        self.default = backend.current_queue(0)
        self.x = torch.zeros(4, device="npu")
        kernel = Kernel(_more, (0,), (), False, False)
        launching = launched_into("aten::add_", self.x.device, 1, kernel)
        self.launch = launching.call("target", "a", result="queue")
        assert thread_state.everywhere[0].queue is self.default

    def leaving(self) -> None:
        with torch.npu.stream(torch.npu.Stream(0)):
            assert self.launch(self.x._a_, self.x._a_) is backend.current_queue(0) != self.default
        assert self.launch(self.x._a_, self.x._a_) is self.default

    def learning(self) -> None:
        with aside(0):
            assert self.launch(self.x._a_, self.x._a_) is backend.current_queue(0) != self.default
        assert self.launch(self.x._a_, self.x._a_) is self.default

    def staying(self) -> None:
        assert self.launch(self.x._a_, self.x._a_) is self.default


LEAVERS = ("leaving", "learning", "staying")


@pytest.mark.parametrize("first", LEAVERS)
def test_a_launch_goes_to_the_stream_of_its_thread(first: str) -> None:
    """Whichever stream other threads come to use or leave meanwhile."""
    rng = random.Random(first)
    watched = {thread_state.__file__, __file__}
    for second in LEAVERS:

        def run(number: int, inner: int, second: str = second) -> int:
            leavers = Leavers()
            calls = getattr(leavers, first), getattr(leavers, second)
            interleaving = Interleaving(*calls, ANYWHERE, watched)
            found, _ = interleaving.run(number, inner)
            assert not interleaving.errors, (first, second, number, inner, interleaving.errors)
            return found

        outer = run(NEVER, NEVER)
        for number in rng.sample(range(outer), min(6 * TRIED, outer)):
            run(number, rng.randrange(outer + 1))


def test_who_leaves_while_it_is_worked_out_who_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal's handler, say, that leaves the default stream for good."""
    leavers = Leavers()
    driver, other = thread_state.driver(), torch.npu.Stream(0)
    queue = type(driver).queue

    def leaving(self: Any, device_index: int, stream_id: int) -> Any:
        monkeypatch.undo()
        torch.npu.set_stream(other)
        return queue(self, device_index, stream_id)

    with aside(0):
        monkeypatch.setattr(type(driver), "queue", leaving)
    try:
        assert leavers.launch(leavers.x._a_, leavers.x._a_) is other._queue
    finally:
        torch.npu.set_stream(torch.npu.default_stream(0))


@pytest.mark.parametrize("first", LEAVERS)
def test_an_interrupt_while_streams_change(first: str) -> None:
    """Ctrl-C leaves no thread with a stream that is not its own."""
    rng = random.Random(first)

    def run(number: int) -> int:
        leavers = Leavers()
        here = Points(number, lambda: signal.raise_signal(signal.SIGINT))
        try:
            with here:
                getattr(leavers, first)()
        except KeyboardInterrupt:
            assert here.left < 0
        for name in LEAVERS:
            getattr(leavers, name)()
        return number - here.left

    points = range(run(NEVER))
    for number in rng.sample(points, min(12 * TRIED, len(points))):
        run(number)
