"""``torch.quantization.fuser_method_mappings``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
