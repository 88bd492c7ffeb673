"""``torch.backends.xeon``: the launcher for Intel's processors is not here."""
