"""Tensors that may be samples of batches, as the tensor of all samples.

Autograd and tangents are below the key of batches: what they know, they know of whole tensors. So
whatever asks them about a sample asks about the tensor with every open batch in front.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad

from ..core import signature as S
from ..core import vmap_errors as errors
from ..core.constants import preserve_format
from ..core.operators import ops
from ..functionality.batching import Level, batch, batched, bottom, call_op, front, levels
from ..tensor.array_memory import same_storage
from ..tensor.construction import share


def whole(t: Any, stack: tuple[Level, ...] | None = None) -> Any:
    """*t* with the dimensions of the batches of *stack* in front, outermost first.

    A batch that is not in *stack* (all open ones by default) stays as it is.
    """
    stack = levels.get() if stack is None else stack
    if t._sig_ & S.BATCHED and t._batched.level not in [level.number for level in stack]:
        value, dim, number = t._batched
        return batch(whole(value, stack), dim + len(stack), number)
    for level in reversed(stack):
        found = batched(t, level.number)
        if found is not None:
            t = front(found)
        else:
            t = call_op("unsqueeze", t, 0)
            t = call_op("expand", t, (level.size, *t._a_.shape[1:]), False)
    return t


def samples(t: Any, stack: tuple[Level, ...] | None = None) -> Any:
    """The inverse of :func:`whole`."""
    stack = levels.get() if stack is None else stack
    if (
        t._sig_ & S.BATCHED
    ):  # a batch inside of those of the stack: its dimension goes behind theirs
        value, dim, number = t._batched
        order = [i for i in range(value._a_.ndim) if i != dim]
        order.insert(len(stack), dim)
        return batch(samples(call_op("permute", value, tuple(order)), stack), 0, number)
    for level in stack:
        t = batch(t, 0, level.number)
    return t


class Copied:
    """The memory of all samples of a tensor, apart from its own."""

    __slots__ = ("memory", "version")

    def __init__(self, memory: Any) -> None:
        self.memory, self.version = memory, memory._version

    def give_back(self, t: Any) -> None:
        """Write into *t*, of which this is a copy, what was done to it in place since.

        Raises RuntimeError where samples differ now and *t* is no batch.
        """
        value = self.memory
        if value._version == self.version:
            return
        stack = levels.get()
        kept = [level for level in stack if batched(t, level.number) is not None]
        for dim, level in reversed(list(enumerate(stack))):
            if level not in kept:
                first = call_op("select.int", value, dim, 0)
                if not bool(((value == first.unsqueeze(dim)) | (value != value)).all()):
                    raise RuntimeError(errors.in_place("aten::copy_", level.number))
                value = first
        call_op("copy_", t, samples(value, tuple(kept)), False)


def copy_of(t: Any, dual: Any) -> Copied | None:
    """What *dual* has in place of the memory of *t*; None if it is that memory."""
    memory = bottom(dual)
    return None if same_storage(memory, bottom(t)) else Copied(share(memory._a_, memory))


def ones(w: Any) -> Any:
    """The gradient of *w* with respect to itself, as torch's Python makes it."""
    return ops.ones_like(w, memory_format=preserve_format)


def wants_grad(t: Any) -> bool:
    """Whether gradients flow to *t*, or to the tensor that it is a sample of."""
    return bool(bottom(t).requires_grad)


def gradients_of_samples(outputs: Any, inputs: Any, seeds: Any, **options: Any) -> tuple[Any, ...]:
    """``autograd.grad`` where any of them may be samples; a seed of None stands for ones."""
    if not levels.get():
        return grad(outputs, inputs, seeds, **options)
    wholes = [whole(t) for t in outputs]
    begin = [ones(w) if s is None else whole(s) for w, s in zip(wholes, seeds, strict=True)]
    found = grad(wholes, [bottom(x) for x in inputs], begin, **options)
    return tuple([g if g is None else _like(g, x) for g, x in zip(found, inputs, strict=True)])


def _like(g: Any, x: Any) -> Any:
    """*g* as a sample, as *x* is one of the tensor that *g* is like."""
    if not x._sig_ & S.BATCHED:
        return g
    value, dim, number = x._batched
    return batch(_like(g, value), dim, number)
