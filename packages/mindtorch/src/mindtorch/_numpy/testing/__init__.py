"""``torch._numpy.testing``: assertions about arrays."""

from __future__ import annotations

from .utils import (
    HAS_REFCOUNT,
    IS_WASM,
    _gen_alignment_data,
    assert_,
    assert_allclose,
    assert_almost_equal,
    assert_array_almost_equal,
    assert_array_equal,
    assert_array_less,
    assert_equal,
    assert_raises_regex,
    assert_warns,
    suppress_warnings,
)

__all__ = [
    "HAS_REFCOUNT",
    "IS_WASM",
    "_gen_alignment_data",
    "assert_",
    "assert_allclose",
    "assert_almost_equal",
    "assert_array_almost_equal",
    "assert_array_equal",
    "assert_array_less",
    "assert_equal",
    "assert_raises_regex",
    "assert_warns",
    "suppress_warnings",
]
