"""``torch.ao.ns.fx.n_shadows_utils``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
