"""Recurrent layers over sequences, padded or packed, of existing ops step by step."""

from __future__ import annotations

import math
import numbers
from typing import Any

from ...core.deprecation import deprecated
from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from .. import init
from ..parameter import Parameter
from .module import Module
from .rnn_cells import GATES

__all__ = ["GRU", "LSTM", "RNN", "RNNBase"]


def _apply_permutation(tensor: Any, permutation: Any, dim: int = 1) -> Any:
    """*tensor* with its samples, along *dim*, in another order."""
    return tensor.index_select(dim, permutation)


@deprecated(
    "`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead",
    category=FutureWarning,
)
def apply_permutation(tensor: Any, permutation: Any, dim: int = 1) -> Any:
    """*tensor* with its samples, along *dim*, in another order."""
    return _apply_permutation(tensor, permutation, dim)


def check_sizes(layer: Any, input: Any, batch_sizes: Any) -> None:
    """Raise RuntimeError for an input whose dimensions or last size are not those of *layer*."""
    ndim = 3 if batch_sizes is None else 2
    if input.dim() != ndim:
        raise RuntimeError(f"input must have {ndim} dimensions, got {input.dim()}")
    if input.size(-1) != layer.input_size:
        raise RuntimeError(
            "input.size(-1) must be equal to input_size. "
            f"Expected {layer.input_size}, got {input.size(-1)}"
        )


