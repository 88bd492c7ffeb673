"""Programs about hooks, parametrizations and derivatives: what they print is what is compared."""

import copy
import os
import random
import tempfile
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrize as parametrize
import torch.nn.utils.prune as prune
from torch.func import (
    functional_call,
    grad,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    stack_module_state,
    vjp,
    vmap,
)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.linear_relu_stack = nn.Sequential(
            nn.Linear(6 * 6, 12), nn.ReLU(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 4)
        )

    def forward(self, x):
        return self.linear_relu_stack(self.flatten(x))


def step_pruning():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(16, 3))
    module = model[0]
    prune.random_unstructured(module, name="weight", amount=0.3)
    lines = [
        sorted(n for n, _ in module.named_parameters()),
        sorted(n for n, _ in module.named_buffers()),
    ]
    lines.append([type(h).__name__ for h in module._forward_pre_hooks.values()])
    prune.l1_unstructured(module, name="bias", amount=3)
    prune.ln_structured(module, name="weight", amount=0.5, n=2, dim=0)
    lines.append([type(h).__name__ for h in module._forward_pre_hooks.values()])
    lines.append(sorted(model.state_dict()))
    prune.remove(module, "weight")
    lines.append(sorted(model.state_dict()))
    other = copy.deepcopy(model[2])
    prune.global_unstructured([(other, "weight")], pruning_method=prune.L1Unstructured, amount=0.2)
    lines.append(100.0 * float(torch.sum(other.weight == 0)) / other.weight.nelement())

    class FooBar(prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    FooBar.apply(other, "bias")
    return [*lines, other.bias_mask, prune.is_pruned(other), module.weight]


def step_parametrizations():
    class Symmetric(nn.Module):
        def forward(self, X):
            return X.triu() + X.triu(1).transpose(-1, -2)

        def right_inverse(self, A):
            return A.triu()

    class MatrixExponential(nn.Module):
        def forward(self, X):
            return torch.matrix_exp(X)

    class Skew(nn.Module):
        def forward(self, X):
            A = X.triu(1)
            return A - A.transpose(-1, -2)

    layer = nn.Linear(3, 3)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    lines = [str(layer), torch.allclose(layer.weight, layer.weight.T)]
    layer.weight = torch.eye(3)
    lines.append(layer.parametrizations.weight.original)
    other = nn.Linear(3, 3)
    parametrize.register_parametrization(other, "weight", Skew())
    parametrize.register_parametrization(other, "weight", MatrixExponential())
    lines.append(torch.allclose(other.weight @ other.weight.T, torch.eye(3), atol=1e-5))
    with parametrize.cached():
        other(torch.ones(1, 3)).sum().backward()
    lines.append(other.parametrizations.weight.original.grad)
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    orthogonal = nn.utils.parametrizations.orthogonal(nn.Linear(3, 3))
    spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(3, 3))
    normed = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
    q = orthogonal.weight
    return [
        *lines,
        str(layer),
        torch.dist(q.T @ q, torch.eye(3)) < 1e-5,
        spectral.weight.shape,
        normed(torch.ones(1, 3)),
        str(normed),
    ]


def step_hooks():
    found = []
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    handles = [
        model[0].register_forward_hook(lambda m, i, o: found.append(("f", list(o.shape)))),
        model[0].register_forward_pre_hook(lambda m, i: found.append(("p", list(i[0].shape)))),
        model[2].register_full_backward_hook(lambda m, gi, go: found.append(("b", go[0].sum()))),
        model[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 2,)),
        model.register_state_dict_pre_hook(lambda m, prefix, keep: found.append(prefix)),
    ]
    x = torch.ones(2, 3, requires_grad=True)
    h = x.register_hook(lambda g: g * 3)
    y = model(x)
    y.register_hook(lambda g: found.append(("t", g.sum())))
    y.sum().backward()
    model.state_dict()
    grads = x.grad.clone()
    for each in [*handles, h]:
        each.remove()
    model(x).sum().backward()
    return [[list(f) if isinstance(f, tuple) else f for f in found], grads, x.grad - grads]


def step_saved_tensor_hooks():
    class SelfDeletingTempFile:
        def __init__(self):
            self.name = os.path.join(tempfile.gettempdir(), f"{random.random()}.pt")

        def __del__(self):
            os.remove(self.name)

    seen = []

    def pack(tensor):
        file = SelfDeletingTempFile()
        torch.save(tensor, file.name)
        seen.append(list(tensor.shape))
        return file

    x = torch.rand(5, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda f: torch.load(f.name)):
        y = x.pow(2).sin()
    raw = torch.rand(3, requires_grad=True).exp()
    saved = [raw.grad_fn._saved_result, y.grad_fn._saved_self.shape]
    y.sum().backward()
    return [seen, x.grad, saved]


