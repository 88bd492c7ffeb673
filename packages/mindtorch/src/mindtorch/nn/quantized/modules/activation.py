"""``torch.nn.quantized.modules.activation``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
