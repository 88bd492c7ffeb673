"""``torch.utils.benchmark.examples.simple_timeit``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
