"""``torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
