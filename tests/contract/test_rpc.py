"""torch.distributed.rpc with this process as its only worker."""

import importlib
import socket
import sys
import threading
import time
import warnings
from contextlib import contextmanager

import pytest

from tests.contract.both_frameworks import BOTH, agree, ours, refuse


def added(x, y=1):
    return x + y


def failing(x):
    raise ValueError(f"no {x}")


def slow():
    time.sleep(0.3)
    return 1


class Counter:
    def __init__(self, value=0):
        self.value = value

    def add(self, n):
        self.value += n
        return self.value


def later(name, x):
    """A call that is made by a call, in the framework that makes it."""
    t = next(t for t in BOTH if t.__name__ == name)
    return t.distributed.rpc.rpc_async("w", added, (x,))


@contextmanager
def worker(t, **options):
    """RPC of the framework *t*, with the worker ``w``."""
    rpc = importlib.import_module(f"{t.__name__}.distributed.rpc")
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    made = rpc.TensorPipeRpcBackendOptions(init_method=f"tcp://localhost:{port}", **options)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "You are using a Backend")  # of torch to itself
        rpc.init_rpc("w", rank=0, world_size=1, rpc_backend_options=made)
    try:
        yield rpc
    finally:
        rpc.shutdown()


def within(program):
    """*program* of ``torch`` and its ``rpc``, run while there is a worker."""

    def run(t):
        with worker(t) as rpc:
            return program(t, rpc)

    return run


def first_line(t, call):
    """The type of what *call* raises, and the first of its lines that says what is wrong."""
    with pytest.raises(Exception) as error:
        call()
    lines = [x for x in str(error.value).split("\n") if "On WorkerInfo" not in x]
    return type(error.value).__name__, lines[0]


def test_calls_by_name_number_and_info():
    def program(t, rpc):
        info = rpc.get_worker_info()
        said = [repr(info), info.id, info.name, repr(rpc.get_worker_info("w"))]
        said += [rpc.rpc_sync(to, max, (1, 2)) for to in ("w", 0, info)]
        said += [rpc.rpc_sync("w", added, (3,), {"y": 5}), rpc.rpc_sync("w", added, args=(3,))]
        return [*said, rpc.rpc_sync("w", t.add, (t.ones(2), 3)), rpc.is_available()]

    agree(within(program))


@pytest.mark.parametrize(
    "call",
    [
        lambda rpc: rpc.rpc_sync("zz", max, (1, 2)),
        lambda rpc: rpc.rpc_sync(5, max, (1, 2)),
        lambda rpc: rpc.rpc_sync("w", 5),
        lambda rpc: rpc.rpc_sync("w", failing, (3,)),
        lambda rpc: rpc.rpc_async("w", failing, (3,)).wait(),
        lambda rpc: rpc.remote("w", failing, (3,)).to_here(),
        lambda rpc: rpc.rpc_sync("w", added, (3,), {"z": 5}),
        lambda rpc: rpc.rpc_sync("w", slow, timeout=0.05),
        lambda rpc: rpc.get_worker_info("zz"),
        lambda rpc: rpc.RRef(5).backward(),
        lambda rpc: rpc.remote("w", Counter).rpc_sync().nope(),
    ],
)
def test_what_calls_raise(call):
    agree(within(lambda t, rpc: first_line(t, lambda: call(rpc))))


def test_what_cannot_be_sent():
    def program(t, rpc):
        kind, text = first_line(t, lambda: rpc.rpc_sync("w", lambda: 1))
        return kind, text.partition("<function")[0]

    agree(within(program))


def test_scripts_of_remote_modules_are_not_sent():
    def program(t):
        importlib.import_module(f"{t.__name__}.distributed.nn.api.remote_module")
        internal = importlib.import_module(f"{t.__name__}.distributed.rpc.internal")

        class Remote(t.nn.Module):
            def __init__(self):
                super().__init__()
                self.module_rref = 3

            def forward(self, x):
                return x

        internal.serialize(t.jit.script(Remote()))

    refuse(program)


