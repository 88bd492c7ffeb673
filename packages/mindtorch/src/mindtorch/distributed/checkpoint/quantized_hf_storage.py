"""``torch.distributed.checkpoint.quantized_hf_storage``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
