"""Normalisation over a batch, a layer, or groups of channels."""

from __future__ import annotations

from collections.abc import Sequence

from ...backends.cudnn import ENABLED
from ...core.operators import ops
from ...tensor import Tensor
from .by_name import functional as F


def _verify_batch_size(size: list[int]) -> None:
    """Refuse, with a ValueError, a batch in which a channel has one value."""
    count = size[0]
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {size}"
        )


def _verify_spatial_size(size: list[int]) -> None:
    """Refuse, with a ValueError, samples in which a channel has one value."""
    count = 1
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {size}"
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Each channel with mean 0 and variance 1 over the batch, then scaled and shifted.

    :param training: use the batch's statistics, and move the running ones by *momentum*.
    """
    if training:
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
        F._verify_batch_size(input.size())
    elif eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return ops.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, ENABLED.value
    )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """:func:`batch_norm` of each sample by itself."""
    if use_input_stats:
        F._verify_spatial_size(input.size())
    return ops.instance_norm(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        use_input_stats,
        momentum,
        eps,
        ENABLED.value,
    )


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """The last dimensions (of *normalized_shape*) with mean 0 and variance 1."""
    return ops.layer_norm(input, normalized_shape, weight, bias, eps, ENABLED.value)


def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """The last dimensions (of *normalized_shape*) divided by their root mean square."""
    return ops.rms_norm(input, normalized_shape, weight, eps)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Each of *num_groups* groups of channels with mean 0 and variance 1."""
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    sizes = list(input.size())
    F._verify_batch_size([sizes[0] * sizes[1] // num_groups, num_groups] + sizes[2:])
    return ops.group_norm(input, num_groups, weight, bias, eps, ENABLED.value)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """*input* divided by a power of the mean square over *size* neighbouring channels.

    Raises ValueError for fewer than three dimensions.
    """
    dim = input.dim()
    if dim < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality                          input "
            f"(got {dim} dimensions)"
        )
    if input.numel() == 0:
        return input
    around = [size // 2, (size - 1) // 2]
    by = input.mul(input)
    if dim == 3:
        by = F.pad(by.unsqueeze(1), [0, 0] + around)
        by = F.avg_pool2d(by, [size, 1], stride=1).squeeze(1)
    else:
        sizes = input.size()
        by = by.view(sizes[0], 1, sizes[1], sizes[2], -1)
        by = F.pad(by, [0, 0, 0, 0] + around)
        by = F.avg_pool3d(by, [size, 1, 1], stride=1).squeeze(1).view(sizes)
    return input / by.mul(alpha).add(k).pow(beta)
