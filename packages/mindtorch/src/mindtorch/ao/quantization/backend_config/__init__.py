"""``torch.ao.quantization.backend_config``: what backends can quantize, and how."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
