"""``torch.ao.quantization.fx.lower_to_fbgemm``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
