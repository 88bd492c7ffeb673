"""Recurrent layers, and their cells."""

from __future__ import annotations

from ..._ops import ops
from ...nn.utils.rnn import PackedSequence
from ...tensor import Tensor
from .layer import Layer, stand_for_layers

aten = ops.aten


class _RNNBase(Layer):
    script_extra_ = ("_flat_weights_names", "_flat_weights")
    _flat_weights_names: list[str]
    _flat_weights: list[Tensor]

    def _check(self, input: Tensor) -> None:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"Expected input to be 2D or 3D, got {input.dim()}D instead")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                f"{input.size(-1)}"
            )

    def _samples(self, input: Tensor) -> int:
        return input.size(0) if self.batch_first else input.size(1)

    def _zeros(self, like: Tensor, samples: int, size: int) -> Tensor:
        count = self.num_layers * 2 if self.bidirectional else self.num_layers
        return aten.zeros([count, samples, size], dtype=like.dtype, device=like.device)

    def _check_state(self, state: Tensor, samples: int, size: int) -> None:
        count = self.num_layers * 2 if self.bidirectional else self.num_layers
        if state.size() != [count, samples, size]:
            raise RuntimeError(
                f"Expected hidden size {(count, samples, size)}, got {list(state.size())}"
            )

    def _permuted(self, state: Tensor, order: Tensor | None) -> Tensor:
        if order is None:
            return state
        return state.index_select(1, order)


