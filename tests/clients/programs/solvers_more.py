"""torchdiffeq, torchsde, opacus, higher, skorch and einops: what the shorter programs leave out."""

import einops
import einops.layers.torch as E
import higher
import numpy
import torch
import torchdiffeq
import torchsde
from torch import nn
from torch.nn import functional as F


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, t, y):
        return self.net(y) - 0.1 * t * y


def step_ode_solvers():
    found, t, y = {}, torch.linspace(0, 1, 4), torch.tensor([[1.0, 0.5]])
    for method in (
        "dopri8",
        "dopri5",
        "bosh3",
        "fehlberg2",
        "adaptive_heun",
        "euler",
        "midpoint",
        "heun2",
        "heun3",
        "rk4",
        "explicit_adams",
        "implicit_adams",
        "fixed_adams",
        "scipy_solver",
        "implicit_euler",
        "implicit_midpoint",
        "radauIIA3",
        "gl4",
        "trapezoid",
    ):
        options = {"solver": "LSODA"} if method == "scipy_solver" else None
        try:
            found[method] = torchdiffeq.odeint(Field(), y, t, method=method, options=options)
        except Exception as error:
            found[method] = type(error).__name__
    return found


def step_ode_gradients():
    found = {}
    for name in ("dopri5", "rk4", "bosh3"):
        for solve in (torchdiffeq.odeint, torchdiffeq.odeint_adjoint):
            field, y = Field(), torch.tensor([[1.0, 0.5]], requires_grad=True)
            t = torch.linspace(0, 1, 3, requires_grad=True)
            solve(field, y, t, method=name)[-1].square().sum().backward()
            found[f"{name} {solve.__name__}"] = [y.grad, t.grad, field.net[0].weight.grad]
    return found


def step_ode_options():
    field, y, t = Field(), torch.tensor([[1.0, 0.5]]), torch.linspace(0, 1, 3)
    seen = []
    field.callback_step = lambda t0, y0, dt: seen.append(float(dt))
    found = [
        torchdiffeq.odeint(field, y, t, method="rk4", options={"step_size": 0.1, "perturb": True}),
        torchdiffeq.odeint(
            field,
            y,
            t,
            method="dopri5",
            options={"first_step": 0.1, "max_num_steps": 100, "dtype": torch.float64},
        ),
        torchdiffeq.odeint(field, y, t.flip(0), rtol=1e-3, atol=1e-4),
        torchdiffeq.odeint(
            field,
            y,
            t,
            method="midpoint",
            options={
                "grid_constructor": lambda f, y, t: torch.linspace(0, 1, 6),
                "interp": "cubic",
            },
        ),
        torchdiffeq.odeint_adjoint(
            field,
            y,
            t,
            adjoint_params=tuple(field.parameters()),
            adjoint_options={"norm": "seminorm"},
        ),
    ]
    return [found, len(seen) > 20]


def step_ode_events():
    def ball(t, state):
        height, speed = state
        return speed, torch.full_like(speed, -9.8)

    velocity = torch.tensor([3.0], requires_grad=True)
    time, states = torchdiffeq.odeint_event(
        ball,
        (torch.tensor([1.0]), velocity),
        torch.tensor(0.0),
        event_fn=lambda t, s: s[0],
        odeint_interface=torchdiffeq.odeint,
        atol=1e-6,
        rtol=1e-6,
    )
    time.sum().backward()
    return [time, [s[-1] for s in states], velocity.grad]


def step_continuous_flow():
    field = Field()

    def augmented(t, state):
        with torch.enable_grad():
            z = state[0].requires_grad_(True)
            dz = field(t, z)
            trace = sum(
                torch.autograd.grad(dz[:, i].sum(), z, create_graph=True)[0][:, i] for i in range(2)
            )
        return dz, -trace.unsqueeze(1)

    z, logs = torchdiffeq.odeint(
        augmented, (torch.randn(3, 2), torch.zeros(3, 1)), torch.tensor([0.0, 1.0]), method="rk4"
    )
    return [z[-1], logs[-1]]


class SDE(torchsde.SDEIto):
    def __init__(self, noise):
        super().__init__(noise_type=noise)
        torch.manual_seed(0)
        self.mu, self.sigma = nn.Linear(2, 2), nn.Linear(2, 2)

    def f(self, t, y):
        return torch.tanh(self.mu(y))

    def g(self, t, y):
        s = torch.sigmoid(self.sigma(y)) * 0.3
        return s if self.noise_type == "diagonal" else torch.diag_embed(s)


