"""``torch.numa``: nothing of it is offered to programs."""
