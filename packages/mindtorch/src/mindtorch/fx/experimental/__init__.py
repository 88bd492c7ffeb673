"""``torch.fx.experimental``: capturing graphs of operators."""
