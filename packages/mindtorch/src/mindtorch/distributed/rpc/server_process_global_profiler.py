"""``torch.distributed.rpc.server_process_global_profiler``: names that refuse."""

from mindtorch.core.unavailable import offer_listed

offer_listed(globals())
