"""``torch.ao.quantization.fx.qconfig_mapping_utils``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
