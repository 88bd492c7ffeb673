"""``torch.ao.nn.quantized.reference.modules.rnn``: recurrent layers with rounded weights."""

from __future__ import annotations

from typing import Any

from ...... import nn
from ......core.unavailable import QUANTIZED
from .rounding import PLAIN, quantized, rounded, take

__all__ = [
    "GRU",
    "GRUCell",
    "LSTM",
    "LSTMCell",
    "RNNBase",
    "RNNCell",
    "RNNCellBase",
    "get_quantized_weight",
]


def get_quantized_weight(module: Any, wn: str) -> Any:
    """The quantized weight of *module* called *wn*; None where it has none."""
    if not hasattr(module, wn) or not hasattr(module, f"{wn}_qscheme"):
        return None
    return quantized(module, wn)


def _take_all(module: Any, names: list[str], given: dict[str, Any] | None, device: Any) -> None:
    """Give *module* what is known of its weights called *names*."""
    found = {**dict.fromkeys(names, PLAIN), "is_decomposed": False} if given is None else given
    module.is_decomposed = found["is_decomposed"]
    if module.is_decomposed:
        raise NotImplementedError(f"a reference module with decomposed operators {QUANTIZED}")
    for name, qparams in found.items():
        if name != "is_decomposed":
            take(module, name, qparams, device)


def _copy_parameters(made: Any, mod: Any, names: list[str]) -> Any:
    for name in names:
        if getattr(mod, name, None) is not None:
            setattr(made, name, nn.Parameter(getattr(mod, name).detach()))
    return made


_CELL = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]


class RNNCellBase(nn.RNNCellBase):
    """What cells share. Raises AssertionError where not both weights are known of."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
        weight_qparams_dict: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks, device, dtype)
        self._init_weight_qparams_dict(weight_qparams_dict, device)

    def _init_weight_qparams_dict(self, weight_qparams_dict: Any, device: Any) -> None:
        known = 3 if weight_qparams_dict is None else len(weight_qparams_dict)
        assert known == 3, (
            "Expected length for weight_qparams_dict to be 3 for QuantizedRNNCellBase(Reference),"
            f" got {known}"
        )
        _take_all(self, _CELL[:2], weight_qparams_dict, device)

    def _get_name(self) -> str:
        return "QuantizedRNNCellBase(Reference)"

    def get_quantized_weight_ih(self) -> Any:
        """The quantized weight for inputs."""
        return get_quantized_weight(self, "weight_ih")

    def get_quantized_weight_hh(self) -> Any:
        """The quantized weight for states."""
        return get_quantized_weight(self, "weight_hh")

    def get_weight_ih(self) -> Any:
        """The rounded weight for inputs."""
        return rounded(self, "weight_ih")

    def get_weight_hh(self) -> Any:
        """The rounded weight for states."""
        return rounded(self, "weight_hh")

    def _step(self, mode: str, input: Any, state: Any, names: tuple[str, ...]) -> Any:
        """One step of a cell of floats with the rounded weights."""
        cell = _Rounded(self)
        return cell._run_(mode, input, state, names)


class _Rounded(nn.RNNCellBase):
    """A cell of floats with the rounded weights of a reference cell."""

    def __init__(self, cell: Any) -> None:
        nn.Module.__init__(self)
        self.input_size, self.hidden_size, self.bias = cell.input_size, cell.hidden_size, cell.bias
        vars(self).update(weight_ih=cell.get_weight_ih(), weight_hh=cell.get_weight_hh())
        vars(self).update(bias_ih=cell.bias_ih, bias_hh=cell.bias_hh)


class RNNCell(RNNCellBase):
    """A cell of tanh, or of ReLU."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
        weight_qparams_dict: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype, weight_qparams_dict)
        self.nonlinearity = nonlinearity

    def _get_name(self) -> str:
        return "QuantizedRNNCell(Reference)"

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The next state. Raises RuntimeError for another function than tanh and relu."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        mode = "RNN_" + self.nonlinearity.upper()
        return self._step(mode, input, None if hx is None else (hx,), ("hidden",))[0]

    @classmethod
    def from_float(cls, mod: Any, weight_qparams_dict: dict[str, Any]) -> Any:
        """The cell with the parameters of *mod*, and how its weights are rounded."""
        made = cls(
            mod.input_size, mod.hidden_size, mod.bias, mod.nonlinearity,
            mod.weight_ih.device, mod.weight_ih.dtype, weight_qparams_dict,
        )  # fmt: skip
        return _copy_parameters(made, mod, _CELL)


class LSTMCell(RNNCellBase):
    """A cell of long short-term memory."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
        weight_qparams_dict: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype, weight_qparams_dict)

    def _get_name(self) -> str:
        return "QuantizedLSTMCell(Reference)"

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The next state, hidden and of the cell."""
        return tuple(self._step("LSTM", input, hx, ("hx[0]", "hx[1]")))

    @classmethod
    def from_float(
        cls, mod: Any, weight_qparams_dict: dict[str, Any], use_precomputed_fake_quant: bool = False
    ) -> Any:
        """The cell with the parameters of *mod*, and how its weights are rounded."""
        made = cls(
            mod.input_size, mod.hidden_size, mod.bias,
            mod.weight_ih.device, mod.weight_ih.dtype, weight_qparams_dict,
        )  # fmt: skip
        return _copy_parameters(made, mod, _CELL)


