"""Split tensors before ``DTensor``."""
