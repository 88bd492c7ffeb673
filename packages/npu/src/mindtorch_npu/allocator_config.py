"""Allocator settings: ``MINDTORCH_NPU_ALLOC_CONF``, else ``PYTORCH_ALLOC_CONF``.

Grammar, checks and texts are those of torch 2.13 (c10/core/AllocatorConfig.cpp). Each text begins
anew for what may not be split, rounding and collection, which it gives their defaults where it does
not name them; the other settings keep their values.
"""

from __future__ import annotations

import math
import os
import re
import sys
import warnings
from collections.abc import Callable
from typing import Protocol
from weakref import WeakSet

from mindtorch_npu import errors
from mindtorch_npu.naming import NAME

__all__ = ["Config", "config", "parse"]

_MIB = 1024 * 1024
UNLIMITED = (1 << 64) - 1
_INTERVALS = 16


class Config:
    """The settings of the process."""

    __slots__ = (
        "expandable_segments",
        "garbage_collection_threshold",
        "graph_capture_record_stream_reuse",
        "large_segment_size",
        "last_text",
        "max_non_split_rounding",
        "max_split_size",
        "per_process_memory_fraction",
        "pinned_free_catch_all",
        "pinned_max_cached_size",
        "pinned_max_round_threshold",
        "pinned_num_register_threads",
        "pinned_use_background_threads",
        "pinned_use_host_register",
        "release_lock_on_malloc",
        "roundup_power2_divisions",
        "throw_on_malloc_oom",
    )

    def __init__(self) -> None:
        self.max_split_size = UNLIMITED
        self.max_non_split_rounding = 20 * _MIB
        self.large_segment_size = 20 * _MIB
        self.garbage_collection_threshold = 0.0
        self.roundup_power2_divisions = [0] * _INTERVALS
        self.per_process_memory_fraction = 1.0
        self.expandable_segments = False
        self.release_lock_on_malloc = False
        self.throw_on_malloc_oom = False
        self.graph_capture_record_stream_reuse = False
        self.pinned_use_host_register = False
        self.pinned_use_background_threads = False
        self.pinned_free_catch_all = False
        self.pinned_num_register_threads = 1
        self.pinned_max_cached_size = 0  # bytes; 0 is no limit
        self.pinned_max_round_threshold = 0
        self.last_text = ""

    def divisions(self, nbytes: int) -> int:
        """Roundup divisions for a request of *nbytes* (rules 9)."""
        index = nbytes.bit_length() - 21
        if index < 0:
            index = 0
        elif index >= _INTERVALS:
            index = _INTERVALS - 1
        return self.roundup_power2_divisions[index]


config = Config()


class Listener(Protocol):
    """An allocator, which prepares what it asks often."""

    def refresh(self) -> None:
        """Settings changed."""
        ...


listeners: WeakSet[Listener] = WeakSet()
_environment_read = False

_LARGE = "large_segment_size_mb"
_RESET = (
    *("max_split_size", "max_non_split_rounding", "roundup_power2_divisions"),
    "garbage_collection_threshold",
)
_BLANKS = " \t\n\v\f\r"
# Compiled when first used: most programs have no settings.
_DIGITS = r"([+-]?)([0-9]+)"
_DECIMAL = (
    r"(?i)[+-]?(?:(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)|inf(?:inity)?|nan)"
)


def read_environment() -> None:
    """Parse the variables once, at the first use of the allocator."""
    global _environment_read
    if _environment_read:
        return
    _environment_read = True
    text = os.environ.get("MINDTORCH_NPU_ALLOC_CONF", os.environ.get("PYTORCH_ALLOC_CONF", ""))
    if text:
        parse(text)


def parse(text: str) -> None:
    """Change the settings that *text* names; see the module for the others.

    Raises ValueError, IndexError or RuntimeError for what does not parse: sizes that may not be
    split, rounding and collection are as before then.
    """
    tokens = _Tokens(text)
    config.last_text = text
    before = {name: getattr(config, name) for name in _RESET}
    try:
        tokens.set_large_segment_size()
        config.max_split_size = UNLIMITED
        config.max_non_split_rounding = config.large_segment_size
        config.roundup_power2_divisions = [0] * _INTERVALS
        config.garbage_collection_threshold = 0.0
        _apply(tokens)
    except BaseException:
        for name, value in before.items():
            setattr(config, name, value)
        raise
    finally:
        for allocator in listeners:
            allocator.refresh()


