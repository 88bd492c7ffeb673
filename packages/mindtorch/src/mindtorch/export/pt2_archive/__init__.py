"""``torch.export.pt2_archive``: files of exported programs."""

from ._package import PT2ArchiveReader, PT2ArchiveWriter, is_pt2_package

__all__ = ["PT2ArchiveReader", "PT2ArchiveWriter", "is_pt2_package"]
