"""higher: gradients through optimizer steps."""

import higher
import torch


def _run(make, **options):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    optimizer = make(model.parameters(), lr=0.1, **options)
    x, y = torch.randn(5, 3), torch.randn(5, 1)
    with higher.innerloop_ctx(model, optimizer, copy_initial_weights=False) as (fmodel, diffopt):
        for _ in range(2):
            diffopt.step((fmodel(x) - y).square().mean())
        loss = (fmodel(x) - y).square().mean()
        loss.backward()
    return [loss, [p.grad for p in model.parameters()]]


def step_sgd():
    return _run(torch.optim.SGD)


def step_momentum():
    return _run(torch.optim.SGD, momentum=0.9)


def step_adam():
    return _run(torch.optim.Adam)


def step_monkeypatch():
    model = torch.nn.Linear(2, 1)
    functional = higher.monkeypatch(model)
    weights = [p * 2 for p in model.parameters()]
    return functional(torch.ones(1, 2), params=weights)


def step_learned_rate():
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rate = torch.tensor(0.1, requires_grad=True)
    x = torch.randn(4, 3)
    with higher.innerloop_ctx(model, optimizer, override={"lr": [rate]}) as (fmodel, diffopt):
        diffopt.step(fmodel(x).square().mean())
        fmodel(x).square().mean().backward()
    return rate.grad
