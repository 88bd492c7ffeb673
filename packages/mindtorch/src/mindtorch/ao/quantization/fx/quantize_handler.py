"""``torch.ao.quantization.fx.quantize_handler``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
