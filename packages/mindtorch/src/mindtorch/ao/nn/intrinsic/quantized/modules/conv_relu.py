"""``torch.ao.nn.intrinsic.quantized.modules.conv_relu``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