class GRUCell(RNNCellBase):
    """A cell with gates."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
        weight_qparams_dict: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype, weight_qparams_dict)

    def _get_name(self) -> str:
        return "QuantizedGRUCell(Reference)"

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The next state."""
        return self._step("GRU", input, None if hx is None else (hx,), ("hidden",))[0]

    @classmethod
    def from_float(cls, mod: Any, weight_qparams_dict: dict[str, Any]) -> Any:
        """The cell with the parameters of *mod*, and how its weights are rounded."""
        made = cls(
            mod.input_size, mod.hidden_size, mod.bias,
            mod.weight_ih.device, mod.weight_ih.dtype, weight_qparams_dict,
        )  # fmt: skip
        return _copy_parameters(made, mod, _CELL)


class RNNBase(nn.RNNBase):
    """What layers of several steps share."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
        weight_qparams_dict: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            mode, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
            proj_size, device, dtype,
        )  # fmt: skip
        self._init_weight_qparams_dict(weight_qparams_dict, device)

    def _init_weight_qparams_dict(self, weight_qparams_dict: Any, device: Any) -> None:
        names = [name for name in self._flat_weights_names if name.startswith("weight")]
        _take_all(self, names, weight_qparams_dict, device)

    @property
    def _flat_weights(self) -> list[Any]:
        """The rounded weights, and the biases, layer by layer."""
        return self._rounded_weights_()

    def _rounded_weights_(self) -> list[Any]:
        return [
            rounded(self, name) if hasattr(self, f"{name}_qscheme") else getattr(self, name, None)
            for name in self._flat_weights_names
        ]

    def _quantized_weights_(self) -> dict[str, Any]:
        return {
            name: get_quantized_weight(self, name)
            if name.startswith("weight")
            else getattr(self, name)
            for name in self._flat_weights_names
        }

    @classmethod
    def _of_(cls, mod: Any, weight_qparams_dict: dict[str, Any]) -> Any:
        made = cls(  # type: ignore[call-arg]  # its subclasses know their mode
            mod.input_size, mod.hidden_size, mod.num_layers, mod.bias, mod.batch_first,
            mod.dropout, mod.bidirectional, weight_qparams_dict=weight_qparams_dict,
        )  # type: ignore[arg-type]  # fmt: skip
        return _copy_parameters(made, mod, made._flat_weights_names)


class LSTM(RNNBase):
    """Layers of long short-term memory of floats that compute what the quantized ones would."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def permute_hidden(self, hx: Any, permutation: Any) -> Any:
        """*hx* with its samples in another order; as it is where *permutation* is None."""
        return super().permute_hidden(hx, permutation)

    def get_expected_cell_size(self, input: Any, batch_sizes: Any) -> tuple[int, int, int]:
        """The size of the cell's state."""
        return nn.LSTM.get_expected_cell_size(self, input, batch_sizes)  # type: ignore[arg-type]

    def check_forward_args(self, input: Any, hidden: Any, batch_sizes: Any) -> None:
        """Check the sizes of an input and the states. Raises RuntimeError for others."""
        super().check_forward_args(input, hidden, batch_sizes)

    def get_quantized_weight_bias_dict(self) -> dict[str, Any]:
        """The quantized weights, and the biases, by name."""
        return self._quantized_weights_()

    def get_flat_weights(self) -> list[Any]:
        """The rounded weights, and the biases, layer by layer."""
        return self._rounded_weights_()

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Outputs and last states of *input*."""
        return self._run_(input, hx)

    def _get_name(self) -> str:
        return "QuantizedLSTM(Reference)"

    @classmethod
    def from_float(cls, mod: Any, weight_qparams_dict: dict[str, Any]) -> Any:
        """The layers with the parameters of *mod*, and how their weights are rounded."""
        return cls._of_(mod, weight_qparams_dict)


class GRU(RNNBase):
    """Layers with gates of floats that compute what the quantized ones would.

    Raises ValueError for a projection, which they have not.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError(
                "proj_size argument is only supported for LSTM, not quantized RNN or GRU"
            )
        super().__init__("GRU", *args, **kwargs)

    def get_quantized_weight_bias_dict(self) -> dict[str, Any]:
        """The quantized weights, and the biases, by name."""
        return self._quantized_weights_()

    def get_flat_weights(self) -> list[Any]:
        """The rounded weights, and the biases, layer by layer."""
        return self._rounded_weights_()

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Outputs and last states of *input*."""
        y, last = self._run_(input, None if hx is None else (hx,))
        return y, last[0]

    def _get_name(self) -> str:
        return "QuantizedGRU(Reference)"

    @classmethod
    def from_float(cls, mod: Any, weight_qparams_dict: dict[str, Any]) -> Any:
        """The layers with the parameters of *mod*, and how their weights are rounded."""
        return cls._of_(mod, weight_qparams_dict)
