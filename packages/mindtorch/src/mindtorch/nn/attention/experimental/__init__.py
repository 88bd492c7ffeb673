"""``torch.nn.attention.experimental``: nothing of it is offered to programs."""
