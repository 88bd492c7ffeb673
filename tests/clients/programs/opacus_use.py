"""opacus: private training."""

import warnings

import torch
from opacus import GradSampleModule, PrivacyEngine
from opacus.accountants import RDPAccountant
from opacus.grad_sample import GradSampleModule as Wrapped
from opacus.validators import ModuleValidator
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


def _model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))


def _loader():
    x = torch.randn(32, 4, generator=torch.Generator().manual_seed(0))
    return DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=8)


def step_per_sample():
    model = GradSampleModule(_model())
    model(torch.randn(5, 4)).square().sum().backward()
    return [list(p.grad_sample.shape) for p in model.parameters()]


def step_values():
    model = Wrapped(_model())
    x = torch.randn(3, 4)
    model(x).square().sum().backward()
    return model._module[0].weight.grad_sample


def step_train():
    model = _model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=_loader(),
        noise_multiplier=0.5,
        max_grad_norm=1.0,
        poisson_sampling=False,
        noise_generator=torch.Generator().manual_seed(3),
    )
    losses = []
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return [losses, engine.get_epsilon(1e-5)]


def step_poisson():
    engine = PrivacyEngine()
    model = _model()
    _, _, loader = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        data_loader=_loader(),
        noise_multiplier=1.0,
        max_grad_norm=1.0,
    )
    return len(loader)


def step_validator():
    bad = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.BatchNorm2d(4))
    return [ModuleValidator.is_valid(bad), type(ModuleValidator.fix(bad)[1]).__name__]


def step_layers():
    found = []
    for layer, x in (
        (torch.nn.Conv2d(1, 2, 3), torch.randn(2, 1, 5, 5)),
        (torch.nn.LayerNorm(4), torch.randn(2, 4)),
        (torch.nn.Embedding(5, 3), torch.tensor([[0, 1], [2, 3]])),
        (torch.nn.GroupNorm(2, 4), torch.randn(2, 4, 3)),
    ):
        model = GradSampleModule(layer)
        model(x).square().sum().backward()
        found.append([p.grad_sample for p in model.parameters()])
    return found


def step_lstm():
    from opacus.layers import DPLSTM

    torch.manual_seed(0)
    model = GradSampleModule(DPLSTM(3, 4, batch_first=True))
    out, _ = model(torch.randn(2, 5, 3))
    out.square().sum().backward()
    return [out, [list(p.grad_sample.shape) for p in model.parameters()]]


def step_accountant():
    accountant = RDPAccountant()
    for _ in range(10):
        accountant.step(noise_multiplier=1.0, sample_rate=0.1)
    return accountant.get_epsilon(1e-5)
