"""torchdiffeq: solvers, adjoint gradients, events."""

import torch
from torchdiffeq import odeint, odeint_adjoint, odeint_event


class Spiral(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2)
        )

    def forward(self, t, y):
        return self.net(y**3)


def _solve(method, adjoint=False, **options):
    func = Spiral()
    y0, t = torch.tensor([[2.0, 0.0]]), torch.linspace(0.0, 1.0, 5)
    solver = odeint_adjoint if adjoint else odeint
    out = solver(func, y0, t, method=method, **options)
    out.square().sum().backward()
    return [out, [p.grad for p in func.parameters()]]


def step_dopri5():
    return _solve("dopri5")


def step_rk4():
    return _solve("rk4", options={"step_size": 0.1})


def step_euler():
    return _solve("euler")


def step_adams():
    return _solve("implicit_adams", options={"step_size": 0.1})


def step_dopri8():
    return _solve("dopri8")


def step_bosh3():
    return _solve("bosh3")


def step_adjoint():
    return _solve("dopri5", adjoint=True)


def step_event():
    def fall(t, state):
        return torch.stack([state[1], torch.full_like(state[1], -9.8)])

    t, states = odeint_event(
        fall, torch.tensor([10.0, 0.0]), torch.tensor(0.0), event_fn=lambda t, s: s[0]
    )
    return [t, states]


def step_tuple_state():
    def f(t, state):
        a, b = state
        return -a, a - b

    out = odeint(f, (torch.ones(2), torch.zeros(3, 2)), torch.linspace(0, 1, 3))
    return list(out)
