"""Recurrent layers and cells whose weights are quantized: ``quantized_lstm``, ``quantized_gru``…

The steps are those of the layers of floats; only products with weights are others.
Source: torch aten/src/ATen/native/RNN.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K

from ...core.operators import ops
from ...core.script_object import ScriptObject
from ..recurrent import STEPS, Net, State, states_of
from .linear import PACKED, dynamic_product
from .operators import define
from .packed_weights import CellParameters, held

__all__: list[str] = []

_CELL = "__torch__.torch.classes.rnn.CellParamsBase"


class QuantizedNet(Net):
    """One call of a layer whose parameters are :class:`CellParameters`."""

    def per_layer(self, has_biases: bool, projects: bool) -> int:
        """One: weights and biases are packed together."""
        return 1

    def of_input(self, x: Any, weights: State) -> Any:
        """The products of inputs with the weights of a layer; their range is that of all steps."""
        (cell,) = weights
        return dynamic_product(x, held(cell._bound.w_ih), cell._bound.reduce_range)

    def of_state(self, h: Any, weights: State) -> Any:
        """The products of a hidden state with the weights of a layer."""
        (cell,) = weights
        return dynamic_product(h, held(cell._bound.w_hh), cell._bound.reduce_range)


def _dynamic(
    w_ih: ScriptObject, w_hh: ScriptObject, bias_ih: Any, bias_hh: Any, reduce_range: bool = False
) -> ScriptObject:
    biases = [bias_ih, bias_hh]
    return ScriptObject.of(CellParameters("quantized_dynamic", w_ih, w_hh, biases, reduce_range))


def _half(w_ih: ScriptObject, w_hh: ScriptObject) -> ScriptObject:
    return ScriptObject.of(CellParameters("quantized_fp16", w_ih, w_hh, [], False))


def _whole(name: str) -> Callable[..., Any]:
    def call(
        input: Any, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, batch_first: bool, dtype: Any = None,
        use_dynamic: bool = False,
    ) -> Any:  # fmt: skip
        net = QuantizedNet(
            name, params, has_biases, num_layers, dropout, train, bidirectional, False
        )
        x = ops.transpose(input, 0, 1) if batch_first else input
        y, last = net.run(x, states_of(name, hx), net.in_time)
        return (y.transpose_(0, 1) if batch_first else y, *last)

    return call


def _data(name: str) -> Callable[..., Any]:
    def call(
        data: Any, batch_sizes: Any, hx: Any, params: Any, has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool, dtype: Any = None,
        use_dynamic: bool = False,
    ) -> Any:  # fmt: skip
        net = QuantizedNet(
            name, params, has_biases, num_layers, dropout, train, bidirectional, False
        )
        y, last = net.run(data, states_of(name, hx), net.packed(batch_sizes.tolist()))
        return (y, *last)

    return call


def _cell(name: str) -> Callable[..., Any]:
    def call(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
        state = states_of(name, hx)
        products = dynamic_product(input, held(w_ih), True)
        end = STEPS[name](products, dynamic_product(state[0], held(w_hh), True), state)
        return end if name == "lstm" else end[0]

    return call


_OPTIONS = "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional"
for _name in ("lstm", "gru"):
    _hx, _gives, _more = "Tensor hx", "(Tensor, Tensor)", ""
    if _name == "lstm":
        _hx, _gives = "Tensor[] hx", "(Tensor, Tensor, Tensor)"
        _more = ", *, ScalarType? dtype=None, bool use_dynamic=False"
    define(
        {
            f"quantized_{_name}.input(Tensor input, {_hx}, {_CELL}[] params, {_OPTIONS}, "
            f"bool batch_first{_more}) -> {_gives}": _whole(_name),
            f"quantized_{_name}.data(Tensor data, Tensor batch_sizes, {_hx}, {_CELL}[] params, "
            f"{_OPTIONS}{_more}) -> {_gives}": _data(_name),
        },
        K.CPU,
        namespace="aten",
    )
_WEIGHTS = f"{PACKED} w_ih, {PACKED} w_hh"
define(
    {
        f"make_quantized_cell_params_dynamic({_WEIGHTS}, Tensor bias_ih, Tensor bias_hh, "
        f"bool reduce_range=False) -> {_CELL}": _dynamic,
        f"quantized_lstm_cell_dynamic(Tensor input, Tensor[] hx, {_WEIGHTS}, Tensor bias_ih, "
        "Tensor bias_hh) -> (Tensor, Tensor)": _cell("lstm"),
        **{
            f"quantized_{_name}_cell_dynamic(Tensor input, Tensor hx, {_WEIGHTS}, Tensor b_ih, "
            "Tensor b_hh) -> Tensor": _cell(_name)
            for _name in ("gru", "rnn_tanh", "rnn_relu")
        },
    },
    K.CPU,
)
define(
    {f"make_quantized_cell_params_fp16({_WEIGHTS}) -> {_CELL}": _half},
    K.CompositeImplicitAutograd,
)
