"""The steps of ``vmap`` by torch's names: libraries call them, and put their own in their place."""

from __future__ import annotations

import importlib
import itertools
import math

import pytest

from .both_frameworks import agree, ours, torch
from .logs import assert_same_log

STEPS = (
    "_check_out_dims_is_int_or_int_pytree _process_batched_inputs _create_batched_inputs "
    "_unwrap_batched _maybe_remove_batch_dim _flat_vmap _get_chunked_inputs _chunked_vmap "
    "get_chunk_sizes _flatten_chunks_output _concat_chunked_outputs vmap_increment_nesting"
).split()
CALLS = {
    "plain": lambda t, x: t.vmap(lambda a: a * 2, out_dims=(1,))(x),
    "nested": lambda t, x: t.vmap(lambda a: t.vmap(lambda b: b.sin())(a))(x),
    "in chunks": lambda t, x: t.vmap(lambda a: (a * 2, a.sum()), chunk_size=2)(x),
    "jacobian": lambda t, x: t.func.jacrev(lambda a: a.sin())(x[0]),
}


@pytest.mark.parametrize("name", CALLS)
def test_each_step_can_be_replaced(monkeypatch, name):
    def program(t, log):
        steps = importlib.import_module(f"{t.__name__}._functorch.vmap")
        with monkeypatch.context() as patch:
            for step in STEPS:

                def replaced(*args, step=step, original=getattr(steps, step), **kwargs):
                    log(step)
                    return original(*args, **kwargs)

                patch.setattr(steps, step, replaced)
            log(CALLS[name](t, t.arange(12.0).reshape(4, 3)))

    assert_same_log(program)


class Pair:
    """Two tensors that are mapped together, as a library's container does it."""

    def __init__(self, a, b):
        self.a, self.b = a, b


def test_a_container_maps_what_it_holds(monkeypatch):
    def program(t):
        steps = importlib.import_module(f"{t.__name__}._functorch.vmap")
        inner = importlib.import_module(f"{t.__name__}._C._functorch")

        def inputs(in_dims, args, func):
            return len(args[0].a), [0], list(args), None

        def create(dims, args, level, spec):
            pair = args[0]
            return [Pair(*(inner._add_batch_dim(x, 0, level) for x in (pair.a, pair.b)))]

        def unwrap(pair, out_dims, level, size, func):
            parts = (inner._remove_batch_dim(x, level, size, out_dims) for x in (pair.a, pair.b))
            return Pair(*parts)

        with monkeypatch.context() as patch:
            patch.setattr(steps, "_process_batched_inputs", inputs)
            patch.setattr(steps, "_create_batched_inputs", create)
            patch.setattr(steps, "_unwrap_batched", unwrap)
            got = t.vmap(lambda p: Pair(p.a.sum() * p.b, t.ones(())))(
                Pair(t.arange(6.0).reshape(3, 2), t.arange(12.0).reshape(3, 2, 2))
            )
        return got.a, got.b

    agree(program)


def test_samples_and_their_batches():
    def program(t, log):
        inner = importlib.import_module(f"{t.__name__}._C._functorch")
        x = t.arange(6.0).reshape(2, 3)

        def look(a):
            log(inner.is_batchedtensor(a), inner.get_unwrapped(a), inner.get_unwrapped(a).tolist())
            log(inner.is_batchedtensor(t.ones(1)))
            made = inner._add_batch_dim(t.ones(3, 2, 4), 1, 1)
            log(made, [inner._remove_batch_dim(made, 1, 2, d) for d in (0, 1, 2, -1)])
            log(inner._remove_batch_dim(t.ones(4), 1, 2, 0))
            return a + made.sum()

        log(t.vmap(look)(x).tolist())
        log.error(lambda: inner.get_unwrapped(x))

    assert_same_log(program)


@pytest.mark.parametrize("chunks", [1, 2, 3, 4, 7])
def test_random_numbers_of_pieces(chunks):
    def program(t):
        apis = importlib.import_module(f"{t.__name__}._functorch.apis")
        t.manual_seed(3)
        one = apis.chunk_vmap(lambda a: a + t.rand(2), randomness="same", chunks=chunks)(
            t.zeros(4, 2)
        )
        return one, t.vmap(lambda a: a + t.rand(2), randomness="same", chunk_size=chunks)(one)

    agree(program)


NESTS = [
    chain
    for n in (0, 1, 2, 3)
    for chain in itertools.product(("vmap", "grad", "jvp"), repeat=n)
    if chain.count("jvp") < 2
]


@pytest.mark.parametrize("chain", NESTS, ids=str)
def test_what_level_tensors_are_of(chain):
    """Numbers of levels count all transforms, samples inside of a derivative are its own."""

    def program(t):
        inner = importlib.import_module(f"{t.__name__}._C._functorch")
        seen = []
        captured = t.ones(())

        def told(x):
            wrapped = inner.is_functorch_wrapped_tensor(x)
            asked = inner.is_batchedtensor(x), inner.is_gradtrackingtensor(x), wrapped
            numbers = inner.maybe_get_bdim(x), inner.maybe_get_level(x)
            level = inner.maybe_current_level()
            batches = [inner._unwrap_batched(x, n) for n in (1, 2, 3)]
            sizes = [(tuple(b.shape), b.dim() == x.dim(), d) for b, d in batches]
            levels = [level, inner.current_level() if level else None]
            while inner.is_functorch_wrapped_tensor(x):
                x = inner.get_unwrapped(x)
            seen.append([asked, numbers, levels, sizes, tuple(x.shape)])

        def f(x):
            for value in (x, x * 2, x.detach(), x.int(), x * captured, captured, t.ones(2)):
                told(value)
            return (x * x).sum()

        for name in reversed(chain):
            f = {
                "vmap": lambda f: t.func.vmap(f),
                "grad": lambda f: t.func.grad(lambda x: f(x).sum()),
                "jvp": lambda f: lambda x: t.func.jvp(f, (x,), (t.ones_like(x),))[1],
            }[name](f)
        f(t.ones([3] * len(chain)))
        return seen

    assert program(ours) == program(torch)


@pytest.mark.parametrize("shape", [(2, 3, 4), (6, 4), (6,)], ids=str)
def test_dimensions_are_joined_and_parted(shape):
    def program(t):
        inner = importlib.import_module(f"{t.__name__}._C._functorch")
        x = t.arange(24.0)[: math.prod(shape)].reshape(shape)
        found = []
        for first, second in itertools.product(range(-3, 3), range(-2, 2)):
            for run in (
                lambda i=first, j=second: inner.reshape_dim_into(i, j, x),
                lambda i=first, j=second: inner.reshape_dim_outof(i, j + 3, x),
            ):
                try:
                    result = run()
                    found.append((result, result.stride()))
                except IndexError as error:
                    found.append(str(error))
                except RuntimeError:
                    found.append("not a multiple")
        return found

    agree(program)
