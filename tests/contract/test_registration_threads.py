"""Registering while other threads call: every call sees the registrations before or after."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import mindtorch as torch

C = torch._C
SECONDS = 0.5
SPACE = "registration_threads"


@contextmanager
def fine_switching() -> Iterator[None]:
    """Threads take turns often: what can be torn is torn sooner."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    sys.setswitchinterval(before)


def together(*jobs: Callable[[], None]) -> Counter[str]:
    """Run each job again and again in a thread of its own; how often each was done."""
    done: Counter[str] = Counter()
    failed: list[BaseException] = []
    end = time.monotonic() + SECONDS

    def work(job: Callable[[], None], name: str) -> None:
        try:
            while time.monotonic() < end and not failed:
                job()
                done[name] += 1
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(j, str(i))) for i, j in enumerate(jobs)]
    with fine_switching():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
    assert all(done[str(i)] for i in range(len(jobs))), done
    return done


def test_calls_while_kernels_come_and_go() -> None:
    """An op of one's own and a row's, called plainly and for gradients, dumped and listed."""
    lib = torch.library.Library(SPACE, "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    x = torch.ones(3)
    f = torch.ops.registration_threads.f

    def call_own() -> None:
        assert f(x).tolist()[0] in (2.0, 102.0)

    def call_row() -> None:
        assert x.add(x).tolist()[0] in (2.0, 77.0)

    def differentiate() -> None:
        g = x.clone().requires_grad_()
        (g * 3).sum().backward()
        assert g.grad is not None and g.grad.tolist() == [3.0, 3.0, 3.0]

    def ask() -> None:
        assert f"{SPACE}::f" in C._dispatch_get_all_op_names()
        assert C._dispatch_dump_table(f"{SPACE}::f").count("\nCPU: ") <= 1
        assert " 102" not in C._dispatch_dump(f"{SPACE}::f")

    def override() -> None:
        # nobody else overrides: what a thread resolved before must not be there any more
        for _ in range(20):
            assert f(x).tolist()[0] == 2.0 and x.add(x).tolist()[0] == 2.0
        own = torch.library.Library(SPACE, "IMPL")
        own.impl("f", lambda x: torch.full((3,), 102.0), "CPU")
        row = torch.library.Library("aten", "IMPL")
        row.impl("add.Tensor", lambda a, b, alpha=1: torch.full((3,), 77.0), "CPU")
        own._destroy()
        row._destroy()

    def define() -> None:
        other = torch.library.Library(f"{SPACE}_new", "FRAGMENT")
        other.define("g(Tensor x) -> Tensor")
        other.impl("g", lambda x: x * 4, "CompositeImplicitAutograd")
        assert torch.ops.registration_threads_new.g(x).tolist()[0] == 4.0
        other._destroy()

    def fall_back() -> None:
        every = torch.library.Library("_", "IMPL")
        every.fallback(torch.library.fallthrough_kernel, "Named")
        every._destroy()

    together(call_own, call_row, differentiate, ask, override, define, fall_back)
    assert f(x).tolist()[0] == 2.0 and x.add(x).tolist()[0] == 2.0
    C._dispatch_check_all_invariants()
    lib._destroy()


def test_masks_of_a_thread_are_its_own() -> None:
    """Guards in one thread, none in another; a new thread starts with torch's defaults."""
    key = C.DispatchKey.Functionalize
    start = str(C._dispatch_tls_local_include_set()), str(C._dispatch_tls_local_exclude_set())

    def guarded() -> None:
        with C._ExcludeDispatchKeyGuard(C.DispatchKeySet(key)), C._AutoDispatchBelowAutograd():
            assert C._dispatch_tls_is_dispatch_key_excluded(key)
            g = torch.ones(2, requires_grad=True)
            assert not (g * 2).requires_grad

    def plain() -> None:
        assert not C._dispatch_tls_is_dispatch_key_excluded(key)
        g = torch.ones(2, requires_grad=True)
        assert (g * 2).requires_grad

    def started() -> None:
        seen = []

        def look() -> None:
            seen.append(
                (str(C._dispatch_tls_local_include_set()), str(C._dispatch_tls_local_exclude_set()))
            )

        with C._IncludeDispatchKeyGuard(C._dispatch_key_parse("Named")):
            thread = threading.Thread(target=look)
            thread.start()
            thread.join()
        assert seen == [start]

    together(guarded, plain, started)
