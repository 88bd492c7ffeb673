"""``torch.utils.benchmark.examples.spectral_ops_fuzz_test``: names that refuse."""

from ....core.unavailable import offer_listed

offer_listed(globals())
