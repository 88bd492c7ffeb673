"""``torch.package.analyze.find_first_use_of_broken_modules``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
