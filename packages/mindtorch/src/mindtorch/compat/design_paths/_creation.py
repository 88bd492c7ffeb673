"""Functions that make tensors."""

from mindtorch.aten.torch import (
    arange,
    as_tensor,
    empty,
    eye,
    from_numpy,
    full,
    linspace,
    logspace,
    ones,
    rand,
    randint,
    randn,
    randperm,
    range,
    tensor,
    zeros,
)

__all__ = [
    "arange",
    "as_tensor",
    "empty",
    "eye",
    "from_numpy",
    "full",
    "linspace",
    "logspace",
    "ones",
    "rand",
    "randint",
    "randn",
    "randperm",
    "range",
    "tensor",
    "zeros",
]
