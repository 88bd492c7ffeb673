"""``torch.ao.nn.quantized.dynamic.modules.rnn``: recurrent layers with quantized weights."""

from __future__ import annotations

import numbers
from typing import Any

from mindtorch.core.unavailable import offer_listed

from ...... import nn
from ......_ops import ops
from ......aten import torch
from ......core.deprecation import deprecated
from ......core.warning import warn
from ......nn.modules.module import _addindent
from ......nn.modules.rnn import check_sizes
from ......nn.utils.rnn import PackedSequence
from ...modules.utils import _quantize_weight
from .cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from .observing import weight_observer_of
from .packing import check_dtype, pack_weight_bias

__all__ = [
    "GRU",
    "GRUCell",
    "LSTM",
    "LSTMCell",
    "PackedParameter",
    "RNNBase",
    "RNNCell",
    "RNNCellBase",
    "apply_permutation",
    "pack_weight_bias",
]

_GATES = {"LSTM": 4, "GRU": 3}
_SIDES = ("ih", "hh")


def _apply_permutation(tensor: Any, permutation: Any, dim: int = 1) -> Any:
    return tensor.index_select(dim, permutation)


@deprecated(
    "`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead",
    category=FutureWarning,
)
def apply_permutation(tensor: Any, permutation: Any, dim: int = 1) -> Any:
    """The parts of *tensor* along *dim* in the order of *permutation*."""
    return _apply_permutation(tensor, permutation, dim)


class PackedParameter(nn.Module):
    """What is packed of one direction of a layer, as a module: so it is in a state dict."""

    def __init__(self, param: Any) -> None:
        super().__init__()
        self.param = param

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "param"] = self.param

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, *rest: Any
    ) -> None:
        self.param = state_dict[prefix + "param"]
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *rest)


