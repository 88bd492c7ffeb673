"""``torch._export.passes``: changes of exported graphs."""
