"""``torch.distributed.checkpoint.quantized_hf_storage``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
