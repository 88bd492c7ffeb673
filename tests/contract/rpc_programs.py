"""What the workers of a crew run: remote calls, references and gradients between them.

Each program is run by all workers, in a world of RPC that begins before it and ends after it.
"""

from __future__ import annotations

import gc
import importlib
import threading
import time
from collections.abc import Callable
from typing import Any

from .crew_programs import said


def part(t: Any, name: str) -> Any:
    """The module *name* below ``distributed``."""
    return importlib.import_module(f"{t.__name__}.distributed.{name}")


def world(t: Any, path: str, programs: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
    """What *programs* give, run one after the other by workers that a file connects.

    One world serves all: torch's does not begin a second time in a process. The workers are called
    ``w0``, ``w1``, ...
    """
    rpc, d = part(t, "rpc"), t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    made = rpc.TensorPipeRpcBackendOptions(init_method=f"file://{path}")
    globals()["broken"] = t.jit.script(broken)
    rpc.init_rpc(f"w{rank}", rank=rank, world_size=size, rpc_backend_options=made)
    found = []
    for program, args in programs:
        call: Callable[..., Any] = globals()[program]
        found.append(_given(lambda: said(call(t, rpc, rank, size, *args), t)))
        d.barrier()
    rpc.shutdown()
    return found


def _given(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)


# What is called


def added(x: Any, y: Any = 1) -> Any:
    return x + y


def failing(x: Any) -> Any:
    raise ValueError(f"no {x}")


def slow() -> int:
    time.sleep(0.5)
    return 1


def broken(x: int) -> int:
    """What becomes a scripted function in each worker."""
    raise ValueError("no number")


#: What :func:`held` waits for.
released = threading.Event()


def held() -> bool:
    return released.wait(30)


def confirmed(rref: Any) -> Any:
    return rref.confirmed_by_owner()


def steps(name: str) -> None:
    """What a profile shows."""
    t = importlib.import_module(name)
    with t.autograd.profiler.record_function("a step"):
        t.mul(t.ones(2), 2)


def onward_later(name: str, to: str) -> Any:
    """A product that another worker computes, later."""
    t = importlib.import_module(name)
    return part(t, "rpc").rpc_async(to, added, (t.ones(2), t.ones(2)))


def where(name: str) -> int:
    """The number of the worker that runs this."""
    found: int = importlib.import_module(f"{name}.distributed").get_rank()
    return found


def onward(name: str, hops: int, size: int) -> list[int]:
    """The workers on a way through all of them."""
    rpc = importlib.import_module(f"{name}.distributed.rpc")
    here = where(name)
    if not hops:
        return [here]
    to = f"w{(here + 1) % size}"
    return [here, *rpc.rpc_sync(to, onward, (name, hops - 1, size))]


def value_of(rref: Any) -> Any:
    return rref.to_here()


def lent(name: str, to: str) -> Any:
    """A reference to a value of a third worker."""
    return importlib.import_module(f"{name}.distributed.rpc").remote(to, added, (40, 2))


class Counter:
    """A number that is counted up."""

    def __init__(self, value: int = 0) -> None:
        self.value, self.lock = value, threading.Lock()

    def add(self, n: int) -> int:
        with self.lock:
            self.value += n
        return self.value


def counter_later() -> Counter:
    """What cannot be sent: its lock belongs to the process."""
    time.sleep(0.2)
    return Counter()


# Programs


def calls(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """Calls by name, number and info; of and with tensors in any memory; through all workers."""
    to = (rank + 1) % size
    info = rpc.get_worker_info(f"w{to}")
    x = t.arange(25.0).view(5, 5)
    return [
        *(rpc.rpc_sync(name, where, (t.__name__,)) for name in (f"w{to}", to, info)),
        repr(info),
        rpc.rpc_sync(info, added, (x.narrow(1, 2, 2),), {"y": rank}),
        rpc.rpc_sync(info, t.Tensor.is_contiguous, (x.narrow(1, 2, 2),)),
        rpc.rpc_async(info, added, (x.to(t.bfloat16),)).then(lambda f: f.value() * 2).wait(),
        rpc.rpc_sync(info, onward, (t.__name__, 2 * size, size)),
        t.futures.wait_all([rpc.rpc_async(i, added, (i,)) for i in range(size)]),
    ]


def errors(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """The types of what calls raise, and what they say first."""
    to = f"w{(rank + 1) % size}"
    user = rpc.remote(to, added, (1,))
    attempts: list[Callable[[], Any]] = [
        lambda: rpc.rpc_sync("nobody", added, (1,)),
        lambda: rpc.rpc_sync(77, added, (1,)),
        lambda: rpc.rpc_sync(to, failing, (3,)),
        lambda: rpc.rpc_async(to, failing, (3,)).wait(),
        lambda: rpc.remote(to, failing, (3,)).to_here(),
        lambda: rpc.rpc_sync(to, slow, timeout=0.1),
        user.local_value,
        user.backward,
        lambda: rpc.rpc_sync(to, value_of, (5,)),
        lambda: rpc.rpc_sync(to, Counter),
        lambda: rpc.rpc_async(to, counter_later).wait(),
        lambda: rpc.remote(to, counter_later).to_here(timeout=5),
        lambda: rpc.rpc_sync(to, t.add, (t.ones(2), t.ones(3))),
        lambda: rpc.rpc_sync(to, t.unsqueeze, (t.ones(2), 7)),
        lambda: rpc.rpc_async(to, t.add, (t.ones(2), "a")),
        lambda: rpc.remote(to, t.unsqueeze, (t.ones(2), 7)).to_here(),
    ]
    return [_told(attempt, rpc) for attempt in attempts]


def calls_of_operators(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """Operators are called by their schemas, and what they and scripts raise has no type."""
    to = f"w{(rank + 1) % size}"
    kinds = []
    for call in (rpc.rpc_sync, rpc.remote):
        try:
            call(to, broken, (1,)).to_here()
        except Exception as error:
            kinds.append((type(error).__name__, "no number" in str(error)))
    parts = rpc.rpc_sync(to, t.split, (t.ones(4), 2))
    return [kinds, type(parts).__name__, parts]


def first_error_ends(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """Who waits for several calls waits no longer than until one of them fails."""
    to = f"w{(rank + 1) % size}"
    futures = [rpc.rpc_async(to, held), rpc.rpc_async(to, failing, (1,))]
    told = _told(lambda: t.futures.wait_all(futures), rpc)
    before = futures[0].done()
    t.distributed.barrier()
    released.set()
    return [told, before, futures[0].wait()]


def safe_references(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """Functions are given references that their owners know of."""
    to, third = (rank + 1) % size, (rank + 2) % size
    return [
        [
            rpc.rpc_sync(to, confirmed, (rpc.remote(third, added, (1,)),)),
            rpc.remote(to, confirmed, (rpc.remote(third, added, (1,)),)).to_here(),
        ]
        for _ in range(3)
    ]


def profiles(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """What profiles show of calls, and of what these run in the workers that are called."""
    profile = importlib.import_module(f"{t.__name__}.autograd.profiler_legacy").profile
    to, third = f"w{(rank + 1) % size}", f"w{(rank + 2) % size}"
    onward = rpc.functions.async_execution(onward_later)
    onward.__qualname__ = "marked"
    globals()["marked"] = onward
    found = []
    with profile(record_shapes=True) as run:
        rpc.rpc_sync(to, t.add, (t.ones(3), 1))
    found.append(_shown(run, t))
    with profile() as run:
        rpc.rpc_async(to, steps, (t.__name__,)).wait()
    found.append(_shown(run, t))
    with profile() as run:
        reference = rpc.remote(to, added, (t.ones(2),))
        reference.to_here()
        reference._get_profiling_future().wait()
    found.append(_shown(run, t))
    t.distributed.barrier()
    with profile() as run:
        rpc.rpc_sync(to, onward, (t.__name__, third))
    found.append(_shown(run, t))
    with t.profiler.profile() as other:
        rpc.rpc_sync(to, added, (t.ones(2),))
    return [*found, any("rpc" in event.name for event in other.events())]


def profiled_gradients(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """What a profile shows of gradients that flow through another worker and back."""
    autograd, found = part(t, "autograd"), []
    legacy = importlib.import_module(f"{t.__name__}.autograd.profiler_legacy").profile
    for profile in (t.autograd.profiler.profile, legacy):
        with autograd.context() as number:
            x = t.ones(2, requires_grad=True)
            loss = rpc.rpc_sync((rank + 1) % size, t.mul, (x, x)).sum()
            with profile() as run:
                autograd.backward(number, [loss])
            names = [e.name for e in run.function_events if e.name.startswith("torch::dist")]
            found.append([sorted(names), max(e.cpu_time_total for e in run.function_events) > 0])
            t.distributed.barrier()
    return found


def _shown(run: Any, t: Any) -> Any:
    """The events of a profile, but for what calls of operators call in turn."""
    names = ("rpc_", "add", "mul", "a step")
    last = [(e, e.name.rpartition("#remote_op: ")[2]) for e in run.function_events]
    return sorted(
        (e.name, e.node_id, e.is_remote, repr(e.input_shapes if "add" in x else None))
        for e, x in last
        if x.startswith(("rpc_", "a step", "aten::add", "aten::mul")) and any(map(x.count, names))
    )


def profiles_of_servers(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """What a worker shows of the calls of others, in blocks that are inside of each other."""
    to = f"w{(rank + 1) % size}"
    outer, inner = (rpc.remote(to, rpc._server_process_global_profile) for _ in range(2))
    x, found = t.ones(2), []
    for each in range(size):  # one after the other: others' calls would be shown, too
        t.distributed.barrier()
        if each != rank:
            continue
        outer.rpc_sync().__enter__()
        rpc.rpc_sync(to, t.add, (x, x))
        inner.rpc_sync().__enter__()
        rpc.rpc_sync(to, t.sub, (x, x))
        inner.rpc_sync().__exit__(None, None, None)
        outer.rpc_sync().__exit__(None, None, None)
        found = [rpc.rpc_sync(to, names_of_threads, (each,)) for each in (inner, outer)]
    t.distributed.barrier()
    return found


def names_of_threads(profile: Any) -> list[str]:
    """The operators that a profile of the calls of others shows."""
    threads = profile.local_value().process_global_function_events
    return sorted(event.name for thread in threads for event in thread if "aten" in event.name)


def _told(attempt: Callable[[], Any], rpc: Any) -> tuple[str, str]:
    try:
        attempt()
    except Exception as error:
        lines = [x for x in str(error).splitlines() if not x.startswith("On WorkerInfo")]
        return type(error).__name__, lines[0].partition("GloballyUniqueId")[0]
    return "nothing", ""


def references(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """References to values here and there, handed on to others, and what is called on them."""
    here, to, third = f"w{rank}", f"w{(rank + 1) % size}", f"w{(rank + 2) % size}"
    own, other = rpc.RRef(t.ones(2) * rank), rpc.remote(to, added, (rank,))
    counter = rpc.remote(to, Counter, (rank,))
    given = rpc.rpc_sync(to, lent, (t.__name__, third))
    return [
        *(own.is_owner(), other.is_owner(), repr(other.owner()), own.owner_name() == here),
        *(repr(own).partition("(")[0], repr(other).partition("(")[0]),
        *(own.local_value(), own.to_here(), other.to_here()),
        *(rpc.rpc_sync(to, value_of, (own,)), rpc.rpc_sync(third, value_of, (other,))),
        *(rpc.remote(third, value_of, (own,)).to_here(), rpc.rpc_sync(to, value_of, (other,))),
        *(given.to_here(), given.owner_name(), given.confirmed_by_owner()),
        *(counter.rpc_sync().add(1), counter.rpc_async().add(2).wait()),
        *(counter.remote().add(3).to_here(), other._get_type() is int),
    ]


def values_go(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """A value is held while others refer to it, and no longer."""
    to = (rank + 1) % size
    _wait_until_nothing_is_held(rpc)
    t.distributed.barrier()
    counts = [_held(rpc)]
    t.distributed.barrier()  # nobody holds one before all have counted
    reference = rpc.remote(to, added, (1,))
    reference.to_here()
    t.distributed.barrier()
    counts.append(_held(rpc))
    t.distributed.barrier()
    del reference
    _wait_until_nothing_is_held(rpc)
    return [*counts, _held(rpc)]


def _wait_until_nothing_is_held(rpc: Any) -> None:
    gc.collect()
    until = time.monotonic() + 10
    while _held(rpc) != ("0", "0") and time.monotonic() < until:
        time.sleep(0.01)


def _held(rpc: Any) -> tuple[str, str]:
    info = rpc._rref_context_get_debug_info()
    return info["num_owner_rrefs"], info["num_forks"]


def gradients(t: Any, rpc: Any, rank: int, size: int, kind: str) -> Any:
    """Gradients that flow through other workers, and those of a worker in the middle."""
    autograd = part(t, "autograd")
    to = f"w{(rank + 1) % size}"
    x = t.tensor([1.0, 2.0], requires_grad=True)
    y = t.tensor([3.0, 4.0], requires_grad=True)
    with autograd.context() as number:
        if kind == "call":
            out = rpc.rpc_sync(to, t.mul, (x, y))
        elif kind == "remote":
            out = rpc.remote(to, t.mul, (x, y)).to_here()
        elif kind == "twice":
            out = rpc.rpc_sync(to, t.mul, (rpc.rpc_sync(to, t.mul, (x, y)), x))
        else:
            out = rpc.rpc_sync(to, passed_on, (t.__name__, x, y, size))
        loss = (out * x).sum()
        autograd.backward(number, [loss], retain_graph=True)
        autograd.backward(number, [loss])
        found = autograd.get_gradients(number)
        sent = [node.name() for node in autograd._current_context()._send_functions().values()]
        result = [found[x], found[y], len(found), x.grad, sent, type(out).__name__]
        t.distributed.barrier()
    return result


def passed_on(name: str, x: Any, y: Any, size: int) -> Any:
    """A product that the next worker but one computes, with a factor that is needed here."""
    rpc = importlib.import_module(f"{name}.distributed.rpc")
    to = f"w{(where(name) + 1) % size}"
    return rpc.rpc_sync(to, added, (x * y, x)) * y


def contexts_end(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """A context is gone everywhere when it ends where it began."""
    autograd, d = part(t, "autograd"), t.distributed
    x = t.ones(2, requires_grad=True)
    with autograd.context():
        rpc.rpc_sync((rank + 1) % size, added, (x,))
        d.barrier()
        count = autograd._get_debug_info()["num_autograd_contexts"]
        d.barrier()
    until = time.monotonic() + 20
    while int(autograd._get_debug_info()["num_autograd_contexts"]) and time.monotonic() < until:
        time.sleep(0.01)
    return [int(count), int(autograd._get_debug_info()["num_autograd_contexts"])]


def exchanges(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """What all workers give to each other, and barriers of some."""
    api = rpc.api
    first = api._all_gather(rank * 10)
    if rank < 2:
        api._barrier({"w0", "w1"})
    return [sorted(first.items()), sorted(api._all_gather(rank, {f"w{i}" for i in range(size)}))]


def modules(t: Any, rpc: Any, rank: int, size: int) -> Any:
    """A module of another worker: what it computes, its parameters, and steps of an optimizer."""
    autograd, remote = part(t, "autograd"), part(t, "nn.api.remote_module")
    optim = part(t, "optim")
    t.manual_seed(rank)
    module = remote.RemoteModule(f"w{(rank + 1) % size}/cpu", t.nn.Linear, (2, 1))
    params = module.remote_parameters()
    x = t.tensor([[1.0, 2.0]])
    weight, bias = (p.to_here().detach().clone() for p in params)
    same = t.equal(module(x), t.nn.functional.linear(x, weight, bias))
    optimizer = optim.DistributedOptimizer(t.optim.SGD, params, lr=0.5)
    with autograd.context() as number:
        autograd.backward(number, [module.forward_async(x).wait().sum()])
        optimizer.step(number)
        changed = params[0].to_here() - weight
        t.distributed.barrier()
    told = [_told(call, rpc) for call in (module.parameters, lambda: module.to("cpu"))]
    where_it_is = rpc.rpc_sync((rank + 2) % size, place_of, (module,))
    return [same, changed.round(decimals=4), told, where_it_is, module.get_module_rref().is_owner()]


def place_of(module: Any) -> Any:
    """What a worker knows of a remote module that it was sent."""
    return module.on, module.device, tuple(module.remote_parameters()[0].to_here().shape)