def test_calls_that_are_waited_for_later():
    def program(t, rpc):
        future = rpc.rpc_async("w", added, (3,))
        value = future.wait()
        then = rpc.rpc_async("w", added, (3,)).then(lambda f: f.value() * 10)
        return value, future.done(), future.value(), then.wait()

    agree(within(program))


def test_references():
    def program(t, rpc):
        x = t.ones(2, requires_grad=True)
        remote, own = rpc.remote("w", added, (x,)), rpc.RRef(t.ones(3))
        said = [remote.to_here(), remote.local_value(), remote.is_owner(), repr(remote.owner())]
        said += [remote.owner_name(), remote.confirmed_by_owner(), own.to_here(), own.is_owner()]
        said += [own.local_value() is own.local_value(), repr(own).partition("(")[0]]
        loss = rpc.RRef((x * 3).sum())
        loss.backward()
        return [*said, x.grad, isinstance(own, rpc.RRef), isinstance(remote, rpc.PyRRef)]

    agree(within(program))


def test_methods_of_what_a_reference_refers_to():
    def program(t, rpc):
        counter = rpc.remote("w", Counter, (5,))
        said = [counter.rpc_sync().add(3), counter.rpc_async().add(1).wait()]
        return [*said, counter.remote().add(1).to_here(), counter.to_here().value]

    agree(within(program))


def same_object(x, y):
    return x is y


def test_arguments_and_results_are_copies():
    def program(t, rpc):
        given, tensor = [1, 2], t.ones(2, requires_grad=True)
        rpc.rpc_sync("w", list.append, (given, 3))
        rpc.rpc_sync("w", t.Tensor.add_, (tensor.detach(), 1))
        out = rpc.rpc_sync("w", added, (tensor * 3,))
        kept = rpc.remote("w", added, (tensor * 3,))
        said = [given, tensor, out, out.grad_fn, type(kept.to_here().grad_fn).__name__]
        kept.to_here().sum().backward()
        same = rpc.rpc_sync("w", same_object, (tensor, tensor))
        return [*said, tensor.grad, same, kept.to_here() is kept.local_value()]

    agree(within(program))


def test_functions_whose_result_is_there_later():
    for t in BOTH:
        with worker(t) as rpc:
            marked = rpc.functions.async_execution(later)
            marked.__module__, marked.__qualname__ = __name__, "marked"
            sys.modules[__name__].marked = marked
            assert rpc.rpc_sync("w", marked, (t.__name__, 4)) == 5


def test_exchanges_of_one_worker():
    def program(t, rpc):
        api = rpc.api
        api._barrier({"w"})
        with api._wait_all():
            future = rpc.rpc_async("w", added, (1,))
        return api._all_gather({"a": 1}), future.done(), rpc.get_rpc_timeout()

    agree(within(program))


def test_waiting_for_threads_is_measured_where_it_is_asked_for():
    def program(t, rpc):
        agent, key = rpc.api._get_current_rpc_agent(), "agent.gil_average_wait_time_us"
        told = [key in agent.get_debug_info()]
        for on in (True, False):
            rpc.enable_gil_profiling(on)
            rpc.rpc_sync("w", added, (1,))
            told.append(key in agent.get_debug_info())
        return told

    agree(within(program))


def test_gradients_that_a_context_keeps():
    def program(t, rpc):
        autograd = importlib.import_module(f"{t.__name__}.distributed.autograd")
        x = t.ones(2, requires_grad=True)
        with autograd.context() as number:
            loss = rpc.rpc_sync("w", t.mul, (x, x * 3)).sum()
            autograd.backward(number, [loss])
            found = autograd.get_gradients(number)
            said = [len(found), found[x], x.grad]
            wrong = first_line(t, lambda: autograd.backward(number, [x * 2]))[0]
        return said, wrong

    agree(within(program))


