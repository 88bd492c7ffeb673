"""``torch.ao.ns.fx.qconfig_multi_mapping``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