class LSTM(_RNNBase):
    def _tensor(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        self._check(input)
        batched = input.dim() == 3
        dim = 0 if self.batch_first else 1
        if not batched:
            input = input.unsqueeze(dim)
        samples = self._samples(input)
        size = self.proj_size if self.proj_size > 0 else self.hidden_size
        if hx is None:
            h = self._zeros(input, samples, size)
            c = self._zeros(input, samples, self.hidden_size)
        else:
            h, c = hx
            if not batched:
                h, c = h.unsqueeze(1), c.unsqueeze(1)
        self._check_state(h, samples, size)
        self._check_state(c, samples, self.hidden_size)
        y, h, c = aten.lstm(
            input, [h, c], self._flat_weights, self.bias, self.num_layers, self.dropout,
            self.training, self.bidirectional, self.batch_first,
        )  # fmt: skip
        if not batched:
            y, h, c = y.squeeze(dim), h.squeeze(1), c.squeeze(1)
        return y, (h, c)

    def _packed(
        self, input: PackedSequence, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[PackedSequence, tuple[Tensor, Tensor]]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        samples = int(batch_sizes[0])
        if hx is None:
            h = self._zeros(
                data, samples, self.proj_size if self.proj_size > 0 else self.hidden_size
            )
            c = self._zeros(data, samples, self.hidden_size)
        else:
            h = self._permuted(hx[0], sorted_indices)
            c = self._permuted(hx[1], sorted_indices)
        y, h, c = aten.lstm(
            data, batch_sizes, [h, c], self._flat_weights, self.bias, self.num_layers,
            self.dropout, self.training, self.bidirectional,
        )  # fmt: skip
        packed = PackedSequence(y, batch_sizes, sorted_indices, unsorted_indices)
        state = (self._permuted(h, unsorted_indices), self._permuted(c, unsorted_indices))
        return packed, state

    def forward(self, input, hx=None):  # type: ignore[no-untyped-def]  # its overloads say
        return self._tensor(input, hx)


LSTM.forward.script_overloads_ = (LSTM._tensor, LSTM._packed)  # type: ignore[attr-defined]  # a mark


class GRU(_RNNBase):
    def _tensor(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        self._check(input)
        batched = input.dim() == 3
        dim = 0 if self.batch_first else 1
        if not batched:
            input = input.unsqueeze(dim)
        samples = self._samples(input)
        if hx is None:
            h = self._zeros(input, samples, self.hidden_size)
        else:
            h = hx if batched else hx.unsqueeze(1)
        self._check_state(h, samples, self.hidden_size)
        y, h = aten.gru(
            input, h, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
            self.bidirectional, self.batch_first,
        )  # fmt: skip
        if not batched:
            y, h = y.squeeze(dim), h.squeeze(1)
        return y, h

    def _packed(
        self, input: PackedSequence, hx: Tensor | None = None
    ) -> tuple[PackedSequence, Tensor]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        if hx is None:
            h = self._zeros(data, int(batch_sizes[0]), self.hidden_size)
        else:
            h = self._permuted(hx, sorted_indices)
        y, h = aten.gru(
            data, batch_sizes, h, self._flat_weights, self.bias, self.num_layers, self.dropout,
            self.training, self.bidirectional,
        )  # fmt: skip
        packed = PackedSequence(y, batch_sizes, sorted_indices, unsorted_indices)
        return packed, self._permuted(h, unsorted_indices)

    def forward(self, input, hx=None):  # type: ignore[no-untyped-def]  # its overloads say
        return self._tensor(input, hx)


GRU.forward.script_overloads_ = (GRU._tensor, GRU._packed)  # type: ignore[attr-defined]  # a mark


class RNN(_RNNBase):
    def _tensor(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        self._check(input)
        batched = input.dim() == 3
        dim = 0 if self.batch_first else 1
        if not batched:
            input = input.unsqueeze(dim)
        samples = self._samples(input)
        if hx is None:
            h = self._zeros(input, samples, self.hidden_size)
        else:
            h = hx if batched else hx.unsqueeze(1)
        self._check_state(h, samples, self.hidden_size)
        if self.mode == "RNN_TANH":
            y, h = aten.rnn_tanh(
                input, h, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional, self.batch_first,
            )  # fmt: skip
        else:
            y, h = aten.rnn_relu(
                input, h, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional, self.batch_first,
            )  # fmt: skip
        if not batched:
            y, h = y.squeeze(dim), h.squeeze(1)
        return y, h

    def _packed(
        self, input: PackedSequence, hx: Tensor | None = None
    ) -> tuple[PackedSequence, Tensor]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        if hx is None:
            h = self._zeros(data, int(batch_sizes[0]), self.hidden_size)
        else:
            h = self._permuted(hx, sorted_indices)
        if self.mode == "RNN_TANH":
            y, h = aten.rnn_tanh(
                data, batch_sizes, h, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional,
            )  # fmt: skip
        else:
            y, h = aten.rnn_relu(
                data, batch_sizes, h, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional,
            )  # fmt: skip
        packed = PackedSequence(y, batch_sizes, sorted_indices, unsorted_indices)
        return packed, self._permuted(h, unsorted_indices)

    def forward(self, input, hx=None):  # type: ignore[no-untyped-def]  # its overloads say
        return self._tensor(input, hx)


RNN.forward.script_overloads_ = (RNN._tensor, RNN._packed)  # type: ignore[attr-defined]  # a mark


class _Cell(Layer):
    def _state(self, input: Tensor, hx: Tensor | None) -> Tensor:
        if input.dim() != 1 and input.dim() != 2:
            raise ValueError(f"Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None:
            return hx if input.dim() == 2 else hx.unsqueeze(0)
        samples = input.size(0) if input.dim() == 2 else 1
        return aten.zeros([samples, self.hidden_size], dtype=input.dtype, device=input.device)


class RNNCell(_Cell):
    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._state(input, hx)
        x = input if input.dim() == 2 else input.unsqueeze(0)
        if self.nonlinearity == "tanh":
            h = aten.rnn_tanh_cell(x, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        else:
            h = aten.rnn_relu_cell(x, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return h if input.dim() == 2 else h.squeeze(0)


class GRUCell(_Cell):
    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._state(input, hx)
        x = input if input.dim() == 2 else input.unsqueeze(0)
        h = aten.gru_cell(x, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return h if input.dim() == 2 else h.squeeze(0)


class LSTMCell(_Cell):
    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        if hx is None:
            h, c = self._state(input, None), self._state(input, None)
        else:
            h, c = self._state(input, hx[0]), self._state(input, hx[1])
        x = input if input.dim() == 2 else input.unsqueeze(0)
        h, c = aten.lstm_cell(x, [h, c], self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if input.dim() == 2:
            return h, c
        return h.squeeze(0), c.squeeze(0)


stand_for_layers(globals())
