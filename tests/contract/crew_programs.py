"""What the processes of a crew run: calls of collectives, in torch and in mindtorch."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from datetime import timedelta
from typing import Any


def said(value: Any, t: Any) -> Any:
    """*value* in terms that both frameworks share."""
    if isinstance(value, t.Tensor):
        kind = str(value.dtype).removeprefix("torch.")
        shown = value.detach().cpu()
        if value.element_size() == 1 and value.is_floating_point():
            shown = shown.float()
        if value.dtype in (t.float16, t.bfloat16):
            shown = shown.float()
        return (kind, tuple(value.shape), shown.tolist())
    if isinstance(value, list | tuple):
        return [said(v, t) for v in value]
    return value


def drawn(t: Any, rank: int, seed: int, shape: Any, dtype: str, spread: int = 3) -> Any:
    """Small whole numbers of *dtype*, which differ between ranks; sums of them are exact."""
    r = random.Random(1000 * seed + rank)
    count = 1
    for n in shape:
        count *= n
    kind = getattr(t, dtype)
    low = 0 if dtype in ("bool", "uint8", "uint16") else -spread
    high = 1 if dtype == "bool" else spread
    values: list[Any] = [r.randint(low, high) for _ in range(count)]
    if kind.is_complex:
        values = [complex(v, r.randint(low, high)) for v in values]
    return (
        t.tensor(values, dtype=t.complex64 if kind.is_complex else t.float32)
        .to(kind)
        .view(tuple(shape))
    )


def laid(t: Any, x: Any, layout: str) -> Any:
    """The values of *x* in other memory: one piece, transposed, or every second element."""
    if layout == "transposed" and x.dim() > 1:
        return x.transpose(0, -1).contiguous().transpose(0, -1)
    if layout == "stepped":
        wide = t.stack([x, x], dim=-1)
        return wide[..., 0]
    return x


def collective(
    t: Any,
    name: str,
    dtype: str,
    shape: Any,
    layout: str,
    op: str,
    root: int,
    seed: int,
    later: bool,
) -> Any:
    """One call of collective *name* with drawn arguments: what it has written, in this process."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()

    def make(extra: int = 0) -> Any:
        return laid(t, drawn(t, rank, seed + extra, shape, dtype), layout)

    def blank(*dims: int) -> Any:
        return laid(t, t.zeros(dims or tuple(shape), dtype=getattr(t, dtype)), layout)

    reduction = getattr(d.ReduceOp, op)
    x = make()
    outs = [blank() for _ in range(size)]
    ins = [make(100 * (i + 1)) for i in range(size)]
    here = rank == root
    calls: dict[str, tuple[Callable[..., Any], tuple[Any, ...], Any]] = {
        "all_reduce": (d.all_reduce, (x, reduction), x),
        "reduce": (d.reduce, (x, root, reduction), x if here else None),
        "broadcast": (d.broadcast, (x, root), x),
        "all_gather": (d.all_gather, (outs, x), outs),
        "gather": (d.gather, (x, outs if here else None, root), outs if here else None),
        "scatter": (d.scatter, (x, ins if here else None, root), x),
        "reduce_scatter": (d.reduce_scatter, (x, ins, reduction), x),
        "all_to_all": (d.all_to_all, (outs, ins), outs),
    }
    if name in ("all_gather_single", "reduce_scatter_single", "all_to_all_single"):
        lead = shape[0] if shape else 1
        flat = drawn(t, rank, seed, (lead * size, *shape[1:]), dtype)
        if name == "all_gather_single":
            part = flat[:lead].contiguous()
            out = t.zeros((lead * size, *shape[1:]), dtype=getattr(t, dtype))
            call = (d.all_gather_into_tensor, (out, part), out)
        elif name == "reduce_scatter_single":
            out = t.zeros((lead, *shape[1:]), dtype=getattr(t, dtype))
            call = (d.reduce_scatter_tensor, (out, flat, reduction), out)
        else:
            out = t.zeros_like(flat)
            call = (d.all_to_all_single, (out, flat), out)
    else:
        call = calls[name]
    function, args, result = call
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if later:
            work = function(*args, async_op=True)
            work.wait()
        else:
            function(*args)
    return said(result, t)


