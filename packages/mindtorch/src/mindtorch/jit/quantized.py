"""``torch.jit.quantized``: names that torch took away; making or calling one raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: What is gone, and what to take in its place.
_CLASSES = {
    "QuantizedGRU": "GRU",
    "QuantizedGRUCell": "GRUCell",
    "QuantizedLSTM": "LSTM",
    "QuantizedLSTMCell": "LSTMCell",
    "QuantizedLinear": "Linear",
    "QuantizedLinearFP16": "Linear",
    "QuantizedRNNBase": "RNNBase",
    "QuantizedRNNCell": "RNNCell",
    "QuantizedRNNCellBase": "RNNCellBase",
}
_FUNCTIONS = "quantize_linear_modules quantize_rnn_cell_modules quantize_rnn_modules".split()


def _removed(text: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(text)

    return refuse


def _class(name: str, instead: str) -> type:
    the = "the " if name == "QuantizedGRU" else ""
    text = (
        f"torch.jit.{name} is no longer supported. Please use {the}"
        f"torch.ao.nn.quantized.dynamic.{instead} instead."
    )
    names = {"__init__": _removed(text), "__module__": __name__, "__doc__": "Removed by torch."}
    return type(name, (), names)


globals().update({name: _class(name, instead) for name, instead in _CLASSES.items()})
globals().update(
    {
        name: _removed(
            f"{name} function is no longer supported. Please use "
            "torch.ao.quantization.quantize_dynamic API instead."
        )
        for name in _FUNCTIONS
    }
)