def _predict(w, b, x):
    return F.linear(x, w, b).tanh()


def step_jacobians():
    w, b, x = torch.randn(4, 3), torch.randn(4), torch.randn(3)
    unit = torch.eye(4)
    xp = x.clone().requires_grad_()
    rows = [torch.autograd.grad(_predict(w, b, xp), xp, v)[0] for v in unit]
    _, vjp_fn = vjp(partial(_predict, w, b), x)
    (ft,) = vmap(vjp_fn)(unit)
    return [
        torch.stack(rows),
        ft,
        jacrev(_predict, argnums=2)(w, b, x),
        jacfwd(_predict, argnums=2)(w, b, x),
        hessian(lambda z: _predict(w, b, z).sum())(x),
        jvp(lambda z: _predict(w, b, z), (x,), (torch.ones(3),)),
        vmap(jacrev(_predict, argnums=2), in_dims=(None, None, 0))(w, b, torch.randn(2, 3)),
        torch.autograd.functional.jacobian(lambda z: _predict(w, b, z), x),
        torch.autograd.functional.hessian(lambda z: _predict(w, b, z).sum(), x),
        torch.autograd.functional.vhp(lambda z: _predict(w, b, z).sum(), x, torch.ones(3)),
    ]


def step_per_sample_gradients():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(32, 3))
    data, targets = torch.randn(4, 1, 6, 6), torch.randint(3, (4,))
    params = {k: v.detach() for k, v in model.named_parameters()}
    buffers = {k: v.detach() for k, v in model.named_buffers()}

    def compute_loss(params, buffers, sample, target):
        out = functional_call(model, (params, buffers), (sample.unsqueeze(0),))
        return F.cross_entropy(out, target.unsqueeze(0))

    ft = vmap(grad(compute_loss), in_dims=(None, None, 0, 0))(params, buffers, data, targets)
    one = torch.autograd.grad(F.cross_entropy(model(data[:1]), targets[:1]), model.parameters())
    return [ft, all(torch.allclose(a[0], b, atol=1e-5) for a, b in zip(ft.values(), one))]


def step_ensembling():
    torch.manual_seed(0)
    models = [Network() for _ in range(3)]
    params, buffers = stack_module_state(models)
    base = copy.deepcopy(models[0]).to("meta")

    def fmodel(params, buffers, x):
        return functional_call(base, (params, buffers), (x,))

    x = torch.randn(3, 2, 1, 6, 6)
    first = vmap(fmodel)(params, buffers, x)
    same = vmap(fmodel, in_dims=(0, 0, None))(params, buffers, x[0])
    noisy = vmap(lambda v: v + torch.rand(2), randomness="different")(torch.zeros(3, 2))
    return [first, same, noisy]


def step_neural_tangent_kernel():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    params = {k: v.detach() for k, v in net.named_parameters()}

    def fnet_single(params, x):
        return functional_call(net, params, (x.unsqueeze(0),)).squeeze(0)

    x1, x2 = torch.randn(3, 3), torch.randn(2, 3)
    jac1 = vmap(jacrev(fnet_single), (None, 0))(params, x1).values()
    jac2 = vmap(jacrev(fnet_single), (None, 0))(params, x2).values()
    flat1, flat2 = [j.flatten(2) for j in jac1], [j.flatten(2) for j in jac2]
    return torch.stack([torch.einsum("Naf,Mbf->NMab", a, b) for a, b in zip(flat1, flat2)]).sum(0)


def step_forward_mode():
    import torch.autograd.forward_ad as fwAD

    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
        out = fwAD.unpack_dual((dual**2).sin())
    model = nn.Linear(2, 2)
    return [out.primal, out.tangent, type(out).__name__, model.weight.shape]


def step_double_backward():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**3, 3 * x**2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0], output[1])

        @staticmethod
        def backward(ctx, grad_output, grad_dx):
            x, dx = ctx.saved_tensors
            return grad_output * dx + grad_dx * 6 * x

    x = torch.randn(3, requires_grad=True, dtype=torch.double)
    y = Cube.apply(x)[0].sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), x)
    return [g, gg, torch.autograd.gradcheck(lambda z: Cube.apply(z)[0], x)]
