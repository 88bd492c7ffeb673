"""``torch.nn.intrinsic.quantized.dynamic.modules.linear_relu``: names that refuse."""

from ......core.unavailable import offer_listed

offer_listed(globals())
