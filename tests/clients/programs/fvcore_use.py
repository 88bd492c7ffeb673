"""fvcore: operations, activations and parameters are counted, by module and by operator."""

import torch
from fvcore.nn import (
    ActivationCountAnalysis,
    FlopCountAnalysis,
    flop_count,
    flop_count_table,
    parameter_count,
    sigmoid_focal_loss,
)
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.head = nn.Linear(4, 5)
        self.never = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.up(self.stem(x)).mean((2, 3)))


def counted(model, *inputs):
    flops = FlopCountAnalysis(model, inputs).unsupported_ops_warnings(False)
    return flops.uncalled_modules_warnings(False)


def step_operations():
    flops = counted(Net().eval(), torch.randn(2, 3, 16, 16))
    return flops.total(), sorted(flops.by_operator().items()), sorted(flops.by_module().items())


def step_what_is_not_counted():
    flops = counted(Net().eval(), torch.randn(2, 3, 16, 16))
    flops.total()
    return sorted(flops.unsupported_ops().items()), sorted(flops.uncalled_modules())


def step_activations():
    found = ActivationCountAnalysis(Net().eval(), (torch.randn(2, 3, 16, 16),))
    return found.total(), sorted(found.by_module().items())


def step_table():
    return flop_count_table(counted(Net().eval(), torch.randn(1, 3, 8, 8)), max_depth=2)


def step_attention():
    layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
    flops = counted(layer, torch.randn(2, 5, 16))
    return flops.total(), sorted(flops.by_operator().items()), sorted(flops.by_module().items())


def step_handles_of_a_program():
    flops = counted(Net().eval(), torch.randn(2, 3, 16, 16))
    flops.set_op_handle("aten::relu", lambda inputs, outputs: outputs[0].type().sizes()[1])
    return flops.by_operator()["relu"], flops.by_module()["stem.2"]


def step_einsum_and_products():
    class Products(nn.Module):
        def forward(self, a, b):
            return torch.einsum("bij,bjk->bik", a, b) + a @ b + torch.bmm(a, b)

    return sorted(
        counted(Products(), torch.ones(2, 3, 4), torch.ones(2, 4, 3)).by_operator().items()
    )


def step_older_function():
    found, skipped = flop_count(Net().eval(), (torch.randn(1, 3, 8, 8),))
    return sorted(found.items()), sorted(skipped.items())


def step_parameters():
    return sorted(parameter_count(Net()).items())


def step_focal_loss():
    torch.manual_seed(0)
    x = torch.randn(4, 3, requires_grad=True)
    loss = sigmoid_focal_loss(x, (torch.rand(4, 3) > 0.5).float(), alpha=0.25, reduction="mean")
    loss.backward()
    return loss, x.grad
