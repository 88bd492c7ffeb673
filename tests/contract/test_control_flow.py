"""Control flow as functions: what they compute, refuse, and how graphs and transforms see it."""

from __future__ import annotations

import importlib

import mindtorch as mt
import pytest
import torch

from .programs import ones, submodule, suite

program, test_same_program_same_notes = suite(digits=6)


def _branches():
    return (lambda x: x.sin()), (lambda x: x.cos())


@program
def cond_takes_constants_and_tensors(torch, ns, note):
    sin, cos = _branches()
    x = torch.ones(3)
    for pred in (True, False, 1, 0.0, x.sum() > 5, torch.tensor(1)):
        note(lambda pred=pred: torch.cond(pred, sin, cos, (x,)))
    for operands in (x, (x, "a"), [x]):
        note(lambda operands=operands: torch.cond(x.sum() > 5, sin, cos, operands))
        note(lambda operands=operands: torch.cond(True, sin, cos, operands))
    note(lambda: torch.cond(True, 1, cos, (x,)))
    note(lambda: torch.cond(x.sum() > 5, 1, cos, (x,)))
    note(lambda: torch.cond("a", sin, cos, (x,)))
    nested = (
        (lambda d: (d["a"] + 1, {"b": d["a"] * 2})),
        (lambda d: (d["a"] + 2, {"b": d["a"] + 0})),
    )
    note(lambda: torch.cond(x.sum() > 5, *nested, ({"a": x},))[1]["b"])


@program
def cond_has_the_gradient_of_the_branch(torch, ns, note):
    x = ones(torch, 3)
    torch.cond(x.sum() > 0, *_branches(), (x,)).sum().backward()
    note(x.grad)


@program
def each_sample_of_a_batch_has_its_own_predicate(torch, ns, note):
    def choose(x):
        return torch.cond(x.sum() > 0, *_branches(), (x,))

    x = torch.tensor([[1.0, 2.0], [-1.0, -2.0], [0.5, 0.0]])
    torch._dynamo.reset()  # whose graphs of other sizes torch would use
    note(torch.vmap(choose)(x).tolist() == torch.stack([choose(row) for row in x]).tolist())
    both = torch.vmap(lambda p, x: torch.cond(p, *_branches(), (x,)), in_dims=(0, None))
    torch._dynamo.reset()
    note(both(torch.tensor([True, False]), torch.ones(2)))
    one = torch.vmap(lambda p, x: torch.cond(p, *_branches(), (x,)), in_dims=(None, 0))
    torch._dynamo.reset()
    note(one(torch.tensor(True), torch.ones(2)))


@program
def a_graph_holds_both_branches(torch, ns, note):
    make_fx = submodule(torch, "fx.experimental.proxy_tensor").make_fx
    torch._dynamo.reset()  # whose graphs of other sizes torch would use

    def choose(x):
        return torch.cond(x.sum() > 0, *_branches(), (x,)) + 1

    for mode in ("real", "fake"):
        made = make_fx(choose, tracing_mode=mode)(torch.ones(2))
        note(made.code)
        note(made.true_graph_0.code)
        note(made.false_graph_0.code)
        note(made(-torch.ones(2)))

    def twice(x):
        return choose(choose(x))

    made = make_fx(twice)(torch.ones(2))
    note(made.code)
    note(str(torch.ops.higher_order.cond))
    note(lambda: torch.ops.higher_order.foo)


@program
def scan_goes_along_a_dimension(torch, ns, note):
    scan = submodule(torch, "_higher_order_ops.scan").scan

    def step(c, x):
        return c + x, c * x

    xs = torch.arange(6.0).view(3, 2)
    for dim, reverse in ((0, False), (0, True), (1, False), (-1, True), (5, False), ("a", False)):
        init = torch.zeros(3 if dim in (1, -1) else 2)
        note(lambda: scan(step, init, xs, dim=dim, reverse=reverse))
    init = torch.zeros(2)
    note(lambda: scan(1, init, xs))
    note(lambda: scan(step, init, []))
    note(lambda: scan(step, [], xs))
    note(lambda: scan(step, 1, xs))
    note(lambda: scan(step, init, xs, reverse=1))
    note(lambda: scan(step, init, torch.ones(0, 2)))
    note(lambda: scan(lambda c, x: (c + x[0], c * x[1]), init, (xs, 1)))


