"""geoopt, torchcde, pytorch-crf, entmax, averages of weights: manifolds, paths, sequences."""

import ema_pytorch
import entmax
import geoopt
import torch
import torch_ema
import torchcde
from geoopt.samplers import RSGLD
from torch import nn
from torchcrf import CRF


def step_manifolds():
    found = {}
    for manifold in (
        geoopt.Sphere(),
        geoopt.PoincareBall(),
        geoopt.Stiefel(),
        geoopt.Euclidean(ndim=1),
    ):
        matrices = "Stiefel" in manifold.name or "Positive" in manifold.name
        x = manifold.random(4, 3, 3) if matrices else manifold.random(4, 3)
        u = manifold.proju(x, torch.randn_like(x) * 0.1)
        y = manifold.expmap(x, u) if "Stiefel" not in manifold.name else manifold.retr(x, u)
        found[manifold.name] = [
            x.sum(),
            y.sum(),
            manifold.inner(x, u),
            manifold.check_point_on_manifold(y),
        ]
    return found


def step_poincare():
    ball = geoopt.PoincareBall(c=1.0, learnable=True)
    x, y = (torch.rand(3, 4, requires_grad=True) for _ in range(2))
    a, b = ball.expmap0(x * 0.5), ball.expmap0(y * 0.5)
    d = ball.dist(a, b)
    d.sum().backward()
    return [
        d,
        x.grad,
        ball.isp_c.grad,
        ball.mobius_add(a, b),
        ball.geodesic(torch.tensor(0.3), a, b),
        ball.logmap(a, b),
    ]


def step_riemannian_adam():
    sphere = geoopt.Sphere()
    x = geoopt.ManifoldParameter(sphere.projx(torch.randn(5)), manifold=sphere)
    target = sphere.projx(torch.randn(5))
    optimizer = geoopt.optim.RiemannianAdam([x], lr=0.1)
    found = []
    for _ in range(6):
        optimizer.zero_grad()
        loss = (x - target).square().sum()
        loss.backward()
        optimizer.step()
        found.append(loss)
    return [found, x, x.norm()]


def step_riemannian_sgd():
    stiefel = geoopt.Stiefel()
    x = geoopt.ManifoldParameter(stiefel.projx(torch.randn(5, 3)), manifold=stiefel)
    optimizer = geoopt.optim.RiemannianSGD([x], lr=0.05, momentum=0.9, stabilize=2)
    for _ in range(4):
        optimizer.zero_grad()
        x.square().mul(torch.arange(15.0).reshape(5, 3)).sum().backward()
        optimizer.step()
    return [x, x.T @ x]


def step_sampler():
    class Normal(nn.Module):
        def __init__(self):
            super().__init__()
            self.x = geoopt.ManifoldParameter(torch.zeros(2))

        def forward(self):
            return -0.5 * self.x.square().sum()

    net = Normal()
    sampler = RSGLD(net.parameters(), epsilon=1e-2)
    for _ in range(5):
        sampler.step(net)
    return net.x


def step_splines():
    x = torch.randn(2, 8, 3)
    x[0, 3, 1] = float("nan")
    cubic = torchcde.CubicSpline(torchcde.hermite_cubic_coefficients_with_backward_differences(x))
    natural = torchcde.CubicSpline(torchcde.natural_cubic_coeffs(x))
    linear = torchcde.LinearInterpolation(torchcde.linear_interpolation_coeffs(x))
    t = torch.tensor([0.4, 2.7, 6.9])
    return [
        [p.evaluate(t), p.derivative(t), p.interval, p.grid_points]
        for p in (cubic, natural, linear)
    ]


def step_neural_cde():
    class Field(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(4, 12)

        def forward(self, t, z):
            return self.net(z).tanh().view(*z.shape[:-1], 4, 3)

    x = torch.randn(2, 6, 3)
    path = torchcde.CubicSpline(torchcde.hermite_cubic_coefficients_with_backward_differences(x))
    field, first = Field(), nn.Linear(3, 4)
    z = torchcde.cdeint(
        X=path,
        func=field,
        z0=first(path.evaluate(0.0)),
        t=path.interval,
        method="rk4",
        options={"step_size": 0.5},
    )
    z[:, -1].sum().backward()
    return [z, field.net.weight.grad, first.weight.grad]


def step_rectilinear():
    x = torch.randn(2, 6, 3)
    return torchcde.linear_interpolation_coeffs(x, rectilinear=0)


def step_crf():
    crf = CRF(4, batch_first=True)
    emissions = torch.randn(2, 5, 4, requires_grad=True)
    tags = torch.randint(0, 4, (2, 5))
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], dtype=torch.bool)
    found = [crf(emissions, tags, mask=mask, reduction=r) for r in ("sum", "mean", "token_mean")]
    (-found[0]).backward()
    return [
        *found,
        crf.decode(emissions, mask=mask),
        emissions.grad,
        crf.transitions.grad,
        repr(crf),
    ]


def step_entmax():
    x = torch.randn(3, 6, requires_grad=True)
    found = [
        entmax.sparsemax(x),
        entmax.entmax15(x),
        entmax.entmax_bisect(x, alpha=1.3),
        entmax.normmax_bisect(x, alpha=2.0),
        entmax.budget_bisect(x, budget=2),
    ]
    sum(f.square().sum() for f in found).backward()
    y = torch.tensor([0, 3, 5])
    return [*found, x.grad, entmax.Entmax15Loss()(x, y), entmax.SparsemaxLoss()(x, y)]


def step_alpha_learned():
    x, alpha = torch.randn(2, 4, requires_grad=True), torch.tensor(1.5, requires_grad=True)
    entmax.entmax_bisect(x, alpha).square().sum().backward()
    return [x.grad, alpha.grad]


def step_ema():
    net = nn.Linear(3, 2)
    ema = torch_ema.ExponentialMovingAverage(net.parameters(), decay=0.9)
    other = ema_pytorch.EMA(net, beta=0.9, update_after_step=1, update_every=1)
    for _ in range(5):
        with torch.no_grad():
            for p in net.parameters():
                p.add_(torch.randn_like(p))
        ema.update()
        other.update()
    with ema.average_parameters():
        inside = net.weight.clone()
    return [
        inside,
        net.weight,
        other.ema_model.weight,
        other(torch.ones(1, 3)),
        len(other.state_dict()),
    ]


def step_post_hoc_ema():
    net = nn.Linear(3, 2)
    karras = ema_pytorch.EMA(net, power=2 / 3, include_online_model=False, update_every=2)
    for _ in range(6):
        with torch.no_grad():
            net.weight.mul_(0.9)
        karras.update()
    return [karras.ema_model.weight, karras.get_current_decay()]