def uneven(t: Any, seed: int) -> Any:
    """``all_to_all_single`` and ``all_to_all`` of parts that differ in length."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    lengths = [
        [random.Random(seed + 10 * a + b).randint(0, 3) for b in range(size)] for a in range(size)
    ]
    given = lengths[rank]
    taken = [lengths[a][rank] for a in range(size)]
    x = t.arange(float(sum(given))) + 100 * rank
    out = t.zeros(sum(taken))
    d.all_to_all_single(out, x, taken, given)
    outs = [t.zeros(n) for n in taken]
    try:
        d.all_to_all(outs, list(x.split(given)))
    except RuntimeError as e:
        return said([out, str(e)], t)
    return said([out, outs], t)


def objects(t: Any) -> Any:
    """Collectives of objects."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    gathered: list[Any] = [None] * size
    d.all_gather_object(gathered, {"rank": rank, "text": "x" * (10 * rank)})
    one: list[Any] = [None] * size
    d.gather_object((rank, [rank]), one if rank == 1 else None, dst=1)
    sent = [rank, "a"] if rank == 0 else [None, None]
    d.broadcast_object_list(sent, src=0)
    got: list[Any] = [None]
    d.scatter_object_list(got, [{"for": i} for i in range(size)] if rank == 1 else None, src=1)
    if rank == 0:
        d.send_object_list([1, {"b": 2}], dst=1)
    received: list[Any] = [None, None]
    if rank == 1:
        d.recv_object_list(received, src=0)
    return [gathered, one, sent, got, received]


def messages(t: Any) -> Any:
    """Point to point: tags, any source, batches."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    found: list[Any] = []
    if rank == 0:
        # The second is asked for first: tags tell them apart.
        a, b = t.zeros(2), t.zeros(3, dtype=t.int64)
        second = d.irecv(b, 1, tag=7)
        first = d.irecv(a, 1, tag=5)
        second.wait()
        first.wait()
        any_one = t.zeros(1)
        sources = sorted(d.recv(any_one, tag=9) for _ in range(size - 1))
        found += [a, b, sources]
    else:
        if rank == 1:
            d.send(t.tensor([1.0, 2.0]), 0, tag=5)
            d.send(t.tensor([3, 4, 5]), 0, tag=7)
        d.send(t.tensor([float(rank)]), 0, tag=9)
    d.barrier()
    after, before = (rank + 1) % size, (rank - 1) % size
    came = t.zeros(4)
    ring = [
        d.P2POp(d.isend, t.full((4,), float(rank)), after),
        d.P2POp(d.irecv, came, before),
    ]
    for work in d.batch_isend_irecv(ring):
        work.wait()
    return said([*found, came], t)


def groups(t: Any) -> Any:
    """Subgroups: ranks, collectives inside, and who is not in one."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    last = d.new_group([size - 1, 0])
    mine, all_of_them = d.new_subgroups(2)
    found: list[Any] = []
    if rank in (0, size - 1):
        x = t.tensor([float(rank)])
        d.all_reduce(x, group=last)
        found += [x, d.get_rank(last), d.get_world_size(last), d.get_process_group_ranks(last)]
        y = t.tensor([float(rank)])
        d.broadcast(y, size - 1, group=last)
        found.append(y)
    z = t.tensor([float(rank)])
    d.all_reduce(z, group=mine)
    found += [z, len(all_of_them), d.get_rank(mine)]
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        outside = t.ones(1)
        d.all_reduce(outside, group=None if rank in (0, size - 1) else last)
        found.append([str(w.message) for w in heard])
    if rank not in (0, size - 1):
        d.all_reduce(t.ones(1))
    if rank in (0, size - 1):
        d.destroy_process_group(last)
    d.barrier()
    return said(found, t)


