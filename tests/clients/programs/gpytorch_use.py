"""gpytorch: exact and variational Gaussian processes, kernels, likelihoods."""

import gpytorch
import torch

X = torch.linspace(0, 1, 12)
Y = torch.sin(X * 6.28)


class ExactModel(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood, kernel=None):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = kernel or gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def _fit(kernel=None, steps=5):
    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = ExactModel(X, Y, likelihood, kernel)
    model.train()
    likelihood.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    mll = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = -mll(model(X), Y)
        loss.backward()
        losses.append(loss.item())
        optimizer.step()
    model.eval()
    likelihood.eval()
    return model, likelihood, losses


def step_exact_training():
    return _fit()[2]


def step_prediction():
    model, likelihood, _ = _fit()
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        pred = likelihood(model(torch.linspace(0, 1, 5)))
        lower, upper = pred.confidence_region()
    return [pred.mean, pred.variance, lower, upper]


def step_hyperparameters():
    model, likelihood, _ = _fit()
    return [
        model.covar_module.base_kernel.lengthscale,
        model.covar_module.outputscale,
        likelihood.noise,
        [name for name, _ in model.named_hyperparameters()],
        [name for name, _, _ in model.named_parameters_and_constraints()],
    ]


def step_kernels():
    x = torch.rand(4, 2)
    k = gpytorch.kernels
    return [
        kernel(x).to_dense()
        for kernel in (
            k.RBFKernel(ard_num_dims=2),
            k.MaternKernel(nu=2.5),
            k.MaternKernel(nu=0.5),
            k.PeriodicKernel(),
            k.LinearKernel(),
            k.PolynomialKernel(power=2),
            k.RQKernel(),
            k.CosineKernel(),
            k.ScaleKernel(k.RBFKernel()) + k.LinearKernel(),
            k.RBFKernel(active_dims=(0,)) * k.RBFKernel(active_dims=(1,)),
            k.PiecewisePolynomialKernel(q=1),
        )
    ]


def step_spectral_mixture():
    kernel = gpytorch.kernels.SpectralMixtureKernel(num_mixtures=2)
    kernel.initialize_from_data(X, Y)
    return kernel(X[:4]).to_dense().shape


def step_periodic_training():
    k = gpytorch.kernels
    return _fit(k.ScaleKernel(k.PeriodicKernel()))[2]


def step_noise_prior():
    likelihood = gpytorch.likelihoods.GaussianLikelihood(
        noise_prior=gpytorch.priors.GammaPrior(1.1, 0.05),
        noise_constraint=gpytorch.constraints.GreaterThan(1e-3),
    )
    kernel = gpytorch.kernels.RBFKernel(lengthscale_prior=gpytorch.priors.NormalPrior(0.5, 0.1))
    model = ExactModel(X, Y, likelihood, kernel)
    mll = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    loss = -mll(model(X), Y)
    loss.backward()
    return [loss, likelihood.raw_noise.grad, kernel.raw_lengthscale.grad]


def step_fixed_noise():
    likelihood = gpytorch.likelihoods.FixedNoiseGaussianLikelihood(noise=torch.full((12,), 0.05))
    model = ExactModel(X, Y, likelihood)
    return -gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)(model(X), Y)


