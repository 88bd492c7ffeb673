"""Building extensions in C++; compiling against torch's C++ is refused, for there is none here.

What programs ask at import (paths, whether tools are there, the classes for ``setup.py``) is
answered; building raises RuntimeError.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import Any, NoReturn

from ..compat.torch_version import TorchVersion

__all__ = [
    "get_default_build_root",
    "check_compiler_ok_for_platform",
    "get_compiler_abi_compatibility_and_version",
    "BuildExtension",  # noqa: F822  (made when it is asked for)
    "CppExtension",
    "CUDAExtension",
    "SyclExtension",
    "include_paths",
    "library_paths",
    "load",
    "load_inline",
    "is_ninja_available",
    "verify_ninja_availability",
    "remove_extension_h_precompiler_headers",
    "get_cxx_compiler",
    "check_compiler_is_gcc",
]

IS_WINDOWS = sys.platform == "win32"
IS_MACOS = sys.platform.startswith("darwin")
IS_LINUX = sys.platform.startswith("linux")
LIB_EXT = ".pyd" if IS_WINDOWS else ".so"
EXEC_EXT = ".exe" if IS_WINDOWS else ""
CLIB_PREFIX = "" if IS_WINDOWS else "lib"
CLIB_EXT = ".dll" if IS_WINDOWS else ".so"
SHARED_FLAG = "/DLL" if IS_WINDOWS else "-shared"
SUBPROCESS_DECODE_ARGS = ("oem",) if IS_WINDOWS else ()

_HERE = os.path.abspath(__file__)
_TORCH_PATH = os.path.dirname(os.path.dirname(_HERE))
TORCH_LIB_PATH = os.path.join(_TORCH_PATH, "lib")

#: There are no compilers for devices.
CUDA_HOME: str | None = None
CUDNN_HOME: str | None = None
ROCM_HOME: str | None = None
ROCM_VERSION: tuple[int, int] | None = None
HIP_HOME: str | None = None
SYCL_HOME: str | None = None
IS_HIP_EXTENSION = False

_REFUSED = (
    "Extensions cannot be built: torch is mindtorch here, which is written in Python and has no "
    "C++ headers or libraries to compile against."
)


def _refuse() -> NoReturn:
    raise RuntimeError(_REFUSED)


def get_default_build_root() -> str:
    """The folder in which extensions would be built."""
    cache = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.realpath(
        os.path.join(os.environ.get("XDG_CACHE_HOME", cache), "torch_extensions")
    )


def get_cxx_compiler() -> str:
    """The compiler that the environment names, or the usual one."""
    return os.environ.get("CXX", "cl" if IS_WINDOWS else "c++")


def check_compiler_is_gcc(compiler: str) -> bool:
    """Whether *compiler* is GCC, on Linux."""
    if not IS_LINUX or shutil.which(compiler) is None:
        return False
    told = subprocess.run([compiler, "-v"], capture_output=True, text=True, check=False)
    return "gcc version" in told.stderr


def check_compiler_ok_for_platform(compiler: str) -> bool:
    """Whether *compiler* is there and is one that this system's torch is built with."""
    if IS_WINDOWS:
        return True
    if shutil.which(compiler) is None:
        return False
    names = (
        ("clang++", "clang")
        if IS_MACOS
        else ("g++", "gcc", "gnu-c++", "gnu-cc", "clang++", "clang")
    )
    if any(name in os.path.realpath(shutil.which(compiler) or "") for name in names):
        return True
    return check_compiler_is_gcc(compiler)


def get_compiler_abi_compatibility_and_version(compiler: str) -> tuple[bool, Any]:
    """Whether what *compiler* makes fits torch, and its version."""
    if not check_compiler_ok_for_platform(compiler):
        return False, TorchVersion("0.0.0")
    told = subprocess.run(
        [compiler, "-dumpfullversion", "-dumpversion"], capture_output=True, text=True, check=False
    )
    version = told.stdout.strip() or "0.0.0"
    return True, TorchVersion(version)


def is_ninja_available() -> bool:
    """Whether ``ninja`` can be run."""
    with suppress(Exception):
        return bool(subprocess.check_output(["ninja", "--version"]))
    return False


def verify_ninja_availability() -> None:
    """Raise RuntimeError where ``ninja`` cannot be run."""
    if not is_ninja_available():
        raise RuntimeError("Ninja is required to load C++ extensions (pip install ninja to get it)")


def include_paths(device_type: str = "cpu", torch_include_dirs: bool = True) -> list[str]:
    """The folders in which headers would be."""
    if not torch_include_dirs:
        return []
    base = os.path.join(_TORCH_PATH, "include")
    return [base, os.path.join(base, "torch", "csrc", "api", "include")]


