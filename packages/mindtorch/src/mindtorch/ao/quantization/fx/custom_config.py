"""``torch.ao.quantization.fx.custom_config``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
