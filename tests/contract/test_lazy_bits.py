"""Conjugated and negated views: lazy as the oracle's, seen through by every op."""

from __future__ import annotations

import copy
import importlib
import io

import mindtorch
import pytest
import torch

from .batches import every
from .helpers import assert_same_value, assert_torch_error
from .rows import NAMES, ROWS, forms, samples, tensors_in, writes_self


def _x(t):
    return t.tensor([[1 + 2j, 3 - 4j], [0.5j, 2]], dtype=t.complex64)


def _facts(value):
    """A value as text that both frameworks print alike, with the bits of tensors."""
    if isinstance(value, (tuple, list)):
        return [_facts(v) for v in value]
    if hasattr(value, "is_conj"):
        return repr(value), value.is_conj(), value.is_neg(), str(value.dtype), value.stride()
    return repr(value)


EXPRESSIONS = """
c
c.conj()
c.t(), c[0], c.reshape(4), c.view(4), c[[0]], c.expand(2, 2, 2), c.unsqueeze(0), c.squeeze()
c.clone(), c.contiguous(), c.detach(), c.to(t.complex128), c.resolve_conj(), c.data, c.cpu()
c.resolve_conj() is c, x.resolve_conj() is x, x.resolve_neg() is x
c._is_view(), c._base is x, c.data_ptr() == x.data_ptr(), c.storage_offset()
c.tolist(), c[0, 0].item(), complex(c[0, 0]), c.numpy(force=True).tolist()
c.imag, c.real, t.real(c), t.imag(c), c.imag.resolve_neg(), c.imag.clone(), c.imag.T
c.imag + 1, c.imag.sum(), c.imag.mean(), c.imag.abs(), c.imag.tolist()
c + x, c @ x, c * 2, c.sum(), c.abs(), t.equal(c, c.clone()), t.isfinite(c), t.ones_like(c)
t._conj(x), t._neg_view(x), t._neg_view(x).conj(), -t._neg_view(x)
c.mT, c.mH, c.adjoint(), c.H, c.permute(1, 0), c.diagonal()
t.cat([c, x]), t.stack([c, c]), t.where(c == c, c, x), c.split(1), c.unbind(), c.index_select(0, i)
t.view_as_complex(t._neg_view(t.ones(2, 2))), t.empty_like(c).is_conj()
str(t._C._dispatch_keys(c)), str(t._C._dispatch_keys(c.imag))
c.__reduce_ex__(2)[1][-1], t._neg_view(c).__reduce_ex__(2)[1][-1]
x.conj_physical(), c.conj_physical()
t.ops.aten._unsafe_view(c, [4]), t.ops.aten._unsafe_view(t._neg_view(x), [4]).resolve_neg()
t.unsafe_split(c, 1), t.unsafe_split_with_sizes(t._neg_view(c), [1, 1])
""".strip().splitlines()


def _evaluate(t, text):
    x = _x(t)
    return _facts(eval(text, {"t": t, "x": x, "c": x.conj(), "i": t.tensor([0])}))


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression_gives_the_oracles_value_and_bits(text):
    """Values as printed, bits, dtypes and strides."""
    assert _evaluate(mindtorch, text) == _evaluate(torch, text)


@pytest.mark.parametrize(
    "text",
    [
        "c.numpy()",
        "c.imag.numpy()",
        "c.__array__()",
        "c.__dlpack__()",
        "t.view_as_real(c)",
        "c.view(t.float32)",
        "c.view(t.complex64)",
        "t._neg_view(t.ones(2)).view(t.int32)",
    ],
)
def test_reading_raw_memory_is_refused_in_the_oracles_words(text):
    """What would show numbers that are not the tensor's raises the oracle's error."""
    assert_torch_error(lambda: _evaluate(mindtorch, text), lambda: _evaluate(torch, text))


def _saved(t, value):
    file = io.BytesIO()
    t.save(value, file)
    file.seek(0)
    return t.load(file)


