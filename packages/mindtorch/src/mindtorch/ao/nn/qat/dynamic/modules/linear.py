"""``torch.ao.nn.qat.dynamic.modules.linear``: a linear layer with scales for every tensor."""

from __future__ import annotations

from typing import Any

from ...modules.linear import Linear as _Linear

__all__ = ["Linear"]


class Linear(_Linear):
    """A linear layer whose weight is rounded, for activations that get their scales anew.

    Raises ValueError for observers that remember.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        qconfig: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        # The package's mappings name this class.
        from .....quantization.utils import activation_is_dynamically_quantized

        super().__init__(in_features, out_features, bias, qconfig, device, dtype)
        if not activation_is_dynamically_quantized(qconfig):
            raise ValueError(
                "Dynamic QAT requires a memoryless observer."
                "This means a MovingAverage observer with averaging constant equal to 1"
            )
