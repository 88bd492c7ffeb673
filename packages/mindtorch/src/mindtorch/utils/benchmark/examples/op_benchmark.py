"""``torch.utils.benchmark.examples.op_benchmark``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
