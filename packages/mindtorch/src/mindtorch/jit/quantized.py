"""``torch.jit.quantized``: names that torch took away; making one raises."""

from __future__ import annotations

from typing import Any

_CLASSES = (
    "QuantizedGRU QuantizedGRUCell QuantizedLSTM QuantizedLSTMCell QuantizedLinear "
    "QuantizedLinearFP16 QuantizedRNNBase QuantizedRNNCell QuantizedRNNCellBase"
).split()


def _removed(self: Any, *args: Any, **kwargs: Any) -> None:
    raise RuntimeError(
        f"torch.jit.{type(self).__name__} is no longer supported. Please use "
        "torch.ao.nn.quantized.dynamic instead."
    )


globals().update(
    {
        name: type(
            name, (), {"__init__": _removed, "__module__": __name__, "__doc__": "Removed by torch."}
        )
        for name in _CLASSES
    }
)
