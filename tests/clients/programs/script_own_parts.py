"""Parts that programs write themselves: optimizers, schedules, functions, tensors, modes, hooks."""

import io
import warnings
from collections import Counter

import torch
from torch import nn
from torch.autograd.function import once_differentiable
from torch.nn import functional as F
from torch.optim.lr_scheduler import LRScheduler
from torch.optim.optimizer import Optimizer, required
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map


def _message(function, *arguments, **options):
    """The type and the text of the error that a call raises."""
    try:
        function(*arguments, **options)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["none", ""]


class Lion(Optimizer):
    """Signs of a moving average."""

    def __init__(self, params, lr=required, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["mean"] = torch.zeros_like(p, memory_format=torch.preserve_format)
                    state["step"] = 0
                state["step"] += 1
                b1, b2 = group["betas"]
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_((state["mean"] * b1 + p.grad * (1 - b1)).sign_(), alpha=-group["lr"])
                state["mean"].lerp_(p.grad, 1 - b2)
        return loss


class Warmup(LRScheduler):
    def __init__(self, optimizer, steps, last_epoch=-1):
        self.steps = steps
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * min(1.0, (self.last_epoch + 1) / self.steps) for base in self.base_lrs]


def step_own_optimizer_and_schedule():
    model = nn.Linear(3, 2)
    optimizer = Lion(model.parameters(), lr=0.05, weight_decay=0.1)
    schedule = Warmup(optimizer, 3)
    found = []
    for _ in range(4):
        optimizer.zero_grad()
        model(torch.ones(2, 3)).square().sum().backward()
        optimizer.step()
        schedule.step()
        found.append([schedule.get_last_lr(), model.weight.clone()])
    buffer = io.BytesIO()
    torch.save([optimizer.state_dict(), schedule.state_dict()], buffer)
    buffer.seek(0)
    again = Lion(model.parameters(), lr=1.0)
    states = torch.load(buffer)
    again.load_state_dict(states[0])
    return [
        found,
        repr(again),
        states[1],
        again.state[model.bias]["step"],
        _message(Lion, model.parameters()),
        _message(Lion, model.parameters(), 0.1, (0.9,)),
        _message(Lion, [torch.ones(2) * torch.ones(2, requires_grad=True)], 0.1),
    ]


class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, low, high):
        ctx.save_for_backward(x)
        ctx.bounds = low, high
        return x.clamp(low, high)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ((x >= ctx.bounds[0]) & (x <= ctx.bounds[1])), None, None


