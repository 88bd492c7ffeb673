"""``torch.distributed.elastic``: groups of processes that are started again."""
