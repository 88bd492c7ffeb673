"""Ops of one's own: what stands behind :mod:`mindtorch.library`, one module per subject."""
