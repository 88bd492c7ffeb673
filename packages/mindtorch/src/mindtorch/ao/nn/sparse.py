"""``torch.ao.nn.sparse``: modules of sparse quantized numbers, which are not here."""
