"""``torch.distributed.nn.api``: modules of other workers."""
