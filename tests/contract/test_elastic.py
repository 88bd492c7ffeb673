"""``torch.distributed.elastic``: rendezvous, events, timers and small helpers, as in torch."""

from __future__ import annotations

import importlib
import json
import multiprocessing

import pytest

from .both_frameworks import agree, ours, refuse, same, torch

pytestmark = pytest.mark.oracle


def part(t, name):
    """A module of ``torch.distributed.elastic`` of framework *t*."""
    return importlib.import_module(f"{t.__name__}.distributed.elastic.{name}")


ENDPOINTS = [None, "", "a", "a:1", "a:99999", "a:x", "a:-1", "::1:30", "h:", "h i:3", "[::1]:29"]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_endpoint_is_read(endpoint):
    """Host and port, or why not."""
    same(lambda t: part(t, "rendezvous.utils").parse_rendezvous_endpoint(endpoint, 5))


def parameters(t, backend="static", endpoint="h:1", **config):
    return part(t, "rendezvous").RendezvousParameters(backend, endpoint, "id", 1, 2, **config)


def test_a_handler_is_made_by_the_name_of_its_kind():
    """Numbers and addresses are given."""

    def program(t):
        handler = part(t, "rendezvous.registry").get_rendezvous_handler(parameters(t, rank=1))
        return (
            handler.get_backend(), handler.get_run_id(), handler.is_closed(), handler.rank,
            handler.num_nodes_waiting(), handler.shutdown(), handler.master_port,
        )  # fmt: skip

    agree(program)


@pytest.mark.parametrize(
    "given", [{}, {"backend": "no"}, {"rank": 0, "endpoint": " "}, {"rank": 0, "endpoint": "h"}]
)
def test_parameters_that_do_not_do(given):
    """Without a rank, a kind, an endpoint or a port."""
    refuse(lambda t: part(t, "rendezvous.registry").get_rendezvous_handler(parameters(t, **given)))


def test_events_are_written_and_read():
    """As JSON."""

    def program(t):
        events = part(t, "events")
        event = events.Event("e", events.EventSource.WORKER, 3, {"a": 1})
        met = events.RdzvEvent("n", "i", "m", "h", 4, events.NodeState.FAILED)
        return (
            str(event), events.Event.deserialize(str(event)) == event,
            str(met), events.RdzvEvent.deserialize(str(met)) == met,
        )  # fmt: skip

    agree(program)


def test_timers_expire_for_whom_they_are_not_given_back():
    """A server takes wishes from a queue."""

    def program(t):
        timer = part(t, "timer")
        queue = multiprocessing.get_context("fork").Queue()
        server = timer.LocalTimerServer(queue, max_interval=1)
        request = timer.TimerRequest
        server.register_timers([request(1, "a", 5), request(1, "b", 9), request(2, "a", 5)])
        server.register_timers([request(2, "a", -1)])
        first = {k: [r.scope_id for r in v] for k, v in server.get_expired_timers(6).items()}
        server.clear_timers({1})
        return first, server.get_expired_timers(99), request(1, "a", 5) == request(1, "a", 5)

    agree(program)


def test_a_timer_needs_a_client():
    """Nothing was configured."""

    def program(t):
        with part(t, "timer").expires(1):
            pass

    refuse(program)


def test_epochs_follow_each_other():
    """An iterator over several, and a sampler that begins in the midst of one."""

    def program(t):
        data = part(t, "utils.data")
        numbers = t.utils.data.TensorDataset(t.arange(7))
        sampler = data.ElasticDistributedSampler(numbers, num_replicas=2, rank=1, start_index=2)
        epochs = data.CyclingIterator(3, lambda epoch: iter([epoch, 10 * epoch]), 1)
        return list(epochs), len(sampler), list(sampler)

    agree(program)


def test_processes_meet_in_a_store():
    """One process alone."""
    store = ours.distributed.HashStore()
    helpers = part(ours, "utils.store")
    assert helpers.synchronize(store, b"x", 0, 1, "p") == [b"x"]
    helpers.barrier(store, 1, "q")


def test_ranks_stand_in_arguments():
    """And variables that are not set."""
    agree(lambda t: part(t, "utils").macros.substitute(["a${local_rank}", "$x"], "3"))
    refuse(lambda t: part(t, "utils").get_env_variable_or_raise("NOT_SET_ANYWHERE"))


@pytest.mark.parametrize("text", ["3", "0:1,1:2", "4", "bad", "0:4", "a:1", ":", "0:1:2", ""])
def test_streams_are_read(text):
    """One for all ranks, or one by rank."""
    same(lambda t: repr(part(t, "multiprocessing").Std.from_str(text)))


@pytest.mark.parametrize("nodes", ["2", "2:3", "a", "2:20:30"])
def test_numbers_of_nodes_are_read(nodes):
    def run(t):
        launcher = importlib.import_module(f"{t.__name__}.distributed.run")
        return launcher.parse_min_max_nnodes(nodes)

    same(run)


def test_failures_tell_what_they_wrote(tmp_path):
    """With a traceback, with a message alone, with no file, and of a signal."""
    written = {
        "stack": {"message": "Boom", "extraInfo": {"timestamp": "3", "py_callstack": "a\n  b"}},
        "message": {"message": "Boom", "extraInfo": {"timestamp": "4"}},
    }
    for name, message in written.items():
        (tmp_path / name).write_text(json.dumps({"message": message}))

    def run(t):
        errors = part(t, "multiprocessing.errors")
        codes = {"stack": 1, "message": 2, "nothing": 1, "signal": -15}
        failures = {
            rank: errors.ProcessFailure(rank, 90 + rank, code, str(tmp_path / name))
            for rank, (name, code) in enumerate(codes.items())
        }
        for rank, failure in failures.items():
            failure.timestamp += rank if failure.timestamp < 9 else 9 - failure.timestamp
        said = [(f.message, f.error_file, f.signal_name()) for f in failures.values()]
        return said, errors.ChildFailedError("train", failures).format_msg()

    got, want = run(ours), run(torch)
    assert got[0] == want[0]
    assert [line.rstrip("=-") for line in got[1].split("\n")] == [
        line.rstrip("=-") for line in want[1].split("\n")
    ]
