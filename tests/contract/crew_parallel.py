"""What the processes of a crew wrap for parallel training, and what is said of it.

Graphs that change, parameters without gradients, outputs that are written to, averages of models.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from .crew_training import batch, filled, model, numbers


def _parallel(t: Any, module: Any, **options: Any) -> Any:
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    return parallel.DistributedDataParallel(module, **options)


def _told(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def _branches(t: Any) -> Any:
    """A net of many layers, the last of which are used when asked for."""
    nn = t.nn

    class Branches(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(4, 4, bias=False)
            self.more = nn.Sequential(*[nn.Linear(4, 4, bias=False) for _ in range(9)])
            self.last = nn.Linear(4, 4, bias=False)

        def forward(self, x: Any, all_of_it: bool) -> Any:
            x = self.last(self.first(x))
            return self.more(x) if all_of_it else x

    return filled(t, Branches())


def graphs(t: Any, level: str) -> Any:
    """Steps that use more or fewer parameters than the one before, and what is logged of them."""
    d = t.distributed
    x = t.ones(2, 4)
    found = []
    d.set_debug_level(getattr(d.DebugLevel, level))
    for options in ({}, {"find_unused_parameters": True}, {"static_graph": True}):
        for uses in itertools.product([True, False], repeat=3):
            ddp = _parallel(t, _branches(t), **options)
            for use in uses:
                found.append(_told(lambda ddp=ddp, use=use: ddp(x, use).sum().backward()))
            logged = ddp._get_ddp_logging_data()
            found.append([logged.get("error"), logged.get("has_error")])
            used = ddp.reducer._get_local_used_map()
            found.append(used if used is None else used.tolist())
    d.set_debug_level(d.DebugLevel.OFF)
    return found


def averaged_afterwards(t: Any) -> Any:
    """Forward passes without averages, of which one backward is averaged after all."""
    found = []
    for options in ({}, {"find_unused_parameters": True}):
        ddp = _parallel(t, filled(t, model(t, "plain")), **options)
        with ddp.no_sync():
            losses = []
            for step in range(3):
                x, y = batch(t, 2 * step + t.distributed.get_rank(), 4)
                losses.append(t.nn.functional.mse_loss(ddp(x), y))
        losses[0].backward()
        found.append([numbers(p.grad) for p in ddp.parameters()])
        ddp.require_backward_grad_sync = True
        ddp.reducer.prepare_for_backward([losses[1]] if options else [])
        losses[1].backward()
        found.append([numbers(p.grad) for p in ddp.parameters()])
        ddp.reducer.prepare_for_backward(losses[2])
        losses[2].backward()
        found.append([numbers(p.grad) for p in ddp.parameters()])
    return found


def static_otherwise(t: Any) -> Any:
    """A graph that stays the same in each process, but is another in the second."""
    ddp = _parallel(t, filled(t, model(t, "halves")), static_graph=True)
    optimizer = t.optim.SGD(ddp.parameters(), lr=0.1)
    for step in range(4):
        x, y = batch(t, step, 4)
        t.nn.functional.mse_loss(ddp(x, t.distributed.get_rank()), y).backward()
        optimizer.step()
        optimizer.zero_grad()
    return numbers(t, ddp.module), ddp._get_ddp_logging_data()["has_rebuilt_buckets"]


def left_out(t: Any, skips: bool) -> Any:
    """How many buckets are reduced where no process uses the parameters of one."""
    ddp = _parallel(
        t,
        filled(t, model(t, "halves")),
        find_unused_parameters=True,
        bucket_cap_mb=0.00001,
        skip_all_reduce_unused_params=skips,
    )
    found = []
    for step in range(3):
        ddp(batch(t, step, 2)[0], step % 2).sum().backward()
        found.append(ddp._get_ddp_logging_data().get("num_buckets_reduced"))
    return found, numbers(t, ddp.module)


def ranges(t: Any) -> Any:
    """The named ranges of forward passes, and the collectives of their backward."""
    found = []
    for options in ({}, {"find_unused_parameters": True}):
        ddp = _parallel(t, filled(t, model(t, "plain")), **options)
        for step in range(3):
            with t.profiler.profile() as profile:
                ddp(batch(t, step, 2)[0]).sum().backward()
            names = [e.name for e in profile.events()]
            found.append([n for n in names if n.startswith("Distributed") or "search" in n])
            found.append([n for n in names if n in ("gloo:all_reduce", "gloo:broadcast")][:1])
    return found


@dataclass
class Pair:
    """Two outputs; one of them goes into the loss."""

    used: Any
    other: Any


def outputs(t: Any) -> Any:
    """Outputs that are written to, that are in no loss, that have no graph or are in an object."""
    nn = t.nn

    class Net(nn.Module):
        def __init__(self, kind: str) -> None:
            super().__init__()
            self.a, self.b, self.kind = nn.Linear(4, 2), nn.Linear(4, 2), kind

        def forward(self, x: Any) -> Any:
            a, b = self.a(x).sigmoid(), self.b(x)
            plain = x * 2
            kinds = {"tuple": (a, plain), "dict": {"a": a, "b": b}, "one": a, "pair": Pair(a, b)}
            return kinds[self.kind]

    found = []
    for kind, clones in itertools.product(("tuple", "dict", "one", "pair"), (True, False)):
        ddp = _parallel(t, filled(t, Net(kind)), find_unused_parameters=True)
        ddp._set_ddp_sink_clone(clones)
        for step in range(2):
            out = ddp(batch(t, step, 2)[0])
            a = {"tuple": lambda o: o[0], "dict": lambda o: o["a"], "one": lambda o: o}.get(
                kind, lambda o: o.used
            )(out)
            found.append((type(a.grad_fn).__name__, kind == "tuple" and out[1].grad_fn))

            def written(a: Any = a) -> Any:
                a.mul_(2)
                a.sum().backward()

            found.append(_told(written) is None)
        found.append(numbers(t, ddp.module) if clones else None)
    return found


def named(t: Any) -> Any:
    """The names of parameters, by which messages call them, and what is amiss with others."""
    t_nn = t.nn
    found = []
    module = t_nn.Sequential(t_nn.Linear(4, 4), t_nn.Linear(4, 4))
    module[1].weight = module[0].weight
    module.own = t_nn.Parameter(t.ones(1))
    ddp = _parallel(t, module)
    parameters, _ = ddp._build_params_for_reducer()
    another = t_nn.Parameter(t.ones(1))
    for each in (parameters, [*parameters, another], parameters[:-1]):
        found.append(_told(lambda each=each: ddp._build_debug_param_to_name_mapping(each)))
    sparse = [t.ones(3), t.eye(2).to_sparse()]
    assign, logger = t.distributed._compute_bucket_assignment_by_size, ddp.logger
    found.append(_told(lambda: assign(sparse, [400])))
    found.append(_told(lambda: assign(sparse, [400], logger=logger)))
    found.append(ddp._get_ddp_logging_data()["error"])
    return found


def stepping(t: Any, device: str, early: bool, view: bool) -> Any:
    """Training by optimizers that step in backward, and by one that steps after it."""
    optim = importlib.import_module(f"{t.__name__}.distributed.optim")
    x, y = batch(t, t.distributed.get_rank(), 4)
    found = []
    for at_once in (True, False):
        module = filled(t, model(t, "plain")).to(device)
        ignored = ["0.weight"]
        kind = importlib.import_module(f"{t.__name__}.nn.parallel").DistributedDataParallel
        kind._set_params_and_buffers_to_ignore_for_model(module, ignored)
        if early and at_once:
            optim._apply_optimizer_in_backward(t.optim.Adam, module.parameters(), {"lr": 0.1})
        ddp = _parallel(t, module, gradient_as_bucket_view=view)
        optimizer = t.optim.Adam(module.parameters(), lr=0.1)
        if at_once and not early:
            optim._apply_optimizer_in_backward(t.optim.Adam, module.parameters(), {"lr": 0.1})
        for _ in range(3):
            t.nn.functional.mse_loss(ddp(x.to(device)), y.to(device)).backward()
            if not at_once:
                optimizer.step()
                optimizer.zero_grad()
        found.append(numbers(t, module.cpu()))
    return found


def hierarchy(t: Any) -> Any:
    """Averages over two neighbours at every second step, over all at every fourth."""
    d = t.distributed
    name = "distributed.algorithms.model_averaging.hierarchical_model_averager"
    kind = importlib.import_module(f"{t.__name__}.{name}").HierarchicalModelAverager
    size, rank = d.get_world_size(), d.get_rank()
    averager = kind({2: 2, 4: size}, warmup_steps=2)
    parameter = t.nn.Parameter(t.tensor([float(rank)]))
    found: list[Any] = []
    for _ in range(8):
        parameter.grad = t.ones(1)
        with t.no_grad():
            parameter += rank
        averager.average_parameters([parameter])
        found.append(parameter.item())
    for given in (({},), ({0: size},), ({2: 1},), ({2: size}, -1), ({1: size},)):
        found.append(_told(lambda given=given: bool(kind(*given))))
    mine, _ = d.new_subgroups_by_enumeration([[0, 2], [1, 3]])
    own, all_of_mine = d.new_subgroups(1, group=mine)
    found += [len(all_of_mine), d.get_process_group_ranks(own)]
    found.append(_told(lambda: d.new_subgroups(3, group=mine)))
    return found


def late_on_a_stream(t: Any) -> Any:
    """How long a program waits for a call on an accelerator's tensor, where nobody else comes.

    The last number is of a call that all make in time.
    """
    d = t.distributed
    groups = [d.new_group(backend="hccl") for _ in range(2)]
    x = t.full((4,), d.get_rank() + 1.0, device="npu")
    found = []
    if d.get_rank() == 0:
        work = d.all_reduce(x.clone(), group=groups[0], async_op=True)
        found.append(_told(lambda: work.wait(timedelta(seconds=0.2))))
        found.append(type(work.exception()).__name__)
    d.barrier()
    work = d.all_reduce(x, group=groups[1], async_op=True)
    found.append(work.wait(timedelta(seconds=20)))
    found.append(x.tolist())
    return found
