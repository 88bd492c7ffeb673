"""``torch.ao.quantization.backend_config.backend_config``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