def _apply(tokens: _Tokens) -> None:
    while tokens.more():
        key = tokens.take()
        setter = _SETTERS.get(key)
        if setter is None:
            raise ValueError(f"Unrecognized key '{key}' in {NAME} allocator config.")
        tokens.take()  # the colon; torch does not look at it either
        setter(tokens)
        if tokens.more():
            tokens.take()  # the comma


class _Tokens:
    """The text cut at ``, : [ ]``, each of which is a token, without blanks."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        word = ""
        for char in text:
            if char in ",:[]":
                if word:
                    self._tokens.append(word)
                self._tokens.append(char)
                word = ""
            elif char not in _BLANKS:
                word += char
        if word:
            self._tokens.append(word)
        self._at = 0

    def more(self) -> bool:
        return self._at < len(self._tokens)

    def peek(self) -> str:
        if not self.more():
            raise errors.config_truncated()
        return self._tokens[self._at]

    def peek_in_list(self) -> str:
        if not self.more():
            raise errors.config_list_open()
        return self._tokens[self._at]

    def take(self) -> str:
        token = self.peek()
        self._at += 1
        return token

    def set_large_segment_size(self) -> None:
        """That comes first, wherever it stands: other sizes must not be less."""
        while self.more():
            if self.take() == _LARGE:
                self.take()  # the colon
                _large_segment_size(self)
        self._at = 0

    def integer(self) -> int:
        """The leading digits, as C's stoull reads them."""
        found = re.match(_DIGITS, self.take())
        if found is None:
            raise ValueError("stoull")
        value = int(found[2])
        if value > UNLIMITED:
            raise IndexError("stoull")
        # As stoull does it: a minus sign wraps around.
        return -value & UNLIMITED if found[1] == "-" else value

    def number(self) -> float:
        """What stands first, as C's stod reads it."""
        found = re.match(_DECIMAL, self.take())
        if found is None:
            raise ValueError("stod")
        text = found[0]
        value = float.fromhex(text) if "x" in text.lower() else float(text)
        digits = found[1]
        if digits is not None and _is_out_of_range(value, digits):
            raise IndexError("stod")
        return value

    def boolean(self) -> bool:
        index = self._at
        token = self.take()
        if token not in ("True", "False"):
            raise ValueError(
                f"Expected 'True' or 'False' at index {index} in ConfigTokenizer but got '{token}'"
            )
        return token == "True"


def _is_out_of_range(value: float, text: str) -> bool:
    """Whether *text* says something else than the double *value*, which is far from it."""
    if abs(value) >= sys.float_info.min:
        return math.isinf(value)
    mantissa = re.split("p" if "x" in text.lower() else "e", text.lower())[0]
    return any(digit not in "0x." for digit in mantissa)


