"""``torch.ao.ns.fx.qconfig_multi_mapping``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
