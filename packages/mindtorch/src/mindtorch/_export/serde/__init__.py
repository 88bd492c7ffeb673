"""``torch._export.serde``: exported programs as JSON."""