class Fill(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class SortedPair(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.sort()

    @staticmethod
    def setup_context(ctx, inputs, output):
        values, order = output
        ctx.mark_non_differentiable(order)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(order)
        ctx.save_for_forward(order)

    @staticmethod
    def backward(ctx, grad, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(grad).scatter(0, order, grad)

    @staticmethod
    def jvp(ctx, tangent):
        (order,) = ctx.saved_tensors
        return tangent[order], None


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x**3, 3 * x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], output[1])

    @staticmethod
    def backward(ctx, grad, grad_slope):
        x, slope = ctx.saved_tensors
        return grad * slope + grad_slope * 6 * x


def step_own_functions():
    x = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
    Clamp.apply(x, -1.0, 1.0).sum().backward()
    found = [x.grad.clone()]
    y = (x * 1).clone()
    z = Fill.apply(y)
    z.sum().backward()
    values, order = SortedPair.apply(x)
    found += [x.grad.clone(), z is y, order.requires_grad]
    values[0].backward()
    found.append(x.grad.clone())
    primal, tangent = torch.func.jvp(
        lambda t: SortedPair.apply(t)[0], (x.detach(),), (torch.arange(3.0),)
    )
    found += [primal, tangent]
    found.append(
        torch.func.vmap(torch.func.grad(lambda t: Cube.apply(t)[0].sum()))(torch.ones(2, 3) * 2)
    )
    found.append(
        torch.autograd.gradcheck(
            lambda t: Cube.apply(t), torch.randn(3, dtype=torch.double, requires_grad=True)
        )
    )
    twice = torch.autograd.grad(Clamp.apply(x, -1.0, 1.0).sum(), x, create_graph=True)[0]
    found += [
        _message(lambda: twice.sum().backward()),
        type(z.grad_fn).__name__,
        _message(Cube().forward, 1)[0],
    ]
    found += [_message(Clamp, x), _message(Clamp.apply, x)[0], z.grad_fn.name()]
    return found


def step_wrong_functions():
    class TooMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return grad, grad

    class WrongShape(TooMany):
        @staticmethod
        def backward(ctx, grad):
            return grad[:1].expand(5)

    class NoBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

    x = torch.ones(2, requires_grad=True)
    return [
        _message(lambda f=f: f.apply(x).sum().backward()) for f in (TooMany, WrongShape, NoBackward)
    ]


class Tagged(torch.Tensor):
    """A tensor that carries a tag through functions."""

    @staticmethod
    def __new__(cls, data, tag="none"):
        return torch.as_tensor(data).as_subclass(cls)

    def __init__(self, data, tag="none"):
        self.tag = tag

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        out = super().__torch_function__(func, types, args, kwargs or {})
        tags = [a.tag for a in args if isinstance(a, Tagged) and hasattr(a, "tag")]
        if isinstance(out, Tagged) and tags:
            out.tag = "+".join(tags)
        return out


def step_own_tensors():
    a, b = Tagged([1.0, 2.0], "a"), Tagged([3.0, 4.0], "b")
    c = a + b
    d = torch.cat([c, a]).reshape(2, 2)
    e = nn.Linear(2, 1)(a)
    return [
        c.tag,
        type(d).__name__,
        type(e).__name__,
        repr(c),
        c.sum(),
        type(c[0]).__name__,
        type(c.numpy()).__name__,
        isinstance(c, torch.Tensor),
        type(torch.ones(2) * a).__name__,
        type(c.clone().detach()).__name__,
        type(c.tolist()).__name__,
        type(nn.Parameter(a)).__name__,
        isinstance(nn.Parameter(a), Tagged),
    ]


class Counting(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen[str(func)] += 1
        return func(*args, **(kwargs or {}))


class Naming(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(getattr(func, "__name__", str(func)))
        return func(*args, **(kwargs or {}))


def step_modes():
    model = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(72, 3)
    )
    x, y = torch.randn(2, 1, 8, 8), torch.tensor([0, 2])
    with Counting() as ops:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
    with Naming() as names:
        F.gelu(model.eval()(x)).softmax(-1).max(1)
    return [dict(ops.seen), names.seen]


def step_wrapper_subclass():
    class Doubled(torch.Tensor):
        @staticmethod
        def __new__(cls, inner):
            made = torch.Tensor._make_wrapper_subclass(
                cls, inner.shape, dtype=inner.dtype, requires_grad=inner.requires_grad
            )
            made.inner = inner
            return made

        def __repr__(self):
            return f"Doubled({self.inner})"

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            args, kwargs = tree_map(
                lambda t: t.inner if isinstance(t, cls) else t, (args, kwargs or {})
            )
            return tree_map(
                lambda t: cls(t) if isinstance(t, torch.Tensor) else t, func(*args, **kwargs)
            )

    d = Doubled(torch.arange(4.0).view(2, 2))
    out = (d @ d + 1).relu().sum(0)
    return [type(out).__name__, out.inner, repr(d), d.shape, torch.nn.Linear(2, 2)(d).inner.shape]


def step_module_hooks():
    seen = []
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    handles = [
        model[0].register_forward_pre_hook(lambda m, a: (a[0] * 2,)),
        model[0].register_forward_pre_hook(
            lambda m, a, k: seen.append(sorted(k)), with_kwargs=True
        ),
        model[2].register_forward_hook(lambda m, a, out: out + 1),
        model[2].register_forward_hook(lambda m, a, out: seen.append("first"), prepend=True),
        model[1].register_forward_hook(lambda m, a, out: seen.append("always"), always_call=True),
        model[0].register_full_backward_hook(lambda m, gi, go: seen.append([gi[0] is None, go[0]])),
        model[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 3,)),
    ]
    every = nn.modules.module.register_module_forward_hook(
        lambda m, a, out: seen.append(type(m).__name__)
    )
    model(torch.ones(1, 2)).sum().backward()
    every.remove()
    for handle in handles:
        handle.remove()
    count = len(seen)
    model(torch.ones(1, 2))
    grads = [p.grad for p in model.parameters()]
    return [seen, len(seen) == count, grads]


def step_tensor_hooks():
    seen = []
    x = torch.ones(3, requires_grad=True)
    handle = x.register_hook(lambda g: g * 2)
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: seen.append(g))
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(len(inputs)))
    y.grad_fn.register_prehook(lambda outputs: seen.append("pre"))
    y.sum().backward()
    handle.remove()
    (x * 1).sum().backward()
    return [seen, x.grad, y.grad, [type(f[0]).__name__ for f in y.grad_fn.next_functions]]


