"""``torch.utils.benchmark.examples.op_benchmark``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
