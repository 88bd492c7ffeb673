"""What is known of results without numbers."""

from . import infer

__all__ = ["infer"]
