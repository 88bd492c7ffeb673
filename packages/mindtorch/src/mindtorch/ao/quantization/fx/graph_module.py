"""``torch.ao.quantization.fx.graph_module``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