def futures(t: Any) -> Any:
    """Works and futures of calls that end later."""
    d = t.distributed
    x, y = t.ones(3), t.ones(2)
    first = d.all_reduce(x, async_op=True)
    second = d.all_reduce(y, async_op=True)
    doubled = second.get_future().then(lambda f: f.value()[0] * 2)
    both = t.futures.collect_all([first.get_future(), doubled])
    values = [f.value() for f in both.wait()]
    return said([values, first.wait(), first.is_completed(), second.is_success(), x, y], t)


def callbacks(t: Any) -> Any:
    """Functions called at the end of one call that make another, and wait for it."""
    d = t.distributed

    def again(f: Any) -> Any:
        z = f.value()[0].clone()
        return d.all_reduce(z, async_op=True).get_future().then(lambda g: g.value()[0] + 1).wait()

    made = [
        d.all_reduce(t.full((2,), float(i)), async_op=True).get_future().then(again)
        for i in range(4)
    ]
    between = t.ones(1)
    d.all_reduce(between)
    return said([[f.wait() for f in made], between], t)


def refusals(t: Any) -> Any:
    """What is refused before anything is sent."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    x = t.ones(4)
    transposed = t.ones(2, 3).t()
    calls: list[Callable[[], Any]] = [
        lambda: d.all_reduce(t.ones(2, dtype=t.int16)),
        lambda: d.all_gather([t.ones(2, dtype=t.int16)] * size, t.ones(2, dtype=t.int16)),
        lambda: d.all_reduce(x, d.ReduceOp.BAND),
        lambda: d.all_reduce(t.ones(2, dtype=t.int64), d.ReduceOp.AVG),
        lambda: d.all_reduce(t.ones(2, dtype=t.bool), d.ReduceOp.AVG),
        lambda: d.all_reduce(x, d._make_nccl_premul_sum(2.0)),
        lambda: d.all_reduce(t.ones(2, dtype=t.complex64), d.ReduceOp.MAX),
        lambda: d.send(transposed, (rank + 1) % size),
        lambda: d.recv(transposed, (rank + 1) % size),
        lambda: d.send(x, rank),
        lambda: d.broadcast(x, size),
        lambda: d.all_gather([x] * (size + 1), x),
        lambda: d.all_gather([t.ones(3)] * size, x),
        lambda: d.scatter(x, [x] * size, src=(rank + 1) % size),
        lambda: d.new_group([size]),
    ]
    found = []
    for call in calls:
        try:
            call()
            found.append("nothing")
        except Exception as e:
            found.append(f"{type(e).__name__}: {e}")
    return found


def sparse(t: Any) -> Any:
    """Sums of sparse tensors, which have other elements in each process."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()

    def made(places: list[list[int]], values: Any, shape: tuple[int, ...], **how: Any) -> Any:
        return t.sparse_coo_tensor(t.tensor(places), t.tensor(values, **how), shape)

    def told(x: Any) -> Any:
        return [
            x.is_coalesced(),
            tuple(x.shape),
            str(x.dtype).rpartition(".")[2],
            x._indices().tolist(),
            x._values().tolist(),
            x.sparse_dim(),
            x.dense_dim(),
        ]

    def summed(x: Any, op: Any = None, later: bool = False) -> Any:
        work = d.all_reduce(x, d.ReduceOp.SUM if op is None else op, async_op=later)
        if not later:
            return told(x)
        work.wait()
        return told(work.result()[0]), told(x)

    one = [1.0 + rank, 2.0, 3.0]
    calls: list[Callable[[], Any]] = [
        lambda: summed(made([[0, 2, rank + 3]], one, (8,))),
        lambda: summed(made([[5, 1, 5]], one, (8,))),  # one element twice
        lambda: summed(made([[0, rank], [1, 2]], [[1.0, 2.0], [3.0, 4.0]], (4, 3, 2))),
        lambda: summed(made([[rank] * rank], [1] * rank, (8,), dtype=t.int64)),
        lambda: summed(made([[rank]], [1.5], (8,), dtype=t.bfloat16)),
        lambda: summed(made([[rank]], [1], (8,), dtype=t.int32)),
        lambda: summed(made([[rank, 7]], [1.0, 2.0], (8,)), later=True),
        lambda: summed(made([[rank]], [1.0], (8,)), d.ReduceOp.MAX),
        lambda: summed(made([[rank]], [1.0], (8,)), d.ReduceOp.AVG),
        lambda: d.all_reduce(t.eye(3).to_sparse_csr()),
        lambda: d.broadcast(t.eye(3).to_sparse(), 0),
        lambda: d.all_gather([t.eye(3).to_sparse()] * size, t.eye(3).to_sparse()),
        lambda: d.reduce(t.eye(3).to_sparse(), 0),
        lambda: d.all_reduce_coalesced([t.eye(3).to_sparse()]),
    ]
    found = []
    for call in calls:
        try:
            found.append(call())
        except Exception as e:
            found.append(f"{type(e).__name__}: {e}")
    return found


