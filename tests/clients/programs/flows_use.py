"""nflows and zuko: normalizing flows."""

import torch
import zuko
from nflows import distributions as D
from nflows import transforms as T
from nflows.flows import Flow, MaskedAutoregressiveFlow, SimpleRealNVP
from nflows.nn.nets import ResidualNet
from torch.nn import functional as F


def _fit(log_prob, parameters, x, steps=3):
    optimizer = torch.optim.Adam(parameters, lr=1e-2)
    losses = []
    for _ in range(steps):
        loss = -log_prob(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_masked_autoregressive():
    flow = Flow(
        T.CompositeTransform(
            [
                T.ReversePermutation(features=2),
                T.MaskedAffineAutoregressiveTransform(features=2, hidden_features=8),
            ]
        ),
        D.StandardNormal(shape=[2]),
    )
    x = torch.randn(16, 2)
    return [_fit(flow.log_prob, flow.parameters(), x), flow.sample(3), flow.sample_and_log_prob(2)]


def step_ready_flows():
    x, found = torch.randn(8, 4), []
    for flow in (
        MaskedAutoregressiveFlow(4, 8, 2, 1, batch_norm_within_layers=True),
        SimpleRealNVP(4, 8, 2, 1, batch_norm_between_layers=True),
    ):
        found.append(_fit(flow.log_prob, flow.parameters(), x))
    return found


def step_conditional():
    flow = Flow(
        T.MaskedPiecewiseRationalQuadraticAutoregressiveTransform(
            features=2,
            hidden_features=8,
            context_features=3,
            num_bins=4,
            tails="linear",
            tail_bound=3.0,
        ),
        D.ConditionalDiagonalNormal([2], context_encoder=torch.nn.Linear(3, 4)),
    )
    x, c = torch.randn(6, 2), torch.randn(6, 3)
    losses = _fit(lambda v: flow.log_prob(v, context=c), flow.parameters(), x)
    return [losses, flow.sample(2, context=c[:2])]


def step_couplings():
    found, x = [], torch.rand(5, 4) * 0.9

    def net(a, b):
        return ResidualNet(a, b, hidden_features=8, num_blocks=1)

    mask = torch.tensor([1, -1, 1, -1])
    for make in (
        lambda: T.AffineCouplingTransform(mask, net),
        lambda: T.AdditiveCouplingTransform(mask, net),
        lambda: T.PiecewiseRationalQuadraticCouplingTransform(
            mask, net, num_bins=4, tails="linear"
        ),
        lambda: T.PiecewiseQuadraticCouplingTransform(mask, net, num_bins=4),
        lambda: T.PiecewiseLinearCouplingTransform(mask, net, num_bins=4),
        lambda: T.PiecewiseCubicCouplingTransform(mask, net, num_bins=4),
    ):
        transform = make()
        y, logs = transform(x)
        back, minus = transform.inverse(y)
        found.append([y, logs, (back - x).abs().max() < 1e-3, (logs + minus).abs().max() < 1e-3])
    return found


def step_linear_transforms():
    x, found = torch.randn(4, 3), []
    for make in (
        lambda: T.LULinear(3),
        lambda: T.QRLinear(3, num_householder=2),
        lambda: T.SVDLinear(3, num_householder=2),
        lambda: T.NaiveLinear(3),
        lambda: T.HouseholderSequence(3, 2),
        lambda: T.RandomPermutation(3),
        lambda: T.ActNorm(3),
        lambda: T.BatchNorm(3),
        lambda: T.PointwiseAffineTransform(1.0, 2.0),
        lambda: T.LogTanh(),
        lambda: T.LeakyReLU(),
        lambda: T.Sigmoid(),
    ):
        transform = make()
        y, logs = transform(x)
        found.append([y, logs])
    return found


def step_pictures():
    squeeze = T.SqueezeTransform()
    y, logs = squeeze(torch.arange(16.0).view(1, 1, 4, 4))
    one, logs2 = T.OneByOneConvolution(4)(y)
    return [y, logs, one.shape, logs2]


def step_base_distributions():
    x = torch.rand(4, 3)
    found = []
    for d in (D.StandardNormal([3]), D.DiagonalNormal([3])):
        found.append(d.log_prob(x))
    found.append(D.StandardNormal([3]).sample(2))
    bernoulli = D.ConditionalIndependentBernoulli([3])
    found.append(bernoulli.log_prob((x > 0.5).float(), context=torch.randn(4, 3)))
    mixture = D.MADEMoG(3, 8, None, num_mixture_components=2)
    found.append(mixture.log_prob(x))
    return found


def _zuko(make, x=None, context=None):
    torch.manual_seed(1)
    flow = make()
    x = torch.randn(8, 3) * 0.5 if x is None else x
    c = None if context is None else torch.randn(8, context)

    def log_prob(v):
        return flow(c).log_prob(v) if context else flow().log_prob(v)

    losses = _fit(log_prob, flow.parameters(), x)
    with torch.no_grad():
        made = (flow(c[0]) if context else flow()).sample((2,))
    return [losses, made]


def step_zuko_autoregressive():
    return [
        _zuko(lambda: zuko.flows.MAF(3, transforms=2, hidden_features=(8,))),
        _zuko(
            lambda: zuko.flows.MAF(3, 2, transforms=2, hidden_features=(8,), randperm=True),
            context=2,
        ),
        _zuko(lambda: zuko.flows.NSF(3, 2, bins=4, transforms=1, hidden_features=(8,)), context=2),
        _zuko(lambda: zuko.flows.NICE(3, transforms=2, hidden_features=(8,))),
    ]


def step_zuko_neural():
    return [
        _zuko(
            lambda: zuko.flows.NAF(
                3, transforms=1, hidden_features=(8,), network={"hidden_features": (8,)}
            )
        ),
        _zuko(lambda: zuko.flows.UNAF(3, transforms=1, hidden_features=(8,))),
        _zuko(
            lambda: zuko.flows.SOSPF(3, transforms=1, degree=2, polynomials=2, hidden_features=(8,))
        ),
        _zuko(lambda: zuko.flows.BPF(3, transforms=1, degree=4, hidden_features=(8,))),
    ]


def step_zuko_continuous():
    return _zuko(lambda: zuko.flows.CNF(3, hidden_features=(8,)))


def step_zuko_others():
    return [
        _zuko(lambda: zuko.flows.GF(3, transforms=2, components=3, hidden_features=(8,))),
        _zuko(lambda: zuko.flows.NCSF(3, transforms=1, hidden_features=(8,))),
        _zuko(lambda: zuko.flows.GMM(3, components=2)),
        _zuko(lambda: zuko.flows.CNF(3, 2, hidden_features=(8,)), context=2)[0],
    ]


def step_zuko_transforms():
    x = torch.linspace(-0.9, 0.9, 5)
    found = []
    for t in (
        zuko.transforms.MonotonicRQSTransform(torch.randn(4), torch.randn(4), torch.randn(3)),
        zuko.transforms.SoftclipTransform(),
        zuko.transforms.CircularShiftTransform(),
        zuko.transforms.SignedPowerTransform(torch.tensor(0.5)),
        zuko.transforms.SinTransform(),
        zuko.transforms.MonotonicAffineTransform(torch.tensor(1.0), torch.tensor(0.5)),
        zuko.transforms.PermutationTransform(torch.tensor([2, 0, 1, 4, 3])),
    ):
        y, logs = t.call_and_ladj(x)
        found.append([y, logs, t.inv(y)])
    return found


def step_zuko_distributions():
    Z, found = zuko.distributions, []
    for d in (
        Z.DiagNormal(torch.zeros(3), torch.ones(3)),
        Z.BoxUniform(-torch.ones(3), torch.ones(3)),
        Z.Truncated(torch.distributions.Normal(0.0, 1.0), -1.0, 1.0),
        Z.Sort(torch.distributions.Normal(0.0, 1.0), 3),
        Z.Mixture(
            torch.distributions.Normal(torch.tensor([0.0, 2.0]), torch.ones(2)), torch.zeros(2)
        ),
        Z.Maximum(torch.distributions.Normal(0.0, 1.0), 2),
        Z.Minimum(torch.distributions.Normal(0.0, 1.0), 2),
        Z.GeneralizedNormal(torch.tensor(2.0)),
        Z.Joint(
            Z.DiagNormal(torch.zeros(2), torch.ones(2)),
            torch.distributions.Gamma(2.0, 1.0).expand((1,)),
        ),
    ):
        x = d.sample((2,)) if not isinstance(d, Z.Truncated) else d.sample((2,)).clamp(-0.9, 0.9)
        found.append([x, d.log_prob(x)])
    return found


def step_zuko_networks():
    x = torch.randn(3, 4)
    return [
        zuko.nn.MLP(4, 2, hidden_features=(8,), normalize=True)(x),
        zuko.nn.MaskedMLP(torch.ones(2, 4).tril().bool(), hidden_features=(8,))(x),
        zuko.nn.MonotonicMLP(4, 2, hidden_features=(8,))(x),
        F.softplus(zuko.utils.bisection(torch.tanh, torch.tensor(0.3), -2.0, 2.0)),
        zuko.utils.gauss_legendre(torch.exp, torch.tensor(0.0), torch.tensor(1.0), n=5),
        zuko.utils.odeint(lambda t, y: -y, torch.ones(2), 0.0, 1.0, phi=()),
    ]
