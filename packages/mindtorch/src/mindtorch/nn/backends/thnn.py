"""``torch.nn.backends.thnn``: what old programs import; there is nothing behind it."""
