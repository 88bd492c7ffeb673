"""``torch.quantization.fx.quantization_patterns``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
