"""torch-pruning, thop, lpips, pytorch-msssim, backpack: pruning, counts, likeness, curvature."""

import backpack
import lpips
import thop
import torch
import torch_pruning as tp
from backpack import extensions
from pytorch_msssim import MS_SSIM, SSIM, ms_ssim, ssim
from torch import nn


def _net():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.Conv2d(8, 6, 3),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(6, 4),
    )


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.a, self.b = (
            nn.Conv2d(3, 8, 3),
            nn.Conv2d(8, 8, 3, padding=1),
            nn.Conv2d(8, 8, 3, padding=1),
        )
        self.norm, self.last = nn.BatchNorm2d(8), nn.Linear(16, 3)

    def forward(self, x):
        x = self.first(x)
        y = self.norm(x + self.b(self.a(x).relu()))
        return self.last(torch.cat([x, y], 1).mean((2, 3)))


def step_dependency_graph():
    net = Residual()
    graph = tp.DependencyGraph().build_dependency(net, torch.randn(1, 3, 12, 12))
    group = graph.get_pruning_group(net.first, tp.prune_conv_out_channels, idxs=[1, 4])
    text = str(group)
    group.prune()
    return [text, str(net), net(torch.randn(1, 3, 12, 12))]


def step_pruners():
    found = {}
    for importance in (
        tp.importance.MagnitudeImportance(p=2),
        tp.importance.LAMPImportance(),
        tp.importance.BNScaleImportance(),
        tp.importance.FPGMImportance(),
    ):
        torch.manual_seed(1)
        net = Residual()
        x = torch.randn(1, 3, 12, 12)
        pruner = tp.pruner.MagnitudePruner(
            net, x, importance, pruning_ratio=0.5, ignored_layers=[net.last]
        )
        pruner.step()
        found[type(importance).__name__] = [
            net.first.weight.shape[0],
            net(x),
            *tp.utils.count_ops_and_params(net, x),
        ]
    return found


def step_taylor():
    net, x = Residual(), torch.randn(2, 3, 12, 12)
    pruner = tp.pruner.MagnitudePruner(
        net,
        x,
        tp.importance.TaylorImportance(),
        pruning_ratio=0.25,
        ignored_layers=[net.last],
        iterative_steps=2,
    )
    for _ in range(2):
        net.zero_grad()
        net(x).square().sum().backward()
        pruner.step()
    return [list(p.shape) for p in net.parameters()]


def step_thop():
    return list(thop.profile(_net(), (torch.randn(1, 3, 8, 8),), verbose=False))


def step_ssim():
    a, b = torch.rand(2, 3, 32, 32, requires_grad=True), torch.rand(2, 3, 32, 32)
    value = ssim(a, b, data_range=1.0, size_average=False)
    value.sum().backward()
    big = torch.rand(1, 1, 176, 176)
    return [
        value,
        a.grad.sum(),
        SSIM(data_range=1.0, channel=3)(a, b),
        ms_ssim(big, big * 0.9, data_range=1.0),
        MS_SSIM(data_range=1.0, channel=1)(big, big.flip(2)),
    ]


def step_lpips():
    net = lpips.LPIPS(net="squeeze", pretrained=False, pnet_rand=True, verbose=False)
    a, b = torch.rand(1, 3, 32, 32, requires_grad=True), torch.rand(1, 3, 32, 32)
    value = net(a, b, normalize=True)
    value.sum().backward()
    return [value, a.grad.abs().sum()]


def step_backpack_first_order():
    net = backpack.extend(
        nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(18, 3))
    )
    loss_of = backpack.extend(nn.CrossEntropyLoss())
    x, y = torch.randn(4, 1, 5, 5), torch.tensor([0, 1, 2, 1])
    with backpack.backpack(
        extensions.BatchGrad(),
        extensions.Variance(),
        extensions.SumGradSquared(),
        extensions.BatchL2Grad(),
    ):
        loss_of(net(x), y).backward()
    return [
        [p.grad, p.grad_batch.sum(0), p.variance, p.sum_grad_squared, p.batch_l2]
        for p in net.parameters()
    ]


def step_backpack_second_order():
    net = backpack.extend(nn.Sequential(nn.Linear(5, 4), nn.Sigmoid(), nn.Linear(4, 3)))
    loss_of = backpack.extend(nn.CrossEntropyLoss())
    x, y = torch.randn(4, 5), torch.tensor([0, 1, 2, 1])
    with backpack.backpack(
        extensions.DiagGGNExact(),
        extensions.DiagHessian(),
        extensions.KFLR(),
        extensions.GGNMP(),
        extensions.BatchDiagGGNExact(),
    ):
        loss_of(net(x), y).backward()
    return [
        [
            p.diag_ggn_exact,
            p.diag_h,
            p.kflr,
            p.diag_ggn_exact_batch,
            p.ggnmp(torch.ones(1, *p.shape)),
        ]
        for p in net.parameters()
    ]
