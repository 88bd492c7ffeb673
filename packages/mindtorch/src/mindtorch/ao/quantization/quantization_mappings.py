"""``torch.ao.quantization.quantization_mappings``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
