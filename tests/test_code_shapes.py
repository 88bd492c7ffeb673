"""Functions are made of texts, of which those of one text share their code."""

from __future__ import annotations

import pytest
from mindtorch.call import code


def test_functions_of_one_text_share_their_code():
    """They differ in their cells, and cells that the text does not name do no harm."""
    text = "def call(a):\n    return run(a) + more\nreturn call"
    one = code.function(text, {"run": len, "more": 1})
    two = code.function(text, {"more": 2, "run": abs, "unused": 3})
    assert one.__code__ is two.__code__
    assert (one("xyz"), two(-3)) == (4, 5)


def test_a_text_that_lacks_a_cell_is_an_error():
    """No cell is taken for one of another module."""
    call = code.function("return lambda: nobody_knows_this_name", {})
    with pytest.raises(NameError, match="nobody_knows_this_name"):
        call()
