"""``torch.nn.quantized.dynamic.modules.conv``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
