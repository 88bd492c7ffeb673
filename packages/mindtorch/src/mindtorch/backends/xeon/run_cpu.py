"""``torch.backends.xeon.run_cpu``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