@program
def associative_scan_goes_along_a_dimension(torch, ns, note):
    scan = submodule(torch, "_higher_order_ops.associative_scan").associative_scan

    def add(x, y):
        return x + y

    xs = torch.arange(6.0).view(2, 3)
    for dim in (0, 1, -1, 3):
        for reverse in (False, True):
            note(lambda: scan(add, xs, dim, reverse=reverse, combine_mode="generic"))
    note(lambda: scan(add, xs, 0, combine_mode="foo"))
    note(lambda: scan(1, xs, 0, combine_mode="generic"))
    note(lambda: scan(add, xs, 0, reverse=1, combine_mode="generic"))
    note(lambda: scan(add, torch.ones(0, 2), 0, combine_mode="generic"))
    note(lambda: scan(add, xs, 0))
    note(lambda: scan(lambda x, y: (x + y, x), torch.ones(4), 0, combine_mode="generic"))
    pairs = (xs, xs + 1)
    note(lambda: scan(lambda x, y: (x[0] + y[0], x[1] * y[1]), pairs, 1, combine_mode="generic"))


@program
def map_goes_over_the_first_dimension(torch, ns, note):
    over = submodule(torch, "_higher_order_ops.map").map
    xs = torch.arange(6.0).view(3, 2)
    note(lambda: over(lambda x, y: x + y, xs, torch.ones(2)))
    note(lambda: over(lambda x, y: (x[0] + y, x[1] * 2), (xs, xs + 1), torch.ones(2)))
    note(lambda: over(lambda x: x + 1, (xs, xs[:2])))
    note(lambda: over(lambda x: x + 1, 1))
    note(lambda: over(lambda x: x, torch.ones(0, 2)))
    leaf = ones(torch, 3, 2)
    over(lambda x, y: x * y, leaf, torch.ones(2) * 3).sum().backward()
    note(leaf.grad)


@pytest.mark.parametrize(
    "step",
    [lambda c, x: c + x, lambda c, x: (c[:1], x + 0), lambda c, x: (c.double(), x + 0)],
    ids=["no pair", "another shape", "another dtype"],
)
def test_a_scan_refuses_another_carry_than_it_began_with(step) -> None:
    """torch says so in the words of its compiler."""
    scan = importlib.import_module("mindtorch._higher_order_ops").scan
    with pytest.raises(RuntimeError, match="Expected"):
        scan(step, mt.zeros(2), mt.ones(3, 2))


def test_what_a_branch_captures_is_an_operand_of_its_graph() -> None:
    def sources(home):
        def captures(x):
            y = x + 1
            return home.cond(x.sum() > 0, lambda x: x + y, lambda x: x - 1, (x,))

        make_fx = importlib.import_module(f"{home.__name__}.fx.experimental.proxy_tensor").make_fx
        graph = make_fx(captures)(home.ones(2))
        return [part.code for part in (graph, graph.true_graph_0, graph.false_graph_0)]

    assert sources(mt) == sources(torch)


@program
def loops_that_keep_their_turns(torch, ns, note):
    op = torch.ops.higher_order.while_loop_stack_output
    x = torch.arange(3.0)
    for start in (3, 0):
        note(
            lambda start=start: op(
                lambda i, x, y: i > 0,
                lambda i, x, y: (i - 1, x * y),
                (torch.tensor(start), x),
                (x,),
            )
        )
    note(lambda: op(lambda x: False, lambda x: x, x, ()))
    note(lambda: op(lambda x: False, lambda x: x, (x,), 3))


@program
def functions_that_a_compiler_would_keep(torch, ns, note):
    hops = submodule(torch, "_higher_order_ops")
    invoke = submodule(torch, "_higher_order_ops.invoke_subgraph")
    base = submodule(torch, "_higher_order_ops.base_hop")
    x = ones(torch, 2)
    note(lambda: hops.InvokeQuant()(lambda a, b: (a.sin() * b,), x, x))
    note(hops.InvokeQuant())
    note(lambda: hops.invoke_quant_packed(lambda a: (a.sin(),), x)[0].detach())
    note(lambda: hops.invoke_quant(lambda a: (a.sin(),), x))
    kept = base.FunctionWithNoFreeVars(lambda a: (a.sin(),))
    note(lambda: torch.ops.higher_order.invoke_quant(kept, x.detach()))

    @invoke.mark_compile_region
    def region(a):
        return a.cos()

    @invoke.mark_compile_region(max_reuse_entries=2)
    def nested(a):
        return region(a) * 2

    note(lambda: [region(x), nested(x)])
    inner = nested.__marked_compile_region_fn__
    note([inner.__marked_compile_region_max_reuse_entries__, inner.__name__])
    graph = torch.fx.symbolic_trace(lambda a: (a + 1,))
    note(lambda: hops.invoke_subgraph(graph, "name", x.detach()))
    note(lambda: hops.invoke_subgraph(graph, 3, x.detach()))
    note(lambda: hops.invoke_subgraph(graph, None, "a"))
    hook = submodule(torch, "_higher_order_ops.register_hook").register_hook_op
    y = x * 2
    note(hook(y, lambda g, factor: g * factor, 3.0) is y)
    y.sum().backward()
    note(x.grad)
    asm = {"asm_str": "mov.f32 $0, $1;", "constraints": "=f,f", "dtype": torch.float32}
    note(lambda: hops.inline_asm_elementwise(x.detach(), **asm))
    note(lambda: hops.inline_asm_elementwise(x.detach(), is_pure=False, **asm))
    note(lambda: hops.inline_asm_elementwise(**asm))


