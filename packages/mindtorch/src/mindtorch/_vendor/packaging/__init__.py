"""``torch._vendor.packaging``: versions."""
