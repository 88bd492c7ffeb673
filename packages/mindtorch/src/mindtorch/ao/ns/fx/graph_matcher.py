"""``torch.ao.ns.fx.graph_matcher``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
