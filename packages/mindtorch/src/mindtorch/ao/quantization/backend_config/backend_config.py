"""``torch.ao.quantization.backend_config.backend_config``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
