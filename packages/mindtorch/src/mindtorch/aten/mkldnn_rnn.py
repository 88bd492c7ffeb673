"""``mkldnn_rnn_layer``: one layer of an LSTM over all steps, in one direction, as one op.

An LSTM of single precision on the host consists of these, as in torch. The other networks and
dtypes go step by step (``recurrent``). Gates lie in torch's order: input, forget, cell, output.

The gradients have two ways: a kernel, and, where the backward pass is itself recorded
(``create_graph``), the same formula over tensors.

Source: torch aten/src/ATen/native/mkldnn/RNN.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_autograd import is_grad_enabled
from mindtorch_storage.dtype import bfloat16, float32, uint8

from ..call.row import Out, op
from ..core.operators import ops

__all__ = ["LSTM", "one_layer", "takes"]

Array = np.ndarray[Any, Any]

#: The number of an LSTM in ``mode``; torch knows others, which its build does not compute.
LSTM = 2


def takes(x: Any, states: Sequence[Any], projects: bool) -> bool:
    """Whether an LSTM of *x* goes by these layers. Source: torch RNN.cpp, use_mkldnn."""
    if projects or not x.numel() or x.device.type != "cpu":
        return False
    return all(t.dtype in (float32, bfloat16) for t in (x, *states))


def one_layer(
    x: Any, weights: Sequence[Any], state: Sequence[Any], back: bool, layers: int,
    biases: bool, bidirectional: bool, train: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Return what one layer gives at each step, and its hidden and cell state at the end."""
    hidden = weights[1].size(1)
    if not biases:
        nothing = ops.zeros([weights[0].size(0)], dtype=weights[0].dtype, device=x.device)
        weights = (*weights, nothing, nothing)
    y, h, c, _ = ops.mkldnn_rnn_layer(
        x, *weights, *state, back, (), LSTM, hidden, layers, biases, bidirectional, False, train
    )
    return y, h, c


# ------------------------------------------------------------------------------------------- meta


def _refuse_other_modes(mode: int) -> None:
    if mode != LSTM:
        raise RuntimeError(
            "could not create a primitive descriptor for the LSTM forward propagation primitive. "
            "Run workload with environment variable ONEDNN_VERBOSE=all to get additional "
            "diagnostic information."
        )


def _layer_meta(
    input: Any, weight0: Any, weight1: Any, weight2: Any, weight3: Any, hx_: Any, cx_: Any,
    reverse: bool, batch_sizes: Any, mode: int, hidden_size: int, *rest: Any,
) -> tuple[Out, ...]:  # fmt: skip
    _refuse_other_modes(mode)
    steps, samples, _ = input.shape
    state = Out((samples, hidden_size), input.dtype)
    # For backward: four gates and the cell state of each step, in single precision.
    kept = Out((4 * steps * samples * 5 * hidden_size,), uint8)
    return Out((steps, samples, hidden_size), input.dtype), state, state, kept


# ---------------------------------------------------------------------------------------- forward


def _wide(x: Array) -> Array:
    return x if x.dtype == np.float32 else x.astype(np.float32)


def _parts(workspace: Array, steps: int, samples: int, hidden: int) -> tuple[Array, Array]:
    """The gates and cell states of each step, which lie in a workspace."""
    size = steps * samples * 4 * hidden
    gates = workspace[:size].reshape(steps, samples, 4, hidden)
    return gates, workspace[size:].reshape(steps, samples, hidden)


