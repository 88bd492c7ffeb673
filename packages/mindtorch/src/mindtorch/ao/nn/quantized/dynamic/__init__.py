"""``torch.ao.nn.quantized.dynamic``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
