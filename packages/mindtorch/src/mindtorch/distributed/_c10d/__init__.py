"""What torch keeps in ``torch._C._distributed_c10d``: stores, reductions, works, process groups."""
