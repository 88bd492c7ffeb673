"""``torch._opaque_base``: the base of classes whose objects traces do not look into."""

from mindtorch._library.opaque_object import OpaqueBase, OpaqueBaseMeta

__all__ = ["OpaqueBase", "OpaqueBaseMeta"]
