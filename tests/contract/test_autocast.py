"""Autocast: which ops are cast to what, switches, kept casts, functions: all as the oracle's."""

from __future__ import annotations

import threading

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS
from mindtorch.functionality.autocast_policies import policy_of

from .batches import every
from .bounds import bound
from .hearing import hearing
from .helpers import assert_torch_error
from .known import expected
from .rows import NAMES, compare, forms, method_call, outcome, report, samples

BOTH = pytest.mark.parametrize("lib", [mindtorch, torch], ids=["mindtorch", "oracle"])
#: Kernels of one vendor's libraries; an NPU has none of them.
VENDORS = {"cudnn_convolution", "cudnn_convolution_transpose"}
#: What torch hands to such a kernel whole (``_cudnn_rnn``), and casts there.
WHOLE = {
    f"{n}.{form}" for n in ("lstm", "gru", "rnn_tanh", "rnn_relu") for form in ("input", "data")
}


@pytest.mark.parametrize(("device", "key"), [("cpu", "AutocastCPU"), ("npu", "AutocastCUDA")])
def test_lists_name_the_ops_that_the_oracle_casts(device, key):
    """Every row with an autocast kernel in torch has a policy, and no other."""
    names = [n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::")]
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    theirs = {n.removeprefix("aten::") for n in names if has(n, key)}
    ours = {name for name, row in ROWS.items() if policy_of(row, device)}
    whole = WHOLE if device == "npu" else set()
    assert ours == (theirs - VENDORS) & ROWS.keys() | whole


@every("name", NAMES)
def test_row_runs_in_the_oracles_dtype(name):
    """Under autocast every row gives the oracle's dtype and numbers, or its error."""
    row, lines = ROWS[name], []
    if row.random:
        return  # their dtype is that of the tensor they fill
    form = forms(row)[0]
    for dtype in ("float32", "float16"):
        again = samples(row, dtype)
        for sample in samples(row, dtype, most=4):
            if form.name == "method" and not method_call(sample.oracle):
                continue
            plain = outcome(form.oracle, sample.oracle)
            if plain.error is not None or compare(outcome(form.ours, sample.ours), plain):
                continue  # what differs without autocast has tests of its own
            fresh = again[sample.number]
            with torch.autocast("cpu"):
                theirs = outcome(form.oracle, fresh.oracle)
            if theirs.error is not None and policy_of(row, "cpu") is None:
                continue  # a kernel of torch's that happens to call an op on the list
            with mindtorch.autocast("cpu"):
                mine = outcome(form.ours, fresh.ours)
            found = compare(mine, theirs, tolerance=bound(row, "bfloat16"))
            lines += [f"{sample!r} in {dtype}: {d}" for d in found]
    report(expected("autocast", name, lines))


@pytest.mark.parametrize("make", ["ones", "bad", "nested"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@BOTH
def test_composite_and_gradients_under_autocast(lib, dtype, make):
    """Parameters stay float32, their gradients too; casts of parameters are made once."""
    w = lib.ones(2, 2, requires_grad=True)
    x = lib.ones(2, 2, dtype=lib.float16 if make == "bad" else lib.float32)
    with lib.autocast("cpu", dtype=getattr(lib, dtype)):
        a = lib.mm(w, x)
        if make == "nested":
            with lib.autocast("cpu", enabled=False):
                assert lib.mm(w, w).dtype is lib.float32
        b = lib.nn.functional.linear(w, w)
        assert a.dtype is b.dtype is getattr(lib, dtype)
        nodes = [n for n, _ in (*a.grad_fn.next_functions, *b.grad_fn.next_functions) if n]
        names = {n.name() for n in nodes}
    (a.sum() + b.sum()).backward()
    assert w.grad.dtype is lib.float32
    assert w.grad.tolist() == [[10.0 - 4.0] * 2] * 2
    assert names <= {"ToCopyBackward0", "TBackward0"}


@BOTH
def test_cast_of_a_parameter_is_kept_inside_the_block_only(lib):
    """Two ops share one cast; another block, or a disabled cache, makes another."""
    w = lib.ones(2, 2, requires_grad=True)

    def cast():
        return lib.mm(w, w).grad_fn.next_functions[0][0]

    with lib.autocast("cpu"):
        first = cast()
        assert cast() is first
    with lib.autocast("cpu"):
        assert cast() is not first
    with lib.autocast("cpu", cache_enabled=False):
        assert cast() is not cast()


def _switches(lib):
    yield lib.is_autocast_enabled()
    yield lib.is_autocast_enabled("cpu")
    with lib.autocast("cpu", dtype=lib.float16):
        yield lib.is_autocast_enabled("cpu"), str(lib.get_autocast_dtype("cpu"))
        with lib.autocast("cpu", enabled=False, cache_enabled=False):
            yield lib.is_autocast_enabled("cpu"), str(lib.get_autocast_dtype("cpu"))
            yield lib.is_autocast_cache_enabled()
        found = []
        other = threading.Thread(target=lambda: found.append(lib.is_autocast_enabled("cpu")))
        other.start()
        other.join()
        yield found
    yield lib.is_autocast_enabled("cpu"), str(lib.get_autocast_dtype("cpu"))
    yield lib.autocast_increment_nesting(), lib.autocast_decrement_nesting()
    try:
        with lib.autocast("cpu"):
            raise KeyError
    except KeyError:
        yield lib.is_autocast_enabled("cpu")

    @lib.autocast("cpu")
    def product(x):
        return x @ x

    yield str(product(lib.ones(2, 2)).dtype), product.__name__
    for device in ("cuda", "cpu"):
        with hearing() as caught:
            block = lib.autocast(device, dtype=lib.float64)
        yield block._enabled, [str(w.message) for w in caught]


def test_switches_are_the_oracles():
    """On, off, dtype, nesting, threads, exceptions, decorators and what is warned of."""
    assert list(_switches(mindtorch)) == list(_switches(torch))


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.autocast(1),
        lambda t: t.autocast(),
        lambda t: t.autocast("meta"),
        lambda t: t.autocast("cpu")(3),
        lambda t: t.is_autocast_enabled("meta"),
        lambda t: t.is_autocast_enabled(3),
        lambda t: t.set_autocast_enabled("meta", True),
        lambda t: t.set_autocast_enabled("cpu", 3),
        lambda t: t.set_autocast_enabled(3),
        lambda t: t.set_autocast_dtype("cpu", 3),
        lambda t: t.get_autocast_dtype("lazy"),
        lambda t: t.set_autocast_cache_enabled("x"),
        lambda t: t.amp.is_autocast_available(3),
        lambda t: t.amp.custom_fwd(device_type=1),
        lambda t: t.amp.custom_bwd(device_type=1),
    ],
)
def test_wrong_use_raises_the_oracles_error(call):
    """Type and text."""
    assert_torch_error(lambda: call(mindtorch), lambda: call(torch))


@BOTH
@pytest.mark.parametrize("cast_inputs", [None, "float32"])
def test_custom_function_runs_backward_as_forward(lib, cast_inputs):
    """``custom_fwd`` and ``custom_bwd`` carry forward's autocast into backward."""
    seen = []

    class Product(lib.autograd.Function):
        @staticmethod
        @lib.amp.custom_fwd(
            device_type="cpu", cast_inputs=cast_inputs and getattr(lib, cast_inputs)
        )
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            seen.append((str(a.dtype), lib.is_autocast_enabled("cpu")))
            return a.mm(b)

        @staticmethod
        @lib.amp.custom_bwd(device_type="cpu")
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            seen.append((str(grad.dtype), lib.is_autocast_enabled("cpu")))
            return grad.mm(b.t()), a.t().mm(grad)

    x = lib.ones(2, 2, requires_grad=True)
    with lib.autocast("cpu"):
        y = Product.apply(x, x.bfloat16())
    y.sum().backward()
    if cast_inputs is None:
        assert seen == [("torch.float32", True), ("torch.bfloat16", True)]
    else:
        assert seen == [("torch.float32", False), ("torch.float32", False)]
    assert x.grad.dtype is lib.float32


@pytest.mark.parametrize(
    ("call", "dtype"),
    [
        (lambda t, x: t.mm(x, x), "float16"),
        (lambda t, x: t.exp(x.half()), "float32"),
        (lambda t, x: x.half().sum(), "float32"),
        (lambda t, x: x.half().sum(dtype=t.float16), "float16"),
        (lambda t, x: x.half().norm(), "float32"),
        (lambda t, x: t.addcmul(x, x.half(), x.half()), "float32"),
        (lambda t, x: t.dot(x[0].half(), x[0]), "float32"),
        (lambda t, x: x.half() + x.half(), "float16"),
        (lambda t, x: t.nn.functional.layer_norm(x.half(), (2,)), "float32"),
        (lambda t, x: t.mm(x.double(), x.double()), "float64"),
    ],
)
@pytest.mark.parametrize("pipelined", [False, True])
def test_npu_follows_the_accelerators_list(call, dtype, pipelined):
    """On the NPU the ops follow the list that torch has for CUDA, in pipelines too."""
    x = mindtorch.ones(2, 2, device="npu")
    with mindtorch.autocast("npu"):
        if pipelined:
            with mindtorch.pipeline():
                got = call(mindtorch, x)
        else:
            got = call(mindtorch, x)
    assert str(got.dtype) == f"torch.{dtype}"
    assert got.device.type == "npu"


def test_npu_refuses_what_is_unsafe_in_half_precision():
    """``binary_cross_entropy`` under an accelerator's autocast."""
    x = mindtorch.ones(2, device="npu")
    with (
        mindtorch.autocast("npu"),
        pytest.raises(RuntimeError, match="are unsafe to autocast"),
    ):
        mindtorch.nn.functional.binary_cross_entropy(x, x)


@BOTH
def test_blocks_count_by_torchs_names(lib, monkeypatch):
    """Who replaces ``torch.clear_autocast_cache`` sees that the outermost block calls it, once."""
    calls = []
    for name in ("autocast_increment_nesting", "autocast_decrement_nesting"):
        real = getattr(lib, name)
        monkeypatch.setattr(lib, name, lambda real=real: calls.append(real()) or calls[-1])
    monkeypatch.setattr(lib, "clear_autocast_cache", lambda: calls.append("clear"))
    with lib.autocast("cpu"), lib.autocast("cpu"):
        calls.append("inside")
    assert calls == [1, 2, "inside", 1, 0, "clear"]