def _layer(
    x: Array, w: Array, u: Array, b: Array, d: Array, hx: Array, cx: Array,
    reverse: bool, batch_sizes: Any, mode: int, hidden: int, layers: int, biases: bool,
    bidirectional: bool, batch_first: bool, train: bool,
) -> tuple[Array, ...]:  # fmt: skip
    dtype = x.dtype
    x, w, u, b, d, h, c = map(_wide, (x, w, u, b, d, hx, cx))
    steps, samples, width = x.shape
    # All gates are one tanh, as sigmoid(x) is (tanh(x / 2) + 1) / 2.
    scale = np.full((4, hidden), 0.5, np.float32)
    scale[2] = 1
    scale = scale.reshape(-1)
    shift = 1 - scale
    workspace = np.empty(steps * samples * 5 * hidden, np.float32)
    gates, cells = _parts(workspace, steps, samples, hidden)
    rows = gates.reshape(-1, 4 * hidden)
    np.dot(x.reshape(-1, width), (w * scale[:, None]).T, rows)
    rows += (b + d) * scale
    u = np.ascontiguousarray((u * scale[:, None]).T)
    out = np.empty((steps, samples, hidden), np.float32)
    for t in range(steps - 1, -1, -1) if reverse else range(steps):
        g = gates[t].reshape(samples, -1)
        g += np.dot(h, u)
        np.tanh(g, g)
        g *= scale
        g += shift
        enter, forget, new, leave = gates[t].swapaxes(0, 1)
        c = np.multiply(forget, c, cells[t])
        c += enter * new
        h = np.multiply(leave, np.tanh(c), out[t])
    h, c = h.astype(dtype), c.astype(dtype)  # of their own: beside them lie other steps
    return out.astype(dtype, copy=False), h, c, workspace.view(np.uint8)


# --------------------------------------------------------------------------------------- backward


def _backward_meta(
    input: Any, weight1: Any, weight2: Any, weight3: Any, weight4: Any, hx_: Any, cx_tmp: Any,
    *rest: Any,
) -> tuple[Out, ...]:  # fmt: skip
    given = (input, weight1, weight2, weight3, weight4, hx_, cx_tmp)
    return tuple([Out(tuple(t.shape), t.dtype) for t in given])


def _before(of_steps: Array, first: Array, reverse: bool) -> Array:
    """The state that each step began with, of those that they end with."""
    found = np.empty_like(of_steps)
    if reverse:
        found[:-1], found[-1] = of_steps[1:], first
    else:
        found[1:], found[0] = of_steps[:-1], first
    return found


def _backward(
    x: Array, w: Array, u: Array, b: Array, d: Array, hx: Array, cx: Array, output: Array,
    hy: Array, cy: Array, g_out: Array | None, g_h: Array | None, g_c: Array | None,
    reverse: bool, mode: int, hidden: int, layers: int, biases: bool, train: bool,
    bidirectional: bool, batch_sizes: Any, batch_first: bool, workspace: Array,
) -> tuple[Array, ...]:  # fmt: skip
    dtypes = [t.dtype for t in (x, w, u, b, d, hx, cx)]
    x, w, u, hx, cx, output = map(_wide, (x, w, u, hx, cx, output))
    steps, samples, width = x.shape
    gates, cells = _parts(workspace.view(np.float32), steps, samples, hidden)
    enter, forget, new, leave = gates.transpose(2, 0, 1, 3)
    # What a gradient of the cell state is multiplied with for each gate, for all steps at once;
    # for the output gate it is that of the hidden state.
    grads = 1 - gates
    grads *= gates
    shown = np.tanh(cells)
    grads[:, :, 0] *= new
    grads[:, :, 1] *= _before(cells, cx, reverse)
    grads[:, :, 2] = (1 - new * new) * enter
    grads[:, :, 3] *= shown
    through = (1 - shown * shown) * leave
    still = np.zeros((samples, hidden), np.float32)
    d_h = still if g_h is None else _wide(g_h)
    d_c = still if g_c is None else _wide(g_c)
    g_out = None if g_out is None else _wide(g_out)
    for t in range(steps) if reverse else range(steps - 1, -1, -1):
        if g_out is not None:
            d_h = d_h + g_out[t]
        d_c = d_c + d_h * through[t]
        grad = grads[t]
        grad[:, :3] *= d_c[:, None]
        grad[:, 3] *= d_h
        d_h = np.dot(grad.reshape(samples, -1), u)
        d_c = d_c * forget[t]
    flat = grads.reshape(-1, 4 * hidden)
    states = _before(output, hx, reverse).reshape(-1, hidden)
    bias = flat.sum(0)
    found = (
        np.dot(flat, w).reshape(x.shape), np.dot(flat.T, x.reshape(-1, width)),
        np.dot(flat.T, states), bias, bias.copy(), d_h, d_c,
    )  # fmt: skip
    return tuple([t.astype(dtype, copy=False) for t, dtype in zip(found, dtypes, strict=True)])


