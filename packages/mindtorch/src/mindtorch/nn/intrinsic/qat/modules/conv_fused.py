"""``torch.nn.intrinsic.qat.modules.conv_fused``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