class RNNBase(Module):
    """The weights of a recurrent layer, its checks and its loop over time.

    :param mode: ``RNN_TANH``, ``RNN_RELU``, ``LSTM`` or ``GRU``.
    :param dropout: of the outputs of all layers but the last, while training.
    :param proj_size: of LSTMs, the width to which hidden states are projected; 0 for none.
    """

    __constants__ = [
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout",
        "bidirectional", "proj_size",
    ]  # fmt: skip

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
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_options_(dropout)
        if mode not in GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        tall = GATES[mode] * hidden_size
        given = proj_size or hidden_size
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            width = input_size if layer == 0 else given * (2 if bidirectional else 1)
            for suffix in ("", "_reverse")[: 2 if bidirectional else 1]:
                sizes: dict[str, tuple[int, ...]] = {
                    "weight_ih": (tall, width),
                    "weight_hh": (tall, given),
                }
                if bias:
                    sizes |= {"bias_ih": (tall,), "bias_hh": (tall,)}
                if proj_size:
                    sizes["weight_hr"] = (proj_size, hidden_size)
                names = [f"{name}_l{layer}{suffix}" for name in sizes]
                for name, size in zip(names, sizes.values(), strict=True):
                    setattr(self, name, Parameter(ops.empty(size, device=device, dtype=dtype)))
                self._all_weights.append(names)
        self.reset_parameters()

    def _check_options_(self, dropout: Any) -> None:
        if (
            not isinstance(dropout, numbers.Number)
            or not 0 <= dropout <= 1  # type: ignore[operator]  # numbers compare
            or isinstance(dropout, bool)
        ):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:  # type: ignore[operator]  # numbers compare
            warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                f"dropout expects num_layers greater than 1, but got dropout={dropout} and "
                f"num_layers={self.num_layers}",
            )
        kinds = {"input_size": int, "hidden_size": int, "bias": bool, "batch_first": bool}
        for name, kind in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                found = type(value).__name__
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {found}")
        for name in ("input_size", "hidden_size", "num_layers"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.proj_size < 0:
            raise ValueError(
                "proj_size should be a positive integer or zero to disable projections"
            )
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        """The names of all parameters, layer by layer."""
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Any]:
        """All parameters, layer by layer; None for those that were deleted."""
        return [getattr(self, name, None) for name in self._flat_weights_names]

    def flatten_parameters(self) -> None:
        """Nothing to do: what it lays out anew is the memory of accelerators."""

    def reset_parameters(self) -> None:
        """Draw all weights anew, uniform within ``1 / sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        usual = {
            "proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0,
            "bidirectional": False,
        }  # fmt: skip
        for name, value in usual.items():
            found = getattr(self, name)
            # What is True or False is that itself: 0 is shown, too.
            if found is not value if isinstance(value, bool) else found != value:
                text += f", {name}={found}"
        return text

    def check_input(self, input: Any, batch_sizes: Any) -> None:
        """Refuse an input of another dtype or width, or of too few or too many dimensions."""
        weight = getattr(self, self._all_weights[0][0])
        if input.dtype is not weight.dtype and not ops.is_autocast_enabled(input.device.type):
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        check_sizes(self, input, batch_sizes)

    def _batch_(self, input: Any, batch_sizes: Any) -> int:
        """How many samples there are."""
        if batch_sizes is not None:
            return int(batch_sizes[0])
        return int(input.size(0 if self.batch_first else 1))

    def _state_sizes_(self, batch: int) -> list[tuple[int, int, int]]:
        """The shapes of the states of *batch* samples."""
        rows = self.num_layers * (2 if self.bidirectional else 1)
        widths = [self.proj_size or self.hidden_size]
        if self.mode == "LSTM":
            widths.append(self.hidden_size)
        return [(rows, batch, width) for width in widths]

    def get_expected_hidden_size(self, input: Any, batch_sizes: Any) -> tuple[int, int, int]:
        """The shape of the hidden state that goes with *input*."""
        return self._state_sizes_(self._batch_(input, batch_sizes))[0]

    def check_hidden_size(
        self,
        hx: Any,
        expected_hidden_size: tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        """Refuse a state of another shape with *msg*, in which the shapes are put."""
        if tuple(hx.shape) != tuple(expected_hidden_size):
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.shape)))

    def _check_states_(self, state: Any, batch: int) -> None:
        sizes = self._state_sizes_(batch)
        for i, (part, size) in enumerate(zip(state, sizes, strict=True)):
            name = f"hidden[{i}]" if len(sizes) == 2 else "hidden"
            self.check_hidden_size(part, size, f"Expected {name} size {{}}, got {{}}")

    def check_forward_args(self, input: Any, hidden: Any, batch_sizes: Any) -> None:
        """Refuse an input, or a state, that does not fit."""
        self.check_input(input, batch_sizes)
        state = hidden if self.mode == "LSTM" else (hidden,)
        self._check_states_(state, self._batch_(input, batch_sizes))

    def permute_hidden(self, hx: Any, permutation: Any) -> Any:
        """*hx* with its samples in another order; as it is where *permutation* is None."""
        if permutation is None:
            return hx
        if self.mode == "LSTM":
            return tuple([_apply_permutation(part, permutation) for part in hx])
        return _apply_permutation(hx, permutation)

    def _run_(self, input: Any, state: Any) -> tuple[Any, tuple[Any, ...]]:
        """Outputs and last states over (L, N, H), (N, L, H) or (L, H)."""
        if isinstance(input, tuple) and not isinstance(input, Tensor):
            return self._run_packed_(input, state)
        ndim = input.dim()
        tensor = " tensor" if self.mode.startswith("RNN") else ""
        if ndim not in (2, 3):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {ndim}D{tensor} instead"
            )
        if state is not None and any(part.dim() != ndim for part in state):
            which = f"For {'batched' if ndim == 3 else 'unbatched'} {ndim}-D input, "
            if len(state) == 2:
                raise RuntimeError(
                    f"{which}hx and cx should also be {ndim}-D but got "
                    f"({state[0].dim()}-D, {state[1].dim()}-D) tensors"
                )
            raise RuntimeError(
                f"{which}hx should also be {ndim}-D but got {state[0].dim()}-D tensor"
            )
        x = input
        samples = 0 if self.batch_first else 1
        if ndim == 2:
            x = x.unsqueeze(samples)
            state = None if state is None else tuple([part.unsqueeze(1) for part in state])
        self.check_input(x, None)
        state = self._ready_(x, state, x.size(samples))
        self._check_devices_(x, state)
        y, *last = self._function_(x, self._states_(state), *self._options_(), self.batch_first)
        if ndim == 2:
            return y.squeeze(samples), tuple([part.squeeze(1) for part in last])
        return y, tuple(last)

    def _run_packed_(self, packed: Any, state: Any) -> tuple[Any, tuple[Any, ...]]:
        """Outputs, packed like the input, and last states in the order that was packed."""
        data, batch_sizes, there, back = packed
        checked = self.mode != "LSTM"  # torch's LSTM leaves it to the products of matrices
        if checked:
            self.check_input(data, batch_sizes)
        if state is not None and there is not None:
            state = tuple([part.index_select(1, there) for part in state])
        if checked or state is None:
            state = self._ready_(data, state, int(batch_sizes[0]))
        self._check_devices_(data, state)
        y, *last = self._function_(data, batch_sizes, self._states_(state), *self._options_())
        if back is not None:
            last = [part.index_select(1, back) for part in last]
        return type(packed)(y, batch_sizes, there, back), tuple(last)

    def _ready_(self, x: Any, state: Any, batch: int) -> tuple[Any, ...]:
        """The states at the start: zeros where none are given. Raises RuntimeError for sizes."""
        if state is None:
            sizes = self._state_sizes_(batch)
            return tuple([ops.zeros(size, dtype=x.dtype, device=x.device) for size in sizes])
        self._check_states_(state, batch)
        return tuple(state)

    def _check_devices_(self, x: Any, state: tuple[Any, ...]) -> None:
        """Source: torch aten/src/ATen/native/RNN.h, check_attributes."""
        weights = [weight for weight in self._flat_weights if weight is not None]
        for name, tensors in (("hidden", state), ("parameter", weights)):
            for t in tensors:
                if t.device != x.device:
                    raise RuntimeError(
                        f"Input and {name} tensors are not at the same device, found input tensor "
                        f"at {x.device} and {name} tensor at {t.device}"
                    )

    @property
    def _function_(self) -> Any:
        """The function that does it: handlers of functions see one call."""
        return getattr(ops, self.mode.lower())

    def _states_(self, state: tuple[Any, ...]) -> Any:
        """The states at the start as the function takes them."""
        return state if self.mode == "LSTM" else state[0]

    def _options_(self) -> tuple[Any, ...]:
        """What the function takes between states and ``batch_first``."""
        options = self.bias, self.num_layers, self.dropout, self.training, self.bidirectional
        return self._flat_weights, *options


def _refuse_projection(options: dict[str, Any]) -> None:
    if "proj_size" in options:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """``tanh`` (or ``relu``) of the sum of the products of input and state.

    Takes ``input_size, hidden_size, num_layers, nonlinearity`` and the options of
    :class:`RNNBase`; gives outputs and last hidden states.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        if len(args) > 3:
            self.nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__("RNN_" + self.nonlinearity.upper(), *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> Any:
        output, state = self._run_(input, None if hx is None else (hx,))
        return output, state[0]


class LSTM(RNNBase):
    """Long short-term memory: gives outputs, and last hidden and cell states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Any, batch_sizes: Any) -> tuple[int, int, int]:
        """The shape of the cell state that goes with *input*."""
        return self._state_sizes_(self._batch_(input, batch_sizes))[1]

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._run_(input, hx)


class GRU(RNNBase):
    """Gated recurrent units: gives outputs and last hidden states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> Any:
        output, state = self._run_(input, None if hx is None else (hx,))
        return output, state[0]