def _recorded(c: Any, g_out: Any, g_h: Any, g_c: Any) -> tuple[Any, ...]:
    """The formula of :func:`_backward` over tensors, of which backward may be taken again."""
    x, w, u, b, d, hx, cx = (
        c.input, c.weight0, c.weight1, c.weight2, c.weight3, c.hx_, c.cx_,
    )  # fmt: skip
    order = list(range(x.size(0) - 1, -1, -1) if c.reverse else range(x.size(0)))
    h, cell = hx, cx
    states, gates = [(h, cell)], []
    for t in order:
        parts = (ops.linear(x[t], w, b) + ops.linear(h, u, d)).chunk(4, 1)
        enter, forget, leave = parts[0].sigmoid(), parts[1].sigmoid(), parts[3].sigmoid()
        new = parts[2].tanh()
        cell = forget * cell + enter * new
        h = leave * cell.tanh()
        gates.append((enter, forget, new, leave))
        states.append((h, cell))
    d_h = ops.zeros_like(hx) if g_h is None else g_h
    d_c = ops.zeros_like(cx) if g_c is None else g_c
    g_x: list[Any] = [None] * len(order)
    g_w = g_u = g_b = 0
    for place in range(len(order) - 1, -1, -1):
        t, (enter, forget, new, leave) = order[place], gates[place]
        h_before, c_before = states[place]
        shown = states[place + 1][1].tanh()
        if g_out is not None:
            d_h = d_h + g_out[t]
        d_c = d_c + d_h * leave * (1 - shown * shown)
        grad = ops.cat(
            [
                d_c * new * enter * (1 - enter),
                d_c * c_before * forget * (1 - forget),
                d_c * enter * (1 - new * new),
                d_h * shown * leave * (1 - leave),
            ],
            1,
        )
        g_x[t] = grad.mm(w)
        g_w, g_u, g_b = g_w + grad.t().mm(x[t]), g_u + grad.t().mm(h_before), g_b + grad.sum(0)
        d_h, d_c = grad.mm(u), d_c * forget
    return ops.stack(g_x), g_w, g_u, g_b, g_b, d_h, d_c


def _grad(g: Any, c: Any) -> tuple[Any, ...]:
    """Gradients of input, weights and state, by those of the results at each step and the end."""
    if g[0] is None and g[1] is None and g[2] is None:
        return (None,) * 7
    if is_grad_enabled():
        return _recorded(c, *g[:3])
    made: tuple[Any, ...] = ops.mkldnn_rnn_layer_backward(
        c.input, c.weight0, c.weight1, c.weight2, c.weight3, c.hx_, c.cx_, c.result0, c.result1,
        c.result2, *g[:3], c.reverse, c.mode, c.hidden_size, c.num_layers, c.has_biases, c.train,
        c.bidirectional, c.batch_sizes, c.batch_first, c.result3,
    )  # fmt: skip
    return made


op(
    "mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, "
    "Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, "
    "int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, "
    "bool train) -> (Tensor, Tensor, Tensor, Tensor)",
    says="Run one layer of an LSTM over sequences in one direction.",
    meta=_layer_meta,
    kernel=_layer,
    variants="function",
    grad={"input, weight0, weight1, weight2, weight3, hx_, cx_": _grad},
    autocast=("lower precision", ""),
)
op(
    "mkldnn_rnn_layer_backward(Tensor input, Tensor weight1, Tensor weight2, Tensor weight3, "
    "Tensor weight4, Tensor hx_, Tensor cx_tmp, Tensor output, Tensor hy_, Tensor cy_, "
    "Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, bool reverse, int mode, "
    "int hidden_size, int num_layers, bool has_biases, bool train, bool bidirectional, "
    "int[] batch_sizes, bool batch_first, Tensor workspace) "
    "-> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)",
    meta=_backward_meta,
    kernel=_backward,
    variants="",
)
