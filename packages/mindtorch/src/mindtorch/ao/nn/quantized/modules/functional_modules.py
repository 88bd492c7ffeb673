"""``torch.ao.nn.quantized.modules.functional_modules``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
