"""``torch.nn.intrinsic.qat.modules.conv_fused``: names that refuse."""

from .....core.unavailable import offer_listed

offer_listed(globals())