@pytest.mark.parametrize(
    "call",
    [
        lambda rpc: rpc.get_worker_info(),
        lambda rpc: rpc.rpc_sync("a", max, (1, 2)),
        lambda rpc: rpc.remote("a", max, (1, 2)),
        lambda rpc: rpc.shutdown(),
        lambda rpc: rpc.init_rpc("w", backend="x"),
        lambda rpc: rpc.init_rpc("w", rpc_backend_options=5, rank=0, world_size=1),
    ],
)
def test_before_rpc_has_begun(call):
    refuse(lambda t: call(importlib.import_module(f"{t.__name__}.distributed.rpc")))


def test_it_begins_once():
    def again(t, rpc):
        options = rpc.TensorPipeRpcBackendOptions(init_method="tcp://localhost:0")
        rpc.init_rpc("w", rank=0, world_size=1, rpc_backend_options=options)

    refuse(within(again))


def test_options():
    def program(t):
        rpc = importlib.import_module(f"{t.__name__}.distributed.rpc")
        made = rpc.TensorPipeRpcBackendOptions(num_worker_threads=8, rpc_timeout=20)
        usual = rpc.TensorPipeRpcBackendOptions()
        return [
            *(made.num_worker_threads, made.rpc_timeout, usual.num_worker_threads),
            *(usual.rpc_timeout, usual.init_method, usual.device_maps, usual.devices),
            *(repr(rpc.BackendType.TENSORPIPE), rpc.backend_registry.backend_registered("x")),
        ]

    agree(program)


def test_no_reference_without_a_worker():
    """As in torch, but where RPC had begun before in the process, which torch remembers."""
    with pytest.raises(RuntimeError, match="^Current RPC agent is not set! Did you initialize"):
        ours.distributed.rpc.RRef(1)


KINDS = [
    *(ValueError, TypeError, KeyError, AttributeError, OSError, NotImplementedError, RuntimeError),
    *(AssertionError, Exception),
]


def raising(kind):
    raise kind("x")


@pytest.mark.parametrize("kind", KINDS)
def test_futures_and_references_raise_errors_of_different_types(kind):
    """A future of a call knows few types; a reference has the error's own."""

    def program(t, rpc):
        reference = rpc.remote("w", raising, (kind,))
        calls = (
            lambda: rpc.rpc_sync("w", raising, (kind,)),
            lambda: rpc.rpc_async("w", raising, (kind,)).wait(),
            reference.to_here,
            reference._get_type,
        )
        told = []
        for call in calls:
            with pytest.raises(Exception) as error:
                call()
            told.append((type(error.value), str(error.value)[:40].partition("On Worker")[0]))
        return told

    agree(within(program))


def test_a_worker_that_ends_waits_for_nobody():
    """Also where the thread that takes connections has ended before: somebody else woke it."""
    wire = importlib.import_module("mindtorch.distributed.rpc.wire").Wire(0, b"x", print, print)
    wire._closed = True
    socket.create_connection(("127.0.0.1", wire._listener.address[1])).close()
    time.sleep(0.05)
    ends = threading.Thread(target=wire.close, daemon=True)
    ends.start()
    ends.join(10)
    assert not ends.is_alive()


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("rpc", ["_UNSET_RPC_TIMEOUT", "_DEFAULT_RPC_TIMEOUT_SEC", "_DEFAULT_NUM_WORKER_THREADS"]),
        ("rpc", ["_DEFAULT_INIT_METHOD"]),
        ("rpc.api", ["UNSET_RPC_TIMEOUT", "DEFAULT_SHUTDOWN_TIMEOUT"]),
        ("rpc.constants", ["_UNSET_RPC_TIMEOUT", "_DEFAULT_RPC_TIMEOUT_SEC"]),
        ("rpc.constants", ["_DEFAULT_INIT_METHOD", "_DEFAULT_NUM_WORKER_THREADS"]),
        ("rpc.constants", ["UNSET_RPC_TIMEOUT", "DEFAULT_RPC_TIMEOUT_SEC"]),
    ],
)
def test_defaults_of_calls_stand_where_libraries_read_them(module, names):
    def program(t):
        found = importlib.import_module(f"{t.__name__}.distributed.{module}")
        return [getattr(found, name) for name in names]

    agree(program)