def step_sde_methods():
    found = {}
    for noise, methods in (("diagonal", ("euler", "milstein", "srk")), ("general", ("euler",))):
        for method in methods:
            sde = SDE(noise)
            path = torchsde.BrownianInterval(
                0.0, 1.0, size=(3, 2), entropy=5, levy_area_approximation="space-time"
            )
            out = torchsde.sdeint(
                sde, torch.ones(3, 2), torch.linspace(0, 1, 3), bm=path, method=method, dt=0.1
            )
            out[-1].square().sum().backward()
            found[f"{noise} {method}"] = [out, sde.mu.weight.grad]
    return found


def step_sde_adaptive_and_adjoint():
    sde = SDE("diagonal")
    path = torchsde.BrownianInterval(
        0.0, 1.0, size=(2, 2), entropy=6, levy_area_approximation="space-time"
    )
    adaptive = torchsde.sdeint(
        sde,
        torch.ones(2, 2),
        torch.tensor([0.0, 1.0]),
        bm=path,
        method="srk",
        adaptive=True,
        rtol=1e-2,
        atol=1e-2,
        dt=0.1,
    )
    path = torchsde.BrownianInterval(0.0, 1.0, size=(2, 2), entropy=7)
    out = torchsde.sdeint_adjoint(
        sde, torch.ones(2, 2), torch.tensor([0.0, 1.0]), bm=path, dt=0.1, method="milstein"
    )
    out[-1].sum().backward()
    return [adaptive, out, sde.sigma.weight.grad]


def step_latent_sde():
    class Latent(SDE):
        def h(self, t, y):
            return -y

    out, ratio = torchsde.sdeint(
        Latent("diagonal"),
        torch.ones(2, 2),
        torch.tensor([0.0, 0.5]),
        dt=0.1,
        logqp=True,
        bm=torchsde.BrownianInterval(
            0.0, 0.5, size=(2, 3), entropy=1, levy_area_approximation="space-time"
        ),
    )
    return [out, ratio]


def step_brownian_queries():
    path = torchsde.BrownianInterval(
        0.0, 1.0, size=(2,), entropy=3, levy_area_approximation="davie"
    )
    tree = torchsde.BrownianTree(t0=0.0, w0=torch.zeros(2), entropy=4)
    return [
        path(0.0, 0.5),
        path(0.25, 0.75),
        path(0.1, 0.9, return_U=True, return_A=True),
        tree(0.5),
        tree(0.2),
        repr(path),
    ]


def step_opacus_layers():
    from opacus import GradSampleModule
    from opacus.layers import DPGRU, DPLSTM, DPRNN, DPMultiheadAttention

    found = []
    for layer, x in (
        (nn.Linear(3, 2), torch.randn(4, 5, 3)),
        (nn.Conv1d(2, 3, 3, padding=1), torch.randn(2, 2, 6)),
        (nn.Conv2d(4, 4, 3, groups=2, stride=2, dilation=2), torch.randn(2, 4, 9, 9)),
        (nn.Conv3d(1, 2, 2), torch.randn(2, 1, 3, 3, 3)),
        (nn.InstanceNorm2d(3, affine=True), torch.randn(2, 3, 4, 4)),
        (nn.LayerNorm([3, 4]), torch.randn(2, 3, 4)),
        (nn.RMSNorm(4), torch.randn(3, 4)),
        (DPRNN(3, 4, batch_first=True), torch.randn(2, 4, 3)),
        (DPGRU(3, 4, batch_first=True), torch.randn(2, 4, 3)),
        (DPLSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True), torch.randn(2, 4, 3)),
    ):
        model = GradSampleModule(layer, batch_first=True)
        out = model(x)
        (out[0] if isinstance(out, tuple) else out).square().sum().backward()
        found.append([p.grad_sample for p in model.parameters() if p.grad_sample is not None])
    attention = GradSampleModule(DPMultiheadAttention(4, 2), batch_first=False)
    x = torch.randn(3, 2, 4)
    attention(x, x, x)[0].sum().backward()
    found.append([p.grad_sample.shape for p in attention.parameters()])
    return found


def step_opacus_modes():
    from opacus import PrivacyEngine
    from torch.utils.data import DataLoader, TensorDataset

    found = []
    for mode in ("hooks", "ew", "functorch"):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
        x = torch.randn(16, 4, generator=torch.Generator().manual_seed(1))
        data = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=4)
        model, optimizer, loader = PrivacyEngine(
            accountant="prv" if mode == "hooks" else "gdp"
        ).make_private(
            module=model,
            optimizer=torch.optim.Adam(model.parameters(), lr=0.05),
            data_loader=data,
            noise_multiplier=1.0,
            max_grad_norm=1.0 if mode != "functorch" else [1.0] * 4,
            poisson_sampling=False,
            grad_sample_mode=mode,
            clipping="flat" if mode != "functorch" else "per_layer",
            noise_generator=torch.Generator().manual_seed(2),
        )
        losses = []
        for a, b in loader:
            optimizer.zero_grad()
            value = F.cross_entropy(model(a), b)
            value.backward()
            optimizer.step()
            losses.append(value.item())
        found.append([losses, list(model.state_dict())])
    return found


