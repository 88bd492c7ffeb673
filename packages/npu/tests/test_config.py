"""Allocator settings: values, and the texts of bad ones."""

import warnings

import pytest
from mindtorch_npu.allocator_config import UNLIMITED, config

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


def test_what_is_not_named(settings):
    """Limits of splitting, rounding and collection begin anew; the others keep their values."""
    settings("roundup_power2_divisions:4,garbage_collection_threshold:0.5,large_segment_size_mb:32")
    settings("max_split_size_mb:64,max_non_split_rounding_mb:48")
    assert config.roundup_power2_divisions == [0] * 16
    assert config.garbage_collection_threshold == 0.0
    assert config.large_segment_size == 32 * MIB
    with pytest.raises(ValueError):
        settings("garbage_collection_threshold:0.6,max_split_size_mb:1")
    assert config.max_split_size == 64 * MIB
    assert config.garbage_collection_threshold == 0.0
    settings("")
    assert config.max_split_size == UNLIMITED
    assert config.max_non_split_rounding == 32 * MIB


def test_intervals_of_divisions(settings):
    """Keys are MB; the first fills all lower ones, > fills all after the last one."""
    settings("roundup_power2_divisions:[4:2,16:4,>:8]")
    assert config.roundup_power2_divisions == [2, 2, 2, 0, 4, *[8] * 11]
    settings("roundup_power2_divisions:[256:1,512:2]")
    assert config.roundup_power2_divisions == [*[1] * 9, 2, *[0] * 6]
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
        (
            "pinned_num_register_threads:3",
            "Number of register threads has to be power of 2 ",
        ),
        (
            "pinned_num_register_threads:256",
            "Number of register threads should be less than or equal to 128",
        ),
        (
            "pinned_use_cuda_host_register:1",
            "Expected 'True' or 'False' at index 2 in ConfigTokenizer but got '1'",
        ),
        (
            "release_lock_on_cudamalloc:True,release_lock_on_npumalloc:yes",
            "Expected 'True' or 'False' at index 6 in ConfigTokenizer but got 'yes'",
        ),
        ("backend:x", "Unknown allocator backend, options are native and cudaMallocAsync"),
        (",max_split_size_mb:40", "Unrecognized key ',' in NPU allocator config."),
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


def test_a_fraction_holds_for_allocators_made_later(settings, make_allocator):
    """As the environment's does, whose text is read before the first of them."""
    before = make_allocator(64)
    settings("per_process_memory_fraction:0.25,backend:native,pinned_num_register_threads:8")
    assert before.limit is None
    assert make_allocator(64).limit == 16 * MIB
    with pytest.raises(ValueError):
        settings("per_process_memory_fraction:1.5")
    with pytest.raises(ValueError, match="stod"):
        settings("per_process_memory_fraction:all")


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
