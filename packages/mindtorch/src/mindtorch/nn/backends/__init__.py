"""``torch.nn.backends``: there is nothing in it any more."""
