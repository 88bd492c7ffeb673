"""How many bytes of gradients a bucket of ``DistributedDataParallel`` holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...distributed._c10d.buckets import _DEFAULT_FIRST_BUCKET_BYTES
from ...distributed._c10d.reducer import NO_LIMIT

__all__ = ["_DEFAULT_BUCKET_CAP_MB", "_MB_TO_BYTES", "_BucketCapacityConfig"]

_DEFAULT_BUCKET_CAP_MB = 25
_MB_TO_BYTES = 1024 * 1024


@dataclass(frozen=True)
class _BucketCapacityConfig:
    """The sizes of buckets that the arguments of ``DistributedDataParallel`` ask for.

    :ivar bucket_bytes_cap: the size of a bucket.
    :ivar per_bucket_bytes_caps: the size of each bucket in turn, where the caller lists them.
    :ivar first_bucket_bytes_cap: the size of the first bucket, which waits for the last gradients
        and is smaller unless the caller names sizes.
    """

    bucket_bytes_cap: int
    per_bucket_bytes_caps: tuple[int, ...]
    first_bucket_bytes_cap: int

    @classmethod
    def create(
        cls,
        bucket_cap_mb: float | None,
        bucket_cap_mb_list: Sequence[float] | None,
        use_python_reducer: bool,
    ) -> _BucketCapacityConfig:
        """The sizes for these megabytes: of each bucket in turn, of all, or the default.

        Raises AssertionError for a list where gradients are reduced in Python.
        """
        if not bucket_cap_mb_list:
            size = _DEFAULT_BUCKET_CAP_MB if bucket_cap_mb is None else bucket_cap_mb
            cap = int(size * _MB_TO_BYTES)
            return cls(cap, (), _DEFAULT_FIRST_BUCKET_BYTES if bucket_cap_mb is None else cap)
        if use_python_reducer:
            raise AssertionError("when using bucket_cap_mb_list, python reducer is not supported")
        caps = tuple(int(size * _MB_TO_BYTES) for size in bucket_cap_mb_list)
        return cls(max(caps), caps, max(caps))

    @property
    def bucket_cap_mb(self) -> int:
        """The size of a bucket in whole megabytes."""
        return self.bucket_bytes_cap // _MB_TO_BYTES

    @property
    def has_custom_per_bucket_caps(self) -> bool:
        """Whether the caller lists sizes."""
        return bool(self.per_bucket_bytes_caps)

    def compute_bucket_size_limits(
        self, static_graph: bool, find_unused_parameters: bool
    ) -> tuple[list[int], list[int]]:
        """The sizes in the first backward, and those later; none: what the reducer takes itself."""
        listed = list(self.per_bucket_bytes_caps)
        if listed:
            return listed, listed
        if static_graph or not find_unused_parameters:
            # Gradients may come in any order: nothing goes before all are there.
            return [NO_LIMIT], []
        if self.first_bucket_bytes_cap < self.bucket_bytes_cap:
            return [self.first_bucket_bytes_cap, self.bucket_bytes_cap], []
        return [self.bucket_bytes_cap], []
