"""``torch.nn.quantized.modules.functional_modules``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