def profiles(t: Any) -> Any:
    """What profiles show of calls: names, whether they end later, shapes."""
    dist = t.distributed
    rank, size = dist.get_rank(), dist.get_world_size()
    x, parts = t.ones(2), [t.ones(2) for _ in range(size)]
    first = parts if rank == 0 else None
    calls: list[Callable[[], Any]] = [
        lambda: dist.broadcast(x, 0),
        lambda: dist.all_reduce(x.view(2, 1)),
        lambda: dist.all_reduce(x, async_op=True).wait(),
        lambda: dist.all_reduce_coalesced([x, t.ones(3)]),
        lambda: dist.reduce(x, 0),
        lambda: dist.all_gather(parts, x),
        lambda: dist.all_gather_into_tensor(t.ones(2 * size), x),
        lambda: dist.gather(x, first, 0),
        lambda: dist.scatter(x, first, 0),
        lambda: dist.all_to_all(parts, parts),
        lambda: dist.all_to_all_single(t.ones(size), t.ones(size)),
        lambda: dist.recv(x, rank - 1) if rank % 2 else dist.send(x, rank + 1),
        lambda: dist.recv(x) if rank % 2 else dist.send(x, rank + 1),
        lambda: dist.barrier(),
    ]
    found = []
    for call in calls:
        with warnings.catch_warnings(), t.autograd.profiler.profile(record_shapes=True) as profile:
            warnings.simplefilter("ignore")
            call()
        events = [e for e in profile.function_events if e.name.startswith("gloo:")]
        found.append([(e.name, e.is_async, e.input_shapes, e.count) for e in events])
        assert all(e.time_range.end >= e.time_range.start for e in events)
    return found


def accelerators(t: Any, device: str) -> Any:
    """Collectives of tensors on a simulated accelerator, after and before work on its stream."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    pg = d.new_group(backend="hccl" if device == "npu" else None)
    x = t.full((300, 300), float(rank + 1), device=device)
    y = x @ x
    work = d.all_reduce(y, group=pg, async_op=True)
    work.wait()
    z = y + 1
    outs = [t.zeros(2, device=device) for _ in range(size)]
    d.all_gather(outs, t.full((2,), float(rank), device=device), group=pg)
    half = t.full((2,), 0.5 + rank, device=device, dtype=t.bfloat16)
    d.all_reduce(half, d.ReduceOp.AVG, group=pg)
    return [said([z[0, :2], outs, half], t), str(z.device)]


def uneven_lists(t: Any, device: str) -> Any:
    """Gathers and reductions of tensors of which each process has one of another size."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    pg = d.new_group(backend="hccl")
    outs = [t.zeros(r + 1, device=device) for r in range(size)]
    d.all_gather(outs, t.full((rank + 1,), 10.0 + rank, device=device), group=pg)
    ins = [t.full((r + 1,), float(rank + r), device=device) for r in range(size)]
    part = t.zeros(rank + 1, device=device)
    d.reduce_scatter(part, ins, group=pg)
    return [said([*outs, part, *ins], t)]