@program
def operators_with_results_of_another_dtype(torch, ns, note):
    op, aten = torch.ops.higher_order.out_dtype, torch.ops.aten
    a, b = torch.arange(6, dtype=torch.int8).view(2, 3), torch.full((3, 2), 100, dtype=torch.int8)
    note(lambda: op(aten.mm.default, torch.int32, a, b))
    note(lambda: op(aten.mm.default, torch.int8, a, b))
    note(lambda: op(aten.mul.Tensor, torch.int32, b, b))
    note(lambda: op(aten.mul.Scalar, torch.float64, b, 3))
    note(lambda: op(aten.div.Tensor, torch.float16, b, b))
    note(lambda: op(aten.linear.default, torch.float32, b.half(), b.half(), None))
    note(lambda: op(aten.add_.Tensor, torch.int32, a, a))
    note(lambda: op(aten.add, torch.int32, a, a))
    note(lambda: op(aten.max.dim, torch.int32, a, 0))
    note(lambda: str(_error(lambda: op(aten.add.Tensor, torch.int32, a, a)))[:50])
    wrap = submodule(torch, "_higher_order_ops.wrap").wrap
    note(lambda: wrap(lambda x, y: x * y, a, y=a))


def _error(fn):
    try:
        fn()
    except Exception as error:
        return error
    return None


@program
def attention_as_operators(torch, ns, note):
    flex = submodule(torch, "nn.attention.flex_attention")
    torch.manual_seed(0)
    shapes = [(2, 4, 5, 3), (2, 2, 6, 3), (2, 2, 6, 3)]
    numbers = [torch.linspace(-1, 1, 120, dtype=torch.double).reshape(2, 5, 4, 3).transpose(1, 2)]
    numbers += [torch.linspace(-2, 1, 72, dtype=torch.double).reshape(s).sin() for s in shapes[1:]]
    bias = torch.linspace(0, 1, 4, dtype=torch.double)
    empty = flex._create_empty_block_mask(*numbers[:2])
    note([empty.BLOCK_SIZE, empty.kv_num_blocks, empty.kv_indices, empty.seq_lengths])

    def score_mod(score, b, h, m, n, bias):
        return score * bias.sum() + n + h

    def mask_mod(b, h, m, n, limit):
        return m + limit >= n

    limit = torch.tensor(-1)
    forward = torch.ops.higher_order.flex_attention
    mask = (*empty.as_tuple()[:-1], mask_mod)
    out, lse, greatest = forward(*numbers, score_mod, mask, 0.5, {}, (bias,), (limit,))
    note([out, lse, greatest])
    backward = torch.ops.higher_order.flex_attention_backward
    note(
        lambda: backward(
            numbers[0].float(), *numbers[1:], out, lse, None, None, score_mod, None, mask, 0.5, {}
        )
    )
    note(lambda: forward(numbers[0][:1], *numbers[1:], score_mod, mask, 0.5, {}, (bias,), (limit,)))


def test_the_gradients_of_attention():
    """Those that autograd gives: torch computes them on CUDA only."""
    numbers = [
        mt.linspace(-1, end, 24, dtype=mt.double).reshape(1, 2, 4, 3).requires_grad_()
        for end in (1, 2, 3)
    ]
    bias = mt.tensor([1.0, 2.0], dtype=mt.double, requires_grad=True)
    mask = (lambda b, h, m, n: m >= n,)

    def score_mod(score, b, h, m, n, bias, constant, number):
        return score * bias[h] + constant[h] * number

    buffers = (bias, mt.ones(2), 3)
    out, lse, _ = mt.ops.higher_order.flex_attention(*numbers, score_mod, mask, 1.0, {}, buffers)
    wanted = mt.autograd.grad([out.sum(), lse.sum()], [*numbers, bias], retain_graph=True)
    *plain, found = mt.ops.higher_order.flex_attention_backward(
        *numbers, out, lse, mt.ones_like(out), mt.ones_like(lse), score_mod, None, mask, 1.0, {},
        buffers,
    )  # fmt: skip
    assert all(mt.equal(a, b) for a, b in zip([*plain, found[0]], wanted, strict=True))
    assert found[1:] == (None, 3)
