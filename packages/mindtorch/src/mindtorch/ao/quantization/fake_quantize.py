"""``torch.ao.quantization.fake_quantize``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
