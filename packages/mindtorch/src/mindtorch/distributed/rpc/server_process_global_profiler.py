"""``torch.distributed.rpc.server_process_global_profiler``: names that refuse."""

from mindtorch._unavailable import offer_listed

offer_listed(globals())
