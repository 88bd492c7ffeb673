"""``torch.ao.quantization.fx.lstm_utils``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
