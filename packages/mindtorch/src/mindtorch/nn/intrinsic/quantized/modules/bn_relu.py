"""``torch.nn.intrinsic.quantized.modules.bn_relu``: names that refuse."""

from .....core.unavailable import offer_listed

offer_listed(globals())
