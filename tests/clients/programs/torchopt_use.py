"""torchopt: functional optimizers, differentiable ones, schedules, implicit gradients."""

import torch
import torchopt
from torch import func, nn


def _problem():
    net = nn.Linear(4, 2)
    x, y = torch.randn(8, 4), torch.randn(8, 2)
    return net, x, y


def step_functional():
    found = {}
    for name in ("adam", "adamw", "sgd", "rmsprop", "adagrad", "adamax", "radam", "adadelta"):
        torch.manual_seed(0)
        net, x, y = _problem()
        params = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
        optimizer = getattr(torchopt, name)(lr=0.1)
        state = optimizer.init(params)
        for _ in range(4):
            loss = (func.functional_call(net, params, (x,)) - y).square().mean()
            grads = dict(zip(params, torch.autograd.grad(loss, tuple(params.values()))))
            updates, state = optimizer.update(grads, state, params=params, inplace=False)
            params = torchopt.apply_updates(params, updates, inplace=False)
        found[name] = [loss, params["weight"]]
    return found


def step_stateful():
    found = []
    for kind in (torchopt.Adam, torchopt.SGD, torchopt.RMSProp, torchopt.AdamW):
        net, x, y = _problem()
        optimizer = kind(net.parameters(), lr=0.05)
        for _ in range(3):
            loss = (net(x) - y).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        found.append([loss, net.weight])
    return found


def step_meta():
    net, x, y = _problem()
    scale = torch.tensor(1.0, requires_grad=True)
    optimizer = torchopt.MetaAdam(net, lr=0.1)
    before = torchopt.extract_state_dict(net), torchopt.extract_state_dict(optimizer)
    for _ in range(3):
        optimizer.step((scale * (net(x) - y)).square().mean())
    outer = (net(x) - y).square().mean()
    outer.backward()
    torchopt.recover_state_dict(net, before[0])
    torchopt.recover_state_dict(optimizer, before[1])
    return [outer, scale.grad, net.weight]


def step_schedule():
    schedule = torchopt.schedule.linear_schedule(
        init_value=0.1, end_value=0.01, transition_steps=4, transition_begin=1
    )
    net, x, y = _problem()
    optimizer = torchopt.Adam(net.parameters(), lr=schedule)
    for _ in range(5):
        loss = (net(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [loss, net.weight, [schedule(i) for i in range(6)]]


def step_chain():
    net, x, y = _problem()
    transform = torchopt.combine.chain(
        torchopt.clip.clip_grad_norm(max_norm=0.5), torchopt.sgd(lr=0.1, momentum=0.9)
    )
    optimizer = torchopt.Optimizer(net.parameters(), transform)
    for _ in range(3):
        loss = (net(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight


def step_implicit():
    @torchopt.diff.implicit.custom_root(lambda p, s, x: 2 * (p - s * x), argnums=1)
    def solve(params, scale, x):
        return (scale * x).detach()

    scale = torch.tensor(2.0, requires_grad=True)
    out = solve(torch.zeros(3), scale, torch.arange(3.0))
    out.sum().backward()
    return [out, scale.grad]


def step_zero_order():
    @torchopt.diff.zero_order(
        distribution=torch.distributions.Normal(0.0, 1.0),
        method="forward",
        argnums=0,
        num_samples=10,
        sigma=0.01,
    )
    def value(p, x):
        return (p * x).square().sum()

    p = torch.ones(3, requires_grad=True)
    value(p, torch.arange(3.0)).backward()
    return p.grad


def step_trees():
    tree = {"a": torch.ones(2), "b": [torch.arange(3.0), None]}
    other = torchopt.pytree.tree_map(lambda t: t * 2, tree)
    return [
        torchopt.pytree.tree_vdot_real({"a": torch.ones(2)}, {"a": other["a"]}),
        other["b"][0],
        torchopt.pytree.tree_add(tree, other)["a"],
    ]


def step_linear_solve():
    a = torch.randn(4, 4)
    a = a @ a.T + torch.eye(4)
    b = torch.randn(4)
    cg = torchopt.linear_solve.solve_cg(maxiter=20)
    return [
        cg(lambda v: a @ v, b),
        torch.linalg.solve(a, b),
        torchopt.linear_solve.solve_inv()(lambda v: a @ v, b),
    ]
