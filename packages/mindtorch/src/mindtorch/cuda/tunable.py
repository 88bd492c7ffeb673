"""Matrix products that are tuned on the device: torch's switches, which only a build with CUDA has.

Each function here asks ``torch._C`` for what it needs, which says that it has no such thing.
"""

from __future__ import annotations

from typing import Any

from .. import _C

__all__ = [
    "enable",
    "is_enabled",
    "tuning_enable",
    "tuning_is_enabled",
    "record_untuned_enable",
    "record_untuned_is_enabled",
    "set_max_tuning_duration",
    "get_max_tuning_duration",
    "set_max_tuning_iterations",
    "get_max_tuning_iterations",
    "set_filename",
    "get_filename",
    "get_results",
    "get_validators",
    "read_file",
    "tune_gemm_in_file",
    "mgpu_tune_gemm_in_file",
    "set_rotating_buffer_size",
    "get_rotating_buffer_size",
    "set_numerical_check_tolerances",
]


def enable(val: bool = True) -> None:
    """Switch tuned products on or off."""
    _C._cuda_tunableop_enable(val)


def is_enabled() -> bool:
    """Whether tuned products are on."""
    return _C._cuda_tunableop_is_enabled()


def tuning_enable(val: bool = True) -> None:
    """Switch tuning on or off."""
    _C._cuda_tunableop_tuning_enable(val)


def tuning_is_enabled() -> bool:
    """Whether products are tuned."""
    return _C._cuda_tunableop_tuning_is_enabled()


def record_untuned_enable(val: bool = True) -> None:
    """Write down products that are not tuned, or do not."""
    _C._cuda_record_untuned_enable(val)


def record_untuned_is_enabled() -> bool:
    """Whether products that are not tuned are written down."""
    return _C._cuda_record_untuned_is_enabled()


def set_max_tuning_duration(duration: int) -> None:
    """Set how many milliseconds tuning may take."""
    _C._cuda_tunableop_set_max_tuning_duration(duration)


def get_max_tuning_duration() -> int:
    """How many milliseconds tuning may take."""
    return _C._cuda_tunableop_get_max_tuning_duration()


def set_max_tuning_iterations(iterations: int) -> None:
    """Set how many runs tuning may take."""
    _C._cuda_tunableop_set_max_tuning_iterations(iterations)


def get_max_tuning_iterations() -> int:
    """How many runs tuning may take."""
    return _C._cuda_tunableop_get_max_tuning_iterations()


def set_filename(filename: str, insert_device_ordinal: bool = False) -> None:
    """Set where results are kept."""
    _C._cuda_tunableop_set_filename(filename, insert_device_ordinal)


def get_filename() -> str:
    """Where results are kept."""
    return _C._cuda_tunableop_get_filename()


def get_results() -> Any:
    """What tuning found."""
    return _C._cuda_tunableop_get_results()


def get_validators() -> Any:
    """What results depend on."""
    return _C._cuda_tunableop_get_validators()


def read_file(filename: str | None = None) -> bool:
    """Take over the results of a file."""
    if filename is None:
        filename = get_filename()
    return _C._cuda_tunableop_read_file(filename)


def set_rotating_buffer_size(buffer_size: int) -> None:
    """Set the megabytes that keep tuning from the cache."""
    _C._cuda_tunableop_set_rotating_buffer_size(buffer_size)


def get_rotating_buffer_size() -> int:
    """The megabytes that keep tuning from the cache."""
    return _C._cuda_tunableop_get_rotating_buffer_size()


def set_numerical_check_tolerances(enable: bool, atol: float = 1e-5, rtol: float = 1e-5) -> None:
    """Set how far a tuned result may be off."""
    _C._cuda_tunableop_set_numerical_check_tolerances(enable, atol, rtol)


def _check_tuning_assertions() -> None:
    if not is_enabled():
        enable(True)
    if not tuning_is_enabled() or record_untuned_is_enabled():
        raise AssertionError("tuning must be on, and recording off")


def tune_gemm_in_file(filename: str) -> None:
    """Tune the products that a file names."""
    _check_tuning_assertions()


def mgpu_tune_gemm_in_file(filename_pattern: str, num_gpus: int) -> None:
    """Tune the products that files name, on several devices."""
    _check_tuning_assertions()