def _at_least_a_segment(tokens: _Tokens, option: str) -> int:
    """Bytes of a value in MiB."""
    value = tokens.integer()
    least = config.large_segment_size // _MIB
    if value < least:
        raise ValueError(f"CachingAllocator option {option} too small, must be >= {least}")
    return min(value, UNLIMITED // _MIB) * _MIB


def _max_split_size(tokens: _Tokens) -> None:
    config.max_split_size = _at_least_a_segment(tokens, "max_split_size_mb")


def _max_non_split_rounding(tokens: _Tokens) -> None:
    config.max_non_split_rounding = _at_least_a_segment(tokens, "max_non_split_rounding_mb")


def _large_segment_size(tokens: _Tokens) -> None:
    value = tokens.integer()
    if value <= 10:
        raise ValueError("CachingAllocator option large_segment_size_mb must be > 10 MB")
    config.large_segment_size = min(value, UNLIMITED // _MIB) * _MIB


def _garbage_collection_threshold(tokens: _Tokens) -> None:
    value = tokens.number()
    if not 0.0 < value < 1.0:
        raise ValueError("garbage_collect_threshold is invalid, set it in (0.0, 1.0)")
    config.garbage_collection_threshold = value


def _per_process_memory_fraction(tokens: _Tokens) -> None:
    value = tokens.number()
    if not 0.0 <= value <= 1.0:
        raise ValueError("per_process_memory_fraction is invalid, set it in [0.0, 1.0]")
    config.per_process_memory_fraction = value


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _roundup_power2_divisions(tokens: _Tokens) -> None:
    divisions = config.roundup_power2_divisions
    if tokens.peek() != "[":
        value = tokens.integer()
        if not _is_power_of_two(value):
            raise ValueError("For roundups, the divisions has to be power of 2 ")
        divisions[:] = [value] * _INTERVALS
        return
    tokens.take()
    first = True
    rest = 1  # the first index after the last that was named
    while tokens.peek_in_list() != "]":
        key = tokens.take()
        tokens.take()
        value = tokens.integer()
        if value and not _is_power_of_two(value):
            raise ValueError(
                "For roundups, the divisions has to be power of 2 or 0 to disable roundup "
            )
        if key == ">":
            divisions[rest:] = [value] * (_INTERVALS - rest)
        else:
            size = _Tokens(key).integer()
            if not _is_power_of_two(size):
                raise ValueError("For roundups, the intervals have to be power of 2 ")
            index = min(size.bit_length() - 1, _INTERVALS - 1)
            if first:
                divisions[: index + 1] = [value] * (index + 1)
                first = False
            divisions[index] = value
            rest = index + 1
        if tokens.peek() != "]":
            tokens.take()  # the comma
    tokens.take()


def _expandable_segments(tokens: _Tokens) -> None:
    """Not here, as on platforms where CUDA has none: a warning, once, and no effect."""
    if tokens.boolean() and "expandable_segments" not in errors.said:
        errors.said.add("expandable_segments")
        warnings.warn("expandable_segments not supported on this platform", UserWarning)


def _flag(name: str) -> Callable[[_Tokens], None]:
    return lambda tokens: setattr(config, name, tokens.boolean())


def _register_threads(tokens: _Tokens) -> None:
    value = tokens.integer()
    if not _is_power_of_two(value):
        raise ValueError("Number of register threads has to be power of 2 ")
    if value > 128:
        raise ValueError("Number of register threads should be less than or equal to 128")
    config.pinned_num_register_threads = value


def _backend(tokens: _Tokens) -> None:
    value = tokens.take()
    if value not in ("native", "cudaMallocAsync"):
        raise ValueError("Unknown allocator backend, options are native and cudaMallocAsync")


def _mebibytes(name: str) -> Callable[[_Tokens], None]:
    return lambda tokens: setattr(config, name, tokens.integer() * _MIB)


def _ignored_number(tokens: _Tokens) -> None:
    tokens.integer()


_SETTERS: dict[str, Callable[[_Tokens], object]] = {
    "backend": _backend,
    "expandable_segments": _expandable_segments,
    "garbage_collection_threshold": _garbage_collection_threshold,
    "graph_capture_record_stream_reuse": _flag("graph_capture_record_stream_reuse"),
    _LARGE: _Tokens.take,  # it has been set
    "max_non_split_rounding_mb": _max_non_split_rounding,
    "max_split_size_mb": _max_split_size,
    "per_process_memory_fraction": _per_process_memory_fraction,
    "pinned_free_catch_all": _flag("pinned_free_catch_all"),
    "pinned_max_cached_size_mb": _mebibytes("pinned_max_cached_size"),
    "pinned_max_round_threshold_mb": _mebibytes("pinned_max_round_threshold"),
    "pinned_num_register_threads": _register_threads,
    "pinned_reserve_segment_size_mb": _ignored_number,
    "pinned_use_background_threads": _flag("pinned_use_background_threads"),
    "pinned_use_cuda_host_register": _flag("pinned_use_host_register"),
    "release_lock_on_cudamalloc": _flag("release_lock_on_malloc"),
    "roundup_power2_divisions": _roundup_power2_divisions,
    "throw_on_cudamalloc_oom": _flag("throw_on_malloc_oom"),
}
for _name in tuple(_SETTERS):
    if "cuda" in _name:  # the same option by its npu name
        _SETTERS[_name.replace("cuda", "npu")] = _SETTERS[_name]
del _name
