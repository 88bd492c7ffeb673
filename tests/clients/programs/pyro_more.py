"""pyro: more models, guides, samplers, enumeration, effects and distributions."""

import pyro
import pyro.distributions as dist
import torch
from pyro import poutine
from pyro.infer import (
    HMC,
    MCMC,
    NUTS,
    SVI,
    EmpiricalMarginal,
    Importance,
    JitTrace_ELBO,
    Predictive,
    RenyiELBO,
    ReweightedWakeSleep,
    Trace_ELBO,
    TraceEnum_ELBO,
    TraceGraph_ELBO,
    TraceMeanField_ELBO,
    TraceTailAdaptive_ELBO,
    config_enumerate,
    infer_discrete,
)
from pyro.infer import autoguide as G
from pyro.infer.reparam import LocScaleReparam, NeuTraReparam, TransformReparam
from pyro.nn import PyroModule, PyroParam, PyroSample
from torch.distributions import constraints

X = torch.linspace(-1, 1, 8)
Y = 1.5 * X - 0.3


def _model(x, y=None):
    w = pyro.sample("w", dist.Normal(0.0, 1.0))
    s = pyro.sample("s", dist.LogNormal(0.0, 0.5))
    with pyro.plate("data", len(x)):
        return pyro.sample("y", dist.Normal(w * x, s), obs=y)


def _fit(model, guide, loss, steps=4, optimizer=None, data=(X, Y)):
    pyro.clear_param_store()
    pyro.set_rng_seed(1)
    svi = SVI(model, guide, optimizer or pyro.optim.Adam({"lr": 0.05}), loss)
    return [svi.step(*data) for _ in range(steps)]


def step_guides():
    found = {}
    for name in (
        "AutoNormal",
        "AutoDiagonalNormal",
        "AutoMultivariateNormal",
        "AutoDelta",
        "AutoIAFNormal",
        "AutoLaplaceApproximation",
        "AutoStructured",
    ):
        guide = getattr(G, name)(_model)
        found[name] = _fit(_model, guide, Trace_ELBO())
    return found


def step_losses():
    found = {}
    for loss in (
        Trace_ELBO(num_particles=3, vectorize_particles=True),
        TraceMeanField_ELBO(),
        TraceGraph_ELBO(),
        RenyiELBO(alpha=0.5, num_particles=2),
        TraceTailAdaptive_ELBO(num_particles=2, vectorize_particles=True),
        JitTrace_ELBO(),
    ):
        found[type(loss).__name__] = _fit(_plain, G.AutoNormal(_plain), loss)
    return found


def _plain(x, y=None):
    w = pyro.sample("w", dist.Normal(0.0, 1.0))
    pyro.sample("y", dist.Normal(w.unsqueeze(-1) * x, 0.5).to_event(1), obs=y)


def step_optimizers():
    found = []
    for optimizer in (
        pyro.optim.ClippedAdam({"lr": 0.05, "clip_norm": 1.0}),
        pyro.optim.AdagradRMSProp({}),
        pyro.optim.DCTAdam({"lr": 0.01}),
        pyro.optim.SGD({"lr": 0.001}),
        pyro.optim.ExponentialLR(
            {"optimizer": torch.optim.Adam, "optim_args": {"lr": 0.05}, "gamma": 0.9}
        ),
    ):
        found.append(_fit(_model, G.AutoNormal(_model), Trace_ELBO(), optimizer=optimizer))
    return found


def step_samplers():
    found = []
    for kernel in (
        HMC(_plain, step_size=0.1, num_steps=3, adapt_step_size=False),
        NUTS(_plain, step_size=0.2, adapt_step_size=False, max_tree_depth=3),
        NUTS(_plain, full_mass=True, max_tree_depth=2),
    ):
        pyro.set_rng_seed(2)
        mcmc = MCMC(kernel, num_samples=6, warmup_steps=4, disable_progbar=True)
        mcmc.run(X, Y)
        found.append([mcmc.get_samples()["w"].shape, sorted(mcmc.diagnostics())])
    pyro.set_rng_seed(2)
    kernel = HMC(_plain, step_size=0.1, num_steps=3, adapt_step_size=False, adapt_mass_matrix=False)
    mcmc = MCMC(kernel, num_samples=4, warmup_steps=2, disable_progbar=True)
    mcmc.run(X, Y)
    return [found, mcmc.get_samples()["w"]]


