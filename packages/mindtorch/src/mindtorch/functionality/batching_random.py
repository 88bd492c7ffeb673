"""Random ops over a batch: the same numbers for all samples, or other ones for each.

Where samples differ an op draws once for the whole batch, so that the numbers come in the order in
which torch draws them.

Source: torch aten/src/ATen/functorch/BatchRulesRandomness.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import INPLACE, Overload
from ..call.overload_entrance import call_again
from ..core import signature as S
from ..core import vmap_errors as errors
from .batching import (
    Level,
    batch,
    batched,
    call_op,
    front,
    level_of,
    levels,
    refused_in_place,
    sample,
    stacked,
    top_level,
    wrap_results,
)
from .batching_rules import aligned

__all__ = ["fresh_noise", "random_op"]

#: Ops that draw anew for each element of their tensors, whatever dimension it is in.
_BY_ELEMENT = frozenset(
    ("bernoulli", "bernoulli_", "cauchy_", "exponential_", "geometric_", "log_normal_", "normal",
     "normal_", "poisson", "rand_like", "randint_like", "randn_like", "random_", "uniform_")
)  # fmt: skip


def random_op(overload: Overload) -> Call:
    """The call of a random op while a ``vmap`` is in progress."""

    def call(*args: Any) -> Any:
        stack = levels.get()
        batched_at = [t for t in tensors_of(overload, args) if t._sig_ & S.BATCHED]
        number = top_level(overload, args) if batched_at else stack[-1].number
        level = next(level_of(number))
        if level.randomness == "error":
            raise RuntimeError(errors.RANDOM)
        if level.randomness == "different":
            return _different(overload, args, level)
        return _same(overload, args, level)

    return call


def fresh_noise(input: Any, shape: tuple[int, ...]) -> Any:
    """Memory for the noise of *input*, other noise for each sample; None where none is asked for.

    torch's dropouts draw for all samples at once, the outermost batch first, however *input* lies
    in memory, and also where it is no batch itself.
    """
    stack = levels.get()
    if not stack or stack[-1].randomness != "different":
        return None
    apart = [level for level in stack if level.randomness == "different"]
    sizes = [level.size for level in apart]
    with _below(stack[0]):
        noise = call_op("empty.memory_format", (*sizes, *shape), input.dtype, None, input.device,
                        None, None)  # fmt: skip
    for level in apart:
        noise = batch(noise, 0, level.number)
    return noise


@contextmanager
def _below(level: Level) -> Iterator[None]:
    """Inside, only the ``vmap``s outside *level* are in progress."""
    token = levels.get()
    try:
        levels.set(tuple(s for s in levels.get() if s.number < level.number))
        yield
    finally:
        levels.set(token)


def _for_all(overload: Overload, args: tuple[Any, ...], level: Level) -> list[Any]:
    """The arguments of one draw for the whole batch, which broadcast as the samples would."""
    ready = aligned(args, overload, level.number)
    at = overload.tensor_positions[0]
    if batched(args[at], level.number) is None:
        t = args[at]
        depth = max(args[i]._a_.ndim for i in overload.tensor_positions)
        shape = (level.size, *(1,) * (depth - t._a_.ndim), *t._a_.shape)
        ready[at] = call_op("expand", t, shape, False)
    return ready


def _same(overload: Overload, args: tuple[Any, ...], level: Level) -> Any:
    given = [i for i in overload.tensor_positions if batched(args[i], level.number) is not None]
    if overload.kind == INPLACE:
        at = overload.mutable_position
        found = batched(args[at], level.number)
        if found is not None:
            if given != [at]:
                raise RuntimeError(errors.SAME_BATCHED)
            with _below(level):
                drawn = call_op("select.int", found.value, found.bdim, 0).clone()
                call_again(overload, (*args[:at], drawn, *args[at + 1 :]))
                call_op("copy_", front(found), drawn, False)
            return args[at]
    elif given and not overload.base.endswith("_like"):
        raise RuntimeError(errors.SAME_BATCHED)
    with _below(level):
        return call_again(overload, sample(overload, args, level.number, 0))


def _different(overload: Overload, args: tuple[Any, ...], level: Level) -> Any:
    number = level.number
    given = [i for i in overload.tensor_positions if batched(args[i], number) is not None]
    in_place = overload.kind == INPLACE
    if in_place and overload.mutable_position not in given:
        if given:
            raise refused_in_place(overload.name, number)
        raise RuntimeError(errors.DIFFERENT_IN_PLACE)
    if not given and "size" in overload.names:
        at = overload.names.index("size")
        with _below(level):
            whole = call_again(overload, (*args[:at], (level.size, *args[at]), *args[at + 1 :]))
        return batch(whole, 0, number)
    if overload.base in _BY_ELEMENT:
        with _below(level):
            made = call_again(overload, tuple(_for_all(overload, args, level)))
        return args[overload.mutable_position] if in_place else wrap_results(made, number)
    with _below(level):
        each = [call_again(overload, sample(overload, args, number, i)) for i in range(level.size)]
    return args[overload.mutable_position] if in_place else stacked(overload, each, number)