class RNNBase(nn.Module):
    """What the recurrent layers share: their weights, packed, and the checks of arguments.

    :param mode: ``"LSTM"`` or ``"GRU"``.
    :param dtype: of the weights: ``torch.qint8`` or ``torch.float16``.

    Raises ValueError for another mode, and for a dropout that is no probability.
    """

    _FLOAT_MODULE: Any = nn.RNNBase
    _version = 2
    version: int | None
    _all_weight_values: Any
    #: ``forward_impl(input, hx, batch_sizes, max_batch_size, sorted_indices)``, of LSTM and GRU.
    forward_impl: Any

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
        dtype: Any = torch.qint8,
    ) -> None:
        super().__init__()
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout = float(dropout)
        self.bidirectional, self.dtype = bidirectional, dtype
        self.version = 2
        self.training = False
        if (
            not isinstance(dropout, numbers.Number)
            or not 0 <= dropout <= 1
            or isinstance(dropout, bool)
        ):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                f"dropout expects num_layers greater than 1, but got dropout={dropout} and "
                f"num_layers={num_layers}",
            )
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        self._all_weight_values = nn.ModuleList(
            [PackedParameter(self._random(layer)) for layer, _ in self._rows()]
        )

    def _rows(self) -> list[tuple[int, str]]:
        """The number of the layer and the suffix of the direction of each set of weights."""
        suffixes = ("", "_reverse") if self.bidirectional else ("",)
        return [(layer, suffix) for layer in range(self.num_layers) for suffix in suffixes]

    def _random(self, layer: int) -> Any:
        """Weights of one direction of a layer, drawn as torch draws them."""
        gates = _GATES[self.mode] * self.hidden_size
        entering = self.hidden_size * (1 + self.bidirectional) if layer else self.input_size
        shapes = (gates, entering), (gates, self.hidden_size), (gates,), (gates,)
        w_ih, w_hh, b_ih, b_hh = (torch.randn(*shape).to(torch.float) for shape in shapes)
        if self.dtype == torch.qint8:
            w_ih, w_hh = (
                torch.quantize_per_tensor(w, scale=0.1, zero_point=0, dtype=torch.qint8)
                for w in (w_ih, w_hh)
            )
        return self._packed(w_ih, w_hh, b_ih, b_hh)

    def _packed(self, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
        dtype = torch.qint8 if w_ih.dtype == torch.qint8 else torch.float16
        packed = pack_weight_bias(w_ih, b_ih, dtype), pack_weight_bias(w_hh, b_hh, dtype)
        if dtype == torch.float16:
            return ops.quantized.make_quantized_cell_params_fp16(*packed)
        # Files of before used all 8 bits.
        reduced = () if self.version is None or self.version < 2 else (True,)
        return ops.quantized.make_quantized_cell_params_dynamic(*packed, b_ih, b_hh, *reduced)

    def _get_name(self) -> str:
        return "DynamicQuantizedRNN"

    def extra_repr(self) -> str:
        """Sizes, and the options that are not the default."""
        text = "{input_size}, {hidden_size}"
        for name, default in (
            *(("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0)),
            ("bidirectional", False),
        ):
            if getattr(self, name) != default:
                text += f", {name}={{{name}}}"
        return text.format(**self.__dict__)

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [
            f"({name}): " + _addindent(repr(child), 2)
            for name, child in self._modules.items()
            if not isinstance(child, (PackedParameter, nn.ModuleList))
        ]
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        return self._get_name() + "(\n  " + "\n  ".join([*lines, *children]) + "\n)"

    def check_input(self, input: Any, batch_sizes: Any) -> None:
        """Raise RuntimeError for an input whose dimensions or last size do not fit."""
        check_sizes(self, input, batch_sizes)

    def get_expected_hidden_size(self, input: Any, batch_sizes: Any) -> tuple[int, int, int]:
        """The shape of a hidden state: layers times directions, samples, ``hidden_size``."""
        if batch_sizes is not None:
            samples = int(batch_sizes[0])
        else:
            samples = input.size(0) if self.batch_first else input.size(1)
        return self.num_layers * (1 + bool(self.bidirectional)), samples, self.hidden_size

    check_hidden_size = nn.RNNBase.check_hidden_size

    def check_forward_args(self, input: Any, hidden: Any, batch_sizes: Any) -> None:
        """Raise RuntimeError for arguments whose shapes do not fit."""
        self.check_input(input, batch_sizes)
        expected = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden, expected)

    def permute_hidden(self, hx: Any, permutation: Any) -> Any:
        """A hidden state with its samples in another order."""
        return hx if permutation is None else _apply_permutation(hx, permutation)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, *rest: Any
    ) -> None:
        self.version = local_metadata.get("version", None)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *rest)

    def set_weight_bias(self, weight_bias_dict: dict[str, Any]) -> None:
        """Take weights and biases by the names that they have in layers of floats."""
        made = []
        for layer, suffix in self._rows():
            weights, biases = (
                [weight_bias_dict[f"{what}_{side}_l{layer}{suffix}"] for side in _SIDES]
                for what in ("weight", "bias")
            )
            made.append(PackedParameter(self._packed(*weights, *biases)))
        self._all_weight_values = nn.ModuleList(made)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The layer with the weights of *mod*, quantized as its ``qconfig`` says.

        Raises AssertionError for another module, or one without ``qconfig``.
        """
        if type(mod) not in (nn.LSTM, nn.GRU):
            raise AssertionError(
                "nn.quantized.dynamic.RNNBase.from_float only works for nn.LSTM and nn.GRU"
            )
        if not hasattr(mod, "qconfig"):
            raise AssertionError("Input float module must have qconfig defined")
        observer = weight_observer_of(mod)
        dtype = check_dtype(observer)
        kind = LSTM if mod.mode == "LSTM" else GRU
        options = mod.num_layers, mod.bias, mod.batch_first, mod.dropout, mod.bidirectional
        made: Any = kind(mod.input_size, mod.hidden_size, *options, dtype)
        if not mod.bias:
            raise AssertionError("mod.bias must be True")
        found = {}
        for layer, suffix in made._rows():
            for side in _SIDES:
                name = f"{side}_l{layer}{suffix}"
                weight = getattr(mod, f"weight_{name}")
                found[f"bias_{name}"] = getattr(mod, f"bias_{name}")
                found[f"weight_{name}"] = quantized_weight(weight, observer, dtype)
        made.set_weight_bias(found)
        return made

    @classmethod
    def from_reference(cls, ref_mod: Any) -> Any:
        """The layer of one that rounds floats."""
        options = ref_mod.num_layers, ref_mod.bias, ref_mod.batch_first, ref_mod.dropout
        dtype = ref_mod.weight_ih_l0_dtype
        sizes = ref_mod.input_size, ref_mod.hidden_size
        made = cls(*sizes, *options, ref_mod.bidirectional, dtype)
        made.set_weight_bias(ref_mod.get_quantized_weight_bias_dict())
        return made

    def _weight_bias(self) -> dict[str, dict[str, Any]]:
        """The weights and the biases, by the names they have in layers of floats."""
        found: dict[str, dict[str, Any]] = {"weight": {}, "bias": {}}
        for (layer, suffix), part in zip(self._rows(), self._all_weight_values):
            for side, packed in zip(_SIDES, part.param.__getstate__()[0][4]):
                weight, bias = packed.__getstate__()[0]
                found["weight"][f"weight_{side}_l{layer}{suffix}"] = weight
                found["bias"][f"bias_{side}_l{layer}{suffix}"] = bias
        return found

    def get_weight(self) -> dict[str, Any]:
        """The weights by name."""
        return self._weight_bias()["weight"]

    def get_bias(self) -> dict[str, Any]:
        """The biases by name."""
        return self._weight_bias()["bias"]

    def _zeros(self, input: Any, samples: int) -> Any:
        size = self.num_layers * (1 + bool(self.bidirectional)), samples, self.hidden_size
        return torch.zeros(*size, dtype=input.dtype, device=input.device)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Outputs and last hidden state of *input*, a tensor or a :class:`PackedSequence`."""
        if isinstance(input, PackedSequence):
            return self.forward_packed(input, hx)
        return self.forward_tensor(input, hx)

    def forward_tensor(self, input: Any, hx: Any = None) -> Any:
        """:meth:`forward` of a tensor."""
        samples = input.size(0) if self.batch_first else input.size(1)
        output, hidden = self.forward_impl(input, hx, None, samples, None)
        return output, self.permute_hidden(hidden, None)

    def forward_packed(self, input: Any, hx: Any = None) -> Any:
        """:meth:`forward` of a :class:`PackedSequence`."""
        data, batch_sizes, order, back = input
        samples = int(batch_sizes[0])
        output, hidden = self.forward_impl(data, hx, batch_sizes, samples, order)
        return PackedSequence(output, batch_sizes, order, back), self.permute_hidden(hidden, back)

    def _options(self, batch_sizes: Any) -> tuple[Any, ...]:
        params = [part.param for part in self._all_weight_values]
        options = (
            *(params, self.bias, self.num_layers, float(self.dropout)),
            *(self.training, self.bidirectional),
        )
        return options if batch_sizes is not None else (*options, self.batch_first)


