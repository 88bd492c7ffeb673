"""``torch.nn.intrinsic.quantized.modules.bn_relu``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
