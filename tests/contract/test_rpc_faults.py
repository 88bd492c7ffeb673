"""Remote calls whose messages are lost or late."""

from __future__ import annotations

import importlib
import socket
import warnings
from contextlib import contextmanager

import pytest

from .both_frameworks import agree, ours, part

#: By framework, its backends with the faulty one, which is registered once.
known = {}


@contextmanager
def faulty_worker(t, lost=(), late=None):
    """RPC of the framework *t* with the worker ``w``, some of whose messages are lost or late."""
    rpc = part(t, "distributed.rpc")
    registry = rpc.backend_registry
    before = registry.BackendType
    part(t, "distributed.rpc._testing")
    registry.BackendType = known.setdefault(t, registry.BackendType)
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    backend = registry.BackendType["FAULTY_TENSORPIPE"]
    options = registry.construct_rpc_backend_options(
        backend,
        init_method=f"tcp://localhost:{port}",
        num_worker_threads=4,
        num_fail_sends=1,
        messages_to_fail=list(lost),
        messages_to_delay=late or {},
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "You are using a Backend")  # of torch to itself
        rpc.init_rpc("w", backend, rank=0, world_size=1, rpc_backend_options=options)
    try:
        yield rpc, options
    finally:
        rpc.shutdown()
        registry.BackendType = before  # torch does not know its own backend among more


def added(x, y=1):
    return x + y


def raised(call):
    with pytest.raises(RuntimeError) as error:
        call()
    return str(error.value)[:60].partition(" (")[0]


def test_options():
    def program(t):
        with faulty_worker(t, ["RREF_FORK_REQUEST"], {"PYTHON_CALL": 0.5}) as (rpc, options):
            return [
                *(options.num_worker_threads, options.num_fail_sends, options.messages_to_fail),
                *(options.messages_to_delay, options.rpc_timeout),
                repr(rpc.backend_registry.BackendType["FAULTY_TENSORPIPE"]),
                type(rpc.api._get_current_rpc_agent()).__name__,
                rpc.rpc_sync("w", max, (1, 2)),
            ]

    agree(program)


@pytest.mark.parametrize("kind", ["PYTHON_REMOTE_CALL", "SCRIPT_REMOTE_CALL"])
def test_a_value_whose_call_is_lost_does_not_exist(kind):
    """As in torch, which may wait for ever where it is asked for the value too early."""
    with faulty_worker(ours, [kind]) as (rpc, _):
        lost, other = (added, ours.add) if kind.startswith("PYTHON") else (ours.add, added)
        reference = rpc.remote("w", lost, (ours.ones(2), 1))
        for call in (reference.to_here, reference._serialize):
            with pytest.raises(RuntimeError, match=r"^RRef creation via rpc.remote\(\) timed out"):
                call()
        assert rpc.remote("w", other, (ours.ones(2), 1)).to_here().tolist() == [2, 2]


def test_messages_that_are_late():
    def program(t):
        with faulty_worker(t, late={"SCRIPT_CALL": 0.3}) as (rpc, _):
            calls = [
                lambda: rpc.rpc_sync("w", t.add, (t.ones(2), 1), timeout=0.05),
                lambda: rpc.rpc_async("w", t.add, (t.ones(2), 1), timeout=0.05).wait(),
            ]
            fast = rpc.rpc_sync("w", added, (t.ones(2), 1), timeout=2)
            return [*map(raised, calls), fast, rpc.rpc_sync("w", t.add, (t.ones(2), 1))]

    agree(program)


def test_requests_are_made_again_and_at_last_no_more():
    future = importlib.import_module("mindtorch.futures._future").Future
    retried = importlib.import_module("mindtorch.distributed.rpc.retries").retried
    waits = []

    def after(seconds, function):
        waits.append(seconds)
        function()

    def failing(times):
        def request():
            made = future([])
            error = ValueError("lost") if len(waits) < times else None
            made._complete(None if error else "there", error)
            return made

        waits.clear()
        return request

    assert retried(failing(2), after).wait() == "there" and waits == [1.0, 1.5]
    with pytest.raises(ValueError, match="lost"):
        retried(failing(9), after).wait()
    assert len(waits) == 5


def test_other_options_are_of_the_usual_backend():
    """Where the faulty one is known, too."""
    with faulty_worker(ours) as (rpc, _):
        start = importlib.import_module("mindtorch.distributed.rpc.start")
        assert start._backend_of(rpc.TensorPipeRpcBackendOptions()).name == "TENSORPIPE"
        assert part(ours, "distributed.rpc._testing").is_available()
