"""The persistent ids by which pickles name storages."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st


def storage_identity(identity: Any) -> tuple[Any, Any, str, int]:
    """dtype, key, location and numel of a persistent id, all checked but the key.

    Raises AssertionError, ValueError or TypeError for one that is none.
    """
    if not isinstance(identity, tuple):
        raise AssertionError(f"saved_id must be a tuple, got {type(identity).__name__}")
    if not identity or decoded(identity[0]) != "storage":
        raise AssertionError(
            "Unknown typename for persistent_load, expected 'storage' but got "
            f"'{identity[0] if identity else None}'"
        )
    if len(identity) != 5:
        raise ValueError(f"a storage is named by 4 facts, the file has {len(identity) - 1}")
    _, kind, key, location, numel = identity
    location = decoded(location)
    if type(numel) is not int or numel < 0:
        raise TypeError(f"the size of a storage must be an int from 0 on, not {numel!r:.80}")
    if not isinstance(location, str):
        raise TypeError(f"expected string or bytes-like object, got '{type(location).__name__}'")
    if not isinstance(key, (str, int, bytes)):
        raise TypeError(f"the key of a storage must be a str, not {type(key).__name__}")
    dtype = st.uint8 if kind is st.UntypedStorage else getattr(kind, "dtype", None)
    if not isinstance(dtype, st.DType):
        raise TypeError(f"{kind!r:.80} is no storage class")
    return dtype, key, location, numel


def decoded(text: Any) -> Any:
    """Python 2's pickles have bytes where we have str."""
    return text.decode("ascii") if isinstance(text, bytes) else text