def _rebased(t, x):
    y = x * 1
    y.conj().mul_(2j)
    y.real.sum().backward()
    return y, y.grad_fn.name(), x.grad


def _stepwise(t, x):
    y = x.conj()
    z = (y * y).sum()
    node = z.grad_fn.next_functions[0][0]
    names = [n.name() for n, _ in node.next_functions]
    z.abs().backward()
    return y.grad_fn.name(), node.name(), names, x.grad


def _imaginary(t, x):
    y = x.conj().imag
    names = y.grad_fn.name(), y.grad_fn.next_functions[0][0].name()
    y.sum().backward()
    return names, x.grad


PROGRAMS = {
    "add_": lambda t, x: x.conj().add_(1j),
    "item assignment": lambda t, x: [y := x.conj(), y.zero_(), y.__setitem__((0, 0), 1j)][0],
    "copy_ into": lambda t, x: x.conj().copy_(t.ones(2, 2) * 2j),
    "copy_ from": lambda t, x: t.empty(2, 2, dtype=t.complex64).copy_(x.conj()),
    "out": lambda t, x: t.add(x, 1, out=x.conj()),
    "imag add_": lambda t, x: x.conj().imag.add_(1),
    "real add_": lambda t, x: x.conj().real.add_(1),
    "neg mul_": lambda t, x: t._neg_view(x).mul_(2),
    "own conj": lambda t, x: x.add_(x.conj()),
    "rows": lambda t, x: x.__setitem__(0, x.conj()[1]),
    "t_": lambda t, x: x.conj().t_(),
    "deepcopy": lambda t, x: copy.deepcopy(x.conj()),
    "save": lambda t, x: _saved(t, [x.conj(), t._neg_view(x)]),
    "data": lambda t, x: [y := x.clone(), setattr(y, "data", x.conj())][0],
}
GRADIENTS = {
    "product": _stepwise,
    "imaginary part": _imaginary,
    "clone": lambda t, x: [(x.conj().clone().real * 3).sum().backward(), x.grad],
    "in place": _rebased,
    "resolved": lambda t, x: x.conj().resolve_conj().grad_fn.name(),
    "complex root": lambda t, x: x.sum().conj().requires_grad,
}


def _run(t, program, grad):
    x = _x(t).requires_grad_() if grad else _x(t)
    return _facts([program(t, x), x, x._version])


@pytest.mark.parametrize("name", PROGRAMS)
def test_changes_go_through_to_the_memory(name):
    """What an op writes to such a view arrives in its base as the oracle has it."""
    program = PROGRAMS[name]
    assert _run(mindtorch, program, False) == _run(torch, program, False)


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_and_nodes_are_the_oracles(name):
    """Names of nodes, gradients and their bits."""
    program = GRADIENTS[name]
    assert _run(mindtorch, program, True) == _run(torch, program, True)


@pytest.mark.parametrize("direction", [(mindtorch, torch), (torch, mindtorch)])
def test_saved_bits_are_read_by_the_other_framework(direction):
    """The bit goes into the file, the numbers stay as they lie in memory."""
    writer, reader = direction
    file = io.BytesIO()
    writer.save(_x(writer).conj(), file)
    file.seek(0)
    assert _facts(reader.load(file)) == _facts(_x(reader).conj())


def test_complex_result_is_no_root_of_a_gradient():
    """``backward`` of a complex scalar raises the oracle's error."""
    assert_torch_error(
        lambda: _x(mindtorch).requires_grad_().sum().backward(),
        lambda: _x(torch).requires_grad_().sum().backward(),
    )


@pytest.mark.parametrize("device", ["cpu", "npu"])
def test_pipelines_and_the_npu_see_through_the_bits(device):
    """Deferred and asynchronous ops compute with the numbers, not with the memory."""

    def compute(t, where):
        x = _x(t).to(where)
        return (x.conj() * x + x.conj().imag).cpu(), x.conj().to("cpu").resolve_conj()

    with mindtorch.pipeline():
        deferred = compute(mindtorch, device)
    assert_same_value(lambda: deferred, lambda: compute(torch, "cpu"))
    assert_same_value(lambda: compute(mindtorch, device), lambda: compute(torch, "cpu"))


