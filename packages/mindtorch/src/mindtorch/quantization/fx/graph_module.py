"""``torch.quantization.fx.graph_module``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
