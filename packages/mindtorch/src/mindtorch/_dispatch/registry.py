"""Every op by name: its schema and its kernels."""

from mindtorch_dispatch import Operator, Registry, registry

__all__ = ["Operator", "Registry", "registry"]
