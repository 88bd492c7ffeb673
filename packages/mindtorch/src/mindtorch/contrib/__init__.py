"""``torch.contrib``: nothing of it is offered to programs."""
