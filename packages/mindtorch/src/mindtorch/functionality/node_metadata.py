"""What users are told of a node's results, and of values by their old type names."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_autograd import RELEASED, AccumulateGrad, Output, extras_of
from mindtorch_autograd.function import BackwardCFunction
from mindtorch_storage import CPU

from ..core import signature as S
from ..core.dims import type_string
from ..core.errors import scalar_type
from ..tensor.tensor_meta import Facts, describe
from .copy_slices import CopySlices

#: The dtypes of torch.DoubleTensor and its kin that ``toString`` of the C++ library knows so.
_NO_VALUE = Facts((), np.dtype(np.float32), 0, CPU, ())


class InputMetadata:
    """One result of a node as ``node._input_metadata`` tells of it."""

    __slots__ = ("_facts",)

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @property
    def dtype(self) -> Any:
        """The dtype of the result."""
        return self._facts.dtype

    @property
    def device(self) -> Any:
        """Its device."""
        return self._facts.device

    @property
    def shape(self) -> list[int]:
        """Its sizes."""
        return list(self._facts.sizes)

    @property
    def is_nested_tensor(self) -> bool:
        """No tensor is."""
        return False

    @property
    def is_cpp_nested_tensor(self) -> bool:
        """No tensor is."""
        return False


InputMetadata.__module__ = "torch._C._autograd"
InputMetadata.__name__ = InputMetadata.__qualname__ = "_InputMetadata"


def shown(node: Any) -> tuple[InputMetadata, ...]:
    """What is known of the results of *node*."""
    if isinstance(node, BackwardCFunction):
        known: Any = [_NO_VALUE if f is None else f for f in node._result_facts_]
    else:
        extra = node._extra_
        known = () if extra is None else extra.input_metadata or ()
        if not known and isinstance(node, AccumulateGrad):
            known = (describe(node._variable),)
    return tuple([InputMetadata(facts) for facts in known if facts is not None])


def _of_edges(node: Any, own: Any) -> Any:
    tell = getattr(type(node), "edge_facts", None)
    return () if tell is None else tell(node, own)


def _of_copy(change: Any, window: Any, own: Any) -> list[Any]:
    """The first edge is that of what the base was before, the others are those of the change."""
    part = own
    if own is not None:
        part = None if callable(window[0]) else own._replace(sizes=tuple(window[0]))
    return [own, *_of_edges(change, part)[1:]]


def pass_on(node: Any) -> None:
    """Note at the nodes below *node*, where it knows, what their results are like.

    Of a node with one result nothing is noted when it is made; who comes down the graph from a
    tensor learns it so from node to node.
    """
    extra = node._extra_
    own = None if extra is None or not extra.input_metadata else extra.input_metadata[0]
    if isinstance(node, BackwardCFunction):
        known: Any = node._argument_facts_
    elif isinstance(node, CopySlices):
        known = () if node._saved_ is RELEASED else _of_copy(*node._saved_[:2], own)
    else:
        known = _of_edges(node, own)
    for edge, facts in zip(node._edges_, known, strict=False):
        if edge is None or facts is None or edge._num_outputs_ != 1 or type(edge) is Output:
            continue
        if isinstance(edge, AccumulateGrad | BackwardCFunction):
            continue  # which know it themselves
        below = extras_of(edge)
        if below.input_metadata is None:
            below.input_metadata = (facts,)


def type_of_value(x: Any) -> str:
    """How messages about hooks name the type of *x*: ``torch.FloatTensor``, ``MetaFloatType``.

    Source: torch csrc/utils/tensor_types.cpp, options_to_string, and Tensor::toString.
    """
    if x._sig_ & S.SPARSE:
        return f"torch.sparse.{scalar_type(x.dtype)}Tensor"
    if x._sig_ & S.SPARSE_CSR:
        return f"SparseCsrCPU{scalar_type(x.dtype)}Type"
    if not x._sig_ & S.META:
        return type_string(x)
    return f"{x.device.type.capitalize()}{scalar_type(x.dtype)}Type"
