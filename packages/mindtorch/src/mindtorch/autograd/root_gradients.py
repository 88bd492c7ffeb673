"""What ``torch.autograd`` shows of how a backward begins: shapes and first gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import GradientEdge, protocols
from mindtorch_autograd.graph import edge_of_pair

from ..core.constants import jagged
from ..core.size import Size
from ..tensor import Tensor
from .root_check import metadata_of
from .variable import Variable


def _tensor_or_tensors_to_tuple(tensors: Any, length: int) -> tuple[Any, ...]:
    """*tensors* as a tuple; None as so many."""
    if tensors is None:
        return (None,) * length
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


def _calculate_shape(
    output: Tensor | GradientEdge, grad: Tensor, is_grads_batched: bool
) -> tuple[Any, Any]:
    """The shape of *output*, and that of one gradient; of nested tensors of the strided layout
    those of their parts."""
    if not isinstance(output, GradientEdge) and output.is_nested and output.layout is not jagged:
        if is_grads_batched:
            raise RuntimeError("Batched grads are not supported with Nested Tensor.")
        return output._nested_tensor_size(), grad._nested_tensor_size()
    if isinstance(output, GradientEdge):
        facts = metadata_of(output.node, output.output_nr)
        shape = None if facts is None else Size(facts.sizes)
    else:
        shape = output.shape
    return shape, grad.shape[1:] if is_grads_batched else grad.shape


def _make_grads(
    outputs: Sequence[Tensor | GradientEdge],
    grads: Sequence[Tensor | None],
    is_grads_batched: bool,
) -> tuple[Tensor | None, ...]:
    """The gradients to begin with; raises as ``backward`` does."""
    space = protocols.get_space()
    made = []
    for out, grad in zip(outputs, grads, strict=True):
        if isinstance(out, GradientEdge):
            made.append(space.check_root(edge_of_pair(out), grad, is_grads_batched))
        elif grad is None and not out.requires_grad:
            made.append(None)
        else:
            made.append(space.check_root(out, grad, is_grads_batched))
    return tuple(made)


def _is_checkpoint_valid() -> bool:
    """Whether a re-entrant checkpoint may run in the running backward."""
    return Variable._execution_engine.is_checkpoint_valid()
