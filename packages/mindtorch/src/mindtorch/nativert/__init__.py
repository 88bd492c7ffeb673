"""``torch.nativert``: nothing of it is offered to programs."""
