"""``torch.utils.benchmark.examples.spectral_ops_fuzz_test``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
