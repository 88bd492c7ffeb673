"""Every op by name: its schema and its kernels."""

from mindtorch_dispatch import Operator, Registry, registry

from .keys import dispatch_key_from_string

__all__ = ["Operator", "Registry", "dispatch_key_from_string", "registry"]
