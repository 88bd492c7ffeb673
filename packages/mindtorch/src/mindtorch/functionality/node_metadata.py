"""What users are told of a node's results, and of values by their old type names."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_autograd import AccumulateGrad
from mindtorch_autograd.function import BackwardCFunction
from mindtorch_storage import CPU

from ..facts import Facts, describe
from ..legacy import type_name

#: The dtypes of torch.DoubleTensor and its kin that ``toString`` of the C++ library knows so.
_LEGACY = frozenset(("Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"))
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
        known: Any = [_NO_VALUE if f is None else f for f in node._result_facts]
    elif isinstance(node, AccumulateGrad):
        known = (describe(node._variable),)
    else:
        extra = node._extra
        known = () if extra is None else extra.input_metadata or ()
    return tuple([InputMetadata(facts) for facts in known if facts is not None])


def type_of_value(x: Any) -> str:
    """How messages about hooks name the type of *x*: ``torch.FloatTensor``, ``MetaFloatType``.

    Source: torch csrc/utils/tensor_types.cpp, options_to_string, and Tensor::toString.
    """
    scalar = type_name(x).rpartition(".")[2].removesuffix("Tensor")
    if x.device.type == "cpu" and scalar in _LEGACY:
        return f"torch.{scalar}Tensor"
    kind = x.device.type
    return f"{'CPU' if kind == 'cpu' else kind.capitalize()}{scalar}Type"