#: Calls under a handler: what its kernels do with the bits when it calls on.
HANDLED = {
    "clone": lambda t, x: x.clone(),
    "copy": lambda t, x: t.zeros_like(x).copy_(x),
    "into a conjugated": lambda t, x: t.zeros_like(x).conj().copy_(x),
    "to": lambda t, x: x.to(t.complex128),
    "mm": lambda t, x: t.mm(x, x),
    "addmm": lambda t, x: t.addmm(x, x, x),
    "bmm": lambda t, x: t.bmm(x[None], x[None]),
    "dot": lambda t, x: t.dot(x[0], x[1]),
    "vdot": lambda t, x: t.vdot(x[0], x[1]),
    "sum": lambda t, x: x.sum(),
    "neg": lambda t, x: x.neg(),
    "empty_like": lambda t, x: t.empty_like(x).shape,
    "repeat_interleave": lambda t, x: t.repeat_interleave(t.tensor([1, 2])),
    "unsafe view": lambda t, x: t.ops.aten._unsafe_view(x, [4]),
}


def _handled(t, call, how):
    """The value of a call whose handler passes it on with each tensor replaced by *how*."""
    python_dispatch = importlib.import_module(f"{t.__name__}.utils._python_dispatch")
    tree_map = importlib.import_module(f"{t.__name__}.utils._pytree").tree_map

    class Replacing(python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            def replaced(v):
                return how(v) if isinstance(v, t.Tensor) and v.is_complex() else v

            return func(*tree_map(replaced, args), **(kwargs or {}))

    x = _x(t)
    with Replacing():
        made = call(t, x)
    return (
        made if not isinstance(made, t.Tensor) else (made.resolve_conj().tolist(), made.is_conj())
    )


@pytest.mark.parametrize(
    "name, how",
    [(name, how) for name in HANDLED for how in ("conj", "neg") if (name, how) != ("addmm", "neg")],
)
def test_kernels_heed_bits_in_a_handler_where_the_oracles_do(name, how):
    """A handler runs without the keys of the bits: copies and products see them, others do not."""

    def run(t):
        lazy = {"conj": t.conj, "neg": t._neg_view}[how]
        return _handled(t, HANDLED[name], lazy)

    assert run(mindtorch) == run(torch)


def differentiable():
    """The rows that may have gradients."""
    return [n for n in NAMES if not writes_self(ROWS[n])]


def complex_result(row):
    """A complex result of *row* with the arguments that want gradients; None if it has none."""
    for dtype in ("complex64", "float32"):
        try:
            call = samples(row, dtype, grad=True, most=1)[0].ours
            result = forms(row)[0].ours(*call.args, **call.kwargs)
        except (IndexError, RuntimeError, TypeError, NotImplementedError):
            continue
        first = result[0] if isinstance(result, (tuple, list)) and result else result
        inputs = [t for t in tensors_in(call) if t.requires_grad]
        if isinstance(first, mindtorch.Tensor) and first.requires_grad and inputs:
            if first.is_complex():
                return first, inputs
    return None


@every("name", differentiable())
def test_gradients_may_come_conjugated_or_negated(name):
    """What backward is given with a bit gives what it gives without one."""
    found = complex_result(ROWS[name])
    if found is None:
        return
    result, inputs = found
    given = mindtorch.randn(result.shape, dtype=result.dtype)

    def gradients(g):
        return mindtorch.autograd.grad(result, inputs, g, retain_graph=True, allow_unused=True)

    for marked in (given.conj(), mindtorch._neg_view(given)):
        try:
            want = gradients(marked.resolve_conj().resolve_neg())
        except (RuntimeError, NotImplementedError):
            return  # it has no gradient
        for a, b in zip(want, gradients(marked), strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                mindtorch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
