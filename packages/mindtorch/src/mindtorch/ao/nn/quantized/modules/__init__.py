"""``torch.ao.nn.quantized.modules``: layers of quantized tensors, and names that refuse."""

from mindtorch.core.unavailable import offer_listed

from .boundaries import DeQuantize, Quantize

__all__ = ["DeQuantize", "Quantize"]

offer_listed(globals())
