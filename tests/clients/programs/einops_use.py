"""einops: rearrange, reduce, repeat, einsum, pack, layers."""

import torch
from einops import einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce


def step_rearrange():
    x = torch.arange(48.0).reshape(2, 3, 8)
    return rearrange(x, "b c (h w) -> b (c h) w", h=2)


def step_reduce():
    x = torch.randn(2, 3, 8, 8)
    return [reduce(x, "b c (h 2) (w 2) -> b c h w", how) for how in ("mean", "max", "sum")]


def step_repeat():
    return repeat(torch.arange(3), "n -> n r", r=2)


def step_einsum():
    a, b = torch.randn(2, 3, 4), torch.randn(2, 4, 5)
    return einsum(a, b, "b i k, b k j -> b i j")


def step_pack():
    packed, shapes = pack([torch.randn(2, 3), torch.randn(2, 4, 5)], "b *")
    return [packed, [list(s) for s in shapes], [t.sum() for t in unpack(packed, shapes, "b *")]]


def step_shape():
    return parse_shape(torch.zeros(2, 3, 5), "b c _")


def step_layers():
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3),
        Reduce("b c (h 2) (w 2) -> b c h w", "max"),
        Rearrange("b c h w -> b (c h w)"),
        torch.nn.Linear(4 * 13 * 13, 2),
    )
    loss = model(torch.randn(2, 1, 28, 28)).square().mean()
    loss.backward()
    return [loss, model[0].weight.grad]


def step_einmix():
    mix = EinMix("b t c -> b t d", weight_shape="c d", bias_shape="d", c=4, d=3)
    return mix(torch.randn(2, 5, 4))


def step_script():
    layer = torch.jit.script(Rearrange("b c h -> b (c h)"))
    return layer(torch.arange(24.0).reshape(2, 3, 4))
