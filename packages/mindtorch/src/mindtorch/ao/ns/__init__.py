"""``torch.ao.ns``: comparisons of quantized and other models, which are not here."""
