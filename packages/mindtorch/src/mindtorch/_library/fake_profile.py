"""``torch._library.fake_profile``: what an op gave once, in place of a fake implementation."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..__about__ import __torch_version__
from ..aten import torch
from .custom_op import find_custom_op
from .fake import get_ctx
from .library import Library
from .registration import register_fake

__all__ = ["MissingOpProfile", "OpProfile", "TensorMetadata", "unsafe_generate_fake_kernels"]

log = logging.getLogger(__name__)

_DTYPES = {
    "uint8": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "float16": 6, "float32": 7,
    "float64": 8, "complex32": 9, "complex64": 10, "complex128": 11, "bool": 12, "bfloat16": 13,
    "uint16": 28, "float8_e4m3fn": 29, "float8_e5m2": 30, "float8_e4m3fnuz": 31,
    "float8_e5m2fnuz": 32, "float8_e8m0fnu": 33, "uint32": 34, "uint64": 35,
}  # fmt: skip
_LAYOUTS = {
    "sparse_coo": 1, "sparse_csr": 2, "sparse_csc": 3, "sparse_bsr": 4, "sparse_bsc": 5,
    "_mkldnn": 6, "strided": 7,
}  # fmt: skip


class MissingOpProfile(RuntimeError):  # torch's name
    """No profile fits the arguments."""


@dataclass(frozen=True)
class TensorMetadata:
    """What a profile says of a tensor: its sizes may be any."""

    rank: int
    dtype: Any
    device: Any
    layout: Any

    @staticmethod
    def maybe_from_tensor(t: Any) -> TensorMetadata | None:
        """That of *t*; None if it is no tensor."""
        if not isinstance(t, torch.Tensor):
            return None
        return TensorMetadata(t.dim(), t.dtype, t.device, t.layout)


@dataclass(frozen=True)
class OpProfile:
    """What an op gave for arguments."""

    args_profile: tuple[TensorMetadata | None, ...]
    out_profile: TensorMetadata | tuple[TensorMetadata, ...]


Profiles = dict[str, set[OpProfile]]


# -- as fake implementations -----------------------------------------------------------------------


def _made(t: TensorMetadata) -> Any:
    """A tensor without data, of sizes that are not known."""
    ctx = get_ctx()
    sizes = [ctx.new_dynamic_size() for _ in range(t.rank)]
    strides, step = [], 1
    for size in sizes:
        strides.append(step)
        step = step * size
    return torch.empty_strided(sizes, strides, device=t.device, dtype=t.dtype, layout=t.layout)


def _generate_fake_kernel(op_name: str, op_profile: set[OpProfile]) -> Callable[..., Any]:
    """The fake implementation that gives what the first profile says that fits."""

    def _fake_kernel(*args: Any, **kwargs: Any) -> Any:
        given = [TensorMetadata.maybe_from_tensor(arg) for arg in (*args, *kwargs.values())]
        for profile in op_profile:
            if all(arg == profile.args_profile[i] for i, arg in enumerate(given)):
                out = profile.out_profile
                return _made(out) if isinstance(out, TensorMetadata) else [_made(t) for t in out]
        raise MissingOpProfile(
            f"No fake kernel was found for {op_name}, and although we have previously registered "
            "some profiles to generate a fake kernel, no profiles match the given inputs: "
            f"{args, kwargs}."
        )

    return _fake_kernel


@contextmanager
def unsafe_generate_fake_kernels(op_profiles: Profiles) -> Iterator[list[Library]]:
    """In the block ops give, on tensors without data, what their profiles say.

    :param op_profiles: profiles by ``"namespace.name.overload"``.

    It is not safe: an op may give something else for other arguments of the same ranks.
    """
    libraries: list[Library] = []
    before: dict[str, Callable[..., Any]] = {}
    for op_name, profiles in op_profiles.items():
        log.warning(
            "Registering fake profile for %s. This will override any existing fake kernel "
            "registration.",
            op_name,
        )
        namespace, name = op_name.split(".")[:2]
        qualified = f"{namespace}::{name}"
        kernel = _generate_fake_kernel(qualified, profiles)
        definition = find_custom_op(qualified)
        if definition is None:
            libraries.append(Library(namespace, "FRAGMENT"))
            register_fake(qualified, kernel, lib=libraries[-1], allow_override=True)
            continue
        if definition._abstract_fn is not None:
            before[qualified] = definition._abstract_fn
        definition.register_fake(kernel)
    try:
        yield libraries
    finally:
        for library in libraries:
            library._destroy()
        for qualified, fake in before.items():
            definition = find_custom_op(qualified)
            if definition is None:
                raise AssertionError(f"opdef for {qualified} must not be None")
            definition.register_fake(fake)


# -- as text ---------------------------------------------------------------------------------------


def get_torch_version() -> str:
    """The version of torch whose behaviour this is: ``"2.13"``."""
    major, minor = __torch_version__.split(".")[:2]
    return f"{int(major)}.{int(minor)}"


def _number(value: Any, numbers: dict[str, int]) -> int:
    return numbers[str(value).removeprefix("torch.")]


def _named(number: int, numbers: dict[str, int]) -> Any:
    return getattr(torch, next(name for name, each in numbers.items() if each == number))


def _told(t: TensorMetadata) -> dict[str, Any]:
    return {
        "rank": t.rank,
        "dtype": _number(t.dtype, _DTYPES),
        "device": str(t.device),
        "layout": _number(t.layout, _LAYOUTS),
    }


def _read(told: dict[str, Any]) -> TensorMetadata:
    return TensorMetadata(
        told["rank"],
        _named(told["dtype"], _DTYPES),
        torch.device(told["device"]),
        _named(told["layout"], _LAYOUTS),
    )


def generate_yaml_from_profiles(op_profiles: Profiles) -> str:
    """Profiles as YAML, for :func:`read_profiles_from_yaml`. Raises ImportError without PyYAML."""
    import yaml

    def tell(profile: OpProfile) -> dict[str, Any]:
        out = profile.out_profile
        return {
            "args_profile": [_told(arg) for arg in profile.args_profile if arg is not None],
            "out_profile": _told(out) if isinstance(out, TensorMetadata) else list(map(_told, out)),
        }

    operators = {name: [tell(p) for p in profiles] for name, profiles in op_profiles.items()}
    told = {"torch_version": get_torch_version(), "operators": operators}
    return str(yaml.dump(told, sort_keys=False))


def read_profiles_from_yaml(yaml_str: str) -> Profiles:
    """Profiles from YAML. Raises RuntimeError for those of another version of torch."""
    import yaml

    told = yaml.safe_load(yaml_str)
    version = told["torch_version"]
    if version != get_torch_version():
        raise RuntimeError(
            f"Unable to load outdated profile. It was saved with torch version: {version} but the "
            f"current torch version is: {get_torch_version()}"
        )

    def read(profile: dict[str, Any]) -> OpProfile:
        out = profile["out_profile"]
        return OpProfile(
            tuple(map(_read, profile["args_profile"])),
            tuple(map(_read, out)) if isinstance(out, list) else _read(out),
        )

    return {name: set(map(read, profiles)) for name, profiles in told["operators"].items()}


def save_op_profiles(op_profiles: Profiles, f: Any) -> None:
    """Write profiles to the file *f*, a path or a ``BytesIO``. Raises ValueError for another."""
    text = generate_yaml_from_profiles(op_profiles)
    if isinstance(f, (str, os.PathLike)):
        Path(f).write_text(text)
    elif isinstance(f, io.BytesIO):
        f.write(text.encode("utf-8"))
    else:
        raise ValueError(f"Invalid type of file {f}")


def load_op_profiles(f: Any) -> Profiles:
    """Read what :func:`save_op_profiles` wrote."""
    if isinstance(f, (str, os.PathLike)):
        return read_profiles_from_yaml(Path(f).read_text())
    if isinstance(f, io.BytesIO):
        return read_profiles_from_yaml(f.read().decode("utf-8"))
    raise ValueError(f"Invalid type of file {f}")
