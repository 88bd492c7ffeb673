"""``torch.nativert.backends``: nothing of it is offered to programs."""
