"""``torch.ao.nn.qat.modules.linear``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