def step_enumeration():
    @config_enumerate
    def hmm(data):
        move = pyro.sample("move", dist.Dirichlet(torch.ones(2, 2)).to_event(1))
        x = 0
        for t in pyro.markov(range(len(data))):
            x = pyro.sample(f"x_{t}", dist.Categorical(move[x]))
            pyro.sample(f"y_{t}", dist.Normal(x.float() * 2, 0.5), obs=data[t])

    data = torch.tensor([0.1, 1.8, 2.2, 0.3])
    guide = G.AutoDelta(poutine.block(hmm, expose=["move"]))
    losses = _fit(hmm, guide, TraceEnum_ELBO(max_plate_nesting=0), data=(data,))
    pyro.set_rng_seed(3)
    trace = poutine.trace(poutine.replay(hmm, poutine.trace(guide).get_trace(data))).get_trace(data)
    decoded = infer_discrete(
        poutine.condition(hmm, {"move": trace.nodes["move"]["value"]}),
        temperature=0,
        first_available_dim=-1,
    )
    states = poutine.trace(decoded).get_trace(data)
    return [losses, [states.nodes[f"x_{t}"]["value"] for t in range(4)]]


def step_effects():
    pyro.set_rng_seed(4)
    conditioned = poutine.condition(_model, {"w": torch.tensor(2.0)})
    trace = poutine.trace(conditioned).get_trace(X)
    trace.compute_log_prob()
    done = pyro.do(_model, {"w": torch.tensor(-1.0)})(X)
    scaled = poutine.trace(poutine.scale(_model, 0.5)).get_trace(X, Y).log_prob_sum()
    masked = poutine.trace(poutine.mask(_model, torch.tensor(False))).get_trace(X, Y).log_prob_sum()
    lifted = poutine.trace(
        poutine.lift(
            lambda: pyro.param("p", torch.zeros(2)), {"p": dist.Normal(torch.zeros(2), 1.0)}
        )
    ).get_trace()
    return [
        [n for n in trace.nodes],
        trace.log_prob_sum(),
        trace.format_shapes(),
        done,
        scaled,
        masked,
        lifted.nodes["p"]["value"],
        poutine.uncondition(conditioned)(X),
        trace.nodes["w"]["value"],
    ]


def step_plates():
    pyro.set_rng_seed(5)
    found = []
    with pyro.plate("a", 3, dim=-1), pyro.plate("b", 2, dim=-2):
        found.append(pyro.sample("x", dist.Normal(0.0, 1.0)))
    with pyro.plate("sub", 10, subsample_size=4) as index:
        found.append(index)
    found.append([i for i in pyro.plate("loop", 5, subsample_size=2)])
    return found


def step_reparametrization():
    def model():
        a = pyro.sample("a", dist.Normal(1.0, 2.0))
        b = pyro.sample("b", dist.LogNormal(a, 0.5))
        return a + b

    config = {"a": LocScaleReparam(0.3), "b": TransformReparam()}
    pyro.set_rng_seed(6)
    trace = poutine.trace(poutine.reparam(model, config=config)).get_trace()
    pyro.clear_param_store()
    guide = G.AutoIAFNormal(_plain)
    _fit(_plain, guide, Trace_ELBO())
    neutra = NeuTraReparam(guide.requires_grad_(False))
    again = poutine.trace(neutra.reparam(_plain)).get_trace(X, Y)
    return [list(trace.nodes), trace.log_prob_sum(), list(again.nodes), again.log_prob_sum()]


def step_modules():
    class Regression(PyroModule):
        def __init__(self):
            super().__init__()
            self.linear = PyroModule[torch.nn.Linear](2, 1)
            self.linear.weight = PyroSample(dist.Normal(0.0, 1.0).expand([1, 2]).to_event(2))
            self.scale = PyroParam(torch.tensor(0.5), constraint=constraints.positive)

        def forward(self, x, y=None):
            mean = self.linear(x).squeeze(-1)
            with pyro.plate("data", len(x)):
                return pyro.sample("y", dist.Normal(mean, self.scale), obs=y)

    pyro.clear_param_store()
    x, model = torch.randn(8, 2), Regression()
    guide = G.AutoNormal(model)
    losses = _fit(model, guide, Trace_ELBO(), data=(x, x.sum(1)))
    pyro.set_rng_seed(7)
    samples = Predictive(
        model, guide=guide, num_samples=3, return_sites=("y", "linear.weight", "_RETURN")
    )(x)
    return [losses, samples, guide.quantiles([0.1, 0.9]), [n for n, _ in model.named_parameters()]]


def step_importance():
    pyro.set_rng_seed(8)
    run = Importance(_plain, num_samples=20).run(X, Y)
    marginal = EmpiricalMarginal(run, "w")
    return [marginal.mean, run.get_log_normalizer(), run.get_ESS()]


def step_wake_sleep():
    def guide(x, y=None):
        loc = pyro.param("loc", torch.tensor(0.0))
        pyro.sample("w", dist.Normal(loc, 1.0))

    def model(x, y=None):
        scale = pyro.param("scale", torch.tensor(1.0), constraint=constraints.positive)
        w = pyro.sample("w", dist.Normal(0.0, 1.0))
        pyro.sample("y", dist.Normal(w * x, scale).to_event(1), obs=y)

    return _fit(model, guide, ReweightedWakeSleep(num_particles=2, vectorize_particles=False))


