"""``torch.ao.pruning.scheduler``: how many numbers become zero, from epoch to epoch."""