def library_paths(
    device_type: str = "cpu",
    torch_include_dirs: bool = True,
    cross_target_platform: str | None = None,
) -> list[str]:
    """The folders in which libraries would be."""
    return [TORCH_LIB_PATH] if torch_include_dirs else []


def _find_cuda_home() -> str | None:
    return None


def _find_rocm_home() -> str | None:
    return None


def _join_cuda_home(*paths: str) -> str:
    if CUDA_HOME is None:
        raise OSError(
            "CUDA_HOME environment variable is not set. Please set it to your CUDA install root."
        )
    return os.path.join(CUDA_HOME, *paths)


def _get_cuda_arch_flags(cflags: list[str] | None = None) -> list[str]:
    return []


def CppExtension(name: str, sources: Any, *args: Any, **kwargs: Any) -> Any:
    """An extension of ``setuptools`` with the folders and libraries of torch."""
    import setuptools

    kwargs["include_dirs"] = [*kwargs.get("include_dirs", []), *include_paths()]
    kwargs["library_dirs"] = [*kwargs.get("library_dirs", []), *library_paths()]
    libraries = ["c10", "torch", "torch_cpu"]
    if not kwargs.get("py_limited_api", False):
        libraries.append("torch_python")
    kwargs["libraries"] = [*kwargs.get("libraries", []), *libraries]
    kwargs["language"] = "c++"
    return setuptools.Extension(name, sources, *args, **kwargs)


def CUDAExtension(name: str, sources: Any, *args: Any, **kwargs: Any) -> Any:
    """Refuse as torch does where there is no CUDA. Raises OSError."""
    _join_cuda_home("lib64")


def SyclExtension(name: str, sources: Any, *args: Any, **kwargs: Any) -> Any:
    """Refuse as torch does where there is no SYCL. Raises OSError."""
    raise OSError(
        "SYCL_HOME environment variable is not set. Please set it to your OneAPI install root."
    )


def load(
    name: str,
    sources: Any,
    extra_cflags: Any = None,
    extra_cuda_cflags: Any = None,
    extra_sycl_cflags: Any = None,
    extra_ldflags: Any = None,
    extra_include_paths: Any = None,
    build_directory: Any = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    is_standalone: bool = False,
    keep_intermediates: bool = True,
) -> NoReturn:
    """Refuse: there is nothing to compile against. Raises RuntimeError."""
    _refuse()


def load_inline(
    name: str,
    cpp_sources: Any,
    cuda_sources: Any = None,
    sycl_sources: Any = None,
    functions: Any = None,
    extra_cflags: Any = None,
    extra_cuda_cflags: Any = None,
    extra_sycl_cflags: Any = None,
    extra_ldflags: Any = None,
    extra_include_paths: Any = None,
    build_directory: Any = None,
    verbose: bool = False,
    with_cuda: Any = None,
    with_sycl: Any = None,
    is_python_module: bool = True,
    with_pytorch_error_handling: bool = True,
    keep_intermediates: bool = True,
    use_pch: bool = False,
    no_implicit_headers: bool = False,
) -> NoReturn:
    """Refuse: there is nothing to compile against. Raises RuntimeError."""
    _refuse()


def remove_extension_h_precompiler_headers() -> None:
    """Nothing: no headers are compiled."""


def _build_extension() -> Any:
    from setuptools.command.build_ext import build_ext

    class BuildExtension(build_ext):  # type: ignore[misc]  # setuptools has no types
        """The command of ``setup.py`` that would build; it refuses. Raises RuntimeError."""

        @classmethod
        def with_options(cls, **options: Any) -> Any:
            """The command with options."""

            class cls_with_options(cls):  # type: ignore[misc,valid-type]  # it depends on the class
                def __init__(self, *args: Any, **kwargs: Any) -> None:
                    kwargs.update(options)
                    super().__init__(*args, **kwargs)

            return cls_with_options

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self.no_python_abi_suffix = kwargs.pop("no_python_abi_suffix", False)
            self.use_ninja = kwargs.pop("use_ninja", True)
            super().__init__(*args, **kwargs)

        def build_extensions(self) -> None:
            """Refuse: there is nothing to compile against."""
            _refuse()

    BuildExtension.__module__ = __name__
    BuildExtension.__qualname__ = "BuildExtension"
    return BuildExtension


def __getattr__(name: str) -> Any:
    if name == "BuildExtension":  # setuptools takes long to import
        made = globals()[name] = _build_extension()
        return made
    raise AttributeError(f"module 'torch.utils.cpp_extension' has no attribute '{name}'")