def quantized_weight(weight: Any, observer: Any, dtype: Any) -> Any:
    """*weight* as it is packed: quantized by what *observer* makes, or as floats."""
    if dtype != torch.qint8:
        return weight.float()
    made = observer()
    made(weight)
    return _quantize_weight(weight.float(), made)


class LSTM(RNNBase):
    """An LSTM of floats with quantized weights."""

    _FLOAT_MODULE = nn.LSTM

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def _get_name(self) -> str:
        return "DynamicQuantizedLSTM"

    def forward_impl(
        self, input: Any, hx: Any, batch_sizes: Any, max_batch_size: int, sorted_indices: Any
    ) -> Any:
        """Outputs, and the last hidden and cell state; *batch_sizes* is None for a tensor."""
        if hx is None:
            zeros = self._zeros(input, max_batch_size)
            hx = (zeros, zeros)
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        given = (input,) if batch_sizes is None else (input, batch_sizes)
        result = ops.aten.quantized_lstm(
            *given, hx, *self._options(batch_sizes), dtype=self.dtype, use_dynamic=True
        )
        return result[0], result[1:]

    def permute_hidden(self, hx: Any, permutation: Any) -> Any:
        """Both states with their samples in another order."""
        if permutation is None:
            return hx
        return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    def check_forward_args(self, input: Any, hidden: Any, batch_sizes: Any) -> None:
        """Raise RuntimeError for arguments whose shapes do not fit."""
        self.check_input(input, batch_sizes)
        expected = self.get_expected_hidden_size(input, batch_sizes)
        for i in (0, 1):
            text = f"Expected hidden[{i}] size {{}}, got {{}}"
            self.check_hidden_size(hidden[i], expected, text)


class GRU(RNNBase):
    """A GRU of floats with quantized weights."""

    _FLOAT_MODULE = nn.GRU

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("GRU", *args, **kwargs)

    def _get_name(self) -> str:
        return "DynamicQuantizedGRU"

    def forward_impl(
        self, input: Any, hx: Any, batch_sizes: Any, max_batch_size: int, sorted_indices: Any
    ) -> Any:
        """Outputs and last hidden state; *batch_sizes* is None for a tensor."""
        if hx is None:
            hx = self._zeros(input, max_batch_size)
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        given = (input,) if batch_sizes is None else (input, batch_sizes)
        result = ops.aten.quantized_gru(*given, hx, *self._options(batch_sizes))
        return result[0], result[1]


offer_listed(globals())
