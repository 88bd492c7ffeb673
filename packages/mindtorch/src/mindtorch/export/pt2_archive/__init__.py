"""``torch.export.pt2_archive``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
