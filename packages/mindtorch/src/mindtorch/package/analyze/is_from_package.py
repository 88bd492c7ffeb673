"""``torch.package.analyze.is_from_package``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
