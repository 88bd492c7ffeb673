"""Programs of several processes, run by ``python sharing_programs.py FRAMEWORK STRATEGY``.

Each returns what it saw; a line per program is printed, for mindtorch and the oracle alike.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import signal
import sys
import warnings

PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def in_child(t, body, *args):
    """Run *body* in a forked process; its exit code."""
    process = t.multiprocessing.get_context("fork").Process(target=body, args=(t, *args))
    process.start()
    process.join(60)
    return process.exitcode


def exchange(t, body, *sent):
    """Send each of *sent* to a forked *body*, and take as many answers as it has."""
    context = t.multiprocessing.get_context("fork")
    there, back, done = context.Queue(), context.Queue(), context.Event()
    process = context.Process(target=body, args=(t, there, back, done))
    process.start()
    for value in sent:
        there.put(value)
    answers = back.get(timeout=60)
    done.set()
    process.join(60)
    return answers, process.exitcode


def _adds_one(t, there, back, done):
    x = there.get(timeout=60)
    x.add_(1)
    back.put(x.tolist())
    done.wait(60)


@program
def changes_are_seen_by_the_sender(t):
    x = t.arange(6.0).reshape(2, 3)
    answer = exchange(t, _adds_one, x)
    return answer, x.tolist(), x.is_shared(), x.untyped_storage().is_shared()


@program
def a_strided_window_is_sent_as_one(t):
    x = t.arange(12)
    part = x.reshape(3, 4)[1:, ::2]
    answer = exchange(t, _adds_one, part)
    return answer, x.tolist(), part.stride()


def _looks_at_views(t, there, back, done):
    a, b, c = there.get(timeout=60)
    a.fill_(7)
    one = a.untyped_storage()._cdata == b.untyped_storage()._cdata
    back.put((one, b.tolist(), c.tolist(), b.storage_offset()))
    done.wait(60)


@program
def views_of_one_storage_stay_so(t):
    x = t.zeros(4)
    return exchange(t, _looks_at_views, (x[:2], x, t.ones(2))), x.tolist()


def _compares(t, there, back, done):
    a, b = there.get(timeout=60), there.get(timeout=60)
    back.put(a.untyped_storage()._cdata == b.untyped_storage()._cdata)
    done.wait(60)


@program
def memory_that_comes_twice_is_one(t):
    x = t.ones(3)
    return exchange(t, _compares, x, x[1:])


def _sends_back(t, there, back, done):
    back.put(there.get(timeout=60))
    done.wait(60)


@program
def memory_that_comes_back_is_the_same(t):
    x = t.ones(3)
    (y, code) = exchange(t, _sends_back, x)
    same = y.untyped_storage()._cdata == x.untyped_storage()._cdata
    y.zero_()
    return same, code, x.tolist(), type(y).__name__


@program
def every_kind_of_tensor_goes(t):
    seen = []
    for dtype in ("bool", "uint8", "int16", "float16", "bfloat16", "float64", "complex64"):
        x = t.tensor([0, 1, 1]).to(getattr(t, dtype))
        y, code = exchange(t, _sends_back, x)
        seen.append((str(y.dtype), y.tolist(), code))
    for x in (t.tensor(3.0), t.empty(0, 2), t.empty(2, 3, device="meta"), t.ones(2)[2:]):
        y, code = exchange(t, _sends_back, x)
        seen.append((tuple(y.shape), y.stride(), str(y.device), code))
    return seen


@program
def parameters_and_leaves_keep_their_wish(t):
    p = t.nn.Parameter(t.ones(2))
    q, _ = exchange(t, _sends_back, p)
    x = t.ones(2, requires_grad=True)
    y, _ = exchange(t, _sends_back, x)
    frozen, _ = exchange(t, _sends_back, t.nn.Parameter(t.ones(1), requires_grad=False))
    return [(type(v).__name__, v.requires_grad, v.is_leaf) for v in (q, y, frozen)]


@program
def a_history_does_not_go(t):
    from multiprocessing.reduction import ForkingPickler

    try:
        ForkingPickler.dumps(t.ones(2, requires_grad=True) * 2)
    except RuntimeError as error:
        return str(error)


def _makes(t, there, back, done):
    back.put(t.full((5,), 3.0))
    done.wait(60)
    os.kill(os.getpid(), signal.SIGKILL)


@program
def memory_survives_its_maker(t):
    x, code = exchange(t, _makes)
    x.add_(1)
    return x.tolist(), code


def _fills(t, x):
    x.fill_(9)


@program
def forked_children_see_shared_memory(t):
    x, y = t.zeros(3).share_memory_(), t.zeros(3)
    view = x[1:]
    codes = in_child(t, _fills, view), in_child(t, _fills, y)
    return codes, x.tolist(), y.tolist(), x.share_memory_() is x, view.is_shared()


def _trains(t, model):
    with t.no_grad():
        for p in model.parameters():
            p.add_(1)


@program
def a_shared_module_is_trained_by_children(t):
    model = t.nn.Linear(2, 1)
    with t.no_grad():
        for p in model.parameters():
            p.zero_()
    model.share_memory()
    codes = [in_child(t, _trains, model) for _ in range(2)]
    return codes, [p.tolist() for p in model.parameters()], model.weight.is_shared()


def _double(x):
    return x * 2


@program
def pools_and_pipes_take_tensors(t):
    with t.multiprocessing.get_context("fork").Pool(2) as pool:
        doubled = pool.map(_double, [t.ones(2), t.zeros(1)])
        doubled = [x.tolist() for x in doubled]
    a, b = t.multiprocessing.get_context("fork").Pipe()
    x = t.ones(2)
    a.send([x, x.untyped_storage(), x._typed_storage()])
    got, untyped, typed = b.recv()
    one = got.untyped_storage()._cdata == untyped._cdata == typed._cdata
    queue = t.multiprocessing.get_context("fork").SimpleQueue()
    queue.put(t.ones(1))
    return doubled, one, untyped.nbytes(), str(typed.dtype), queue.get().tolist()


@program
def torchs_own_queue_takes_tensors(t):
    queue = importlib.import_module(t.multiprocessing.__name__ + ".queue")
    context = t.multiprocessing.get_context("fork")
    own = queue.Queue(ctx=context)
    own.put(t.ones(3))
    return own.get(timeout=60).tolist()


@program
def shared_memory_refuses_to_be_resized(t):
    seen = []
    for memory in (t.ones(2).share_memory_().untyped_storage(), t.UntypedStorage._new_shared(4)):
        seen.append((memory.is_shared(), memory.nbytes(), memory.resizable()))
    return seen


def descriptors():
    return len(os.listdir("/proc/self/fd"))


@program
def what_nobody_uses_is_freed(t):
    t.ones(1).share_memory_()
    gc.collect()
    before, named = descriptors(), set(names())
    for _ in range(40):
        x = t.ones(1000).share_memory_()
        del x
    gc.collect()
    return descriptors() - before <= 2, sorted(set(names()) - named)


def names():
    """The named memory that this run has left so far."""
    own = f"torch_{os.getpid()}_"
    return [name for name in os.listdir("/dev/shm") if name.startswith(own)]


def _holds(t, there, back, done):
    kept = [there.get(timeout=60), t.ones(100).share_memory_()]
    back.put(len(kept))
    done.wait(60)
    os.kill(os.getpid(), signal.SIGKILL)


@program
def a_killed_process_takes_nothing_along(t):
    x = t.ones(100)
    answer = exchange(t, _holds, x)
    return answer, x.sum().item()


def _tells(back, sent):
    back.put([str(x) for x in sent])


@program
def spawned_processes_get_all_layouts(t):
    eye, context = t.eye(4), t.multiprocessing.get_context("spawn")
    sparse = [
        eye.to_sparse(),
        eye.to_sparse_csr(),
        eye.to_sparse_csc(),
        eye.to_sparse_bsr((2, 2)),
        eye.to_sparse_bsc((2, 2)),
    ]
    nested = [t.nested.nested_tensor([t.ones(n), t.zeros(2)]) for n in (1, 3)]
    back = context.SimpleQueue()
    process = context.Process(target=_tells, args=(back, sparse + nested))
    process.start()
    process.join(60)
    shared = [x.is_shared() for x in (sparse[0].coalesce().values(), sparse[1].values(), *nested)]
    return process.exitcode, back.get(), shared


@program
def weak_references_know_the_dead(t):
    reductions = importlib.import_module(t.multiprocessing.__name__ + ".reductions")
    x = t.ones(2)
    a = reductions.StorageWeakRef(x.untyped_storage())
    b = reductions.StorageWeakRef(x[1:].untyped_storage())
    before = a == b, hash(a) == hash(b), a.expired(), len({a, b})
    del x
    gc.collect()
    return before, a.expired()


def main():
    framework, strategy = sys.argv[1:]
    warnings.simplefilter("ignore")
    t = importlib.import_module(framework)
    importlib.import_module(framework + ".multiprocessing")
    t.multiprocessing.set_sharing_strategy(strategy)
    for each in PROGRAMS:
        print(each.__name__, repr(each(t)), flush=True)
    gc.collect()
    print("left", len(names()), multiprocessing.active_children())


if __name__ == "__main__":
    main()