def step_higher():
    found = []
    for make, options in (
        (torch.optim.Adagrad, {"lr": 0.1}),
        (torch.optim.RMSprop, {"lr": 0.01, "momentum": 0.5}),
        (torch.optim.Adadelta, {"lr": 1.0}),
        (torch.optim.Adamax, {"lr": 0.05}),
        (torch.optim.ASGD, {"lr": 0.1}),
        (torch.optim.Rprop, {"lr": 0.05}),
    ):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Conv1d(1, 2, 3), nn.Flatten(), nn.Linear(8, 1))
        x = torch.randn(3, 1, 6)
        with higher.innerloop_ctx(
            model, make(model.parameters(), **options), copy_initial_weights=False
        ) as (net, inner):
            for _ in range(2):
                inner.step(net(x).square().mean())
            net(x).mean().backward()
        found.append([make.__name__, [p.grad for p in model.parameters()]])
    return found


def step_skorch():
    import skorch
    from sklearn.model_selection import GridSearchCV
    from skorch import callbacks as C
    from skorch.helper import SliceDataset, predefined_split

    numpy.random.seed(0)
    x = numpy.random.randn(60, 4).astype("float32")
    y = (x.sum(1) > 0).astype("int64")

    class Net(nn.Module):
        def __init__(self, hidden=6, drop=0.1):
            super().__init__()
            self.net = nn.Sequential(
                nn.Linear(4, hidden), nn.ReLU(), nn.Dropout(drop), nn.Linear(hidden, 2)
            )

        def forward(self, x):
            return F.softmax(self.net(x), -1)

    torch.manual_seed(1)
    net = skorch.NeuralNetClassifier(
        Net,
        max_epochs=4,
        lr=0.2,
        verbose=0,
        optimizer=torch.optim.SGD,
        optimizer__momentum=0.9,
        iterator_train__shuffle=True,
        train_split=predefined_split(skorch.dataset.Dataset(x[:20], y[:20])),
        callbacks=[
            C.LRScheduler(torch.optim.lr_scheduler.StepLR, step_size=2),
            C.EarlyStopping(patience=3),
            C.Checkpoint(dirname="run"),
            C.EpochScoring("f1", lower_is_better=False),
            C.GradientNormClipping(1.0),
            C.Freezer("net.0.*", at=2),
            C.Initializer("*.bias", fn=nn.init.zeros_),
        ],
    ).fit(x, y)
    history = [[h[k] for k in ("train_loss", "valid_loss", "f1", "event_lr")] for h in net.history]
    net.save_params(f_params="p.pt", f_optimizer="o.pt", f_history="h.json")
    other = skorch.NeuralNetClassifier(Net, verbose=0).initialize()
    other.load_params(f_params="p.pt")
    torch.manual_seed(2)
    search = GridSearchCV(
        skorch.NeuralNetClassifier(Net, max_epochs=2, verbose=0, train_split=None),
        {"lr": [0.05, 0.5], "module__hidden": [4, 8]},
        cv=3,
        refit=False,
    )
    search.fit(x, y)
    predicted = net.predict(x[:5])
    return [
        history,
        other.predict_proba(x[:3]),
        search.cv_results_["mean_test_score"],
        predicted,
        len(SliceDataset(skorch.dataset.Dataset(x, y))),
    ]


def step_einops():
    x = torch.arange(48.0).view(2, 3, 2, 4)
    model = nn.Sequential(
        nn.Conv2d(3, 4, 1),
        E.Rearrange("b c h w -> b (h w) c"),
        nn.LayerNorm(4),
        E.Reduce("b (h w) c -> b c", "max", h=2),
        E.EinMix("b c -> b k", weight_shape="c k", bias_shape="k", c=4, k=3),
    )
    model(x).sum().backward()
    packed, shapes = einops.pack([torch.ones(2, 3), torch.ones(2, 2, 2)], "b *")
    return [
        [p.grad for p in model.parameters()],
        repr(model),
        packed,
        [p.shape for p in einops.unpack(packed, shapes, "b *")],
        einops.repeat(x[0, 0], "h w -> (h r) (w s)", r=2, s=2),
        einops.reduce(x, "b c (h h2) (w w2) -> b c h w", "mean", h2=2, w2=2),
        einops.einsum(x, x, "b c h w, b d h w -> b c d"),
        einops.asnumpy(x).shape,
        einops.rearrange([x, x], "n b c h w -> b n c h w").shape,
        einops.parse_shape(x, "b _ h w"),
        einops.rearrange(x, "b c ... -> b ... c").shape,
    ]
