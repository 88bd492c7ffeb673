"""``make_graphed_callables``: functions and modules whose work is captured once and replayed.

A graphed callable has a graph for its forward and one for its backward, which read and write the
same tensors at each call: its inputs are copied into the sample arguments, and what it gives are
the outputs of the capture. In the autograd graph it is one node.

Source: torch/cuda/graphs.py.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from mindtorch_npu import devices, graphs, streams
from mindtorch_storage import ACCELERATOR

from ..amp.switches import is_autocast_cache_enabled, is_autocast_enabled
from ..aten.torch import Tensor, empty_like
from ..autograd import grad
from ..autograd.function import Function, once_differentiable
from ..nn.modules.module import Module
from ._pytree import arg_tree_leaves, tree_flatten, tree_leaves, tree_unflatten

__all__ = ["make_graphed_callables"]


def _check_module(module: Module) -> None:
    if module._backward_hooks or module._forward_hooks or module._forward_pre_hooks:
        raise AssertionError(
            "Modules must not have hooks registered at the time they are passed. However, "
            "registering hooks on modules after passing them through make_graphed_callables is "
            "allowed."
        )
    if any(buffer.requires_grad for buffer in module.buffers()):
        raise AssertionError(
            "In any :class:`~torch.nn.Module` passed to :func:`~make_graphed_callables`, only "
            "parameters may be trainable. All buffers must have ``requires_grad=False``."
        )


class _Piece:
    """One callable with its graphs and the tensors that these read and write."""

    def __init__(self, function: Any, args: tuple[Any, ...], allow_unused: bool) -> None:
        self.function = function
        self.args = args
        self.allow_unused = allow_unused
        if isinstance(function, Module):
            _check_module(function)
        self.user_inputs = tuple(arg_tree_leaves(*args))
        if not all(isinstance(each, Tensor) for each in self.user_inputs):
            raise AssertionError(
                "In the beta API, sample_args for each callable must contain only Tensors. Other "
                "types are not allowed."
            )
        is_module = isinstance(function, Module)
        self.parameters = tuple(function.parameters()) if is_module else ()
        #: What the forward reads.
        self.inputs = self.user_inputs + self.parameters
        self.forward, self.backward = graphs.NPUGraph(), graphs.NPUGraph()
        self.outputs: tuple[Any, ...] = ()
        self.spec: Any = None
        #: The gradients that the backward reads, and those that it gives; None where there is none.
        self.output_grads: tuple[Any, ...] = ()
        self.input_grads: tuple[Any, ...] = ()

    def _grads(self, outputs: tuple[Any, ...], output_grads: tuple[Any, ...]) -> Any:
        return grad(
            outputs=tuple(each for each in outputs if each.requires_grad),
            inputs=tuple(each for each in self.inputs if each.requires_grad),
            grad_outputs=tuple(each for each in output_grads if each is not None),
            only_inputs=True,
            allow_unused=self.allow_unused,
        )

    @staticmethod
    def _like(outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(empty_like(each) if each.requires_grad else None for each in outputs)

    def warm_up(self, times: int) -> None:
        """Run it as it is, so that what is done once is not captured."""
        for _ in range(times):
            outputs = tuple(tree_leaves(self.function(*self.args)))
            if any(each.requires_grad for each in outputs):
                self._grads(outputs, self._like(outputs))

    def capture_forward(self, pool: Any) -> None:
        """Capture what it gives for the sample arguments."""
        with graphs.graph(self.forward, pool=pool):
            given = self.function(*self.args)
        leaves, self.spec = tree_flatten(given)
        self.outputs = tuple(leaves)

    def capture_backward(self, pool: Any) -> None:
        """Capture the gradients of its inputs."""
        self.output_grads = self._like(self.outputs)
        found: Any = None
        if any(each.requires_grad for each in self.outputs):
            with graphs.graph(self.backward, pool=pool):
                found = self._grads(self.outputs, self.output_grads)
        left = iter(found or ())
        self.input_grads = tuple(
            next(left) if found is not None and each.requires_grad else None for each in self.inputs
        )

    def __call__(self, *args: Any) -> Any:
        """Replay the forward for the user's arguments, in one node of the autograd graph."""
        found = Graphed.apply(self, *arg_tree_leaves(*args), *self.parameters)
        return tree_unflatten(found, self.spec)

    def replaced(self) -> Any:
        """The graphed callable: a module itself, with another ``forward``."""
        call, module = self.__call__, self.function
        if not isinstance(module, Module):
            return call
        before: Any = module.forward
        mode = module.training

        @wraps(before)
        def forward(*args: Any, **kwargs: Any) -> Any:
            if module.training == mode:
                return call(*args, **kwargs)
            return before(*args, **kwargs)

        module.forward = forward
        return module


class Graphed(Function):
    """The node of a graphed callable."""

    @staticmethod
    def forward(ctx: Any, piece: _Piece, *inputs: Any) -> Any:
        """Copy the inputs to where the graph reads them, and replay it."""
        ctx.piece = piece
        for static, given in zip(piece.user_inputs, inputs):
            if static.data_ptr() != given.data_ptr():
                static.copy_(given)
        piece.forward.replay()
        return tuple(each.detach() for each in piece.outputs)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Any) -> Any:
        """The same of gradients."""
        piece = ctx.piece
        assert len(grads) == len(piece.output_grads)
        for static, given in zip(piece.output_grads, grads):
            if static is not None and static.data_ptr() != given.data_ptr():
                static.copy_(given)
        piece.backward.replay()
        return None, *[None if each is None else each.detach() for each in piece.input_grads]


def make_graphed_callables(
    callables: Any,
    sample_args: Any,
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: Any = None,
) -> Any:
    """Callables that replay what *callables* do for arguments such as *sample_args*.

    :param callables: a function or module, or a tuple of them in the order in which they will run;
        modules are changed in place, and run as they were where their mode is another one.
    :param sample_args: a tuple of tensors for each.
    :param num_warmup_iters: how often each runs before it is captured.
    :param allow_unused_input: let an input have no gradient.
    :param pool: the pool of memory of all the graphs; default one of their own.

    Raises RuntimeError under an autocast that caches, AssertionError for modules with hooks or
    buffers that require gradients, and for arguments that are no tensors.
    """
    if is_autocast_enabled(ACCELERATOR) and is_autocast_cache_enabled():
        raise RuntimeError(
            "make_graphed_callables does not support the autocast caching. Please set "
            "`cache_enabled=False`."
        )
    single = not isinstance(callables, tuple)
    if single:
        callables, sample_args = (callables,), (sample_args,)
    pieces = [_Piece(*each, allow_unused_input) for each in zip(callables, sample_args)]
    if pool is None:
        pool = graphs.graph_pool_handle()
    devices.synchronize()
    with streams.stream(streams.Stream()):
        for piece in pieces:
            piece.warm_up(num_warmup_iters)
    devices.synchronize()
    for piece in pieces:
        piece.capture_forward(pool)
    for piece in reversed(pieces):
        piece.capture_backward(pool)
    made = [piece.replaced() for piece in pieces]
    return made[0] if single else tuple(made)
