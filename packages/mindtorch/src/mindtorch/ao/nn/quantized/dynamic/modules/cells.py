"""Cells of recurrent layers with quantized weights; torch has them in ``rnn``."""

from __future__ import annotations

from typing import Any

from ...... import nn
from ......_ops import ops
from ......aten import torch
from ...modules.utils import _quantize_weight
from .observing import weight_observer_of
from .packing import check_dtype, pack_weight_bias

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]


class RNNCellBase(nn.Module):
    """What the cells share: two packed weights, and biases."""

    bias_ih: Any
    bias_hh: Any
    _packed_weight_ih: Any
    _packed_weight_hh: Any

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        num_chunks: int = 4,
        dtype: Any = torch.qint8,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        self.weight_dtype = dtype
        gates = num_chunks * hidden_size
        for name in ("bias_ih", "bias_hh"):
            if bias:
                setattr(self, name, torch.randn(gates).to(dtype=torch.float))
            else:
                self.register_parameter(name, None)
        weights = [torch.randn(gates, n).to(torch.float) for n in (input_size, hidden_size)]
        if dtype == torch.qint8:
            weights = [
                torch.quantize_per_tensor(w, scale=1, zero_point=0, dtype=torch.qint8)
                for w in weights
            ]
        self._packed_weight_ih = pack_weight_bias(weights[0], self.bias_ih, dtype)
        self._packed_weight_hh = pack_weight_bias(weights[1], self.bias_hh, dtype)

    def _get_name(self) -> str:
        return "DynamicQuantizedRNNBase"

    def extra_repr(self) -> str:
        """Sizes, and the options that are not the default."""
        text = "{input_size}, {hidden_size}"
        if "bias" in self.__dict__ and self.bias is not True:
            text += ", bias={bias}"
        if "nonlinearity" in self.__dict__ and self.nonlinearity != "tanh":
            text += ", nonlinearity={nonlinearity}"
        return text.format(**self.__dict__)

    def check_forward_input(self, input: Any) -> None:
        """Raise RuntimeError for an input of another size."""
        if input.size(1) != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {input.size(1)}, expected "
                f"{self.input_size}"
            )

    def check_forward_hidden(self, input: Any, hx: Any, hidden_label: str = "") -> None:
        """Raise RuntimeError for a hidden state that does not fit the input."""
        if input.size(0) != hx.size(0):
            raise RuntimeError(
                f"Input batch size {input.size(0)} doesn't match hidden{hidden_label} batch size "
                f"{hx.size(0)}"
            )
        if hx.size(1) != self.hidden_size:
            raise RuntimeError(
                f"hidden{hidden_label} has inconsistent hidden_size: got {hx.size(1)}, expected "
                f"{self.hidden_size}"
            )

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The cell with the weights of *mod*, quantized as its ``qconfig`` says.

        Raises AssertionError for another module, or one without ``qconfig``.
        """
        if type(mod) not in (nn.LSTMCell, nn.GRUCell, nn.RNNCell):
            raise AssertionError(
                "nn.quantized.dynamic.RNNCellBase.from_float only works for nn.LSTMCell, "
                "nn.GRUCell and nn.RNNCell"
            )
        if not hasattr(mod, "qconfig"):
            raise AssertionError("Input float module must have qconfig defined")
        observer = weight_observer_of(mod)
        dtype = check_dtype(observer)
        options: dict[str, Any] = {"bias": mod.bias, "dtype": dtype}
        kind: Any = LSTMCell if type(mod) is nn.LSTMCell else GRUCell
        if type(mod) is nn.RNNCell:
            kind, options["nonlinearity"] = RNNCell, mod.nonlinearity
        made = kind(mod.input_size, mod.hidden_size, **options)
        if not mod.bias:
            raise AssertionError("mod.bias must be True")
        for side in ("ih", "hh"):
            weight = getattr(mod, f"weight_{side}")
            if dtype == torch.qint8:
                seen = observer()
                seen(weight)
                weight = _quantize_weight(weight.float(), seen)
            packed = pack_weight_bias(weight, getattr(mod, f"bias_{side}"), dtype)
            setattr(made, f"_packed_weight_{side}", packed)
        return made

    @classmethod
    def from_reference(cls, ref_mod: Any) -> Any:
        """The cell of one that rounds floats."""
        more = (ref_mod.nonlinearity,) if hasattr(ref_mod, "nonlinearity") else ()
        sizes = ref_mod.input_size, ref_mod.hidden_size, ref_mod.bias
        made = cls(*sizes, *more, dtype=ref_mod.weight_ih_dtype)
        made.set_weight_bias(
            {
                "weight": {
                    "weight_ih": ref_mod.get_quantized_weight_ih(),
                    "weight_hh": ref_mod.get_quantized_weight_hh(),
                },
                "bias": {"bias_ih": ref_mod.bias_ih, "bias_hh": ref_mod.bias_hh},
            }
        )
        return made

    def _weight_bias(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {"weight": {}, "bias": {}}
        for side in ("ih", "hh"):
            packed = getattr(self, f"_packed_weight_{side}")
            weight, bias = packed.__getstate__()[0]
            found["weight"][f"weight_{side}"], found["bias"][f"bias_{side}"] = weight, bias
        return found

    def get_weight(self) -> dict[str, Any]:
        """The weights by name."""
        return self._weight_bias()["weight"]

    def get_bias(self) -> dict[str, Any]:
        """The biases by name."""
        return self._weight_bias()["bias"]

    def set_weight_bias(self, weight_bias_dict: dict[str, Any]) -> None:
        """Take the weights and biases of a dictionary like that of :meth:`_weight_bias`."""
        for side in ("ih", "hh"):
            weight = weight_bias_dict["weight"][f"weight_{side}"]
            bias = weight_bias_dict["bias"][f"bias_{side}"]
            packed = pack_weight_bias(weight, bias, self.weight_dtype)
            setattr(self, f"_packed_weight_{side}", packed)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "_packed_weight_ih"] = self._packed_weight_ih
        destination[prefix + "_packed_weight_hh"] = self._packed_weight_hh

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, *rest: Any
    ) -> None:
        self._packed_weight_ih = state_dict.pop(prefix + "_packed_weight_ih")
        self._packed_weight_hh = state_dict.pop(prefix + "_packed_weight_hh")
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *rest)

    def _weights(self) -> tuple[Any, ...]:
        packed = self._packed_weight_ih, self._packed_weight_hh
        return *packed, self.bias_ih, self.bias_hh

    def _zeros(self, input: Any) -> Any:
        size = input.size(0), self.hidden_size
        return torch.zeros(*size, dtype=input.dtype, device=input.device)


class RNNCell(RNNCellBase):
    """An Elman cell, with ``tanh`` or ``relu``, and quantized weights."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: Any = torch.qint8,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=1, dtype=dtype)
        self.nonlinearity = nonlinearity

    def _get_name(self) -> str:
        return "DynamicQuantizedRNNCell"

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The hidden state after *input* ``[samples, input_size]``.

        Raises RuntimeError for shapes that do not fit, and another ``nonlinearity``.
        """
        self.check_forward_input(input)
        hx = self._zeros(input) if hx is None else hx
        self.check_forward_hidden(input, hx, "")
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        cell = getattr(ops.quantized, f"quantized_rnn_{self.nonlinearity}_cell_dynamic")
        return cell(input, hx, *self._weights())


class LSTMCell(RNNCellBase):
    """A cell of an LSTM with quantized weights."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, num_chunks=4, **kwargs)

    def _get_name(self) -> str:
        return "DynamicQuantizedLSTMCell"

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Hidden and cell state after *input* ``[samples, input_size]``.

        Raises RuntimeError for shapes that do not fit.
        """
        self.check_forward_input(input)
        if hx is None:
            zeros = self._zeros(input)
            hx = (zeros, zeros)
        for i in (0, 1):
            self.check_forward_hidden(input, hx[i], f"[{i}]")
        return ops.quantized.quantized_lstm_cell_dynamic(input, hx, *self._weights())


class GRUCell(RNNCellBase):
    """A cell of a GRU with quantized weights."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, dtype: Any = torch.qint8
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=3, dtype=dtype)

    def _get_name(self) -> str:
        return "DynamicQuantizedGRUCell"

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The hidden state after *input* ``[samples, input_size]``.

        Raises RuntimeError for shapes that do not fit.
        """
        self.check_forward_input(input)
        hx = self._zeros(input) if hx is None else hx
        self.check_forward_hidden(input, hx, "")
        return ops.quantized.quantized_gru_cell_dynamic(input, hx, *self._weights())
