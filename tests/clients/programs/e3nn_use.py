"""e3nn and torchinfo: equivariant layers; summaries of models."""

import torch
from e3nn import nn as enn
from e3nn import o3
from torch import nn
from torchinfo import summary


def step_irreps():
    a = o3.Irreps("4x0e + 2x1o + 1x2e")
    return [
        str(a),
        a.dim,
        a.lmax,
        str(a.simplify()),
        str((a + a).sort().irreps),
        [str(s) for s in a.slices()],
        str(a * 2),
        a.num_irreps,
        str(o3.Irreps.spherical_harmonics(3)),
        a.randn(2, -1),
        [str(i) for i in o3.Irrep("1o") * o3.Irrep("2e")],
    ]


def step_rotations():
    angles = o3.rand_angles(3)
    matrix = o3.angles_to_matrix(*angles)
    return [
        matrix,
        o3.matrix_to_angles(matrix),
        o3.angles_to_quaternion(*angles),
        o3.rand_matrix(2),
        o3.matrix_to_axis_angle(matrix),
        o3.Irreps("1x0e+1x1o+1x2e").D_from_matrix(matrix),
        o3.wigner_D(2, *angles),
        o3.wigner_3j(1, 1, 2),
        o3.rand_quaternion(2),
        o3.compose_angles(*angles, *angles),
    ]


def step_spherical_harmonics():
    x = torch.randn(4, 3, requires_grad=True)
    y = o3.spherical_harmonics([0, 1, 2, 3], x, normalize=True, normalization="component")
    y.square().sum().backward()
    return [y, x.grad, o3.SphericalHarmonics("1o+2e", True)(x)]


def step_tensor_products():
    a, b = o3.Irreps("3x0e+2x1o"), o3.Irreps("1x0e+1x1o")
    x, y, found = a.randn(5, -1).requires_grad_(), b.randn(5, -1), []
    for make in (
        lambda: o3.FullyConnectedTensorProduct(a, b, "2x0e+2x1o"),
        lambda: o3.FullTensorProduct(a, b),
        lambda: o3.ElementwiseTensorProduct(a, "3x0e+2x0e"),
    ):
        product = make()
        second = y if product.irreps_in2 == b else product.irreps_in2.randn(5, -1)
        out = product(x, second)
        grads = torch.autograd.grad(out.square().sum(), x, retain_graph=True)
        if product.weight_numel:
            grads += torch.autograd.grad(out.square().sum(), product.weight)
        found.append([out, str(product.irreps_out), grads, repr(product)])
    return found


def step_equivariance():
    product = o3.FullyConnectedTensorProduct("2x0e+1x1o", "1x1o", "1x0e+1x1o+1x2e")
    rotation = o3.rand_matrix()
    x, y = product.irreps_in1.randn(3, -1), product.irreps_in2.randn(3, -1)
    d1, d2, out = (
        i.D_from_matrix(rotation)
        for i in (product.irreps_in1, product.irreps_in2, product.irreps_out)
    )
    return (product(x @ d1.T, y @ d2.T) - product(x, y) @ out.T).abs().max() < 1e-4


def step_linear_and_norm():
    irreps = o3.Irreps("4x0e+2x1o")
    x = irreps.randn(6, -1)
    linear = o3.Linear(irreps, "2x0e+3x1o", biases=True)
    norm, extract = enn.BatchNorm(irreps), o3.Norm(irreps)
    return [
        linear(x),
        norm(x),
        norm.eval()(x),
        extract(x),
        enn.Dropout(irreps, 0.5).eval()(x),
        enn.NormActivation(irreps, torch.sigmoid)(x),
        o3.Linear(irreps, irreps, shared_weights=False, internal_weights=False).weight_numel,
    ]


def step_gates():
    gate = enn.Gate("4x0e", [torch.tanh], "2x0e", [torch.sigmoid], "2x1o")
    x = gate.irreps_in.randn(3, -1)
    activation = enn.Activation("2x0e+1x0o", [torch.relu, torch.tanh])
    return [
        gate(x),
        str(gate.irreps_out),
        activation(activation.irreps_in.randn(2, -1)),
        repr(gate),
    ]


def step_network():
    """One message passing over a small cloud of points."""
    pos = torch.randn(6, 3)
    near = (torch.cdist(pos, pos) < 2.5) & ~torch.eye(6, dtype=torch.bool)
    src, dst = near.nonzero().T
    sh = o3.spherical_harmonics("0e+1o", pos[src] - pos[dst], True, normalization="component")
    product = o3.FullyConnectedTensorProduct(
        "2x0e+1x1o", "0e+1o", "2x0e+1x1o", shared_weights=False
    )
    radial = enn.FullyConnectedNet([4, 8, product.weight_numel], torch.nn.functional.silu)
    from e3nn.math import soft_one_hot_linspace

    length = soft_one_hot_linspace(
        (pos[src] - pos[dst]).norm(dim=1), 0.0, 2.5, 4, basis="gaussian", cutoff=True
    )
    x = product.irreps_in1.randn(6, -1)
    message = product(x[src], sh, radial(length))
    out = torch.zeros(6, product.irreps_out.dim).index_add_(0, dst, message)
    out.sum().backward()
    return [out, [p.grad for p in radial.parameters()]]


def step_change_of_basis():
    from e3nn.io import CartesianTensor

    tensor = CartesianTensor("ij=ji")
    t = torch.randn(3, 3)
    sym = tensor.from_cartesian((t + t.T) / 2)
    return [
        str(tensor),
        sym,
        tensor.to_cartesian(sym),
        o3.ReducedTensorProducts("ij=-ji", i="1o").change_of_basis,
    ]


def step_s2_grid():
    from e3nn.o3 import FromS2Grid, ToS2Grid

    to = ToS2Grid(2, res=8)
    x = torch.randn(2, 9)
    grid = to(x)
    return [grid, FromS2Grid((8, 7), 2)(ToS2Grid(2, res=(8, 7))(x))]


def step_summary():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 4, 3)
            self.lstm = nn.LSTM(6, 5)
            self.scale = nn.Parameter(torch.ones(1))

        def forward(self, x):
            return self.lstm(self.conv(x).flatten(0, 2).unsqueeze(1))[0] * self.scale

    model = nn.Sequential(
        nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 2), nn.Dropout(0.1))
    )
    columns = (
        "input_size",
        "output_size",
        "num_params",
        "kernel_size",
        "mult_adds",
        "trainable",
        "params_percent",
    )
    a = summary(model, (3, 8), verbose=0)
    b = summary(
        Two(),
        input_size=(1, 1, 8, 8),
        verbose=0,
        col_names=columns,
        depth=4,
        row_settings=("var_names", "depth"),
    )
    c = summary(model, verbose=0)
    d = summary(
        model.requires_grad_(False),
        input_data=torch.ones(2, 8),
        verbose=0,
        mode="eval",
        dtypes=[torch.float],
    )
    e = summary(nn.Transformer(8, 2, 1, 1, 16), [(4, 1, 8), (4, 1, 8)], verbose=0, depth=3)
    return [str(s) for s in (a, b, c, d, e)] + [
        a.total_params,
        b.total_mult_adds,
        a.total_output_bytes,
    ]
