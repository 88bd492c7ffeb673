"""torchsde: solvers and adjoints."""

import torch
import torchsde


class SDE(torch.nn.Module):
    noise_type = "diagonal"

    def __init__(self, sde_type):
        super().__init__()
        self.sde_type = sde_type
        self.mu, self.sigma = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)

    def f(self, t, y):
        return self.mu(y)

    def g(self, t, y):
        return self.sigma(y).sigmoid()


def _solve(method, sde_type="ito", adjoint=False):
    torch.manual_seed(0)
    sde, y0 = SDE(sde_type), torch.ones(2, 3)
    brownian = torchsde.BrownianInterval(
        0.0, 1.0, size=(2, 3), entropy=1, levy_area_approximation="space-time"
    )
    solve = torchsde.sdeint_adjoint if adjoint else torchsde.sdeint
    out = solve(sde, y0, torch.linspace(0, 1, 4), bm=brownian, method=method, dt=0.1)
    out.square().mean().backward()
    return [out, [p.grad for p in sde.parameters()]]


def step_euler():
    return _solve("euler")


def step_milstein():
    return _solve("milstein")


def step_srk():
    return _solve("srk")


def step_midpoint():
    return _solve("midpoint", "stratonovich")


def step_reversible_heun():
    return _solve("reversible_heun", "stratonovich")


def step_adjoint():
    return _solve("midpoint", "stratonovich", adjoint=True)


def step_brownian():
    path = torchsde.BrownianPath(t0=0.0, w0=torch.zeros(2))
    return path(0.5).shape
