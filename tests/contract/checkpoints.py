"""Files for the tests of ``save`` and ``load``."""

from __future__ import annotations

import io
import zipfile
from typing import Any


def saved(lib: Any, obj: Any, **kwargs: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    lib.save(obj, buffer, **kwargs)
    buffer.seek(0)
    return buffer


def archive(pickled: bytes, records: dict[str, bytes] | None = None, **kwargs: Any) -> io.BytesIO:
    """An archive with any pickle in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", **kwargs) as z:
        z.writestr("archive/data.pkl", pickled)
        if "version" not in (records or {}):
            z.writestr("archive/version", "3\n")
        for name, data in (records or {}).items():
            z.writestr(f"archive/{name}", data)
    buffer.seek(0)
    return buffer
