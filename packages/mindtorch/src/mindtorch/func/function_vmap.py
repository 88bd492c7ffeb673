"""``autograd.Function`` under ``vmap``: the user's ``vmap``, or one made of the other methods.

Source: torch/_functorch/autograd_function.py.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import Function

from .._functorch.vmap import vmap_increment_nesting
from .._library.vmap import VmapInfo, apart, innermost, outside, run_rule, together
from ..core.operators import ops
from ..functionality.batching import level_of
from ..tensor import Tensor

__all__ = ["vmap_function"]

_NOTES = "https://pytorch.org/docs/main/notes/extending.func.html"


def vmap_function(function: Any, args: tuple[Any, ...]) -> Any:
    """``function.apply(*args)``, where a tensor among *args* is batched.

    Raises RuntimeError for a Function without a rule, or with two.
    """
    if function.setup_context is Function.setup_context:
        # Of the user's ``vmap``s it was refused before.
        return _one_by_one(function, args)
    own = function.vmap is not Function.vmap
    if function.generate_vmap_rule:
        if own:
            raise RuntimeError(
                f"You tried to vmap over {function.__name__}, but it has both "
                "generate_vmap_rule=True and an overridden vmap staticmethod. Please set "
                "generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid "
                f"ambiguity. For more details, please see {_NOTES}"
            )
        return _by_generated_rule(function, args)
    if not own:
        raise RuntimeError(
            f"You tried to vmap over {function.__name__}, but it does not have vmap support. "
            "Please override and implement the vmap staticmethod or set generate_vmap_rule=True. "
            f"For more details, please see {_NOTES}"
        )
    return run_rule(function.vmap, args, {})


def _one_by_one(function: Any, args: tuple[Any, ...]) -> Any:
    """*function* of each sample, for a ``vmap`` over tangents alone: torch batches nothing else."""
    number = innermost(args)
    size = next(iter(level_of(number))).size
    whole, dims = apart(args, number)
    with outside(number):
        each = [
            function.apply(
                *[a if d is None else a.select(d, i) for a, d in zip(whole, dims, strict=True)]
            )
            for i in range(size)
        ]
        if isinstance(each[0], tuple):
            made: Any = tuple([ops.stack(list(parts)) for parts in zip(*each, strict=True)])
            return together(made, (0,) * len(made), number)
        return together(ops.stack(each), 0, number)


def _by_generated_rule(function: Any, args: tuple[Any, ...]) -> Any:
    number = innermost(args)
    level = next(iter(level_of(number)))
    whole, in_dims = apart(args, number)
    batch = _Batch(function, VmapInfo(level.size, level.randomness), in_dims)
    with outside(number):
        result = batch.function().apply(*whole)
    return together(result, batch.out_dims, number)


class _Batch:
    """A Function whose methods are those of another, run over a batch.

    :ivar out_dims: where the batch dimensions of the results are, once ``forward`` has run.
    :ivar shapes: those of the arguments' samples; None for what is no tensor.
    :ivar saved_dims: the same of what ``save_for_backward`` was given.
    """

    def __init__(self, function: Any, info: VmapInfo, in_dims: tuple[Any, ...]) -> None:
        self.of = function
        self.info = info
        self.in_dims = in_dims
        self.out_dims: Any = None
        self.shapes: list[Any] = []
        self.saved_dims: dict[str, Any] = {}

    def function(self) -> Any:
        """The Function on whole tensors."""
        body = {
            "forward": staticmethod(self.forward),
            "setup_context": staticmethod(self.setup_context),
            "backward": staticmethod(self.backward),
            "generate_vmap_rule": True,  # for the levels outside of this one
        }
        if self.of.jvp is not Function.jvp:
            body["jvp"] = staticmethod(self.jvp)
        return type(f"Vmapped{self.of.__name__}", (Function,), body)

    def forward(self, *inputs: Any) -> Any:
        """The results, as whole tensors."""
        with vmap_increment_nesting(*self.info) as number:
            given = together(inputs, self.in_dims, number)
            self.shapes = [t.shape if isinstance(t, Tensor) else None for t in given]
            result = self.of.forward(*given)
            whole, self.out_dims = apart(result, number)
        return whole

    def setup_context(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """The user's, which sees samples and whose ctx saves whole tensors."""
        with vmap_increment_nesting(*self.info) as number:
            self.of.setup_context(
                _Context(ctx, self, number),
                together(inputs, self.in_dims, number),
                together(output, self.out_dims, number),
            )

    def backward(self, ctx: Any, *grads: Any) -> Any:
        """Gradients of whole tensors; summed over the batch for what all samples shared."""
        dims = self.out_dims if isinstance(self.out_dims, tuple) else (self.out_dims,)
        user = self.of.backward if self.of.vjp is Function.vjp else self.of.vjp
        with vmap_increment_nesting(*self.info) as number:
            sample = [together(g, d, number) for g, d in zip(grads, dims, strict=True)]
            result = user(_Context(ctx, self, number), *sample)
            found = apart(self._fitted(result), number)
        return self._all_placed(found, self.in_dims)

    def _fitted(self, result: Any) -> tuple[Any, ...]:
        """Gradients of samples, summed over what ``forward`` broadcast.

        The engine would do it for a Function, and sees whole tensors here.
        """
        grads = list(result) if isinstance(result, tuple) else [result]
        for i, (g, shape) in enumerate(zip(grads, self.shapes, strict=False)):
            if isinstance(g, Tensor) and shape is not None and g.shape != shape:
                grads[i] = g.sum_to_size(shape)
        return tuple(grads)

    def jvp(self, ctx: Any, *tangents: Any) -> Any:
        """Tangents of whole results, of those of whole arguments."""
        dims = [None if t is None else d for t, d in zip(tangents, self.in_dims, strict=True)]
        with vmap_increment_nesting(*self.info) as number:
            sample = together(tangents, tuple(dims), number)
            result = self.of.jvp(_Context(ctx, self, number), *sample)
            many = isinstance(result, tuple)
            found = apart(result if many else (result,), number)
        wanted = self.out_dims if isinstance(self.out_dims, tuple) else (self.out_dims,)
        whole = self._all_placed(found, wanted)
        return whole if many else whole[0]

    def _all_placed(self, found: tuple[Any, Any], wanted: Any) -> tuple[Any, ...]:
        whole: list[Any] = list(found[0])
        for i, (value, have, want) in enumerate(zip(*found, wanted, strict=False)):
            if isinstance(value, Tensor):
                whole[i] = self._placed(value, have, want)
        return tuple(whole)

    def _placed(self, grad: Any, have: int | None, want: Any) -> Any:
        if want is None:
            return grad if have is None else grad.sum(have)
        if have is None:
            shape = list(grad.shape)
            shape.insert(want, self.info.batch_size)
            return grad.unsqueeze(want).expand(shape)
        return grad.movedim(have, want)


class _Context:
    """The ctx that the user's methods see under a batch; attributes are the real ctx's."""

    def __init__(self, ctx: Any, batch: _Batch, number: int) -> None:
        vars(self).update(_inner=ctx, _batch=batch, _number=number)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._inner, name, value)

    def _keep(self, which: str, values: tuple[Any, ...]) -> None:
        whole, self._batch.saved_dims[which] = apart(values, self._number)
        getattr(self._inner, which)(*whole)

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep samples, as whole tensors."""
        self._keep("save_for_backward", tensors)

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep samples, as whole tensors."""
        self._keep("save_for_forward", tensors)

    def mark_dirty(self, *args: Any) -> None:
        """Mark whole tensors."""
        self._keep("mark_dirty", args)

    def mark_non_differentiable(self, *args: Any) -> None:
        """Mark whole tensors."""
        self._keep("mark_non_differentiable", args)

    @property
    def saved_tensors(self) -> Any:
        """What was saved, as samples again."""
        inner = self._inner
        forward = inner._pushes_forward_ and inner.saved_for_forward is not None
        dims = self._batch.saved_dims["save_for_forward" if forward else "save_for_backward"]
        return together(inner.saved_tensors, dims, self._number)
