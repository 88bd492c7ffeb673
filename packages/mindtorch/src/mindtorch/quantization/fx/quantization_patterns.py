"""``torch.quantization.fx.quantization_patterns``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