def step_gaussian_processes():
    import pyro.contrib.gp as gp

    pyro.clear_param_store()
    pyro.set_rng_seed(9)
    kernel = gp.kernels.Sum(gp.kernels.RBF(1), gp.kernels.Matern32(1))
    model = gp.models.GPRegression(X, Y, kernel, noise=torch.tensor(0.1))
    losses = gp.util.train(model, num_steps=3)
    mean, cov = model(torch.tensor([0.2, 0.9]), full_cov=True)
    sparse = gp.models.SparseGPRegression(X, Y, gp.kernels.Periodic(1), Xu=X[::3].clone())
    return [losses, mean, cov, gp.util.train(sparse, num_steps=2), sparse(torch.tensor([0.2]))]


def step_distributions():
    pyro.set_rng_seed(10)
    found = {}
    for d in (
        dist.AffineBeta(2.0, 3.0, 1.0, 4.0),
        dist.AsymmetricLaplace(0.0, 1.0, 2.0),
        dist.BetaBinomial(2.0, 3.0, 5),
        dist.DirichletMultinomial(torch.ones(3), 6),
        dist.GammaPoisson(2.0, 1.0),
        dist.Logistic(0.0, 1.0),
        dist.SoftLaplace(0.0, 1.0),
        dist.SkewLogistic(0.0, 1.0),
        dist.ZeroInflatedNegativeBinomial(
            torch.tensor(3.0), probs=torch.tensor(0.4), gate=torch.tensor(0.2)
        ),
        dist.InverseGamma(3.0, 1.0),
        dist.LKJ(3, 1.0),
        dist.OrderedLogistic(torch.tensor(0.5), torch.tensor([-1.0, 1.0])),
        dist.MaskedMixture(torch.tensor(True), dist.Normal(0.0, 1.0), dist.Normal(1.0, 1.0)),
        dist.Unit(torch.tensor(0.5)),
        dist.Delta(torch.tensor(1.0), log_density=0.5),
        dist.ProjectedNormal(torch.ones(3)),
        dist.SineBivariateVonMises(0.0, 0.0, 1.0, 1.0, 0.5),
        dist.ExtendedBinomial(4.0, 0.3),
        dist.FoldedDistribution(dist.Normal(0.0, 1.0)),
        dist.GaussianHMM(
            torch.distributions.MultivariateNormal(torch.zeros(1), torch.eye(1)),
            torch.eye(1).expand(3, 1, 1),
            torch.distributions.MultivariateNormal(torch.zeros(1), torch.eye(1)),
            torch.eye(1).expand(3, 1, 1),
            torch.distributions.MultivariateNormal(torch.zeros(1), torch.eye(1)),
            duration=3,
        ),
    ):
        name = f"{type(d).__name__}{len(found)}"
        if name.startswith("GaussianHMM"):
            found[name] = d.log_prob(torch.ones(3, 1))
            continue
        x = d.sample()
        found[name] = [x, d.log_prob(x)]
    return found


def step_transforms():
    import pyro.distributions.transforms as T

    pyro.set_rng_seed(11)
    x, found = torch.rand(3, 4), {}
    for t in (
        T.affine_autoregressive(4, hidden_dims=[8]),
        T.affine_coupling(4, hidden_dims=[8]),
        T.batchnorm(4),
        T.householder(4, 2),
        T.planar(4),
        T.radial(4),
        T.polynomial(4, hidden_dims=[16]),
        T.spline(4, count_bins=4),
        T.sylvester(4),
        T.permute(4),
        T.spline_autoregressive(4, hidden_dims=[8], count_bins=3),
        T.neural_autoregressive(4, hidden_dims=[8]),
        T.block_autoregressive(4, hidden_factors=[2]),
        T.DiscreteCosineTransform(),
        T.HaarTransform(),
    ):
        name = type(t).__name__
        y = t(x)
        found[name] = [y, t.log_abs_det_jacobian(x, y)]
    return found


def step_param_store():
    pyro.clear_param_store()
    pyro.param("a", torch.tensor(1.0), constraint=constraints.interval(0.0, 2.0))
    pyro.param("b", lambda: torch.ones(2))
    store = pyro.get_param_store()
    store.save("store.pt")
    store.clear()
    store.load("store.pt")
    with store.scope() as scope:
        pyro.param("c", torch.zeros(1))
    return [
        sorted(store.keys()),
        dict(store.items()),
        sorted(scope["params"]),
        store.get_state()["constraints"]["a"],
    ]
