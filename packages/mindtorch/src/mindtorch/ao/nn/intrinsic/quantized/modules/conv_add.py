"""``torch.ao.nn.intrinsic.quantized.modules.conv_add``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
