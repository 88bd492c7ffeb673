"""Ops that say nothing of their gradient: torch's fallback at the Autograd keys, which warns.

Source: torch/csrc/autograd/autograd_not_implemented_fallback.cpp, basicAutogradNotImplemented.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import Node, Output, grad_mode, next_key
from mindtorch_autograd.node import Extras
from mindtorch_dispatch import Hop, Operator

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core import functionality_keys
from ..core import signature as S
from ..core.warning import warn
from ..functionality.view_history import rebase
from ..tensor import Tensor
from ..tensor.edges import gradient_edge
from ..tensor.tensor_meta import describe

__all__ = ["says_nothing", "warning_upon_backward"]


def says_nothing(operator: Operator, hop: Hop, sig: int, mask: int) -> bool:
    """Whether a call that needs a gradient would pass the autograd keys by."""
    if not (sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED):
        return False
    autograd = mask & functionality_keys.AUTOGRAD_BLOCK
    if (
        not autograd
        or hop.key > functionality_keys.BELOW_AUTOGRAD
        or hop.rule.startswith("CompositeImplicit")
    ):
        return False
    top = operator.explain(1 << (autograd.bit_length() - 1))
    return top.rule == "backend fallback"  # else somebody asked for a fallthrough


def _warn(name: str) -> None:
    warn(
        f"{name}: an autograd kernel was not registered to the Autograd key(s) but we are trying "
        "to backprop through it. This may lead to silently incorrect behavior. This behavior is "
        "deprecated and will be removed in a future version of PyTorch. If your operator is "
        "differentiable, please ensure you have registered an autograd kernel to the correct "
        "Autograd key (e.g. DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd). If "
        "your operator is not differentiable, or to squash this warning and use the previous "
        "behavior, please register torch::CppFunction::makeFallthrough() to "
        "DispatchKey::Autograd.",
        UserWarning,
    )


class WarnNotImplemented(Node):
    """Warns when a gradient comes, and passes none on."""

    __slots__ = ("_num_outputs_", "op")

    _takes_undefined_ = True

    def __init__(self, op: str, edges: tuple[Any, ...], outputs: int) -> None:
        self.op, self._edges_, self._num_outputs_ = op, edges, outputs
        self._key_ = next_key()  # after the edges
        self._saved_ = ()
        self._extra_ = None

    def name(self) -> str:
        """torch's full C++ name."""
        return "torch::autograd::WarnNotImplemented"

    def apply(self, *grads: Any) -> Any:
        """Warn."""
        _warn(self.op)
        return None if len(self._edges_) == 1 else [None] * len(self._edges_)


def warning_upon_backward(overload: Overload, inner: Call) -> Call:
    """*inner*, whose results warn when somebody differentiates through them."""

    def call(*args: Any) -> Any:
        inputs = list(tensors_of(overload, args))
        edges = tuple([gradient_edge(t) if t._sig_ & S.REQUIRES_GRAD else None for t in inputs])
        results = inner(*args)
        outs = list(results) if isinstance(results, (tuple, list)) else [results]
        node = WarnNotImplemented(overload.name, edges, len(outs))
        if len(outs) > 1:
            node._extra_ = Extras()
            node._extra_.input_metadata = tuple([describe(t) for t in outs])
        for i, t in enumerate(outs):
            if not isinstance(t, Tensor) or not (t.is_floating_point() or t.is_complex()):
                continue
            if t.requires_grad:
                t.register_hook(lambda grad: _warn(overload.name))
            elif any(t is given for given in inputs):
                rebase(t, node)
            else:
                t._edge_ = node if len(outs) == 1 else Output(node, i)
                t._sig_ |= S.REQUIRES_GRAD
                t._meta_ = S.STALE
        return results

    return call
