"""Leaves that are filled while a process forks."""

from __future__ import annotations

import os
import threading

import mindtorch as torch
import pytest
from mindtorch.autograd.leaf_lock import leaf_lock
from mindtorch.tensor.tensor_impl import state_of


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_lock_that_a_thread_held_is_free_in_the_child():
    """It would fill no leaf again: who held it does not run there."""
    x = torch.ones(2, requires_grad=True)
    lock = leaf_lock(state_of(x))
    held, leave = threading.Event(), threading.Event()

    def fill():
        with lock:
            held.set()
            leave.wait(20)

    thread = threading.Thread(target=fill)
    thread.start()
    held.wait(20)
    child = os.fork()
    if not child:
        os._exit(0 if lock.acquire(timeout=5) else 1)
    leave.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert leaf_lock(state_of(x)) is lock
