"""pyro: models, SVI, MCMC, guides, distributions, Predictive."""

import pyro
import pyro.distributions as dist
import torch
from pyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, TraceEnum_ELBO, config_enumerate
from pyro.infer.autoguide import (
    AutoDelta,
    AutoDiagonalNormal,
    AutoLowRankMultivariateNormal,
    AutoNormal,
)
from pyro.nn import PyroModule, PyroSample

X = torch.linspace(-1, 1, 10)
Y = 2 * X + 0.5


def _model(x, y=None):
    w = pyro.sample("w", dist.Normal(0.0, 1.0))
    b = pyro.sample("b", dist.Normal(0.0, 1.0))
    s = pyro.sample("s", dist.HalfNormal(1.0))
    with pyro.plate("data", len(x)):
        return pyro.sample("y", dist.Normal(w * x + b, s), obs=y)


def _fit(guide, loss=None):
    pyro.clear_param_store()
    pyro.set_rng_seed(0)
    svi = SVI(_model, guide, pyro.optim.Adam({"lr": 0.05}), loss or Trace_ELBO())
    return [svi.step(X, Y) for _ in range(5)]


def step_sample():
    pyro.set_rng_seed(0)
    return _model(X)


def step_trace():
    pyro.set_rng_seed(0)
    trace = pyro.poutine.trace(_model).get_trace(X, Y)
    return trace.log_prob_sum()


def step_svi_normal():
    return _fit(AutoNormal(_model))


def step_svi_diagonal():
    return _fit(AutoDiagonalNormal(_model))


def step_svi_delta():
    return _fit(AutoDelta(_model))


def step_svi_low_rank():
    return _fit(AutoLowRankMultivariateNormal(_model, rank=1))


def step_own_guide():
    def guide(x, y=None):
        loc = pyro.param("loc", torch.zeros(2))
        scale = pyro.param("scale", torch.ones(2), constraint=dist.constraints.positive)
        pyro.sample("w", dist.Normal(loc[0], scale[0]))
        pyro.sample("b", dist.Normal(loc[1], scale[1]))
        pyro.sample("s", dist.Delta(torch.tensor(1.0)))

    return [_fit(guide), {k: v for k, v in pyro.get_param_store().items()}]


def step_predictive():
    pyro.set_rng_seed(0)
    return Predictive(_model, num_samples=3)(X)


def step_mcmc():
    pyro.set_rng_seed(0)
    mcmc = MCMC(NUTS(_model), num_samples=5, warmup_steps=5, disable_progbar=True)
    mcmc.run(X, Y)
    return sorted(mcmc.get_samples())


def step_enumerate():
    @config_enumerate
    def mixture(data):
        weights = pyro.sample("weights", dist.Dirichlet(torch.ones(2)))
        with pyro.plate("components", 2):
            locs = pyro.sample("locs", dist.Normal(0.0, 2.0))
        with pyro.plate("data", len(data)):
            z = pyro.sample("z", dist.Categorical(weights))
            pyro.sample("x", dist.Normal(locs[z], 1.0), obs=data)

    pyro.clear_param_store()
    pyro.set_rng_seed(0)
    guide = AutoDelta(pyro.poutine.block(mixture, expose=["weights", "locs"]))
    svi = SVI(mixture, guide, pyro.optim.Adam({"lr": 0.1}), TraceEnum_ELBO(max_plate_nesting=1))
    return [svi.step(torch.tensor([-2.0, -1.9, 2.0, 2.2])) for _ in range(3)]


def step_module():
    pyro.set_rng_seed(0)
    net = PyroModule[torch.nn.Linear](2, 1)
    net.weight = PyroSample(dist.Normal(0.0, 1.0).expand([1, 2]).to_event(2))
    return net(torch.ones(3, 2))


def step_distributions():
    pyro.set_rng_seed(0)
    found = []
    for d in (
        dist.Beta(1.0, 2.0),
        dist.Gamma(2.0, 1.0),
        dist.Poisson(3.0),
        dist.StudentT(4.0),
        dist.VonMises(0.0, 1.0),
        dist.Dirichlet(torch.ones(3)),
        dist.MultivariateNormal(torch.zeros(2), torch.eye(2)),
        dist.LogNormal(0.0, 1.0),
        dist.NegativeBinomial(3, 0.5),
        dist.ZeroInflatedPoisson(torch.tensor(2.0), gate=torch.tensor(0.3)),
    ):
        x = d.sample()
        found.append([x, d.log_prob(x)])
    return found


def step_flow():
    import pyro.distributions.transforms as T

    pyro.set_rng_seed(0)
    flow = dist.TransformedDistribution(
        dist.Normal(torch.zeros(2), torch.ones(2)).to_event(1), [T.spline_coupling(2, count_bins=4)]
    )
    return flow.log_prob(torch.zeros(3, 2)).shape
