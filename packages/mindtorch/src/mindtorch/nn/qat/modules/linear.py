"""``torch.nn.qat.modules.linear``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
