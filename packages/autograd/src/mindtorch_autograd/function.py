"""``Function``: an op written by the user as a ``forward`` and a ``backward``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

from mindtorch_autograd import anomaly, function_errors, grad_mode, installed, streams
from mindtorch_autograd.differentiated_once import once_differentiable
from mindtorch_autograd.function_context import BackwardCFunction, FunctionCtx
from mindtorch_autograd.function_results import finish, keep, save
from mindtorch_autograd.graph_task import current_graph_task
from mindtorch_autograd.naming import Named
from mindtorch_autograd.node import next_key
from mindtorch_autograd.unrecorded_function import UnrecordedFunction

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "once_differentiable",
]

_state = grad_mode.state.get
_set_state, _reset_state = grad_mode.state.set, grad_mode.state.reset
_new = object.__new__


#: Raises where a Function whose ``forward`` takes a ctx may not be called: transforms put it here.
refuse_joined: Callable[[], None] | None = None


class FunctionMeta(Named):
    """Gives every Function its node class, ``MyFn`` → ``MyFnBackward``."""

    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        super().__init__(name, bases, attrs)
        # The module as torch's own classes have it: it shows in the node's repr.
        body = {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), body)


class _SingleLevelFunction(UnrecordedFunction, metaclass=FunctionMeta):
    """What a user overrides, and what one level of differentiation does with it."""

    __module__ = "torch.autograd.function"

    #: Whether ``saved_tensors`` frees what it returns.
    clear_saved_tensors_on_access: ClassVar[bool] = False
    #: Whether ``backward`` takes its gradients as one list, from which it may drop them.
    boxed_grads_call: ClassVar[bool] = False

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

    #: A ``forward`` without ``ctx``, and how many arguments it takes.
    _arity_: ClassVar[Any] = None

    _no_setup_, _no_backward_, _no_vjp_ = setup_context, backward, vjp


class Function(_SingleLevelFunction):
    """Base of ops with a gradient of their own; all methods are static, call ``apply``.

    Either ``forward(ctx, *args)``, or ``forward(*args)`` with ``setup_context(ctx, inputs,
    output)``; and ``backward(ctx, *grads)`` (or ``vjp``) that returns a gradient per argument.
    """

    __module__ = "torch.autograd.function"

    #: Whether ``vmap`` runs the methods over a batch, instead of the user's own ``vmap``.
    generate_vmap_rule: ClassVar[bool] = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: the legacy style is gone."""
        raise function_errors.legacy_function()

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
        separate = cls.setup_context is not cls._no_setup_
        if not separate and refuse_joined is not None:
            refuse_joined()
        if separate or kwargs:
            args = positional(cls, args, kwargs, separate)
        space = installed.space
        is_value, needs, outside = space.survey(args)
        if outside:
            return space.apply_outside(cls, args)
        node = _new(cls._backward_cls)
        node._saved_ = ()
        node._extra_ = None
        node._is_value_ = is_value
        node.needs_input_grad = needs
        word = _state()
        recorded = word & 1 and True in needs
        if recorded:
            # Taken before forward runs: it may change its arguments in place.
            node._edges_, node._argument_facts_ = space.enter(args)
            node._key_ = next_key()  # after the edges, which may have made nodes
            if word & grad_mode.RARE and anomaly.enabled:
                task = current_graph_task()
                parent = None if task is None else task.node
                anomaly.record_forward_call(node, skip=1, parent=parent)
        else:
            node._edges_ = ()
            node._key_ = next_key()

        token = _set_state(word & ~1)
        try:
            if separate:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
            else:
                output = cls.forward(node, *args)
            facts = None
            if node.dirty_tensors is None and node.non_differentiable is None:
                # The usual results: they had no history, and there is nothing to be said of them.
                if recorded:
                    facts = space.adopt(output, args, node)
                elif space.is_fresh(output, args):
                    node.to_save = None
                    return output
            if facts is None:
                output = finish(node, args, output, bool(recorded), separate)
                keep(node, bool(recorded))
            else:
                node._result_facts_ = facts
                if node.to_save is not None:
                    save(node, node.to_save, args)
                    node.to_save = None
        except BaseException:
            node.to_save = None  # else what it made and the node keep each other alive
            raise
        finally:
            _reset_state(token)
        if recorded and streams.source is not None:
            streams.stamp(node, output)
        return output


def positional(
    cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any], separate: bool
) -> tuple[Any, ...]:
    """Return all arguments of a call of ``cls.forward`` by position.

    :param separate: whether ``forward`` takes no ``ctx``; then defaults are filled in.

    Raises TypeError for arguments that it does not take. Source: torch autograd/function.py.
    """
    function = cls.forward
    if not kwargs and cls._arity_ == (function, len(args)):
        return args
    import inspect  # not at import: few calls come here

    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(names) == len(parameters):  # so many arguments need no look at the signature
        cls._arity_ = (function, len(names))
    if not separate:
        return _by_name(names[1:], args, kwargs)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    for name in bound.kwargs if kwargs else ():  # those that cannot be given by position
        raise function_errors.unexpected_keyword(name)
    return bound.args


def _by_name(names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Put *kwargs* behind *args* in the order of *names*."""
    places: dict[int, Any] = {}
    for name, value in kwargs.items():
        if name not in names:
            raise function_errors.unexpected_keyword(name)
        place = names.index(name)
        if place < len(args):
            raise function_errors.keyword_given_twice(name)
        places[place] = value
    for place in range(len(args), max(places)):
        if place not in places:
            raise function_errors.argument_before_keyword_missing(names[place], place)
    return (*args, *[places[i] for i in range(len(args), max(places) + 1)])
