"""``torch.ao.ns.fx.graph_passes``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