class Variational(gpytorch.models.ApproximateGP):
    def __init__(self, points, distribution=None):
        make = distribution or gpytorch.variational.CholeskyVariationalDistribution
        strategy = gpytorch.variational.VariationalStrategy(
            self, points, make(points.size(0)), learn_inducing_locations=True
        )
        super().__init__(strategy)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def _variational(likelihood, y, distribution=None):
    model = Variational(X[::3].clone(), distribution)
    model.train()
    likelihood.train()
    optimizer = torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=0.05)
    mll = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(X))
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = -mll(model(X), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [round(x, 3) for x in losses]


def step_svgp():
    return _variational(gpytorch.likelihoods.GaussianLikelihood(), Y)


def step_svgp_mean_field():
    return _variational(
        gpytorch.likelihoods.GaussianLikelihood(),
        Y,
        gpytorch.variational.MeanFieldVariationalDistribution,
    )


def step_classification():
    return _variational(gpytorch.likelihoods.BernoulliLikelihood(), (Y > 0).float())


def step_deep_kernel():
    class Deep(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            self.mean_module = gpytorch.means.LinearMean(1)
            self.covar_module = gpytorch.kernels.RBFKernel()
            self.net = torch.nn.Sequential(torch.nn.Linear(1, 4), torch.nn.Tanh())

        def forward(self, x):
            z = self.net(x)
            return gpytorch.distributions.MultivariateNormal(
                self.mean_module(x), self.covar_module(z)
            )

    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Deep(X[:, None], Y, likelihood)
    loss = -gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)(model(X[:, None]), Y)
    loss.backward()
    return [loss, model.net[0].weight.grad]


def step_multitask():
    class Multitask(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            self.mean_module = gpytorch.means.MultitaskMean(gpytorch.means.ConstantMean(), 2)
            self.covar_module = gpytorch.kernels.MultitaskKernel(
                gpytorch.kernels.RBFKernel(), num_tasks=2, rank=1
            )

        def forward(self, x):
            return gpytorch.distributions.MultitaskMultivariateNormal(
                self.mean_module(x), self.covar_module(x)
            )

    y = torch.stack([Y, Y.cos()], -1)
    likelihood = gpytorch.likelihoods.MultitaskGaussianLikelihood(num_tasks=2)
    model = Multitask(X, y, likelihood)
    loss = -gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)(model(X), y)
    return loss


def step_batch_independent():
    class Batch(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            shape = torch.Size([2])
            self.mean_module = gpytorch.means.ConstantMean(batch_shape=shape)
            self.covar_module = gpytorch.kernels.ScaleKernel(
                gpytorch.kernels.RBFKernel(batch_shape=shape), batch_shape=shape
            )

        def forward(self, x):
            return gpytorch.distributions.MultitaskMultivariateNormal.from_batch_mvn(
                gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))
            )

    likelihood = gpytorch.likelihoods.MultitaskGaussianLikelihood(num_tasks=2)
    model = Batch(X, torch.stack([Y, -Y], -1), likelihood)
    model.eval()
    likelihood.eval()
    with torch.no_grad():
        return likelihood(model(X[:3])).mean


def step_distribution():
    d = gpytorch.distributions.MultivariateNormal(torch.zeros(3), torch.eye(3) * 2)
    return [
        d.log_prob(torch.ones(3)),
        d.entropy(),
        d.rsample(torch.Size([2])),
        (d + 1).mean,
        (d * 2).covariance_matrix,
        torch.distributions.kl_divergence(d, d),
    ]


def step_state():
    model, _, _ = _fit(steps=1)
    again = ExactModel(X, Y, gpytorch.likelihoods.GaussianLikelihood())
    again.load_state_dict(model.state_dict())
    return sorted(again.state_dict())


def step_samples():
    model, _, _ = _fit()
    torch.manual_seed(1)
    with torch.no_grad():
        return model(torch.tensor([2.0, 3.0])).sample(torch.Size([3])).shape


def step_lazy_operators():
    from linear_operator import operators as op

    a = torch.randn(4, 4)
    a = a @ a.T + 4 * torch.eye(4)
    dense = op.DenseLinearOperator(a)
    return [
        dense.solve(torch.ones(4)),
        dense.add_jitter(1.0).logdet(),
        dense.cholesky().to_dense(),
        dense.inv_quad_logdet(torch.ones(4, 1), logdet=True),
        op.DiagLinearOperator(torch.arange(1.0, 5)).matmul(a),
        op.ToeplitzLinearOperator(torch.tensor([3.0, 1, 0])).to_dense(),
        op.KroneckerProductLinearOperator(dense, dense).diagonal(),
        op.RootLinearOperator(a).to_dense(),
        op.LowRankRootLinearOperator(a[:, :2]).add_diagonal(torch.ones(4)).to_dense(),
        op.BlockDiagLinearOperator(op.DenseLinearOperator(torch.stack([a, a]))).shape,
        (dense + dense).sum(-1),
        dense[1:3, 0].to_dense() if hasattr(dense[1:3, 0], "to_dense") else dense[1:3, 0],
    ]