def rounding(t: Any, dtype: str, values: list[float]) -> Any:
    """The sum, average and product of one number of each process."""
    d = t.distributed
    rank = d.get_rank()
    found = []
    for op in ("SUM", "AVG", "PRODUCT"):
        x = t.tensor([values[rank]], dtype=getattr(t, dtype))
        d.all_reduce(x, getattr(d.ReduceOp, op))
        found.append(float(x))
    return found


def every_dtype(t: Any, dtypes: list[str]) -> Any:
    """Bytes of every dtype through a backend that carries all of them."""
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    pg = d.new_group(backend="mpi", timeout=timedelta(seconds=20))
    found = []
    for dtype in dtypes:
        x = drawn(t, rank, 3, (2, 3), dtype).t()
        outs = [t.zeros_like(x) for _ in range(size)]
        d.all_gather(outs, x, group=pg)
        d.broadcast(x, 1, group=pg)
        found.append(said([outs, x], t))
    scaled = t.ones(2)
    d.all_reduce(scaled, d._make_nccl_premul_sum(2.5), group=pg)
    return [found, said(scaled, t)]


def mismatches(t: Any) -> list[str]:
    """What is said where processes do not make the same call."""
    d = t.distributed
    rank = d.get_rank()
    calls: list[Callable[[], Any]] = [
        lambda: d.all_reduce(t.ones(2 + rank, 3)),
        lambda: d.all_reduce(t.ones(2, dtype=[t.float64, t.int64][rank])),
        lambda: d.all_gather([t.ones(2 + rank)] * 2, t.ones(2 + rank)),
        lambda: d.all_reduce(t.ones(2)),
    ]
    return [_error_of(call) for call in calls]


def other_calls(t: Any) -> list[str]:
    """The same, where processes make different calls."""
    d = t.distributed
    calls: list[Callable[[], Any]] = [
        lambda: d.all_reduce(t.ones(2)) if d.get_rank() else d.broadcast(t.ones(2), 0),
        lambda: d.barrier() if d.get_rank() else d.all_reduce(t.ones(2)),
    ]
    return [_error_of(call) for call in calls]


def _error_of(call: Callable[[], Any]) -> str:
    try:
        call()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
    return "nothing"


def late(t: Any) -> list[str]:
    """What the first process is told where the others do not come; the others do nothing.

    Each call has a group of its own, for what is given up leaves a group in no certain state.
    """
    d = t.distributed
    short = timedelta(seconds=0.5)
    x = t.ones(2)
    calls: list[Callable[[Any], Any]] = [
        lambda g: d.all_reduce(x, group=g),
        lambda g: d.recv(x, 1, group=g),
        lambda g: d.send(t.ones(3_000_000), 1, group=g),
        lambda g: d.all_reduce(x, async_op=True, group=g).get_future().wait(),
        lambda g: d.monitored_barrier(g, timeout=short),
        lambda g: d.monitored_barrier(g, timeout=short, wait_all_ranks=True),
        lambda g: d.all_reduce(x, async_op=True, group=g).wait(timedelta(seconds=0.2)),
        lambda g: d.barrier(g, timeout=timedelta(seconds=0.3)),
    ]
    groups = [d.new_group(timeout=short) for _ in calls]
    if d.get_rank():
        return []
    return [_error_of(lambda: call(g)) for call, g in zip(calls, groups, strict=True)]


def given_up(t: Any) -> Any:
    """What the others are told when the first process gives up, which waits less than they do."""
    d = t.distributed
    group = d.new_group(timeout=timedelta(seconds=40))
    if d.get_rank() == 1:
        return None  # does not come
    begin = time.monotonic()
    told = _error_of(lambda: d.monitored_barrier(group, timeout=0.5))
    return told.partition("Connection closed by peer")[:2], time.monotonic() - begin < 20
