"""``Function``: an op written by the user as a ``forward`` and a ``backward``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar

from mindtorch_autograd import anomaly, errors, grad_mode, protocols
from mindtorch_autograd.node import (
    RELEASED,
    Edge,
    Error,
    Extras,
    Node,
    Output,
    next_key,
)
from mindtorch_autograd.saved import SavedVariable

__all__ = ["BackwardFunction", "Function", "FunctionCtx", "once_differentiable"]


class FunctionCtx:
    """What ``forward`` and ``backward`` share: the ``ctx`` of both, which takes any attribute."""

    to_save: tuple[Any, ...] = ()
    saved_for_forward: tuple[Any, ...] | None = None
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize_grads: bool = True
    needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep values for :attr:`saved_tensors`; None is allowed. A second call replaces them."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep values for ``jvp``."""
        for tensor in tensors:
            assert tensor is None or protocols._space.is_value(tensor), (
                "save_for_forward expects all arguments to be tensors; you should save "
                "non-tensors as attributes on ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs ``forward`` changed in place; it must return them."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which results have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Choose between zeros (default) and None for gradients that nobody gave."""
        self.materialize_grads = value


class BackwardFunction(Node, FunctionCtx):
    """The node of a ``Function``, and at once its ``ctx``. Each Function has a subclass."""

    takes_undefined = True
    _forward_cls: ClassVar[Any] = None

    # Which arguments of forward were values, in order.
    _is_value: tuple[bool, ...] = ()
    key: int
    edges: tuple[Edge, ...]

    def __init__(self) -> None:
        self.key = next_key()
        self.edges = ()
        self.saved = ()
        self.extra = None

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The values given to :meth:`save_for_backward`; raises once they were freed."""
        if self.saved is RELEASED:
            raise errors.backward_twice()
        return tuple([None if v is None else v.unpack(self) for v in self.saved])

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        return tuple(self.saved)

    def apply(self, *grads: Any) -> Any:
        """Call the user's ``backward`` and check its result; undefined gradients become zeros."""
        function = self._forward_cls
        backward, vjp = function.backward, function.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise errors.backward_and_vjp()
        space = protocols._space
        if self.materialize_grads:
            metas = self.input_metadata
            grads = tuple(
                [
                    space.zeros(metas[i]) if g is None and metas[i] is not None else g
                    for i, g in enumerate(grads)
                ]
            )
        result = (vjp if vjp is not Function.vjp else backward)(self, *grads)
        if not isinstance(result, tuple):
            result = (result,)
        is_value = self._is_value
        expected = len(is_value)
        if len(result) > expected and all([r is None for r in result[expected:]]):
            result = result[:expected]
        if len(result) != expected:
            raise errors.wrong_gradient_count(self.name(), expected, len(result))
        outs: list[Any] = []
        for position, (was_value, out) in enumerate(zip(is_value, result)):
            if not was_value:
                if out is not None:
                    raise errors.unexpected_gradient(self.name(), position + 1)
            elif out is not None and not space.is_value(out):
                raise errors.gradient_not_value(out)
            else:
                outs.append(out)
        return outs[0] if len(outs) == 1 else outs

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"

    def apply_jvp(self, *args: Any) -> Any:
        """Call the user's ``jvp``."""
        return self._forward_cls.jvp(self, *args)


class _FunctionMeta(type):
    """Gives every Function its node class, ``MyFn`` → ``MyFnBackward``."""

    _backward_cls: type[BackwardFunction]

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        super().__init__(name, bases, attrs)
        # The module as torch's own classes have it: it shows in the node's repr.
        body = {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        cls._backward_cls = type(name + "Backward", (BackwardFunction,), body)


class Function(metaclass=_FunctionMeta):
    """Base of ops with a gradient of their own; all methods are static, call ``apply``.

    Either ``forward(ctx, *args)``, or ``forward(*args)`` with ``setup_context(ctx, inputs,
    output)``; and ``backward(ctx, *grads)`` (or ``vjp``) that returns a gradient per argument.
    """

    generate_vmap_rule: ClassVar[bool] = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        import warnings

        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: the legacy style is gone."""
        raise errors.legacy_function()

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Note on *ctx* what ``backward`` needs."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Turn gradients of the results into gradients of the arguments."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    # A separate function object: its identity tells that the user defined neither.
    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name for ``backward``."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Push gradients forward."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Say how the op runs over a batch."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod "
            "or set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` and record the node that will run ``backward``."""
        space = protocols._space
        separate = cls.setup_context is not Function.setup_context
        if separate:
            args = _bind_defaults(cls.forward, args, kwargs)
        is_value = tuple([space.is_value(a) for a in args])
        values = [a for a, v in zip(args, is_value) if v]
        ctx = cls._backward_cls()
        ctx._is_value = is_value
        ctx.needs_input_grad = tuple([v and space.requires_grad(a) for a, v in zip(args, is_value)])
        recorded = any(ctx.needs_input_grad) and grad_mode.is_grad_enabled()
        if recorded:
            # Taken before forward runs: it may change its arguments in place.
            ctx.edges = tuple([space.edge(v) for v in values])
            ctx.key = next_key()  # after the edges, which may have made nodes
            extra = ctx.extra = Extras()
            extra.metas = tuple(
                [None if e is None else space.describe(v) for v, e in zip(values, ctx.edges)]
            )
            if anomaly.enabled:
                anomaly.record_forward_call(ctx, skip=1)

        token = grad_mode.state.set(grad_mode.state.get() & ~grad_mode.GRAD_ENABLED)
        try:
            if separate:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args)
            single = not isinstance(output, tuple)
            outputs = [output] if single else list(output)
            _wrap_outputs(ctx, values, outputs, recorded)
        finally:
            grad_mode.state.reset(token)

        _save(ctx, recorded)
        return outputs[0] if single else tuple(outputs)


def _wrap_outputs(
    ctx: BackwardFunction, inputs: list[Any], outputs: list[Any], recorded: bool
) -> None:
    """Give each result its history, replacing it where it is an input handed through.

    Source: torch csrc/autograd/custom_function.cpp, _process_backward_mode_ad.
    """
    space = protocols._space
    for x in ctx.dirty_tensors:
        if not space.is_value(x):
            raise errors.dirty_not_value()
    for x in ctx.non_differentiable:
        if not space.is_value(x):
            raise errors.non_differentiable_not_value()
    given = {id(x) for x in inputs}
    dirty = {id(x) for x in ctx.dirty_tensors}
    constant = {id(x) for x in ctx.non_differentiable}
    returned = {id(x) for x in outputs if id(x) in dirty}
    if len(returned) != len(dirty):
        raise errors.dirty_not_returned()

    ctx.num_outputs = len(outputs)
    mapped: dict[int, Any] = {}
    for nr, x in enumerate(outputs):
        if not space.is_value(x):
            continue
        handed_through = id(x) in given and id(x) not in dirty
        result = x
        if not (recorded and id(x) not in constant and space.differentiable(x)):
            if handed_through:
                result = space.view(x)
                if space.requires_grad(result):
                    result = space.detach(result)
            elif space.requires_grad(x):
                result = space.detach(x)
        else:
            if id(x) in dirty and space.requires_grad(x) and space.grad_fn(x) is None:
                raise errors.leaf_in_place()
            if handed_through:
                result = space.view(x)
            space.set_history(result, ctx if len(outputs) == 1 else Output(ctx, nr))
        outputs[nr] = mapped[id(x)] = result
    # What was saved under the name of a result is the result with its history.
    if ctx.to_save and mapped:
        ctx.to_save = tuple(
            [mapped.get(id(x), x) if id(x) not in given else x for x in ctx.to_save]
        )
    if recorded:
        extra = ctx.extra
        assert extra is not None
        extra.input_metadata = tuple(
            [space.describe(x) if space.is_value(x) else None for x in outputs]
        )


def _save(ctx: BackwardFunction, recorded: bool) -> None:
    """Turn what ``save_for_backward`` was given into saved values with version checks."""
    space = protocols._space
    for index, x in enumerate(ctx.to_save):
        if x is not None and not space.is_value(x):
            raise errors.saved_not_value(index, x)
    if recorded:
        ctx.saved = tuple(
            [
                None if x is None else SavedVariable(x, _made_by(space.grad_fn(x), ctx))
                for x in ctx.to_save
            ]
        )
    ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ()


def _made_by(edge: Edge, node: Node) -> bool:
    return edge is node or (edge.__class__ is Output and edge.edges[0] is node)


def _bind_defaults(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """Return all positional arguments of a call of *function*, defaults filled in."""
    import inspect

    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a ``backward`` that cannot itself be differentiated: trying to raises."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with grad_mode.no_grad():
            outputs = fn(ctx, *args)
        if not grad_mode.is_grad_enabled():
            return outputs
        space = protocols._space
        watched = [a for a in args if space.is_value(a) and space.requires_grad(a)]
        if not watched:
            return outputs
        single = not isinstance(outputs, tuple)
        results = [outputs] if single else list(outputs)
        error = Error(
            "trying to differentiate twice a function that was marked with @once_differentiable",
            tuple([space.edge(a) for a in watched]),
        )
        error.num_outputs = len(results)
        for nr, x in enumerate(results):
            if x is not None:
                results[nr] = space.detach(x)
                space.set_history(results[nr], error if len(results) == 1 else Output(error, nr))
        return results[0] if single else tuple(results)

    return wrapper
