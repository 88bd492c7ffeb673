"""Gradients of ops from ``torch.library``: a formula registered with ``register_autograd``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKeySet, tls

from .._ops import OpOverload
from ..autograd import Function
from ..call.arguments import split_keywords
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import build
from ..core import functionality_keys
from ..core import signature as S
from ..core.tags import Tag
from ..tensor import Tensor
from . import schemas
from .foreign import with_builder
from .nesting import Nest, apart, together
from .recording import Formula, is_plain, recording_call, set_excluded, without_autograd

__all__ = ["Formula", "Pair", "autograd_kernel"]


class Pair:
    """A formula that does not change."""

    __slots__ = ("_backward_fn", "_setup_context_fn")

    def __init__(
        self, backward: Callable[..., Any], setup_context: Callable[..., Any] | None
    ) -> None:
        self._backward_fn: Callable[..., Any] | None = backward
        self._setup_context_fn = setup_context


class _Inner:
    """What a call goes on with below autograd: the last argument of the recording Function."""

    __slots__ = ("below", "keywords")

    def __init__(self, below: Call, keywords: dict[str, Any]) -> None:
        self.below = below
        self.keywords = keywords


def autograd_kernel(op: OpOverload, formula: Formula) -> Callable[..., Any]:
    """The kernel at the Autograd key of *op*: records a node that runs *formula*.

    Below it the op is called with autograd excluded, so nothing inside is recorded.
    """
    name = f"GeneratedBackwardFor_{op.namespace}_{op._opname}_{op._overloadname}"
    function = _function(name, op, formula)
    schema = op._schema
    if schemas.tensor_lists(schema):
        function = _over_lists(function)
    writes_out = Tag.out in op.tags

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        """The way through the general dispatcher: a redispatch from above."""
        rest = DispatchKeySet.from_mask(keyset.mask & functionality_keys.BELOW_AUTOGRAD)

        def below(*args: Any, **kwargs: Any) -> Any:
            return op.redispatch(rest, *args, **kwargs)

        guarded = without_autograd(below)
        if not grad_mode.is_grad_enabled() or not _any_requires_grad((*args, *kwargs.values())):
            return guarded(*args, **kwargs)
        if writes_out:
            raise _no_out(op)
        return function.apply(*args, _Inner(guarded, kwargs))

    def builder(overload: Overload, sig: int, mask: int) -> Call:
        """The way through the call table."""
        below_autograd = build(overload, sig, mask & functionality_keys.BELOW_AUTOGRAD)
        inner = without_autograd(below_autograd, len(schema.arguments))
        if not (sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED):
            return inner
        if writes_out:

            def refuse(*args: Any) -> Any:
                raise _no_out(op)

            return refuse

        if is_plain(schema):
            return recording_call(function, formula, schema, sig, below_autograd)

        def record(*args: Any) -> Any:
            # As torch's dispatcher: a node has an edge for each argument that was not left out.
            positional, keywords = split_keywords(overload, args)

            def below(*given: Any, **kwargs: Any) -> Any:
                return inner(*args)

            return function.apply(*positional, _Inner(below, keywords))

        return record

    kernel.__name__ = "autograd"
    kernel.records = True
    return with_builder(kernel, builder)


def _no_out(op: OpOverload) -> RuntimeError:
    return RuntimeError(
        f"{op._opname}(): functions with out=... arguments don't support automatic "
        "differentiation, but one of the arguments requires grad."
    )


def _any_requires_grad(values: tuple[Any, ...]) -> bool:
    for value in values:
        if isinstance(value, Tensor):
            if value._sig_ & S.REQUIRES_GRAD:
                return True
        elif isinstance(value, (list, tuple)) and _any_requires_grad(tuple(value)):
            return True
    return False


def _function(name: str, op: OpOverload, formula: Formula) -> Any:
    """The Function whose node runs the formula of *op*."""
    schema = op._schema
    keyword_only = any(a.kwarg_only for a in schema.arguments)

    def forward(ctx: Any, *given: Any) -> Any:
        inner = given[-1]
        args = given[:-1]
        result = inner.below(*args, **inner.keywords)
        setup = formula._setup_context_fn
        if setup is not None:
            inputs, keywords = schemas.filled(schema, args, inner.keywords)
            token = set_excluded()
            try:
                if keyword_only:
                    setup(ctx=ctx, inputs=inputs, keyword_only_inputs=keywords, output=result)
                else:
                    setup(ctx=ctx, inputs=inputs, output=result)
            finally:
                tls.state.reset(token)
        return result

    def backward(ctx: Any, *grads: Any) -> Any:
        run = formula._backward_fn
        if run is None:
            raise RuntimeError(
                f"Trying to backward through {op} but no autograd formula was registered. Please "
                "use register_autograd to add one."
            )
        needed = ctx.needs_input_grad
        ctx.needs_input_grad = needed[:-1]  # the user does not know of the last argument
        try:
            result = run(ctx, *grads)
        finally:
            ctx.needs_input_grad = needed
        return (*result, None) if isinstance(result, tuple) else (result, None)

    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (Function,), body)


# Lists of tensors ---------------------------------------------------------------------------------


class _Layout:
    """How arguments and results of one call nest."""

    __slots__ = ("inputs", "outputs", "single")

    def __init__(self, inputs: Nest) -> None:
        self.inputs = inputs
        self.outputs: Nest | None = None
        self.single = False


class _OverLists:
    """A Function for an op with lists of tensors: each element has an edge of its own."""

    __slots__ = ("flat",)

    def __init__(self, flat: Any) -> None:
        self.flat = flat

    def apply(self, *args: Any) -> Any:
        """Call the op and record the node."""
        leaves: list[Any] = []
        inputs = apart(args, leaves)
        assert inputs is not None
        layout = _Layout(inputs)
        flat = list(self.flat.apply(*leaves, layout))  # fills in how the results nest
        results = together(layout.outputs, flat)
        return results[0] if layout.single else results


def _over_lists(function: Any) -> _OverLists:
    forward, backward = function.forward, function.backward

    def flat_forward(ctx: Any, *leaves: Any) -> Any:
        layout = leaves[-1]
        result = forward(ctx, *together(layout.inputs, list(leaves[:-1])))
        layout.single = not isinstance(result, tuple)
        flat: list[Any] = []
        layout.outputs = apart((result,) if layout.single else result, flat)
        ctx._pt_metadata = layout
        return tuple(flat)

    def flat_backward(ctx: Any, *grads: Any) -> Any:
        layout = ctx._pt_metadata
        needed = ctx.needs_input_grad
        ctx.needs_input_grad = together(layout.inputs, list(needed[:-1]))
        try:
            result = backward(ctx, *together(layout.outputs, list(grads)))
        finally:
            ctx.needs_input_grad = needed
        flat: list[Any] = []
        nest = apart(result, flat, gaps=True)
        if nest != layout.inputs:
            raise RuntimeError(
                "Expected the return from backward to be of the same structure as the inputs. "
                f"Got: {nest} (return from backward), {layout.inputs} (inputs)"
            )
        return (*flat, None)

    function.forward, function.backward = staticmethod(flat_forward), staticmethod(flat_backward)
    return _OverLists(function)