def step_graph_transformation():
    class Shift(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear, self.scale = nn.Linear(2, 2), nn.Parameter(torch.ones(2) * 2)

        def forward(self, x, flag: bool = True):
            return torch.relu(self.linear(x)) * self.scale + x.sum(dim=-1, keepdim=True)

    traced = torch.fx.symbolic_trace(Shift())
    for node in traced.graph.nodes:
        if node.target is torch.relu:
            with traced.graph.inserting_after(node):
                new = traced.graph.call_function(torch.tanh, node.args)
            node.replace_all_uses_with(new)
            traced.graph.erase_node(node)
    traced.graph.lint()
    traced.recompile()

    class Timing(torch.fx.Interpreter):
        def run_node(self, n):
            names.append(f"{n.op} {n.name}")
            return super().run_node(n)

    names = []
    out = Timing(traced).run(torch.ones(1, 2))
    return [traced.code, str(traced.graph), names, out, torch.equal(out, traced(torch.ones(1, 2)))]


def step_own_operator():
    @torch.library.custom_op("client_parts::scaled_sum", mutates_args=())
    def scaled_sum(x: torch.Tensor, scale: float) -> torch.Tensor:
        return x.sum() * scale

    @scaled_sum.register_fake
    def _(x, scale):
        return x.new_empty(())

    def setup(ctx, inputs, output):
        ctx.shape, ctx.scale = inputs[0].shape, inputs[1]

    scaled_sum.register_autograd(
        lambda ctx, g: (g.expand(ctx.shape) * ctx.scale, None), setup_context=setup
    )
    x = torch.ones(2, 2, requires_grad=True)
    scaled_sum(x, 3.0).backward()
    meta = torch.ops.client_parts.scaled_sum(torch.ones(3, device="meta"), 1.0)
    return [
        x.grad,
        str(meta.device),
        str(torch.ops.client_parts.scaled_sum.default._schema),
        _message(scaled_sum, x),
    ]


def step_modules_of_ones_own():
    class Block(nn.Module):
        __constants__ = ["size"]

        def __init__(self, size):
            super().__init__()
            self.size = size
            self.layers = nn.ModuleList([nn.Linear(size, size) for _ in range(2)])
            self.gates = nn.ParameterList([nn.Parameter(torch.ones(size))])
            self.named = nn.ModuleDict({"out": nn.Linear(size, 1)})
            self.register_parameter("absent", None)

        def extra_repr(self):
            return f"size={self.size}"

        def forward(self, x):
            for layer in self.layers:
                x = layer(x) * self.gates[0]
            return self.named["out"](x)

        def reset_parameters(self):
            for p in self.parameters():
                nn.init.constant_(p, 0.1)

    class Forgetful(nn.Module):
        def __init__(self):
            self.layer = nn.Linear(1, 1)

    block = Block(2)
    block.reset_parameters()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        nn.Softmax()(torch.ones(2))
        F.mse_loss(torch.ones(2), torch.ones(2, 1))
    return [
        repr(block),
        block(torch.ones(1, 2)),
        sum(p.numel() for p in block.parameters()),
        _message(Forgetful),
        len(seen),
        _message(block.register_parameter, "size", torch.ones(1)),
        _message(setattr, block, "layers", 3),
        _message(block.add_module, "a.b", nn.ReLU()),
        dict(block.named_parameters()).keys() == block.state_dict().keys(),
        block.train(False).training,
        block.absent,
    ]
