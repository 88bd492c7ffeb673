"""From exact products of integers to integers of another scale, in the orders of torch's engines.

The engine ``x86`` gives convolutions with weights around zero to oneDNN, all else to fbgemm. The
two differ in which product is rounded first, so in which integer a number half way becomes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.extended_dtypes import RARE_NAMES

from ...tensor.quantizer import PerTensor, steps_of
from .making import quantized_tensor

__all__ = ["bytes_of_steps", "steps_of_fbgemm", "steps_of_onednn"]

Array = np.ndarray[Any, Any]


def steps_of_fbgemm(
    exact: Array, given: PerTensor, scales: Array, bias: Array | None, wanted: PerTensor
) -> Array:
    """The whole numbers nearest to products plus a bias, with the quantizer *wanted*.

    :param exact: integers: products of steps away from their zero points.
    :param given: the quantizer of the input that was multiplied; *scales* those of the weight, in
        single precision, one or to be broadcast with *exact*.
    :param bias: floats to be broadcast with *exact*.
    """
    both = np.float32(given.scale) * scales
    numbers = exact.astype(np.float32)
    if bias is not None:
        numbers = numbers + bias / both
    steps: Array = np.rint(numbers * (both / np.float32(wanted.scale))) + wanted.zero_point
    return steps


def steps_of_onednn(
    exact: Array, given: PerTensor, scales: Array, bias: Array | None, wanted: PerTensor
) -> Array:
    """The same in the order of oneDNN."""
    numbers = exact.astype(np.float32) * np.float32(given.scale) * scales
    if bias is not None:
        numbers = numbers + bias
    steps: Array = np.rint(numbers * np.float32(1 / wanted.scale) + np.float32(wanted.zero_point))
    return steps


def bytes_of_steps(steps: Array, wanted: PerTensor, relu: bool = False, strides: Any = None) -> Any:
    """The ``quint8`` tensor of whole numbers *steps*, cut to its range.

    :param relu: whether to what is positive.
    :param strides: those of the result; contiguous where they are not given.
    """
    made = quantized_tensor(steps.shape, strides, RARE_NAMES["quint8"], wanted)
    steps_of(made._a_)[...] = np.clip(steps, wanted.zero_point if relu else 0, 255)
    return made
