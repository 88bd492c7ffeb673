"""``torch.utils.benchmark.examples.op_benchmark``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
