"""``torch.ao.quantization.fx.lower_to_qnnpack``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
