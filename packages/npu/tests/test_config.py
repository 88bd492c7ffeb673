"""Allocator settings: values, and the texts of bad ones."""

import warnings

import pytest
from mindtorch_npu.config import UNLIMITED, config

MIB = 1024 * 1024


def test_values_arrive(settings):
    """Several options; blanks and a trailing comma do not matter."""
    settings(
        "max_split_size_mb: 64, garbage_collection_threshold:0.6, pinned_free_catch_all:True,"
        "large_segment_size_mb:32,"
    )
    assert config.max_split_size == 64 * MIB
    assert config.garbage_collection_threshold == 0.6
    assert config.pinned_free_catch_all is True
    assert config.large_segment_size == 32 * MIB


def test_what_is_not_named_keeps_its_value(settings):
    """As in 2.13; earlier versions went back to the defaults."""
    settings("max_split_size_mb:64")
    settings("garbage_collection_threshold:0.6")
    assert config.max_split_size == 64 * MIB
    with pytest.raises(ValueError):
        settings("max_split_size_mb:1")
    assert config.max_split_size == 64 * MIB


def test_intervals_of_divisions(settings):
    """Keys are MB; the first fills all lower ones, > fills to the end from the last one."""
    settings("roundup_power2_divisions:[4:2,16:4,>:8]")
    assert config.roundup_power2_divisions == [2, 2, 2, 0, *[8] * 12]
    settings("roundup_power2_divisions:[256:1,512:2]")
    assert config.roundup_power2_divisions == [*[1] * 9, 2, *[8] * 6]
    settings("roundup_power2_divisions:16")
    assert config.roundup_power2_divisions == [16] * 16


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "max_split_size_mb:19",
            "CachingAllocator option max_split_size_mb too small, must be >= 20",
        ),
        (
            "max_non_split_rounding_mb:3",
            "CachingAllocator option max_non_split_rounding_mb too small, must be >= 20",
        ),
        (
            "large_segment_size_mb:10",
            "CachingAllocator option large_segment_size_mb must be > 10 MB",
        ),
        (
            "garbage_collection_threshold:1.5",
            "garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
        ),
        ("garbage_collection_threshold:x", "stod"),
        ("max_split_size_mb:x", "stoull"),
        ("roundup_power2_divisions:3", "For roundups, the divisions has to be power of 2 "),
        ("roundup_power2_divisions:0", "For roundups, the divisions has to be power of 2 "),
        (
            "roundup_power2_divisions:[256:3]",
            "For roundups, the divisions has to be power of 2 or 0 to disable roundup ",
        ),
        (
            "roundup_power2_divisions:[300:1]",
            "For roundups, the intervals have to be power of 2 ",
        ),
        (
            "expandable_segments:1",
            "Expected 'True' or 'False' at index 2 in ConfigTokenizer but got '1'",
        ),
        ("colour:red", "Unrecognized key 'colour' in NPU allocator config."),
    ],
)
def test_bad_values(settings, text, error):
    """ValueError with the text of 2.13."""
    with pytest.raises(ValueError) as caught:
        settings(text)
    assert str(caught.value) == error


@pytest.mark.parametrize("text", ["max_split_size_mb", "max_split_size_mb:", "colour"])
def test_truncated_text(settings, text):
    """A text that ends too early."""
    if text == "colour":
        with pytest.raises(ValueError):
            settings(text)
        return
    with pytest.raises(RuntimeError, match="Index out of bounds in ConfigTokenizer$"):
        settings(text)


def test_defaults():
    """No limit, no rounding, no collection."""
    assert config.max_split_size == UNLIMITED
    assert config.roundup_power2_divisions == [0] * 16
    assert config.garbage_collection_threshold == 0.0


def test_expandable_segments_are_not_supported(settings, monkeypatch):
    """As on a platform where CUDA has none: said once, and without effect."""
    monkeypatch.setattr("mindtorch_npu.errors.said", set())
    with pytest.warns(UserWarning, match="^expandable_segments not supported on this platform$"):
        settings("expandable_segments:True,max_split_size_mb:40")
    assert not config.expandable_segments
    assert config.max_split_size == 40 * 1024**2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        settings("expandable_segments:True")
        settings("expandable_segments:False")
