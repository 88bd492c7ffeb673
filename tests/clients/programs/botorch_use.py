"""botorch: models, acquisition functions, optimization."""

import warnings

import botorch
import torch
from botorch.acquisition import (
    ExpectedImprovement,
    LogExpectedImprovement,
    PosteriorMean,
    ProbabilityOfImprovement,
    UpperConfidenceBound,
    qExpectedImprovement,
    qLogExpectedImprovement,
    qNoisyExpectedImprovement,
    qSimpleRegret,
    qUpperConfidenceBound,
)
from botorch.fit import fit_gpytorch_mll
from botorch.models import ModelListGP, SingleTaskGP
from botorch.models.transforms import Normalize, Standardize
from botorch.optim import optimize_acqf
from botorch.sampling import IIDNormalSampler, SobolQMCNormalSampler
from botorch.test_functions import Ackley, Branin, Hartmann
from botorch.utils.sampling import draw_sobol_samples
from botorch.utils.transforms import normalize, standardize, unnormalize
from gpytorch.mlls import ExactMarginalLogLikelihood

warnings.filterwarnings("ignore")
BOUNDS = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.double)


def _data(n=8):
    x = torch.rand(n, 2, dtype=torch.double, generator=torch.Generator().manual_seed(0))
    return x, -(x - 0.4).square().sum(-1, keepdim=True)


def _model(fit=False):
    x, y = _data()
    model = SingleTaskGP(x, y, outcome_transform=Standardize(1), input_transform=Normalize(2))
    if fit:
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    return model.eval()


def step_posterior():
    posterior = _model().posterior(_data(3)[0])
    return [posterior.mean, posterior.variance]


def step_fit():
    model = _model(True)
    return [round(float(x), 1) for x in model.posterior(_data(3)[0]).mean]


def step_analytic():
    model, x = _model(), _data(5)[0].unsqueeze(1)
    return [
        make(x)
        for make in (
            ExpectedImprovement(model, best_f=-0.1),
            LogExpectedImprovement(model, best_f=-0.1),
            ProbabilityOfImprovement(model, best_f=-0.1),
            UpperConfidenceBound(model, beta=0.2),
            PosteriorMean(model),
        )
    ]


def step_monte_carlo():
    model, x = _model(), _data(4)[0].unsqueeze(0)
    sampler = SobolQMCNormalSampler(torch.Size([16]), seed=0)
    return [
        make(x)
        for make in (
            qExpectedImprovement(model, best_f=-0.1, sampler=sampler),
            qLogExpectedImprovement(model, best_f=-0.1, sampler=sampler),
            qUpperConfidenceBound(model, beta=0.1, sampler=sampler),
            qSimpleRegret(model, sampler=sampler),
            qNoisyExpectedImprovement(model, _data()[0], sampler=sampler),
        )
    ]


def step_optimize():
    torch.manual_seed(0)
    candidate, value = optimize_acqf(
        UpperConfidenceBound(_model(), beta=0.1),
        bounds=BOUNDS,
        q=1,
        num_restarts=2,
        raw_samples=8,
        options={"maxiter": 20},
    )
    return [[round(float(c), 2) for c in candidate[0]], round(float(value), 3)]


def step_loop():
    torch.manual_seed(0)
    x, y = _data(5)
    for _ in range(2):
        model = SingleTaskGP(x, y)
        sampler = SobolQMCNormalSampler(torch.Size([8]), seed=1)
        acq = qLogExpectedImprovement(model, best_f=y.max(), sampler=sampler)
        new, _ = optimize_acqf(
            acq, BOUNDS, q=1, num_restarts=1, raw_samples=4, options={"maxiter": 5}
        )
        x = torch.cat([x, new])
        y = torch.cat([y, -(new - 0.4).square().sum(-1, keepdim=True)])
    return x.shape


def step_test_functions():
    x = torch.rand(3, 2)
    return [Branin()(x), Ackley(dim=2)(x), Hartmann(dim=3)(torch.rand(2, 3)), Branin().bounds]


def step_sobol():
    return draw_sobol_samples(BOUNDS, n=4, q=1, seed=3)


def step_transforms():
    x, y = _data()
    return [normalize(x, BOUNDS * 2), unnormalize(x, BOUNDS * 3), standardize(y)]


def step_model_list():
    x, y = _data()
    model = ModelListGP(SingleTaskGP(x, y), SingleTaskGP(x, y * 2))
    return model.posterior(x[:2]).mean


def step_samplers():
    posterior = _model().posterior(_data(2)[0])
    return [
        SobolQMCNormalSampler(torch.Size([4]), seed=1)(posterior),
        IIDNormalSampler(torch.Size([4]), seed=1)(posterior),
    ]


def step_fantasies():
    model = _model()
    x = _data(2)[0]
    fantasy = model.fantasize(x, SobolQMCNormalSampler(torch.Size([3]), seed=1))
    return fantasy.posterior(x).mean.shape


def step_version():
    return botorch.__version__
